"""The recipes of docs/columns.md, each run as a script: on the rows of rows.py, and on many."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from corpora import noisy_systems

import vecbleu

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs" / "recipes"
PAGE = (ROOT / "docs" / "columns.md").read_text(encoding="utf-8")
NAMES = [path.stem for path in FOLDER.glob("with_*.py")]

# Of other libraries: of Spark about pandas, which no recipe uses, and of Dask's reader.
WARNINGS = ["PySpark does not yet fully support pandas", "The inplace keyword"]


def run(name, folder):
    """Return what a recipe prints in a folder with ``rows.parquet``, if its packages are there."""
    recipe = FOLDER / f"{name}.py"
    imports = re.findall(r"^(?:from|import) (\w+)", recipe.read_text(encoding="utf-8"), flags=re.M)
    missing = [name for name in {*imports} if find_spec(name) is None]
    if "pyspark" in imports and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        missing.append("Java")
    if missing:
        pytest.skip(f"no {', '.join(missing)}")
    command = [sys.executable, *(f"-Wignore:{text}" for text in WARNINGS)]
    if name == "with_pytorch":
        command += ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1"}
    options = {"capture_output": True, "encoding": "utf-8", "timeout": 300}
    done = subprocess.run([*command, recipe], cwd=folder, env=environment, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_recipe_prints_what_the_page_says(name, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(FOLDER / "rows.py"))
    shown = re.search(r"^```text\n(\[.*?)^```$", PAGE, flags=re.M | re.S)[1]
    assert run(name, tmp_path) == ("all 0.8194\n" if name == "with_pytorch" else shown)


@pytest.mark.parametrize("name", NAMES)
def test_recipe_scores_many_rows_as_vecbleu_does(name, tmp_path):
    """In groups of several batches, with several references, some of which are missing."""
    pa = pytest.importorskip("pyarrow")
    first, (outputs, second) = noisy_systems(3000, [0.2, 0.5])
    pairs = enumerate(zip(first, second, strict=True))
    refs = [[[a], [a, b], [b, None, a]][row % 3] for row, (a, b) in pairs]
    domains = np.array([["news", "talk"][row % 7 % 2] for row in range(3000)])
    table = pa.table({"domain": domains, "output": outputs, "refs": refs})
    pa.parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=500)

    complete = [[text for text in row if text is not None] for row in refs]
    stats = vecbleu.statistics(outputs, complete)
    groups = {domain: stats[domains == domain] for domain in ("news", "talk")}
    lines = [f"{domain} {round(group.score(), 4)}" for domain, group in groups.items()]
    expected = [f"{sorted(stats.scores().round(4).tolist())}", *lines]
    if name == "with_pytorch":
        expected = [f"all {round(stats.score(), 4)}"]
    assert run(name, tmp_path).splitlines() == expected


def test_rows_are_filtered_and_errors_name_the_row_of_the_file(tmp_path):
    pa = pytest.importorskip("pyarrow")
    outputs, refs = "the cat sat", ["a cat sat", "the cat sat"]
    table = pa.table({"output": [outputs, "no", None] * 50000, "refs": [refs] * 150000})
    path = tmp_path / "rows.parquet"
    pa.parquet.write_table(table.filter(table["output"].is_valid()), path)
    assert run("filter_rows", tmp_path) == "50000 of 100000 rows\n"
    assert set(pa.parquet.read_table(tmp_path / "kept.parquet")["output"].to_pylist()) == {outputs}
    pa.parquet.write_table(pa.concat_tables([table.slice(0, 2)] * 70000 + [table]), path)
    with pytest.raises(AssertionError, match=r"hypotheses\[140002\] is null"):
        run("filter_rows", tmp_path)

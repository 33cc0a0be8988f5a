"""Run the benchmarks and write their table into the README.

python benchmarks/table.py            run, then write
python benchmarks/table.py FILE.json  write what a run has saved with --benchmark-json
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
README = FOLDER.parent / "README.md"
START, END = "<!-- benchmarks: start -->", "<!-- benchmarks: end -->"


def main() -> None:
    """Replace the text between the README's two markers."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else _run()
    head, _, rest = README.read_text(encoding="utf-8").partition(START)
    _, _, tail = rest.partition(END)
    table = "\n".join(_table(json.loads(path.read_text(encoding="utf-8"))))
    README.write_text(f"{head}{START}\n{table}\n{END}{tail}", encoding="utf-8")


def _run() -> Path:
    """All benchmarks in one run, on one thread."""
    path = Path(tempfile.mkdtemp()) / "benchmarks.json"
    threads = dict.fromkeys(("OMP_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "pytest", str(FOLDER), f"--benchmark-json={path}"]
    subprocess.run(command, check=True, env=os.environ | threads)
    return path


def _table(run: dict[str, Any]) -> list[str]:
    """Medians by work, size and library, and the ratio of each peer's to vecbleu's."""
    medians: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
    for entry in run["benchmarks"]:
        info = entry["extra_info"]
        medians[info["work"], info["size"]][info["library"]] = entry["stats"]["median"]
    lines = [
        "| work | segments | peer | peer's time | vecbleu's | ratio |",
        "|---|--:|---|--:|--:|--:|",
    ]
    for (work, size), libraries in medians.items():
        ours = libraries.pop("vecbleu")
        for library, theirs in libraries.items():
            times = f"{_seconds(theirs)} | {_seconds(ours)} | **{theirs / ours:.1f}×**"
            lines.append(f"| {work} | {size:,} | {library} | {times} |")
    return [*lines, "", _machine(run)]


def _seconds(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _machine(run: dict[str, Any]) -> str:
    """What it ran on."""
    cpu = run["machine_info"]["cpu"]
    versions = []
    for name in ("vecbleu", "numpy", "nltk", "sacrebleu", "bleuscore"):
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"{name} not installed")
    return (
        f"Medians of one run on {run['datetime'][:10]}, one thread: {cpu['brand_raw']}, "
        f"{cpu['count']} cores, {platform.system()}, Python {platform.python_version()}, "
        f"{', '.join(versions)}. About 28 tokens a segment, words by Zipf's law, no line twice."
    )


if __name__ == "__main__":
    main()

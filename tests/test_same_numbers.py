"""Python, ``vecbleu rank``, ``compare`` and the report show the same tests of the same systems."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from command import lines, run, run_json
from conftest import shared

import vecbleu
from vecbleu.significance import rank
from vecbleu.significance.results import p_texts

DATA = Path(__file__).parent.parent / "data" / "en"
WMT23 = ["en-de", *(pytest.param(pair, marks=pytest.mark.slow) for pair in ("en-he", "en-ja"))]
BOUNDS = "difference", "difference_lower", "difference_upper"


@pytest.fixture(params=["sample", *WMT23])
def systems(request):
    """The systems of the sample, or a third of those of a pair of languages of WMT 2023."""
    paths, references = sorted(DATA.glob("sys.*.en")), [DATA / "ref.A.en"]
    if request.param != "sample":
        paths = sorted(shared("wmt23").glob(f"system-outputs/*.{request.param}.hyp.*"))[::3]
        references = [*shared("wmt23").glob(f"references/*.{request.param}.ref.refA.*")]
    tokenize = "char" if request.param.endswith(("ja", "zh")) else "13a"
    count = vecbleu.file_statistics
    return {path.name.split(".")[-2]: count(path, references, tokenize=tokenize) for path in paths}


def text_of(markup):
    return unescape(re.sub("<[^>]*>", "", markup))


def read_report(path):
    """The verdict, the cells of the ranking, and what is shown of pairs."""
    page = path.read_text(encoding="utf-8")
    rows = re.findall(
        "<tr[^>]*>(.*?)</tr>", page.partition('id="scores"')[2].partition("</table>")[0]
    )
    cells = [[*map(text_of, re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row))] for row in rows]
    verdict = text_of(re.search('class="verdict">(.*?)</p>', page)[1])
    return verdict, cells, json.loads(re.search(r'id="numbers">\s*(.*?)\s*</script>', page)[1])


def test_every_way_shows_the_same_tests(systems, tmp_path):
    for name, table in systems.items():
        table.save(tmp_path / f"{name}.npz")
    asked = ["-i", *(f"{name}.npz" for name in systems), "--names", *systems]
    found, names = rank(systems), [*systems]
    table, ranked = found.table(), [names[system] for system in found.order]
    *text, said = lines(run(tmp_path, "rank", *asked))[2:]
    assert text == str(table).split("\n")
    shown = run_json(tmp_path, "rank", *asked)
    assert [pair for row in shown for pair in row.pop("pairs")] == found.pairs().records()
    assert [row.pop("signature")[:12] for row in shown] == ["BLEU|nrefs:1"] * len(names)
    assert [(row.pop("level"), row.pop("adjust")) for row in shown] == [(0.05, "none")] * len(names)
    assert [row.pop("groups") for row in shown] == [[]] * len(names)
    assert shown == table.records()
    lines(run(tmp_path, "report", *asked, "-o", "x.html"))
    verdict, cells, numbers = read_report(tmp_path / "x.html")
    assert verdict == f"{said}."
    assert said in lines(run(tmp_path, "compare", *asked, "--baseline", ranked[1]))
    titles, *rows = cells
    _, system, score, low, high, cluster, *tests = table.columns
    columns = [system, score, *tests, cluster, low, high]
    bounds = ["score lower", "score upper"]
    assert titles == [*(column.title for column in columns[:-2]), *bounds]
    shown = zip(*(column.cells() for column in columns), strict=True)
    assert rows == [[name, *(re.sub("^-", "−", cell) for cell in row)] for name, *row in shown]
    assert numbers["names"] == ranked
    matrices = found.differences, found.difference_lower, found.difference_upper
    for base, baseline in enumerate(names):
        compared = run_json(tmp_path, "compare", *asked, "--baseline", baseline, "--segments", "0")
        for system, row in enumerate(compared):
            is_base = system == base
            differences = [100 * matrix[system, base] for matrix in matrices]
            p = found.p_values[system, base]
            assert [row["system"], row["BLEU"]] == [names[system], 100 * found.scores[system]]
            assert [row[key] for key in BOUNDS] == ([None] * 3 if is_base else differences)
            assert row["p"] == (None if is_base else p)
            if not is_base:
                (text,) = p_texts(found, ([system], [base]))
                phrase = f"p {text}" if text.startswith("<") else f"p = {text}"
                row, column = ranked.index(names[system]), ranked.index(baseline)
                test = numbers["tests"][row][column].replace("−", "-")
                shown = r"(\S+) BLEU \(95% interval (\S+) to (\S+), (.*)\)"
                *points, told = re.fullmatch(shown, test).groups()
                assert [*map(float, points)] == pytest.approx(differences, abs=0.0501)
                assert told == phrase

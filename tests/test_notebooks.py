"""Public results show as one table, in text and in notebooks, in which no text becomes markup."""

from __future__ import annotations

import inspect
import json
from html.parser import HTMLParser

import pytest

import vecbleu
from vecbleu import analysis, significance
from vecbleu.core.table import Result, Table

UGLY = "<script>alert(1)</script>&\x1b[31m\u202e\"'"
HYPOTHESES = [f"the cat {UGLY}", "a dog barked & ran", "x <b>y</b> z w"] * 9
REFERENCES = ["the cat sat", "the dog barked & ran", "x <b>y</b> z v"] * 9
LABELS = [UGLY, "talk & news", 3] * 9


def results():
    """One result of each public class, which holds the ugly text wherever it can."""
    own = vecbleu.statistics(HYPOTHESES, REFERENCES)
    systems = {UGLY: own, "b": vecbleu.statistics(REFERENCES, REFERENCES), "c": own}
    texts = {UGLY: HYPOTHESES, "b": REFERENCES}
    yield vecbleu.explain(HYPOTHESES[0], REFERENCES[0], tokenize="none")
    yield vecbleu.nearest(HYPOTHESES, REFERENCES, k=3)
    yield significance.bootstrap(own, n_resamples=50)
    yield significance.paired_bootstrap(systems, n_resamples=50)
    yield significance.rank(systems, n_resamples=50)
    yield analysis.score_buckets(systems, LABELS)
    yield analysis.segment_differences(systems)
    yield analysis.ngram_differences(texts, REFERENCES, tokenize="none")


RESULTS = [*results()]


def test_every_result_is_tried():
    classes = {
        value
        for module in (vecbleu, significance, analysis)
        for value in (getattr(module, name) for name in module.__all__)
        if inspect.isclass(value) and issubclass(value, Result)
    }
    assert {*map(type, RESULTS)} >= classes


class Elements(HTMLParser):
    """The tags of a page, its text, and whether every tag is closed."""

    def __init__(self, page):
        super().__init__()
        self.names, self.text, self.open = set(), "", []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        self.open.append(tag)
        for name, value in attributes:
            assert name in ("cellpadding", "class", "style", "title")
            assert "<" not in value

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_results_are_tables_in_which_text_stays_text(result):
    page = result._repr_html_()
    elements = Elements(page)
    assert "table" in elements.names
    assert elements.names <= {"b", "bdi", "div", "mark", "p", "table", "td", "th", "tr"}
    assert all(one.isprintable() or one in "\n\t" for one in page)
    assert len(page) < 60_000
    table = result.table()
    assert isinstance(table, Table)
    assert table.to_latex().startswith(r"\begin{tabular}")
    assert all(line.isprintable() for line in str(result).split("\n"))
    json.dumps(result.to_dict(), allow_nan=False)
    json.dumps(table.to_dict(), allow_nan=False)


def test_the_ugly_text_is_shown():
    shown = [result for result in RESULTS if "alert(1)" in Elements(result._repr_html_()).text]
    names = {type(result).__name__ for result in shown}
    assert names >= {"Buckets", "Comparison", "Differences", "Explanation", "NgramDifferences"}


def test_long_results_are_cut_and_say_so():
    rows = vecbleu.statistics([f"a b {place}" for place in range(300)], ["a b c"] * 300)
    other = vecbleu.statistics(["a b c"] * 300, ["a b c"] * 300)
    found = analysis.segment_differences([other, rows])
    assert "... and 240 more rows" in Elements(found._repr_html_()).text
    assert "... and 240 more rows" in str(found)

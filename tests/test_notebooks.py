"""What notebooks show: every public result has a table, and no text in it becomes markup."""

from __future__ import annotations

import inspect
from html.parser import HTMLParser

import numpy as np
import pytest

import vecbleu
from vecbleu import analysis, significance
from vecbleu.core.html import html_table, safe_html
from vecbleu.significance.results import Result

UGLY = "<script>alert(1)</script>&\x1b[31m\u202e\"'"
HYPOTHESES = [f"the cat {UGLY}", "a dog barked & ran", "x <b>y</b> z w"] * 9
REFERENCES = ["the cat sat", "the dog barked & ran", "x <b>y</b> z v"] * 9
LABELS = [UGLY, "talk & news", 3] * 9


def tables():
    own = vecbleu.statistics(HYPOTHESES, REFERENCES)
    return {UGLY: own, "b": vecbleu.statistics(REFERENCES, REFERENCES), "c": own}


def results():
    """One result of each public class, or several, that hold the ugly text wherever they can."""
    systems = tables()
    options = {"smoothing": "exp"}
    pair = {name: systems[name] for name in (UGLY, "b")}
    texts = {UGLY: HYPOTHESES, "b": REFERENCES}
    ngrams = analysis.ngram_differences(texts, REFERENCES, tokenize="none")
    found = [
        vecbleu.corpus_bleu(HYPOTHESES, REFERENCES),
        systems[UGLY],
        systems[UGLY].sum(),
        vecbleu.nearest(HYPOTHESES, REFERENCES, k=12, **options),
        vecbleu.explain(HYPOTHESES[0], REFERENCES[0], tokenize="none"),
        significance.bootstrap(systems[UGLY], n_resamples=50, **options),
        significance.paired_bootstrap(systems, n_resamples=50, **options),
        significance.paired_randomization(systems, n_resamples=50, **options),
        significance.rank(systems, n_resamples=50, **options),
        analysis.score_buckets(systems, LABELS, **options),
        analysis.score_buckets(systems, by="length_difference", **options),
        analysis.segment_differences(pair),
        analysis.segment_influences(systems, **options),
        analysis.word_f_measures(texts, REFERENCES),
        ngrams,
        ngrams.rows[0],
    ]
    return [*found, found[4].orders[0], found[4].orders[0].ngrams[0]]


RESULTS = results()


def public_classes():
    for module in (vecbleu, significance, analysis):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value):
                yield value


# What is given to functions, or says how something was counted.
NO_RESULTS = {
    vecbleu.Accumulator,
    vecbleu.Ragged,
    vecbleu.ScoreSignature,
    vecbleu.SharedReferences,
    vecbleu.Signature,
}


def test_every_public_result_is_tried():
    assert {*map(type, RESULTS)} == {*public_classes()} - NO_RESULTS
    assert {one for one in public_classes() if issubclass(one, Result)} <= {*map(type, RESULTS)}


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
            assert name in ("cellpadding", "class", "data-order", "style", "title")
            assert "<" not in value

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_notebooks_show_a_table_in_which_text_stays_text(result):
    page = result._repr_html_()
    elements = Elements(page)
    assert "table" in elements.names
    allowed = {"b", "bdi", "details", "div", "mark", "p", "summary", "table", "td", "th", "tr"}
    assert elements.names <= allowed
    assert all(one.isprintable() or one in "\n\t" for one in page)
    assert len(page) < 60_000


def test_the_ugly_text_is_shown():
    shown = [result for result in RESULTS if "alert(1)" in Elements(result._repr_html_()).text]
    names = {type(result).__name__ for result in shown}
    assert names >= {"Ranking", "Buckets", "Comparison", "Differences", "Explanation"}
    assert names >= {"Influences", "NgramDifferences", "WordFMeasures"}


def test_long_results_are_cut_and_say_so():
    neighbors = vecbleu.nearest(["a"] * 300, [f"a {i}" for i in range(50)], k=50, max_order=1)
    page = neighbors._repr_html_()
    assert page.count("<tr>") == 21
    assert "Neighbors(hypotheses=300, k=50)" in page


def test_scores_of_many_orders_are_cut_and_say_so():
    score = vecbleu.corpus_bleu(["a b"], ["a b"], max_order=300)
    assert "... and 280 more orders" in score._repr_html_()
    assert score._repr_html_().count("<tr>") == 21


def test_tables_of_numbers():
    systems = tables()
    board = significance.rank(systems, n_resamples=50, smoothing="exp")
    page = board._repr_html_()
    best = int(np.argmax(board.scores))
    assert page.index(safe_html(board.names[best])) < page.index(f"{100 * board.scores.min():.2f}")
    compared = significance.paired_bootstrap(systems, n_resamples=50, smoothing="exp")
    assert "nan" not in compared._repr_html_()


def test_cells_are_escaped_and_aligned():
    page = html_table(["<a>", "b"], [["&", "1"]], "<t>", "n>")
    assert page.startswith("<p>&lt;t&gt;</p><table")
    assert page.endswith("</table><p>n&gt;</p>")
    assert '<td style="text-align:left">&amp;</td><td>1</td>' in page

"""n-grams in whose counts systems differ, against dictionaries."""

from __future__ import annotations

import json

import numpy as np
import pytest
from corpora import COLUMNS
from hypothesis import given
from hypothesis import strategies as st
from ngram_oracle import KINDS, expected, rows_of
from peers import TOKENIZE
from strategies import odd_tokens, text_corpora, token_corpora

import vecbleu
from vecbleu.analysis import ngram_differences

OLD = ["a cat sat on a mat", "a dog sat down"]
NEW = ["the cat sat on the mat", "the dog"]
REFERENCES = ["the cat sat on the mat", "the dog sat down"]


OPTIONS = st.fixed_dictionaries(
    {"kinds": st.sampled_from([KINDS, ("over",), ("under", "match")])},
    optional={"top": st.sampled_from([1, 2, 5, 1000]), "examples": st.integers(0, 2)},
)


@st.composite
def pairs(draw, tokens=None):
    """Two systems of tokens, and references."""
    first, references = draw(token_corpora(tokens))
    vocabulary = sorted({token for unit in first for token in unit} or {"x"}, key=repr)
    unit = st.lists(st.sampled_from([*vocabulary, vocabulary[0]]), max_size=12)
    return [first, draw(st.lists(unit, min_size=len(first), max_size=len(first)))], references


@given(pairs() | pairs(odd_tokens), OPTIONS, st.integers(1, 5))
def test_rows_are_those_of_dictionaries(corpus, options, max_order):
    sides, references = corpus
    found = ngram_differences(sides, references, max_order=max_order, **options)
    assert rows_of(found) == expected(sides, references, max_order=max_order, **options)


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(text_corpora, st.booleans())
def test_strings_are_tokenized_as_for_scores(tokenize, corpus, lowercase):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    options = {"tokenize": tokenize, "lowercase": lowercase}
    found = ngram_differences([hypotheses, hypotheses[::-1]], references, kinds=KINDS, **options)

    def tokens(strings):
        return [vecbleu.explain(one, one, **options).tokens for one in strings]

    sides = [tokens(hypotheses), tokens(hypotheses[::-1])]
    assert rows_of(found) == expected(sides, [*map(tokens, references)])


@pytest.mark.parametrize(("segments", "length"), [(200, 20), (2_100, 2)])
def test_large_corpora_are_ranked_as_small_ones(segments, length):
    rng = np.random.default_rng(3)
    base = rng.zipf(1.3, (segments, length)) % 300
    systems = [
        np.where(rng.random(base.shape) < p, rng.permutation(base), base) for p in (0.3, 0.4)
    ]
    sides = [side.tolist() for side in systems]
    references = [[row] for row in base.tolist()]
    options = {"top": 30, "max_order": 3, "kinds": KINDS}
    found = ngram_differences(systems, base, **options)
    assert rows_of(found) == expected(sides, references, **options)
    lines = [[" ".join(f"w{token}" for token in row) for row in side] for side in [*sides, base]]
    one, two = (ngram_differences(lines[:2], lines[2], workers=n, **options) for n in (1, 2))
    assert one.rows == two.rows
    assert [row.counts for row in one.rows] == [row.counts for row in found.rows]


def test_every_system_is_compared_with_the_baseline():
    systems = {"old": OLD, 2: NEW, ("copy",): REFERENCES}
    found = ngram_differences(systems, REFERENCES, baseline=2, kinds=KINDS)
    assert (found.names, found.baseline) == ((*systems,), 1)
    for name in ("old", ("copy",)):
        pair = ngram_differences({2: NEW, name: systems[name]}, REFERENCES, kinds=KINDS)
        assert tuple(row for row in found.rows if name in (row.more, row.less)) == pair.rows


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_give_the_same_rows(name):
    wanted = ngram_differences([OLD, NEW], REFERENCES, kinds=KINDS).rows
    old, new, references = map(COLUMNS[name], (OLD, NEW, REFERENCES))
    assert ngram_differences([old, new], references, kinds=KINDS).rows == wanted


def test_ids_come_without_those_that_are_no_tokens():
    old, new = np.array([[1, 2, 3, 0], [4, 0, 0, 0]]), np.array([[1, 2, 0, 0], [4, 5, 9, 7]])
    references = [np.array([1, 2, 3, 0]), np.array([4, 5, 6, 0])]
    found = ngram_differences([old, new], references, ignore_ids=0, eos_id=9, kinds=KINDS)
    sides = [[[1, 2, 3], [4]], [[1, 2], [4, 5]]]
    assert rows_of(found) == expected(sides, [[[1, 2, 3]], [[4, 5, 6]]])
    assert json.loads(json.dumps(found.to_dict()))["rows"][0]["ngram"] == [4, 5]


@pytest.mark.parametrize("segments", [3, 40])
def test_references_may_be_shared(segments):
    shared = REFERENCES * 30
    old, new = (OLD * segments)[:segments], (NEW * segments)[:segments]
    wanted = ngram_differences([old, new], [list(shared) for _ in old], kinds=KINDS).rows
    for references in ([shared] * segments, vecbleu.SharedReferences(shared)):
        assert ngram_differences([old, new], references, kinds=KINDS).rows == wanted


def test_results_are_tables():
    found = ngram_differences([OLD, NEW], REFERENCES, kinds=KINDS)
    table = found.table().to_dict()
    assert table["n-gram"] == [" ".join(row.ngram) for row in found.rows]
    assert table["segments"][0] == "1, 2"
    over = ngram_differences([OLD, NEW], REFERENCES, kinds="over").rows
    assert over == tuple(row for row in found.rows if row.kind == "over")
    assert ngram_differences([OLD, OLD], REFERENCES, kinds=KINDS).rows == ()


def test_tokens_with_spaces_are_told_from_several():
    outputs = [[["a b", ""], ["x"]], [["a", "b"], ["x"]]]
    found = ngram_differences(outputs, [[["a b", "", "a", "b"]], [["x"]]], max_order=2)
    assert found.table().to_dict()["n-gram"] == ["a b", "'a b' ''"]

"""n-grams in whose counts systems differ, against dictionaries."""

from __future__ import annotations

import importlib.util
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ngram_oracle import KINDS, expected, rows_of
from strategies import odd_tokens, text_corpora, token_corpora

import vecbleu
from vecbleu.analysis import ngram_counts, ngram_differences

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


@given(pairs(), OPTIONS, st.integers(1, 5), st.sampled_from([(2_000, 1 << 19), (2, 9), (1, 1)]))
def test_rows_are_those_of_dictionaries(corpus, options, max_order, sizes):
    sides, references = corpus
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram_counts, "_SEGMENTS", sizes[0])
        patch.setattr(ngram_counts, "_CELLS", sizes[1])
        patch.setattr(ngram_counts, "_RANKED", 2)
        found = ngram_differences(sides, references, max_order=max_order, **options)
    assert rows_of(found) == expected(sides, references, max_order=max_order, **options)


@given(pairs(odd_tokens), OPTIONS)
def test_tokens_may_be_any_hashables(corpus, options):
    sides, references = corpus
    found = ngram_differences(sides, references, **options)
    assert rows_of(found) == expected(sides, references, **options)


@given(text_corpora, st.sampled_from(["13a", "none", "char", "intl", "zh"]), st.booleans())
def test_strings_are_tokenized_as_for_scores(corpus, tokenize, lowercase):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    other = hypotheses[::-1]
    options = {"tokenize": tokenize, "lowercase": lowercase, "kinds": KINDS}
    found = ngram_differences([hypotheses, other], references, **options)
    split = vecbleu.core.options.CountOptions.checked(tokenize).tokenize.split

    def tokens(strings):
        return [*split([one.lower() if lowercase else one for one in strings])]

    sides, units = [tokens(hypotheses), tokens(other)], [*map(tokens, references)]
    assert rows_of(found) == expected(sides, units)


def test_large_corpora_are_ranked_as_small_ones():
    rng = np.random.default_rng(3)
    base = rng.zipf(1.3, (400, 20)) % 300
    systems = [
        np.where(rng.random(base.shape) < p, rng.permutation(base), base) for p in (0.3, 0.4)
    ]
    sides = [side.tolist() for side in systems]
    references = [[row] for row in base.tolist()]
    options = {"kinds": KINDS, "top": 30}
    assert rows_of(ngram_differences(systems, base, **options)) == expected(
        sides, references, **options
    )
    lines = [[" ".join(f"w{token}" for token in row) for row in side.tolist()] for side in systems]
    text = [" ".join(f"w{token}" for token in row) for row in base.tolist()]
    one, two = (ngram_differences(lines, text, workers=workers).rows for workers in (1, 2))
    assert one == two


def test_a_phrase_is_listed_once():
    phrase = "one two three four five six seven eight"
    references = [*[phrase] * 5, *["red cat"] * 3, "blue dog"]
    found = ngram_differences([["-"] * 9, references], references)
    assert [(" ".join(row.ngram), *row.counts) for row in found.rows] == [
        (phrase, 5, 0),
        ("red cat", 3, 0),
        ("blue dog", 1, 0),
    ]


def test_ngrams_of_different_segments_are_not_joined():
    references = ["a b c", "a b", "b c"]
    found = ngram_differences([["-"] * 3, ["a b c", "a b", "-"]], references, max_order=2)
    assert [(row.ngram, row.counts) for row in found.rows] == [
        (("a", "b"), (2, 0)),
        (("b", "c"), (1, 0)),
    ]


def test_every_system_is_compared_with_the_baseline():
    systems = {"old": OLD, 2: NEW, ("copy",): REFERENCES}
    found = ngram_differences(systems, REFERENCES, baseline=2, kinds=KINDS)
    assert (found.names, found.baseline) == ((*systems,), 1)
    for name in ("old", ("copy",)):
        pair = ngram_differences({2: NEW, name: systems[name]}, REFERENCES, kinds=KINDS)
        assert tuple(row for row in found.rows if name in (row.more, row.less)) == pair.rows


@pytest.mark.parametrize("kinds", [["under"], ["over", "match"], ("match", "match"), "over"])
def test_kinds_are_those_that_are_asked_for(kinds):
    found = ngram_differences([OLD, NEW], REFERENCES, kinds=kinds)
    wanted = [kinds] if isinstance(kinds, str) else [*dict.fromkeys(kinds)]
    whole = ngram_differences([OLD, NEW], REFERENCES, kinds=KINDS)
    assert found.rows == tuple(row for kind in wanted for row in whole.rows if row.kind == kind)


def formats():
    """The same corpus in several formats."""
    yield iter(OLD), iter(NEW), iter(REFERENCES)
    yield OLD, NEW, [[one] for one in REFERENCES]
    yield [[one.split() for one in side] for side in (OLD, NEW, REFERENCES)]
    yield tuple(OLD), np.array(NEW), np.array(REFERENCES)
    for module, name in (("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")):
        if importlib.util.find_spec(module):
            column = getattr(importlib.import_module(module), name)
            yield column(OLD), column(NEW), column(REFERENCES)


def test_all_formats_give_the_same_rows():
    wanted = ngram_differences([OLD, NEW], REFERENCES, kinds=KINDS).rows
    for old, new, references in formats():
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
    shared = ["the cat sat on the mat", "the dog sat down"] * 300
    old, new = (OLD * segments)[:segments], (NEW * segments)[:segments]
    wanted = ngram_differences([old, new], [list(shared) for _ in old], kinds=KINDS).rows
    prepared = vecbleu.SharedReferences(shared)
    for references in ([shared] * segments, prepared):
        assert ngram_differences([old, new], references, kinds=KINDS).rows == wanted
    with pytest.raises(ValueError, match="max_order is 5"):
        ngram_differences([old, new], prepared, max_order=5)


def test_equal_systems_differ_in_no_ngram():
    assert ngram_differences([OLD, OLD], REFERENCES, kinds=KINDS).rows == ()
    assert ngram_differences([[], []], [], kinds=KINDS).rows == ()


def test_results_are_tables():
    found = ngram_differences({"old\n": OLD, "new\x1b[31m": NEW}, REFERENCES, kinds=KINDS)
    table = found.table().to_dict()
    assert table["n-gram"] == [" ".join(row.ngram) for row in found.rows]
    assert table["segments"][0] == "1, 2"
    assert found.rows[0].examples == (0, 1)
    assert all(line.isprintable() for line in str(found).splitlines())
    written = json.loads(json.dumps(found.to_dict()))["rows"]
    assert [one["counts"] for one in written] == [[*row.counts] for row in found.rows]


def test_tokens_with_spaces_are_told_from_several():
    outputs = [[["a b", ""], ["x"]], [["a", "b"], ["x"]]]
    found = ngram_differences(outputs, [[["a b", "", "a", "b"]], [["x"]]], max_order=2)
    assert found.table().to_dict()["n-gram"] == ["a b", "'a b' ''"]
    ids = [*np.array([1, 2])]
    (row,) = ngram_differences([[ids], [ids[:0]]], [[ids]]).rows
    assert str(row.ngram) == "(1, 2)"


@pytest.mark.parametrize(
    ("systems", "given", "error", "message"),
    [
        ([OLD], {}, ValueError, "systems has 1, expected at least 2"),
        ("abc", {}, TypeError, "systems is str"),
        (5, {}, TypeError, "systems is int"),
        ([OLD, NEW[:1]], {}, ValueError, "(?s)1 segments .* 2.*system 1"),
        ({"x": OLD[:1], "y": NEW[:1]}, {}, ValueError, "(?s)references has 2.*system x"),
        ([OLD, [["a"], ["b"]]], {}, TypeError, "(?s)references.*system 1"),
        ([OLD, ["a", 5]], {}, TypeError, "(?s)5.*system 1"),
        ([OLD, None], {}, TypeError, "(?s)None.*system 1"),
        ([OLD, NEW], {"baseline": 2}, ValueError, "baseline is 2"),
        ([OLD, NEW], {"baseline": "x"}, ValueError, "baseline is 'x'"),
        ([OLD, NEW], {"kinds": ["matches"]}, ValueError, "kinds is 'matches'"),
        ([OLD, NEW], {"top": 0}, ValueError, "top is 0"),
        ([OLD, NEW], {"examples": -1}, ValueError, "examples is -1"),
        ([OLD, NEW], {"ignore_ids": [0]}, TypeError, "ignore_ids"),
        ([OLD, NEW], {"alpha": 1}, TypeError, "alpha"),
    ],
)
def test_misuse_is_named(systems, given, error, message):
    with pytest.raises(error, match=message):
        ngram_differences(systems, REFERENCES, **given)


def test_unhashable_tokens_are_named():
    good, bad = [["a"]] * 2, [["a"], [{}]]
    with pytest.raises(TypeError, match=r"references\[1\], reference 1"):
        ngram_differences([good, good], [[["a"]], [["a"], [{}]]])
    with pytest.raises(TypeError, match=r"systems\['x'\]\[1\]"):
        ngram_differences({"y": good, "x": bad}, [[["a"]], [["a"]]])

"""Sets against sets: every function against enumeration through `sentence_bleu`."""

from __future__ import annotations

import pickle
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from corpora import COLUMNS, STRING_COLUMNS
from hypothesis import example, given
from hypothesis import strategies as st
from processes import process_pool
from strategies import odd_tokens, ugly_text, words

import vecbleu

NO_SMOOTHING = {"smoothing": "none", "effective_order": False}
SMOOTHINGS = [
    {},
    {"effective_order": False},
    {"smoothing": "floor", "smoothing_value": 0.05},
    {"smoothing": "add-k", "effective_order": False},
    {"smoothing": "skip-zero"},
    {"smoothing": "none"},
    NO_SMOOTHING,
]
# Of n-grams that are shared, how many a pair may have to be joined: none, some, any.
JOINED = [0.0, 0.2, 1e9]

SIZES = [
    "neighbors._TASK_TOKENS",
    "neighbors._OCCURRENCES",
    "neighbors._LOOKED_UP",
    "neighbors._KEPT",
    "scores._PAIRS",
    "matrices._TASK_PAIRS",
    "expected._TASK_PAIRS",
    "keys._PIECE",
]

lines = st.lists(words, max_size=12).map(" ".join)
tokens = st.lists(st.sampled_from("aab"), max_size=14)


@st.composite
def options(draw):
    """Options of counting and scoring."""
    order = draw(st.integers(1, 8))
    found = {"max_order": order, **draw(st.sampled_from(SMOOTHINGS))}
    weight = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0])
    weights = st.lists(weight, min_size=1, max_size=order)
    return found | (draw(st.none() | weights.map(lambda some: {"weights": some})) or {})


@st.composite
def sets(draw, least=0, most=20):
    """Units of one kind, some of which occur again, and how they are tokenized."""
    kind = draw(st.sampled_from(["none", "13a", "char", "tokens", "odd", "ugly"]))
    unit = {"tokens": tokens, "odd": st.lists(odd_tokens, max_size=6), "ugly": ugly_text}
    units = draw(st.lists(unit.get(kind, lines), min_size=max(least, 1), max_size=most))
    chosen = draw(st.lists(st.sampled_from(units), min_size=least, max_size=most))
    return chosen, {"tokenize": kind} if kind in ("none", "13a", "char") else {}


@contextmanager
def pieces_of(size):
    """Have the work cut into pieces of a size; 0: as it is."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SIZES if size else ():
            patch.setattr(f"vecbleu.pairwise.{name}", size)
        yield


def enumerated(hypotheses, references, **how):
    """The matrix, by sentence BLEU of every pair."""
    pairs = [(one, [other]) for one in hypotheses for other in references]
    if not pairs:
        return np.zeros((len(hypotheses), len(references)))
    scores = vecbleu.sentence_bleu(*map(list, zip(*pairs, strict=True)), **how)
    return scores.reshape(len(hypotheses), len(references))


@given(sets(), st.data(), options(), st.sampled_from([0, 3, 40]))
def test_a_matrix_holds_the_score_of_each_pair(drawn, data, how, size):
    units, counting = drawn
    cut = data.draw(st.integers(0, len(units)))
    hypotheses, references = units[:cut], units[cut:]
    with pieces_of(size):
        matrix = vecbleu.pairwise_bleu(hypotheses, references, **counting, **how)
        own = vecbleu.pairwise_bleu(units, **counting, **how)
    expected_matrix = enumerated(hypotheses, references, **counting, **how)
    assert matrix.shape == (len(hypotheses), len(references))
    assert matrix.tolist() == expected_matrix.tolist()
    assert own.tolist() == enumerated(units, units, **counting, **how).tolist()


@given(sets(least=2), options())
@example((["a b", "a b c", "a b c d"], {}), {})  # of two lengths as close, the shorter
def test_self_bleu_scores_each_against_all_others(drawn, how):
    units, counting = drawn
    others = [[*units[:place], *units[place + 1 :]] for place in range(len(units))]
    found = vecbleu.self_bleu(units, **counting, **how)
    assert found.tolist() == vecbleu.sentence_bleu(units, others, **counting, **how).tolist()


@given(sets(least=1), st.data(), options(), st.sampled_from([0, 3, 40]), st.sampled_from(JOINED))
def test_nearest_are_the_best_of_each_row(drawn, data, how, size, most_joined):
    units, counting = drawn
    cut = data.draw(st.integers(0, len(units) - 1))
    hypotheses, references = units[:cut], units[cut:]
    k = data.draw(st.integers(1, len(references)))
    with pieces_of(size), pytest.MonkeyPatch.context() as patch:
        patch.setattr("vecbleu.pairwise.neighbors._MOST_JOINED", most_joined)
        found = vecbleu.nearest(hypotheses, references, k=k, **counting, **how)
    matrix = enumerated(hypotheses, references, **counting, **how)
    best = np.argsort(-matrix, axis=1, kind="stable")[:, :k]
    assert found.indices.tolist() == best.tolist()
    assert found.scores.tolist() == np.take_along_axis(matrix, best, axis=1).tolist()


@given(sets(), st.data(), options(), st.sampled_from([0, 3, 40]))
def test_expected_bleu_is_the_mean_over_pseudo_references(drawn, data, how, size):
    units, counting = drawn
    cuts = sorted(data.draw(st.lists(st.integers(0, len(units)), max_size=4)))
    edges = [0, *cuts, len(units)]
    sources = [units[start:stop] for start, stop in pairwise(edges)]
    references = data.draw(st.sampled_from([None, [units[:3]] * len(sources)]))
    with pieces_of(size):
        found = vecbleu.expected_bleu(sources, references if units else None, **counting, **how)
    assert [len(scores) for scores in found] == [len(source) for source in sources]
    for place, (source, scores) in enumerate(zip(sources, found, strict=True)):
        others = references[place] if references and units else source
        means = enumerated(source, others, **counting, **how).mean(axis=1) if source else []
        assert np.allclose(scores, means, rtol=1e-14, atol=0)


UNITS = [" ".join(map(str, np.random.default_rng(n).integers(0, 30, n % 15))) for n in range(120)]
SOURCES = [UNITS[:40], UNITS[40:], []]
CALLS = {
    "pairs": lambda **how: vecbleu.pairwise_bleu(UNITS, UNITS[:50], **how).tolist(),
    "nearest": lambda **how: vecbleu.nearest(UNITS, UNITS, k=3, **how).to_dict(),
    "self": lambda **how: vecbleu.self_bleu(UNITS, **how).tolist(),
    "expected": lambda **how: [*map(np.ndarray.tolist, vecbleu.expected_bleu(SOURCES, **how))],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("how", [{}, NO_SMOOTHING])
def test_workers_change_nothing(name, how):
    with pieces_of(200):
        assert CALLS[name](workers=2, **how) == CALLS[name](workers=1, **how)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("pairs", {}),
        ("nearest", NO_SMOOTHING),
        ("nearest", {}),
        ("self", {}),
        ("expected", {}),
    ],
)
def test_an_executor_changes_nothing(name, how):
    with process_pool(1) as pool:
        assert CALLS[name](workers=pool, **how) == CALLS[name](workers=1, **how)


@pytest.mark.parametrize("how", SMOOTHINGS)
def test_two_hundred_units(how):
    rng = np.random.default_rng(11)
    units = [" ".join(map(str, rng.zipf(1.6, rng.integers(0, 20)) % 40)) for _ in range(200)]
    matrix = enumerated(units, units, **how)
    assert vecbleu.pairwise_bleu(units, **how).tolist() == matrix.tolist()
    best = np.argsort(-matrix, axis=1, kind="stable")[:, :7]
    assert vecbleu.nearest(units, units, k=7, **how).indices.tolist() == best.tolist()
    (means,) = vecbleu.expected_bleu([units], **how)
    assert np.allclose(means, matrix.mean(axis=1), rtol=1e-13, atol=0)
    others = [[*units[:place], *units[place + 1 :]] for place in range(200)]
    own = vecbleu.sentence_bleu(units, others, **how)
    assert vecbleu.self_bleu(units, **how).tolist() == own.tolist()


ROWS = [[1, 2, 3, 4], [1, 2, 3], [9, 9, 1, 2, 3], [], [2, 3, 4, 5]]
PADDED = np.array([[*row, 0, 0, 0, 0, 0][:5] for row in ROWS])
TEXT = [" ".join(map(str, row)) for row in ROWS]
SPLIT = {"tokenize": "none"}
FORMATS = {
    "padded ids": (PADDED, {"ignore_ids": 0}),
    "ragged": (vecbleu.Ragged.from_padded(PADDED, ignore_ids=0), {}),
    "arrays": ([np.array(row, int) for row in ROWS], {}),
    "tuples": ([tuple(map(str, row)) for row in ROWS], {}),
    "tuples of anything": ([tuple(map(float, row)) for row in ROWS], {}),
    "strings": (np.array(TEXT), SPLIT),
    "objects": (np.array(TEXT, object), SPLIT),
    "a function": (TEXT, {"tokenize": str.split}),
}


@pytest.mark.parametrize("name", FORMATS)
def test_all_formats_are_one(name):
    expected = enumerated(ROWS, ROWS, max_order=2)
    units, how = FORMATS[name]
    assert vecbleu.pairwise_bleu(units, max_order=2, **how).tolist() == expected.tolist()
    assert vecbleu.pairwise_bleu(units, units, max_order=2, **how).tolist() == expected.tolist()
    (means,) = vecbleu.expected_bleu([units], max_order=2, **how)
    assert np.allclose(means, expected.mean(axis=1), rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", STRING_COLUMNS)
def test_columns_meet_lists(name):
    made = STRING_COLUMNS[name]
    strings = ["the cat sat on the mat", "", "a ünï 😀", "two\nlines", "a cat sat on the mat"]
    expected = enumerated(strings, strings)
    assert vecbleu.pairwise_bleu(made(strings), strings).tolist() == expected.tolist()
    assert vecbleu.pairwise_bleu(strings, made(strings)).tolist() == expected.tolist()
    assert vecbleu.nearest(made(strings), strings).indices[:, 0].tolist() == [0, 0, 2, 3, 4]
    (means,) = vecbleu.expected_bleu([made(strings)])
    assert np.allclose(means, expected.mean(axis=1), rtol=1e-14, atol=0)
    if name in COLUMNS:
        units = [[1, 2, 3], [], [2, 3]]
        found = vecbleu.pairwise_bleu(COLUMNS[name](units), units)
        assert found.tolist() == enumerated(units, units).tolist()


def test_sources_are_passed_as_any_side_is():
    drawn = [["a b c", "a b"], ["d"]]
    expected = [one.tolist() for one in vecbleu.expected_bleu(drawn, max_order=2)]
    for kind in (iter, np.array, COLUMNS["array"]):
        for sources in ([*map(kind, drawn)], map(kind, drawn)):
            found = vecbleu.expected_bleu(sources, max_order=2)
            assert [one.tolist() for one in found] == expected
    found = vecbleu.expected_bleu(COLUMNS["array"](drawn), max_order=2)
    assert [one.tolist() for one in found] == expected


def test_wide_units_and_many_copies():
    rng = np.random.default_rng(5)
    units = [["a"] * 3000, ["a", "b"] * 1500, [*map(str, rng.integers(0, 20, 5000))], [], ["a"]]
    assert vecbleu.pairwise_bleu(units).tolist() == enumerated(units, units).tolist()
    others = [[*units[:place], *units[place + 1 :]] for place in range(5)]
    assert vecbleu.self_bleu(units).tolist() == vecbleu.sentence_bleu(units, others).tolist()


def test_neighbors_are_a_table_and_pickle():
    found = vecbleu.nearest(["a b c d e", "x"], ["a b c d", "a b c d e"], k=2, tokenize="none")
    assert found.indices.tolist() == [[1, 0], [0, 1]]
    columns = {"segment": [1, 2], "reference 1": [2, 1], "reference 2": [1, 2]}
    columns |= {f"score {rank + 1}": found.scores[:, rank].tolist() for rank in range(2)}
    assert found.table().to_dict() == columns
    values = {"scores": found.scores.tolist(), "indices": found.indices.tolist()}
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict() == values


def test_nothing_against_something():
    assert vecbleu.pairwise_bleu([], ["a"]).shape == (0, 1)
    assert vecbleu.self_bleu([]).shape == (0,)
    assert [*map(len, vecbleu.expected_bleu([[], []]))] == [0, 0]
    assert vecbleu.nearest([], ["a", "b"], k=2).indices.shape == (0, 2)

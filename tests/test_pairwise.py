"""Sets against sets: every function against enumeration through the score of sentences."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import pairwise

import numpy as np
import pytest
from corpora import COLUMNS
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import process_pool
from strategies import IS_LONG, odd_tokens, score_options, ugly_text, words

import vecbleu
from vecbleu import chrf
from vecbleu.arguments.options import NO_SPECIAL_IDS, RunOptions
from vecbleu.core.metric import metric_named
from vecbleu.sets import neighbors, pairs
from vecbleu.sets.matrices import pairwise_scores
from vecbleu.sets.units import Settings

NO_SMOOTHING = {"smoothing": "none", "effective_order": False}

lines = st.lists(words, max_size=12).map(" ".join)
tokens = st.lists(st.sampled_from("aab"), max_size=14)


@st.composite
def sets(draw):
    """Units of one kind, some of which occur again, and how they are tokenized."""
    kind = draw(st.sampled_from(["none", "13a", "char", "tokens", "odd", "ugly"]))
    unit = {"tokens": tokens, "odd": st.lists(odd_tokens, max_size=6), "ugly": ugly_text}
    units = draw(st.lists(unit.get(kind, lines), min_size=2, max_size=20))
    chosen = draw(st.lists(st.sampled_from(units), min_size=2, max_size=20))
    return chosen, {"tokenize": kind} if kind in ("none", "13a", "char") else {}


def enumerated(hypotheses, references, **how):
    """The matrix, by sentence BLEU of every pair."""
    pairs = [(one, [other]) for one in hypotheses for other in references]
    if not pairs:
        return np.zeros((len(hypotheses), len(references)))
    scores = vecbleu.sentence_bleu(*map(list, zip(*pairs, strict=True)), **how)
    return scores.reshape(len(hypotheses), len(references))


def check_best(nearest, matrix, k, alone, min_score=0):
    """Hold neighbors to the rows of the matrix: same scores, indices and ties."""
    order = np.argsort(-matrix, axis=1, kind="stable")
    if alone:  # no unit is its own neighbor
        order = np.array([row[row != index] for index, row in enumerate(order)])
    best = np.take_along_axis(matrix, order[:, :k], axis=1)
    is_high = best >= min_score
    assert nearest.indices.tolist() == np.where(is_high, order[:, :k], -1).tolist()
    assert nearest.scores.tolist() == np.where(is_high, best, 0).tolist()


def check_nearest(k, *sides, min_score=0, **how):
    matrix = vecbleu.pairwise_bleu(*sides, **how)
    nearest = vecbleu.nearest(*sides, k=k, min_score=min_score, **how)
    check_best(nearest, matrix, k, len(sides) == 1, min_score)


def check_all(units, cut, sources, workers=1, **how):
    """Hold all functions to enumeration; units before the cut are hypotheses."""
    whole, hypotheses, references = enumerated(units, units, **how), units[:cut], units[cut:]
    matrix, run = whole[:cut, cut:], how | {"workers": workers}
    assert vecbleu.pairwise_bleu(units, **run).tolist() == whole.tolist()
    assert vecbleu.pairwise_bleu(hypotheses, references, **run).tolist() == matrix.tolist()
    check_nearest(min(5, len(references)), hypotheses, references, **run)
    others = [[*units[:place], *units[place + 1 :]] for place in range(len(units))]
    own = vecbleu.sentence_bleu(units, others, **how)
    assert vecbleu.self_bleu(units, **run).tolist() == own.tolist()
    for several in (sources, [units[:3]] * len(sources)):
        found = vecbleu.expected_bleu(sources, None if several is sources else several, **run)
        for source, pseudo, means in zip(sources, several, found, strict=True):
            expected = enumerated(source, pseudo, **how).mean(axis=1) if source else []
            assert np.allclose(means, expected, rtol=1e-13, atol=0)


@given(sets(), st.data(), score_options())
def test_all_functions_are_enumeration(drawn, data, how):
    units, counting = drawn
    cut = data.draw(st.integers(0, len(units) - 1))
    edges = data.draw(st.lists(st.integers(0, len(units)), max_size=4).map(sorted))
    sources = [units[start:stop] for start, stop in pairwise([0, *edges, len(units)])]
    check_all(units, cut, sources, **counting, **how)


def random_units(rng, number):
    """Tokens or ids, some of them noisy copies of others, of which some are exact; or empty."""
    vocabulary = int(rng.choice([1, 2, 5, 30]))
    units = [rng.integers(0, vocabulary, rng.integers(0, 12)) for _ in range(number)]
    for index in rng.integers(0, number, number // 2):
        copied = units[rng.integers(number)]
        units[index] = np.where(rng.random(len(copied)) < rng.choice([0, 0.2]), 0, copied)
    return units if rng.random() < 0.5 else [[*map(str, unit)] for unit in units]


@settings(max_examples=4000 if IS_LONG else 100)
@given(st.integers(0), st.integers(2, 40) | st.integers(110, 300), score_options())
def test_neighbors_are_the_best_of_the_matrix(seed, number, how):
    """From 100 references on, pairs are left out."""
    rng = np.random.default_rng(seed)
    units = random_units(rng, number)
    if rng.random() < 0.5:
        how["min_score"] = float(rng.choice([1e-9, 0.1, 0.3, 0.6, 1]))
    if rng.random() < 0.3:
        check_nearest(1, units, **how)
    else:
        cut = int(rng.integers(0, number // 3 + 1))
        k = int(rng.integers(1, number - cut + 1)) if rng.random() < 0.3 else 1
        check_nearest(k, units[:cut], units[cut:], **how)


@pytest.mark.parametrize(
    "how", [{}, pytest.param(NO_SMOOTHING | {"workers": 2}, marks=pytest.mark.slow)]
)
def test_many_units_score_as_a_few_at_a_time(how):
    """More than is processed at a time: blocks, parts of n-grams, and tasks."""
    rng = np.random.default_rng(7)
    units = [rng.zipf(1.5, length) % 500 for length in rng.integers(1, 140, 1000)]
    for index in range(0, 1000, 3):
        units[index] = np.where(rng.random(len(units[index - 1])) < 0.2, 0, units[index - 1])
    matrix = vecbleu.pairwise_bleu(units, **how)
    for row, column in ((0, 0), (800, 600), (500, 300)):
        rows, columns = slice(row, row + 200), slice(column, column + 400)
        part = vecbleu.pairwise_bleu(units[rows], units[columns], **how)
        assert part.tolist() == matrix[rows, columns].tolist()
    rows = slice(900, 908)
    assert matrix[rows, :50].tolist() == enumerated(units[rows], units[:50], **how).tolist()
    check_nearest(3, units[:300], units, **how)
    check_nearest(2, units, min_score=0.4, **how)
    bounds = [*pairwise([0, 400, 401, 700, 1000])]
    means = vecbleu.expected_bleu([units[i:j] for i, j in bounds], **how)
    for (i, j), found in zip(bounds, means, strict=True):
        assert np.allclose(found, matrix[i:j, i:j].mean(axis=1), rtol=1e-13, atol=0)


def test_neighbors_of_parts_are_those_of_the_whole(monkeypatch):
    """Hypotheses that are searched for together; and, of few references, blocks of rows."""
    units = [rng.zipf(1.5, 12) for rng in map(np.random.default_rng, range(300))]
    monkeypatch.setattr(neighbors, "_SEARCHED_TOKENS", 100)
    monkeypatch.setattr(pairs, "_TOKENS", 500)
    for size in (len(units), 90):
        check_nearest(2, units[:70], units[:size])


@pytest.mark.parametrize("how", [{}, NO_SMOOTHING, {"smoothing": "floor", "smoothing_value": 0.05}])
@pytest.mark.parametrize(
    "workers", [lambda: nullcontext(1), pytest.param(process_pool, marks=pytest.mark.slow)]
)
def test_two_hundred_units_score_as_by_enumeration(workers, how):
    rng = np.random.default_rng(11)
    units = [" ".join(map(str, rng.zipf(1.6, rng.integers(0, 20)) % 40)) for _ in range(200)]
    with workers() as chosen:
        check_all(units, 50, [units[:80], units[80:]], chosen, **how)


def test_the_table_of_neighbors_counts_from_1_and_has_0_for_none():
    found = vecbleu.nearest(["a b c d", "x"], ["y", "a b c d", "a b c e"], k=2, min_score=0.1)
    score = float(vecbleu.sentence_bleu(["a b c d"], ["a b c e"])[0])
    assert found.table().to_dict() == {
        "segment": [1, 2],
        "score 1": [pytest.approx(1), 0],
        "reference 1": [2, 0],
        "score 2": [score, 0],
        "reference 2": [3, 0],
    }


@pytest.mark.parametrize("value", [1, 2, 100])
def test_a_large_floor_can_score_pairs_without_long_matches_higher(value):
    units = np.random.default_rng(3).integers(0, 30, (220, 5))
    check_nearest(1, units, smoothing="floor", smoothing_value=value)


def test_hard_units_score_as_by_enumeration():
    assert vecbleu.pairwise_bleu([], ["a"]).shape == (0, 1)
    assert vecbleu.self_bleu([]).shape == (0,)
    letters = np.random.default_rng(5).integers(0, 20, 5000)
    units = [["a"] * 3000, ["a", "b"] * 1500, [*map(str, letters)], [], ["a"]]
    check_all(units, 3, [units])
    check_all(["a b", "a b c", "a b c d"], 1, [])  # of two lengths as close, the shorter
    words = ["a b c", "c b a", "a b c"]  # the same in another order, and again
    check_all(words, 1, [words, words[1:], words[:1]])
    # Rows of counts that 64 bits can't number.
    check_all([[*map(str, range(size))] for size in (80, 41, 71)], 1, [], max_order=90)


ROWS = [[1, 2, 3, 4], [1, 2, 3], [9, 9, 1, 2, 3], [], [2, 3, 4, 5]]
PADDED = np.array([[*row, 0, 0, 0, 0, 0][:5] for row in ROWS])
TEXT = [" ".join(map(str, row)) for row in ROWS]
FORMATS = {
    "padded ids": (PADDED, ROWS, {"ignore_ids": 0}),
    "ragged": (vecbleu.Ragged.from_padded(PADDED, ignore_ids=0), ROWS, {}),
    "tuples": ([tuple(map(str, row)) for row in ROWS], [line.split() for line in TEXT], {}),
    "a function": (TEXT, TEXT, {"tokenize": str.split}),
}


@pytest.mark.parametrize("name", FORMATS)
def test_all_formats_are_one(name):
    """Columns and arrays are read as those of `SharedReferences`."""
    units, rows, how = FORMATS[name]
    expected = enumerated(rows, rows, max_order=2).tolist()
    for sides in ((units,), (units, units)):
        assert vecbleu.pairwise_bleu(*sides, max_order=2, **how).tolist() == expected
    (means,) = vecbleu.expected_bleu([units], max_order=2, **how)
    assert np.allclose(means, np.mean(expected, axis=1), rtol=1e-14, atol=0)
    if not how:
        for sides in ((units, rows), (rows, units)):
            assert vecbleu.pairwise_bleu(*sides, max_order=2).tolist() == expected


def test_sources_are_passed_as_any_side_is():
    drawn = [["a b c", "a b"], ["d"]]
    expected = [one.tolist() for one in vecbleu.expected_bleu(drawn, max_order=2)]
    for sources in (map(iter, drawn), [*map(np.array, drawn)], COLUMNS["array"](drawn)):
        found = vecbleu.expected_bleu(sources, max_order=2)
        assert [one.tolist() for one in found] == expected


def enumerated_chrf(hypotheses, references, **how):
    pairs = [(one, other) for one in hypotheses for other in references]
    if not pairs:
        return np.zeros((len(hypotheses), len(references)))
    scores = chrf.sentence_chrf(*map(list, zip(*pairs, strict=True)), **how)
    return scores.reshape(len(hypotheses), len(references))


def check_nearest_chrf(matrix, k, *sides, min_score=0, **how):
    nearest = chrf.nearest_chrf(*sides, k=k, min_score=min_score, **how)
    check_best(nearest, matrix, k, len(sides) == 1, min_score)


def check_all_chrf(units, cut, sources, workers=1, **how):
    """Hold all functions to enumeration; units before the cut are hypotheses."""
    whole, hypotheses, references = enumerated_chrf(units, units, **how), units[:cut], units[cut:]
    matrix, run = whole[:cut, cut:], how | {"workers": workers}
    assert chrf.pairwise_chrf(units, **run).tolist() == whole.tolist()
    assert chrf.pairwise_chrf(hypotheses, references, **run).tolist() == matrix.tolist()
    check_nearest_chrf(matrix, min(3, len(references)), hypotheses, references, **run)
    check_nearest_chrf(whole, min(2, len(units) - 1), units, min_score=0.4, **run)
    others = [[*units[:place], *units[place + 1 :]] for place in range(len(units))]
    assert (
        chrf.self_chrf(units, **run).tolist() == chrf.sentence_chrf(units, others, **how).tolist()
    )
    for several in (sources, [units[:3]] * len(sources)):
        found = chrf.expected_chrf(sources, None if several is sources else several, **run)
        for source, pseudo, means in zip(sources, several, found, strict=True):
            expected = enumerated_chrf(source, pseudo, **how).mean(axis=1) if source else []
            assert np.allclose(means, expected, rtol=1e-13, atol=0)


CHRF_OPTIONS = {
    "char_order": st.integers(1, 9),
    "word_order": st.integers(0, 3),
    "beta": st.sampled_from([0, 0.5, 1, 3]),
    "lowercase": st.booleans(),
    "whitespace": st.booleans(),
    "eps_smoothing": st.booleans(),
}
chrf_options = st.fixed_dictionaries(CHRF_OPTIONS)
chrf_lines = lines | ugly_text | st.text("aA ,.", max_size=30)


@settings(max_examples=3000 if IS_LONG else 100)
@given(st.lists(chrf_lines, min_size=2, max_size=12), st.data(), chrf_options)
def test_all_functions_of_chrf_are_enumeration(drawn, data, how):
    units = data.draw(st.lists(st.sampled_from(drawn), min_size=2, max_size=20))
    cut = data.draw(st.integers(0, len(units) - 1))
    edges = data.draw(st.lists(st.integers(0, len(units)), max_size=4).map(sorted))
    sources = [units[start:stop] for start, stop in pairwise([0, *edges, len(units)])]
    check_all_chrf(units, cut, sources, **how)


@pytest.mark.parametrize("how", [{}, {"word_order": 2}, {"eps_smoothing": True, "beta": 1}])
@pytest.mark.parametrize(
    "workers", [lambda: nullcontext(1), pytest.param(process_pool, marks=pytest.mark.slow)]
)
def test_two_hundred_lines_have_the_chrf_of_enumeration(workers, how):
    """Rare and frequent n-grams are counted in two ways."""
    rng = np.random.default_rng(11)
    units = [" ".join(map(str, rng.zipf(1.6, rng.integers(0, 20)) % 90)) for _ in range(200)]
    with workers() as chosen:
        check_all_chrf(units, 50, [units[:80], units[80:83], units[83:]], chosen, **how)


def test_many_lines_have_the_chrf_of_a_few_at_a_time():
    """More than is processed at a time: blocks of rows and of columns, and tasks."""
    rng = np.random.default_rng(3)
    units = [" ".join(map(str, rng.zipf(1.5, size) % 500)) for size in rng.integers(1, 90, 1000)]
    matrix = chrf.pairwise_chrf(units)
    for row, column in ((0, 0), (900, 700), (500, 300)):
        rows, columns = slice(row, row + 20), slice(column, column + 40)
        expected = enumerated_chrf(units[rows], units[columns])
        assert matrix[rows, columns].tolist() == expected.tolist()
    check_nearest_chrf(matrix, 3, units)
    check_nearest_chrf(matrix[:7], 2, units[:7], units)
    (means, few) = chrf.expected_chrf([units, units[:40]])
    assert np.allclose(means, matrix.mean(axis=1), rtol=1e-13, atol=0)
    assert np.allclose(few, matrix[:40, :40].mean(axis=1), rtol=1e-13, atol=0)


def test_long_n_grams_and_many_copies_have_the_chrf_of_enumeration():
    letters = np.random.default_rng(5).integers(97, 117, 3000)
    units = ["a" * 3000, "ab" * 1500, "".join(map(chr, letters)), "", " ", "a", "\ud800\nb", "é b"]
    check_all_chrf(units, 3, [units, [], units[5:]])
    check_all_chrf(units[3:], 3, [], char_order=100, word_order=100, whitespace=True)
    units = ["a bc", "ab c", "abc", "a b c"]  # the same characters, but other words
    check_all_chrf(units, 2, [units], word_order=2)


ERRORS_OF_CHRF = [
    (lambda: chrf.pairwise_chrf(["a"], [["a"]]), "hypotheses", "references"),
    (lambda: chrf.pairwise_chrf([["a"]]), "hypotheses", "strings"),
    (lambda: chrf.pairwise_chrf([], [["a"]]), "references", "strings"),
    (lambda: chrf.pairwise_chrf("abc"), "hypotheses"),
    (lambda: chrf.pairwise_chrf(["a", None]), "hypotheses[1]"),
    (lambda: chrf.self_chrf(["a"]), "hypotheses has 1 segment"),
    (lambda: chrf.self_chrf(["a", "b"], beta=-1), "beta"),
    (lambda: chrf.nearest_chrf(["a"], ["a"], k=2), "k is 2", "references has 1"),
    (lambda: chrf.nearest_chrf(["a"]), "k is 1", "hypotheses has 1"),
    (lambda: chrf.nearest_chrf(["a"], ["a"], k=0), "k is 0"),
    (lambda: chrf.nearest_chrf(["a"], ["a"], min_score=-1), "min_score is -1"),
    (lambda: vecbleu.nearest(["a"], ["a"], min_score=60), "min_score is 60, expected 0 to 1"),
    (lambda: vecbleu.nearest(["a"], ["a"], min_score="1"), "min_score is '1'"),
    (lambda: chrf.expected_chrf(["ab"]), "candidates[0]"),
    (lambda: chrf.expected_chrf([["a"], ["b", 3]]), "candidates[1][1]"),
    (lambda: chrf.expected_chrf([[["a"]]]), "candidates", "strings"),
    (lambda: chrf.expected_chrf([["a"]], []), "candidates has 1", "references has 0"),
    (lambda: chrf.expected_chrf([["a"], ["b"]], [["a"], []]), "references[1]"),
    (lambda: chrf.expected_chrf([["a"]], char_order=0), "char_order"),
]


@pytest.mark.parametrize("row", ERRORS_OF_CHRF)
def test_errors_of_chrf_name_what_is_wrong(row):
    call, *named = row
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    assert [one for one in named if one not in str(raised.value)] == []


def test_no_lines_have_no_chrf():
    assert chrf.pairwise_chrf([], ["a"]).shape == (0, 1)
    assert chrf.pairwise_chrf(["a"], []).shape == (1, 0)
    assert chrf.self_chrf([]).shape == (0,)
    assert chrf.expected_chrf([]) == []
    assert chrf.nearest_chrf([], ["a"]).indices.shape == (0, 1)


def test_a_metric_without_n_grams_is_refused():
    metric, scoring = metric_named("ter").of_options()
    settings = Settings(metric, scoring, NO_SPECIAL_IDS, RunOptions())
    with pytest.raises(TypeError, match="metric is TER"):
        pairwise_scores(settings, ["a b"], ["a"])


def test_long_texts_share_more_ngrams_than_a_byte_counts():
    words = [f"w{number}" for number in range(300)]
    texts = [" ".join([*words[:shared], f"{shared}"]) for shared in range(261, 301)]
    hypotheses = [texts[0]] * len(texts)
    expected = vecbleu.sentence_bleu(hypotheses, texts)
    assert vecbleu.pairwise_bleu(texts)[0].tolist() == expected.tolist()

"""BLEU from counts: against sacreBLEU's compute_bleu, NLTK's formula and the plain oracle."""

from __future__ import annotations

import math

import numpy as np
import oracle
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from peers import same_digits

import vecbleu
from vecbleu.results import corpus_score
from vecbleu.scores import _fsum, each, resolve_formula
from vecbleu.statistics import Statistics


@st.composite
def rows(draw, orders=None):
    """Counts that a corpus can have: matches fall with the order and stay below the totals."""
    orders = orders or draw(st.integers(1, 6))
    scale = draw(st.sampled_from([2, 10, 1000, 10**9]))
    totals = sorted(draw(st.lists(st.integers(0, scale), min_size=orders, max_size=orders)))[::-1]
    matches, most = [], scale
    for total in totals:
        most = draw(st.integers(0, min(most, total)) | st.sampled_from([0, min(most, total)]))
        matches.append(most)
    return [totals[0], draw(st.integers(0, 2 * scale)), *matches, *totals]


smoothings = st.sampled_from(
    [
        ("none", None),
        ("exp", None),
        ("floor", None),
        ("add-k", None),
        ("floor", 0.01),
        ("floor", 0),
        ("add-k", 2),
        ("add-k", 0.5),
        ("add-k", 0),
    ]
)


def score_of(row, smoothing, value, effective):
    stats = Statistics.from_array(np.array(row))
    orders = stats.max_order
    return corpus_score(stats, resolve_formula(orders, None, smoothing, value, effective))


@given(rows(), smoothings, st.booleans())
def test_sacrebleus_arithmetic(row, smoothing, effective):
    orders = len(row) // 2 - 1
    theirs = sacrebleu.BLEU.compute_bleu(
        row[2 : 2 + orders],
        row[2 + orders :],
        row[0],
        row[1],
        smooth_method=smoothing[0],
        smooth_value=smoothing[1],
        effective_order=effective,
        max_ngram_order=orders,
    )
    ours = score_of(row, *smoothing, effective)
    assert same_digits(ours.percent, theirs.score)
    assert list(ours.percent_precisions) == theirs.precisions
    assert ours.brevity_penalty == theirs.bp
    assert ours.ratio == theirs.ratio
    assert f"ref_len = {ours.ref_len})" in theirs._verbose
    assert ours.lengths() == theirs._verbose.partition(" ")[2]


@given(st.lists(rows(4), min_size=1, max_size=6), smoothings, st.booleans())
def test_corpus_and_sentences_are_the_same_function(table, smoothing, effective):
    options = {"smoothing": smoothing[0], "smoothing_value": smoothing[1]}
    array = np.array(table)
    scores = vecbleu.bleu(array, effective_order=effective, **options)
    assert scores.shape == (len(table),)
    for row, score in zip(table, scores.tolist(), strict=True):
        alone = score_of(row, *smoothing, effective)
        assert score == alone.score == alone.percent / 100
        assert vecbleu.bleu(row, effective_order=effective, **options) == score
    stacked = vecbleu.bleu(np.stack([array, array]), effective_order=effective, **options)
    assert stacked.tolist() == [scores.tolist()] * 2


@given(rows(4), st.lists(st.floats(0, 2), min_size=1, max_size=4))
def test_weights_against_the_plain_formula(row, weights):
    assert math.isclose(
        vecbleu.bleu(row, weights=weights), oracle.bleu(row, weights), rel_tol=1e-12
    )


@given(rows(4))
def test_uniform_weights_are_the_default(row):
    assert math.isclose(
        vecbleu.bleu(row), vecbleu.bleu(row, weights=[0.25] * 4), rel_tol=1e-12, abs_tol=1e-300
    )


@given(rows(4), st.booleans())
def test_several_weights_in_one_call(row, effective):
    sets = [(1.0,), (0.5, 0.5), (0.1, 0.2, 0.3, 0.4)]
    together = vecbleu.bleu([row, row], weights=sets, effective_order=effective)
    assert together.shape == (2, 3)
    alone = [vecbleu.bleu(row, weights=one, effective_order=effective) for one in sets]
    assert together.tolist() == [alone, alone]


@given(rows())
def test_skip_zero_leaves_zero_precisions_out_of_the_sum(row):
    orders = len(row) // 2 - 1
    matches, totals = row[2 : 2 + orders], row[2 + orders :]
    pairs = [(m, t) for m, t in zip(matches, totals, strict=True) if m]
    penalty = 1.0 if row[0] >= row[1] else math.exp(1 - row[1] / row[0]) if row[0] else 0.0
    expected = penalty * math.exp(math.fsum(math.log(m / t) / orders for m, t in pairs))
    score = vecbleu.bleu(row, smoothing="skip-zero")
    assert math.isclose(score, expected if pairs else 0.0, rel_tol=1e-12)


@given(rows(4), st.integers(1, 4))
def test_effective_order_scales_the_weights_of_reached_orders(row, reached):
    row = row[: 6 + reached] + [0] * (4 - reached)
    row[2 + reached : 6] = [0] * (4 - reached)
    weights = [0.4, 0.3, 0.2, 0.1]
    share = sum(weights) / sum(weights[:reached])
    scaled = [weight * share for weight in weights[:reached]]
    ours = vecbleu.bleu(row, weights=weights, effective_order=True)
    if all(row[6 : 6 + reached]):
        assert math.isclose(ours, oracle.bleu(row, scaled), rel_tol=1e-12)
    assert 0 <= ours <= 1 + 1e-12


def test_a_perfect_match_is_sacrebleus():
    score = vecbleu.corpus_bleu(["a b c d e"], ["a b c d e"])
    assert score.percent == sacrebleu.BLEU().corpus_score(["a b c d e"], [["a b c d e"]]).score
    assert float(score) == score.percent / 100


def test_nothing_matches_or_nothing_there():
    assert vecbleu.bleu([3, 3, 0, 0, 3, 2], smoothing="add-k") == 0
    assert vecbleu.bleu([0, 3, 0, 0, 0, 0], smoothing="exp") == 0
    assert vecbleu.bleu(np.zeros((0, 6), int)).shape == (0,)
    assert float(vecbleu.corpus_bleu([], [])) == 0
    assert vecbleu.sentence_bleu([], []).shape == (0,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"smoothing": "foo"}, "smoothing is 'foo', expected one of none, floor, add-k, exp, skip"),
        ({"smoothing": "exp", "smoothing_value": 1}, "smoothing_value is 1 but smoothing 'exp'"),
        ({"smoothing": "floor", "smoothing_value": -1}, "smoothing_value is -1"),
        ({"smoothing": "floor", "smoothing_value": math.nan}, "smoothing_value is nan"),
        ({"weights": [0.2] * 5}, r"a set of 5, expected 1 to 4 \(max_order\)"),
        ({"weights": []}, "a set of 0"),
        ({"weights": [(1.0,), ()]}, "a set of 0"),
        ({"weights": [0.5, -0.5]}, r"\(0.5, -0.5\), expected finite numbers >= 0"),
        ({"weights": [math.inf]}, "expected finite"),
        ({"weights": "1111"}, "weights is '1111', expected a sequence of numbers"),
        ({"weights": 0.5}, "weights is 0.5, expected a sequence"),
        ({"weights": {1: 1.0}}, "weights is {1: 1.0}, expected a sequence"),
        ({"weights": ["0.5", "0.5"]}, "the set .*'0.5', '0.5'.*, expected a sequence of numbers"),
        ({"weights": [(1.0,), 0.5]}, "the set 0.5, expected a sequence of numbers"),
        ({"weights": [0.5, (1.0,)]}, "the set .*, expected a sequence of numbers"),
        ({"smoothing": ["exp"]}, r"smoothing is \['exp'\]"),
        ({"smoothing": "floor", "smoothing_value": "1"}, "smoothing_value is '1', expected a num"),
    ],
)
def test_options_that_make_no_sense(options, message):
    error = (ValueError, TypeError)
    with pytest.raises(error, match=message):
        vecbleu.bleu([2, 2, 1, 1, 1, 1, 2, 1, 1, 1], **options)
    with pytest.raises(error, match=message):
        vecbleu.corpus_bleu(["a"], ["a"], **options)
    with pytest.raises(error, match=message):
        vecbleu.sentence_bleu(["a"], ["a"], **options)


@given(rows(4))
def test_floats_of_any_width_are_computed_in_64_bits(row):
    row = [count % 100 for count in row[:2]] + [min(count, 99) for count in row[2:]]
    for kind in (np.float32, np.float16, np.int8, np.uint16):
        assert vecbleu.bleu(np.array(row, kind)) == vecbleu.bleu(row)


def test_statistics_need_their_columns():
    with pytest.raises(ValueError, match="columns, not 3"):
        vecbleu.bleu([1, 2, 3])
    with pytest.raises(TypeError, match="expected numbers"):
        vecbleu.bleu(["1", "2", "3", "4"])


def test_corpus_score_of_several_weights_is_one_result_each():
    first, second = vecbleu.corpus_bleu(["a b d"], ["a b c"], weights=[(1,), (0.5, 0.5)])
    assert first.score == 2 / 3
    assert math.isclose(second.score, math.sqrt(2 / 3 * 1 / 2))
    assert second.percent == 100 * second.score


def test_numpy_weights_and_counts():
    row = np.array([3, 3, 2, 1, 3, 2], np.int32)
    assert vecbleu.bleu(row, weights=np.array([0.5, 0.5])) == vecbleu.bleu(row, weights=(0.5, 0.5))
    assert vecbleu.bleu(row, weights=np.array([[0.5, 0.5]])).shape == (1,)


@given(st.lists(st.sampled_from([0.1, 0.5, 1 / 3, 7.0]) | st.floats(1e-300, 1e300), min_size=1))
def test_each_is_the_function_of_every_value(values):
    repeated = np.array(values * (2000 // len(values) + 1))
    expected = [math.log(value) for value in repeated.tolist()]
    assert each(math.log, repeated).tolist() == expected
    assert each(math.log, np.array(values)[:, None]).tolist() == [[math.log(v)] for v in values]


terms = st.floats(-1e3, 1e3) | st.sampled_from([0.0, 1.0, 2.0**-53, -(2.0**-53), 2.0**-54, 1e-300])


@given(st.lists(st.lists(terms, min_size=4, max_size=4), min_size=1))
def test_fsum_is_math_fsum(rows):
    array = np.array(rows)
    assert _fsum(array.T).tolist() == [math.fsum(row) for row in rows]
    assert _fsum(array[0]) == math.fsum(rows[0])


@given(st.data(), st.integers(1, 12), st.sampled_from(["exp", "none", "floor"]))
def test_a_row_scores_the_same_alone_and_among_others(data, orders, smoothing):
    row = data.draw(rows(orders))
    weights = data.draw(st.lists(st.floats(0.01, 1), min_size=orders, max_size=orders))
    for options in ({}, {"weights": weights}):
        options = {"effective_order": True, "smoothing": smoothing, **options}
        alone = vecbleu.bleu(row, **options)
        for shape in ((1,), (2,), (40,), (3, 2)):
            among = vecbleu.bleu(np.broadcast_to(row, (*shape, len(row))), **options)
            assert (among == alone).all()

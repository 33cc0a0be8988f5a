"""BLEU from counts: against sacreBLEU's compute_bleu, NLTK's formula and the plain oracle."""

from __future__ import annotations

import math

import numpy as np
import oracle
import pytest
import sacrebleu
from conftest import ON_BOTH_PATHS, arrays_only
from hypothesis import example, given
from hypothesis import strategies as st
from peers import same_digits

import vecbleu
from vecbleu.bleu.options import SMOOTHING_VALUES

pytestmark = ON_BOTH_PATHS


@st.composite
def rows(draw):
    """Counts that a corpus can have: matches fall with the order and stay below the totals."""
    orders = draw(st.integers(1, 6))
    scale = draw(st.sampled_from([2, 10, 1000, 10**9]))
    totals = sorted(draw(st.lists(st.integers(0, scale), min_size=orders, max_size=orders)))[::-1]
    matches, most = [], scale
    for total in totals:
        most = draw(st.integers(0, min(most, total)) | st.sampled_from([0, min(most, total)]))
        matches.append(most)
    return [totals[0], draw(st.integers(0, 2 * scale)), *matches, *totals]


smoothings = st.sampled_from(
    [(name, None) for name in ("none", "exp", "floor", "add-k")]
    + [("floor", 0.01), ("floor", 0), ("add-k", 2), ("add-k", 0.5), ("add-k", 0)]
)


@given(rows(), smoothings, st.booleans())
def test_rows_score_as_by_sacrebleu(row, smoothing, effective):
    orders, (name, value) = len(row) // 2 - 1, smoothing
    counts = row[2 : 2 + orders], row[2 + orders :], *row[:2]
    theirs = sacrebleu.BLEU.compute_bleu(*counts, name, value, effective, orders)
    ours = vecbleu.bleu.scores(
        row, smoothing=name, smoothing_value=value, effective_order=effective
    )
    assert same_digits(ours, theirs.score / 100)


@pytest.mark.parametrize("options", [{}, {"weights": [0.4, 0.3, 0.2, 0.1]}])
def test_thousands_of_distinct_rows_score_the_same_as_few(options):
    """Many of their logarithms share a place of a table."""
    totals = np.random.default_rng(4).integers(1000, 10**6, 4000)[:, None] - np.arange(4)
    table = np.column_stack([totals[:, 0], totals[:, 0] + 9, totals // 2 ** np.arange(4), totals])
    few = [vecbleu.bleu.scores(some, **options) for some in np.split(table, 200)]
    assert vecbleu.bleu.scores(table, **options).tolist() == np.concatenate(few).tolist()


WEIGHTS = st.lists(st.floats(1e-9, 2) | st.just(0.0), max_size=4)


@pytest.mark.parametrize("name", SMOOTHING_VALUES)
@given(row=rows(), weights=WEIGHTS, value=st.sampled_from([0, 0.5, 2]), effective=st.booleans())
@example(row=[7, 8, 6, 4, 0, 0, 7, 6, 5, 4], weights=[], value=0.1, effective=False)
@example(row=[7, 8, 6, 4, 0, 0, 7, 6, 5, 4], weights=[0.4] * 4, value=2, effective=False)
@example(row=[3, 4, 2, 1, 0, 0, 3, 2, 0, 0], weights=[0.4, 0.3, 0.2], value=0.1, effective=True)
def test_every_smoothing_against_the_plain_formula(name, row, weights, value, effective):
    """In which the weights of orders that are reached are scaled to the sum of all."""
    orders, own = len(row) // 2 - 1, None if SMOOTHING_VALUES[name] is None else value
    options = {"smoothing": name, "smoothing_value": own, "effective_order": effective}
    score = vecbleu.bleu.scores(row, weights=weights[:orders] or None, **options)
    expected = oracle.bleu(row, weights[:orders] or [1 / orders] * orders, name, value, effective)
    assert math.isclose(score, expected, rel_tol=1e-12)


counts = st.integers(0, 4)


@given(
    st.lists(st.tuples(counts, counts, *[st.tuples(counts, counts)] * 3), max_size=30),
    smoothings | st.sampled_from([("exp", None), ("skip-zero", None), ("add-k", 1e-90)]),
    st.booleans(),
    st.none() | st.lists(st.sampled_from([0, 0.1, 1, 1e-90, 1e90]), min_size=1, max_size=2),
)
def test_rows_of_any_counts_score_the_same_as_objects_and_as_arrays(
    drawn, smoothing, effective, weights
):
    """Such rows come from sums and differences; no text need have them."""
    table = [
        [hyp_len, ref_len, *map(min, orders), *map(max, orders)]
        for hyp_len, ref_len, *orders in drawn
    ]
    array = np.array(table, np.int64).reshape(-1, 8)
    options = {"smoothing": smoothing[0], "smoothing_value": smoothing[1], "weights": weights}
    other_types = [array.astype(kind) for kind in (np.float32, np.float16, np.int8, np.uint16)]
    for rows in (array, array[:1].sum(axis=0), array.reshape(1, -1, 8) + 0.0, *other_types):
        found = vecbleu.bleu.scores(rows, effective_order=effective, **options)
        with arrays_only():
            again = vecbleu.bleu.scores(rows, effective_order=effective, **options)
        assert np.array_equal(found, again, equal_nan=True)
        assert type(found) is type(again)

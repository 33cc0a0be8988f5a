"""Rows of any length in one array."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vecbleu import Ragged
from vecbleu.core.kernel.ragged import CodePoints

rows_strategy = st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5), max_size=6)


def ragged(rows):
    return Ragged.from_arrays([np.array(row, np.int64) for row in rows])


def lists(table):
    return [row.tolist() for row in table]


@given(rows_strategy, st.data())
def test_rows_are_selected_as_from_a_list(rows, data):
    table = ragged(rows)
    assert lists(table) == rows
    assert table.lengths.tolist() == [len(row) for row in rows]
    if rows:
        assert table[-1].tolist() == rows[-1]
    with pytest.raises(IndexError):
        table[len(rows)]
    if rows:
        index = data.draw(st.lists(st.integers(0, len(rows) - 1)))
        assert lists(table.take(np.array(index, np.int64))) == [rows[i] for i in index]
    start, stop = data.draw(st.integers(-8, 8)), data.draw(st.integers(-8, 8))
    for step in (None, 1, 2, -1):
        assert lists(table[start:stop:step]) == rows[start:stop:step]


@given(st.lists(rows_strategy, min_size=1, max_size=3))
def test_concatenate_joins_rows(tables):
    joined = Ragged.concatenate([*map(ragged, tables)])
    assert lists(joined) == [row for rows in tables for row in rows]


@given(rows_strategy.map(lambda rows: [[abs(i) % 5 + 1 for i in row] for row in rows]))
def test_from_padded_drops_the_padding_wherever_it_stands(rows):
    width = max(map(len, rows), default=0) + 1
    right = [row + [0] * (width - len(row)) for row in rows]
    left = [[0] * (width - len(row)) + row for row in rows]
    shape = (len(rows), width)
    for padded in (right, left):
        array = np.array(padded, np.int32).reshape(shape)
        assert lists(Ragged.from_padded(array, pad_id=0)) == rows
    lengths = [len(row) for row in rows]
    by_lengths = Ragged.from_padded(np.array(right, np.int16).reshape(shape), lengths=lengths)
    assert lists(by_lengths) == rows


def test_from_padded_without_options_takes_whole_rows():
    assert lists(Ragged.from_padded(np.array([[1, 0], [2, 0]], np.uint8))) == [[1, 0], [2, 0]]


@pytest.mark.parametrize(
    ("ids", "options", "error", "message"),
    [
        (np.zeros((2, 2)), {}, TypeError, "ids holds float64, expected integers"),
        (np.zeros(3, int), {}, ValueError, "ids has 1 dimensions"),
        (np.zeros((2, 3), int), {"lengths": [1, 4]}, ValueError, r"lengths\[1\] is 4 .* 3 wide"),
        (np.zeros((2, 3), int), {"lengths": [-1, 1]}, ValueError, r"lengths\[0\] is -1"),
        (np.zeros((2, 3), int), {"lengths": [1]}, ValueError, r"shape \(1,\) but ids has 2 rows"),
        (np.zeros((2, 3), int), {"lengths": [1, 1], "pad_id": 0}, ValueError, "both given"),
        (np.full((1, 1), 2**63, np.uint64), {}, ValueError, "9223372036854775808"),
    ],
)
def test_from_padded_refuses(ids, options, error, message):
    with pytest.raises(error, match=message):
        Ragged.from_padded(ids, **options)


def test_rows_keep_their_kind():
    for offsets in ([0, 2, 4], [0, 1, 4]):
        characters = CodePoints(np.arange(4), np.array(offsets))
        assert type(characters.take(np.array([1, 0]))) is CodePoints

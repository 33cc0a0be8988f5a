"""Numbers in place of ids: equal ones have the same, and all are small enough to count by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Index, Int64, Mask
from vecbleu.core.kernel.distinct import representatives
from vecbleu.core.kernel.ragged import Ragged

# Words that are numbered together.
_PIECE = 1 << 20

# Numbers or places, 32 bits wide where there are fewer than 2**31 of them.
Numbers = npt.NDArray[np.signedinteger[Any]]


class Words(NamedTuple):
    """Rows of words by number, each below `size`, stored end to end."""

    values: Numbers  # (words,)
    offsets: Int64  # (rows + 1,)
    size: int

    def take(self, rows: Int64) -> Words:
        """The given rows, in the given order."""
        found = self.rows.take(rows)
        return Words(found.values, found.offsets, self.size)

    @property
    def rows(self) -> Ragged:
        """The same without the size."""
        return Ragged(self.values, self.offsets)


def word_numbers(sides: Sequence[Ragged]) -> list[Words]:
    """Number the ids of several sides alike, from 0 on."""
    narrow = number_type(sum(len(side.values) for side in sides))
    found = [np.empty(len(side.values), narrow) for side in sides]
    pieces: list[tuple[Numbers, Int64]] = []
    for side, numbers in zip(sides, found, strict=True):
        for at in range(0, len(numbers), _PIECE):
            values = side.values[at : at + _PIECE]
            numbers[at : at + _PIECE], firsts = numbered(values)
            pieces.append((numbers[at : at + _PIECE], values[firsts]))
    known = np.concatenate([np.empty(0, np.int64), *(values for _, values in pieces)])
    known.sort()
    known = known[run_begins(known)]
    for numbers, values in pieces:
        numbers[:] = np.searchsorted(known, values).astype(narrow)[numbers]
    rows = zip(found, sides, strict=True)
    return [Words(numbers, side.offsets, len(known)) for numbers, side in rows]


def numbered(keys: Numbers) -> tuple[Numbers, Index]:
    """Number 64-bit keys, in any order; and where one of each is (numbers,)."""
    places = representatives(keys)
    is_first = places == np.arange(len(keys), dtype=places.dtype)
    ranks = np.cumsum(is_first, dtype=places.dtype)
    ranks -= 1
    return ranks[places], np.flatnonzero(is_first)


def stable_order(numbers: Numbers, size: int) -> Index:
    """The order of numbers below a size; equal ones stay as they are."""
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if size > 1 << 16:
        order = order[np.argsort((numbers >> 16)[order].astype(np.uint16), kind="stable")]
    return order


def number_type(size: int) -> np.dtype[np.signedinteger[Any]]:
    """The type of numbers below a size: half the memory where 32 bits do."""
    return np.dtype(np.int32 if size < 1 << 31 else np.int64)


def run_begins(values: npt.NDArray[Any]) -> Mask:
    """Where runs of equal values begin (values,)."""
    begins = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins

"""Sets of n-grams: copies of an n-gram in a unit are numbered, and the number is part of its key.

Clipping is then membership in a set. A hypothesis' k-th copy of an n-gram matches where a reference
has a k-th copy, too::

    hypothesis  the the cat       the/0 the/1 cat/0       2 of 3 are in the set of the reference:
    reference   the the mat the   the/0 the/1 the/2 mat/0     clipped matches

The set of several references is the union of theirs, which takes the maximum of their counts.

Unequal n-grams get equal keys with a probability of about 2**-63 a pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Int64, Mask, UInt64
from vecbleu.core.kernel.hashing import FOLD, ROLL, mix
from vecbleu.core.kernel.keys import ALL_BITS, make_ids, ngram_keys
from vecbleu.core.kernel.ngrams import GROUP_BYTES, erase_strays, groups
from vecbleu.core.kernel.ragged import CodePoints, Ragged, slices

# Stands where a unit has no n-gram. Keys are even, as in `keys` with one bit for the unit.
NOTHING = ALL_BITS
_BITS = 1

# Even, so that keys stay even; times the number of a copy.
_COPY = FOLD << np.uint64(1)


def numbered_rows(units: Ragged, max_order: int) -> Iterator[tuple[Int64, UInt64]]:
    """The keys of all n-grams, some units at a time: of none twice in a unit.

    Yields the units' numbers (units,) and their keys (orders, units, width), which are overwritten
    by the next ones. A unit without tokens is not among them.
    """
    widths = units.lengths
    margin = int(widths.max(initial=0))
    ids, rolls = make_ids(hashed_units(units).values, max_order, _BITS, None)
    tokens = np.zeros(margin + len(ids), np.uint64)
    tokens[margin:] = ids
    order = np.argsort(widths.astype(np.min_scalar_type(margin)), kind="stable")  # by radix
    widths = widths[order]
    budget = GROUP_BYTES // tokens.itemsize
    buffer = np.empty(max(budget, margin * max_order), np.uint64)
    for group in groups(widths, max_order, budget):
        some, own = order[group], widths[group]
        width = int(own[-1])
        keys = buffer[: max_order * len(some) * width].reshape(max_order, -1)
        row_tokens = slices(tokens, units.offsets[some + 1] + (margin - width), width)
        ngram_keys(row_tokens.reshape(-1), _BITS, rolls, keys)
        erase_strays(keys, own)
        rows = keys.reshape(-1, width)
        rows.view(np.int64).sort(axis=-1)
        _number_copies(rows)
        yield some, keys.reshape(max_order, len(some), width)


def hashed_units(units: Ragged) -> Ragged:
    """Units whose ids are hashes, also where they are characters."""
    if not isinstance(units, CodePoints):
        return units
    return Ragged(mix(units.values.astype(np.uint64)).view(np.int64), units.offsets)


def _number_copies(rows: UInt64) -> None:
    """Add the numbers of copies to the keys of sorted rows (rows, width), in place."""
    is_copy = np.zeros(rows.shape, bool)
    np.equal(rows[:, 1:], rows[:, :-1], out=is_copy[:, 1:])
    is_copy &= rows != NOTHING
    at = np.flatnonzero(is_copy)
    if not at.size:
        return
    place = np.arange(len(at))
    begins = np.ones(len(at), bool)
    np.not_equal(at[1:], at[:-1] + 1, out=begins[1:])
    first = np.maximum.accumulate(np.where(begins, place, 0))
    rows.reshape(-1)[at] += (place - first + 1).astype(np.uint64) * _COPY


class KeySet:
    """A set of keys, to look many up at once: hash tables without chains.

    A table has a slot for each value that some bits of a key can have. What finds its slot taken by
    another key goes to the next table, and the slot is marked, in the last bit of the key that is
    there. So a look-up is one access to memory, for all but a few keys.

    Parameters
    ----------
    keys : uint64 array
        Even numbers, in any order, any number of times.
    """

    __slots__ = ("_tables",)

    def __init__(self, keys: UInt64) -> None:
        self._tables: list[UInt64] = []
        while len(keys):
            slots = np.zeros(1 << _slot_bits(len(keys)), np.uint64)
            level = len(self._tables)
            slots[0] = _stranger(level, slots)
            index = _slots_of(keys, level, slots)
            slots[index] = keys
            is_lost = slots[index] != keys
            slots[index[is_lost]] |= np.uint64(1)
            keys = keys[is_lost]
            self._tables.append(slots)

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return sum(slots.nbytes for slots in self._tables)

    def contains(self, keys: UInt64) -> Mask:
        """Which keys are in the set (the shape of the keys)."""
        found = self._contains(keys.reshape(-1), 0)
        return found.reshape(keys.shape)

    def _contains(self, keys: UInt64, level: int) -> Mask:
        """Which keys are in a table, or in one behind it (keys,)."""
        if level == len(self._tables):
            return np.zeros(len(keys), bool)
        slots = self._tables[level]
        there = slots.take(_slots_of(keys, level, slots))
        found: Mask = (there ^ keys) <= 1
        if level + 1 < len(self._tables):
            behind = np.flatnonzero(there & np.uint64(1) > found)
            found[behind] = self._contains(keys[behind], level + 1)
        return found


def _slot_bits(size: int) -> int:
    """Two to four slots for each key; more of them for few keys, which stay in the cache."""
    return max(min(size.bit_length() + 4, 16), size.bit_length() + 1)


def _slots_of(keys: UInt64, level: int, slots: UInt64) -> npt.NDArray[Any]:
    """The slot of each key."""
    shift = np.uint64(64 - (len(slots) - 1).bit_length())
    return ((keys * _multiplier(level)) >> shift).view(np.int64)


def _multiplier(level: int) -> np.uint64:
    """An odd number for each table."""
    return np.uint64((int(ROLL) * (2 * level + 1) ** 5) & int(ALL_BITS))


def _stranger(level: int, slots: UInt64) -> np.uint64:
    """A key that does not belong into slot 0, where 0 would."""
    number = 2
    while not _slots_of(np.array([number], np.uint64), level, slots)[0]:
        number *= 2
    return np.uint64(number)


def key_sets(parts: Iterable[Ragged], max_order: int) -> list[KeySet]:
    """Of each order, the keys that some units have, which are given in parts."""
    found: list[list[UInt64]] = [[np.empty(0, np.uint64)] for _ in range(max_order)]
    for units in parts:
        for _, keys in numbered_rows(units, max_order):
            for order, rows in enumerate(keys):
                found[order].append(rows[rows != NOTHING])
    return [KeySet(_distinct(np.concatenate(pieces))) for pieces in found]


def _distinct(keys: UInt64) -> UInt64:
    """Sorted keys, each of them once: `np.unique` takes 15 times as long, by a hash table."""
    keys.sort()
    is_first = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    found: UInt64 = keys[is_first]
    return found


def matches_in_sets(units: Ragged, sets: Sequence[KeySet]) -> Int64:
    """How many of each unit's n-grams are in the sets of their orders (units, orders)."""
    matches = np.zeros((len(units), len(sets)), np.int64)
    for some, keys in numbered_rows(units, len(sets)):
        for order, known in enumerate(sets):
            matches[some, order] = np.count_nonzero(known.contains(keys[order]), axis=1)
    return matches

"""Keys of n-grams of single units, sets of them, and an index of the units that have them.

Copies of an n-gram in a unit are numbered, and the number is part of the key. So clipping is
membership in a set: a hypothesis' k-th copy matches where a reference has a k-th copy, too::

    hypothesis  the the cat       the/0 the/1 cat/0       2 of 3 are in the set of the reference:
    reference   the the mat the   the/0 the/1 the/2 mat/0     clipped matches

The set of several references is the union of theirs, which takes the maximum of their counts.

An index has the units of each key. What a unit shares with all of them is found by looking up its
keys, and counting how often each unit turns up: no pair is counted by itself::

    the/0 -> 0 2 5      another unit: the/0 cat/0      0 2 5 1 5   ->   matches 1 1 1 0 0 2
    cat/0 -> 1 5

Unequal n-grams get equal keys with a probability of about 2**-63 a pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Index, Int64, Mask, UInt64
from vecbleu.core.kernel.hashing import FOLD, ROLL, mix
from vecbleu.core.kernel.ngrams import NOTHING, sorted_rows
from vecbleu.core.kernel.ragged import Ragged, as_index, cuts, offsets_of
from vecbleu.pairwise.distinct import representatives

# Times the number of a copy, or of a group; even, so that keys stay even, whose last bit is free.
# They have nothing to do with each other, so that no copy of an n-gram in one group is the original
# in another.
_COPY = FOLD << np.uint64(1)
_GROUP = mix(np.array([FOLD]))[0] & ~np.uint64(1)

# Occurrences that are looked at together: half of it takes a tenth longer, and what no cache holds
# ten times as long.
_PIECE = 1 << 17


class UnitKeys(NamedTuple):
    """The keys of all n-grams of one order, none of them twice in a unit."""

    keys: UInt64  # (keys,)
    owners: Int64  # (keys,), the unit of each

    def of_groups(self, groups: Int64) -> UnitKeys:
        """Return keys that differ where their units' groups (units,) do."""
        return UnitKeys(group_keys(self.keys, groups[self.owners]), self.owners)


def group_keys(keys: UInt64, groups: Int64) -> UInt64:
    """Return keys that differ where their groups do; both have one shape, or are broadcast."""
    of_groups: UInt64 = keys + groups.view(np.uint64) * _GROUP
    return of_groups


def unit_keys(units: Ragged, orders: Sequence[int]) -> list[UnitKeys]:
    """Make the keys of some orders, in ascending order."""
    keys: list[list[UInt64]] = [[np.zeros(0, np.uint64)] for _ in orders]
    owners: list[list[Int64]] = [[np.zeros(0, np.int64)] for _ in orders]
    for numbers, rows in numbered_rows(units, orders[-1]):
        for place, order in enumerate(orders):
            some = rows[order - 1] != NOTHING
            keys[place].append(rows[order - 1][some])
            owners[place].append(np.repeat(numbers, as_index(some.sum(axis=1))))
    joined = zip(map(np.concatenate, keys), map(np.concatenate, owners), strict=True)
    return [UnitKeys(*one) for one in joined]


def numbered_rows(units: Ragged, max_order: int) -> Iterator[tuple[Int64, UInt64]]:
    """Make the keys of all orders, some units at a time.

    Yields the units' numbers (units,) and their keys (orders, units, width), which are overwritten
    by the next ones. A unit without tokens is not among them.
    """
    for some, keys in sorted_rows(units, np.arange(len(units) + 1), max_order):
        _number_copies(keys.reshape(-1, keys.shape[-1]))
        yield some, keys


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


def _run_begins(in_order: UInt64) -> Mask:
    """Mask the first of equal keys that stand next to each other (keys,)."""
    begins = np.ones(len(in_order), bool)
    np.not_equal(in_order[1:], in_order[:-1], out=begins[1:])
    return begins


def occurs_again(keys: UInt64) -> Mask:
    """Mask the keys that occur at least twice (keys,)."""
    places = representatives(keys)
    is_again: Mask = places != np.arange(len(places))
    is_again[places[is_again]] = True
    return is_again


class KeySet:
    """A set of keys, to look many up at once: a hash table without chains.

    A table has a slot for each value that some bits of a key can have. A key whose slot is taken
    by another one goes to the next table, and the last bit of the slot is set. So a look-up is one
    access to memory for all but a few keys. Empty slots hold 0, which no n-gram has as its key but
    with a probability of 2**-63.

    Parameters
    ----------
    keys : uint64 array
        Even numbers above 0, in any order, any number of times.
    """

    __slots__ = ("_next", "_slots")

    def __init__(self, keys: UInt64) -> None:
        # Two to four slots for each key; more of them for few keys, which stay in the cache.
        bits = max(min(len(keys).bit_length() + 4, 16), len(keys).bit_length() + 1)
        self._slots = np.zeros(1 << bits, np.uint64)
        at = self._slots_of(keys)
        self._slots[at] = keys
        is_lost = self._slots[at] != keys
        self._slots[at[is_lost]] |= np.uint64(1)
        # Equal multipliers would send keys that met to one slot again.
        self._next = KeySet(mix(keys[is_lost]) & ~np.uint64(1)) if is_lost.any() else None

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return self._slots.nbytes + (self._next.nbytes if self._next else 0)

    def contains(self, keys: UInt64) -> Mask:
        """Mask the keys that are in the set (the shape of the keys)."""
        flat = keys.reshape(-1)
        there = self._slots.take(self._slots_of(flat))
        found: Mask = (there ^ flat) <= 1
        if self._next:
            behind = np.flatnonzero(there & np.uint64(1) > found)
            found[behind] = self._next.contains(mix(flat[behind]) & ~np.uint64(1))
        return found.reshape(keys.shape)

    def _slots_of(self, keys: UInt64) -> npt.NDArray[Any]:
        """Return the slot of each key."""
        shift = np.uint64(65 - len(self._slots).bit_length())
        return ((keys * ROLL) >> shift).view(np.int64)


def key_sets(units: Ragged, max_order: int) -> list[KeySet]:
    """Make the set of the keys of all units, for each order."""
    found: list[list[UInt64]] = [[np.empty(0, np.uint64)] for _ in range(max_order)]
    for _, keys in numbered_rows(units, max_order):
        for order, rows in enumerate(keys):
            found[order].append(rows[rows != NOTHING])
    sets = []
    for pieces in found:
        keys = np.sort(np.concatenate(pieces))
        sets.append(KeySet(keys[_run_begins(keys)]))
    return sets


def matches_in_sets(units: Ragged, sets: Sequence[KeySet]) -> Int64:
    """Count the n-grams of each unit that are in the sets of their orders (units, orders)."""
    matches = np.zeros((len(units), len(sets)), np.int64)
    for some, keys in numbered_rows(units, len(sets)):
        for order, known in enumerate(sets):
            matches[some, order] = np.count_nonzero(known.contains(keys[order]), axis=1)
    return matches


class KeyIndex:
    """The places at which each key occurs.

    Parameters
    ----------
    keys : uint64 array (occurrences,)
        As in `UnitKeys`.
    places : int64 array (occurrences,)
        A number for the unit of each.
    """

    __slots__ = ("_keys", "_offsets", "_places")

    def __init__(self, keys: UInt64, places: Int64) -> None:
        order = np.argsort(keys)
        in_order = keys[order]
        starts = np.flatnonzero(_run_begins(in_order))
        self._keys = in_order[starts]
        self._offsets = np.append(starts, len(keys))
        self._places = places[order]

    def _find(self, keys: UInt64) -> tuple[Int64, Int64]:
        """Return where the occurrences of each key begin, and how many there are (keys,)."""
        if not len(self._keys):
            nothing = np.zeros(len(keys), np.int64)
            return nothing, nothing
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        starts = self._offsets[at]
        return starts, np.where(self._keys[at] == keys, self._offsets[at + 1] - starts, 0)

    def sizes(self, keys: UInt64) -> Int64:
        """Return how often each key occurs (keys,)."""
        return self._find(keys)[1]

    def occurrences(self, keys: UInt64, bases: Int64) -> Iterator[Int64]:
        """Yield the place plus the key's base of each occurrence of each key, some at a time."""
        starts, sizes = self._find(keys)
        known = np.flatnonzero(sizes)
        starts, sizes, bases = starts[known], sizes[known], bases[known]
        ends = offsets_of(sizes)
        for first, stop in cuts(ends, _PIECE):
            some = slice(first, stop)
            counts = as_index(sizes[some])
            places = np.arange(ends[first], ends[stop])
            places += np.repeat(starts[some] - ends[some], counts)
            found = self._places.take(places)
            found += np.repeat(bases[some], counts)
            yield found

    def counts(self, keys: UInt64, bases: Int64, size: int) -> Index:
        """Count each number below a size among the places plus bases (size,)."""
        total = np.zeros(size, np.intp)
        for some in self.occurrences(keys, bases):
            total += np.bincount(as_index(some), minlength=size)
        return total

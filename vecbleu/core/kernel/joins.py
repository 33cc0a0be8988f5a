"""Matches of pairs of units by joins of their keys: no pair is counted by itself.

An index has, for every n-gram of some units, the places of those that have it. What a unit shares
with all of them is found by looking up its n-grams, and counting how often each place turns up::

    the/0 -> 0 2 5      another unit: the/0 cat/0      0 2 5 1 5   ->   matches 1 1 1 0 0 2
    cat/0 -> 1 5
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vecbleu.core.arrays import Index, Int64, UInt64, as_index
from vecbleu.core.kernel.hashing import FOLD, mix
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.core.kernel.sets import NOTHING, numbered_rows
from vecbleu.core.records import dataclass

# Occurrences that are looked at together: half of it takes a tenth longer, and what no cache holds
# ten times as long.
_PIECE = 1 << 17

# Even, so that keys stay even; times the number of a group. It has nothing to do with the constant
# of copies, so that no copy of an n-gram in one group is the original in another.
_GROUP = mix(np.array([FOLD]))[0] & ~np.uint64(1)


@dataclass(frozen=True, slots=True, eq=False)
class UnitKeys:
    """The keys of all n-grams of one order, of which no unit has one twice."""

    keys: UInt64  # (keys,)
    owners: Int64  # (keys,), the unit of each

    def of_groups(self, groups: Int64) -> UnitKeys:
        """Keys that are unequal where their units' groups (units,) are."""
        return UnitKeys(group_keys(self.keys, groups[self.owners]), self.owners)


def group_keys(keys: UInt64, groups: Int64) -> UInt64:
    """Keys that are unequal where their groups are; both have one shape, or are broadcast."""
    of_groups: UInt64 = keys + groups.view(np.uint64) * _GROUP
    return of_groups


def unit_keys(units: Ragged, max_order: int) -> list[UnitKeys]:
    """The keys of each order."""
    parts: list[list[UnitKeys]] = [[] for _ in range(max_order)]
    for numbers, rows in numbered_rows(units, max_order):
        for of_order, keys in zip(parts, rows, strict=True):
            of_order.append(_present(numbers, keys))
    return [*map(_concatenated, parts)]


def keys_of_order(units: Ragged, order: int) -> UnitKeys:
    """The keys of one order: a quarter of the memory, where four orders are looked at in turn."""
    rows = numbered_rows(units, order)
    return _concatenated([_present(numbers, keys[-1]) for numbers, keys in rows])


def _present(numbers: Int64, rows: UInt64) -> UnitKeys:
    """The keys of some units (units, width) where these have n-grams."""
    some = rows != NOTHING
    return UnitKeys(rows[some], np.repeat(numbers, as_index(some.sum(axis=1))))


def _concatenated(parts: list[UnitKeys]) -> UnitKeys:
    """The keys of several one after the other."""
    keys = [np.zeros(0, np.uint64), *(part.keys for part in parts)]
    owners = [np.zeros(0, np.int64), *(part.owners for part in parts)]
    return UnitKeys(np.concatenate(keys), np.concatenate(owners))


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
        begins = np.ones(len(keys), bool)
        np.not_equal(in_order[1:], in_order[:-1], out=begins[1:])
        starts = np.flatnonzero(begins)
        self._keys = in_order[starts]
        self._offsets = np.append(starts, len(keys))
        self._places = places[order]

    def _find(self, keys: UInt64) -> tuple[Int64, Int64]:
        """Where the occurrences of each key begin, and how many there are (keys,)."""
        if not len(self._keys):
            nothing = np.zeros(len(keys), np.int64)
            return nothing, nothing
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        starts = self._offsets[at]
        return starts, np.where(self._keys[at] == keys, self._offsets[at + 1] - starts, 0)

    def sizes(self, keys: UInt64) -> Int64:
        """How often each key occurs (keys,)."""
        return self._find(keys)[1]

    def occurrences(self, keys: UInt64, bases: Int64) -> Iterator[Int64]:
        """For each occurrence of each key, its place plus the key's base; some at a time."""
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
        """How often each number up to a size occurs among the places plus bases (size,)."""
        total = np.zeros(size, np.intp)
        for some in self.occurrences(keys, bases):
            total += np.bincount(as_index(some), minlength=size)
        return total

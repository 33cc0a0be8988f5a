"""Make keys of n-grams, sets of keys, and an index of the units that contain them.

Copies of an n-gram within a unit are numbered, and the number is part of the key. So clipping is
set membership: the k-th copy in a hypothesis matches if a reference has a k-th copy, too::

    hypothesis  the the cat       the/0 the/1 cat/0       2 of 3 are in the set of the reference:
    reference   the the mat the   the/0 the/1 the/2 mat/0     clipped matches

For several references, the union of their sets is used: it has as many copies of each n-gram as
the reference with the most.

An index lists the units that contain each key. To compare a unit with all others at once, look up
its keys and count how often each other unit has them::

    the/0 -> 0 2 5      another unit: the/0 cat/0      0 2 5 1 5   ->   matches 1 1 1 0 0 2
    cat/0 -> 1 5

Two unequal n-grams have equal keys with a probability of about 2**-63.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Int64, Mask, UInt64
from vecbleu.kernel.ngrams import FOLD, NOTHING, ROLL, mix, sorted_rows
from vecbleu.kernel.ragged import Ragged, as_index, cuts, offsets_of, ranges

Indices = npt.NDArray[np.signedinteger[Any]]
Numbers = Int64 | UInt64

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def distinct(numbers: Numbers) -> tuple[Indices, Indices]:
    """Return the index of each distinct number, ascending, and which of them each number equals."""
    first = first_indices(numbers)
    is_first = first == np.arange(len(first))
    rank = np.cumsum(is_first) - 1
    return np.flatnonzero(is_first), rank[first]


def first_indices(numbers: Numbers) -> Indices:
    """Return for each 64-bit number the index of the first number that equals it.

    Each number writes its index into a slot of a table, chosen by some of its bits; the first one
    stays. Numbers whose slot ends up with a different number, about a fifth, go to another table.
    """
    size = len(numbers).bit_length()
    bits = max(min(size + 4, 14), size + 1)
    numbers = numbers.view(np.uint64)
    hashed = numbers * _MULTIPLIER
    hashed >>= np.uint64(64 - bits)
    slots = hashed.view(np.int64)
    # Indices of 32 bits take half the memory, and more of them fit into the cache.
    narrow = np.dtype(np.int32 if len(numbers) < 1 << 31 else np.int64)
    table: Indices = np.empty(1 << bits, narrow)
    table[slots[::-1]] = np.arange(len(numbers) - 1, -1, -1, dtype=narrow)
    indices = table[slots]
    lost = np.flatnonzero(numbers[indices] != numbers)
    if lost.size:
        indices[lost] = lost[first_indices(mix(numbers[lost]))]
    return indices


# The last bit of a key is free.
_LAST_BIT = np.uint64(1)
_EVEN = ~_LAST_BIT

# Multipliers of the numbers of copies and of groups. They are even, so that keys stay even. They
# are unrelated, so that a copy in one group does not look like the original in another.
_COPY = FOLD << np.uint64(1)
_GROUP = mix(np.array([FOLD]))[0] & _EVEN

# Occurrences processed at a time: as many as fit into the cache.
_PIECE = 1 << 17


def group_keys(keys: UInt64, groups: Int64) -> UInt64:
    """Return keys that differ between groups; the two arrays are broadcast."""
    of_groups: UInt64 = keys + groups.view(np.uint64) * _GROUP
    return of_groups


def unit_keys(units: Ragged, max_order: int, least: int = 1) -> list[tuple[UInt64, Int64]]:
    """Make the keys of each order from `least` on (keys,), and the unit of each.

    No unit has a key twice.
    """
    nothing = np.zeros(0, np.uint64)
    first = least - 1
    keys = [[nothing] for _ in range(first, max_order)]
    owners = [[nothing.view(np.int64)] for _ in range(first, max_order)]
    for numbers, rows in numbered_rows(units, max_order):
        for keys_of_order, kept, units_of in zip(rows[first:], keys, owners, strict=True):
            is_key = keys_of_order != NOTHING
            counts = np.count_nonzero(is_key, axis=1)
            kept.append(keys_of_order[is_key])
            units_of.append(np.repeat(numbers, as_index(counts)))
    return list(zip(map(np.concatenate, keys), map(np.concatenate, owners), strict=True))


def numbered_rows(units: Ragged, max_order: int) -> Iterator[tuple[Int64, UInt64]]:
    """Make the keys of all orders, a group of units at a time.

    Yields the numbers of units (units,) and their keys (orders, units, width). The next step
    overwrites the keys. Units without tokens are left out.
    """
    for numbers, keys in sorted_rows(units, np.arange(len(units) + 1), max_order):
        _number_copies(keys.reshape(-1, keys.shape[-1]))
        yield numbers, keys


def _number_copies(rows: UInt64) -> None:
    """Make the keys of copies in sorted rows (rows, width) distinct, in place."""
    is_copy = np.zeros(rows.shape, bool)
    np.equal(rows[:, 1:], rows[:, :-1], out=is_copy[:, 1:])
    is_copy &= rows != NOTHING
    copies = np.flatnonzero(is_copy)
    if not copies.size:
        return
    count = np.arange(len(copies))
    begins = run_begins(copies - count)  # of runs; the first key of a row is no copy
    first = np.maximum.accumulate(np.where(begins, count, 0))
    numbers = count - first + 1
    rows.reshape(-1)[copies] += numbers.astype(np.uint64) * _COPY


def run_begins(values: npt.NDArray[np.generic]) -> Mask:
    """Return a mask of the values that differ from the one before."""
    begins = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins


class KeySet:
    """Set of keys for bulk look-ups: a hash table without chains.

    Some bits of a key choose its slot. If another key has taken the slot, the key goes to the next
    table, and the last bit of the slot is set. So most look-ups take one memory access.
    Empty slots hold 0; an n-gram has this key with a probability of 2**-63.

    Parameters
    ----------
    keys : uint64 array
        Even numbers above 0, in any order; they can repeat.
    """

    __slots__ = ("_next", "_shift", "_slots")

    def __init__(self, keys: UInt64) -> None:
        # Two to four slots per key; more for few keys, whose table fits into the cache anyway.
        size = len(keys).bit_length()
        bits = max(min(size + 4, 16), size + 1)
        self._shift = np.uint64(64 - bits)
        self._slots = np.zeros(1 << bits, np.uint64)
        slots = self._slots_of(keys)
        self._slots[slots] = keys
        is_lost = self._slots[slots] != keys
        self._slots[slots[is_lost]] |= _LAST_BIT
        self._next = KeySet(_mixed(keys[is_lost])) if is_lost.any() else None

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return self._slots.nbytes + (self._next.nbytes if self._next else 0)

    def contains(self, keys: UInt64) -> Mask:
        """Return a mask of the keys in the set, in the shape of `keys`."""
        flat = keys.reshape(-1)
        held = self._slots.take(self._slots_of(flat))
        is_held: Mask = (held ^ flat) <= 1
        if self._next:
            is_behind = held & _LAST_BIT > is_held
            behind = np.flatnonzero(is_behind)
            is_held[behind] = self._next.contains(_mixed(flat[behind]))
        return is_held.reshape(keys.shape)

    def _slots_of(self, keys: UInt64) -> Int64:
        hashed = keys * ROLL
        return (hashed >> self._shift).view(np.int64)


def _mixed(keys: UInt64) -> UInt64:
    """Return keys for the next table, in which those that collide in this one don't."""
    return mix(keys) & _EVEN


def key_sets(units: Ragged, max_order: int) -> list[KeySet]:
    """Make one set per order, of the keys of all units."""
    pieces: list[list[UInt64]] = [[np.empty(0, np.uint64)] for _ in range(max_order)]
    for _, keys in numbered_rows(units, max_order):
        for order, rows in enumerate(keys):
            pieces[order].append(rows[rows != NOTHING])
    # `np.unique` hashes uint64, which takes far longer than sorting.
    in_order = (np.sort(np.concatenate(keys)) for keys in pieces)
    return [KeySet(keys[run_begins(keys)]) for keys in in_order]


def matches_in_sets(units: Ragged, sets: Sequence[KeySet]) -> Int64:
    """Count the n-grams of each unit that are in the set of their order (units, orders)."""
    matches = np.zeros((len(units), len(sets)), np.int64)
    for numbers, keys in numbered_rows(units, len(sets)):
        for order, known in enumerate(sets):
            matches[numbers, order] = np.count_nonzero(known.contains(keys[order]), axis=1)
    return matches


class KeyIndex:
    """Index of the units that have each key.

    Parameters
    ----------
    keys : uint64 array (occurrences,)
        Keys, in any order.
    units : int64 array (occurrences,)
        Number of the unit of each key.
    """

    __slots__ = ("_keys", "_offsets", "_units")

    def __init__(self, keys: UInt64, units: Int64) -> None:
        ascending = np.argsort(keys)
        in_order = keys[ascending]
        starts = np.flatnonzero(run_begins(in_order))
        # NOTHING, which is no key and above all keys, ends the index: look-ups stay inside.
        self._keys = np.append(in_order[starts], NOTHING)
        self._offsets = np.append(starts, [len(keys), len(keys)])
        self._units = units[ascending]

    def find(self, keys: UInt64) -> tuple[Int64, Int64]:
        """Return the start and the number of each key's occurrences (keys,)."""
        indices = np.searchsorted(self._keys, keys)
        is_known = self._keys[indices] == keys
        starts = self._offsets[indices]
        sizes = self._offsets[indices + 1] - starts
        return starts, np.where(is_known, sizes, 0)

    def occurrences(self, starts: Int64, sizes: Int64, bases: Int64) -> Iterator[Int64]:
        """Yield unit + base for each occurrence of the keys that `find` found, a part at a time."""
        return occurrences(self._units, starts, sizes, bases)


def occurrences(units: Int64, starts: Int64, sizes: Int64, bases: Int64) -> Iterator[Int64]:
    """Yield unit + base of each key, given where its units start, and their number (keys,).

    They are yielded a part at a time.
    """
    known = np.flatnonzero(sizes)
    starts, sizes, bases = starts[known], sizes[known], bases[known]
    for first, stop in cuts(offsets_of(sizes), _PIECE):
        part = slice(first, stop)
        found = units.take(ranges(starts[part], sizes[part]))  # frees the places at once
        found += np.repeat(bases[part], as_index(sizes[part]))
        yield found

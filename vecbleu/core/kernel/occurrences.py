"""How often each n-gram occurs on each side of each segment of a corpus: n-grams by number.

The units of a segment stand next to each other: the systems', then the references'. The n-gram that
starts at a place has a number; it and the word behind it make the n-gram of the next order, so that
nothing but ids of words is hashed::

    words     the cat the cat sat | the cat |     0 1 0 1 2 | 0 1 |
    order 2   (number, word behind)               3 4 3 5 - | 3 - |

Sorted by number and unit, the occurrences of an n-gram are a run, and those in a segment a part of
it. N-grams are shared out by a hash of their keys, so that some are looked at at a time. One of no
further use is left out when longer ones are made: they occur no more often than it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Index, Int64, Mask, as_index
from vecbleu.core.kernel.distinct import representatives
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of

# Places that are looked at together: random accesses stay in the cache, and numbers are sorted by
# radix, 16 bits at a time, at 6 ns each; keys of 64 bits take 50.
_SHARE = 1 << 17

# Places that are shared out together, and words that are numbered together.
_PIECE = 1 << 20

# Places whose keys are kept, 16 bytes each; with more of them, keys are made several times.
_KEPT = 1 << 25

# Shares out keys; another one than that of `representatives`, which sees only one share.
_MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)

# Numbers or places, 32 bits wide where there are fewer than 2**31 words.
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
    narrow = _narrow(sum(len(side.values) for side in sides))
    found = [np.empty(len(side.values), narrow) for side in sides]
    pieces: list[tuple[Numbers, Int64]] = []
    for side, numbers in zip(sides, found, strict=True):
        for at in range(0, len(numbers), _PIECE):
            values = side.values[at : at + _PIECE]
            numbers[at : at + _PIECE], firsts = _numbered(values)
            pieces.append((numbers[at : at + _PIECE], values[firsts]))
    known = np.concatenate([np.empty(0, np.int64), *(values for _, values in pieces)])
    known.sort()
    known = known[_begins(known)]
    for numbers, values in pieces:
        numbers[:] = np.searchsorted(known, values).astype(narrow)[numbers]
    rows = zip(found, sides, strict=True)
    return [Words(numbers, side.offsets, len(known)) for numbers, side in rows]


def _numbered(keys: Numbers) -> tuple[Numbers, Index]:
    """Number 64-bit keys, in any order; and where one of each is (numbers,)."""
    places = representatives(keys)
    is_first = places == np.arange(len(keys), dtype=places.dtype)
    ranks = np.cumsum(is_first, dtype=places.dtype)
    ranks -= 1
    return ranks[places], np.flatnonzero(is_first)


def _stable_order(numbers: Numbers, size: int) -> Index:
    """The order of numbers below a size; equal ones stay as they are."""
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if size > 1 << 16:
        order = order[np.argsort((numbers >> 16)[order].astype(np.uint16), kind="stable")]
    return order


class Groups(NamedTuple):
    """Occurrences of some n-grams; those of an n-gram in a segment are a group."""

    starts: Index  # (ngrams,), the first group of each n-gram
    segments: Int64  # (groups,), rising for each n-gram
    hyp_counts: Int64  # (systems, groups)
    ref_counts: Int64  # (groups,), in the reference that has most
    matches: Int64  # (systems, groups), clipped

    def sums(self, counts: Int64) -> Int64:
        """Counts (..., groups) added up for each n-gram (..., ngrams)."""
        sums: Int64 = np.add.reduceat(counts, self.starts, axis=-1)
        return sums

    def of(self, ngram: int) -> Groups:
        """The groups of one n-gram."""
        starts = self.starts[ngram : ngram + 2].tolist()
        own = slice(starts[0], starts[1] if len(starts) > 1 else len(self.segments))
        counts = self.hyp_counts[:, own], self.ref_counts[own], self.matches[:, own]
        return Groups(self.starts[:1], self.segments[own], *counts)


class _Share(NamedTuple):
    """N-grams that start at some places, in order."""

    keys: Int64
    units: Numbers
    places: Numbers

    def parts(self, bits: int, wanted: range) -> list[_Share]:
        """Those whose keys' hashes begin with so many bits, of each number that is wanted."""
        if not bits:
            return [self]
        hashed = (self.keys.view(np.uint64) * _MULTIPLIER) >> np.uint64(64 - bits)
        numbers = hashed.view(np.int64) - wanted.start
        kept = np.flatnonzero((numbers >= 0) & (numbers < len(wanted)))
        numbers = numbers[kept]
        order = kept[_stable_order(numbers, len(wanted))]
        keys, units, places = (column[order] for column in self)
        ends = offsets_of(np.bincount(numbers, minlength=len(wanted))).tolist()
        return [_Share(keys[a:b], units[a:b], places[a:b]) for a, b in pairwise(ends)]


class Visitor(Protocol):
    """What looks at n-grams."""

    def wants(self, hyp_counts: Int64, ref_counts: Int64) -> Mask:
        """Which n-grams to look at: counts of each system (systems, ngrams), and of references.

        Those in all references are counted. What is not looked at is of no use to longer ones.
        """

    def visit(self, order: int, groups: Groups, places: Index) -> Mask:
        """Look at n-grams of an order, and their first places; of which longer ones are of use."""


class Occurrences:
    """The words of systems and references, those of each segment next to each other.

    Parameters
    ----------
    systems : sequence of Words (segments,)
        Of each system.
    references : Words
        Of all segments, one after the other.
    offsets : int64 array (segments + 1,)
        Which of the references each segment begins with.

    Attributes
    ----------
    words : integer array (words,)
        The word at each place.
    """

    def __init__(self, systems: Sequence[Words], references: Words, offsets: Int64) -> None:
        self._systems, self._size = len(systems), references.size
        self._segments = offsets + len(systems) * np.arange(len(offsets))  # into the units
        units = _side_by_side(systems, references, offsets)
        self.words, self._offsets = units.values, units.offsets
        sizes = as_index(np.diff(self._segments))
        segments = np.arange(len(sizes), dtype=_narrow(len(units)))
        self._segment = np.repeat(segments, sizes)  # (units,)
        within = np.arange(len(units)) - np.repeat(self._segments[:-1], sizes)
        self._column = np.minimum(within, len(systems)).astype(np.min_scalar_type(len(systems)))
        numbers = np.arange(len(units), dtype=_narrow(len(units)))
        self._unit = np.repeat(numbers, as_index(units.lengths))  # (words,)

    def locate(self, place: int) -> tuple[int, int, int]:
        """The segment of a place, which of its units it is in, and where there."""
        unit = int(self._unit[place])
        segment = int(self._segment[unit])
        return segment, unit - int(self._segments[segment]), place - int(self._offsets[unit])

    def accept(self, visitor: Visitor, max_order: int) -> None:
        """Show n-grams to a visitor: some at a time, those of an order after all shorter ones."""
        numbers = self.words
        is_start: Mask = np.ones(len(numbers), bool)
        for order in range(1, max_order + 1):
            longer, known = np.full(len(numbers), -1, numbers.dtype), 0
            for share in self._shares(numbers, is_start, order):
                own, is_of_use, places = self._show(visitor, order, share)
                ranks = np.where(is_of_use, np.cumsum(is_of_use) - 1 + known, -1)
                longer[places] = ranks[own]
                known += int(np.count_nonzero(is_of_use))
            if not known:
                return
            numbers, is_start = longer, longer >= 0
            is_start[:-1] &= is_start[1:]
            if order == 1:  # where the next word is another unit's
                is_start[self._offsets[1:] - 1] = False

    def _share(self, numbers: Numbers, is_start: Mask, order: int, at: int) -> _Share:
        """The n-grams that start in a piece, behind a place."""
        places = np.flatnonzero(is_start[at : at + _PIECE]) + at
        keys = numbers[places].astype(np.int64)
        if order > 1:
            keys *= self._size
            keys += self.words[places + (order - 1)]
        return _Share(keys, self._unit[places], places.astype(_narrow(len(numbers))))

    def _shares(self, numbers: Numbers, is_start: Mask, order: int) -> Iterator[_Share]:
        """N-grams that start at places: all equal ones together, in the order of places."""
        starts = int(np.count_nonzero(is_start))
        bits, rounds = (starts // _SHARE).bit_length(), 1 << (starts // _KEPT).bit_length()
        size = max((1 << bits) // rounds, 1)
        for first in range(0, 1 << bits, size):
            wanted = range(first, first + size)
            pieces = [
                self._share(numbers, is_start, order, at).parts(bits, wanted)
                for at in range(0, len(numbers), _PIECE)
            ]
            for parts in zip(*pieces, strict=True):
                yield _Share(*map(np.concatenate, zip(*parts, strict=True)))

    def _show(self, visitor: Visitor, order: int, share: _Share) -> tuple[Numbers, Mask, Index]:
        """Show n-grams to a visitor that wants them: numbers, which are of use, and places."""
        own, firsts = _numbered(share.keys)
        _, units, places = share
        sides, size = self._systems + 1, len(firsts)
        cells = own * sides + self._column[units]
        counts = np.bincount(cells, minlength=size * sides).reshape(size, sides).T
        is_wanted = visitor.wants(counts[:-1], counts[-1])
        if not is_wanted.all():
            kept = np.flatnonzero(is_wanted[own])
            own, units, places = own[kept], units[kept], places[kept]
            own = (np.cumsum(is_wanted, dtype=own.dtype) - 1)[own]
            size = int(np.count_nonzero(is_wanted))
        if not size:
            return own, is_wanted[:0], places
        in_order = _stable_order(own, size)
        groups, firsts = self._groups(own[in_order], units[in_order])
        return own, visitor.visit(order, groups, places[in_order[firsts]]), places

    def _groups(self, numbers: Numbers, units: Numbers) -> tuple[Groups, Index]:
        """Occurrences in order of their numbers and units, and the first one of each number."""
        is_number = _begins(numbers)
        heads = np.flatnonzero(is_number | _begins(units))
        counts = np.diff(heads, append=len(units))
        is_number, units = is_number[heads], units[heads]
        columns, segments = self._column[units], self._segment[units]
        is_group = is_number | _begins(segments)
        at = np.flatnonzero(is_group)
        group = np.cumsum(is_group) - 1
        hyp_counts = np.zeros((self._systems, len(at)), np.int64)
        for system, row in enumerate(hyp_counts):
            is_own = np.flatnonzero(columns == system)
            row[group[is_own]] = counts[is_own]
        ref_counts = np.maximum.reduceat(np.where(columns == self._systems, counts, 0), at)
        matches = np.minimum(hyp_counts, ref_counts)
        starts = np.flatnonzero(is_number[at])
        return Groups(starts, segments[at], hyp_counts, ref_counts, matches), heads[is_number]


def _narrow(size: int) -> np.dtype[np.signedinteger[Any]]:
    """The type of numbers below a size: half the memory where 32 bits do."""
    return np.dtype(np.int32 if size < 1 << 31 else np.int64)


def _begins(values: npt.NDArray[Any]) -> Mask:
    """Where runs of equal values begin (values,)."""
    begins = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins


def _side_by_side(systems: Sequence[Words], references: Words, offsets: Int64) -> Ragged:
    """The units of each segment next to each other; some segments at a time, in the cache."""
    sides = [one.rows for one in (*systems, references)]
    blocks = [sides[0][:0]]
    for start, stop in cuts(sides[-1].offsets[offsets], _PIECE):
        own = offsets[start : stop + 1]
        size, some = stop - start, [side[start:stop] for side in sides[:-1]]
        units = Ragged.concatenate([*some, sides[-1][own[0] : own[-1]]])
        firsts = own[:-1] - own[0] + len(systems) * np.arange(size)
        order = np.full(len(units), -1)
        for system in range(len(systems)):
            order[firsts + system] = system * size + np.arange(size)
        order[order < 0] = np.arange(len(systems) * size, len(units))
        blocks.append(units.take(order))
    return Ragged.concatenate(blocks)

"""Occurrences of n-grams in groups, one for each n-gram and segment: what is counted of some.

All occurrences of an n-gram are in one share, so that shares are counted in any process.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from vecbleu.core.arrays import Index, Int64, Mask
from vecbleu.core.kernel.numbering import Numbers, numbered, run_begins, stable_order
from vecbleu.core.kernel.ragged import offsets_of

# Where more than this part of the places of a share are wanted, all are shown: leaving out the
# others would take as long.
_MOST_KEPT = 0.75

# Shares out keys; another one than that of `representatives`, which sees only one share.
_MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)


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


class Visitor(Protocol):
    """What looks at n-grams, in any process: what it finds is given to the one of this process."""

    def wants(self, hyp_counts: Int64, ref_counts: Int64) -> Mask:
        """Which n-grams to look at: counts of each system (systems, ngrams), and of references.

        Those in all references are counted. Others may be shown, too; if they are not, they are of
        no use to longer ones.
        """

    def visit(self, order: int, groups: Groups, places: Index) -> tuple[Mask, Any]:
        """Look at n-grams of an order, and their first places.

        Of which longer ones are of use, and what is found; the visitor stays as it is.
        """

    def take(self, found: Any) -> None:
        """Take what has been found, in the order of shares."""


class Layout(NamedTuple):
    """How a unit's code is made: its segment, and, in the lowest bits, its number there."""

    systems: int  # which come first in a segment
    bits: int

    def segments(self, units: Numbers) -> Numbers:
        """The segments of units."""
        return units >> self.bits

    def columns(self, units: Numbers) -> Numbers:
        """The systems of units; the number of systems where they are references."""
        columns = units & ((1 << self.bits) - 1)
        np.minimum(columns, self.systems, out=columns)
        return columns


class Share(NamedTuple):
    """N-grams that start at some places, in order."""

    keys: Int64
    units: Numbers  # codes
    places: Numbers

    def parts(self, bits: int, wanted: range) -> list[Share]:
        """Those whose keys' hashes begin with so many bits, of each number that is wanted."""
        if not bits:
            return [self]
        hashed = self.keys.view(np.uint64) * _MULTIPLIER
        hashed >>= np.uint64(64 - bits)
        numbers = hashed.view(np.int64)
        if len(wanted) == 1 << bits:
            order = stable_order(numbers, len(wanted))
        else:
            numbers -= wanted.start
            kept = np.flatnonzero((numbers >= 0) & (numbers < len(wanted)))
            numbers = numbers[kept]
            order = kept[stable_order(numbers, len(wanted))]
        keys, units, places = (column[order] for column in self)
        ends = offsets_of(np.bincount(numbers, minlength=len(wanted))).tolist()
        return [Share(keys[a:b], units[a:b], places[a:b]) for a, b in pairwise(ends)]


class Shown(NamedTuple):
    """What came of showing a share to a visitor."""

    places: Numbers  # (used,), where n-grams start of which longer ones are of use
    numbers: Numbers  # (used,), of those n-grams, from 0 on
    size: int  # n-grams that are numbered
    found: Any  # None if nothing was wanted


def show(visitor: Visitor, layout: Layout, order: int, share: Share) -> Shown:
    """Show the n-grams that a visitor wants to it."""
    own, firsts = numbered(share.keys)
    _, units, places = share
    sides, size = layout.systems + 1, len(firsts)
    cells = own * sides + layout.columns(units)
    counts = np.bincount(cells, minlength=size * sides).reshape(size, sides).T
    is_wanted = visitor.wants(counts[:-1], counts[-1])
    if counts[:, is_wanted].sum() < _MOST_KEPT * len(own):
        kept = np.flatnonzero(is_wanted[own])
        own, units, places = own[kept], units[kept], places[kept]
        own = (np.cumsum(is_wanted, dtype=own.dtype) - 1)[own]
        size = int(np.count_nonzero(is_wanted))
    if not size:
        return Shown(places, own, 0, None)
    in_order = stable_order(own, size)
    groups, firsts = _groups(own[in_order], units[in_order], layout)
    is_of_use, found = visitor.visit(order, groups, places[in_order[firsts]])
    used = np.flatnonzero(is_of_use[own])
    numbers = (np.cumsum(is_of_use, dtype=own.dtype) - 1)[own[used]]
    return Shown(places[used], numbers, int(np.count_nonzero(is_of_use)), found)


def _groups(numbers: Numbers, units: Numbers, layout: Layout) -> tuple[Groups, Index]:
    """Occurrences in order of their numbers and units, and the first one of each number."""
    is_number = run_begins(numbers)
    heads = np.flatnonzero(is_number | run_begins(units))
    counts = np.diff(heads, append=len(units))
    is_number, units = is_number[heads], units[heads]
    columns, segments = layout.columns(units), layout.segments(units)
    is_group = is_number | run_begins(segments)
    at = np.flatnonzero(is_group)
    group = np.cumsum(is_group) - 1
    hyp_counts = np.zeros((layout.systems, len(at)), np.int64)
    for system, row in enumerate(hyp_counts):
        is_own = np.flatnonzero(columns == system)
        row[group[is_own]] = counts[is_own]
    ref_counts = np.maximum.reduceat(np.where(columns == layout.systems, counts, 0), at)
    matches = np.minimum(hyp_counts, ref_counts)
    starts = np.flatnonzero(is_number[at])
    return Groups(starts, segments[at], hyp_counts, ref_counts, matches), heads[is_number]

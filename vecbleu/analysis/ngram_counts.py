"""Count n-grams segment by segment, and list those that one of two systems has more often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Index, Int64, Mask, UInt64
from vecbleu.core.kernel.hashing import mix
from vecbleu.core.kernel.ragged import Ragged, offsets_of

Kind = Literal["match", "over", "under"]
Int32 = npt.NDArray[np.int32]

# Segments of a block, and n-grams of its matrix: one long segment makes all of its rows wide.
_SEGMENTS = 2_000
_CELLS = 1 << 19

# N-grams that are ranked at first for each row of a list: parts of one phrase take many.
_RANKED = 16


class Sides(NamedTuple):
    """Token ids of two systems and of references; equal tokens have equal ids."""

    systems: Sequence[Ragged]
    references: Ragged
    offsets: Int64  # (segments + 1,) into the references, taken again and again if all share them
    bits: np.uint64  # for 0 and 1, a system, or 2 and more, a reference of a segment

    @classmethod
    def of(cls, systems: Sequence[Ragged], references: Ragged, offsets: Int64) -> Sides:
        """Find how many bits it takes."""
        most = 1 + int(np.diff(offsets).max(initial=0))
        return cls(systems, references, offsets, np.uint64(most.bit_length()))

    def reference_rows(self, start: int, stop: int) -> Int64:
        """Return the rows of the references of some segments."""
        rows: Int64 = np.arange(self.offsets[start], self.offsets[stop])
        return rows % max(len(self.references), 1)

    def blocks(self) -> Iterator[slice]:
        """Cut the segments into blocks whose n-grams fit into the cache."""
        ends = offsets_of(self.references.lengths[self.reference_rows(0, -1)])
        widths = np.diff(ends[self.offsets]) + sum(side.lengths for side in self.systems)
        start, stop = 0, 0
        while start < len(widths):
            stop = min(start + _SEGMENTS, len(widths))
            while stop - start > 1 and (stop - start) * widths[start:stop].max() > _CELLS:
                stop = (start + stop) // 2
            yield slice(start, stop)
            start = stop

    def units(self, block: slice) -> tuple[Ragged, Int64, Int64]:
        """Return the units of each segment side by side, their segments, and which they are."""
        offsets, segment = self.offsets[block.start : block.stop + 1], np.arange(block.stop)
        segment = segment[block]
        references = self.references.take(self.reference_rows(block.start, block.stop))
        units = Ragged.concatenate([*(side[block] for side in self.systems), references])
        segments = np.concatenate([segment, segment, np.repeat(segment, np.diff(offsets))])
        firsts = np.repeat(offsets[:-1], np.diff(offsets))
        numbers = 2 + np.arange(offsets[0], offsets[-1]) - firsts
        columns = np.concatenate([0 * segment, 0 * segment + 1, numbers])
        order = np.argsort(segments, kind="stable")
        return units.take(order), segments[order], columns[order]

    def keys(self, ids: Int64, order: int) -> UInt64:
        """Hash the n-grams that start at each token (tokens - order + 1,)."""
        tokens = ids.view(np.uint64)
        keys = tokens
        for further in range(1, order):
            keys = mix(keys[:-1]) + tokens[further:]
        return keys >> self.bits


class Counts(NamedTuple):
    """Counts of both systems: of each n-gram, and in each segment in which it has any."""

    orders: Int64  # (ngrams,)
    keys: UInt64  # (ngrams,)
    sums: Int64  # (2, ngrams)
    starts: Index  # (ngrams + 1,), into the segments of all n-grams
    segments: Int32  # (cells,), rising for each n-gram
    cells: Int32  # (2, cells)
    max_order: int

    def reversed(self) -> Counts:
        """Return the counts with the second system first."""
        return self._replace(sums=self.sums[::-1], cells=self.cells[::-1])


class Found(NamedTuple):
    """An n-gram with its counts, its segments, and its first place: a unit, and where there."""

    counts: tuple[int, int]
    segments: Int32
    row: int
    start: int
    size: int


def count_ngrams(sides: Sides, kind: Kind, max_order: int) -> Counts:
    """Count the n-grams of all orders."""
    parts = []
    for order in range(1, max_order + 1):
        blocks = [_count(sides, kind, order, block) for block in sides.blocks()]
        keys, segments, cells = (
            np.concatenate(column, axis=-1)
            for column in zip(*blocks or [_count(sides, kind, order, slice(0, 0))], strict=True)
        )
        by_key = np.argsort(keys, kind="stable")
        keys, segments, cells = keys[by_key], segments[by_key], cells[:, by_key]
        starts = np.flatnonzero(_begins(keys))
        sums = np.add.reduceat(cells, starts, axis=1, dtype=np.int64)
        orders, sizes = np.full(len(starts), order), np.diff(starts, append=len(keys))
        parts.append((orders, keys[starts], sums, sizes, segments, cells))
    orders, keys, sums, sizes, segments, cells = (
        np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)
    )
    return Counts(orders, keys, sums, offsets_of(sizes), segments, cells, max_order)


def _count(sides: Sides, kind: Kind, order: int, block: slice) -> tuple[UInt64, Int32, Int32]:
    """Count the n-grams of a block: their keys, segments, and counts (2, cells)."""
    units, segments, columns = sides.units(block)
    size = block.stop - block.start
    unit = np.repeat(np.arange(len(units)), units.lengths)
    is_whole = unit[order - 1 :] == unit[: max(len(unit) - order + 1, 0)]
    unit = unit[: len(is_whole)][is_whole]
    keys = sides.keys(units.values, order)[is_whole] << sides.bits
    keys |= columns[unit].view(np.uint64)
    # A segment is a row of a matrix: NumPy sorts short rows ten times as fast as one long array.
    widths = np.bincount(segments[unit] - block.start, minlength=size)
    is_key = np.arange(widths.max(initial=0)) < widths[:, None]
    matrix = np.full(is_key.shape, ~np.uint64(0))
    matrix[is_key] = keys
    matrix.sort(axis=1)
    # Copies in a unit are a run, and the runs of an n-gram in a segment are a group.
    keys, segments = matrix[is_key], np.repeat(np.arange(block.start, block.stop), widths)
    runs = np.flatnonzero(_begins(keys) | _begins(segments))
    copies = np.diff(runs, append=len(keys))
    columns = (keys[runs] & ~(~np.uint64(0) << sides.bits)).view(np.int64)
    keys, segments = keys[runs] >> sides.bits, segments[runs]
    is_group = _begins(keys) | _begins(segments)
    groups, group = np.flatnonzero(is_group), np.cumsum(is_group) - 1
    counts = np.zeros((2, len(groups)), np.int64)
    is_system = columns < 2
    counts[columns[is_system], group[is_system]] = copies[is_system]
    most = np.maximum.reduceat(np.where(is_system, 0, copies), groups)
    matches = np.minimum(counts, most)
    counts = matches if kind == "match" else (counts if kind == "over" else most) - matches
    kept = np.flatnonzero(counts.any(axis=0))
    groups = groups[kept]
    return keys[groups], segments[groups].astype(np.int32), counts[:, kept].astype(np.int32)


def _begins(values: npt.NDArray[Any]) -> Mask:
    """Find where runs of equal values begin."""
    begins = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins


def smoothed_score(more: Any, less: Any) -> Any:
    """Return the share of `more`, pulled towards one half where counts are small."""
    return (more + 1) / (more + less + 2)


def best_ngrams(sides: Sides, kind: Kind, counts: Counts, top: int) -> list[Found]:
    """List the n-grams that the first system has more often, the best first."""
    more, less = counts.sums
    ngrams = np.flatnonzero(more > less)
    scores = smoothed_score(more, less)[ngrams]
    found: list[Found] = []
    size, is_all = top, False
    while len(found) < top and not is_all:
        size *= _RANKED
        is_all = size >= len(ngrams)
        least = 0 if is_all else np.partition(scores, -size)[-size]
        found = _phrases(sides, kind, counts, ngrams[scores >= least], top)
    return found


def _phrases(sides: Sides, kind: Kind, counts: Counts, ngrams: Index, top: int) -> list[Found]:
    """Rank n-grams, join those that follow one another, and leave out parts of longer ones."""
    more, less, orders = *counts.sums[:, ngrams], counts.orders[ngrams]
    is_more = counts.cells[0] > counts.cells[1]
    cells = np.flatnonzero(is_more)
    firsts = counts.segments[cells[np.searchsorted(cells, counts.starts[ngrams])]]
    by = np.lexsort((firsts, -orders, less - more, -smoothed_score(more, less)))
    keys = counts.keys[ngrams]
    columns = (column[by].tolist() for column in (more, less, orders, firsts, keys, ngrams))
    found: list[Found] = []
    parts: set[tuple[int, ...]] = set()
    # Those that are equal in rank and first segment are in the order of their places there.
    for (*sums, order, segment), group in groupby(zip(*columns, strict=True), lambda row: row[:4]):
        tied: list[Found] = []
        for *_, key, ngram in group:
            if (*sums, order, key) not in parts:
                own = slice(*counts.starts[ngram : ngram + 2].tolist())
                place = _place(sides, kind, segment, order, key)
                tied.append(Found((*sums,), counts.segments[own][is_more[own]], *place, order))
        tied.sort(key=lambda one: (one.row, one.start))
        begun = len(found)
        for one in tied:
            last = found[-1] if len(found) > begun and order == counts.max_order else None
            if last and _follows(one, last):
                found[-1] = last._replace(size=last.size + 1)
            else:
                found.append(one)
        for one in found[begun:]:
            ids = _units(sides, kind)[one.row][one.start : one.start + one.size]
            for shorter in range(1, order):
                parts.update((*sums, shorter, key) for key in sides.keys(ids, shorter).tolist())
        if len(found) >= top:
            break
    return found[:top]


def _follows(one: Found, last: Found) -> bool:
    """Tell whether an n-gram begins one token further than the last one, in the same segments."""
    is_next = one.row == last.row and one.start + one.size == last.start + last.size + 1
    return is_next and np.array_equal(one.segments, last.segments)


def _place(sides: Sides, kind: Kind, segment: int, order: int, key: int) -> tuple[int, int]:
    """Find an n-gram in a segment: its unit, and where it begins there."""
    under = kind == "under"
    rows = sides.reference_rows(segment, segment + 1).tolist() if under else [segment]
    units = _units(sides, kind)
    found = ((row, np.flatnonzero(sides.keys(units[row], order) == key)) for row in rows)
    return next((row, int(starts[0])) for row, starts in found if starts.size)


def _units(sides: Sides, kind: Kind) -> Ragged:
    """Return the units in which n-grams of a kind occur."""
    return sides.references if kind == "under" else sides.systems[0]

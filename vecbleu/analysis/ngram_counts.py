"""Count n-grams per segment, and list those that are more frequent in one of two systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Index, Int64, Mask, UInt64
from vecbleu.core.kernel.hashing import mix
from vecbleu.core.kernel.ragged import Ragged, as_index, offsets_of

Kind = Literal["match", "over", "under"]
Int32 = npt.NDArray[np.int32]

# Largest number of segments in a block, and of cells in its matrix. All rows are as wide as the
# longest segment.
_SEGMENTS = 2_000
_CELLS = 1 << 19

# Rank this many n-grams for each listed row, since many can be parts of one phrase. If that gives
# too few rows, multiply the number of ranked n-grams by this factor and try again.
_RANKED = 16


class Sides(NamedTuple):
    """Token ids of two systems and their references; equal tokens have equal ids."""

    systems: Sequence[Ragged]
    references: Ragged
    offsets: Int64  # (segments + 1,), into the references; shared references count per segment

    @property
    def bits(self) -> np.uint64:
        """Bits of a column's number; columns 0 and 1 are the systems, 2 and up the references."""
        return np.uint64((1 + int(np.diff(self.offsets).max(initial=0))).bit_length())

    def reference_rows(self, start: int, stop: int) -> Int64:
        """Return the rows of the references of some segments, from `start` to `stop`."""
        rows: Int64 = np.arange(self.offsets[start], self.offsets[stop])
        return rows % max(len(self.references), 1)

    def blocks(self) -> Iterator[slice]:
        """Cut the segments into blocks whose n-grams fit into the cache."""
        ends = offsets_of(self.references.lengths[self.reference_rows(0, -1)])
        widths = np.diff(ends[self.offsets]) + sum(side.lengths for side in self.systems)
        start = 0
        while start < len(widths):
            stop = min(start + _SEGMENTS, len(widths))
            while stop - start > 1 and (stop - start) * widths[start:stop].max() > _CELLS:
                stop = (start + stop) // 2
            yield slice(start, stop)
            start = stop

    def units(self, block: slice) -> tuple[Ragged, Int64, Int64]:
        """Return the units of a block, ordered by segment, with their segments and columns."""
        some = np.arange(block.start, block.stop)
        offsets = self.offsets[block.start : block.stop + 1]
        each = as_index(np.diff(offsets))
        references = self.references.take(self.reference_rows(block.start, block.stop))
        numbers = np.arange(2, len(references) + 2) - np.repeat(offsets[:-1] - offsets[0], each)
        segments = np.concatenate([some, some, np.repeat(some, each)])
        columns = np.concatenate([0 * some, 0 * some + 1, numbers])
        order = np.argsort(segments, kind="stable")
        units = Ragged.concatenate([*(side[block] for side in self.systems), references])
        return units.take(order), segments[order], columns[order]

    def keys(self, ids: Int64, order: int) -> UInt64:
        """Hash the n-gram that starts at each token (tokens - order + 1,)."""
        tokens = ids.view(np.uint64)
        keys = tokens
        for further in range(1, order):
            keys = mix(keys[:-1]) + tokens[further:]
        return keys >> self.bits

    def holders(self, kind: Kind) -> Ragged:
        """Return the units that contain the n-grams of a kind."""
        return self.references if kind == "under" else self.systems[0]

    def places(self, kind: Kind, order: int, segment: int) -> dict[int, tuple[int, int]]:
        """Map the keys of a segment's n-grams to their first places (unit, start)."""
        rows = [segment]
        if kind == "under":
            rows = self.reference_rows(segment, segment + 1).tolist()
        found: dict[int, tuple[int, int]] = {}
        for row in rows:
            for start, key in enumerate(self.keys(self.holders(kind)[row], order).tolist()):
                found.setdefault(key, (row, start))
        return found


class Counts(NamedTuple):
    """Counts of both systems: sums of each n-gram, and counts by segment."""

    orders: Int64  # (ngrams,)
    keys: UInt64  # (ngrams,)
    sums: Int64  # (2, ngrams)
    starts: Int64  # (ngrams + 1,), into `segments` and `cells`
    segments: Int32  # (cells,), in ascending order for each n-gram
    cells: Int32  # (2, cells)


class Found(NamedTuple):
    """An n-gram with its counts, its segments, and its first place."""

    counts: tuple[int, int]
    segments: Int32
    row: int  # of the unit
    start: int  # in the unit
    size: int


def count_ngrams(sides: Sides, kind: Kind, max_order: int) -> Counts:
    """Count the n-grams of all orders."""
    cuts, parts = [*sides.blocks()] or [slice(0, 0)], []
    for order in range(1, max_order + 1):
        blocks = [_count(sides, kind, order, block) for block in cuts]
        keys, segments, cells = _joined(blocks)
        by_key = np.argsort(keys, kind="stable")
        keys, segments, cells = keys[by_key], segments[by_key], cells[:, by_key]
        starts = np.flatnonzero(_begins(keys))
        sums = np.add.reduceat(cells, starts, axis=1, dtype=np.int64)
        orders, sizes = np.full(len(starts), order), np.diff(starts, append=len(keys))
        parts.append((orders, keys[starts], sums, sizes, segments, cells))
    orders, keys, sums, sizes, segments, cells = _joined(parts)
    return Counts(orders, keys, sums, offsets_of(sizes), segments, cells)


def _count(sides: Sides, kind: Kind, order: int, block: slice) -> tuple[UInt64, Int32, Int32]:
    """Count the n-grams of a block; return keys, segments, and counts (2, cells)."""
    units, segments, columns = sides.units(block)
    bits = sides.bits
    unit = np.repeat(np.arange(len(units)), as_index(units.lengths))
    is_whole = unit[order - 1 :] == unit[: max(len(unit) - order + 1, 0)]
    unit = unit[: len(is_whole)][is_whole]
    keys = sides.keys(units.values, order)[is_whole] << bits | columns[unit].view(np.uint64)
    # One row per segment: NumPy sorts short rows ten times as fast as one long array.
    size = block.stop - block.start
    widths = np.bincount(as_index(segments[unit] - block.start), minlength=size)
    is_key = np.arange(widths.max(initial=0)) < widths[:, None]
    matrix = np.full(is_key.shape, ~np.uint64(0))
    matrix[is_key] = keys
    matrix.sort(axis=1)
    keys, segments = matrix[is_key], np.repeat(np.arange(block.start, block.stop), widths)
    # Copies within a unit form a run; the runs of an n-gram in a segment form a group.
    runs = np.flatnonzero(_begins(keys) | _begins(segments))
    copies = np.diff(runs, append=len(keys))
    keys, segments = keys[runs], segments[runs]
    columns = (keys - (keys >> bits << bits)).view(np.int64)
    is_group = _begins(keys >> bits) | _begins(segments)
    groups, group = np.flatnonzero(is_group), np.cumsum(is_group) - 1
    own = columns < 2
    counts = np.zeros((2, len(groups)), np.int64)
    counts[columns[own], group[own]] = copies[own]
    most = np.maximum.reduceat(np.where(own, 0, copies), groups)
    matches = np.minimum(counts, most)
    counts = matches if kind == "match" else (counts if kind == "over" else most) - matches
    kept = counts.any(axis=0)
    groups = groups[kept]
    return keys[groups] >> bits, segments[groups].astype(np.int32), counts[:, kept].astype(np.int32)


def _joined(parts: Sequence[Sequence[npt.NDArray[Any]]]) -> list[npt.NDArray[Any]]:
    """Concatenate the columns of several parts."""
    return [np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)]


def _begins(values: npt.NDArray[Any]) -> Mask:
    """Return a mask of the values that differ from the one before."""
    begins = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins


def smoothed_score(more: Any, less: Any) -> Any:
    """Return the share of `more`, smoothed: with small counts, it is closer to one half."""
    return (more + 1) / (more + less + 2)


def best_ngrams(sides: Sides, kind: Kind, counts: Counts, max_order: int, top: int) -> list[Found]:
    """List the n-grams that the first system has more often, best first."""
    more, less = counts.sums
    ngrams = np.flatnonzero(more > less)
    scores = smoothed_score(more, less)[ngrams]
    size = top
    while True:
        size *= _RANKED
        is_all = size >= len(ngrams)
        some = ngrams if is_all else ngrams[scores >= np.partition(scores, -size)[-size]]
        found = _phrases(sides, kind, counts, max_order, some, top)
        if is_all or len(found) == top:
            return found


def _phrases(
    sides: Sides, kind: Kind, counts: Counts, max_order: int, ngrams: Index, top: int
) -> list[Found]:
    """Join consecutive n-grams into phrases; leave out parts of phrases."""
    is_more = counts.cells[0] > counts.cells[1]
    ranked = _ranked(counts, is_more, ngrams)
    found: list[Found] = []
    parts: set[tuple[int, ...]] = set()
    for (more, less, order, segment), tied in groupby(ranked, lambda row: row[:4]):
        if len(found) >= top:
            break
        places, begin = sides.places(kind, order, segment), len(found)
        rows = ((*places[key], key, ngram) for *_, key, ngram in tied)
        for row, start, key, ngram in sorted(rows):
            some = slice(*counts.starts[ngram : ngram + 2].tolist())
            one = Found((more, less), counts.segments[some][is_more[some]], row, start, order)
            if order == max_order and len(found) > begin and _follows(one, found[-1]):
                found[-1] = found[-1]._replace(size=found[-1].size + 1)
            elif (more, less, order, key) not in parts:
                found.append(one)
        for one in found[begin:]:
            ids = sides.holders(kind)[one.row][one.start : one.start + one.size]
            for size in range(1, order):
                parts.update((more, less, size, key) for key in sides.keys(ids, size).tolist())
    return found[:top]


def _ranked(counts: Counts, is_more: Mask, ngrams: Index) -> Iterator[tuple[int, ...]]:
    """Yield both counts, order, first segment, key and number of each n-gram, best first."""
    more, less, orders = *counts.sums[:, ngrams], counts.orders[ngrams]
    cells = np.flatnonzero(is_more)
    firsts = counts.segments[cells[np.searchsorted(cells, counts.starts[ngrams])]]
    by = np.lexsort((firsts, -orders, less - more, -smoothed_score(more, less)))
    columns = more, less, orders, firsts, counts.keys[ngrams], ngrams
    return zip(*(column[by].tolist() for column in columns), strict=True)


def _follows(one: Found, last: Found) -> bool:
    """Tell whether an n-gram extends the last phrase by a token, in the same segments."""
    is_next = (one.row, one.start + one.size) == (last.row, last.start + last.size + 1)
    return is_next and np.array_equal(one.segments, last.segments)

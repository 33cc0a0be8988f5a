"""Count n-grams per segment, and list those that are more frequent in one of two systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Int64, Mask, UInt64
from vecbleu.core.corpus import BLOCK_TOKENS
from vecbleu.core.kernel.ngrams import NOTHING, ngram_keys, sorted_rows
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.pairwise.keys import run_begins

Kind = Literal["match", "over", "under"]
Int32 = npt.NDArray[np.int32]

# Sort this many n-grams for each listed row, since many can be parts of one phrase. If that gives
# too few rows, sort this many times as many of the remaining ones.
_RANKED = 16


@dataclass(frozen=True)
class TokenIds:
    """Token ids of two systems and their references; equal tokens have equal ids.

    `kind` says which n-grams are counted.
    """

    systems: Sequence[Ragged]
    references: Ragged
    offsets: Int64  # (segments + 1,), into the references; shared references count per segment
    kind: Kind

    @cached_property
    def units_each(self) -> int:
        """Largest number of units in a segment: two systems and the references."""
        return 2 + int(np.diff(self.offsets).max(initial=0))

    @property
    def bits(self) -> np.uint64:
        """Bits of a unit's number in its segment; 0 and 1 are the systems."""
        return np.uint64((self.units_each - 1).bit_length())

    def reference_rows(self, start: int, stop: int) -> Int64:
        """Return the rows of the references of some segments, from `start` to `stop`."""
        rows: Int64 = np.arange(self.offsets[start], self.offsets[stop])
        return rows % max(len(self.references), 1)

    def blocks(self) -> list[tuple[int, int]]:
        """Cut the segments, since shared references are copied for each of them."""
        ends = offsets_of(self.references.lengths[self.reference_rows(0, -1)])
        first, second = (side.lengths for side in self.systems)
        widths = np.diff(ends[self.offsets]) + first + second
        return cuts(offsets_of(widths), BLOCK_TOKENS)

    def units(self, start: int, stop: int) -> tuple[Ragged, Int64]:
        """Return the units of a block ordered by segment, and the offsets of segments.

        An empty segment at the end has as many units as the largest one of all blocks, so that the
        keys of all blocks have the same bits.
        """
        rows = np.arange(stop - start)
        counts, empty = np.diff(self.offsets[start : stop + 1]), np.zeros(self.units_each, int)
        segments = np.concatenate([rows, rows, np.repeat(rows, counts), empty + len(rows)])
        references = self.references.take(self.reference_rows(start, stop))
        nothing = Ragged(references.values[:0], np.append(empty, 0))
        systems = [side[start:stop] for side in self.systems]
        units = Ragged.concatenate([*systems, references, nothing])
        return units.take(np.argsort(segments, kind="stable")), offsets_of(np.bincount(segments))

    def keys(self, ids: Int64, order: int) -> UInt64:
        """Hash the n-gram that starts at each token, as `sorted_rows` does."""
        keys = np.empty((order, len(ids)), np.uint64)
        ngram_keys(ids.view(np.uint64) >> self.bits << self.bits, keys)
        return keys[-1, : max(len(ids) - order + 1, 0)] >> self.bits

    @property
    def sources(self) -> Ragged:
        """Units that contain the n-grams."""
        return self.references if self.kind == "under" else self.systems[0]

    def first_occurrences(self, order: int, segment: int) -> dict[int, tuple[int, int]]:
        """Map the keys of a segment's n-grams to their first occurrence: unit and start."""
        rows: Any = self.reference_rows(segment, segment + 1) if self.kind == "under" else [segment]
        starts: dict[int, tuple[int, int]] = {}
        for row in map(int, rows):
            for start, key in enumerate(self.keys(self.sources[row], order).tolist()):
                starts.setdefault(key, (row, start))
        return starts


class Counts(NamedTuple):
    """Counts of both systems: sums of each n-gram, and counts by segment."""

    orders: Int64  # (ngrams,)
    keys: UInt64  # (ngrams,)
    sums: Int64  # (2, ngrams)
    starts: Int64  # (ngrams + 1,), into `segments` and `cells`
    segments: Int32  # (cells,)
    cells: Int32  # (2, cells)


class Phrase(NamedTuple):
    """An n-gram, or several joined, with its counts, its segments and its first occurrence."""

    counts: tuple[int, int]
    segments: Int32
    row: int  # of the unit
    start: int  # in the unit
    size: int

    @property
    def score(self) -> float:
        """Smoothed share of the first count."""
        return float(smoothed_score(*self.counts))


def count_ngrams(ids: TokenIds, max_order: int) -> Counts:
    """Count the n-grams of all orders, and keep those whose sums differ."""
    empty = np.empty(0, np.uint64), np.empty(0, np.int32), np.empty((2, 0), np.int32)
    counted = [[empty] for _ in range(max_order)]
    for start, stop in ids.blocks():
        for members, keys in sorted_rows(*ids.units(start, stop), max_order):
            for parts, rows in zip(counted, keys, strict=True):
                parts.append(_count(ids, rows, start + members))
    columns = []
    for order in range(1, max_order + 1):
        keys, segments, cells = _concatenated(counted.pop(0))
        by_key = np.argsort(keys)
        keys, segments, cells = keys[by_key], segments[by_key], cells[:, by_key]
        starts = np.flatnonzero(run_begins(keys))
        sums = np.add.reduceat(cells, starts, axis=1, dtype=np.int64)
        sizes, differs = np.diff(starts, append=len(keys)), sums[0] != sums[1]
        orders, keys = np.full(np.count_nonzero(differs), order), keys[starts[differs]]
        kept = np.repeat(differs, sizes)
        of_cells = segments[kept], cells[:, kept]
        columns.append((orders, keys, sums[:, differs], sizes[differs], *of_cells))
    orders, keys, sums, sizes, segments, cells = _concatenated(columns)
    return Counts(orders, keys, sums, offsets_of(sizes), segments, cells)


def _count(ids: TokenIds, rows: UInt64, members: Int64) -> tuple[UInt64, Int32, Int32]:
    """Count the n-grams of a sorted row of keys for each segment.

    Return keys without numbers, segments, and counts (2, cells).
    """
    kind, bits, is_ngram = ids.kind, ids.bits, rows != NOTHING
    keys, segments = rows[is_ngram], np.repeat(members, is_ngram.sum(axis=1))
    # Copies within a unit form a run; the runs of an n-gram in a segment form a group.
    runs = np.flatnonzero(run_begins(keys) | run_begins(segments))
    copies = np.diff(runs, append=len(keys))
    keys, segments = keys[runs], segments[runs]
    units, keys = keys & ~(NOTHING << bits), keys >> bits
    begins = run_begins(keys) | run_begins(segments)
    groups, group = np.flatnonzero(begins), np.cumsum(begins) - 1
    is_system = units < 2
    counts = np.zeros((2, len(groups)), np.int64)
    counts[units[is_system].view(np.int64), group[is_system]] = copies[is_system]
    most = np.maximum.reduceat(np.where(is_system, 0, copies), groups)
    matches = np.minimum(counts, most)
    counts = matches if kind == "match" else (counts if kind == "over" else most) - matches
    kept = counts.any(axis=0)
    groups = groups[kept]
    return keys[groups], segments[groups].astype(np.int32), counts[:, kept].astype(np.int32)


def _concatenated(parts: list[Any]) -> list[npt.NDArray[Any]]:
    """Concatenate the columns of several parts, which are freed one after the other."""
    columns = [*zip(*parts, strict=True)]
    parts.clear()
    return [np.concatenate(columns.pop(0), axis=-1) for _ in range(len(columns))]


def smoothed_score(more: Any, less: Any) -> Any:
    """Return the share of `more`, smoothed: with small counts, it is closer to one half."""
    return (more + 1) / (more + less + 2)


def best_ngrams(ids: TokenIds, counts: Counts, max_order: int, top: int) -> list[Phrase]:
    """List the n-grams that the first system has more often, best first.

    Join consecutive n-grams into phrases; leave out parts of phrases.
    """
    is_more = counts.cells[0] > counts.cells[1]
    phrases: list[Phrase] = []
    parts: set[tuple[int, ...]] = set()
    ranked = _ranked(counts, is_more, top)
    for (more, less, order, segment), tied in groupby(ranked, lambda row: row[:4]):
        if len(phrases) >= top:
            break
        starts, begin = ids.first_occurrences(order, segment), len(phrases)
        rows = ((*starts[key], key, ngram) for *_, key, ngram in tied)
        for row, start, key, ngram in sorted(rows):
            cells = slice(*counts.starts[ngram : ngram + 2].tolist())
            segments = np.sort(counts.segments[cells][is_more[cells]])
            phrase = Phrase((more, less), segments, row, start, order)
            if order == max_order and len(phrases) > begin and _follows(phrase, phrases[-1]):
                phrases[-1] = phrases[-1]._replace(size=phrases[-1].size + 1)
            elif (more, less, order, key) not in parts:
                phrases.append(phrase)
        for phrase in phrases[begin:]:
            tokens = ids.sources[phrase.row][phrase.start : phrase.start + phrase.size]
            for size in range(1, order):
                parts.update((more, less, size, key) for key in ids.keys(tokens, size).tolist())
    return phrases[:top]


def _ranked(counts: Counts, is_more: Mask, top: int) -> Iterator[tuple[int, ...]]:
    """Yield both counts, order, first segment, key and number of each n-gram, best first."""
    more, less = counts.sums
    ngrams, scores = np.flatnonzero(more > less), smoothed_score(more, less)
    segments = np.where(is_more, counts.segments, counts.segments.max(initial=0))
    firsts = np.minimum.reduceat(segments, counts.starts[:-1])
    columns = more, less, counts.orders, firsts, counts.keys
    while len(ngrams):
        top = min(top * _RANKED, len(ngrams))
        is_best = scores[ngrams] >= np.partition(scores[ngrams], -top)[-top]
        best, ngrams = ngrams[is_best], ngrams[~is_best]
        by = np.lexsort([column[best] for column in (firsts, -counts.orders, less - more, -scores)])
        rows = (column[best[by]].tolist() for column in columns)
        yield from zip(*rows, best[by].tolist(), strict=True)


def _follows(phrase: Phrase, last: Phrase) -> bool:
    """Tell whether an n-gram extends the last phrase by a token, in the same segments."""
    is_next = (phrase.row, phrase.start + phrase.size) == (last.row, last.start + last.size + 1)
    return is_next and np.array_equal(phrase.segments, last.segments)

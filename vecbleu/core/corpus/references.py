"""The references of all segments of a corpus of Python objects."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import Any

import numpy as np

from vecbleu.core.arrays import Int64, Mask
from vecbleu.core.kernel.ragged import offsets_of, row_offsets
from vecbleu.core.records import dataclass


@dataclass(frozen=True, slots=True)
class ReferenceLists:
    """A sequence of references for each segment."""

    lists: Sequence[Sequence[Any]]

    def each(self) -> float:
        """About how many references a segment has."""
        some = self.lists[:: max(1, len(self.lists) // 100)]
        return sum(map(len, some)) / max(1, len(some))

    def follow(self, hypotheses: Sequence[Any], segments: slice) -> tuple[list[Any], Int64]:
        """Each hypothesis followed by its references (units,); how many it has (segments,)."""
        lists = some_segments(self.lists, segments, "references")
        pairs = zip(zip(hypotheses), lists, strict=True)  # each hypothesis as a tuple of one
        units = chain.from_iterable(chain.from_iterable(pairs))
        return [*units], np.fromiter(map(len, lists), np.int64, len(lists))

    def offsets(self) -> Int64:
        """Which of all references each segment begins with (segments + 1,)."""
        return row_offsets(self.lists)

    def end_to_end(self) -> list[Any]:
        """All references."""
        return [*chain.from_iterable(self.lists)]

    def segments(self, hypotheses: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Each hypothesis with its references, for few of them."""
        return [(own, *refs) for own, refs in zip(hypotheses, self.lists, strict=True)]


@dataclass(frozen=True, slots=True)
class ParallelReferences:
    """Streams: the k-th reference of every segment."""

    streams: Sequence[Sequence[Any]]
    present: Mask | None = None  # (segments, streams): which are no None

    def each(self) -> float:
        """About how many references a segment has."""
        return len(self.streams)

    def follow(self, hypotheses: Sequence[Any], segments: slice) -> tuple[list[Any], Int64]:
        """Each hypothesis followed by its references (units,); how many it has (segments,)."""
        pieces = [some_segments(stream, segments, "references") for stream in self.streams]
        units = interleave([hypotheses, *pieces])
        if self.present is None:
            return units, np.full(len(hypotheses), len(pieces))
        present = self.present[segments]
        kept = np.insert(present, 0, True, axis=1).reshape(-1)
        return [*compress(units, kept.tolist())], present.sum(axis=1)

    def offsets(self) -> Int64:
        """Which of all references each segment begins with (segments + 1,)."""
        if self.present is None:
            return np.arange(len(self.streams[0]) + 1) * len(self.streams)
        return offsets_of(self.present.sum(axis=1))

    def end_to_end(self) -> list[Any]:
        """All references."""
        units = interleave(self.streams)
        return units if self.present is None else [*compress(units, self.present.ravel().tolist())]

    def segments(self, hypotheses: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Each hypothesis with its references, for few of them."""
        rows = zip(hypotheses, *self.streams, strict=True)
        if self.present is None:
            return [*rows]
        return [tuple(unit for unit in row if unit is not None) for row in rows]


@dataclass(frozen=True, slots=True)
class NoReferences:
    """Nothing: a corpus is then one side by itself, whose ids are wanted."""

    size: int  # segments

    def each(self) -> float:
        """None: a segment is the hypothesis alone."""
        return 0

    def follow(self, hypotheses: Sequence[Any], segments: slice) -> tuple[list[Any], Int64]:
        """The hypotheses (units,), and no reference of any (segments,)."""
        return [*hypotheses], np.zeros(len(hypotheses), np.int64)

    def offsets(self) -> Int64:
        """Zeros (segments + 1,)."""
        return np.zeros(self.size + 1, np.int64)

    def end_to_end(self) -> list[Any]:
        """Nothing."""
        return []

    def segments(self, hypotheses: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Each hypothesis by itself."""
        return [*zip(hypotheses)]


References = ReferenceLists | ParallelReferences | NoReferences


def some_segments(values: Sequence[Any], segments: slice, name: str) -> Sequence[Any]:
    """A slice of a list; ValueError if the list has become shorter since it was checked."""
    found = values[segments]
    if len(found) != segments.stop - segments.start:
        raise ValueError(
            f"{name} has shrunk to {segments.start + len(found)} segments while it was counted"
        )
    return found


def interleave(streams: Sequence[Sequence[Any]]) -> list[Any]:
    """The first values of all streams, the second ones, and so on."""
    units: list[Any] = [None] * sum(map(len, streams))
    for place, stream in enumerate(streams):
        units[place :: len(streams)] = stream
    return units

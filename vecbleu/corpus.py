"""Aligned segments of one kind, and their cutting into blocks of units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, pairwise
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from vecbleu.ragged import Int64, Ragged, offsets_of
from vecbleu.specials import NO_SPECIALS, Specials

Kind = Literal["text", "tokens", "ids"]

# Characters or tokens (both sides together) that make a block. Within a factor of 2 around these
# the time does not change; smaller blocks pay NumPy's overhead, larger ones leave the cache.
_BLOCK_SIZES: dict[Kind, int] = {"text": 1 << 20, "tokens": 1 << 17, "ids": 1 << 17}

# Segments that are looked at before it is known how long they are.
_FIRST_SEGMENTS = 1 << 10

# Hypotheses whose lengths tell about those of all.
_SAMPLE = 100

CHARACTERS_A_TOKEN = 6

# How the user calls a unit: by its segment and the place among the references, -1 the hypothesis.
Name = Callable[[int, int], str]


def name_unit(segment: int, reference: int) -> str:
    """Name a unit where references are given segment by segment."""
    if reference < 0:
        return f"hypotheses[{segment}]"
    return f"references[{segment}], reference {reference}"


@dataclass(frozen=True, slots=True)
class Block:
    """Segments as units: each hypothesis followed by its references.

    Units are strings (kind "text"), token sequences ("tokens") or a `Ragged` ("ids").
    """

    kind: Kind
    units: Sequence[Any] | Ragged
    segments: Int64  # (segments + 1,), offsets into the units
    offsets: Int64  # (units + 1,) into the tokens or characters
    first: int = 0  # number of the first segment
    name: Name = name_unit

    def __len__(self) -> int:
        return len(self.segments) - 1

    def cut(self) -> Iterator[Block]:
        """Cut at segment boundaries into parts of about the same size."""
        for start, stop in cuts(self.offsets[self.segments], self.kind):
            segments = self.segments[start : stop + 1]
            first, last = segments[0], segments[-1]
            offsets = self.offsets[first : last + 1]
            yield Block(
                self.kind,
                self.units[first:last],
                segments - first,
                offsets - offsets[0],
                self.first + start,
                self.name,
            )

    def locate(self, unit: int) -> str:
        """Name a unit as the user knows it, for an error."""
        segment = int(np.searchsorted(self.segments, unit, side="right")) - 1
        return self.name(self.first + segment, unit - int(self.segments[segment]) - 1)


class References(Protocol):
    """The references of all segments."""

    def follow(self, hypotheses: Sequence[Any], segments: slice) -> tuple[list[Any], Int64]:
        """Some hypotheses, each followed by its references; and how many references each has."""
        ...


@dataclass(frozen=True, slots=True)
class ReferenceLists:
    """A sequence of references for each segment."""

    lists: Sequence[Sequence[Any]]

    def follow(self, hypotheses: Sequence[Any], segments: slice) -> tuple[list[Any], Int64]:
        """Hypotheses and references (units,), numbers of references (segments,)."""
        lists = _piece(self.lists, segments, "references")
        counts = np.fromiter(map(len, lists), np.int64, len(lists))
        if (counts == 1).all():
            return weave([hypotheses, [*chain.from_iterable(lists)]]), counts
        pairs = zip(hypotheses, lists, strict=True)
        return [unit for hypothesis, refs in pairs for unit in (hypothesis, *refs)], counts


@dataclass(frozen=True, slots=True)
class ParallelReferences:
    """Parallel streams."""

    streams: Sequence[Sequence[str | None]]
    present: npt.NDArray[np.bool_] | None = None  # (segments, streams): which are no None

    def follow(self, hypotheses: Sequence[Any], segments: slice) -> tuple[list[Any], Int64]:
        """Hypotheses and references (units,), numbers of references (segments,)."""
        pieces = [_piece(stream, segments, "references") for stream in self.streams]
        units = weave([hypotheses, *pieces])
        if self.present is None:
            return units, np.full(len(hypotheses), len(pieces))
        present = self.present[segments]
        kept = np.insert(present, 0, True, axis=1).reshape(-1)
        return [*compress(units, kept.tolist())], present.sum(axis=1)


def _piece(values: Sequence[Any], segments: slice, name: str) -> Sequence[Any]:
    """Some of what was seen before; a list may have lost segments meanwhile."""
    piece = values[segments]
    if len(piece) != segments.stop - segments.start:
        raise ValueError(
            f"{name} has shrunk to {segments.start + len(piece)} segments while it was counted"
        )
    return piece


def weave(streams: Sequence[Sequence[Any]]) -> list[Any]:
    """The first values of all streams, the second ones, and so on."""
    units: list[Any] = [None] * sum(map(len, streams))
    for place, stream in enumerate(streams):
        units[place :: len(streams)] = stream
    return units


@dataclass(frozen=True, slots=True)
class Corpus:
    """Hypotheses, and a sequence of references for each: strings, or token sequences."""

    kind: Kind
    hypotheses: Sequence[Any]
    references: References
    name: Name = name_unit

    def __len__(self) -> int:
        return len(self.hypotheses)

    def expected_tokens(self) -> float:
        """About how many there are, by some of the hypotheses."""
        some = self.hypotheses[:: max(1, len(self) // _SAMPLE)]
        mean = sum(map(len, some)) / max(1, len(some))
        return 2 * len(self) * mean / (CHARACTERS_A_TOKEN if self.kind == "text" else 1)

    def blocks(self) -> Iterator[Block]:
        """Put units in order, about as many at a time as make a block.

        Python's lists and strings lie scattered in memory, and the first look at each costs 100 ns
        or more; what is done to them while they are in the cache takes three fifths of the time
        that it takes in passes over the whole corpus.
        """
        start, count, size = 0, _FIRST_SEGMENTS, len(self)
        while start < size:
            piece = slice(start, min(start + count, size))
            hypotheses = _piece(self.hypotheses, piece, "hypotheses")
            units, counts = self.references.follow(hypotheses, piece)
            offsets = offsets_of(np.fromiter(map(len, units), np.int64, len(units)))
            segments = offsets_of(counts + 1)
            yield from Block(self.kind, units, segments, offsets, start, self.name).cut()
            start = piece.stop
            fitting = count * _BLOCK_SIZES[self.kind] // max(int(offsets[-1]), 1)
            count = max(1, min(fitting, 4 * count))


@dataclass(frozen=True, slots=True)
class IdCorpus:
    """Hypotheses as ids, and the references of all of them one after the other."""

    hypotheses: Ragged
    references: Ragged
    owners: Int64  # (segments + 1,), offsets into the references
    specials: Specials = NO_SPECIALS
    kind: Kind = "ids"

    def __len__(self) -> int:
        return len(self.hypotheses)

    def expected_tokens(self) -> float:
        """About how many there are."""
        return self._kept() * (len(self.hypotheses.values) + len(self.references.values))

    def _kept(self) -> float:
        """About which part of the ids is no padding, by some hypotheses; above 0."""
        if not self.specials:
            return 1.0
        some = self.hypotheses[:: max(1, len(self) // _SAMPLE)]
        return (1 + np.count_nonzero(self.specials.is_token(some))) / (1 + len(some.values))

    def blocks(self) -> Iterator[Block]:
        """Put units in order, and take their padding out, block by block in the cache."""
        ends = self.hypotheses.offsets + self.references.offsets[self.owners]  # (segments + 1,)
        for start, stop in cuts(ends, "ids", self._kept()):
            owners = self.owners[start : stop + 1]
            sides = self.hypotheses[start:stop], self.references[owners[0] : owners[-1]]
            if self.specials:
                sides = self.specials.without(sides[0]), self.specials.without(sides[1])
            segments = owners - owners[0] + np.arange(stop - start + 1)
            units = Ragged.concatenate(sides).take(hypotheses_first(segments))
            yield Block("ids", units, segments, units.offsets, start)


def hypotheses_first(segments: Int64) -> Int64:
    """Where the units of segments are (units,) if all hypotheses stand before all references."""
    is_reference = np.ones(segments[-1], bool)
    is_reference[segments[:-1]] = False
    size = len(segments) - 1
    order = np.empty(segments[-1], np.int64)
    order[segments[:-1]] = np.arange(size)
    order[is_reference] = np.arange(size, segments[-1])
    return order


def cuts(ends: Int64, kind: Kind, kept: float = 1.0) -> list[tuple[int, int]]:
    """Cut segments that end at `ends` (segments + 1,) into parts, each as much as makes a block.

    `kept` is about which part of them is no padding.
    """
    parts = max(1, round(int(ends[-1]) * kept / _BLOCK_SIZES[kind]))
    steps = np.arange(1, parts) * (ends[-1] / parts)
    return [*pairwise(sorted({0, *np.searchsorted(ends[:-1], steps).tolist(), len(ends) - 1}))]


def segments_of(
    hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]
) -> Corpus | IdCorpus:
    """Align token sequences; where all are integer arrays, as ids."""
    if len(hypotheses) and all(map(is_id_row, hypotheses)):
        flat = [*chain.from_iterable(references)]
        if all(map(is_id_row, flat)):
            counts = np.fromiter(map(len, references), np.int64, len(references))
            sides = Ragged.from_arrays(hypotheses), Ragged.from_arrays(flat)
            return IdCorpus(*sides, offsets_of(counts))
    return Corpus("tokens", hypotheses, ReferenceLists(references))


def is_id_row(value: Any) -> bool:
    """Whether a value is a row of ids; what int64 may not hold is interned token by token."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 1
        and value.dtype.kind in "iu"
        and (value.dtype != np.uint64 or value.max(initial=0) < 2**63)
    )

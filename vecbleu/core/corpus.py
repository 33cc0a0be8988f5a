"""Hold aligned segments, and cut them into blocks of arrays that any process can count."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from functools import partial
from itertools import chain, count, pairwise
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np

from vecbleu.arguments.errors import ArgumentTypeError, Place
from vecbleu.core.block import Block, WorkEstimate
from vecbleu.core.metric import AnyMetric
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.plain import Tokens
from vecbleu.kernel.ragged import Ragged, cuts, lengths_of, offsets_of, row_offsets, row_with
from vecbleu.text.text import Text
from vecbleu.text.tokens import JoinedTokens, UnitKind, encode_tokens, hashed

# Size of a block, both sides together. Half or twice the size takes the same time; much smaller
# blocks pay NumPy's overhead, much larger ones do not fit in the cache.
BLOCK_CHARACTERS = 1 << 20
BLOCK_TOKENS = 1 << 17

# Segments measured in the first step of `Corpus.blocks`; later steps adapt to their lengths.
FIRST_SEGMENTS = 1 << 12

MEAN_CHARACTERS = 6  # of a token, to estimate work

# References looked at to see whether they repeat.
_SAMPLE = 256

# Units measured to estimate the size of a side.
_MEASURED = 100

Unit = TypeVar("Unit")

# Returns where the user passed a unit, given its segment and its reference, or HYPOTHESIS.
PlaceOf = Callable[[int, int], Place]
HYPOTHESIS = -1


class Countable(Protocol):
    """Input that can be counted: a corpus, files, or hypotheses with prepared references."""

    @property
    def is_text(self) -> bool:
        """Whether the units are text, which has to be encoded."""

    def references_each(self) -> int | str | None:
        """Return the number of references of each segment; "var" if it differs, None if empty."""

    def metric_for(self, metric: AnyMetric) -> AnyMetric:
        """Return the metric that counts these blocks; prepared references have their own."""

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""

    def blocks(self) -> Generator[Block]:
        """Yield all segments in blocks, in order."""


class Corpus:
    """Hypotheses, and the references of all segments end to end.

    The references of segment ``i`` are ``references[offsets[i]:offsets[i + 1]]``. There is a class
    for each kind of units.
    """

    is_text: ClassVar[bool] = False

    def __init__(
        self, hypotheses: Any, references: Any, offsets: Int64, place_of: PlaceOf | None = None
    ) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.offsets = offsets
        self.place_of = place_of  # None for usual arguments

    @classmethod
    def alone(cls, units: Any, place_of: PlaceOf | None = None) -> Self:
        """Make a corpus of one side: its units are hypotheses without references."""
        return cls(units, units[:0], np.zeros(len(units) + 1, np.int64), place_of)

    @classmethod
    def of_lists(
        cls, hypotheses: Any, lists: Sequence[Any], place_of: PlaceOf | None = None
    ) -> Self:
        """Make a corpus of hypotheses and, for each, a sequence of references."""
        return cls(hypotheses, list(chain.from_iterable(lists)), row_offsets(lists), place_of)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def references_each(self) -> int | str | None:
        """Return the number of references of each segment; "var" if it differs, None if empty."""
        size = len(self)
        if not size:
            return None
        if size == len(self.references):  # each segment has one at least
            return 1
        counts = lengths_of(self.offsets)
        return int(counts[0]) if (counts == counts[0]).all() else "var"

    def metric_for(self, metric: AnyMetric) -> AnyMetric:
        """Return the metric itself."""
        return metric

    def plain_units(self, most: int) -> list[Any] | None:
        """Return all units, hypotheses first, if they have at most so many characters or tokens.

        Return None, too, if there are tokens that dictionaries do not compare as arrays do.
        """
        if len(self.hypotheses) + len(self.references) > most:
            return None
        units = [*self.hypotheses, *self.references]
        if not units or sum(map(len, units)) > most:
            return None
        parts = units if self.is_text else chain.from_iterable(units)
        return units if set(map(type, parts)) <= {str, int} else None

    def locate(self, unit: int) -> Place:
        """Return where a unit is, given its index among all hypotheses, then all references."""
        if unit < len(self):
            return self._place(unit, HYPOTHESIS)
        reference = unit - len(self)
        segment = row_with(self.offsets, reference)
        return self._place(segment, reference - int(self.offsets[segment]))

    def _place(self, segment: int, reference: int) -> Place:
        """Return where a unit is, given its segment and its reference, or HYPOTHESIS."""
        if self.place_of is not None:
            return self.place_of(segment, reference)
        if reference == HYPOTHESIS:
            return "hypotheses", segment
        first, end = self.offsets[segment : segment + 2]
        # A single one may stand by itself, and not in a list.
        return ("references", segment, reference) if end - first > 1 else ("references", segment)

    def reference_hashes(self) -> Int64:
        """Hash the references of each segment; for few segments."""
        return self.block(0, len(self)).with_hashes()[1]

    def references_alone(self) -> Self:
        """Return the references of all segments as a corpus of one side."""
        size = len(self)
        return self.alone(self.references, lambda index, _: self.locate(size + index))

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""
        size = self._size(self.hypotheses) + self._size(self.references)
        tokens = size / MEAN_CHARACTERS if self.is_text else size
        return WorkEstimate(tokens, len(self), "segments")

    def blocks(self) -> Generator[Block]:
        """Yield blocks of text, tokens or ids; text becomes ids later, in any process.

        Each block is measured and made while its units are in the cache.
        """
        start = 0
        count = FIRST_SEGMENTS
        size = len(self)
        limit = BLOCK_CHARACTERS if self.is_text else BLOCK_TOKENS
        while start < size:
            stop = min(start + count, size)
            hyps, refs, reference_offsets = self._units(start, stop)
            size_before = offsets_of(self._lengths(hyps))  # (segments + 1,)
            size_before += offsets_of(self._lengths(refs))[reference_offsets]
            for first, last in cuts(size_before, limit):
                yield self.block(start + first, start + last)
            fitting = count * limit // max(int(size_before[-1]), 1)
            start = stop
            count = max(1, min(fitting, 4 * count))

    def block(self, start: int, stop: int) -> Block:
        """Make a block of the segments from `start` to `stop`."""
        hyps, refs, reference_offsets = self._units(start, stop)
        segments = reference_offsets + np.arange(stop - start + 1)
        ordered, places = self._ordered(hyps, refs, segments)
        locate = partial(self._locate, start, segments, places)
        try:
            units, kind = self._encoded(ordered)
        except ArgumentTypeError as error:
            error.name_unit(locate)
            raise
        return Block(units, segments, len(hyps), places, kind, locate=locate)

    def _ordered(self, hyps: Any, refs: Any, segments: Int64) -> tuple[Any, Int64 | None]:
        """Return the units of a block, and their places; see `Block` for these and `segments`."""
        return in_order(hyps, refs, segments, id)

    def _encoded(self, units: Any) -> tuple[Any, UnitKind]:
        """Return units as a block has them, and their kind."""
        raise NotImplementedError

    def _lengths(self, units: Any) -> Int64:
        """Return the characters or tokens of each unit (units,)."""
        return np.fromiter(map(len, units), np.int64, len(units))

    def _units(self, start: int, stop: int) -> tuple[Any, Any, Int64]:
        """Return hypotheses, references and reference offsets of segments `start` to `stop`."""
        offsets = self.offsets[start : stop + 1]
        refs = self.references[offsets[0] : offsets[-1]]
        return self.hypotheses[start:stop], refs, offsets - offsets[0]

    def _locate(self, start: int, segments: Int64, places: Int64 | None, unit: int) -> Place:
        """Return where a unit of a block is, at first if segments share it."""
        if places is not None:
            unit = int(np.flatnonzero(places == unit)[0])
        segment = row_with(segments, unit)
        return self._place(start + segment, unit - int(segments[segment]) - 1)  # -1: HYPOTHESIS

    def _size(self, units: Any) -> float:
        """Estimate the number of characters or tokens from a sample of the units."""
        lengths = self._lengths(units[:: max(1, len(units) // _MEASURED)])
        return len(units) * float(lengths.sum()) / max(1, len(lengths))


class TextCorpus(Corpus):
    """A corpus of strings."""

    is_text = True

    def _ordered(
        self, hyps: Sequence[str], refs: Sequence[str], segments: Int64
    ) -> tuple[list[str], Int64 | None]:
        # Ordering strings takes less time than ordering their characters, for chrF and "char".
        return in_order(hyps, refs, segments, str.__str__)

    def _encoded(self, units: Sequence[str]) -> tuple[Text, UnitKind]:
        return Text.from_strings(units), UnitKind.TEXT


class TokenCorpus(Corpus):
    """A corpus of sequences of hashable tokens."""

    def _encoded(self, units: Sequence[Tokens]) -> tuple[JoinedTokens | Ragged, UnitKind]:
        return encode_tokens(units)


class IdCorpus(Corpus):
    """A corpus of integer ids; its sides are `Ragged`."""

    def _ordered(self, hyps: Ragged, refs: Ragged, segments: Int64) -> tuple[Ragged, Int64]:
        return Ragged.concatenate([hyps, refs]), hypotheses_first(segments)

    def _encoded(self, rows: Ragged) -> tuple[Ragged, UnitKind]:
        return Ragged(hashed(rows.values), rows.offsets), UnitKind.INTEGERS

    def plain_units(self, most: int) -> list[Any] | None:
        """Return all units as lists, hypotheses first, if they have at most so many ids."""
        sides = self.hypotheses, self.references
        if not 0 < sum(map(len, sides)) <= most or sum(len(side.values) for side in sides) > most:
            return None
        return [row.tolist() for side in sides for row in side]

    def _lengths(self, units: Ragged) -> Int64:
        return units.lengths


def grouped(units: list[Unit], offsets: list[int]) -> tuple[list[Unit], list[list[Unit]]]:
    """Return the hypotheses, and the references of each; see `Metric.count_plain`."""
    size = len(offsets) - 1
    return units[:size], [units[size + low : size + high] for low, high in pairwise(offsets)]


def in_order(
    hyps: Sequence[Unit],
    refs: Sequence[Unit],
    segments: Int64,
    key: Callable[[Unit], Hashable],
) -> tuple[list[Unit], Int64 | None]:
    """Return units with each hypothesis right before its references, and no places.

    If references repeat, as those of samples of one prompt, return hypotheses, then distinct
    references, and the places of both. `segments` and places are those of a `Block`.
    """
    sample = refs[:_SAMPLE]
    if 2 * len(set(map(key, sample))) <= len(sample) > 0:
        keys = list(map(key, refs))
        distinct = dict(zip(keys, refs, strict=True))
        numbers = dict(zip(distinct, count(len(hyps)), strict=False))
        places = hypotheses_first(segments)
        places[places >= len(hyps)] = list(map(numbers.__getitem__, keys))
        return [*hyps, *distinct.values()], places
    units = [*hyps, *refs]
    each = len(refs) // max(len(hyps), 1)
    if (segments != np.arange(len(segments)) * (1 + each)).any():
        return list(map(units.__getitem__, hypotheses_first(segments).tolist())), None
    units[:: 1 + each] = hyps
    for reference in range(each):  # a fifth of the time
        units[1 + reference :: 1 + each] = refs[reference::each]
    return units, None


def hypotheses_first(segments: Int64) -> Int64:
    """Return the places of the units of a block whose hypotheses precede all references.

    Example: segments [0, 3, 5] of the units h0 h1 r0 r1 r2 have the places [0, 2, 3, 1, 4].
    """
    is_hypothesis = np.zeros(segments[-1], bool)
    is_hypothesis[segments[:-1]] = True
    places = np.empty(len(is_hypothesis), np.int64)
    size = len(segments) - 1
    places[is_hypothesis] = np.arange(size)
    places[~is_hypothesis] = np.arange(size, len(places))
    return places

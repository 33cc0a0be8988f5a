"""sacreBLEU's layout, streams of references: checked, tokenized and kept for several systems.

Every TypeError and ValueError about streams is raised here, naming the stream and the segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.corpus import Corpus
from vecbleu.pipeline import Counting
from vecbleu.ragged import Int64, Ragged, offsets_of
from vecbleu.statistics import Statistics
from vecbleu.text import Text
from vecbleu.tokenizers import UnitError


@dataclass(frozen=True, slots=True)
class _Block:
    """The references of some segments: as strings, or tokenized, to be kept."""

    first: int  # number of the first segment
    units: Sequence[str] | Ragged
    counts: Int64  # (segments,), references of each


class Streams:
    """References that systems are counted against.

    Parameters
    ----------
    references : sequence (streams,) of sequences (segments,) of str or None
        None where a stream has no reference of a segment.
    counting : Counting, optional
        How they are tokenized, to be kept for any number of systems. Otherwise they are tokenized
        together with each system, which for the first one takes less.
    """

    def __init__(self, references: Any, counting: Counting | None = None) -> None:
        streams = _checked_streams(references)
        self.size = len(streams[0])  # segments
        units = [*chain.from_iterable(zip(*streams, strict=True))]
        self._present = np.ones((self.size, len(streams)), bool)
        if any(None in stream for stream in streams):
            self._present = np.array([unit is not None for unit in units]).reshape(-1, len(streams))
            units = [unit for unit in units if unit is not None]
        counts = self._present.sum(axis=1)
        for segment in np.flatnonzero(counts == 0)[:1]:
            raise ValueError(f"references has no reference of segment {segment}: all are None")
        # References a segment; -1 if not all segments have as many.
        self.number = int(counts[0]) if self.size and (counts == counts[0]).all() else -1
        self._blocks = [
            _Block(block.first, [*block.units], np.diff(block.segments))
            for block in Corpus("text", units, offsets_of(counts)).blocks()
        ]
        if counting is not None:
            self._blocks = [self._tokenized(block, counting) for block in self._blocks]

    def count(self, hypotheses: Any, counting: Counting) -> Statistics:
        """Statistics of a system: one row a segment."""
        hypotheses = _checked_hypotheses(hypotheses)
        if len(hypotheses) != self.size:
            raise ValueError(
                f"hypotheses has {len(hypotheses)} segments but references has streams of "
                f"{self.size}{self._advice(len(hypotheses))}"
            )
        return counting.gather(self._count(block, hypotheses, counting) for block in self._blocks)

    def _advice(self, segments: int) -> str:
        """Recognize one list of references for each segment."""
        if self._present.shape[1] == segments > 0:
            return "; it looks transposed ([segment][reference]): pass list(zip(*references))"
        return ""

    def _tokenized(self, block: _Block, counting: Counting) -> _Block:
        """The same block as ids."""
        numbers = np.arange(len(block.units)) + len(block.counts)
        return replace(block, units=self._ids(block.units, numbers, block, counting))

    def _count(self, block: _Block, hypotheses: Sequence[str], counting: Counting) -> Statistics:
        """Statistics of one block: its hypotheses, put before their references."""
        size = len(block.counts)
        segments = offsets_of(block.counts + 1)
        order = np.empty(segments[-1], np.int64)  # hypotheses are numbered before references
        is_reference = np.ones(segments[-1], bool)
        is_reference[segments[:-1]] = False
        order[segments[:-1]] = np.arange(size)
        order[is_reference] = np.arange(size, segments[-1])
        units: Sequence[Any] = hypotheses[block.first : block.first + size]
        if isinstance(block.units, Ragged):
            ids = self._ids(units, np.arange(size), block, counting)
            ids = Ragged.concatenate([ids, block.units]).take(order)
        else:
            units = [*units, *block.units]
            ids = self._ids([units[number] for number in order.tolist()], order, block, counting)
        return counting.count(ids, segments)

    def _ids(self, strings: Any, numbers: Int64, block: _Block, counting: Counting) -> Ragged:
        """Tokenize strings of the given numbers in a block; an error names the string."""
        try:
            return counting.text_ids(Text.from_strings(strings))
        except UnitError as error:
            name = self._name(block, int(numbers[error.unit]))
            raise TypeError(f"{name}: {error}") from None

    def _name(self, block: _Block, number: int) -> str:
        """What the user calls a string of a block."""
        size = len(block.counts)
        if number < size:
            return f"hypotheses[{block.first + number}]"
        offsets = offsets_of(block.counts)
        segment = int(np.searchsorted(offsets, number - size, "right")) - 1
        present = np.flatnonzero(self._present[block.first + segment])
        stream = present[number - size - offsets[segment]]
        return f"references[{stream}][{block.first + segment}]"


def _checked_hypotheses(hypotheses: Any) -> list[str]:
    """A list of strings."""
    if not _is_listing(hypotheses):
        raise TypeError(f"hypotheses is {type(hypotheses).__name__}, expected a list of strings")
    listed = [*hypotheses]
    if (wrong := _first_other(listed, str)) is not None:
        found = type(listed[wrong]).__name__
        raise TypeError(f"hypotheses[{wrong}] is {found}, expected a string")
    if not listed:
        raise ValueError("hypotheses has 0 segments; there is nothing to score")
    return listed


def _checked_streams(references: Any) -> list[list[str | None]]:
    """Streams of one length, of strings and None."""
    if not _is_listing(references):
        raise TypeError(
            f"references is {type(references).__name__}, expected streams: a list for each "
            "reference, of a string or None for each segment"
        )
    streams = [_checked_stream(stream, number) for number, stream in enumerate(references)]
    if not streams:
        raise ValueError("references has 0 streams, expected at least one")
    for number, stream in enumerate(streams):
        if len(stream) != len(streams[0]):
            raise ValueError(
                f"references[{number}] has {len(stream)} segments but references[0] has "
                f"{len(streams[0])}; pad with None where a stream has no reference, or, if these "
                "are lists for each segment, pass list(itertools.zip_longest(*references))"
            )
    return streams


def _checked_stream(stream: Any, number: int) -> list[str | None]:
    """One stream."""
    if isinstance(stream, (str, bytes)):
        raise TypeError(
            f"references[{number}] is a single {type(stream).__name__}; expected a stream, a "
            "string for each segment: pass [references]"
        )
    if not _is_listing(stream):
        raise TypeError(f"references[{number}] is {type(stream).__name__}, expected a stream")
    listed = list(stream)
    if (wrong := _first_other(listed, (str, type(None)))) is not None:
        found = type(listed[wrong]).__name__
        raise TypeError(f"references[{number}][{wrong}] is {found}, expected a string or None")
    return listed


def _is_listing(value: Any) -> bool:
    """Whether a value can be gone through in an order that means something."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, AbstractSet))


def _first_other(values: Sequence[Any], types: Any) -> int | None:
    """Place of the first value of none of the types; the set of all types is quickly had."""
    if all(issubclass(kind, types) for kind in set(map(type, values))):
        return None
    return next(place for place, value in enumerate(values) if not isinstance(value, types))

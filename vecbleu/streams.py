"""sacreBLEU's layout, streams of references: checked, tokenized and kept for several systems.

Every TypeError and ValueError about streams is raised here, naming the stream and the segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
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
    """The references of some segments, as ids."""

    first: int  # number of the first segment
    units: Ragged
    counts: Int64  # (segments,), references of each


class Streams:
    """References that any number of systems are counted against, tokenized once.

    Parameters
    ----------
    references : sequence (streams,) of sequences (segments,) of str or None
        None where a stream has no reference of a segment.
    counting : Counting
        How they are tokenized.
    """

    def __init__(self, references: Any, counting: Counting) -> None:
        streams = _checked_streams(references)
        self.size = len(streams[0])  # segments
        self._streams = len(streams)
        self.counts = np.full(self.size, len(streams))  # (segments,), references of each
        units = [*chain.from_iterable(zip(*streams, strict=True))]
        if any(None in stream for stream in streams):
            present = np.array([unit is not None for unit in units]).reshape(-1, len(streams))
            self.counts = present.sum(axis=1)
            units = [unit for unit in units if unit is not None]
        for segment in np.flatnonzero(self.counts == 0)[:1]:
            raise ValueError(f"references has no reference of segment {segment}: all are None")
        self._blocks = [
            _Block(block.first, _block_ids(block, streams, counting), np.diff(block.segments))
            for block in Corpus("text", units, offsets_of(self.counts)).blocks()
        ]

    @property
    def number(self) -> int:
        """References a segment; -1 if not all segments have as many."""
        numbers = set(self.counts.tolist())
        return numbers.pop() if len(numbers) == 1 else -1

    def count(self, hypotheses: Any, counting: Counting) -> Statistics:
        """Statistics of a system: one row a segment."""
        hypotheses = _checked_hypotheses(hypotheses)
        if len(hypotheses) != self.size:
            raise ValueError(
                f"hypotheses has {len(hypotheses)} segments but references has streams of "
                f"{self.size}{self._advice(len(hypotheses))}"
            )
        return counting.gather(_count_block(block, hypotheses, counting) for block in self._blocks)

    def _advice(self, segments: int) -> str:
        """Recognize one list of references for each segment."""
        if self._streams == segments > 0:
            return "; it looks transposed ([segment][reference]): pass list(zip(*references))"
        return ""


def _block_ids(block: Corpus, streams: Sequence[Sequence[Any]], counting: Counting) -> Ragged:
    """Tokenize a block of references; an error names the stream."""
    try:
        return counting.text_ids(Text.from_strings([*block.units]))
    except UnitError as error:
        segment = block.first + int(np.searchsorted(block.segments, error.unit, "right")) - 1
        place = error.unit - int(block.segments[segment - block.first])
        present = [k for k, stream in enumerate(streams) if stream[segment] is not None]
        raise TypeError(f"references[{present[place]}][{segment}]: {error}") from None


def _count_block(block: _Block, hypotheses: Sequence[str], counting: Counting) -> Statistics:
    """Statistics of one block: its hypotheses, put before their references."""
    size = len(block.counts)
    try:
        text = Text.from_strings(hypotheses[block.first : block.first + size])
        ids = counting.text_ids(text)
    except UnitError as error:
        raise TypeError(f"hypotheses[{block.first + error.unit}]: {error}") from None
    segments = offsets_of(block.counts + 1)
    order = np.empty(segments[-1], np.int64)
    is_reference = np.ones(segments[-1], bool)
    is_reference[segments[:-1]] = False
    order[segments[:-1]] = np.arange(size)
    order[is_reference] = np.arange(size, segments[-1])
    return counting.count(Ragged.concatenate([ids, block.units]).take(order), segments)


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

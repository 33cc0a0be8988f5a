"""sacreBLEU's layout, streams of references: checked, tokenized and kept for several systems.

Every TypeError and ValueError about streams is raised here, naming the stream and the segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from vecbleu.corpus import Block, Corpus, ParallelReferences, hypotheses_first, name_unit, weave
from vecbleu.hashing import SEED
from vecbleu.inputs import complete_values, is_column, values_of
from vecbleu.parallel import Extent, Labor
from vecbleu.pipeline import Counting, Packed, count_corpus, map_located
from vecbleu.ragged import Int64, Ragged, offsets_of
from vecbleu.statistics import Statistics
from vecbleu.tokenizers import UnitError


@dataclass(frozen=True, slots=True)
class _Kept:
    """The references of some segments, tokenized."""

    first: int  # number of the first segment
    units: Ragged
    counts: Int64  # (segments,), references of each

    def hypotheses(self, strings: Sequence[str]) -> Block:
        """The hypotheses of these segments, each a segment of its own."""
        size = len(self.counts)
        own = strings[self.first : self.first + size]
        lengths = np.fromiter(map(len, own), np.int64, size)
        return Block("text", own, np.arange(size + 1), offsets_of(lengths), self.first)

    def locate(self, unit: int) -> str:
        """Name a hypothesis."""
        return name_unit(self.first + unit, -1)


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
        self._streams = streams
        self._present = np.ones((self.size, len(streams)), bool)
        for number, stream in enumerate(streams):
            if None in stream:
                self._present[:, number] = [one is not None for one in stream]
        counts = self._present.sum(axis=1)
        for segment in np.flatnonzero(counts == 0)[:1]:
            raise ValueError(f"references has no reference of segment {segment}: all are None")
        # References a segment; -1 if not all segments have as many.
        self.number = int(counts[0]) if self.size and (counts == counts[0]).all() else -1
        self._counting = counting
        self._kept = None if counting is None else [*self._tokenized(counting)]

    def __getstate__(self) -> dict[str, Any]:
        """What another process can use, by the seed that the kept ids are made with."""
        return self.__dict__ | {"seed": SEED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        seed = state.pop("seed")
        self.__dict__.update(state)
        if self._counting is not None and seed != SEED:
            self._kept = [*self._tokenized(self._counting)]

    def count(self, hypotheses: Any, counting: Counting) -> Statistics:
        """Statistics of a system: one row a segment."""
        hypotheses = _checked_hypotheses(hypotheses)
        if len(hypotheses) != self.size:
            raise ValueError(
                f"hypotheses has {len(hypotheses)} segments but references has streams of "
                f"{self.size}{self._advice(len(hypotheses))}"
            )
        if self._kept is None:
            present = None if self._present.all() else self._present
            references = ParallelReferences(self._streams, present)
            corpus = Corpus("text", hypotheses, references, self._name)
            return counting.gather(count_corpus(corpus, counting))
        tokens = 2.0 * sum(len(kept.units.values) for kept in self._kept)
        counted = map_located(
            partial(_count_kept, counting.for_packed()),
            lambda kept: (kept.counts, kept.units, counting.pack(kept.hypotheses(hypotheses))),
            self._kept,
            Labor(),
            Extent(tokens, self.size, "segments", lambda kept: len(kept.counts)),
        )
        return counting.gather(counted)

    def _advice(self, segments: int) -> str:
        """Recognize one list of references for each segment."""
        if self._present.shape[1] == segments > 0:
            return "; it looks transposed ([segment][reference]): pass list(zip(*references))"
        return ""

    def _tokenized(self, counting: Counting) -> Iterator[_Kept]:
        """Blocks of the references as ids."""
        counts = self._present.sum(axis=1)
        units = [unit for unit in weave(self._streams) if unit is not None]
        sizes = np.fromiter(map(len, units), np.int64, len(units))
        whole = Block("text", units, offsets_of(counts), offsets_of(sizes), 0, self._name_reference)
        for block in whole.cut():
            try:
                ids = counting.ids(counting.pack(block)[0])
            except UnitError as error:
                raise TypeError(f"{block.locate(error.unit)}: {error}") from None
            yield _Kept(block.first, ids, np.diff(block.segments))

    def _name(self, segment: int, reference: int) -> str:
        """What the user calls the k-th present reference of a segment; -1 is its hypothesis."""
        if reference < 0:
            return name_unit(segment, reference)
        return f"references[{np.flatnonzero(self._present[segment])[reference]}][{segment}]"

    def _name_reference(self, segment: int, place: int) -> str:
        """The same in a block of references alone, where the first one has a hypothesis' place."""
        return self._name(segment, place + 1)


def _count_kept(counting: Counting, task: tuple[Int64, Ragged, Packed]) -> Statistics:
    """Statistics of packed hypotheses, put before their kept references."""
    counts, references, (hypotheses, _) = task
    segments = offsets_of(counts + 1)
    units = Ragged.concatenate([counting.ids(hypotheses), references])
    units = units.take(hypotheses_first(segments))
    return counting.count(units, segments)


def _checked_hypotheses(hypotheses: Any) -> list[str]:
    """A list of strings."""
    if not _is_listing(hypotheses):
        raise TypeError(f"hypotheses is {type(hypotheses).__name__}, expected a list of strings")
    listed = complete_values(hypotheses, "hypotheses") if is_column(hypotheses) else [*hypotheses]
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
    name = f"references[{number}]"
    listed = values_of(stream, name) if is_column(stream) else list(stream)
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

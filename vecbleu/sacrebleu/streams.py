"""References as sacreBLEU takes them, in streams: checked, and tokenized once for many systems.

Every TypeError and ValueError about streams is raised here, naming the stream and the segment.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import repeat
from operator import is_not
from typing import Any, ClassVar

import numpy as np

from vecbleu.core.arrays import Mask
from vecbleu.core.corpus import blocks, sizes
from vecbleu.core.corpus.blocks import Corpus
from vecbleu.core.corpus.layouts import HypothesesFirst
from vecbleu.core.corpus.lists import TextCorpus
from vecbleu.core.corpus.references import NoReferences, ParallelReferences
from vecbleu.core.corpus.shared import PreparedReferences, SharedCorpus
from vecbleu.core.inputs import complete_values, is_column, refuse_frame, values_of
from vecbleu.core.inputs.types import Column
from vecbleu.core.kernel.hashing import SEED
from vecbleu.core.kernel.ragged import Ragged, cuts, row_offsets
from vecbleu.core.options import CountOptions
from vecbleu.core.records import dataclass, replace
from vecbleu.core.text.spans import UnitError
from vecbleu.core.text.text import Text

_STREAMS = "streams: a list for each reference, of a string or None for each segment"

# One string for each segment, and as many of these as there are references.
Hypotheses = Iterable[str] | Column
Streams = Iterable[Iterable[str | None] | Column] | PreparedReferences


@dataclass(frozen=True, slots=True)
class _Units:
    """Hypotheses that are still to be hashed, and the hashed tokens of all their references."""

    hypotheses: blocks.Units
    references: Ragged

    def ids(self) -> Ragged:
        """The ids of both."""
        return Ragged.concatenate([self.hypotheses.ids(), self.references])


@dataclass(frozen=True, slots=True, eq=False)
class _TokenizedBlock(blocks.SegmentBlock):
    """Some segments: the ids of their references and, while it is counted, a system's strings."""

    references: Ragged
    hypotheses: Sequence[str] = ()

    def units(self, options: CountOptions) -> blocks.Units:
        """Encode the hypotheses."""
        hypotheses = blocks.text_units(Text.from_strings(self.hypotheses), options)
        return _Units(hypotheses, self.references)


@dataclass(frozen=True, slots=True)
class _TokenizedCorpus:
    """A system against references that are tokenized already."""

    is_text: ClassVar[bool] = True

    hypotheses: Sequence[str]
    references: Sequence[_TokenizedBlock]

    def estimate(self) -> blocks.WorkEstimate:
        """As many tokens as there are in the references, twice."""
        tokens = 2.0 * sum(len(block.references.values) for block in self.references)
        return blocks.WorkEstimate(tokens, len(self.hypotheses), "segments")

    def blocks(self) -> Generator[_TokenizedBlock]:
        """The references with the system's strings."""
        for block in self.references:
            own = self.hypotheses[block.first : block.first + block.size]
            yield replace(block, hypotheses=own)


class ReferenceStreams:
    """References that systems are counted against.

    Parameters
    ----------
    references : iterable (streams,) of iterables (segments,) of str or None
        None where a stream has no reference of a segment.
    options : CountOptions, optional
        How they are tokenized, once for any number of systems. Otherwise they are tokenized
        together with each system, which takes less time for the first one.
    """

    def __init__(self, references: Any, options: CountOptions | None = None) -> None:
        self._streams = _checked_streams(references)
        self._size = len(self._streams[0])  # segments
        self._present = _present(self._streams)
        # References a segment; -1 if not all segments have as many.
        self.number = len(self._streams) if self._size else -1
        if self._present is not None:
            counts = self._present.sum(axis=1)
            for segment in np.flatnonzero(counts == 0)[:1]:
                raise ValueError(f"references has no reference of segment {segment}: all are None")
            self.number = int(counts[0]) if (counts == counts[0]).all() else -1
        self._options = options
        self._tokenized = None if options is None else [*self._tokenize(options)]

    def __getstate__(self) -> dict[str, Any]:
        """What another process can use, and the seed that the ids were hashed with."""
        return self.__dict__ | {"seed": SEED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        seed = state.pop("seed")
        self.__dict__.update(state)
        if seed != SEED:  # not before they are used: the user's tokenizer may not be there yet
            self._tokenized = None

    def __len__(self) -> int:
        return self._size

    def segments(self) -> list[list[str]]:
        """The references of each segment that it has."""
        rows = zip(*self._streams, strict=True)
        return [[one for one in row if one is not None] for row in rows]

    def corpus(self, hypotheses: Sequence[str]) -> Corpus:
        """A system's checked hypotheses, aligned with the references."""
        if len(hypotheses) != self._size:
            is_transposed = len(self._streams) == len(hypotheses) > 0
            advice = "; it looks transposed ([segment][reference]): pass list(zip(*references))"
            raise ValueError(
                f"hypotheses has {len(hypotheses)} segments but references has streams of "
                f"{self._size}{advice if is_transposed else ''}"
            )
        if self._options is not None:
            self._tokenized = self._tokenized or [*self._tokenize(self._options)]
            return _TokenizedCorpus(hypotheses, self._tokenized)
        references = ParallelReferences(self._streams, self._present)
        return TextCorpus(hypotheses, references, self._name)

    def _tokenize(self, options: CountOptions) -> Generator[_TokenizedBlock]:
        """Blocks of the references as ids."""
        references = ParallelReferences(self._streams, self._present)
        units, offsets = references.end_to_end(), references.offsets()
        for start, stop in cuts(row_offsets(units)[offsets], sizes.BLOCK_CHARACTERS):
            own = offsets[start : stop + 1]
            layout = HypothesesFirst(own - own[0])
            try:
                ids = blocks.text_units(Text.from_strings(units[own[0] : own[-1]]), options).ids()
            except UnitError as error:
                segment, reference = layout.locate(len(layout) + error.unit)
                name = self._name(start + segment, reference)
                raise TypeError(f"{name}: {error}") from None
            yield _TokenizedBlock(start, layout, ids)

    def _name(self, segment: int, reference: int) -> str:
        """What the user calls the k-th present reference of a segment; -1 is its hypothesis."""
        if reference < 0:
            return blocks.name_unit(segment, reference)
        numbers = [k for k, stream in enumerate(self._streams) if stream[segment] is not None]
        return f"references[{numbers[reference]}][{segment}]"


class SharedStreams:
    """References that all hypotheses share, in place of streams of them.

    Parameters
    ----------
    references : PreparedReferences
        Strings.
    """

    def __init__(self, references: PreparedReferences) -> None:
        if not references.side.is_text:
            raise TypeError("references holds no strings; sacreBLEU scores text")
        self._references = references
        self.number = len(references)

    def corpus(self, hypotheses: Sequence[str]) -> Corpus:
        """A system's checked hypotheses with the references."""
        side = TextCorpus(hypotheses, NoReferences(len(hypotheses)))
        return SharedCorpus(side, self._references)


def streams_of(
    references: Streams, options: CountOptions | None = None
) -> ReferenceStreams | SharedStreams:
    """References as the user passed them; with options, tokenized once."""
    if isinstance(references, PreparedReferences):
        return SharedStreams(references)
    return ReferenceStreams(references, options)


def check_listings(hypotheses: Any, references: Any) -> None:
    """TypeError unless hypotheses, and references if there are any, can be read in order."""
    _check_listing(hypotheses, "hypotheses", "a list of strings")
    if not (references is None or isinstance(references, PreparedReferences)):
        _check_listing(references, "references", _STREAMS)


def checked_hypotheses(hypotheses: Any) -> list[str]:
    """A list of strings."""
    _check_listing(hypotheses, "hypotheses", "a list of strings")
    listed = complete_values(hypotheses, "hypotheses") if is_column(hypotheses) else [*hypotheses]
    _check_strings(listed, "hypotheses")
    if not listed:
        raise ValueError("hypotheses has 0 segments; there is nothing to score")
    return listed


def check_references(references: Any) -> None:
    """TypeError unless the references of one segment are a sequence of strings and None."""
    if isinstance(references, PreparedReferences):
        return
    if isinstance(references, str) or not isinstance(references, Sequence):
        kind = "a single string" if isinstance(references, str) else type(references).__name__
        raise TypeError(f"references is {kind}, expected a sequence of strings")
    _check_strings(references, "references", or_none=True)


def _present(streams: Sequence[Sequence[str | None]]) -> Mask | None:
    """Mask what is no None (segments, streams); None if all is there."""
    if not any(None in stream for stream in streams):
        return None
    return np.array([[*map(is_not, stream, repeat(None))] for stream in streams]).T


def _checked_streams(references: Any) -> list[list[str | None]]:
    """Streams of one length, of strings and None."""
    _check_listing(references, "references", _STREAMS)
    streams = [_checked_stream(stream, f"references[{k}]") for k, stream in enumerate(references)]
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


def _checked_stream(stream: Any, name: str) -> list[str | None]:
    """One stream."""
    if isinstance(stream, (str, bytes)):
        raise TypeError(
            f"{name} is a single {type(stream).__name__}; expected a stream, a string for each "
            "segment: pass [references]"
        )
    _check_listing(stream, name, "a stream")
    listed = values_of(stream, name) if is_column(stream) else [*stream]
    _check_strings(listed, name, or_none=True)
    return listed


def _check_listing(value: Any, name: str, expected: str) -> None:
    """TypeError unless a value is iterable in an order that means something."""
    if isinstance(value, (list, tuple)):
        return
    refuse_frame(value, name)
    others = (str, bytes, memoryview, Mapping, AbstractSet)
    is_single = getattr(value, "ndim", 1) == 0
    if not isinstance(value, Iterable) or isinstance(value, others) or is_single:
        raise TypeError(f"{name} is {type(value).__name__}, expected {expected}")


def _check_strings(values: Sequence[Any], name: str, or_none: bool = False) -> None:
    """TypeError that names the first value that is no string (or None)."""
    types = (str, type(None)) if or_none else (str,)
    # A third of the time of asking every value.
    if not all(issubclass(kind, types) for kind in set(map(type, values))):
        index = next(k for k, value in enumerate(values) if not isinstance(value, types))
        expected = "a string or None" if or_none else "a string"
        raise TypeError(f"{name}[{index}] is {type(values[index]).__name__}, expected {expected}")

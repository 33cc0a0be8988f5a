"""Check references in sacreBLEU's streams, and tokenize them once for many systems.

Errors name the stream and the segment.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from vecbleu.core import corpus as core
from vecbleu.core.arrays import Int64
from vecbleu.core.inputs.columns import complete_values, is_column, values_of
from vecbleu.core.inputs.mistakes import refuse_frame
from vecbleu.core.inputs.types import Column
from vecbleu.core.kernel.ragged import Ragged, cuts, row_offsets, row_with
from vecbleu.core.options import CountOptions, RunOptions
from vecbleu.pairwise.shared import SharedReferences
from vecbleu.pairwise.units import unit_ids

_STREAMS = "streams: one list per reference, with a string or None per segment"

# One string per segment; and one such stream per reference.
Hypotheses = Iterable[str] | Column
Streams = Iterable[Iterable[str | None] | Column] | SharedReferences


class _Corpus:
    """Hypotheses of a system, with tokenized references."""

    is_text: ClassVar[bool] = True

    def __init__(self, hypotheses: core.Corpus, references: Ragged, offsets: Int64) -> None:
        self.hypotheses, self.references, self.offsets = hypotheses, references, offsets

    def estimate(self) -> core.WorkEstimate:
        """Estimate the work, as if hypotheses were as long as the references."""
        tokens = 2.0 * len(self.references.values)
        return core.WorkEstimate(tokens, len(self.hypotheses), "segments")

    def blocks(self, encode: core.Encoder) -> Generator[core.Block]:
        """Yield blocks of hypotheses with their references."""
        for start, stop in cuts(self.references.offsets[self.offsets], core.BLOCK_TOKENS):
            block = self.hypotheses.block(start, stop, encode)
            offsets = self.offsets[start : stop + 1]
            units = block.units, self.references[offsets[0] : offsets[-1]]
            order = core.hypotheses_first(offsets - offsets[0])
            encode_both = partial(_ids_of_both, block.encode)
            yield core.Block(units, encode_both, *order, block.size, block.locate)


def _ids_of_both(encode: Callable[[Any], Ragged], units: tuple[Any, Ragged]) -> Ragged:
    hyps, references = units
    return Ragged.concatenate([encode(hyps), references])


class ReferenceStreams:
    """Checked streams of references, for any number of systems.

    Parameters
    ----------
    references : iterable (streams,) of iterables (segments,) of str or None
        None if a stream has no reference for a segment.
    options : CountOptions, optional
        Options to tokenize them with, once for all systems. Without options, they are tokenized
        with each system, which is faster for a single system.
    """

    def __init__(self, references: Any, options: CountOptions | None = None) -> None:
        self._streams = _checked_streams(references)
        self._units: list[Any] = [*chain.from_iterable(zip(*self._streams, strict=True))]
        self._offsets: Int64 = np.arange(len(self._streams[0]) + 1) * len(self._streams)
        self.number = len(self._streams)  # references of each segment; -1 if segments differ
        if any(None in stream for stream in self._streams):
            rows = zip(*self._streams, strict=True)
            lists = [[reference for reference in row if reference is not None] for row in rows]
            if [] in lists:
                segment = lists.index([])
                raise ValueError(f"references has no reference of segment {segment}: all are None")
            counts = {*map(len, lists)}
            self.number = counts.pop() if len(counts) == 1 else -1
            self._units, self._offsets = [*chain.from_iterable(lists)], row_offsets(lists)
        self._options = options
        self._ids = None if options is None else self._tokenized(options)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out ids, which take more memory than the text."""
        return self.__dict__ | {"_ids": None}

    def corpus(self, hypotheses: Sequence[str]) -> core.Countable:
        """Align a system's checked hypotheses with the references."""
        size = len(self._streams[0])
        if len(hypotheses) != size:
            is_transposed = len(self._streams) == len(hypotheses) > 0
            advice = "; it looks transposed ([segment][reference]): pass list(zip(*references))"
            raise ValueError(
                f"hypotheses has {len(hypotheses)} segments but references has streams of "
                f"{size}{advice if is_transposed else ''}"
            )
        if self._options is not None:
            self._ids = self._ids or self._tokenized(self._options)
            system = core.Corpus.alone(core.TEXT, hypotheses, self._name)
            return _Corpus(system, self._ids, self._offsets)
        return core.Corpus(core.TEXT, hypotheses, self._units, self._offsets, self._name)

    def _tokenized(self, options: CountOptions) -> Ragged:
        """Return the token ids of all references."""

        def name_unit(index: int, _: int) -> str:
            segment = row_with(self._offsets, index)
            return self._name(segment, index - int(self._offsets[segment]))

        references = core.Corpus.alone(core.TEXT, self._units, name_unit)
        return unit_ids([references], options, RunOptions(workers=1))[0]

    def _name(self, segment: int, reference: int) -> str:
        """Name the k-th reference of a segment in an error; -1 is its hypothesis."""
        if reference < 0:
            return f"hypotheses[{segment}]"
        numbers = [k for k, stream in enumerate(self._streams) if stream[segment] is not None]
        return f"references[{numbers[reference]}][{segment}]"


def checked_hypotheses(hypotheses: Any) -> list[str]:
    """Return a list of at least one string."""
    _check_listing(hypotheses, "hypotheses", "a list of strings")
    listed = complete_values(hypotheses, "hypotheses") if is_column(hypotheses) else [*hypotheses]
    _check_strings(listed, "hypotheses")
    if not listed:
        raise ValueError("hypotheses has 0 segments; there is nothing to score")
    return listed


def check_references(references: Any) -> None:
    """Raise TypeError unless the references of one segment are a sequence of strings and None."""
    if isinstance(references, str) or not isinstance(references, Sequence):
        kind = "a single string" if isinstance(references, str) else type(references).__name__
        raise TypeError(f"references is {kind}, expected a sequence of strings")
    _check_strings(references, "references", or_none=True)


def _checked_streams(references: Any) -> list[list[str | None]]:
    """Return streams of equal length, with strings and None."""
    _check_listing(references, "references", _STREAMS)
    streams = [_checked_stream(stream, f"references[{k}]") for k, stream in enumerate(references)]
    if not streams:
        raise ValueError("references has 0 streams, expected at least one")
    for number, stream in enumerate(streams):
        if len(stream) != len(streams[0]):
            raise ValueError(
                f"references[{number}] has {len(stream)} segments but references[0] has "
                f"{len(streams[0])}; pad short streams with None, or, if these are the references "
                "of each segment, pass list(itertools.zip_longest(*references))"
            )
    return streams


def _checked_stream(stream: Any, name: str) -> list[str | None]:
    if isinstance(stream, (str, bytes)):
        raise TypeError(
            f"{name} is a single {type(stream).__name__}; expected a stream with one string per "
            "segment: pass [references]"
        )
    _check_listing(stream, name, "a stream")
    listed = values_of(stream, name) if is_column(stream) else [*stream]
    _check_strings(listed, name, or_none=True)
    return listed


def _check_listing(value: Any, name: str, expected: str) -> None:
    """Raise TypeError unless a value is an ordered iterable."""
    if isinstance(value, (list, tuple)):
        return
    refuse_frame(value, name)
    unordered = (str, bytes, memoryview, Mapping, AbstractSet)
    is_single = getattr(value, "ndim", 1) == 0
    if not isinstance(value, Iterable) or isinstance(value, unordered) or is_single:
        raise TypeError(f"{name} is {type(value).__name__}, expected {expected}")


def _check_strings(values: Sequence[Any], name: str, or_none: bool = False) -> None:
    """Raise a TypeError that names the first value that is not a string (or None)."""
    types = (str, type(None)) if or_none else (str,)
    # Checking the types takes a third of the time of checking every value.
    if not all(issubclass(kind, types) for kind in set(map(type, values))):
        index = next(k for k, value in enumerate(values) if not isinstance(value, types))
        expected = "a string or None" if or_none else "a string"
        raise TypeError(f"{name}[{index}] is {type(values[index]).__name__}, expected {expected}")

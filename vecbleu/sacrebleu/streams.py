"""Check what users pass to sacreBLEU's metrics: hypotheses, and streams of references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core import corpus as core
from vecbleu.inputs.alignment import Column, listed_strings, listed_values
from vecbleu.inputs.columns import is_column, values_of
from vecbleu.kernel.ragged import offsets_of
from vecbleu.sets.shared import SharedReferences

# One string per segment; and one such stream per reference.
Hypotheses = Iterable[str] | Column
Streams = Iterable[Iterable[str | None] | Column] | SharedReferences


class ReferenceStreams:
    """Checked streams of references, for any number of systems.

    Parameters
    ----------
    references : iterable (streams,) of iterables (segments,) of str or None
        None if a stream has no reference for a segment.
    """

    def __init__(self, references: Any) -> None:
        self._streams = _checked_streams(references)
        most = len(self._streams)
        counts = [most - row.count(None) for row in zip(*self._streams, strict=True)]
        if 0 in counts:
            segment = counts.index(0)
            raise ValueError(f"references has no reference of segment {segment}: all are None")
        # References of each segment; -1 if segments differ.
        self.number = min(counts, default=most) if len(set(counts)) < 2 else -1
        units = chain.from_iterable(zip(*self._streams, strict=True))
        self.units = [text for text in units if text is not None]
        self._offsets = offsets_of(np.array(counts, np.int64))

    def corpus(self, hypotheses: Sequence[str]) -> core.Countable:
        """Align a system's checked hypotheses with the references."""
        size = len(self._streams[0])
        if len(hypotheses) != size:
            is_transposed = len(self._streams) == len(hypotheses) > 0
            advice = "; it looks transposed ([segment][reference]): pass list(zip(*references))"
            raise ValueError(
                f"hypotheses has {len(hypotheses)} segments but each stream of references has "
                f"{size}{advice if is_transposed else ''}"
            )
        return self._aligned(hypotheses)

    def _aligned(self, hypotheses: Sequence[str]) -> core.Countable:
        return core.TextCorpus(hypotheses, self.units, self._offsets, self._name)

    def _name(self, segment: int, reference: int) -> str:
        """Name the k-th reference of a segment in an error; -1 is its hypothesis."""
        if reference < 0:
            return f"hypotheses[{segment}]"
        numbers = [k for k, stream in enumerate(self._streams) if stream[segment] is not None]
        return f"references[{numbers[reference]}][{segment}]"


def checked_hypotheses(hypotheses: Any) -> list[str]:
    """Return a list of at least one string."""
    strings = listed_strings(hypotheses, "hypotheses")
    if not strings:
        raise ValueError("hypotheses has 0 segments; there is nothing to score")
    return strings


def _checked_streams(references: Any) -> list[list[str | None]]:
    """Return streams of equal length, with strings and None."""
    streams: list[list[str | None]] = []
    for number, stream in enumerate(listed_values(references, "references")):
        name = f"references[{number}]"
        if isinstance(stream, str):
            raise TypeError(f"{name} is a single string, expected a list; pass [references]")
        strings = values_of(stream, name) if is_column(stream) else stream  # with None for nulls
        streams.append(listed_strings(strings, name, or_none=True))
        if len(streams[number]) != len(streams[0]):
            raise ValueError(
                f"{name} has {len(streams[number])} segments but references[0] has "
                f"{len(streams[0])}; pad short streams with None, or, if these are the references "
                "of each segment, pass list(itertools.zip_longest(*references))"
            )
    if not streams:
        raise ValueError("references has 0 streams, expected at least one")
    return streams

"""Check what users pass to sacreBLEU's metrics: hypotheses, and streams of references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    Place,
    argument,
    checked_each,
)
from vecbleu.bleu.shared import SharedReferences
from vecbleu.core import corpus as core
from vecbleu.inputs import columns
from vecbleu.inputs.alignment import Column, listed_strings, listed_values
from vecbleu.inputs.columns import values_of
from vecbleu.kernel.ragged import offsets_of

# One string per segment; and one such stream per reference.
Hypotheses = Iterable[str] | Column
Streams = Iterable[Iterable[str | None] | Column] | SharedReferences


class ReferenceStreams:
    """References, for any number of systems.

    Parameters
    ----------
    streams : list (streams,) of lists (segments,) of str or None
        They have equal lengths; None if a stream has no reference for a segment.
    """

    def __init__(self, streams: list[list[str | None]]) -> None:
        most = len(streams)
        if not most:
            raise ArgumentError("has 0 streams", "at least one", argument="references")
        self._streams = streams
        rows = list(zip(*streams, strict=True))
        counts = [most - row.count(None) for row in rows]
        if 0 in counts:
            segment = counts.index(0)
            found = f"has no reference of segment {segment}: all are None"
            raise ArgumentError(found, argument="references")
        # References of each segment; -1 if segments differ.
        self.number = min(counts, default=most) if len(set(counts)) < 2 else -1
        self.units = [text for row in rows for text in row if text is not None]
        self._offsets = offsets_of(np.array(counts, np.int64))

    def corpus(self, hypotheses: Sequence[str]) -> core.Countable:
        """Align a system's checked hypotheses with the references."""
        size = len(self._streams[0])
        if len(hypotheses) != size:
            found = f"has {len(hypotheses)} segments but each stream of references has {size}"
            advice = ""
            if len(self._streams) == len(hypotheses) > 0:
                advice = "it looks transposed ([segment][reference]): pass list(zip(*references))"
            raise ArgumentError(found, advice=advice, argument="hypotheses")
        return self._aligned(hypotheses)

    def _aligned(self, hypotheses: Sequence[str]) -> core.TextCorpus:
        return core.TextCorpus(hypotheses, self.units, self._offsets, self._place)

    def _place(self, segment: int, reference: int) -> Place:
        """Return where the k-th reference of a segment is; -1 is its hypothesis."""
        if reference < 0:
            return "hypotheses", segment
        numbers = [k for k, stream in enumerate(self._streams) if stream[segment] is not None]
        return "references", numbers[reference], segment


def checked_hypotheses(hypotheses: object) -> list[str]:
    """Return a list of at least one string."""
    with argument("hypotheses"):
        strings = listed_strings(hypotheses)
        if not strings:
            raise ArgumentError("has 0 segments", advice="there is nothing to score")
    return strings


def checked_streams(references: object) -> list[list[str | None]]:
    """Return streams of equal length, with strings and None."""
    with argument("references"):
        streams = checked_each(_checked_stream, listed_values(references))
    for number, stream in enumerate(streams):
        if len(stream) != len(streams[0]):
            raise ArgumentError(
                f"has {len(stream)} segments but references[0] has {len(streams[0])}",
                advice="pad short streams with None, or, if these are the references of each "
                "segment, pass list(itertools.zip_longest(*references))",
                argument="references",
                index=(number,),
            )
    return streams


def _checked_stream(stream: object) -> list[str | None]:
    """Return one stream as a list, with None for nulls."""
    if isinstance(stream, str):
        raise ArgumentTypeError("is a single string", "a list", "pass [references]")
    return listed_strings(values_of(stream) if columns.accepts(stream) else stream, or_none=True)

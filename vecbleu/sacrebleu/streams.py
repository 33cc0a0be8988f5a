"""Check references in sacreBLEU's streams, and tokenize them once for many systems.

Errors name the stream and the segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core import corpus as core
from vecbleu.core.arrays import Int64
from vecbleu.core.inputs.alignment import listed_strings, listed_values
from vecbleu.core.inputs.columns import is_column, values_of
from vecbleu.core.inputs.types import Column
from vecbleu.core.kernel.ragged import Ragged, offsets_of, row_with
from vecbleu.core.options import CountOptions, RunOptions
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokens import Encoded, TokenEncoder
from vecbleu.pairwise.shared import SharedReferences
from vecbleu.pairwise.units import unit_ids

# One string per segment; and one such stream per reference.
Hypotheses = Iterable[str] | Column
Streams = Iterable[Iterable[str | None] | Column] | SharedReferences


def _characters(units: Any) -> Int64:
    """Return the number of characters of each unit; estimate it for tokenized units."""
    if isinstance(units, Ragged):
        return units.lengths * core.CHARACTERS_A_TOKEN
    return core.TEXT.lengths(units)


def _encode_hypotheses(hyps: Any, refs: Ragged, encode: Any) -> Encoded:
    # The ids of the references are not those of one block.
    encode_tokens = TokenEncoder(encode.tokenize, encode.lowercase)
    return (Text.from_strings(hyps), refs), partial(_ids_of_both, encode_tokens)


def _ids_of_both(encode: TokenEncoder, units: tuple[Text, Ragged]) -> Ragged:
    hyps, refs = units
    return Ragged.concatenate([encode(hyps), refs])


# Hypotheses of a system, with tokenized references.
_SYSTEM = core.Kind(True, _characters, _encode_hypotheses)


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
        most = len(self._streams)
        counts = [most - row.count(None) for row in zip(*self._streams, strict=True)]
        if 0 in counts:
            segment = counts.index(0)
            raise ValueError(f"references has no reference of segment {segment}: all are None")
        # References of each segment; -1 if segments differ.
        self.number = min(counts, default=most) if len({*counts}) < 2 else -1
        units = chain.from_iterable(zip(*self._streams, strict=True))
        self._units = [text for text in units if text is not None]
        self._offsets = offsets_of(np.array(counts, np.int64))
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
            return core.Corpus(_SYSTEM, hypotheses, self._ids, self._offsets, self._name)
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
    strings = listed_strings(hypotheses, "hypotheses")
    if not strings:
        raise ValueError("hypotheses has 0 segments; there is nothing to score")
    return strings


def _checked_streams(references: Any) -> list[list[str | None]]:
    """Return streams of equal length, with strings and None."""
    streams: list[list[str | None]] = []
    for number, stream in enumerate(listed_values(references, "references")):
        name = f"references[{number}]"
        if isinstance(stream, (str, bytes)):
            raise TypeError(
                f"{name} is a single {type(stream).__name__}; expected a stream with one string "
                "per segment: pass [references]"
            )
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

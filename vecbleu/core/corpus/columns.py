"""Columns of strings in Arrow's layout: no Python object for any row."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import ClassVar

import numpy as np

from vecbleu.core.arrays import Bytes, Int64
from vecbleu.core.corpus import sizes
from vecbleu.core.corpus.blocks import (
    NameUnit,
    SegmentBlock,
    Units,
    WorkEstimate,
    name_unit,
    text_units,
)
from vecbleu.core.corpus.layouts import HypothesesFirst
from vecbleu.core.kernel.ragged import cuts, offsets_of
from vecbleu.core.options import CountOptions
from vecbleu.core.records import dataclass
from vecbleu.core.text.text import NEWLINE, PADDING, Text


@dataclass(frozen=True, slots=True, eq=False)
class StringColumn:
    """Strings as UTF-8, in one or several pieces of memory.

    String ``i`` is the bytes ``offsets[i]:offsets[i + 1]`` of all pieces end to end.
    """

    pieces: Sequence[Bytes]
    offsets: Int64  # (strings + 1,)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def between(self, start: int, stop: int) -> Bytes:
        """The bytes of some strings, end to end."""
        low, high = self.offsets[start], self.offsets[stop]
        found, begin = [], 0
        for piece in self.pieces:
            end = begin + len(piece)
            if begin < high and low < end:
                found.append(piece[max(low - begin, 0) : high - begin])
            begin = end
        return np.concatenate([np.empty(0, np.uint8), *found])


@dataclass(frozen=True, slots=True)
class ColumnCorpus:
    """Hypotheses, and the references of all of them one after the other."""

    is_text: ClassVar[bool] = True

    hypotheses: StringColumn
    references: StringColumn
    reference_offsets: Int64  # (segments + 1,), into the references
    name: NameUnit = name_unit

    def __len__(self) -> int:
        return len(self.hypotheses)

    def estimate(self) -> WorkEstimate:
        """How much there is to count."""
        size = float(self.hypotheses.offsets[-1] + self.references.offsets[-1])
        return WorkEstimate(size / sizes.CHARACTERS_A_TOKEN, len(self), "segments")

    def sample(self) -> list[str]:
        """Return the text of the first hypotheses."""
        some = self.hypotheses.between(0, min(100, len(self)))
        return [some.tobytes().decode(errors="replace")]

    def blocks(self) -> Generator[ColumnBlock]:
        """Copy out the bytes of some segments at a time."""
        ends = self.hypotheses.offsets + self.references.offsets[self.reference_offsets]
        for start, stop in cuts(ends, sizes.BLOCK_CHARACTERS):
            offsets = self.reference_offsets[start : stop + 1]
            references = self.references, offsets[0], offsets[-1]
            text = _text([(self.hypotheses, start, stop), references])
            yield ColumnBlock(start, HypothesesFirst(offsets - offsets[0]), text, self)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnBlock(SegmentBlock):
    """The hypotheses of some segments, and behind them all their references."""

    text: Text
    corpus: ColumnCorpus

    def name(self, segment: int, reference: int) -> str:
        """What the user calls a unit."""
        return self.corpus.name(segment, reference)

    def units(self, options: CountOptions) -> Units:
        """Check the bytes; ValueError with the segment if something is not UTF-8."""
        used = self.text.used.tobytes()
        try:
            used.isascii() or used.decode()
        except UnicodeDecodeError as error:
            unit = int(np.searchsorted(self.text.offsets, error.start, side="right")) - 1
            raise ValueError(f"{self.locate(unit)} is not UTF-8: {error.reason}") from None
        return text_units(self.text, options)


def _text(parts: Sequence[tuple[StringColumn, int, int]]) -> Text:
    """Strings as the segments of a text, each closed by a newline."""
    lengths = np.concatenate([np.diff(one.offsets[start : stop + 1]) for one, start, stop in parts])
    joined = [one.between(start, stop) for one, start, stop in parts]
    data = np.concatenate([*joined, np.frombuffer(PADDING, np.uint8)])
    return Text(np.insert(data, np.cumsum(lengths), NEWLINE), offsets_of(lengths + 1))

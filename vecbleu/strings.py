"""Many strings end to end, in Arrow's layout: no Python object for any of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vecbleu.corpus import CHARACTERS_A_TOKEN, Kind, cuts, name_unit
from vecbleu.ragged import Int64
from vecbleu.text import NEWLINE, PADDING, Bytes, Text


@dataclass(frozen=True, slots=True, eq=False)
class Strings:
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
class StringCorpus:
    """Hypotheses, and the references of all of them one after the other."""

    hypotheses: Strings
    references: Strings
    owners: Int64  # (segments + 1,), offsets into the references
    kind: Kind = "text"

    def __len__(self) -> int:
        return len(self.hypotheses)

    def expected_tokens(self) -> float:
        """About how many there are."""
        size = self.hypotheses.offsets[-1] + self.references.offsets[-1]
        return float(size) / CHARACTERS_A_TOKEN

    def blocks(self) -> Iterator[StringBlock]:
        """Copy out the bytes of some segments at a time."""
        ends = self.hypotheses.offsets + self.references.offsets[self.owners]  # (segments + 1,)
        for start, stop in cuts(ends, self.kind):
            owners = self.owners[start : stop + 1]
            yield StringBlock(
                _lines([(self.hypotheses, start, stop), (self.references, owners[0], owners[-1])]),
                owners - owners[0],
                start,
            ).checked()


@dataclass(frozen=True, slots=True, eq=False)
class StringBlock:
    """The hypotheses of some segments, and behind them all their references."""

    text: Text
    owners: Int64  # (segments + 1,), offsets into the references
    first: int  # number of the first segment

    def __len__(self) -> int:
        return len(self.owners) - 1

    @property
    def segments(self) -> Int64:
        """Offsets (segments + 1,) into units of which each hypothesis precedes its references."""
        return self.owners + np.arange(len(self) + 1)

    def locate(self, unit: int) -> str:
        """Name a unit as the user knows it, for an error."""
        place = unit - len(self)
        if place < 0:
            return name_unit(self.first + unit, -1)
        segment = int(np.searchsorted(self.owners, place, side="right")) - 1
        return name_unit(self.first + segment, place - int(self.owners[segment]))

    def checked(self) -> StringBlock:
        """The same; ValueError with the segment if something is not UTF-8."""
        used = self.text.used.tobytes()
        try:
            used.isascii() or used.decode()
        except UnicodeDecodeError as error:
            unit = int(np.searchsorted(self.text.offsets, error.start, side="right")) - 1
            raise ValueError(f"{self.locate(unit)} is not UTF-8: {error.reason}") from None
        return self


def _lines(parts: Sequence[tuple[Strings, int, int]]) -> Text:
    """Strings as the segments of a text, each closed by a newline."""
    lengths = [np.diff(strings.offsets[start : stop + 1]) for strings, start, stop in parts]
    ends = np.cumsum(np.concatenate(lengths) + 1)  # (units,), behind the newlines
    offsets = np.concatenate([[0], ends])
    data = np.empty(int(offsets[-1]) + len(PADDING), np.uint8)
    is_string = np.ones(len(data), bool)
    is_string[ends - 1] = False
    is_string[offsets[-1] :] = False
    data[is_string] = np.concatenate([one.between(start, stop) for one, start, stop in parts])
    data[ends - 1] = NEWLINE
    data[offsets[-1] :] = 0
    return Text(data, offsets)

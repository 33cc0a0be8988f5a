"""Text: the UTF-8 bytes of many segments and the offsets between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vecbleu.ragged import Int64, offsets_of

Bytes = npt.NDArray[np.uint8]

NEWLINE = 0x0A

# Bytes readable behind the last segment, so that 8 bytes can be read at any token's start.
PADDING = bytes(8)


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Segments as UTF-8 (lone surrogates included), each closed by a newline of its own.

    Segment ``i`` is ``data[offsets[i]:offsets[i + 1] - 1]``; the byte behind it is the newline
    that keeps what looks at neighboring bytes from looking into the next segment. A segment may
    hold further newlines. `data` runs on for at least 8 bytes behind the last segment.
    """

    data: Bytes  # (bytes + padding,)
    offsets: Int64  # (segments + 1,)

    @classmethod
    def from_strings(cls, strings: Sequence[str]) -> Text:
        """Encode strings; TypeError if there is anything else among them."""
        if not strings:
            return cls(np.frombuffer(PADDING, np.uint8), np.zeros(1, np.int64))
        joined = "\n".join(strings) + "\n" + PADDING.decode()
        try:
            encoded = joined.encode()
        except UnicodeEncodeError:
            encoded = joined.encode("utf-8", "surrogatepass")
        data = np.frombuffer(encoded, np.uint8)
        size = len(data) - len(PADDING)
        ends = np.flatnonzero(data[:size] == NEWLINE) + 1
        # Asking every string for its length costs 44 ns a string, which for a list of tokens is
        # as much as all the rest of this function; so only where a string holds a newline.
        if len(ends) == len(strings):
            return cls(data, np.concatenate([[0], ends]))
        offsets = offsets_of(np.fromiter(map(len, strings), np.int64, len(strings)) + 1)
        if len(joined) != len(encoded):
            characters = np.flatnonzero((data[:size] & 0xC0) != 0x80)
            offsets = np.append(characters, size)[offsets]
        return cls(data, offsets)

    @classmethod
    def from_lines(cls, lines: bytes) -> Text:
        """Take over valid UTF-8 in which every line is a segment and ends with a newline."""
        data = np.frombuffer(lines + PADDING, np.uint8)
        ends = np.flatnonzero(data[: len(lines)] == NEWLINE) + 1
        return cls(data, np.concatenate([[0], ends]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def used(self) -> Bytes:
        """The bytes of the segments, without the padding."""
        return self.data[: self.offsets[-1]]

    def strings(self) -> list[str]:
        """Decode the segments."""
        buffer = self.used.tobytes()
        return [
            buffer[start : end - 1].decode("utf-8", "surrogatepass")
            for start, end in pairwise(self.offsets.tolist())
        ]

    def lower(self) -> Text:
        """Apply `str.lower` to every segment."""
        used = self.used
        if used.size and used.max() >= 0x80:
            return Text.from_strings([string.lower() for string in self.strings()])
        return Text(np.frombuffer(self.data.tobytes().lower(), np.uint8), self.offsets)

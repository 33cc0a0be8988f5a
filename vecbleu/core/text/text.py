"""Text: the UTF-8 bytes of many segments and the offsets between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, pairwise

import numpy as np

from vecbleu.core.arrays import Bytes, Int64
from vecbleu.core.kernel.ragged import offsets_of
from vecbleu.core.records import dataclass

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
        data = _encode(strings)
        ends = _line_ends(data)
        # Asking every string for its length costs 44 ns a string, which for a list of tokens is
        # as much as all else in this function; so only where a string holds a newline.
        if len(ends) == len(strings):
            return cls(data, np.concatenate([[0], ends]))
        sizes = (len(string.encode("utf-8", "surrogatepass")) for string in strings)
        return cls(data, offsets_of(np.fromiter(sizes, np.int64, len(strings)) + 1))

    @classmethod
    def from_padded(cls, data: Bytes) -> Text:
        """Take over valid UTF-8 in which every line is a segment, and the padding behind it."""
        return cls(data, np.concatenate([[0], _line_ends(data)]))

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


def join_tokens(units: Sequence[Sequence[str]], offsets: Int64) -> Bytes | None:
    """Encode the tokens of units as padded lines; None if one of them holds a newline.

    `offsets` (units + 1,) are the units' into the tokens. TypeError if they are no strings.

    Each unit is joined by itself, while its strings are in the cache: a list of all tokens would
    fetch every string from memory three times, which costs a third more.
    """
    joined = [*map("\n".join, units)]
    filled = np.diff(offsets) > 0
    data = _encode(joined if filled.all() else [*compress(joined, filled.tolist())])
    return data if np.count_nonzero(data == NEWLINE) == offsets[-1] else None


def _encode(strings: Sequence[str]) -> Bytes:
    """Join strings, each closed by a newline, encode and pad them."""
    closed = "\n".join([*strings, PADDING.decode()]) if strings else PADDING.decode()
    try:
        encoded = closed.encode()
    except UnicodeEncodeError:
        encoded = closed.encode("utf-8", "surrogatepass")
    return np.frombuffer(encoded, np.uint8)


def _line_ends(data: Bytes) -> Int64:
    """Where each line ends (lines,), behind its newline."""
    return np.flatnonzero(data[: -len(PADDING)] == NEWLINE) + 1

"""Hold text as UTF-8 bytes: units, their characters and white space, and spans of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Bytes, Int64, Mask
from vecbleu.kernel.ragged import offsets_of

NEWLINE = 0x0A

# Bytes that are read together from the start of a unit, to hash it.
WINDOW = 256

# Bytes after the last unit, so that a window can be read from the start of any token or unit.
PADDING = bytes(WINDOW)

# Class of every code point: the first letter of its Unicode category, filled in when needed.
_CLASSES = np.zeros(0x110000, np.uint8)  # takes no memory until it is written


class Text:
    """Units as UTF-8 bytes (including lone surrogates), with a newline after each unit.

    Unit ``i`` is ``data[offsets[i]:offsets[i + 1] - 1]``. The newline after it keeps rules about
    neighboring bytes inside the unit. A unit may hold further newlines. `data` ends with at least
    `WINDOW` bytes of padding.
    """

    __slots__ = ("data", "offsets")

    def __init__(self, data: Bytes, offsets: Int64) -> None:
        self.data = data  # (bytes + padding,)
        self.offsets = offsets  # (units + 1,)

    @classmethod
    def from_strings(cls, strings: Sequence[str]) -> Text:
        """Encode strings; TypeError if there is anything else among them."""
        text = cls.from_padded(padded_lines(strings))
        # Lines are units unless a string holds a newline.
        if len(text) == len(strings):
            return text
        sizes = (len(string.encode("utf-8", "surrogatepass")) for string in strings)
        return cls(text.data, offsets_of(np.fromiter(sizes, np.int64, len(strings)) + 1))

    @classmethod
    def from_padded(cls, data: Bytes) -> Text:
        """Make a text of padded bytes, valid UTF-8, in which every line is a unit."""
        ends = np.flatnonzero(data[: -len(PADDING)] == NEWLINE) + 1
        return cls(data, np.concatenate([[0], ends]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def used(self) -> Bytes:
        """Bytes of the units, without the padding."""
        return self.data[: self.offsets[-1]]

    def edited(self, buffer: bytes) -> Text:
        """Return the text that edits have made of `used`, if each edit shortens the text."""
        if len(buffer) == self.offsets[-1]:  # nothing is edited
            return self
        return Text.from_padded(np.frombuffer(buffer + PADDING, np.uint8))

    def strings(self) -> list[str]:
        """Decode the units."""
        buffer = self.used.tobytes()
        return [
            buffer[start : end - 1].decode("utf-8", "surrogatepass")
            for start, end in pairwise(self.offsets.tolist())
        ]


def padded_lines(strings: Sequence[str]) -> Bytes:
    """Encode strings, with a newline after each and padding at the end."""
    closed = "\n".join([*strings, PADDING.decode()])
    return np.frombuffer(closed.encode("utf-8", "surrogatepass"), np.uint8)


def is_ascii(data: Bytes) -> bool:
    """Return whether all bytes are ASCII."""
    return bool(data.max(initial=0) < 0x80)


def begins_character(data: Bytes) -> Mask:
    """Mark the first byte of every character."""
    begins: Mask = (data & 0xC0) != 0x80
    return begins


def code_points(data: Bytes, leads: Int64) -> npt.NDArray[np.int32]:
    """Decode the characters that begin at the given bytes; none of them may be ASCII."""
    lead = data[leads].astype(np.int32)  # the masks drop its highest bits, which tell its length
    points = (lead & 0x1F) << 6 | data[leads + 1] & 0x3F
    three = np.flatnonzero(lead >= 0xE0)
    points[three] = (points[three] & 0x3FF) << 6 | data[leads[three] + 2] & 0x3F
    four = np.flatnonzero(lead >= 0xF0)
    points[four] = (points[four] & 0x7FFF) << 6 | data[leads[four] + 3] & 0x3F
    return points


# The first and the last of each range.
CodePoints = tuple[tuple[int, int], ...]


def character_class(ranges: CodePoints) -> str:
    """Return a regular expression of the characters in ranges."""
    return f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in ranges)}]"


def three_byte_characters(text: Text, ranges: CodePoints) -> Int64:
    """Return the first byte of each character in these ranges, from U+2000 to U+FFFF."""
    is_lead = (text.used - 0xE2) <= 0xEF - 0xE2
    leads = np.flatnonzero(is_lead)
    return leads[_code_points_in(ranges)[code_points(text.data, leads)]]


@cache
def _code_points_in(ranges: CodePoints) -> Mask:
    """Mark the code points in ranges (2**16,)."""
    marked = np.zeros(1 << 16, bool)
    for first, last in ranges:
        marked[first : last + 1] = True
    return marked


def classes_of(points: npt.NDArray[np.int32]) -> Bytes:
    """Return the class of each code point: the first letter of its category, as a byte."""
    classes = _CLASSES[points]
    if not classes.all():
        import unicodedata

        # `np.bincount`, since the first call of `np.unique` imports much.
        for point in np.flatnonzero(np.bincount(points[classes == 0])).tolist():
            _CLASSES[point] = ord(unicodedata.category(chr(point))[0])
        classes = _CLASSES[points]
    return classes


@cache
def ascii_classes() -> Bytes:
    """Return the classes of bytes (256,); 0 for those beyond ASCII."""
    classes = np.zeros(0x100, np.uint8)
    classes[:0x80] = classes_of(np.arange(0x80, dtype=np.int32))
    return classes


def white_space(data: Bytes) -> Mask:
    """Mark the bytes of every character that `str.split` takes for white space.

    ASCII has 09-0D and 1C-20. The others are U+0085, U+00A0, U+1680, U+2000-200A, U+2028,
    U+2029, U+202F, U+205F and U+3000.
    """
    # Bytes below 0x09 wrap to large numbers, so that one comparison tests a range.
    space = ((data - 0x09) < 5) | ((data - 0x1C) < 5)
    if not is_ascii(data):
        _mark_beyond_ascii(data, space)
    return space


def _mark_beyond_ascii(data: Bytes, space: Mask) -> None:
    """Add the white space of two and three bytes to the mask."""
    first, second, third = data[:-2], data[1:-1], data[2:]
    begins = (first == 0xC2) & ((second == 0x85) | (second == 0xA0))
    at = np.flatnonzero(begins)
    space[at] = space[at + 1] = True
    begins = (first == 0xE2) & (second == 0x80)
    begins &= ((third - 0x80) < 11) | ((third - 0xA8) < 2) | (third == 0xAF)
    for lead, middle, last in ((0xE1, 0x9A, 0x80), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80)):
        begins |= (first == lead) & (second == middle) & (third == last)
    at = np.flatnonzero(begins)
    space[at] = space[at + 1] = space[at + 2] = True


def line_edges(text: Text, space: Mask) -> tuple[Int64, Int64]:
    """Find the first and the last byte of each unit, leaving out white space around it.

    If a unit has only white space, both are its newline.
    """
    first, newlines = text.offsets[:-1], text.offsets[1:] - 1
    last = np.maximum(newlines - 1, first)
    if not space[first].any() and not space[last].any():  # nothing to skip
        return first, last
    words = np.flatnonzero(~space)  # (bytes of words,)
    words = np.concatenate([[-1], words, [len(space)]])
    at = np.searchsorted(words, first)
    first = np.minimum(words[at], newlines)
    last = words[np.searchsorted(words, newlines) - 1]
    return first, np.where(last < text.offsets[:-1], newlines, last)


class Spans(NamedTuple):
    """Tokens of a text: token ``t`` is ``data[starts[t]:ends[t]]``.

    Unit ``i`` has the tokens ``offsets[i]`` to ``offsets[i + 1] - 1``.
    """

    data: Bytes  # (bytes + padding,)
    starts: Int64  # (tokens,)
    ends: Int64  # (tokens,)
    offsets: Int64  # (units + 1,)


def cut_tokens(text: Text, space: Mask, boundary: Mask | None = None) -> Spans:
    """Cut the text into tokens at white space, and before every byte that `boundary` marks."""
    edge = ~space  # (bytes,)
    if boundary is None:
        edge[1:] ^= ~space[:-1]
        edges = np.flatnonzero(edge)
        starts, ends = edges[0::2], edges[1::2]
    else:
        edge[1:] &= boundary[1:] | space[:-1]
        starts = np.flatnonzero(edge)
        ends = _ends(starts, space)
    return Spans(text.data, starts, ends, np.searchsorted(starts, text.offsets))


def _ends(starts: Int64, space: Mask) -> Int64:
    """Return the end of each token: the start of the next one, less the white space between them.

    The last token ends before the newline that ends the text.
    """
    following = np.append(starts[1:], len(space))[: len(starts)]
    ends = following - space.take(following - 1)
    repeated = space[1:] & space[:-1]
    if repeated.any():
        token = np.searchsorted(starts, np.flatnonzero(repeated))  # the one that follows
        ends -= np.bincount(token, minlength=len(starts) + 1)[1:]
    return ends

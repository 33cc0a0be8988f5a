"""Tokens as spans of bytes: what every vectorized tokenizer returns, and how it is cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vecbleu.core.arrays import Bytes, Int64, Mask
from vecbleu.core.records import dataclass
from vecbleu.core.text.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Tokens of a text: token ``t`` is ``data[starts[t]:ends[t]]``.

    The tokens of segment ``i`` are those from ``offsets[i]`` to ``offsets[i + 1]``. `characters`
    says that every token is a single one.
    """

    data: Bytes  # (bytes + padding,)
    starts: Int64  # (tokens,)
    ends: Int64  # (tokens,)
    offsets: Int64  # (segments + 1,)
    characters: bool = False


class UnitError(TypeError):
    """A unit that has no tokens or ids: its number, for the caller to name it, and the reason."""

    def __init__(self, unit: int, reason: str) -> None:
        super().__init__(reason)
        self.unit = unit

    def __reduce__(self) -> tuple[type[UnitError], tuple[int, str]]:
        return UnitError, (self.unit, str(self))


def refuse_surrogates(strings: Sequence[str], reader: str) -> None:
    """Raise UnitError for what a package outside Python can't read."""
    for unit, string in enumerate(strings):
        try:
            string.encode()
        except UnicodeEncodeError as error:
            reason = f"{reader} can't read the surrogate {string[error.start]!a} in it"
            raise UnitError(unit, reason) from None


def cut(text: Text, space: Mask, boundary: Mask | None = None) -> Spans:
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
    """Where tokens end: at the next one, or where the white space before it begins.

    The last byte is a newline. A fifth of `cut` faster than looking for ends; where tokens and
    white space alternate, half as fast as looking for the edges of both.
    """
    following = np.append(starts[1:], len(space))[: len(starts)]
    ends = following - space.take(following - 1)
    repeated = space[1:] & space[:-1]
    if repeated.any():
        token = np.searchsorted(starts, np.flatnonzero(repeated))  # the one that follows
        ends -= np.bincount(token, minlength=len(starts) + 1)[1:]
    return ends


def line_edges(text: Text, space: Mask) -> tuple[Int64, Int64]:
    """First and last byte of each segment that are no white space; its newline if all are."""
    first, last = text.offsets[:-1], text.offsets[1:] - 1
    nearly_last = np.maximum(last - 1, first)
    if not space[first].any() and not space[nearly_last].any():  # nothing to strip, nothing empty
        return first, nearly_last
    words = np.flatnonzero(~space)  # (bytes of words,)
    words = np.concatenate([[-1], words, [len(space)]])
    at = np.searchsorted(words, first)
    first = np.minimum(words[at], last)
    nearly_last = words[np.searchsorted(words, last) - 1]
    return first, np.where(nearly_last < text.offsets[:-1], last, nearly_last)


def white_space(data: Bytes) -> Mask:
    """Mark the bytes of every character that `str.split` takes for white space.

    ASCII has 09-0D and 1C-20. The others are U+0085, U+00A0, U+1680, U+2000-200A, U+2028,
    U+2029, U+202F, U+205F and U+3000.
    """
    space = ((data - np.uint8(0x09)) < 5) | ((data - np.uint8(0x1C)) < 5)
    if data.size and data.max() >= 0xC2:
        _mark_beyond_ascii(data, space)
    return space


def _mark_beyond_ascii(data: Bytes, space: Mask) -> None:
    """Add the white space of two and three bytes to the mask."""
    second, third = data[1:-1], data[2:]
    found = (data[:-2] == 0xC2) & ((second == 0x85) | (second == 0xA0))
    at = np.flatnonzero(found)
    space[at] = space[at + 1] = True
    found = (data[:-2] == 0xE2) & (second == 0x80)
    found &= ((third - np.uint8(0x80)) < 11) | (third == 0xA8) | (third == 0xA9) | (third == 0xAF)
    for lead, middle, last in ((0xE1, 0x9A, 0x80), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80)):
        found |= (data[:-2] == lead) & (second == middle) & (third == last)
    at = np.flatnonzero(found)
    space[at] = space[at + 1] = space[at + 2] = True

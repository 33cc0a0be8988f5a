"""Wide text, tokenized a piece at a time.

Tokenizers keep masks and positions for all bytes of a text, 20 to 50 bytes for each. That is little
for an ordinary block, which is one piece, and much for a segment of 200 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Bytes, Mask
from vecbleu.core.kernel.ragged import Ragged, offsets_of
from vecbleu.core.text.spans import white_space
from vecbleu.core.text.text import PADDING, Text

# Marks the bytes that text may be cut before, from four bytes on to the last two.
Cuts = Callable[[Bytes], Mask]

# Bytes that decide about the one behind them: white space of three bytes, and a space.
_LOOK_BACK = 4

# Bytes of a piece; text of up to four times as many, such as a block of many files, is whole.
_PIECE = 1 << 20

# Bytes in which a place for a cut is looked for at a time.
_WINDOW = 1 << 12

# A token by all rules, and the white space that keeps it apart.
_BEFORE, _BEHIND = b"a ", b"a\n"


def behind_space(data: Bytes) -> Mask:
    """Cuts for all tokenizers: behind a space that has no white space on either side."""
    places = ~white_space(data)
    places[2:] &= places[:-2] & (data[1:-1] == ord(" "))
    return places


def ids_by_piece(text: Text, ids: Callable[[Text], Ragged], cuts: Cuts) -> Ragged:
    """The ids of all segments' tokens, which a function makes of a piece of the text.

    Cut inside a segment, a piece has a token more at that end: what stands there is no end of a
    line, where tokenizers strip white space and see digits beside stops.
    """
    used, offsets = text.used, text.offsets
    if len(used) <= 4 * _PIECE:
        return ids(text)
    values: npt.NDArray[Any] = np.empty(0, np.uint8)
    lengths = np.zeros(len(text), np.int64)
    for start, stop in _pieces(used, cuts):
        first, last = np.searchsorted(offsets, [start + 1, stop]) - 1
        is_begun, goes_on = int(start > offsets[first]), int(stop < offsets[last + 1])
        before, behind = is_begun * _BEFORE, goes_on * _BEHIND
        data = b"".join([before, used[start:stop].data, behind, PADDING])
        inner = offsets[first + 1 : last + 1] - start + len(before)
        ends = [0, *inner.tolist(), len(data) - len(PADDING)]
        found = ids(Text(np.frombuffer(data, np.uint8), np.array(ends)))
        values = _append(values, found.values[is_begun : len(found.values) - goes_on])
        lengths[first : last + 1] += found.lengths
        lengths[first] -= is_begun
        lengths[last] -= goes_on
    return type(found)(values, offsets_of(lengths))


def _pieces(data: Bytes, cuts: Cuts) -> Iterator[tuple[int, int]]:
    """Where pieces begin and end."""
    start = 0
    while start < len(data):
        stop = _next_cut(data, start + _PIECE, cuts)
        yield start, stop
        start = stop


def _next_cut(data: Bytes, at: int, cuts: Cuts) -> int:
    """The first place for a cut from a byte on, or the end."""
    while at < len(data):
        found = np.flatnonzero(cuts(data[at - _LOOK_BACK : at + _WINDOW])[_LOOK_BACK:-2])
        if found.size:
            return at + int(found[0])
        at += _WINDOW - 2
    return len(data)


def _append(values: npt.NDArray[Any], more: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Append in place, where `np.concatenate` would hold all pieces and their copy at once."""
    size = len(values)
    values = values.astype(np.result_type(values, more), copy=False)
    values.resize(size + len(more), refcheck=False)
    values[size:] = more
    return values

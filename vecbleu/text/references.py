"""Hash the references of each segment, so that tables know what they were counted against.

The lowest bits of a hash say what was hashed: text, string tokens or ids.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Bytes, Int64, Mask, UInt64
from vecbleu.kernel.ngrams import FOLD, ROLL, mix
from vecbleu.kernel.ragged import Ragged, places_in_rows, row_numbers, starts_of
from vecbleu.text.text import NEWLINE, WINDOW, Text, is_ascii, line_edges, white_space
from vecbleu.text.tokens import UnitKind

# Stands for references that are not known; no hash has this value.
UNKNOWN_REFERENCES = 0

# The lowest two bits are the kind of units that were hashed.
KIND_MASK = 3

_WORDS = WINDOW // 8
_AT_ONCE = 512  # windows, which stay in the cache
_HALF = 32
_WINDOW = np.dtype(f"V{WINDOW}")  # copied faster than bytes or words


def reference_hashes(
    units: Text | Ragged, references: Int64, counts: Int64, kind: UnitKind = UnitKind.TEXT
) -> Int64:
    """Hash the references of each segment (S,), in their order.

    `references` (R,) are the indices of all references, segment by segment; `counts` (S,) are the
    numbers of references, at least one a segment. White space around a text is left out. References
    without a token are unknown: strings and integers would have other hashes.
    """
    if isinstance(units, Text):
        starts, lengths = _stripped(units)
        hashes = _row_hashes(units.data, starts[references], lengths[references])
    else:
        # Half of an id is enough, and takes half the time.
        first = units.offsets[references.min()]
        halves = np.zeros(len(units.values) - first + WINDOW, np.uint32)
        halves[:-WINDOW] = units.values[first:]
        starts, lengths = 4 * (units.offsets[references] - first), 4 * units.lengths[references]
        hashes = _row_hashes(halves.view(np.uint8), starts, lengths)
    if len(references) > len(counts):
        hashes = _in_turn(hashes, counts)
    # Mixed, since the kind would replace bits that the first byte alone has changed.
    marked = mix(hashes).view(np.int64) & ~KIND_MASK | kind
    if kind != UnitKind.TEXT:
        tokens = np.add.reduceat(lengths, starts_of(counts))
        marked[tokens == 0] = UNKNOWN_REFERENCES
    return marked


def _in_turn(hashes: UInt64, counts: Int64) -> UInt64:
    """Hash sequences of so many hashes: add these, each times a multiplier of its place."""
    hashes *= _multipliers(ROLL, int(counts.max()))[places_in_rows(counts)]
    return np.add.reduceat(hashes, starts_of(counts))


def _stripped(text: Text) -> tuple[Int64, Int64]:
    """Return the first byte and the length of each unit, without white space around it.

    A line of a file has the white space at its end that ``line.strip()`` has removed in a list.
    """
    first, last = text.offsets[:-1], text.offsets[1:] - 2  # for no characters, `last` is before
    if not (_begins_or_ends_in_space(text.data, first, last) & (first <= last)).any():
        return first, last + 1 - first
    first, last = line_edges(text, white_space(text.used))
    return first, last - first + (text.data[last] != NEWLINE)


def _begins_or_ends_in_space(data: Bytes, first: Int64, last: Int64) -> Mask:
    begins, ends = data[first], data[last]
    if is_ascii(begins) and is_ascii(ends):
        return white_space(begins) | white_space(ends)
    has_space = np.zeros(len(first), bool)
    for edge, place in ((first, 0), (np.maximum(last - 2, 0), 2)):
        characters = data[edge[:, None] + np.arange(4)]  # (units, 4), one character and a byte
        has_space |= white_space(characters.reshape(-1)).reshape(-1, 4)[:, place]
    return has_space


def _row_hashes(data: Bytes, starts: Int64, lengths: Int64) -> UInt64:
    """Hash rows of bytes (R,): add their 8-byte words, each times a multiplier of its place.

    `data` has `WINDOW` bytes after each row. A row is read in windows, most rows in one. The length
    tells rows with zeros at the end, and no row from an empty one.
    """
    if lengths.max(initial=0) <= WINDOW:
        hashes = _window_hashes(data, starts, lengths)
    else:
        counts = np.maximum(lengths - 1, 0) // WINDOW + 1  # windows
        begins = WINDOW * places_in_rows(counts)
        row = row_numbers(counts)
        windows = _window_hashes(data, starts[row] + begins, lengths[row] - begins)
        hashes = _in_turn(windows, counts)
    hashes += (lengths + 1).view(np.uint64) * FOLD
    return hashes


def _window_hashes(data: Bytes, starts: Int64, lengths: Int64) -> UInt64:
    """Hash the first `WINDOW` bytes of each row (R,), or all bytes of a shorter one."""
    windows = np.ndarray(len(data) - WINDOW + 1, _WINDOW, data, strides=(1,))
    hashes = np.empty(len(starts), np.uint64)
    for first in range(0, len(starts), _AT_ONCE):
        rows = slice(first, first + _AT_ONCE)
        words = windows[starts[rows]].view("<u8").reshape(-1, _WORDS)
        words &= _masks()[np.minimum(lengths[rows], WINDOW)].view("<u8").reshape(-1, _WORDS)
        words ^= words >> _HALF  # or the last byte of a word would change the highest 8 bits alone
        np.einsum("rw,w->r", words, _multipliers(FOLD, _WORDS), out=hashes[rows])
    return hashes


@cache
def _masks() -> npt.NDArray[np.void]:
    """Return windows (257,) whose first 0, 1, 2, ... bytes have all bits, and the others none."""
    masks = np.tri(WINDOW + 1, WINDOW, -1, np.uint8) * 0xFF
    return masks.view(_WINDOW).reshape(-1)


@lru_cache(maxsize=16)
def _multipliers(seed: np.uint64, count: int) -> UInt64:
    """Return the multipliers of places (count,), odd numbers; the first one is 1."""
    multipliers = mix(seed + np.arange(count, dtype=np.uint64)) | np.uint64(1)
    multipliers[0] = 1
    return multipliers

"""Characters among bytes: where they begin, which they are, and their Unicode classes."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Bytes, Int64, Mask

_UNKNOWN = 0

# Class of every code point, the first letter of its category; filled where text has asked for it.
_CLASSES = np.zeros(0x110000, np.uint8)  # takes no memory where nothing is written


def begins_character(data: Bytes) -> Mask:
    """Mark the first byte of every character."""
    begins: Mask = (data & 0xC0) != 0x80
    return begins


def ends_of(data: Bytes, leads: Int64) -> Int64:
    """Where the characters that begin at the given bytes end."""
    ends = leads + 1
    if data.size and data.max() >= 0x80:
        lead = data[leads]
        for first in (0xC2, 0xE0, 0xF0):
            ends += lead >= first
    return ends


def code_points(data: Bytes, leads: Int64) -> npt.NDArray[np.int32]:
    """Decode the characters that begin at the given bytes, all of them beyond ASCII."""
    lead = data[leads].astype(np.int32)
    points = (lead & 0x1F) << 6 | data[leads + 1] & 0x3F
    three = np.flatnonzero(lead >= 0xE0)
    points[three] = (points[three] & 0x3FF) << 6 | data[leads[three] + 2] & 0x3F
    four = np.flatnonzero(lead >= 0xF0)
    points[four] = (points[four] & 0x7FFF) << 6 | data[leads[four] + 3] & 0x3F
    return points


def classes_of(points: npt.NDArray[np.int32]) -> Bytes:
    """First letters of the characters' categories, as bytes: `unicodedata` asked once for each."""
    classes = _CLASSES[points]
    if (classes == _UNKNOWN).any():
        import unicodedata

        # `np.unique` takes 12 ms when it is first called.
        for point in np.flatnonzero(np.bincount(points[classes == _UNKNOWN])).tolist():
            _CLASSES[point] = ord(unicodedata.category(chr(point))[0])
        classes = _CLASSES[points]
    return classes


@cache
def ascii_classes() -> Bytes:
    """Classes of the bytes (256,); 0 for those beyond ASCII."""
    classes = np.zeros(0x100, np.uint8)
    classes[:0x80] = classes_of(np.arange(0x80, dtype=np.int32))
    return classes

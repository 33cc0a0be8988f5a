"""Number the characters of a text, as exact ids of a few bits."""

from __future__ import annotations

from functools import cache

import numpy as np

from vecbleu.core.kernel.packed import END, FIRST_SYMBOL, Ids, Symbols
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.text.text import NEWLINE, Text, is_ascii

_ASCII = range(0x80)
_SPACE = [point for point in range(0x3001) if chr(point).isspace()]  # as for `str.split`

# Stands for white space in ASCII text; no id is as high.
_DROPPED = 0xFF


def characters(text: Text, keeps_space: bool = False) -> Symbols:
    """Number the characters of each unit; leave out white space unless `keeps_space`.

    The characters of a block are numbered by their code points; those of ASCII text by a table.
    """
    used = text.used
    newlines = np.flatnonzero(used == NEWLINE)
    if len(newlines) == len(text) and is_ascii(used) and not keeps_space:
        return _symbols(np.frombuffer(used.tobytes().translate(_ascii_ids()), np.uint8), _DROPPED)
    string = used.tobytes().decode("utf-8", "surrogatepass")
    points = np.frombuffer(string.encode("utf-32-le", "surrogatepass"), "<u4")
    ends = np.flatnonzero(points == NEWLINE)
    if len(newlines) > len(text):  # some stand within units
        ends = ends[np.searchsorted(newlines, text.offsets[1:] - 1)]
    is_used = np.zeros(max(int(points.max(initial=0)), _SPACE[-1]) + 1, bool)
    is_used[points] = True
    if not keeps_space:
        is_used[_SPACE] = False
    id_of_point = np.cumsum(is_used, dtype=np.uint32) + (FIRST_SYMBOL - 1)
    dropped = int(id_of_point[-1]) + 1
    id_of_point[~is_used] = dropped
    ids = id_of_point.astype(np.min_scalar_type(dropped)).take(points)
    ids[ends] = END
    return _symbols(ids, dropped)


def _symbols(ids: Ids, dropped: int) -> Symbols:
    """Leave out an id, and cut the others into units after each END."""
    kept = np.compress(ids != dropped, ids)  # faster than a mask as an index
    ends = np.flatnonzero(kept == END) + 1
    rows = Ragged(kept, np.concatenate([[0], ends]))  # type: ignore[arg-type]
    return Symbols(rows, int(kept.max(initial=1)).bit_length())


@cache
def _ascii_ids() -> bytes:
    """Return the ids of all bytes (256,)."""
    ids = bytearray([_DROPPED]) * 0x100
    for number, point in enumerate((p for p in _ASCII if p not in _SPACE), FIRST_SYMBOL):
        ids[point] = number
    ids[NEWLINE] = END
    return bytes(ids)

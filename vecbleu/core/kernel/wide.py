"""Clipped matches of one segment that is too wide for a row.

In rows, the keys of all orders and their comparison take 70 bytes a token at a time. Here the keys
of one order are made in pieces, sorted all together, and counted in pieces: 8 bytes a token, or 4
where they are digits. Each order is computed from tokens anew, since keeping the one before would
take as much again; it is a fifth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.kernel.keys import Keys, make_ids, ranked
from vecbleu.core.kernel.ragged import Ragged

# Tokens whose keys are made together, and sorted keys that are counted together: what fits the
# level-2 cache. Half the size takes a fifth longer.
_PIECE = 1 << 15


def wide_matches(units: Ragged, max_order: int, alphabet: int | None) -> Int64:
    """Count the matches (orders,) of a hypothesis, the first unit, in its references, the others.

    Ids are those of `ngrams.clipped_matches`.
    """
    bits = max(len(units) - 1, 1).bit_length()
    values, alphabet = ranked(units.values, max_order, bits, alphabet)
    rows = np.split(values, units.offsets[1:-1])
    buffer = np.empty(len(values), make_ids(values[:0], max_order, bits, alphabet)[0].dtype)
    matches = np.zeros(max_order, np.int64)
    for order in range(max_order):
        end = 0
        for number, row in enumerate(rows):
            for start in range(0, len(row) - order, _PIECE):
                piece = row[start : start + _PIECE + order]
                out = buffer[end : end + len(piece) - order]
                _keys(*make_ids(piece, max_order, bits, alphabet), number, out)
                end += len(out)
        keys = buffer[:end]
        keys.sort()
        matches[order] = sum(_count(part, bits) for part in _whole_ngrams(keys, bits))
    return matches


def _keys(ids: Keys, rolls: Keys, number: int, out: Keys) -> None:
    """Make the keys of one unit's n-grams, which are ``len(ids) - len(out) + 1`` ids long.

    Those of `keys.ngram_keys`, without the numbers of units until the end.
    """
    size = len(out)
    out[:] = ids[:size]
    for place in range(1, len(ids) - size + 1):
        out *= rolls[place]
        out += ids[place : place + size]
    out |= out.dtype.type(number)


def _whole_ngrams(keys: Keys, bits: int) -> Iterator[Keys]:
    """Cut sorted keys into pieces, none of them inside the copies of an n-gram."""
    low = keys.dtype.type((1 << bits) - 1)
    start = 0
    while start < len(keys):
        stop = start + _PIECE
        if stop < len(keys):  # behind the copies there, however many
            stop = int(np.searchsorted(keys, keys[stop] | low, side="right"))
        yield keys[start:stop]
        start = stop


def _count(keys: Keys, bits: int) -> int:
    """Count the clipped matches among sorted keys."""
    low = keys.dtype.type((1 << bits) - 1)
    last = np.flatnonzero(keys[1:] != keys[:-1])  # of the copies of an n-gram in one unit
    ends = np.concatenate([[-1], last, [len(keys) - 1]])
    copied = keys[ends[1:]]
    goes_on = np.zeros(len(copied), bool)  # with copies of the same n-gram in the next unit
    np.less_equal(copied[1:] ^ copied[:-1], low, out=goes_on[:-1])
    own = np.flatnonzero(goes_on)
    own = own[(copied[own] & low) == 0]
    reference = own + 1
    most = ends[reference + 1] - ends[reference]
    while (more := goes_on[reference]).any():
        reference += more
        np.maximum(most, ends[reference + 1] - ends[reference], out=most)
    return int(np.minimum(ends[own + 1] - ends[own], most).sum())

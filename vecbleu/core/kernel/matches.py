"""Sorted rows of keys to clipped matches.

The copies of an n-gram in the hypothesis stand right before those in the references; these differ
in the lowest bits, which hold the number of the unit::

    one reference       t0 t0 t1 t1 t1         several     t0 t0 t1 t2 t2 t2 t3 t3
                           ^^^^^     1st match             own   most in one: 3
                        ^^^^^^^^^^^  2nd match             2 matches

With one reference, a matched n-gram is a neighboring pair whose keys differ in the last bit alone,
and its k-th match exists where all pairs up to k - 1 steps further out are equal on both sides:
masks, no counters. With several, few n-grams that the hypothesis has repeat in it, and only the
copies of those are counted. No comparison leaves a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.core.arrays import Bytes, Index, Int64, Mask, as_index
from vecbleu.core.kernel.keys import Keys
from vecbleu.core.kernel.ragged import offsets_of, slices

# Matches of one n-gram that are counted by passes over the keys up to the last one; where there are
# more, the keys around are looked at, so far for a start. With 4 in place of 8, words take 5% and
# characters, which repeat a lot, 10% longer; with 16, both 10%. Other reaches change nothing.
_COUNTED = 8
_REACH = 16


def count_matches(rows: Keys, bits: int, buffer: Keys) -> Int64:
    """Clipped matches of each sorted row (rows,).

    Keys have the number of their unit in the lowest `bits`; the buffer holds as many.
    """
    return _in_one(rows, buffer) if bits == 1 else _in_several(rows, bits, buffer)


def _in_one(rows: Keys, buffer: Keys) -> Int64:
    """Matches in one reference."""
    width = rows.shape[1]
    keys = rows.reshape(-1)
    difference = np.bitwise_xor(keys[1:], keys[:-1], out=buffer[: keys.size - 1])
    first = np.empty(keys.size, bool)
    around = np.zeros(keys.size + 2 * width, bool)  # a row without pairs on both sides
    equal = around[width:-width]
    for value, pairs in ((1, first), (0, equal)):
        np.equal(difference, value, out=pairs[:-1])
        pairs.reshape(rows.shape)[:, -1] = False  # the last key of a row has no neighbor
    found, kth = first.view(np.uint8), first
    for k in range(2, _COUNTED + 1):
        inner = kth[1:-1]
        kth = inner & equal[: len(inner)]
        kth &= equal[2 * k - 2 :][: len(inner)]
        found[k - 1 : k - 1 + len(kth)] += kth.view(np.uint8)
        # Words repeat as unigrams, which come first: what is behind the last pair need not be seen.
        kth = kth[: kth.tobytes().rfind(1) + 1 + _COUNTED]
    counts = _sums(found.reshape(rows.shape))
    at = np.flatnonzero(kth) + (_COUNTED - 1)
    near, far = _COUNTED, min(_REACH, width)
    while at.size:
        further = _count_further(around, at + width, near, far)
        counts += np.bincount(at // width, further, len(counts)).astype(np.int64)
        at = at[further == far + 1 - near]
        near, far = far + 1, min(4 * far, width)
    return counts


def _sums(found: Bytes) -> Int64:
    """Sums of rows (rows, width), of which none is more than half of its width."""
    # Adding bytes takes two thirds of the time.
    narrow = np.uint8 if found.shape[1] <= 510 else np.int64
    sums: Int64 = np.add.reduce(found, axis=1, dtype=narrow).astype(np.int64)
    return sums


def _count_further(equal: Mask, at: Int64, near: int, far: int) -> Int64:
    """How many pairs are equal on both sides of each place, from `near` steps off up to `far`.

    Where all nearer ones are equal, so many keys belong to one place: the windows take no more
    memory than some times the keys.
    """
    windows = slices(equal, at - far, 2 * far + 1)
    both = windows[:, far - near :: -1] & windows[:, far + near :]
    further: Int64 = both.argmin(axis=1)  # 0, too, where all are equal
    further[both[:, 0] & (further == 0)] = both.shape[1]
    return further


def _in_several(rows: Keys, bits: int, buffer: Keys) -> Int64:
    """Matches in several references.

    Measuring all runs of equal keys, as for wide segments, takes 1.4 to 1.9 times as long.
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    low = keys.dtype.type((1 << bits) - 1)
    difference = np.bitwise_xor(keys[1:], keys[:-1], out=buffer[: keys.size - 1])
    goes_on = np.empty(keys.size, bool)  # with another copy of the n-gram
    np.less_equal(difference, low, out=goes_on[:-1])
    goes_on.reshape(rows.shape)[:, -1] = False
    equal = (difference == 0) & goes_on[:-1]
    first = np.equal(np.bitwise_and(keys, low, out=buffer[: keys.size]), 0) & goes_on
    first[:-1] &= ~equal  # the hypothesis' last copies, with one in a reference behind
    counts = _sums(first.view(np.uint8).reshape(rows.shape))
    repeated = np.flatnonzero(first[1:] & equal) + 1
    if repeated.size:
        further = _clipped(_copies(keys, goes_on, repeated), low) - 1
        counts += np.bincount(repeated // width, further, len(counts)).astype(np.int64)
    return counts


def _copies(keys: Keys, goes_on: Mask, at: Index) -> Keys:
    """All copies of the n-grams at some places, one after the other."""
    ends = np.concatenate([[-1], np.flatnonzero(~goes_on)])
    ngram = np.searchsorted(ends, at)
    starts, sizes = ends[ngram - 1] + 1, ends[ngram] - ends[ngram - 1]
    offsets = offsets_of(sizes)
    places = np.arange(offsets[-1])
    places += np.repeat(starts - offsets[:-1], as_index(sizes))
    return keys[places]


def _clipped(copies: Keys, low: np.unsignedinteger[Any]) -> Int64:
    """Clipped matches of n-grams, given the copies of each in turn, the hypothesis' ones first."""
    starts = np.flatnonzero(copies[1:] != copies[:-1]) + 1  # of copies in one unit
    starts = np.concatenate([[0], starts])
    sizes = np.diff(starts, append=len(copies))
    ngrams = np.flatnonzero((copies[starts] & low) == 0)
    own = sizes[ngrams]
    sizes[ngrams] = 0
    most: Int64 = np.maximum.reduceat(sizes, ngrams)
    clipped: Int64 = np.minimum(own, most)
    return clipped

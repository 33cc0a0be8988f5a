"""Count the clipped matches of each segment, and choose its reference length.

An n-gram of the hypothesis matches at most as often as it occurs in any single reference. In a
sorted row of keys (see `ngrams`), the copies of an n-gram stand together, those of the hypothesis
(unit 0) first. The keys of all copies differ only in the lowest bits, the number of the unit::

    one reference       t0 t0 t1 t1 t1         several     t0 t0 t1 t2 t2 t2 t3 t3
                           ^^^^^     1st match             own   most in one: 3
                        ^^^^^^^^^^^  2nd match             2 matches

With one reference, the 1st match of an n-gram is a pair of neighbors whose keys differ in the last
bit. Call a pair equal if its two keys are. There is a k-th match if the k - 1 pairs to the left of
the 1st match and the k - 1 pairs to its right are equal. Few n-grams repeat, so a mask finds those
with a 2nd match, and windows around these count the rest.

With several references, an n-gram that stands once in the hypothesis needs a single comparison.
Few n-grams stand there more than once: their copies are counted.

No comparison crosses the end of a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Index, Int64, Mask, UInt64
from vecbleu.kernel.ngrams import number_bits, sorted_rows
from vecbleu.kernel.ragged import Ragged, as_index, ranges, slices

# The first windows reach this many keys to each side.
_REACH = 8


def clipped_matches(units: Ragged, segments: Int64, max_order: int) -> Int64:
    """Count the clipped matches of each segment and order (S, N).

    `segments` (S + 1,) are offsets into the units; the first unit of each segment is its
    hypothesis. Ids must be hashes (`ngrams.mix`).
    """
    matches = np.zeros((len(segments) - 1, max_order), np.int64)
    bits = number_bits(segments)
    for members, keys in sorted_rows(units, segments, max_order):
        rows = keys.reshape(-1, keys.shape[-1])
        counts = _in_one(rows) if bits == 1 else _in_several(rows, bits)
        matches[members] = counts.reshape(max_order, -1).T
    return matches


def _in_one(rows: UInt64) -> Int64:
    """Count the matches of each sorted row, given one reference (rows,).

    Pair p is key p and the next key::

        keys    c0 m1 t0 t0 t1 t1 t1
        first            x               t0 and t1: the 1st match
        equal         x     x  x         equal to the left and to the right: the 2nd match
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    difference = keys[1:] ^ keys[:-1]
    first = np.empty(keys.size, bool)
    around = np.zeros(keys.size + 2 * width, bool)  # with an empty row on both sides
    equal = around[width:-width]
    for value, pairs in ((1, first), (0, equal)):
        np.equal(difference, value, out=pairs[:-1])
        pairs.reshape(rows.shape)[:, -1] = False  # no pair crosses the end of a row
    counts = row_sums(first.view(np.uint8).reshape(rows.shape), width // 2)
    at = np.flatnonzero(first[1:-1] & equal[:-2] & equal[2:]) + 1  # have a 2nd match
    near, far = 1, min(_REACH, width)
    while at.size:  # ends at the latest where the row does, since its last pair is not equal
        further = _count_further(around, at + width, near, far)
        counts += np.bincount(at // width, further, len(counts)).astype(np.int64)
        at = at[further == far + 1 - near]
        near, far = far + 1, min(4 * far, width)
    return counts


def _count_further(equal: Mask, at: Int64, near: int, far: int) -> Int64:
    """Count the steps from `near` to `far` with equal pairs on both sides of each place (places,).

    Stop at the first step without such pairs. All nearer pairs are equal. So places are at least
    `near` keys apart, and their windows take a few times the memory of the keys.
    """
    windows = slices(equal, at - far, 2 * far + 1)
    both = windows[:, far - near :: -1] & windows[:, far + near :]
    further: Int64 = both.argmin(axis=1)  # also 0 if all are equal
    further[both[:, 0] & (further == 0)] = both.shape[1]
    return further


def row_sums(rows: npt.NDArray[np.unsignedinteger[Any]], most: int) -> Int64:
    """Sum each row (rows,); no sum is larger than `most`. Narrow sums are faster."""
    sums: Int64 = np.add.reduce(rows, axis=1, dtype=np.min_scalar_type(most)).astype(np.int64)
    return sums


def _in_several(rows: UInt64, bits: int) -> Int64:
    """Count the matches of each sorted row, given several references (rows,).

    Only the runs of n-grams that repeat in the hypothesis are measured, which are few.
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    low = np.uint64((1 << bits) - 1)
    difference = keys[1:] ^ keys[:-1]
    same_ngram = np.empty(keys.size, bool)  # the next key is of the same n-gram
    np.less_equal(difference, low, out=same_ngram[:-1])
    same_ngram.reshape(rows.shape)[:, -1] = False
    equal = (difference == 0) & same_ngram[:-1]
    last_copy = ((keys & low) == 0) & same_ngram
    last_copy[:-1] &= ~equal  # in the hypothesis, if a reference has the n-gram
    counts = row_sums(last_copy.view(np.uint8).reshape(rows.shape), width // 2)
    repeated = np.flatnonzero(last_copy[1:] & equal) + 1
    if repeated.size:
        further = _clipped(_copies(keys, same_ngram, repeated), low) - 1
        counts += np.bincount(repeated // width, further, len(counts)).astype(np.int64)
    return counts


def _copies(keys: UInt64, same_ngram: Mask, at: Index) -> UInt64:
    """Return the keys of all copies of the n-grams at the given places."""
    ends = np.concatenate([[-1], np.flatnonzero(~same_ngram)])
    ngram = np.searchsorted(ends, at)
    return keys[ranges(ends[ngram - 1] + 1, ends[ngram] - ends[ngram - 1])]


def _clipped(copies: UInt64, low: np.uint64) -> Int64:
    """Count the clipped matches of n-grams, given the keys of all copies, n-gram by n-gram."""
    starts = np.flatnonzero(copies[1:] != copies[:-1]) + 1  # (runs,): copies in one unit
    starts = np.concatenate([[0], starts])
    sizes = np.diff(starts, append=len(copies))
    ngrams = np.flatnonzero((copies[starts] & low) == 0)  # each begins with the hypothesis' run
    in_hypothesis = sizes[ngrams]
    sizes[ngrams] = 0  # only references are left
    in_reference: Int64 = np.maximum.reduceat(sizes, ngrams)
    clipped: Int64 = np.minimum(in_hypothesis, in_reference)
    return clipped


def reference_lengths(hyp_len: Int64, lengths: Int64, counts: Int64, ref_length: str) -> Int64:
    """Choose the reference length of each segment: the closest, shortest or longest (S,).

    `lengths` (references,) are the lengths of all references. `counts` (S,) are the numbers of
    references, at least one a segment. If two lengths are equally close, choose the shorter one.
    """
    if len(lengths) == len(counts):  # one reference each: nothing to choose
        return lengths
    sizes = as_index(counts)
    starts = np.cumsum(sizes) - sizes
    if ref_length != "closest":
        choose = {"shortest": np.minimum, "longest": np.maximum}[ref_length]
        chosen: Int64 = choose.reduceat(lengths, starts)
        return chosen
    hyp_lens = np.repeat(hyp_len, sizes)
    # Twice the distance, plus 1 for longer references: the least belongs to the closest length.
    nearest = np.minimum.reduceat(np.abs(lengths - hyp_lens) << 1 | (lengths > hyp_lens), starts)
    return hyp_len + np.where(nearest & 1, nearest >> 1, -(nearest >> 1))

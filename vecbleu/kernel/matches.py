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

import numpy as np

from vecbleu.kernel.arrays import Index, Int64, Mask, UInt64
from vecbleu.kernel.ngrams import number_bits, sorted_rows
from vecbleu.kernel.ragged import Integers, Ragged, as_index, ranges, slices

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
    np.equal(difference, 1, out=first[:-1])
    first[width - 1 :: width] = False  # no pair crosses the end of a row
    around = np.zeros(keys.size + 2 * width, bool)  # with an empty row on both sides
    equal = around[width:-width]
    np.equal(difference, 0, out=equal[:-1])
    equal[width - 1 :: width] = False
    counts = _count_true(first, width)
    has_second = first[1:-1] & equal[:-2]
    has_second &= equal[2:]
    at = np.flatnonzero(has_second) + 1
    near = 1
    far = min(_REACH, width)
    while at.size:  # ends at the latest where the row does, since its last pair is not equal
        further = _count_further(around, at + width, near, far)
        counts += np.bincount(at // width, further, len(counts)).astype(np.int64)
        steps = far + 1 - near
        at = at[further == steps]  # may have more
        near = far + 1
        far = min(4 * far, width)
    return counts


def _count_further(equal: Mask, at: Int64, near: int, far: int) -> Int64:
    """Count the steps from `near` to `far` with equal pairs on both sides of each place (places,).

    Stop at the first step without such pairs. All nearer pairs are equal. So places are at least
    `near` keys apart, and their windows take a few times the memory of the keys.
    """
    windows = slices(equal, at - far, 2 * far + 1)
    left = windows[:, far - near :: -1]
    right = windows[:, far + near :]
    both = left & right  # (places, steps)
    further: Int64 = both.argmin(axis=1)  # also 0 if all are equal
    are_all = (further == 0) & both[:, 0]
    further[are_all] = both.shape[1]
    return further


def _count_true(flags: Mask, width: int) -> Int64:
    """Count the flags of each row (rows,), of which at most half are true."""
    rows = flags.view(np.uint8).reshape(-1, width)
    return row_sums(rows, width // 2)


def row_sums(rows: Integers, most: int) -> Int64:
    """Sum each row (rows,); no sum is larger than `most`. Narrow sums are faster."""
    narrowest = np.min_scalar_type(most)
    sums: Integers = np.add.reduce(rows, axis=1, dtype=narrowest)
    return sums.astype(np.int64)


def _in_several(rows: UInt64, bits: int) -> Int64:
    """Count the matches of each sorted row, given several references (rows,).

    Only the runs of n-grams that repeat in the hypothesis are measured, which are few::

        keys        c0 c2 t0 t0 t1 t2 t2 t2
        same_ngram  x     x  x  x  x  x      the next key is of the same n-gram
        equal             x        x  x      the next key is the same
        last_copy   x        x               c: 1 match; t: at least 1, and it repeats
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    low = np.uint64((1 << bits) - 1)
    difference = keys[1:] ^ keys[:-1]
    same_ngram = np.empty(keys.size, bool)
    np.less_equal(difference, low, out=same_ngram[:-1])
    same_ngram[width - 1 :: width] = False
    equal = difference == 0
    equal &= same_ngram[:-1]
    last_copy = (keys & low) == 0  # in the hypothesis
    last_copy &= same_ngram  # and a reference has the n-gram, if this is not followed by a copy
    last_copy[:-1] &= ~equal
    counts = _count_true(last_copy, width)
    repeats = last_copy[1:] & equal
    repeated = np.flatnonzero(repeats) + 1
    if repeated.size:
        copies = _copies(keys, same_ngram, repeated)
        further = _clipped(copies, low) - 1
        counts += np.bincount(repeated // width, further, len(counts)).astype(np.int64)
    return counts


def _copies(keys: UInt64, same_ngram: Mask, at: Index) -> UInt64:
    """Return the keys of all copies of the n-grams at the given places."""
    ends = np.concatenate([[-1], np.flatnonzero(~same_ngram)])  # the last key of each n-gram
    ngram = np.searchsorted(ends, at)
    before = ends[ngram - 1]
    return keys[ranges(before + 1, ends[ngram] - before)]


def _clipped(copies: UInt64, low: np.uint64) -> Int64:
    """Count the clipped matches of n-grams, given the keys of all copies, n-gram by n-gram.

    Copies in one unit are a run::

        copies  t0 t0 t1 t2 t2 t2      min(2, max(1, 3)) = 2 matches
        sizes   2     1  3
    """
    begins = copies[1:] != copies[:-1]
    starts = np.flatnonzero(begins) + 1
    starts = np.concatenate([[0], starts])  # (runs,)
    sizes = np.diff(starts, append=len(copies))
    units = copies[starts] & low
    ngrams = np.flatnonzero(units == 0)  # each begins with the hypothesis' run
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
    further = lengths - np.repeat(hyp_len, sizes)
    # Twice the distance, plus 1 for longer references: the least belongs to the closest length.
    rank = np.abs(further) << 1 | (further > 0)
    nearest = np.minimum.reduceat(rank, starts)
    distance = nearest >> 1
    is_longer = nearest & 1
    return hyp_len + np.where(is_longer, distance, -distance)

"""TER of blocks and tables, in NumPy: the same shifts, edits and digits as in `plain`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Counts, Float, Int64, keep_freed_memory
from vecbleu.kernel.matches import clipped_matches
from vecbleu.kernel.ragged import (
    Ragged,
    as_index,
    cuts,
    lengths_of,
    offsets_of,
    ranges,
    row_numbers,
    starts_of,
)
from vecbleu.ter.columns import lengths_of_rows, mean_length
from vecbleu.ter.plain import BEAM, FARTHEST_SHIFT, LONGEST_SHIFT, MOST_SHIFTS, pair_edits
from vecbleu.ter.rows import (
    WORD,
    Alignment,
    Pairs,
    RowsAfter,
    alignment,
    equal_words,
    first_rows,
)

# Rows of shifted hypotheses that fit in the cache, if each pair has about n * n of them.
_PART = 1 << 21

# Stands for edits that are not counted yet.
_OPEN = -1

# A path with so many deletions and insertions, and so many more of one kind, stays in the beam.
_INSIDE = 2 * BEAM - 4

# Words of a hypothesis for one of its reference, such as those of a system that repeats itself.
_UNEVEN = 8


def ter_rows(pairs: Ragged, segments: Int64) -> Int64:
    """Count the segments of a block (S, 3); `pairs` are each hypothesis and reference in turn."""
    keep_freed_memory()
    edits = edits_of_pairs(pairs)
    references = lengths_of(segments) - 1
    starts = starts_of(references)
    total = np.add.reduceat(pairs.lengths[1::2], starts)
    fewest = np.minimum.reduceat(edits, starts)
    return np.column_stack([fewest, *mean_length(total, references)])


def ter_percents(counts: Counts, dtype: npt.DTypeLike = np.float64) -> Float:
    """Compute TER of counts (..., 3), from 0 on, as `plain.row_percent` does."""
    edits = np.asarray(counts[..., 0], dtype)
    length = np.asarray(lengths_of_rows(counts), dtype)
    scores = np.asarray(edits > 0, dtype)  # of empty references
    np.divide(edits, length, out=scores, where=length > 0)
    percents: Float = 100 * scores
    return percents


def edits_of_pairs(units: Ragged) -> Int64:
    """Count the edits of pairs (P,); `units` are each hypothesis and its reference in turn."""
    n, m = units.lengths.reshape(-1, 2).T
    # No order of the words has a lower distance.
    common = clipped_matches(units, np.arange(0, len(units) + 1, 2), 1)
    least = np.maximum(n, m) - common[:, 0]
    is_empty = (n == 0) | (m == 0)
    edits = np.where(is_empty, least, _OPEN)
    # A row of the beam has more than 64 columns, or so many rows take plain Python less time.
    is_uneven = (m > 2 * BEAM * n) | (n > _UNEVEN * m)
    for pair in np.flatnonzero(~is_empty & is_uneven).tolist():
        edits[pair] = pair_edits(units[2 * pair].tolist(), units[2 * pair + 1].tolist())
    can_stay = (m < WORD) & (2 * abs(n - m) <= _INSIDE)  # in the beam, without computing it
    for has_beam in (False, True):
        fits = can_stay | has_beam
        for part in _parts(np.flatnonzero(fits & (edits == _OPEN)), n):
            pairs = Pairs.of(units.take(2 * part), units.take(2 * part + 1), has_beam)
            edits[part] = count_edits(pairs, least[part])
    return edits


def _parts(pairs: Int64, n: Int64) -> list[Int64]:
    """Order pairs by falling lengths, and cut them into parts of about `_PART` rows."""
    pairs = pairs[np.argsort(-n[pairs], kind="stable")]
    offsets = offsets_of(n[pairs] ** 2)
    return [pairs[start:stop] for start, stop in cuts(offsets, _PART)]


def count_edits(pairs: Pairs, least: Int64) -> Int64:
    """Count the edits of each pair as `plain.pair_edits` does; `_OPEN` for those that need a beam.

    In each round, the pairs that may still gain make their best shift.
    """
    size = len(pairs.n)
    swaps = np.zeros((4, size), np.int64)  # which change nothing
    swaps[0] = np.arange(size)
    after = RowsAfter(pairs, first_rows(pairs), swaps)
    distance = after.distance
    made, tried = np.zeros((2, size), np.int64)
    needs_beam = np.zeros(size, bool)
    if pairs.beam is None:  # no path with fewer edits can leave the beam
        needs_beam = distance + abs(pairs.n - pairs.m) > _INSIDE
    number = chosen = np.flatnonzero((distance > least) & ~needs_beam)
    while len(number):
        pairs = pairs.swapped(after.swaps[:, chosen])
        table = after.joined(chosen)
        shifts = find_shifts(pairs, alignment(pairs, table))
        tried[number] += np.bincount(as_index(shifts[0]), minlength=len(number))
        swaps = swaps_of(shifts, pairs.n)
        kept = (swaps[3] > 0) & (tried[number] < MOST_SHIFTS)[shifts[0]]
        if not kept.any():
            break
        shifts, swaps = shifts[:, kept], swaps[:, kept]
        distinct, index = _distinct(swaps, pairs.n)
        after = RowsAfter(pairs, table, distinct)
        number = number[shifts[0]]
        gain = distance[number] - after.distance[index]
        best = best_shifts(shifts, gain)
        number = number[best]
        distance[number] -= gain[best]
        made[number] += 1
        goes_on = distance[number] > least[number]
        number, chosen = number[goes_on], index[best[goes_on]]
    return np.where(needs_beam, _OPEN, made + distance)


def _distinct(swaps: Int64, n: Int64) -> tuple[Int64, Int64]:
    """Return each swap once, those with the most rows first, and the index of each swap in them."""
    size = int(n[0]) + 1
    pair, first, left, right = swaps
    shape = size, len(n), size, size
    key = np.ravel_multi_index((size - n[pair] + first, pair, left, right), shape)
    _, places, index = np.unique(key, return_index=True, return_inverse=True)
    return swaps[:, places], index


# Shifts to try: one array (4, shifts) of the pair, the first word, the length and the target.


def swaps_of(shifts: Int64, n: Int64) -> Int64:
    """Return the blocks that each shift swaps; the right one is empty if it has no effect."""
    pair, start, length, target = shifts
    end = start + length
    last = np.where(target > end, target, np.minimum(target + length, n[pair]))
    to_left = pair, target, start - target, length
    to_right = pair, start, length, last - end
    return np.where(target < start, to_left, to_right)


def best_shifts(shifts: Int64, gain: Int64) -> Int64:
    """Return the best shift of each pair that gains by one, in order of pairs.

    The highest gain is the best, then the longest shift, the first start, the first target.
    """
    pair, start, length, target = shifts
    order = np.lexsort((-target, -start, length, gain, pair))
    best: Int64 = order[np.diff(pair[order], append=-1) != 0]
    return best[gain[best] > 0]


def find_shifts(pairs: Pairs, alignment: Alignment) -> Int64:
    """Return the shifts that `plain` tries, as often as it does, in order of pairs.

    A place where both units have the same word allows shifts from a shortest to a longest length.
    """
    aligned, hyp_error, ref_error = alignment
    rows, count, _ = pairs.same.shape
    start, pair, column = equal_words(pairs.same, FARTHEST_SHIFT)
    # Sorted by diagonals, the words of a run are neighbors.
    shape = count, rows + aligned.shape[1], rows + 1
    diagonal = column - start + rows
    key = np.sort(np.ravel_multi_index((pair, diagonal, start), shape))
    pair, diagonal, start = np.unravel_index(key, shape)
    word = start + diagonal - rows - 1  # of the reference
    ends = np.flatnonzero(np.diff(key, append=-1) != 1)
    run = np.repeat(ends, np.diff(ends, prepend=-1)) - np.arange(len(key)) + 1
    shortest = np.maximum(hyp_error[pair, start] - start, ref_error[pair, word] - word) + 1
    longest = np.minimum(run, LONGEST_SHIFT)
    own = aligned[pair, word + 1]
    np.minimum(longest, own - start - 1, out=longest, where=own > start)
    lengths = np.maximum(longest - shortest + 1, 0)
    place = row_numbers(lengths)
    length = ranges(shortest, lengths)
    # Targets, of which equal neighbors count once.
    targets = length + 1
    shift = row_numbers(targets)
    at = (pair * aligned.shape[1] + word)[place]
    target = aligned.reshape(-1)[ranges(at, targets)]
    is_new = np.diff(target, prepend=-1) != 0
    is_new[starts_of(targets)] = True
    shift, target = shift[is_new], target[is_new]
    place = place[shift]
    return np.stack([pair[place], start[place], length[shift], target])

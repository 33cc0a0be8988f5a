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
from vecbleu.kernel.ngrams import NOTHING, number_bits, sorted_rows
from vecbleu.kernel.ragged import (
    Integers,
    Ragged,
    as_index,
    lengths_of,
    offsets_of,
    ranges,
    slices,
    starts_of,
)

# Hypotheses of a group; sorting the keys of more takes longer.
_MOST_HYPOTHESES = 16

# The first windows reach this many keys to each side.
_REACH = 8


def clipped_matches(units: Ragged, segments: Int64, max_order: int) -> Int64:
    """Count the clipped matches of each segment and order (S, N).

    `segments` (S + 1,) are offsets into the units; the first unit of each segment is its
    hypothesis. Ids must be hashes (`ngrams.mix`).
    """
    matches = np.zeros((len(segments) - 1, max_order), np.int64)
    bits = number_bits(segments)
    groups = _groups(units, segments) if bits > 1 else None
    if groups is not None:
        return matches_in_groups(*groups, max_order)
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
    narrow = np.min_scalar_type(width // 2)  # faster than int64
    rows = flags.view(np.uint8).reshape(-1, width)
    sums: Integers = np.add.reduce(rows, axis=1, dtype=narrow)
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
    low = (1 << bits) - 1
    same_ngram, equal = _neighbors(keys, width, low)
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


def _clipped(copies: UInt64, low: int) -> Int64:
    """Count the clipped matches of n-grams, given the keys of all copies, n-gram by n-gram.

    Copies in one unit are a run::

        copies  t0 t0 t1 t2 t2 t2      min(2, max(1, 3)) = 2 matches
        sizes   2     1  3
    """
    starts = _starts(copies[1:] != copies[:-1])  # (runs,)
    sizes = np.diff(starts, append=len(copies))
    units = copies[starts] & low
    ngrams = np.flatnonzero(units == 0)  # each begins with the hypothesis' run
    in_hypothesis = sizes[ngrams]
    sizes[ngrams] = 0  # only references are left
    in_reference: Int64 = np.maximum.reduceat(sizes, ngrams)
    clipped: Int64 = np.minimum(in_hypothesis, in_reference)
    return clipped


def _neighbors(keys: UInt64, width: int, low: int) -> tuple[Mask, Mask]:
    """Mark keys whose next key in the row has the same n-gram (keys,), or is equal (keys - 1,)."""
    difference = keys[1:] ^ keys[:-1]
    same_ngram = np.empty(keys.size, bool)
    np.less_equal(difference, low, out=same_ngram[:-1])
    same_ngram[width - 1 :: width] = False
    equal = difference == 0
    equal &= same_ngram[:-1]
    return same_ngram, equal


def _groups(units: Ragged, segments: Int64) -> tuple[Ragged, Int64, Int64] | None:
    """Return segments as groups that share references; None unless that halves the units.

    A group has several hypotheses, then their references. Return the units, the offsets of groups
    in these (G + 1,), and the number of hypotheses of each group (G,).
    """
    hypotheses = segments[:-1]
    before = offsets_of(units.values)[units.offsets]  # sum of the ids before each unit
    sums = before[segments[1:]] - before[hypotheses + 1]  # of references
    begins = np.ones(len(sums), bool)
    begins[1:] = sums[1:] != sums[:-1]
    repeats = np.flatnonzero(~begins)
    begins[::_MOST_HYPOTHESES] = True
    first = np.flatnonzero(begins)  # segment of each group
    sizes = lengths_of(segments)[first] - 1  # references
    counts = np.diff(first, append=len(begins))
    offsets = offsets_of(counts + sizes)
    if 2 * offsets[-1] > segments[-1]:
        return None
    ids = _parts(units.values, units.offsets[hypotheses + 1], units.offsets[segments[1:]])
    lengths = _parts(units.lengths, hypotheses + 1, segments[1:])
    references = list(zip(ids, lengths, strict=True))
    if any(references[segment] != references[segment - 1] for segment in repeats.tolist()):
        return None  # the same ids in another order
    is_reference = np.zeros(offsets[-1], bool)
    is_reference[ranges(offsets[1:] - sizes, sizes)] = True
    places = np.empty(len(is_reference), np.int64)
    places[is_reference] = ranges(hypotheses[first] + 1, sizes)
    places[~is_reference] = hypotheses
    return units.take(places), offsets, counts


def _parts(values: Int64, starts: Int64, ends: Int64) -> list[bytes]:
    """Return the bytes of the values from each start to its end, which compare faster."""
    data = values.tobytes()
    spans = map(slice, (8 * starts).tolist(), (8 * ends).tolist())
    return list(map(data.__getitem__, spans))


def matches_in_groups(units: Ragged, groups: Int64, hypotheses: Int64, max_order: int) -> Int64:
    """Count the clipped matches of each hypothesis and order (S, N).

    The hypotheses of a group share its references, which are sorted once. `groups` (G + 1,) are
    offsets into the units. The first units of each group are its `hypotheses` (G,). Ids must be
    hashes (`ngrams.mix`).
    """
    first = offsets_of(hypotheses)  # hypothesis of each group
    size = int(first[-1])
    matches = np.zeros(max_order * size, np.int64)
    by_order = size * np.arange(max_order)[:, None]
    low = (1 << number_bits(groups)) - 1
    for members, keys in sorted_rows(units, groups, max_order):
        rows = keys.reshape(-1, keys.shape[-1])
        at, counts = _in_groups(rows, low, np.tile(hypotheses[members], max_order))
        bases = (by_order + first[members]).reshape(-1)  # of rows
        numbers = (rows.reshape(-1)[at] & low).view(np.int64)
        numbers += bases[at // rows.shape[1]]
        matches += np.bincount(numbers, counts, len(matches)).astype(np.int64)
    return matches.reshape(max_order, size).T


def _in_groups(rows: UInt64, low: int, hypotheses: Int64) -> tuple[Index, Int64]:
    """Return places of n-grams of hypotheses in sorted rows, and matches to add there.

    Each row has several hypotheses (rows,), then references. Here, units 0 and 1 are hypotheses::

        keys         t0 t0 t1 t2 t3 t3 c0 m1 m2
        is_reference          x  x  x        x
        found        x  x  x  x  x  x     x  x      a reference has the n-gram
        last_copy       x  x              x         each is a match
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    same_ngram, equal = _neighbors(keys, width, low)
    narrow = np.min_scalar_type(low)
    numbers = keys.astype(narrow) & low
    first_reference = hypotheses.astype(narrow)[:, None]
    is_reference = (numbers.reshape(rows.shape) >= first_reference).reshape(-1)
    last_copy = _any_later(is_reference, same_ngram)
    last_copy &= ~is_reference
    last_copy[:-1] &= ~equal
    last = np.flatnonzero(last_copy)
    repeated, further = _further_matches(rows, low, hypotheses, equal)
    matches = np.ones(len(last), np.int64)
    return np.concatenate([last, repeated]), np.concatenate([matches, further])


def _further_matches(rows: UInt64, low: int, hypotheses: Int64, equal: Mask) -> tuple[Index, Int64]:
    """Return places of n-grams that repeat in a hypothesis, and their matches but the first.

    They are the clipped matches of what is left without the last copy in each unit::

        copies  t0 t1 t2 t2      t0: min(1, 2) = 1 further match, t1: 1
        sizes   1  1  2
    """
    keys = rows.reshape(-1)
    at = np.flatnonzero(equal)
    at = at[keys[at] != NOTHING]  # few
    if not at.size:
        return at, at.astype(np.int64)
    copies, row = keys[at], at // rows.shape[1]
    difference = copies[1:] ^ copies[:-1]
    is_other_row = row[1:] != row[:-1]
    units = _starts((difference > 0) | is_other_row)
    ngrams = _starts((difference > low) | is_other_row)
    sizes = np.diff(units, append=len(at))
    is_own = (copies[units] & low).view(np.int64) < hypotheses[row[units]]
    in_references = np.where(is_own, 0, sizes)
    most = np.maximum.reduceat(in_references, np.searchsorted(units, ngrams))
    own = units[is_own]
    ngram = np.searchsorted(ngrams, own, side="right") - 1
    return at[own], np.minimum(sizes[is_own], most[ngram])


def _starts(differs: Mask) -> Index:
    """Return where runs start, given which values differ from the one before."""
    return np.concatenate([[0], np.flatnonzero(differs) + 1])


def _any_later(flags: Mask, same_ngram: Mask) -> Mask:
    """Mark the keys of which one at the same place or later, of the same n-gram, has a flag."""
    found = flags.copy()
    step = 1
    while same_ngram.any():  # the next `step` keys are of the same n-gram
        found[:-step] |= found[step:] & same_ngram[: len(found) - step]
        same_ngram = same_ngram[:-step] & same_ngram[step:]
        step = 2 * step
    return found


def reference_lengths(hyp_len: Int64, lengths: Int64, counts: Int64, ref_length: str) -> Int64:
    """Choose the reference length of each segment: the closest, shortest or longest (S,).

    `lengths` (references,) are the lengths of all references. `counts` (S,) are the numbers of
    references, at least one a segment. If two lengths are equally close, choose the shorter one.
    """
    if len(lengths) == len(counts):  # one reference each: nothing to choose
        return lengths
    sizes = as_index(counts)
    starts = starts_of(sizes)
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

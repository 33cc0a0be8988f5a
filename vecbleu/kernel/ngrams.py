"""Hash token ids, and make sorted rows of n-gram keys: equal n-grams have equal keys.

All units are rows of one `Ragged`; the hypothesis of a segment stands right before its references.
Each n-gram of each order gets a 64-bit key. The lowest bits of the key are the number of the unit
in its segment: 0 is the hypothesis. The keys of one segment and order form a row, and rows of
similar width are made and sorted together::

    unit 0  the the cat          unigrams  t0 t0 c0 t1 t1 m1 t1     sorted  c0 m1 t0 t0 t1 t1 t1
    unit 1  the the mat the

Two different n-grams get equal keys with a probability of about 2**-(64 - b), if the number of the
unit takes b bits: 2**-63 with one reference. It is up to 4 times as high for similar n-grams, such
as `a b` and `b a`, or `a a` and `b b`. Only keys of the same segment are compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from vecbleu.kernel.arrays import Int64, UInt64
from vecbleu.kernel.ragged import (
    Ragged,
    as_index,
    lengths_of,
    offsets_of,
    places_in_rows,
    ranges,
    slices,
)

# Digits of pi; ROLL and FOLD are odd. They are fixed: ids of different processes are compared.
# ROLL seeds the multipliers of n-grams, FOLD those of the 8-byte words of a long token.
_OFFSET = np.uint64(0x243F6A8885A308D3)
ROLL = np.uint64(0xA4093822299F31D1)
FOLD = np.uint64(0x082EFA98EC4E6C89)

# murmur3's 64-bit finalizer: every input bit changes every output bit with probability 1/2.
_SHIFT = np.uint64(33)
_FIRST = np.uint64(0xFF51AFD7ED558CCD)
_SECOND = np.uint64(0xC4CEB9FE1A85EC53)

# Fills the places of a row without an n-gram. Keys differ from it in more than the lowest bits.
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)

# Number of keys made and sorted together. They take 0.5 MB, and comparing them takes as much: both
# fit in the level-2 cache. With fewer keys, NumPy's overhead for each group counts.
GROUP_KEYS = 1 << 16

# Padding may be 1/8 of a group, plus 1/8 of the limit: sorting that much takes about as long as
# the overhead of another group.
_SLACK = 8


def mix(values: UInt64) -> UInt64:
    """Hash 64-bit values: different values get different hashes."""
    mixed = values ^ _OFFSET
    shifted = mixed >> _SHIFT
    mixed ^= shifted
    for multiplier in (_FIRST, _SECOND):
        mixed *= multiplier
        np.right_shift(mixed, _SHIFT, out=shifted)
        mixed ^= shifted
    return mixed


def number_bits(segments: Int64) -> int:
    """Return how many bits the number of a unit in its segment takes, at least 1."""
    most_units = int(lengths_of(segments).max(initial=0))
    highest = max(most_units - 1, 1)
    return highest.bit_length()


def sorted_rows(units: Ragged, segments: Int64, max_order: int) -> Iterator[tuple[Int64, UInt64]]:
    """Yield the sorted keys of all segments that have tokens, a group of similar width at a time.

    Each item has the indices of the segments (group,) and their keys (N, group, width). The next
    item overwrites the keys. `segments` (S + 1,) are offsets into the units; ids must be hashes
    (`mix`).
    """
    bits = number_bits(segments)
    bounds = units.offsets[segments]  # (S + 1,)
    widths = lengths_of(bounds)
    margin = int(widths.max(initial=0))  # a row may begin before the first token
    tokens = _numbered_tokens(units, segments, bits, margin)
    size = max(GROUP_KEYS, margin * max_order)
    buffer = np.empty(size, np.uint64)
    for members, width in groups_of_like_width(widths, GROUP_KEYS // max_order):
        # Each row ends with its segment; `_make_keys` erases what stands before that.
        ends = margin + bounds[members + 1]
        rows = slices(tokens, ends - width, width)
        used = buffer[: max_order * rows.size]
        keys = used.reshape(max_order, *rows.shape)
        _make_keys(rows, bits, widths[members], keys)
        # Without AVX-512, signed integers are sorted faster.
        keys.view(np.int64).sort(axis=-1)
        yield members, keys


def groups_of_like_width(widths: Int64, limit: int) -> Iterator[tuple[Int64, int]]:
    """Yield segments of similar width (group,), and the width of the widest one.

    A group is one segment, or takes at most `limit` places. Segments without a token are left out.
    """
    widest = int(widths.max(initial=0))
    narrow = widths.astype(np.min_scalar_type(widest))
    by_width = np.argsort(narrow, kind="stable")  # radix sort
    widths = widths[by_width]
    width = widths.tolist()
    tokens_before = offsets_of(widths).tolist()
    first = bisect_right(width, 0)
    while first < len(width):
        stop = first + 1
        fitting = limit // width[first]
        most = min(len(width), first + fitting)
        while stop < most:  # bisect for the largest group
            middle = (stop + most + 1) // 2
            area = (middle - first) * width[middle - 1]
            tokens = tokens_before[middle] - tokens_before[first]
            most_padding = area // _SLACK + limit // _SLACK
            if area <= limit and area - tokens <= most_padding:
                stop = middle
            else:
                most = middle - 1
        yield by_width[first:stop], width[stop - 1]
        first = stop


def _numbered_tokens(units: Ragged, segments: Int64, bits: int, margin: int) -> UInt64:
    """Write the number of each id's unit into its lowest bits; return (margin + tokens,).

    The result begins with `margin` zeros: a row may begin before the first token.
    """
    numbers = places_in_rows(lengths_of(segments))  # (units,)
    tokens = np.zeros(margin + len(units.values), np.uint64)
    numbered = tokens[margin:]
    without_lowest = NOTHING << bits
    np.bitwise_and(units.values.view(np.uint64), without_lowest, out=numbered)
    numbered |= np.repeat(numbers.astype(np.uint64), as_index(units.lengths))
    return tokens


def _make_keys(rows: UInt64, bits: int, lengths: Int64, out: UInt64) -> None:
    """Make the keys of rows, into `out` (N, rows, width).

    Row i ends with the ``lengths[i]`` tokens of its segment. Keys are made along all rows at once.
    Those that cross the end of a unit are then erased::

        tokens   x   a0  b0  c0  a1  b1     x belongs to another segment
        order 1  .   a0  b0  c0  a1  b1     . is NOTHING
        order 2  .   ab  bc  .   ab  .
        order 3  .   abc .   .   .   .
    """
    tokens = rows.reshape(-1)
    keys = out.reshape(len(out), -1)
    lowest = (1 << bits) - 1
    marks = tokens & lowest  # numbers of units, or NOTHING where no n-gram begins
    tokens ^= marks
    ngram_keys(tokens, keys)
    width = rows.shape[1]
    is_end = marks[1:] > marks[:-1]
    ends = np.flatnonzero(is_end)  # of units, except the last one in a row
    begins = np.arange(len(rows)) * width
    others = ranges(begins, width - lengths)  # tokens of other segments
    marks[others] = NOTHING
    for shorter, keys_of_order in enumerate(keys):
        keys_of_order |= marks
        # The next order has an n-gram fewer in each unit and in each row.
        last = np.maximum(ends - shorter, 0)
        marks[last] = NOTHING
        last_in_row = max(width - 1 - shorter, 0)
        marks[last_in_row::width] = NOTHING


def ngram_keys(ids: UInt64, out: UInt64) -> None:
    """Hash the n-grams of each order that start at each token, into `out` (N, tokens).

    ``key_n[i] = key_{n-1}[i] * roll_n + ids[i + n - 1]``. If the lowest bits of all ids are 0, so
    are those of all keys. The number of the unit is written there.
    """
    out[0] = ids
    rolls = _rolls(len(out))
    for further in range(1, len(out)):
        keys = out[further]
        np.multiply(out[further - 1], rolls[further], out=keys)
        keys[:-further] += ids[further:]


@lru_cache(maxsize=16)
def _rolls(max_order: int) -> UInt64:
    """Return the multiplier of each order (N,), odd numbers whose lowest bits are 011.

    The keys of (a, b) and (b, a) differ by ``(a - b) * (roll - 1)``, those of (a, a) and (b, b) by
    ``(a - b) * (roll + 1)``. Each factor of 2 in roll - 1 or roll + 1 makes collisions twice as
    likely; with 011 there are one and two, the fewest possible.

    Powers of a single multiplier would not do. For any multiplier there is an order between 32 and
    1,024 from which the Thue-Morse sequence and its complement get equal keys.
    """
    seeds = ROLL + np.arange(max_order, dtype=np.uint64)
    rolls = mix(seeds)
    rolls &= ~np.uint64(7)
    rolls |= 3
    rolls.flags.writeable = False
    return rolls

"""Token ids to sorted rows of n-gram keys: equal n-grams, equal keys.

The input is units (hypotheses and references) in one `Ragged`; a segment is some units in a row.
Every n-gram of every order gets a 64-bit key, whose lowest bits are the number of its unit in the
segment. The keys of a segment and order form a row, and rows of about one width are made and sorted
together::

    unit 0  the the cat          unigrams  t0 t0 c0 t1 t1 m1 t1     sorted  c0 m1 t0 t0 t1 t1 t1
    unit 1  the the mat the

Unequal n-grams get equal keys with a probability of about 2**-63 a pair, or 2**-(64 - b) where some
segment has 2**(b - 1) to 2**b - 1 references; n-grams that repeat tokens alike (`a b` and `b a`,
`a a` and `b b`) up to 4 times as often. Only keys of one segment meet.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from vecbleu.core.arrays import Int64, UInt64
from vecbleu.core.kernel.hashing import ROLL, mix
from vecbleu.core.kernel.ragged import Ragged, as_index, offsets_of, ranges, slices

# Stands where a row has no n-gram: differs from the key of any in more than the number of a unit.
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)

# Keys made and sorted together: half a megabyte, and as much again for what compares them, stay in
# the level-2 cache. NumPy's overhead is about 60 us a group; half or twice the size take 5 to 10%
# longer.
GROUP_KEYS = 1 << 16

# Padding may take an eighth of a group and an eighth of the budget: sorting so much costs about as
# much as the overhead of one more group.
_SLACK = 8


def number_bits(segments: Int64) -> int:
    """Return how many bits the numbers of units in a segment take, at least one."""
    return max(int(np.diff(segments).max(initial=0)) - 1, 1).bit_length()


def sorted_rows(units: Ragged, segments: Int64, max_order: int) -> Iterator[tuple[Int64, UInt64]]:
    """Make and sort the keys of segments, some segments at a time.

    Ids must be hashes (`hashing.mix`); `segments` (S + 1,) are offsets into the units. Yields the
    numbers of the segments (some,) and their keys (orders, some, width), which are overwritten by
    the next ones. A segment without tokens is not among them.
    """
    bits = number_bits(segments)
    bounds = units.offsets[segments]  # (S + 1,)
    widths = np.diff(bounds)
    margin = int(widths.max(initial=0))
    tokens = _numbered_tokens(units, segments, bits, margin)
    order = np.argsort(widths.astype(np.min_scalar_type(margin)), kind="stable")  # by radix
    widths = widths[order]
    buffer = np.empty(max(GROUP_KEYS, margin * max_order), np.uint64)
    for group in _groups(widths, max_order):
        some, own = order[group], widths[group]
        width = int(own[-1])
        # Segments end where their rows end; what fills a row before its segment is erased below.
        rows = slices(tokens, bounds[some + 1] + (margin - width), width)
        keys = buffer[: max_order * rows.size].reshape(max_order, *rows.shape)
        _make_keys(rows, bits, own, keys)
        # As signed integers: without AVX-512, unsigned ones take a sixth longer.
        keys.view(np.int64).sort(axis=-1)
        yield some, keys


def _numbered_tokens(units: Ragged, segments: Int64, bits: int, margin: int) -> UInt64:
    """Put the number of the unit into the lowest bits of its ids (margin + tokens,)."""
    first = np.repeat(segments[:-1], as_index(np.diff(segments)))  # (units,)
    numbers = (np.arange(len(units)) - first).astype(np.uint64)
    tokens = np.zeros(margin + len(units.values), np.uint64)
    own = tokens[margin:]
    np.bitwise_and(units.values.view(np.uint64), NOTHING << np.uint64(bits), out=own)
    own |= np.repeat(numbers, as_index(units.lengths))
    return tokens


def _groups(widths: Int64, max_order: int) -> Iterator[slice]:
    """Cut segments sorted by width into groups within the budget of keys, or of one segment."""
    width, total = widths.tolist(), offsets_of(widths).tolist()
    spare = GROUP_KEYS // (_SLACK * max_order)
    first = bisect_right(width, 0)  # segments without a token match nothing
    while first < len(width):
        stop = first + 1
        most = min(len(width), first + GROUP_KEYS // (width[first] * max_order))
        while stop < most:  # bisect
            middle = (stop + most + 1) // 2
            area = (middle - first) * width[middle - 1]
            waste = area - (total[middle] - total[first])
            if area * max_order <= GROUP_KEYS and waste <= area // _SLACK + spare:
                stop = middle
            else:
                most = middle - 1
        yield slice(first, stop)
        first = stop


def _make_keys(rows: UInt64, bits: int, widths: Int64, out: UInt64) -> None:
    """Make the keys (orders, rows, width) of rows, each of which ends with its `widths` tokens.

    Keys are made along all rows at once; those that are of no n-gram of a unit are erased.
    """
    tokens, keys = rows.reshape(-1), out.reshape(len(out), -1)
    numbers = tokens & np.uint64((1 << bits) - 1)
    tokens ^= numbers
    ngram_keys(tokens, keys)
    keys |= numbers
    width = rows.shape[1]
    of_others = ranges(np.arange(len(rows)) * width, width - widths)
    ends = np.flatnonzero(numbers[1:] > numbers[:-1])  # last tokens of units, but of a row's last
    for order in range(len(keys)):
        keys[order, of_others] = NOTHING
        out[order, :, max(width - order, 0) :] = NOTHING  # goes on behind the row
        for back in range(order):  # goes on behind another unit; in a row before, erased above
            keys[order, np.maximum(ends - back, 0)] = NOTHING


def ngram_keys(ids: UInt64, out: UInt64) -> None:
    """Hash the n-grams of all orders that start at each token, into `out` (orders, tokens).

    ``key_n[i] = key_{n-1}[i] * roll_n + ids[i + n - 1]``: bits at the end that are 0 in all ids
    are 0 in all keys.
    """
    out[0] = ids
    for order, roll in enumerate(_rolls(len(out))[1:], 1):
        np.multiply(out[order - 1], roll, out=out[order])
        out[order, :-order] += ids[order:]


@lru_cache(maxsize=16)  # a tenth of counting a single segment
def _rolls(max_order: int) -> UInt64:
    """Return the multiplier of each order.

    Their last bits are 011, as far from 1 and -1 as odd numbers are: by powers of two, that is,
    which are what (a, b) and (b, a) lose of their difference. Powers of one multiplier would do for
    short n-grams, but give the sequence of Thue and Morse and its opposite equal keys from order 32
    to 1,024 on, whatever the multiplier: it makes a factor of 2 of every pair.
    """
    rolls: UInt64 = mix(ROLL + np.arange(max_order, dtype=np.uint64))
    rolls = rolls & ~np.uint64(7) | np.uint64(3)
    rolls.flags.writeable = False
    return rolls

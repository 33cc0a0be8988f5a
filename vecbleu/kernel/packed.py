"""Count clipped matches of n-grams of small ids: one sort serves all orders.

If a block has few different symbols, such as characters, each symbol is an id of a few bits, and an
n-gram is one integer: its ids side by side, the first one highest. There is no hash, so different
n-grams always have different keys. Each place of a segment has one key, of the n-gram of the
highest order that begins there. Its lowest bits are the number of the unit: 0 is the hypothesis::

    hypothesis  a b a .         keys    aba|0  ba.|0  a.a|0  .ab|0
    reference   a b b ,                 abb|1  bb,|1  b,_|1  ,__|1

    sorted      .ab|0  ,__|1  a.a|0  aba|0  abb|1  b,_|1  ba.|0  bb,|1
    order 1                   aaaaaaaaaaaaaaaaaaa  bbbbbbbbbbbbbbbbbbb     a: 2, 1   b: 1, 2
    order 2                          ababababababab                        ab: 1, 1

N-grams that begin in the same way stand together. So the runs of every order are found in one
sorted row: neighbors have the same n-gram if the highest n ids of their keys are equal. An n-gram
with a copies in the hypothesis and b in the reference has min(a, b) = (a + b - |a - b|) / 2
matches. The copies are counted by sums over runs: two matches of order 1 above, one of order 2.

The id that ends a hypothesis (``.``) is not the one that ends a reference (``,``). So an n-gram
that reaches over an end never matches, and nothing has to be erased.

Rows of many symbols, such as Chinese text, are numbered anew. If a row still has too many, or the
order is too high, its ids are hashed and counted by `clipped_matches`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Bytes, Int64, Mask
from vecbleu.kernel.matches import clipped_matches, row_sums
from vecbleu.kernel.ngrams import groups_of_like_width, mix
from vecbleu.kernel.ragged import Ragged, lengths_of, offsets_of, ranges, slices

Ids = npt.NDArray[np.unsignedinteger[Any]]
Sums = npt.NDArray[np.signedinteger[Any]]

# The ids that end units; those of symbols follow. In `Symbols`, all units end with END.
END, _REFERENCE_END, FIRST_SYMBOL = 0, 1, 2

# With more references, counting the copies in each takes as long as hashing.
_MOST_REFERENCES = 6

_KEY_BITS = 64

# Number of keys made and sorted together: of 4 bytes for four orders of ASCII, else of 8.
_GROUP_SYMBOLS = 1 << 17

# Largest sum that can be doubled in one byte.
_MOST_TO_DOUBLE = 63


class Symbols(NamedTuple):
    """Units as rows of small ids, which hold within one block.

    Equal symbols have equal ids, from FIRST_SYMBOL on. Each row ends with END.
    """

    rows: Ragged  # its values have 8, 16 or 32 bits
    bits: int  # of the highest id

    @property
    def lengths(self) -> Int64:
        """Number of symbols of each unit (units,)."""
        return self.rows.lengths - 1

    def take(self, units: Int64) -> Symbols:
        """Copy the given units, in the given order."""
        return Symbols(self.rows.take(units), self.bits)

    def hashed_rows(self) -> Ragged:
        """Return the units as rows of hashed ids."""
        symbols = self.rows.values[self.rows.values != END].astype(np.uint64)
        return Ragged(mix(symbols).view(np.int64), offsets_of(self.lengths))


def packed_matches(units: Symbols, segments: Int64, max_order: int) -> Int64:
    """Count the clipped matches of each segment and order (S, N), as `clipped_matches` does."""
    counts = lengths_of(segments)  # units of each segment
    most_units = int(counts.max(initial=0))
    unit_bits = most_units.bit_length()  # `most_units` itself numbers what belongs to no unit
    if most_units > 1 + _MOST_REFERENCES or max_order + unit_bits > _KEY_BITS:
        return clipped_matches(units.hashed_rows(), segments, max_order)
    offsets = units.rows.offsets
    bounds = offsets[segments]  # (S + 1,)
    widths = lengths_of(bounds)
    margin = int(widths.max(initial=0))
    ids = _ids_with_ends(units.rows, segments, margin)
    numbers = segments[:-1, None] + np.arange(most_units)
    numbers = np.minimum(numbers, segments[1:, None])  # of units (S, U)
    matches = np.zeros((len(counts), max_order), np.int64)
    for members, width in groups_of_like_width(widths, _GROUP_SYMBOLS):
        ends = bounds[members + 1]  # each row ends with its segment
        rows = slices(ids, ends + (margin - width), width)
        bits = units.bits
        if max_order * bits + unit_bits > _KEY_BITS:
            rows, bits = _renumbered(rows)
        if max_order * bits + unit_bits > _KEY_BITS:
            sizes = counts[members]
            hashed_units = units.take(ranges(segments[members], sizes)).hashed_rows()
            matches[members] = clipped_matches(hashed_units, offsets_of(sizes), max_order)
            continue
        keys = _packed(rows.reshape(-1), max_order, bits, unit_bits)
        keys <<= unit_bits
        begins = (width - ends)[:, None]  # of rows, from which their units are counted
        starts = offsets[numbers[members]] + begins
        keys |= _unit_numbers(starts, width)
        keys = keys.reshape(rows.shape)
        # Without AVX-512, signed integers are sorted faster.
        keys.view(f"i{keys.itemsize}").sort(axis=-1)
        matches[members] = _in_sorted_rows(keys, widths[members], max_order, bits, most_units)
    return matches


def _ids_with_ends(units: Ragged, segments: Int64, margin: int) -> Ids:
    """Return the ids of all units, behind a margin; references end with an id of their own."""
    values = units.values
    ids: Ids = np.empty(margin + len(values), values.dtype.str)
    ids[:margin] = END  # a row may begin before the first unit
    ids[margin:] = values
    last = margin - 1 + units.offsets[1:]  # of each unit
    ids[np.delete(last, segments[:-1])] = _REFERENCE_END
    return ids


def _unit_numbers(starts: Int64, width: int) -> Bytes:
    """Number the unit of each place of rows (rows * width,), given the starts of units (rows, U).

    Places before the first unit of a row get the number U::

        starts  2 4     row  2 2 0 0 1 1 1
    """
    column = np.arange(width, dtype=np.min_scalar_type(width))
    first, *further = starts.T.astype(column.dtype)[..., None]
    is_before = (column < first).view(np.uint8)
    numbers: Bytes = is_before * np.uint8(starts.shape[1])
    for start in further:
        numbers += column >= start
    return numbers.reshape(-1)


def _renumbered(rows: Ids) -> tuple[Ids, int]:
    """Number the ids of each row anew, in ascending order; return them, and their bits.

    Each id is sorted together with its place::

        row  900 500 900     placed  500|1 900|0 900|2     rank  0 1 1     new row  1 0 1
    """
    width = rows.shape[1]
    is_small = width <= 1 << 16 and rows.itemsize <= 2
    shift, wide, narrow = (16, np.uint32, np.uint16) if is_small else (32, np.uint64, np.uint32)
    placed: Any = rows.astype(wide)
    placed <<= shift
    placed |= np.arange(width, dtype=wide)
    placed.sort(axis=-1)
    highest_place = (1 << shift) - 1
    is_new = np.zeros(rows.shape, bool)
    np.greater(placed[:, 1:] ^ placed[:, :-1], highest_place, out=is_new[:, 1:])
    rank = np.cumsum(is_new, axis=1, dtype=narrow)
    places = (placed & highest_place).astype(np.intp)
    begins = np.arange(len(rows)) * width
    places += begins[:, None]
    highest = int(rank[:, -1].max())
    ids = np.empty(rows.size, np.min_scalar_type(highest))
    ids[places.reshape(-1)] = rank.reshape(-1)
    return ids.reshape(rows.shape), highest.bit_length()


def _packed(ids: Ids, order: int, bits: int, spare: int = 0) -> Ids:
    """Pack the `order` ids from each place on, the first one highest; leave `spare` bits free.

    Each step joins two keys of about half the order::

        a b c d    order 2  ab bc cd d_    order 3  abc bcd cd_ d__
    """
    if order == 1:
        largest = (1 << bits + spare) - 1
        return ids.astype(np.min_scalar_type(largest))
    back = order // 2
    front = order - back
    high = _packed(ids, front, bits)
    low = high if front == back else _packed(ids, back, bits)
    largest = (1 << order * bits + spare) - 1
    keys: Ids = high.astype(np.min_scalar_type(largest))
    keys <<= back * bits
    keys[:-front] |= low[front:]
    return keys


def _in_sorted_rows(keys: Ids, sizes: Int64, max_order: int, bits: int, most_units: int) -> Int64:
    """Count the matches of sorted rows (rows, width) for each order (rows, N).

    `sizes` (rows,) are the numbers of keys of the segments.
    """
    width = keys.shape[1]
    unit_bits = most_units.bit_length()
    flat = keys.reshape(-1)
    difference = flat[1:] ^ flat[:-1]
    lowest = np.uint8((1 << unit_bits) - 1)
    number = flat.astype(np.uint8) & lowest
    copies = np.stack([number == unit for unit in range(most_units)]).view(np.int8)
    if most_units == 2:  # with one reference, the difference is enough
        copies = copies[1] - copies[0]
    same = np.zeros(flat.size, bool)  # the next key has the same n-gram
    matches = np.empty((len(keys), max_order), np.int64)
    for order in range(1, max_order + 1):
        lower_bits = bits * (max_order - order) + unit_bits
        smallest = flat.dtype.type(1 << lower_bits)
        np.less(difference, smallest, out=same[:-1])
        same[width - 1 :: width] = False  # no run crosses the end of a row
        matches[:, order - 1] = _in_runs(copies, same, sizes)
    return matches


def _in_runs(copies: Sums, same: Mask, sizes: Int64) -> Int64:
    """Count the matches of each row for one order (rows,), given which copies are whose.

    `copies` (units, keys) has a 1 where a unit has the key; with one reference, `copies` (keys,)
    has a 1 for the reference and a -1 for the hypothesis.
    """
    width = len(same) // len(sizes)
    sums = _run_sums(copies, same)
    if copies.ndim == 1:
        surplus = np.absolute(sums, out=sums)
        return (sizes - _sums_of_rows(surplus, width)) >> 1
    in_reference = sums[1:].max(axis=0)
    clipped = np.minimum(sums[0], in_reference, out=in_reference)
    return _sums_of_rows(clipped, width)


def _sums_of_rows(values: Sums, width: int) -> Int64:
    """Sum the values, none of them negative, of each row; no sum is larger than the width."""
    unsigned = values.view(f"u{values.itemsize}")
    return row_sums(unsigned.reshape(-1, width), width)


def _run_sums(values: Sums, same: Mask) -> Sums:
    """Sum the values (..., keys) of each run, at its first key; all others become 0.

    Sums of the next 1, 2, 4, ... keys of a run are added up until no run is longer::

        values     1 1 1 1 1 1 1        runs of 5 and 2 keys
        2 at most  2 2 2 2 1 2 1
        4 at most  4 4 3 2 1 2 1
        8 at most  5 4 3 2 1 2 1
        result     5 0 0 0 0 2 0
    """
    inside = np.negative(same.view(np.int8))  # -1 or 0
    sums = values.copy()
    mask = inside
    step = 1
    while mask.any():
        if step > _MOST_TO_DOUBLE // 2 and max(sums.max(), -sums.min()) > _MOST_TO_DOUBLE:
            sums = sums.astype(np.int32, copy=False)
        within = mask[: sums.shape[-1] - step]
        sums[..., :-step] += sums[..., step:] & within
        mask = mask[:-step] & mask[step:]
        step = 2 * step
    sums[..., 1:] &= ~inside[:-1]
    return sums

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

from vecbleu.core.arrays import Bytes, Int64, Mask
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
    most_units = int(lengths_of(segments).max(initial=0))
    unit_bits = most_units.bit_length()  # `most_units` itself numbers what belongs to no unit
    if most_units > 1 + _MOST_REFERENCES or max_order + unit_bits > _KEY_BITS:
        return clipped_matches(units.hashed_rows(), segments, max_order)
    offsets, values = units.rows.offsets, units.rows.values
    bounds = offsets[segments]  # (S + 1,)
    widths = lengths_of(bounds)
    margin = int(widths.max(initial=0))
    # A row may begin before the first unit.
    ids: Any = np.concatenate([np.zeros(margin, values.dtype), values])
    ids[np.delete(offsets[1:], segments[:-1]) + (margin - 1)] = _REFERENCE_END
    unit = np.minimum(segments[:-1, None] + np.arange(most_units), segments[1:, None])
    matches = np.zeros((len(segments) - 1, max_order), np.int64)
    for members, width in groups_of_like_width(widths, _GROUP_SYMBOLS):
        ends = bounds[members + 1]  # each row ends with its segment
        rows, bits = slices(ids, ends + (margin - width), width), units.bits
        if max_order * bits + unit_bits > _KEY_BITS:
            rows, bits = _renumbered(rows)
        if max_order * bits + unit_bits > _KEY_BITS:
            sizes = lengths_of(segments)[members]
            hashed_units = units.take(ranges(segments[members], sizes)).hashed_rows()
            matches[members] = clipped_matches(hashed_units, offsets_of(sizes), max_order)
            continue
        keys = _packed(rows.reshape(-1), max_order, bits, unit_bits)
        keys <<= unit_bits
        keys |= _unit_numbers(offsets[unit[members]] + (width - ends)[:, None], width)
        keys = keys.reshape(rows.shape)
        # Without AVX-512, signed integers are sorted faster.
        keys.view(f"i{keys.itemsize}").sort(axis=-1)
        matches[members] = _in_sorted_rows(keys, widths[members], max_order, bits, most_units)
    return matches


def _unit_numbers(starts: Int64, width: int) -> Bytes:
    """Number the unit of each place of rows (rows * width,), given the starts of units (rows, U).

    Places before the first unit of a row get the number U.
    """
    column = np.arange(width, dtype=np.min_scalar_type(width))
    first, *further = starts.T.astype(column.dtype)[..., None]
    numbers: Bytes = (column < first).view(np.uint8) * np.uint8(len(starts.T))
    for start in further:
        numbers += column >= start
    return numbers.reshape(-1)


def _renumbered(rows: Ids) -> tuple[Ids, int]:
    """Number the ids of each row anew, in ascending order; return them, and their bits."""
    width = rows.shape[1]
    is_small = width <= 1 << 16 and rows.itemsize <= 2
    shift, wide, narrow = (16, np.uint32, np.uint16) if is_small else (32, np.uint64, np.uint32)
    placed: Any = rows.astype(wide)
    placed <<= shift
    placed |= np.arange(width, dtype=wide)
    placed.sort(axis=-1)
    is_new = np.zeros(rows.shape, bool)
    np.greater(placed[:, 1:] ^ placed[:, :-1], (1 << shift) - 1, out=is_new[:, 1:])
    rank = np.cumsum(is_new, axis=1, dtype=narrow)
    index = (placed & ((1 << shift) - 1)).astype(np.intp)
    index += (np.arange(len(rows)) * width)[:, None]
    highest = int(rank[:, -1].max())
    ids = np.empty(rows.size, np.min_scalar_type(highest))
    ids[index.reshape(-1)] = rank.reshape(-1)
    return ids.reshape(rows.shape), highest.bit_length()


def _packed(ids: Ids, order: int, bits: int, spare: int = 0) -> Ids:
    """Pack the `order` ids from each place on, the first one highest; leave `spare` bits free."""
    if order == 1:
        return ids.astype(np.min_scalar_type((1 << bits + spare) - 1))
    back = order // 2
    high = _packed(ids, order - back, bits)
    low = high if order == 2 * back else _packed(ids, back, bits)
    keys: Ids = high.astype(np.min_scalar_type((1 << order * bits + spare) - 1))
    keys <<= back * bits
    keys[: back - order] |= low[order - back :]
    return keys


def _in_sorted_rows(keys: Ids, sizes: Int64, max_order: int, bits: int, most_units: int) -> Int64:
    """Count the matches of sorted rows (rows, width) for each order (rows, N).

    `sizes` (rows,) are the numbers of keys of the segments.
    """
    width, unit_bits = keys.shape[1], most_units.bit_length()
    flat = keys.reshape(-1)
    difference = flat[1:] ^ flat[:-1]
    number = flat.astype(np.uint8) & np.uint8((1 << unit_bits) - 1)
    copies = np.stack([number == unit for unit in range(most_units)]).view(np.int8)
    if most_units == 2:  # with one reference, the difference is enough
        copies = copies[1] - copies[0]
    same = np.zeros(flat.size, bool)  # the next key has the same n-gram
    matches = np.empty((len(keys), max_order), np.int64)
    for order in range(1, max_order + 1):
        lower_bits = bits * (max_order - order) + unit_bits
        np.less(difference, flat.dtype.type(1 << lower_bits), out=same[:-1])
        same.reshape(keys.shape)[:, -1] = False  # no run crosses the end of a row
        sums = _run_sums(copies, same)
        sums = np.absolute(sums) if most_units == 2 else np.minimum(sums[0], sums[1:].max(axis=0))
        counts = row_sums(sums.view(f"u{sums.itemsize}").reshape(keys.shape), width)
        matches[:, order - 1] = (sizes - counts) >> 1 if most_units == 2 else counts
    return matches


def _run_sums(values: Sums, same: Mask) -> Sums:
    """Sum the values (..., keys) of each run, at its first key; all others become 0.

    Sums of the next 1, 2, 4, ... keys of a run are added up until no run is longer.
    """
    inside = np.negative(same.view(np.int8))  # -1 or 0
    sums, mask, step = values.copy(), inside, 1
    while mask.any():
        if step > _MOST_TO_DOUBLE // 2 and max(sums.max(), -sums.min()) > _MOST_TO_DOUBLE:
            sums = sums.astype(np.int32, copy=False)
        sums[..., :-step] += sums[..., step:] & mask[: sums.shape[-1] - step]
        mask, step = mask[:-step] & mask[step:], 2 * step
    sums[..., 1:] &= ~inside[:-1]
    return sums

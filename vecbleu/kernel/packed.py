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

The keys of segments stand end to end. A row to sort is one segment, or several short ones, whose
number in the row is the highest bits of their keys. So no row is padded, and few are long.

Rows of many symbols, such as Chinese text, are numbered anew. If a row still has too many, or the
order is too high, the ids are hashed and counted by `clipped_matches`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Int64, Mask
from vecbleu.kernel.matches import clipped_matches
from vecbleu.kernel.ngrams import mix, number_bits
from vecbleu.kernel.ragged import Ragged, cuts, lengths_of, offsets_of, ranges, row_sums

Ids = npt.NDArray[np.unsignedinteger[Any]]
Sums = npt.NDArray[np.signedinteger[Any]]

# The ids that end units; those of symbols follow. In `Symbols`, all units end with END.
END, _REFERENCE_END, FIRST_SYMBOL = 0, 1, 2

# With more references, counting the copies in each takes as long as hashing.
_MOST_REFERENCES = 6

_KEY_BITS = 64

# Number of keys made together: they fit in the level-2 cache.
_PART_SYMBOLS = 1 << 16

# Segments that begin within so many keys are sorted together.
_ROW_KEYS = 192
_SEGMENT_BITS = 8  # number the segments of a row

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
    if most_units > 1 + _MOST_REFERENCES:
        return clipped_matches(units.hashed_rows(), segments, max_order)
    matches = np.empty((len(segments) - 1, max_order), np.int64)
    for first, stop in cuts(units.rows.offsets[segments], _PART_SYMBOLS):
        part = segments[first : stop + 1]
        rows = units.rows[int(part[0]) : int(part[-1])]
        matches[first:stop] = _in_part(Symbols(rows, units.bits), part - part[0], max_order)
    return matches


def _in_part(units: Symbols, segments: Int64, max_order: int) -> Int64:
    """Count the clipped matches of segments whose keys are made together (S, N)."""
    bounds = units.rows.offsets[segments]  # (S + 1,)
    ids, bits = _ids_with_ends(units.rows, segments), units.bits
    unit_bits = number_bits(segments)
    if max_order * bits + unit_bits > _KEY_BITS:
        ids, bits = _renumbered(ids, bits, _row_starts(bounds, _SEGMENT_BITS))
    used_bits = max_order * bits + unit_bits
    if used_bits > _KEY_BITS:
        return clipped_matches(units.hashed_rows(), segments, max_order)
    keys = _packed(ids, max_order, bits, unit_bits)
    keys <<= unit_bits
    spare_bits = 8 * keys.itemsize - 1 - used_bits  # signed integers are sorted
    segment_bits = min(max(spare_bits, 0), _SEGMENT_BITS)
    in_row = np.arange(len(bounds) - 1) % (1 << segment_bits)
    # Of each unit; the lowest bits are its number in its segment.
    marks = ranges(in_row << used_bits, lengths_of(segments))
    keys |= np.repeat(marks.astype(keys.dtype), units.rows.lengths)
    _sort_rows(keys, _row_starts(bounds, segment_bits))
    return _in_sorted(keys, bounds, max_order, bits, unit_bits)


def _row_starts(bounds: Int64, segment_bits: int) -> Int64:
    """Return where rows of whole segments start that sort fast."""
    starts = bounds[:-1]
    row = starts // _ROW_KEYS + (np.arange(len(starts)) >> segment_bits)
    return starts[np.diff(row, prepend=-1) > 0]


def _sort_rows(keys: Ids, starts: Int64) -> None:
    """Sort each row; without AVX-512, signed integers are sorted faster."""
    signed: Sums = keys.view(f"i{keys.itemsize}")
    for start, stop in pairwise([*starts.tolist(), len(keys)]):
        signed[start:stop].sort()


def _ids_with_ends(units: Ragged, segments: Int64) -> Ids:
    """Return the ids of all units; references end with an id of their own."""
    ids: Ids = np.array(units.values, units.values.dtype.str)
    last = units.offsets[1:] - 1  # of each unit
    ids[np.delete(last, segments[:-1])] = _REFERENCE_END
    return ids


def _renumbered(ids: Ids, bits: int, starts: Int64) -> tuple[Ids, int]:
    """Number the ids of each row anew, in ascending order; return them, and their bits.

    Each id is sorted together with its place::

        row  900 500 900     placed  500|1 900|0 900|2     rank  0 1 1     new row  1 0 1
    """
    size = len(ids)
    place_bits = size.bit_length()
    largest = (1 << bits + place_bits) - 1
    placed: Any = ids.astype(np.min_scalar_type(largest))
    placed <<= place_bits
    placed |= np.arange(size, dtype=placed.dtype)
    _sort_rows(placed, starts)
    highest_place = (1 << place_bits) - 1
    is_new = np.zeros(size, bool)
    np.greater(placed[1:] ^ placed[:-1], highest_place, out=is_new[1:])
    rank = np.cumsum(is_new, dtype=np.int32)
    rank -= np.repeat(rank[starts], np.diff(starts, append=size))
    highest = int(rank.max())
    renumbered = np.empty(len(ids), np.min_scalar_type(highest))
    places = (placed & highest_place).astype(np.intp)
    renumbered[places] = rank.astype(renumbered.dtype)
    return renumbered, highest.bit_length()


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


def _in_sorted(keys: Ids, bounds: Int64, max_order: int, bits: int, unit_bits: int) -> Int64:
    """Count the matches of segments for each order (S, N), given their sorted keys.

    The keys of segment i stand from ``bounds[i]`` to ``bounds[i + 1]``. Its first key begins with
    END, its last one does not, since it has a reference. So no run goes on in the next segment.
    """
    difference = keys[1:] ^ keys[:-1]
    number = keys.astype(np.uint8) & ((1 << unit_bits) - 1)
    units = np.arange(number.max() + 1, dtype=np.uint8)
    copies = (number == units[:, None]).view(np.int8)  # (units, keys)
    has_one = unit_bits == 1
    if has_one:  # with one reference, the difference is enough
        copies = copies[1] - copies[0]
    sizes = lengths_of(bounds)
    widest = np.min_scalar_type(-int(sizes.max()))
    sums = np.empty((len(sizes), max_order), np.int64)
    same = np.zeros(len(keys), bool)  # the next key has the same n-gram
    for order in range(1, max_order + 1):
        lower_bits = bits * (max_order - order) + unit_bits
        smallest = keys.dtype.type(1 << lower_bits)
        np.less(difference, smallest, out=same[:-1])
        of_runs = _run_sums(copies, same, widest)
        if has_one:
            values = np.absolute(of_runs, out=of_runs)
        else:
            values = np.minimum(of_runs[0], of_runs[1:].max(axis=0))
        sums[:, order - 1] = row_sums(values, bounds)
    return (sizes[:, None] - sums) >> 1 if has_one else sums


def _run_sums(values: Sums, same: Mask, widest: npt.DTypeLike) -> Sums:
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
    while mask.view(bool).any():  # faster than for integers
        if step > _MOST_TO_DOUBLE // 2 and max(sums.max(), -sums.min()) > _MOST_TO_DOUBLE:
            sums = sums.astype(widest, copy=False)
        within = mask[: sums.shape[-1] - step]
        sums[..., :-step] += sums[..., step:] & within
        mask = mask[:-step] & mask[step:]
        step = 2 * step
    sums[..., 1:] &= ~inside[:-1]
    return sums

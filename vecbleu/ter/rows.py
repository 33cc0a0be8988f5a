"""Rows of edit distances as bits, for many hypotheses at once: the same rows as in `plain`.

Pairs come in order of falling numbers of words of their hypotheses, so that those that have a row i
are the first ones.

A row of the beam has at most 64 columns. If no path can leave the beam, bit 0 is column 0 in every
row. Else bit 0 is the first column of the beam, which moves along the reference from row to row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import Ragged, offsets_of, places_in_rows, row_numbers
from vecbleu.ter.plain import BEAM

WORD = 64  # bits

# What a table holds of each row. CHANGE is the distance at the first column, less that of the row
# before at its first column; it is left out without beam, where it is 1.
RISE, FALL, SAME, STAY, DELETE, CHANGE = range(6)


# Swaps of neighboring blocks of words: one array (4, swaps) of the pair, the first word, and the
# words of the left and of the right block.


def _source(place: Int64, left: Int64, right: Int64) -> Int64:
    """Return by how many words the word that comes to each place of two blocks was behind it."""
    return np.where(place < right, left, np.where(place < left + right, -right, 0))


class Beam(NamedTuple):
    """The beam of each row, from row 1 on; arrays (rows, pairs)."""

    first: Int64  # the first column
    move: Int64  # columns that it moves from the row before
    can_match: Int64  # bits of columns: the cell on the diagonal before is in the beam, too
    inside: Int64  # bits of columns

    @classmethod
    def of(cls, n: Int64, m: Int64) -> Beam:
        """Return the beam of pairs with these numbers of words; see `plain`.

        No reference has more than 2 * `BEAM` times the words, which would widen its beam.
        """
        row = np.arange(int(n[0]) + 1)[:, None]
        diagonal = np.floor(row * (m / n)).astype(np.int64)
        firsts = np.maximum(0, diagonal - BEAM)
        ends = np.minimum(m + 1, diagonal + BEAM)
        ends = np.where(row == n, m + 1, ends)
        ends[0] = m + 1
        first, end = firsts[1:], ends[1:]
        move = first - firsts[:-1]
        can_match = _low_bits(np.minimum(end, ends[:-1] + 1) - first)
        can_match &= ~(move == 0).astype(np.int64)
        return cls(first, move, can_match, _low_bits(end - first))


class Pairs(NamedTuple):
    """A batch of hypotheses, each with one reference."""

    n: Int64  # (pairs,), words of the hypothesis
    m: Int64  # (pairs,), words of the reference
    same: Int64  # (rows, pairs, blocks), bit j: the hypothesis has word j of the reference, from 1
    beam: Beam | None

    @classmethod
    def of(cls, hyps: Ragged, refs: Ragged, has_beam: bool) -> Pairs:
        """Compare all words of each hypothesis with all of its reference."""
        n, m = hyps.lengths, refs.lengths
        rows = int(n[0])
        blocks = int(m.max()) // WORD + (2 if has_beam else 1)  # a window ends in the last one
        words = _padded(hyps, rows, 0, -1)
        others = _padded(refs, blocks * WORD, 1, -2)
        same = np.zeros((rows, len(n), blocks), np.int64)
        for row, count in enumerate(active(n)):
            equal = words[:count, row, None] == others[:count]
            same[row, :count] = np.packbits(equal, axis=1, bitorder="little").view(np.int64)
        return cls(n, m, same, Beam.of(n, m) if has_beam else None)

    def swapped(self, swaps: Int64) -> Pairs:
        """Return the pairs of these swaps, with swapped words."""
        pair, first, left, right = swaps
        n = self.n[pair]
        row = np.arange(int(n[0]))[:, None]
        source = row + np.where(row < first, 0, _source(row - first, left, right))
        beam = self.beam
        if beam is not None:
            beam = Beam(*(table[: len(row)].take(pair, axis=1) for table in beam))
        return Pairs(n, self.m[pair], self.same[source, pair], beam)


def first_rows(pairs: Pairs) -> Int64:
    """Return a table of the rows before the first word (6, 1, pairs)."""
    table = np.zeros((6, 1, len(pairs.n)), np.int64)
    table[RISE], table[FALL] = -2, 1
    return table


class RowsAfter:
    """The rows of hypotheses with swapped words, from the last row that a swap does not change.

    Swaps come in order of falling numbers of rows. Step t of swap s is at ``offsets[t] + s``.
    """

    def __init__(self, pairs: Pairs, table: Int64, swaps: Int64) -> None:
        self.table = table
        self.swaps = swaps
        pair, first, left, right = swaps
        size, width = len(pair), len(pairs.n)
        n = pairs.n[pair]
        self.steps = n - first
        counts = np.array(active(self.steps))
        self.offsets = offsets_of(np.append(size, counts))
        self.rows = np.empty((6, self.offsets[-1]), np.int64)
        self.rows[:, :size] = table[:, first, pair]
        later = self.rows[:, size:]
        later[CHANGE] = 1
        # Of each later row, its step, its place and its word in flat arrays.
        step = row_numbers(counts)
        each = places_in_rows(counts)  # swap
        place = step * width + (first * width + pair)[each]
        word = place + _source(step, left[each], right[each]) * width
        same = pairs.same.reshape(-1, pairs.same.shape[2])
        # The distance at the first column of the last row, and the columns after that one.
        distance, columns = n, pairs.m[pair]
        if pairs.beam is None:
            later[SAME] = same[word, 0]
            self._fill(None)
        else:
            beam = Beam(*(mask.reshape(-1)[place] for mask in pairs.beam))
            later[SAME] = _window(same, word, beam.first) & beam.can_match
            self._fill(beam)
            later[CHANGE] -= later[STAY] & (beam.move > 0)
            far = np.flatnonzero(beam.move > 1)  # it passes columns
            before = self.offsets[step[far]] + each[far]
            passed = self.rows[:, before] & _low_bits(beam.move[far]) & ~1
            later[CHANGE, far] += _ones(passed[RISE]) - _ones(passed[FALL])
            changes = np.bincount(each, later[CHANGE], size).astype(np.int64)
            distance = np.cumsum(table[CHANGE], axis=0)[first, pair] + changes
            columns = columns - pairs.beam.first[n - 1, pair]
        last = self.rows[:, self.offsets[self.steps] + np.arange(size)]
        bits = _low_bits(columns + 1) & ~1
        self.distance = distance + _ones(last[RISE] & bits) - _ones(last[FALL] & bits)

    def _fill(self, beam: Beam | None) -> None:
        """Compute the later rows, a step of all swaps at once."""
        bounds = self.offsets.tolist()
        size = bounds[1]  # rows of step 0
        for before, start, stop in zip(bounds, bounds[1:], bounds[2:], strict=False):
            rows = self.rows[:, start:stop]
            rise, fall, *_ = self.rows[:, before : before + stop - start]
            if beam is None:
                _next_row(rise, fall, rows)
                continue
            later = slice(start - size, stop - size)
            move, inside = beam.move[later], beam.inside[later]
            _next_row(rise >> move, fall >> move, rows)  # new columns rise
            rows[RISE] |= ~inside
            rows[FALL] &= inside
            rows[FALL] |= 1

    def joined(self, chosen: Int64) -> Int64:
        """Return the tables of pairs with chosen swaps: their rows up to `first`, and those after.

        `chosen` are the numbers of these swaps.
        """
        pair, first, *_ = self.swaps[:, chosen]
        steps = self.steps[chosen]
        rows = int((first + steps).max()) + 1
        step = np.arange(rows)[:, None] - first
        later = self.rows[:, self.offsets[np.clip(step, 0, steps)] + chosen]
        return np.where(step > 0, later, self.table[:, :rows, pair])


def _next_row(rise: Int64, fall: Int64, rows: Int64) -> None:
    """Compute a row of each pair from the row before, into `rows` (6, pairs); see `plain`."""
    new_rise, new_fall, same, stay, delete, _ = rows
    np.bitwise_and(same, rise, out=stay)
    stay += rise
    stay ^= rise
    stay |= same
    stay |= fall
    np.bitwise_or(stay, rise, out=delete)
    np.invert(delete, out=delete)
    delete |= fall
    carried = delete << 1
    carried |= 1
    np.bitwise_or(stay, carried, out=new_rise)
    np.invert(new_rise, out=new_rise)
    np.bitwise_and(stay, rise, out=new_fall)
    new_fall <<= 1
    new_rise |= new_fall
    np.bitwise_and(carried, stay, out=new_fall)


class Alignment(NamedTuple):
    """Tell where the words of each pair match, in tables (pairs, words); see `plain`."""

    aligned: Int64  # words of the hypothesis up to that of each word of the reference
    hyp_error: Int64  # the first word from each on that does not match
    ref_error: Int64


def alignment(pairs: Pairs, table: Int64) -> Alignment:
    """Follow the edits of each pair from the last cell to the first."""
    n, m, beam = pairs.n, pairs.m, pairs.beam
    rows, count = pairs.same.shape[:2]
    numbers = np.arange(count)
    diagonals = table[SAME, 1:] | ~table[STAY, 1:]
    first = np.zeros((rows, count), np.int64)
    if beam is not None:
        diagonals &= beam.can_match
        first = beam.first
    stops = diagonals | table[DELETE, 1:]
    size = int(m.max()) + 1
    ends = np.full((rows + 1, count), size)  # the column that each row leads to
    ends[n, numbers] = m
    matched = np.zeros((rows, count), bool)
    for row, going in reversed(list(enumerate(active(n)))):
        left = first[row, :going]
        last = ends[row + 1, :going] - left  # a bit, like `cell`
        cell = _highest_bit(stops[row, :going] & ~(-2 << last))  # insertions lead to it
        is_diagonal = (diagonals[row, :going] >> cell) & 1
        ends[row, :going] = left + cell - is_diagonal
        matched[row, :going] = (table[SAME, row + 1, :going] >> cell) & is_diagonal
    aligned = np.zeros((count, size + 2), np.int64)
    np.add.at(aligned, (numbers, ends + 1), 1)
    hyp_error = np.where(matched.T, _NEVER, np.arange(rows))
    ref_error = np.tile(np.arange(size), (count, 1))
    word, pair = np.nonzero(matched)
    ref_error[pair, ends[word, pair]] = _NEVER
    return Alignment(np.cumsum(aligned, axis=1), _least_from(hyp_error), _least_from(ref_error))


# Stands for no place.
_NEVER = 1 << 40


def _least_from(table: Int64) -> Int64:
    """Return the least value from each on, in each row."""
    return np.minimum.accumulate(table[:, ::-1], axis=1)[:, ::-1]


def active(n: Int64) -> list[int]:
    """Return how many pairs have row 1, row 2, ..., given their falling numbers of rows."""
    rows = np.arange(1, n[0] + 1)
    counts: list[int] = np.searchsorted(-n, -rows, side="right").tolist()
    return counts


def _window(words: Int64, word: Int64, first: Int64) -> Int64:
    """Return 64 bits of each word (words, blocks), from bit `first` on."""
    blocks = words.view(np.uint64)
    block, shift = first >> 6, (first & 63).view(np.uint64)
    bits = blocks[word, block] >> shift
    bits |= blocks[word, block + 1] << (WORD - shift)
    window: Int64 = bits.view(np.int64)
    return window


def _padded(rows: Ragged, width: int, start: int, fill: int) -> Int64:
    """Return rows as a table (rows, width) whose column `start` has their first values."""
    table = np.full((len(rows), width), fill)
    place = np.arange(width) - start
    table[(place >= 0) & (place < rows.lengths[:, None])] = rows.values
    return table


def _low_bits(count: Int64) -> Int64:
    """Return integers whose `count` lowest bits are set."""
    high: Int64 = -1 << np.maximum(count, 0)  # 0 from 64 on: NumPy shifts all bits out
    return ~high


def _ones(words: Int64) -> Int64:
    """Count the bits that are set."""
    return np.bitwise_count(words.view(np.uint64)).astype(np.int64)


def _highest_bit(words: Int64) -> Int64:
    """Return the place of the highest bit of each integer but 0."""
    unsigned = words.view(np.uint64)
    # Without the bits right below others, the conversion to float can't round up to a power of 2.
    alone = (unsigned & ~(unsigned >> 1)).astype(np.float64)
    return (alone.view(np.int64) >> 52) - 1023


def equal_words(same: Int64, farthest: int) -> tuple[Int64, Int64, Int64]:
    """Return row, pair and column of the words that are equal, and no farther from the diagonal."""
    rows, _, blocks = same.shape
    diagonal = np.arange(rows)[:, None] + 1 - WORD * np.arange(blocks)  # as a bit of each block
    near = _low_bits(diagonal + farthest + 1) & ~_low_bits(diagonal - farthest)
    left = same & near[:, None]
    index = np.flatnonzero(left)
    left = left.reshape(-1)[index]
    found = [np.zeros((2, 0), np.int64)]
    while len(index):
        lowest = left & -left
        found.append(np.stack([index, _ones(lowest - 1)]))
        left ^= lowest
        more = left != 0
        index, left = index[more], left[more]
    index, bit = np.concatenate(found, axis=1)
    row, pair, block = np.unravel_index(index, same.shape)
    return row, pair, block * WORD + bit

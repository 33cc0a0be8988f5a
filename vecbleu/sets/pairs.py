"""Count the matches of all pairs of two sets, and score them.

Copies of an n-gram are numbered in their keys (see `keys`), so a pair has as many matches as keys
in common. A key is counted in one of two ways, whichever takes less time:

- A rare key is looked up: each row that has it finds the columns that have it. The time is that of
  the pairs that share the key.
- Frequent keys are bits, 64 in a word. A pair shares as many of them as ``row & column`` has bits.
  The time is that of all pairs::

      keys   the/0 cat/0 sat/0 dog/0
      row      1     1     1     0
      column   1     0     1     1      row & column   1 0 1 0: two matches

Products of matrices by BLAS take as long, since its threads keep a processor busy while they wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from vecbleu.arguments.options import RunOptions
from vecbleu.core.metric import NgramMetric
from vecbleu.kernel.arrays import Float64, Index, Int64, Mask, UInt64
from vecbleu.kernel.ragged import (
    Ragged,
    as_index,
    cuts,
    lengths_of,
    offsets_of,
    places_in_rows,
    ranges,
    row_numbers,
    starts_of,
)
from vecbleu.parallel.mapping import map_blocks
from vecbleu.sets.keys import KeySet, first_indices, group_keys, occurrences, unit_keys

Result = TypeVar("Result")

# Units as rows of hashed ids, once for each kind of token, such as characters and words.
Units = Sequence[Ragged]

# In the time of a pair that shares a rare key, so many pairs are compared in one frequent key.
_PAIRS_A_LOOKUP = 64

# If a side has so many times the keys of the other, most can be left out at once.
_FAR_MORE = 8

# Up to so many pairs of a group, or so many look-ups, looking up all keys is faster.
_FEW_PAIRS = 1 << 10
_FEW_LOOKUPS = 1 << 15

# Seconds to count and score a pair in one order.
SECONDS = 40e-9

_WORD = 64  # bits

# Words of pairs compared at a time: they fit into the cache.
_WORDS = 1 << 15

# Tokens of a block of rows, where each row counts as some more; and the pairs and tokens of such a
# block with a block of columns. Their counts take 4 MB an order.
_TOKENS = 1 << 17
_TOKENS_A_ROW = 64
_PAIRS = 1 << 19


def take(units: Units, numbers: Int64) -> Units:
    """Copy the given units, in the given order."""
    return [tokens.take(numbers) for tokens in units]


def between(units: Units, start: int, stop: int) -> Units:
    """Return the units from `start` to `stop`."""
    return [tokens[start:stop] for tokens in units]


def group_numbers(offsets: Int64) -> Int64:
    """Return the group of each unit (units,), given the offsets of the groups (groups + 1,)."""
    return row_numbers(np.diff(offsets))


class Scoring(NamedTuple):
    """A metric, and how it scores what it counts."""

    metric: NgramMetric
    options: Mapping[str, Any]

    @property
    def orders(self) -> int:
        """The number of orders of all kinds of tokens."""
        return sum(self.metric.max_orders)

    def blocks(self, rows: Units, columns: Units) -> Iterator[tuple[int, Float64]]:
        """Yield the first column of each block of columns, and their scores (rows, block)."""
        own = Side.of(rows, self.metric)
        size = len(rows[0])
        work = sum((tokens.lengths for tokens in columns), np.full(len(columns[0]), size))
        for start, stop in cuts(offsets_of(work), _PAIRS):
            is_own = columns is rows and stop - start == size
            others = own if is_own else Side.of(between(columns, start, stop), self.metric)
            yield start, self.scores(own, others).reshape(size, stop - start)

    def scores(self, rows: Side, columns: Side) -> Float64:
        """Score each row with all columns of its group, in their order (pairs,)."""
        layout = _Layout.of(rows, columns)
        matches = np.zeros((len(rows.orders), int(layout.bases[-1])), np.intp)
        for own, others, counts in zip(rows.orders, columns.orders, matches, strict=True):
            layout.add_matches(own, others, counts)
        groups = group_numbers(rows.offsets)
        sizes = lengths_of(columns.offsets)[groups]
        hyp_len = np.repeat(rows.lengths, as_index(sizes), axis=1)
        ref_len = columns.lengths[:, ranges(columns.offsets[groups], sizes)]
        return self.metric.pair_scores(hyp_len, ref_len, matches, **self.options)


def row_blocks(rows: Units) -> list[tuple[slice, Units]]:
    """Cut units into blocks of rows; a single block is the same object."""
    work = sum((tokens.lengths for tokens in rows), np.full(len(rows[0]), _TOKENS_A_ROW))
    bounds = cuts(offsets_of(work), _TOKENS)
    if len(bounds) == 1:
        return [(slice(*bounds[0]), rows)]
    return [(slice(*part), between(rows, *part)) for part in bounds]


def map_row_blocks(
    function: Callable[[Scoring, Units, Units], Result],
    scoring: Scoring,
    rows: Units,
    columns: Units,
    run: RunOptions,
) -> Iterator[tuple[slice, Result]]:
    """Apply a function to blocks of rows and all columns, in any process; yield slices of rows."""
    size = len(rows[0])
    blocks = row_blocks(rows)
    parts = [part for _, part in blocks]
    seconds = SECONDS * size * len(columns[0]) * scoring.orders
    task = partial(function, scoring, columns)
    with closing(
        map_blocks(task, parts, seconds, run, total=size, size=lambda part: len(part[0]))
    ) as results:
        yield from zip((part for part, _ in blocks), results, strict=True)


class Grams(NamedTuple):
    """N-grams of one order. Equal ones have equal keys."""

    keys: Any  # (occurrences,), of 64 bits, or numbers from 0 on
    units: Int64  # (occurrences,), the unit of each

    def select(self, is_chosen: Mask) -> Grams:
        """Return the marked n-grams (occurrences,)."""
        at = np.flatnonzero(is_chosen)
        return Grams(self.keys[at], self.units[at])

    def among(self, others: Grams) -> Grams:
        """Leave out keys that the others don't have, if they have far fewer."""
        if len(self.keys) < _FAR_MORE * len(others.keys):
            return self
        return self.select(KeySet(others.keys).contains(self.keys))


class Side(NamedTuple):
    """Rows or columns, in one group or several, and their n-grams."""

    lengths: Int64  # (kinds of tokens, units)
    offsets: Int64  # (groups + 1,), start of each group's units
    orders: list[Grams]

    @classmethod
    def of(cls, units: Units, metric: NgramMetric, offsets: Int64 | None = None) -> Side:
        """Make the keys of units in one group, or in groups that begin at `offsets`."""
        starts = np.array([0, len(units[0])]) if offsets is None else offsets
        groups = group_numbers(starts)
        orders = []
        for tokens, max_order in zip(units, metric.max_orders, strict=True):
            for keys, owners in unit_keys(tokens, max_order):
                orders.append(Grams(group_keys(keys, groups[owners]), owners))
        return cls(np.stack([tokens.lengths for tokens in units]), starts, orders)


class _Layout(NamedTuple):
    """Where the pairs of rows and columns are: row by row, and group by group."""

    rows: Int64  # (groups + 1,), start of each group's rows
    columns: Int64  # (groups + 1,)
    groups: Int64  # (columns,), group of each
    bases: Int64  # (rows + 1,), first pair of each row

    @classmethod
    def of(cls, rows: Side, columns: Side) -> _Layout:
        """Pair each row with the columns of its group."""
        sizes = lengths_of(columns.offsets)[group_numbers(rows.offsets)]
        groups = group_numbers(columns.offsets)
        return cls(rows.offsets, columns.offsets, groups, offsets_of(sizes))

    def add_matches(self, rows: Grams, columns: Grams, counts: Index) -> None:
        """Add the matches of one order to the counts of all pairs (pairs,)."""
        rows, columns = rows.among(columns), columns.among(rows)
        is_same = rows is columns
        keys = columns.keys if is_same else np.concatenate([rows.keys, columns.keys])
        numbers = first_indices(keys)
        columns = Grams(numbers[len(keys) - len(columns.keys) :], columns.units)
        rows = columns if is_same else Grams(numbers[: len(rows.keys)], rows.units)
        in_columns = np.bincount(columns.keys, minlength=len(keys))
        starts = starts_of(in_columns)
        sizes = in_columns[rows.keys]
        if sizes.sum() > _FEW_LOOKUPS:
            is_frequent = self._add_frequent(rows, columns, in_columns, counts)
            sizes[is_frequent[rows.keys]] = 0
        units = columns.units[np.argsort(columns.keys)]
        places = units - self.columns[self.groups[units]]
        for found in occurrences(places, starts[rows.keys], sizes, self.bases[rows.units]):
            np.add.at(counts, found, 1)

    def _add_frequent(self, rows: Grams, columns: Grams, in_columns: Index, counts: Index) -> Mask:
        """Add the matches of frequent keys; return a mask of these."""
        group = np.zeros(len(in_columns), np.intp)  # of each key
        group[columns.keys] = self.groups[columns.units]
        pairs = lengths_of(self.bases[self.rows])[group]
        shared = in_columns * np.bincount(rows.keys, minlength=len(group))
        is_frequent = (shared * _PAIRS_A_LOOKUP > pairs) & (pairs > _FEW_PAIRS)
        frequent = np.flatnonzero(is_frequent)
        sizes = np.bincount(group[frequent], minlength=len(self.rows) - 1)  # of groups
        bit = np.full(len(group), -1)  # of each key, among those of its group
        by_group = frequent[np.argsort(group[frequent], kind="stable")]
        bit[by_group] = places_in_rows(sizes)
        words = -(-sizes // _WORD)
        column_bits = _bits(columns, bit, len(self.groups), int(words.max()))
        row_bits = column_bits
        if rows is not columns:
            row_bits = _bits(rows, bit, len(self.bases) - 1, int(words.max()))
        for number in np.flatnonzero(words).tolist():
            own = slice(*self.rows[number : number + 2])
            others = slice(*self.columns[number : number + 2])
            pairs_of_group = slice(self.bases[own.start], self.bases[own.stop])
            bits = row_bits[: words[number], own], column_bits[: words[number], others]
            _add_common_bits(*bits, counts[pairs_of_group])
        return is_frequent


def _bits(grams: Grams, bit: Index, units: int, words: int) -> UInt64:
    """Return a matrix of the keys that each unit has and that have a bit (words, units)."""
    chosen = grams.select(bit[grams.keys] >= 0)
    bits = np.zeros((units, _WORD * words), bool)
    bits[chosen.units, bit[chosen.keys]] = True
    return np.packbits(bits, axis=1).view(np.uint64).T.copy()


def _add_common_bits(rows: UInt64, columns: UInt64, counts: Index) -> None:
    """Add the number of bits that rows and columns (words, units) share to counts (pairs,)."""
    by_row = counts.reshape(rows.shape[1], columns.shape[1])
    step = max(1, _WORDS // max(columns.size, 1))
    for start in range(0, len(by_row), step):
        part = slice(start, start + step)
        common = rows[:, part, None] & columns[:, None]
        by_row[part] += np.add.reduce(np.bitwise_count(common), axis=0, dtype=np.int32)

"""Score many pairs of units.

The score of a pair depends on two lengths and a few small counts. Each distinct row of these is
scored once: 262,144 pairs of news sentences have only a few thousand distinct rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.kernel.ragged import Ragged, as_index, cuts, offsets_of
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring import array_bleu
from vecbleu.pairwise.distinct import distinct
from vecbleu.pairwise.keys import KeyIndex, group_keys, unit_keys

# Upper bound of codes.
_MOST_CODE = 1 << 62

# Pairs counted and scored at a time: 2 MB per order.
_PAIRS = 1 << 18

# Pairs that take as much memory as the n-grams of one token.
_PAIRS_A_TOKEN = 8


def pair_scores(hyp_len: Int64, ref_len: Int64, matches: Int64, options: ScoreOptions) -> Float64:
    """Return the scores of pairs (pairs,), from lengths (pairs,) and matches (orders, pairs)."""
    columns = [hyp_len, ref_len, *matches]
    pairs, numbers = distinct(_codes(columns))
    totals = np.maximum(hyp_len[pairs] - np.arange(len(matches))[:, None], 0)
    rows = np.stack([*(column[pairs] for column in columns), *totals], axis=1)
    scores: Float64 = array_bleu(rows, options)[numbers]
    return scores


def _codes(columns: list[Int64]) -> Int64:
    """Return a number for each row of the columns; equal rows have equal numbers."""
    codes: Int64 = np.zeros(len(columns[0]), np.int64)
    bound = 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if bound * size > _MOST_CODE:  # renumber, since few rows are distinct
            known, numbers = np.unique(codes, return_inverse=True)
            codes, bound = numbers.astype(np.int64), len(known)
        codes = codes * size
        codes += column
        bound *= size
    return codes


def group_numbers(offsets: Int64) -> Int64:
    """Return the group of each unit (units,), given the offsets of the groups (groups + 1,)."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), as_index(np.diff(offsets)))


class Columns(NamedTuple):
    """Index of units by group; rows are scored against all units of their group."""

    indexes: list[KeyIndex]  # one per order
    lengths: Int64  # (units,)
    offsets: Int64  # (groups + 1,), start of each group's units

    @classmethod
    def of(cls, units: Ragged, offsets: Int64, max_order: int) -> Columns:
        """Index units; their groups begin at `offsets` (groups + 1,)."""
        groups = group_numbers(offsets)
        numbers = np.arange(len(units)) - offsets[groups]
        indexes = [
            KeyIndex(group_keys(keys, groups[owners]), numbers[owners])
            for keys, owners in unit_keys(units, range(1, max_order + 1))
        ]
        return cls(indexes, units.lengths, offsets)

    def scores(
        self, rows: Ragged, groups: Int64, options: ScoreOptions
    ) -> Iterator[tuple[slice, Float64]]:
        """Yield a slice of the rows at a time, and the scores of their pairs (pairs,).

        Each row is paired with all units of its group (rows,), in their order.
        """
        work = offsets_of(np.diff(self.offsets)[groups] + _PAIRS_A_TOKEN * rows.lengths)
        for start, stop in cuts(work, _PAIRS):
            part = slice(start, stop)
            yield part, self._score(rows[part], groups[part], options)

    def _score(self, rows: Ragged, groups: Int64, options: ScoreOptions) -> Float64:
        """Score the pairs of a part of the rows (pairs,)."""
        sizes = as_index(np.diff(self.offsets)[groups])
        bases = offsets_of(sizes)  # (rows + 1,)
        scores = np.zeros(int(bases[-1]))
        row_keys = unit_keys(rows, range(1, len(self.indexes) + 1))
        counts = [
            index.counts(group_keys(keys, groups[owners]), bases[owners], len(scores))
            for index, (keys, owners) in zip(self.indexes, row_keys, strict=True)
        ]
        is_strict = options.smoothing == "none" and not (options.weights or options.effective_order)
        pairs = np.flatnonzero(counts[-1 if is_strict else 0])  # all others score 0
        if pairs.size:
            row = np.repeat(np.arange(len(rows)), sizes)[pairs]
            column = pairs + (self.offsets[groups] - bases[:-1])[row]
            lengths = rows.lengths[row], self.lengths[column]
            matches = np.stack([matches[pairs] for matches in counts])
            scores[pairs] = pair_scores(*lengths, matches, options)
        return scores

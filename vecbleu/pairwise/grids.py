"""Scores of rows of units against columns of units, the pairs of some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vecbleu.core.arrays import Float64, Index, Int64, as_index
from vecbleu.core.kernel.joins import KeyIndex, unit_keys
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.core.options import ScoreOptions
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.pairs import needed_order, pair_scores

# Pairs that are counted and scored together: 2 MB for each order of n-grams.
_PAIRS = 1 << 18

# Pairs that take as much memory as the n-grams of a token.
_PAIRS_A_TOKEN = 8


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Units that rows are scored against: each row against those of its group."""

    indexes: list[KeyIndex]  # one an order
    lengths: Int64  # (units,)
    offsets: Int64  # (groups + 1,), where the units of each group begin

    @classmethod
    def of(cls, units: Ragged, offsets: Int64, max_order: int) -> Columns:
        """Index units, the groups of which begin at `offsets` (groups + 1,)."""
        groups = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), as_index(np.diff(offsets)))
        places = np.arange(len(units)) - offsets[groups]
        keys = (one.of_groups(groups) for one in unit_keys(units, max_order))
        indexes = [KeyIndex(one.keys, places[one.owners]) for one in keys]
        return cls(indexes, units.lengths, offsets)

    def scores(
        self, rows: Ragged, groups: Int64, options: ScoreOptions
    ) -> Iterator[tuple[slice, Float64]]:
        """Some rows at a time, and the scores of their pairs: (pairs,), or (pairs, W).

        A row's pairs are those with the units of its group (rows,), in their order.
        """
        work = offsets_of(np.diff(self.offsets)[groups] + _PAIRS_A_TOKEN * rows.lengths)
        for start, stop in cuts(work, _PAIRS):
            some = slice(start, stop)
            yield some, self._score(rows[some], groups[some], options)

    def _score(self, rows: Ragged, groups: Int64, options: ScoreOptions) -> Float64:
        """Scores of the pairs of some rows (pairs,), or (pairs, W)."""
        sizes = as_index(np.diff(self.offsets)[groups])
        bases = offsets_of(sizes)  # (rows + 1,)
        orders = range(len(self.indexes))
        keys = [one.of_groups(groups) for one in unit_keys(rows, len(orders))]

        def count(order: int) -> Index:
            of_order = keys[order]
            starts = bases[of_order.owners]
            return self.indexes[order].counts(of_order.keys, starts, int(bases[-1]))

        scores = np.zeros((int(bases[-1]), *options.shape))
        needed = needed_order(len(orders), options) - 1
        matches_needed = count(needed)
        some = np.flatnonzero(matches_needed)  # of the others the score is 0
        if some.size:
            matches = [matches_needed if order == needed else count(order) for order in orders]
            row = np.repeat(np.arange(len(rows)), sizes)[some]
            column = some + (self.offsets[groups] - bases[:-1])[row]
            lengths = rows.lengths[row], self.lengths[column]
            scores[some] = pair_scores(*lengths, np.stack([one[some] for one in matches]), options)
        return scores

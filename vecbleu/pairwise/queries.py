"""Pairs that share an n-gram, found by a join: no other pair is looked at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vecbleu.core.arrays import Float64, Int64, UInt64
from vecbleu.core.kernel.joins import KeyIndex, group_keys, keys_of_order, unit_keys
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.core.kernel.sets import KeySet, numbered_rows
from vecbleu.core.options import ScoreOptions
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.pairs import needed_order, pair_scores

# Occurrences of n-grams in hypotheses, and n-grams of pairs, that are looked at together.
_OCCURRENCES = 1 << 17
_LOOKED_UP = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """Hypotheses whose n-grams can be looked up."""

    known: KeySet  # n-grams of the order without which a score is 0
    index: KeyIndex  # the hypotheses that have them
    others: list[KeySet]  # n-grams of each order, together with the hypothesis
    lengths: Int64  # (hypotheses,)
    options: ScoreOptions

    @classmethod
    def of(cls, units: Ragged, max_order: int, options: ScoreOptions) -> Queries:
        """Index the n-grams of hypotheses."""
        keys = unit_keys(units, max_order)
        needed = keys[needed_order(max_order, options) - 1]
        groups = np.arange(len(units), dtype=np.int64)
        others = [KeySet(one.of_groups(groups).keys) for one in keys]
        index = KeyIndex(needed.keys, needed.owners)
        return cls(KeySet(needed.keys), index, others, units.lengths, options)

    @property
    def needed(self) -> int:
        """The order, counted from 0, without a match of which a score is 0."""
        return needed_order(len(self.others), self.options) - 1

    def occurrences(self, units: Ragged) -> int:
        """How often the n-grams of units, of the order needed, occur in hypotheses."""
        keys = keys_of_order(units, self.needed + 1).keys
        return int(self.index.sizes(keys[self.known.contains(keys)]).sum())

    def scores(self, units: Ragged) -> Iterator[tuple[Int64, Int64, Float64]]:
        """Some pairs at a time: the hypothesis, the unit, and the score of each (pairs,)."""
        lengths = units.lengths
        for numbers, keys in numbered_rows(units, len(self.others)):
            for query, row, shared in self._sharing(keys[self.needed]):
                matches = self._matches(keys, query, row, shared)
                sizes = self.lengths[query], lengths[numbers[row]]
                yield query, numbers[row], pair_scores(*sizes, matches, self.options)

    def _sharing(self, keys: UInt64) -> Iterator[tuple[Int64, Int64, Int64]]:
        """Pairs of queries and rows of keys (rows, width) that share some, and how many they share.

        Some rows at a time, of which one may have any number of pairs.
        """
        is_known = self.known.contains(keys)
        row, _ = np.nonzero(is_known)
        wanted = keys[is_known]
        ends = offsets_of(self.index.sizes(wanted))
        begins = np.flatnonzero(np.diff(row, prepend=-1))  # of the keys of each row that has some
        for start, stop in cuts(ends[np.append(begins, len(row))], _OCCURRENCES):
            some = slice(begins[start], begins[stop] if stop < len(begins) else len(row))
            bases = row[some] * len(self.lengths)
            codes = np.concatenate([*self.index.occurrences(wanted[some], bases)])
            pairs, shared = np.unique(codes, return_counts=True)
            rows, query = np.divmod(pairs, len(self.lengths))
            yield query, rows, shared

    def _matches(self, keys: UInt64, query: Int64, row: Int64, shared: Int64) -> Int64:
        """Matches of pairs (orders, pairs), given those of the order needed."""
        orders, _, width = keys.shape
        matches = np.empty((orders, len(row)), np.int64)
        matches[self.needed] = shared
        step = max(1, _LOOKED_UP // width)
        for start in range(0, len(row), step):
            some = slice(start, start + step)
            groups = query[some, None]
            for order in {*range(orders)} - {self.needed}:
                own = group_keys(keys[order][row[some]], groups)  # (pairs, width)
                matches[order, some] = np.count_nonzero(self.others[order].contains(own), axis=1)
        return matches

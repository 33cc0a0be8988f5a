"""The n-grams in whose counts two systems differ most, found order by order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from vecbleu.core.arrays import Index, Int64, Mask
from vecbleu.core.kernel.groups import Groups

Kind = Literal["match", "over", "under"]
By = Literal["score", "count"]


class Ranking(NamedTuple):
    """How n-grams are ranked."""

    by: By
    alpha: float
    top: int

    def score(self, more: Any, less: Any) -> Any:
        """compare-mt's smoothed share of the counts that the first system has."""
        return (more + self.alpha) / (more + less + 2 * self.alpha)

    def value(self, more: Any, less: Any) -> Any:
        """What n-grams are ranked by."""
        return self.score(more, less) if self.by == "score" else more - less


class Entry(NamedTuple):
    """An n-gram that one of two systems has more often: the smallest is the best."""

    value: float  # negative
    difference: int  # negative
    order: int  # negative: of n-grams that are equal else, the longer one says more
    place: int  # at which it first occurs
    more: int
    less: int
    examples: tuple[int, ...]


class BestNgrams:
    """The best n-grams so far, in which one system (`column`, 0 or 1) has more of a kind."""

    def __init__(self, ranking: Ranking, kind: Kind, column: int, examples: int) -> None:
        self.kind, self.column = kind, column
        self.entries: list[Entry] = []
        self.least = 1  # count that an n-gram must have to become one of them
        self._ranking, self._examples = ranking, examples

    def found(self, order: int, groups: Groups, places: Index, counts: Int64) -> list[Entry]:
        """The best of some n-grams, of which the systems have counts (2, ngrams)."""
        more, less = counts[self.column], counts[1 - self.column]
        some = np.flatnonzero((more >= self.least) & (more > less))
        values = self._ranking.value(more[some], less[some])
        if len(self.entries) == self._ranking.top:
            could_be = values >= -self.entries[-1].value
            some, values = some[could_be], values[could_be]
        differences = (more - less)[some]
        chosen = np.lexsort((places[some], -differences, -values))[: self._ranking.top]
        ngrams = some[chosen]
        return [
            Entry(-value, -difference, -order, place, own, other, self._segments(groups, ngram))
            for value, difference, place, own, other, ngram in zip(
                values[chosen].tolist(),
                differences[chosen].tolist(),
                places[ngrams].tolist(),
                more[ngrams].tolist(),
                less[ngrams].tolist(),
                ngrams.tolist(),
                strict=True,
            )
        ]

    def take(self, found: Sequence[Entry]) -> None:
        """Keep the best of those that are known and those that were found."""
        if found:
            self.entries = sorted([*self.entries, *found])[: self._ranking.top]
            self.least = self._least()

    def _segments(self, groups: Groups, ngram: int) -> tuple[int, ...]:
        """The first segments in which the system has more of an n-gram."""
        if not self._examples:
            return ()
        own = groups.of(ngram)
        counts = counts_of(self.kind, own.hyp_counts, own.ref_counts, own.matches)
        is_more = counts[self.column] > counts[1 - self.column]
        return tuple(own.segments[is_more][: self._examples].tolist())

    def _least(self) -> int:
        """The least count with which an n-gram that the other system has not could be kept."""
        if len(self.entries) < self._ranking.top:
            return 1
        last = self.entries[-1][:2]
        low, high = 1, 1
        while not self._reaches(high, last):
            low, high = high + 1, 2 * high
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._reaches(middle, last) else (middle + 1, high)
        return low

    def _reaches(self, count: int, last: tuple[float, int]) -> bool:
        """Whether an n-gram of that count, which the other system has not, is as good as the last.

        The last one itself has a count as large, so that one of `_least` is found.
        """
        return (-self._ranking.value(count, 0), -count) <= last


class PairVisitor:
    """Looks at the n-grams of two systems for the best of each kind and direction."""

    def __init__(
        self, ranking: Ranking, kinds: Sequence[Kind], min_order: int, examples: int
    ) -> None:
        self.best = [
            BestNgrams(ranking, kind, column, examples) for kind in kinds for column in (1, 0)
        ]
        self._min_order = min_order

    def wants(self, hyp_counts: Int64, ref_counts: Int64) -> Mask:
        """N-grams that could be among the best, or part of one: more do not occur, or match."""
        return self._could_be(hyp_counts, ref_counts, np.minimum(hyp_counts, ref_counts))

    def visit(
        self, order: int, groups: Groups, places: Index
    ) -> tuple[Mask, list[list[Entry]] | None]:
        """Find the best n-grams; longer ones are of use while they could be among them."""
        hyp_counts, matches = groups.sums(groups.hyp_counts), groups.sums(groups.matches)
        ref_counts = groups.sums(groups.ref_counts)
        found = None
        if order >= self._min_order:
            found = [
                one.found(
                    order, groups, places, counts_of(one.kind, hyp_counts, ref_counts, matches)
                )
                for one in self.best
            ]
        # Longer ones occur, and match, at most as often.
        return self._could_be(hyp_counts, ref_counts, matches), found

    def take(self, found: Sequence[Sequence[Entry]]) -> None:
        """Keep the best of each kind and direction."""
        for one, entries in zip(self.best, found, strict=True):
            one.take(entries)

    def _could_be(self, hyp_counts: Int64, ref_counts: Int64, matches: Int64) -> Mask:
        """Which n-grams could be among the best, were all occurrences or matches of one kind."""
        could_be = np.zeros(len(ref_counts), bool)
        for one in self.best:
            most = matches if one.kind == "match" else hyp_counts
            could_be |= (ref_counts if one.kind == "under" else most[one.column]) >= one.least
        return could_be


def counts_of(kind: Kind, hyp_counts: Int64, ref_counts: Int64, matches: Int64) -> Int64:
    """How often systems have n-grams in a reference, beyond it, or not (systems, ngrams)."""
    if kind == "match":
        return matches
    return hyp_counts - matches if kind == "over" else ref_counts - matches

"""Find the best-scoring references of each hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Unpack

import numpy as np

from vecbleu.core.arrays import Float64, Int64, UInt64
from vecbleu.core.checks import checked_integer
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.core.options import Options, PairArgs, ScoreOptions, takes
from vecbleu.core.parallel.mapping import map_blocks
from vecbleu.pairwise.keys import KeyIndex, KeySet, group_keys, numbered_rows, unit_keys
from vecbleu.pairwise.scores import Columns, needed_order, pair_scores
from vecbleu.pairwise.units import side_ids
from vecbleu.show.table import Column, Result, Table

# Seconds per token of the references with a join, and per pair without one.
_SECONDS_A_TOKEN = 250e-9
_SECONDS_A_PAIR = 70e-9

# Tokens of references per task.
_TASK_TOKENS = 1 << 16

# Shared n-grams per pair, above which scoring all pairs is faster than a join.
_MOST_JOINED = 0.1

# Occurrences of n-grams in hypotheses, and n-grams of pairs, processed at a time.
_OCCURRENCES = 1 << 17
_LOOKED_UP = 1 << 18

# Pairs kept before they are reduced to the best of each hypothesis.
_KEPT = 1 << 20


@dataclass(frozen=True, eq=False, repr=False)
class Neighbors(Result):
    """Best references of each hypothesis, as returned by `nearest`.

    The table has one row per hypothesis. It numbers segments and references from 1.

    Parameters
    ----------
    scores : float64 array (H, k)
        Sentence BLEU between 0 and 1, best first.
    indices : int64 array (H, k)
        Index of each reference, from 0.

    Examples
    --------
    >>> import vecbleu
    >>> vecbleu.nearest(["a cat"], ["a dog", "a cat", "the cat"], k=2)
    segment  score 1  reference 1  score 2  reference 2
          1   100.00            2    50.00            1
    """

    __module__ = "vecbleu"

    scores: Float64
    indices: Int64

    def table(self) -> Table:
        """Return a table of the hypotheses, with score and reference of each rank."""
        size, number = self.indices.shape
        columns = [Column("segment", range(1, size + 1), "count")]
        for rank in range(number):
            columns.append(Column(f"score {rank + 1}", self.scores[:, rank].tolist(), "score"))
            numbers = (self.indices[:, rank] + 1).tolist()
            columns.append(Column(f"reference {rank + 1}", numbers, "count"))
        return Table(columns)


@takes(PairArgs, effective_order=True)
def nearest(
    hypotheses: Hypotheses, references: Hypotheses, *, k: int = 1, **options: Unpack[PairArgs]
) -> Neighbors:
    """Find the k best-scoring references of each hypothesis.

    The result is exact, and the whole matrix is never in memory. By default, all pairs that share
    a token are scored. With ``smoothing="none"``, only pairs that share an n-gram of the highest
    order score above 0, and only these are scored. With many references, this is much faster.
    (Hypotheses of fewer than `max_order` tokens are still compared with all references.)

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`.
    references : sequence (R,)
        References of the same kind, each scored by itself.
    k : int
        Number of references to find per hypothesis, at most R.
    **options
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    Neighbors
        `scores` and `indices`, both (H, k), best first. If scores are equal, such as 0, the lower
        index comes first.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or there are fewer than k references.

    Examples
    --------
    >>> import vecbleu
    >>> test = ["the cat sat on the mat", "it rains"]
    >>> training = ["a dog barked", "the cat sat on a mat", "a cat sat on the mat"]
    >>> neighbors = vecbleu.nearest(test, training, k=2)
    >>> neighbors.indices.tolist()
    [[2, 1], [0, 1]]
    >>> neighbors.scores.round(3).tolist()
    [[0.76, 0.537], [0.0, 0.0]]
    """
    settings = Options.checked(options)
    number = checked_integer(k, "k", 1)
    queries, units = side_ids(settings, hypotheses=hypotheses, references=references)
    if number > len(units):
        raise ValueError(f"k is {number} but references has {len(units)} segments")
    scoring = settings.scoring
    groups = [(np.arange(len(queries)), scoring)]
    if scoring.smoothing == "none" and scoring.effective_order:
        # Effective order changes nothing for hypotheses with n-grams of all orders: join these.
        is_long = queries.lengths >= settings.counting.max_order
        of_all_orders = scoring._replace(effective_order=False)
        groups = [(np.flatnonzero(is_long), of_all_orders), (np.flatnonzero(~is_long), scoring)]
    scores = np.zeros((len(queries), number))
    indices = np.zeros((len(queries), number), np.int64)
    for group, scoring in groups:
        if len(group):
            best = _best(queries.take(group), units, number, settings._replace(scoring=scoring))
            scores[group] = best.scores.reshape(-1, number)
            indices[group] = best.references.reshape(-1, number)
    return Neighbors(scores, indices)


class _Pairs(NamedTuple):
    """Pairs of hypotheses (called queries here) and references, with their scores."""

    queries: Int64  # (pairs,)
    references: Int64  # (pairs,)
    scores: Float64  # (pairs,)

    @classmethod
    def joined(cls, parts: Iterable[_Pairs]) -> _Pairs:
        """Concatenate several groups of pairs."""
        nothing = cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
        return cls(*map(np.concatenate, zip(nothing, *parts, strict=True)))

    def best(self, number: int) -> _Pairs:
        """Keep the best `number` pairs of each query, best first."""
        best_first = np.lexsort((self.references, -self.scores, self.queries))
        queries = self.queries[best_first]
        rank = np.arange(len(queries)) - np.searchsorted(queries, queries)
        best = best_first[rank < number]
        return _Pairs(self.queries[best], self.references[best], self.scores[best])

    def with_zeros(self, size: int, number: int) -> _Pairs:
        """Add pairs of score 0 for each query; the first `number` references suffice."""
        is_zero = np.ones((size, number), bool)
        is_low = self.references < number
        is_zero[self.queries[is_low], self.references[is_low]] = False
        queries, references = np.nonzero(is_zero)
        return _Pairs.joined([self, _Pairs(queries, references, np.zeros(len(queries)))])


# References of a task, and the number of the first.
_Batch = tuple[int, Ragged]


def _best(queries: Ragged, units: Ragged, number: int, settings: Options) -> _Pairs:
    """Find the best units of each query, with a join if the options allow one."""
    max_order, scoring = settings.counting.max_order, settings.scoring
    task = best_of_all = partial(_best_of_all, queries, max_order, scoring, number)
    seconds = _SECONDS_A_PAIR * len(units) * len(queries)
    if needed_order(max_order, scoring) > 1:
        index = _Queries.of(queries, max_order, scoring)
        task = partial(_best_of_joined, index, number, best_of_all)
        seconds = _SECONDS_A_TOKEN * len(units.values)
    batches = ((start, units[start:stop]) for start, stop in cuts(units.offsets, _TASK_TOKENS))
    kept: list[_Pairs] = []
    with closing(
        map_blocks(
            task, batches, seconds, settings.run, total=len(units), size=lambda batch: len(batch[1])
        )
    ) as results:
        for best in results:
            kept.append(best)
            if sum(len(part.scores) for part in kept[1:]) > max(_KEPT, len(kept[0].scores)):
                kept = [_Pairs.joined(kept).best(number)]
    return _Pairs.joined(kept).with_zeros(len(queries), number).best(number)


def _best_of_all(
    queries: Ragged, max_order: int, options: ScoreOptions, number: int, batch: _Batch
) -> _Pairs:
    """Score all pairs of a batch; return the best ones above 0."""
    start, units = batch
    columns = Columns.of(units, np.array([0, len(units)]), max_order)
    last = max(len(units) - number, 0)
    best = []
    for rows, scores in columns.scores(queries, np.zeros(len(queries), np.int64), options):
        matrix = scores.reshape(-1, len(units))
        least = np.partition(matrix, last, axis=1)[:, last]
        query, reference = np.nonzero((matrix >= least[:, None]) & (matrix > 0))
        pairs = _Pairs(query + rows.start, reference + start, matrix[query, reference])
        best.append(pairs.best(number))
    return _Pairs.joined(best)


def _best_of_joined(
    queries: _Queries, number: int, best_of_all: Callable[[_Batch], _Pairs], batch: _Batch
) -> _Pairs:
    """Score the pairs of a batch that share an n-gram of the needed order; return the best.

    If many pairs share one, scoring all pairs is faster.
    """
    start, units = batch
    if queries.occurrences(units) > _MOST_JOINED * len(queries.lengths) * len(units):
        return best_of_all(batch)
    pairs = (_Pairs(query, start + unit, scores) for query, unit, scores in queries.scores(units))
    return _Pairs.joined(part.best(number) for part in pairs).best(number)


class _Queries(NamedTuple):
    """Index of the n-grams of hypotheses."""

    needed: int  # highest order that must match for a score above 0, minus 1
    known: KeySet  # n-grams of that order
    holders: KeyIndex  # hypotheses that contain them
    sets: list[KeySet]  # n-grams of each order, with their hypothesis
    lengths: Int64  # (hypotheses,)
    options: ScoreOptions

    @classmethod
    def of(cls, units: Ragged, max_order: int, options: ScoreOptions) -> _Queries:
        """Index the n-grams of hypotheses."""
        order_keys = unit_keys(units, range(1, max_order + 1))
        needed = needed_order(max_order, options) - 1
        sets = [KeySet(group_keys(keys, owners)) for keys, owners in order_keys]
        keys, owners = order_keys[needed]
        return cls(needed, KeySet(keys), KeyIndex(keys, owners), sets, units.lengths, options)

    def occurrences(self, units: Ragged) -> int:
        """Count how often the units' n-grams of the needed order occur in hypotheses."""
        ((keys, _),) = unit_keys(units, [self.needed + 1])
        return int(self.holders.sizes(keys[self.known.contains(keys)]).sum())

    def scores(self, units: Ragged) -> Iterator[tuple[Int64, Int64, Float64]]:
        """Yield hypotheses, units and scores of pairs (pairs,), a part at a time."""
        lengths = units.lengths
        for numbers, keys in numbered_rows(units, len(self.sets)):
            for query, row, shared in self._sharing(keys[self.needed]):
                matches = self._matches(keys, query, row, shared)
                sizes = self.lengths[query], lengths[numbers[row]]
                yield query, numbers[row], pair_scores(*sizes, matches, self.options)

    def _sharing(self, keys: UInt64) -> Iterator[tuple[Int64, Int64, Int64]]:
        """Yield queries, rows and numbers of shared keys of pairs (pairs,), a few rows at a time.

        A row of `keys` (rows, width) can have any number of pairs.
        """
        is_known = self.known.contains(keys)
        row, _ = np.nonzero(is_known)
        wanted = keys[is_known]
        ends = offsets_of(self.holders.sizes(wanted))
        # Where the keys of each row begin, and where the last ones end.
        bounds = np.append(np.flatnonzero(np.diff(row, prepend=-1)), len(row))
        for start, stop in cuts(ends[bounds], _OCCURRENCES):
            part = slice(bounds[start], bounds[stop])
            bases = row[part] * len(self.lengths)
            codes = np.concatenate([*self.holders.occurrences(wanted[part], bases)])
            pairs, shared = np.unique(codes, return_counts=True)
            rows, query = np.divmod(pairs, len(self.lengths))
            yield query, rows, shared

    def _matches(self, keys: UInt64, query: Int64, row: Int64, shared: Int64) -> Int64:
        """Count the matches of pairs (orders, pairs); `shared` are those of the needed order."""
        orders, _, width = keys.shape
        matches = np.empty((orders, len(row)), np.int64)
        matches[self.needed] = shared
        step = max(1, _LOOKED_UP // width)
        for start in range(0, len(row), step):
            part = slice(start, start + step)
            groups = query[part, None]
            for order in {*range(orders)} - {self.needed}:
                grouped = group_keys(keys[order][row[part]], groups)  # (pairs, width)
                matches[order, part] = np.count_nonzero(self.sets[order].contains(grouped), axis=1)
        return matches

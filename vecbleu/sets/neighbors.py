"""Find the best-scoring references of each hypothesis.

Most pairs of large sets need not be scored, since matches bound scores. A hypothesis of 25 tokens
without a matching 4-gram scores at most 0.39 with the default options; without a trigram 0.13,
without a bigram 0.03. A join finds the pairs that share an n-gram of one order, and counts their
matches of this and of higher orders. Lower orders are looked up one after the other, as long as the
pair would reach the limit if all n-grams of the orders below matched.

Metrics say whether this holds: long n-grams decide the score, and it never falls with more matches.
Else, and for few references, all pairs are scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from vecbleu.arguments.checks import checked_integer, checked_number
from vecbleu.arguments.errors import ArgumentError, argument
from vecbleu.arguments.options import RunOptions
from vecbleu.inputs.alignment import Hypotheses
from vecbleu.kernel.arrays import Float64, Index, Int64, Mask, UInt64
from vecbleu.kernel.ragged import Ragged, as_index, cuts, offsets_of, places_in_rows
from vecbleu.parallel.mapping import map_blocks
from vecbleu.sets.keys import KeyIndex, KeySet, group_keys, numbered_rows, unit_keys
from vecbleu.sets.pairs import Scoring, Units, map_row_blocks
from vecbleu.sets.units import Settings
from vecbleu.show.table import Column, Result, Table

# Seconds per reference, and per pair.
_SECONDS_A_REFERENCE = 5e-6
_SECONDS_A_PAIR = 10e-9

# Tokens of references per task, and the least share of the hypotheses' tokens: their index is sent
# with each task.
_TASK_TOKENS = 1 << 16
_TASK_SHARE = 8

# Tokens of queries that are searched for together: their index takes up to 200 MB.
_SEARCHED_TOKENS = 1 << 20

# Highest order of a join. Of higher orders, hardly fewer pairs share an n-gram.
_TOP_ORDER = 4

# With fewer references for each one to find, scoring all pairs is faster.
_UNITS_PER_NEIGHBOR = 100

# The least score above 0, which pairs must reach before others are found.
_LEAST = np.nextafter(0, 1)

# Share of pairs whose lower orders are looked up, above which the join of the next order is faster;
# and how many references stand for one that is tried out to estimate it.
_MOST_JOINED = 0.5
_SAMPLE_STEP = 32

# Occurrences of n-grams in hypotheses, and n-grams of pairs, processed at a time.
_OCCURRENCES = 1 << 17
_LOOKED_UP = 1 << 18

# Up to this many cells per occurrence, a table of counts is faster than sorting.
_TABLE_CELLS = 16

# Up to this many pairs, looking up n-grams is faster than computing bounds.
_FEW_PAIRS = 1 << 11

# Logarithms and powers of C libraries are not monotonic to the last bit.
_ROUNDING = 1 + 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Neighbors(Result):
    """Best references of each hypothesis, as returned by `nearest`.

    The table has one row per hypothesis. It numbers segments and references from 1; 0 stands for
    none.

    Parameters
    ----------
    scores : float64 array (H, k)
        Scores of sentences between 0 and 1, best first.
    indices : int64 array (H, k)
        Index of each reference, from 0; -1 if no further one has the least score asked for.

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
        columns = [Column("segment", range(1, len(self.scores) + 1), "count")]
        by_rank = zip(self.scores.T, self.indices.T, strict=True)
        for rank, (scores, indices) in enumerate(by_rank, 1):
            columns.append(Column(f"score {rank}", scores, "score"))
            columns.append(Column(f"reference {rank}", indices + 1, "count"))
        return Table(columns)


def best_references(
    settings: Settings,
    hypotheses: Hypotheses,
    references: Hypotheses | None,
    k: int,
    min_score: float,
) -> Neighbors:
    """Find the k best-scoring references of each hypothesis; by default, the other hypotheses."""
    with argument("k"):
        number = checked_integer(k, 1)
    with argument("min_score"):
        least = checked_number(min_score)
        if least > 1:
            raise ArgumentError(f"is {least:g}", "0 to 1, as scores are")
    queries, units = settings.sides(hypotheses, references)
    finds_itself = references is None
    size = len(units[0])
    if number + finds_itself > size:
        side = "hypotheses" if finds_itself else "references"
        found = f"is {number} but {side} has {size} segments"
        raise ArgumentError(found, argument="k")
    return best_units(settings, queries, units, number, finds_itself, least)


def best_units(
    settings: Settings,
    queries: Units,
    units: Units,
    number: int,
    finds_itself: bool,
    min_score: float = 0.0,
) -> Neighbors:
    """Find the best units of each query, of which there are enough; not itself if it is there."""
    wanted = number + finds_itself
    scoring = settings.scoring()
    needs_long = scoring.metric.needs_long_matches(**scoring.options)
    parts = []
    if needs_long and len(units[0]) >= _UNITS_PER_NEIGHBOR * wanted:
        for start, stop in cuts(queries[0].offsets, _SEARCHED_TOKENS):
            search = _Search(
                queries[0][start:stop], units[0], wanted, scoring, settings.run, min_score
            )
            parts.append(search.best().of_part(start))
    else:
        task = partial(_best_of_rows, wanted, min_score)
        for part, best in map_row_blocks(task, scoring, queries, units, settings.run):
            parts.append(best.of_part(part.start))
    best = _Pairs.joined(parts)
    if finds_itself:
        best = best.select(best.references != best.queries)
    best = best.best(number)
    neighbors = Neighbors(
        np.zeros((len(queries[0]), number)), np.full((len(queries[0]), number), -1)
    )
    rank = best.rank()
    neighbors.scores[best.queries, rank] = best.scores
    neighbors.indices[best.queries, rank] = best.references
    return neighbors


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

    def select(self, chosen: Mask | Index) -> _Pairs:
        """Return some of the pairs."""
        return _Pairs(self.queries[chosen], self.references[chosen], self.scores[chosen])

    def of_part(self, start: int) -> _Pairs:
        """Number the queries as in the whole, of which they are the part that begins there."""
        return self._replace(queries=start + self.queries)

    def rank(self) -> Int64:
        """Number the pairs of each query, which stand together."""
        first = np.searchsorted(self.queries, self.queries)
        return np.arange(len(first)) - first

    def best(self, number: int) -> _Pairs:
        """Keep the best `number` pairs of each query, best first."""
        pairs = self.select(np.lexsort((self.references, -self.scores, self.queries)))
        return pairs.select(pairs.rank() < number)

    def with_zeros(self, size: int, number: int) -> _Pairs:
        """Add pairs of score 0 for each query; the first `number` references suffice."""
        is_zero = np.ones((size, number), bool)
        is_low = self.references < number
        is_zero[self.queries[is_low], self.references[is_low]] = False
        queries, references = np.nonzero(is_zero)
        zeros = _Pairs(queries, references, np.zeros(len(queries)))
        return _Pairs.joined([self, zeros])


def _best_of_rows(
    number: int, min_score: float, scoring: Scoring, units: Units, rows: Units
) -> _Pairs:
    """Score some rows with all units; return the best pairs of each row, best first."""
    best = _Pairs.joined([])
    for start, scores in scoring.blocks(rows, units):
        kept = min(number, scores.shape[1])
        least = np.maximum(np.partition(scores, -kept, axis=1)[:, -kept], min_score)
        queries, references = np.nonzero(scores >= least[:, None])
        found = _Pairs(queries, start + references, scores[queries, references])
        best = _Pairs.joined([best, found]).best(number)
    return best


def _scores(lengths: Int64, matches: Int64, scoring: Scoring) -> Float64:
    """Return the scores of pairs (pairs,); `lengths` (2, pairs) are those of both sides."""
    return scoring.metric.pair_scores(lengths[:1], lengths[1:], matches, **scoring.options)


def _upper_bounds(
    lengths: Int64, counts: Int64, order: int, scoring: Scoring, is_guess: bool
) -> Float64:
    """Return the highest possible scores of pairs (pairs,), given the matches of some orders.

    `lengths` (2, pairs) are those of hypotheses and references, `counts` (orders, pairs) the
    matches of `order` and above. Below, all n-grams match; for a guess, those of one run of tokens.
    """
    below = np.arange(order - 1)[:, None]
    lower = lengths.min(axis=0) - below
    if is_guess:
        longer = order - 1 - below  # n-grams of a lower order than of `order` in a run
        lower = np.minimum(lower, counts[0] + longer)
    matches = np.concatenate([np.maximum(lower, 0), counts])
    return _scores(lengths, matches, scoring) * _ROUNDING


def _needed_matches(
    lengths: Int64, limits: Float64, order: int, scoring: Scoring, is_guess: bool
) -> Int64:
    """Return how many n-grams must match for a pair to reach its limit (queries,).

    These are n-grams of one order, with none of a higher order. 0: it may reach it without any.
    """
    sizes = as_index(lengths + 1)  # numbers of matches to try
    offsets = offsets_of(sizes)
    orders = scoring.orders - order + 1
    counts = np.zeros((orders, int(offsets[-1])), np.int64)
    counts[0] = places_in_rows(sizes)
    pair_lengths = np.tile(np.repeat(lengths, sizes), (2, 1))
    bounds = _upper_bounds(pair_lengths, counts, order, scoring, is_guess)
    is_below = bounds < np.repeat(limits, sizes)
    needed = np.diff(offsets_of(is_below)[offsets])
    return needed * is_below[offsets[:-1]]


class _Candidates(NamedTuple):
    """Pairs of queries and references that may reach a limit."""

    queries: Int64  # (pairs,)
    references: Int64  # (pairs,)
    lengths: Int64  # (2, pairs)
    counts: Int64  # (orders, pairs), matches of the highest orders


class _Join(NamedTuple):
    """Index of the n-grams of some queries, and what their pairs must reach."""

    numbers: Int64  # (queries,), of all hypotheses
    lengths: Int64  # (queries,)
    limits: Float64  # (queries,), scores that pairs must reach
    needed: Int64  # (queries,), matches of this order, if none of a higher order
    order: int
    holders: list[tuple[KeySet, KeyIndex]]  # n-grams of this and higher orders, and their queries
    lower: list[KeySet]  # n-grams of each lower order, with their query
    scoring: Scoring
    is_guess: bool

    def scored(self, keys: UInt64, rows: Int64, ref_len: Int64) -> Iterator[_Pairs]:
        """Yield the pairs that reach the limits.

        `keys` (orders, rows, width) are those of some references, `rows` (rows,) their numbers.
        """
        for pairs in self.sharing(keys, ref_len[rows]):
            for order in range(self.order - 1, 0, -1):
                if len(pairs.queries) > _FEW_PAIRS:
                    pairs = self.likely(pairs, order + 1)
                counts = _look_up(self.lower[order - 1], keys[order - 1], pairs)
                counts = np.concatenate([counts[None], pairs.counts])
                pairs = pairs._replace(counts=counts)
            scores = _scores(pairs.lengths, pairs.counts, self.scoring)
            is_high = scores >= self.limits[pairs.queries]
            queries = self.numbers[pairs.queries[is_high]]
            references = rows[pairs.references[is_high]]
            yield _Pairs(queries, references, scores[is_high])

    def likely(self, pairs: _Candidates, order: int) -> _Candidates:
        """Keep the pairs whose bounds reach the limits; their matches from `order` on are known."""
        bounds = _upper_bounds(pairs.lengths, pairs.counts, order, self.scoring, self.is_guess)
        is_likely = bounds >= self.limits[pairs.queries]
        return _Candidates(*(array[..., is_likely] for array in pairs))

    def sharing(self, keys: UInt64, ref_len: Int64) -> Iterator[_Candidates]:
        """Yield the pairs that share enough n-grams of this order, or one of the next."""
        size = len(self.lengths)
        nothing = np.zeros(0, np.int64)
        shared = []
        for (known, index), order_keys in zip(self.holders, keys[self.order - 1 :], strict=True):
            is_known = known.contains(order_keys)
            rows, _ = np.nonzero(is_known)
            starts, sizes = index.find(order_keys[is_known])
            shared.append((index, rows, starts, sizes))
        _, rows, _, sizes = shared[0]
        work = np.bincount(rows, sizes, minlength=len(ref_len))
        for first, stop in cuts(offsets_of(work), _OCCURRENCES):
            shares = []
            for index, rows, starts, sizes in shared:
                part = slice(*np.searchsorted(rows, [first, stop]))
                bases = (rows[part] - first) * size
                parts = index.occurrences(starts[part], sizes[part], bases)
                shares.append(np.concatenate([nothing, *parts]))
            codes, counts = _counted(shares, (stop - first) * size)
            references, queries = np.divmod(codes, size)
            is_enough = counts[0] >= self.needed[queries]
            is_enough |= counts[1:2].any(axis=0)
            queries = queries[is_enough]
            references = references[is_enough] + first
            lengths = np.stack([self.lengths[queries], ref_len[references]])
            yield _Candidates(queries, references, lengths, counts[:, is_enough])


def _look_up(known: KeySet, keys: UInt64, pairs: _Candidates) -> Int64:
    """Count the matches of pairs (pairs,), given the references' keys of an order."""
    counts = np.zeros(len(pairs.queries), np.int64)
    step = max(1, _LOOKED_UP // keys.shape[1])
    for start in range(0, len(counts), step):
        part = slice(start, start + step)
        keys_of_pairs = group_keys(keys[pairs.references[part]], pairs.queries[part, None])
        is_match = known.contains(keys_of_pairs)
        counts[part] = np.count_nonzero(is_match, axis=1)
    return counts


def _counted(shares: list[Int64], cells: int) -> tuple[Int64, Int64]:
    """Return the pairs of the first order, ascending, and how often each occurs in all orders."""
    if cells <= _TABLE_CELLS * len(shares[0]):
        tables = [np.bincount(share, minlength=cells) for share in shares]
        codes = np.flatnonzero(tables[0])
        return codes, np.stack([table[codes] for table in tables])
    codes = np.unique(shares[0])
    # Pairs that share an n-gram share those of lower orders.
    numbers = (np.searchsorted(codes, share) for share in shares)
    counts = [np.bincount(number, minlength=len(codes)) for number in numbers]
    return codes, np.stack(counts)


class _Search:
    """Search for the best references (called units here) of each hypothesis (called query).

    First, guess: score the pairs that share a run of tokens, of a sample and then of all units. The
    best of these set limits, which all pairs to find must reach. Then join each query on the
    highest order of which every pair that reaches its limit shares an n-gram.
    """

    def __init__(
        self,
        queries: Ragged,
        units: Ragged,
        number: int,
        scoring: Scoring,
        run: RunOptions,
        min_score: float,
    ) -> None:
        self.queries = queries
        self.units = units
        self.number = number
        self.scoring = scoring
        self.run = run
        self.least = max(_LEAST, min_score)
        self.limits = np.full(len(queries), self.least)  # (queries,)
        step = max(_SAMPLE_STEP, len(units.values) // _TASK_TOKENS)
        self.sample = units[::step]

    def best(self) -> _Pairs:
        """Find the best pairs of each query, best first."""
        orders = range(min(self.scoring.orders, _TOP_ORDER), 0, -1)
        for order in orders[:-1:2]:  # 4 and 2
            without = np.flatnonzero(self.limits == self.least)
            without = without[~self._is_settled(without, order)]
            self._best_of([self._join(without, order, is_guess=True)], self.sample)
            guess = self._join(without, order, is_guess=True)
            if self._is_sparse(guess):
                self._best_of([guess], self.units)
        joins = []
        left = np.arange(len(self.queries))
        for order in orders:
            is_settled = self._is_settled(left, order)
            join = self._join(left[is_settled], order)
            if order == 1 or self._is_sparse(join):
                joins.append(join)
                left = left[~is_settled]
        best = self._best_of(joins, self.units)
        if self.least > _LEAST:
            return best
        return best.with_zeros(len(self.queries), self.number).best(self.number)

    def _is_settled(self, numbers: Int64, order: int) -> Mask:
        """Mask the queries whose pairs need a match of the order to reach their limits."""
        lengths = self.queries.lengths[numbers]
        needed = _needed_matches(lengths, self.limits[numbers], order, self.scoring, False)
        return needed > 0

    def _join(self, numbers: Int64, order: int, is_guess: bool = False) -> _Join:
        """Index the n-grams of some queries."""
        queries = self.queries.take(numbers)
        limits = self.limits[numbers]
        keys = unit_keys(queries, self.scoring.orders)
        return _Join(
            numbers=numbers,
            lengths=queries.lengths,
            limits=limits,
            needed=_needed_matches(queries.lengths, limits, order, self.scoring, is_guess),
            order=order,
            holders=[
                (KeySet(known), KeyIndex(known, owners)) for known, owners in keys[order - 1 :]
            ],
            lower=[KeySet(group_keys(known, owners)) for known, owners in keys[: order - 1]],
            scoring=self.scoring,
            is_guess=is_guess,
        )

    def _is_sparse(self, join: _Join) -> bool:
        """Return whether a join is faster than one of a lower order."""
        size = 0
        for rows, keys in numbered_rows(self.sample, self.scoring.orders):
            for pairs in join.sharing(keys, self.sample.lengths[rows]):
                size += len(join.likely(pairs, join.order).queries)
        return size <= _MOST_JOINED * len(self.sample) * len(join.numbers)

    def _best_of(self, joins: Sequence[_Join], units: Ragged) -> _Pairs:
        """Find the best pairs of some joins, and raise the limits."""
        joins = [join for join in joins if len(join.numbers)]
        task = partial(_best_of_block, joins, self.number)
        size = max(_TASK_TOKENS, len(self.queries.values) // _TASK_SHARE)
        parts = cuts(units.offsets, size) if joins else []
        blocks = (units[start:stop] for start, stop in parts)
        seconds = len(units) * (_SECONDS_A_PAIR * len(self.queries) + _SECONDS_A_REFERENCE)
        best = _Pairs.joined([])
        with closing(map_blocks(task, blocks, seconds, self.run, total=len(units))) as results:
            for (start, _), pairs in zip(parts, results, strict=True):
                pairs = pairs._replace(references=start + pairs.references)
                best = _Pairs.joined([best, pairs]).best(self.number)
        counts = np.bincount(best.queries, minlength=len(self.limits))
        ends = np.cumsum(counts)
        is_full = counts == self.number
        lowest = best.scores[ends[is_full] - 1]
        self.limits[is_full] = np.maximum(self.limits[is_full], lowest)
        return best


def _best_of_block(joins: list[_Join], number: int, units: Ragged) -> _Pairs:
    """Score the pairs of a block that may reach the limits; return the best that do."""
    max_order = len(joins[0].lower) + len(joins[0].holders)
    best: list[_Pairs] = []
    for rows, keys in numbered_rows(units, max_order):
        for join in joins:
            pairs = join.scored(keys, rows, units.lengths)
            best += [some.best(number) for some in pairs]
    return _Pairs.joined(best).best(number)

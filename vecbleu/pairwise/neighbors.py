"""The references that are most like each hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

import numpy as np

from vecbleu.core.arrays import Float64, Int64, as_index
from vecbleu.core.checks import checked_integer
from vecbleu.core.html import html_table
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import Ragged, cuts
from vecbleu.core.options import ScoreOptions, Smoothing, Tokenize, WeightSet
from vecbleu.core.public import public
from vecbleu.core.records import dataclass, replace
from vecbleu.core.scoring.pairs import needed_order
from vecbleu.core.tasks import map_tasks
from vecbleu.pairwise.grids import Columns
from vecbleu.pairwise.queries import Queries
from vecbleu.pairwise.sides import NamedUnits, Settings

# What a token of the references takes where they are joined, and what a pair takes where not.
_SECONDS_A_TOKEN = 250e-9
_SECONDS_A_PAIR = 70e-9

# Tokens of references that are looked at together.
_TASK_TOKENS = 1 << 16

# Shared n-grams a pair from which on all pairs are scored. With 0.07, joining takes four fifths of
# the time of that; with several, as templates have, twice the time.
_MOST_JOINED = 0.1

# Pairs that are kept before the best of each row are chosen among them.
_KEPT = 1 << 20

# What a notebook shows unasked: hypotheses, and references of each.
_MOST_ROWS, _MOST_RANKS = 20, 10


@public("vecbleu")
class Neighbors(NamedTuple):
    """The best references of each hypothesis: what `nearest` returns.

    Parameters
    ----------
    indices : int64 array (H, k)
        Which of the references, the best first.
    scores : float64 array (H, k)
        Their sentence BLEU, on 0 to 1.

    Examples
    --------
    >>> import vecbleu
    >>> indices, scores = vecbleu.nearest(["a cat"], ["a dog", "a cat"], max_order=1)
    >>> indices.tolist(), scores.round(3).tolist()
    ([[1]], [[1.0]])
    """

    indices: Int64
    scores: Float64

    def _repr_html_(self) -> str:
        """The best references of the first hypotheses, for notebooks: index and score."""
        size, number = self.indices.shape
        ranks, some = min(number, _MOST_RANKS), min(size, _MOST_ROWS)
        rows = [
            [str(place), *(f"{index}: {score:.4f}" for index, score in pairs)]
            for place, pairs in enumerate(
                zip(indices, scores, strict=True)
                for indices, scores in zip(
                    self.indices[:some, :ranks].tolist(),
                    self.scores[:some, :ranks].tolist(),
                    strict=True,
                )
            )
        ]
        header = ["hypothesis", *(f"reference {rank + 1}: score" for rank in range(ranks))]
        title = f"Neighbors(hypotheses={size}, k={number})"
        return html_table(header, rows, title, "" if some == size else f"... of {size}")


def nearest(
    hypotheses: Hypotheses,
    references: Hypotheses,
    *,
    k: int = 1,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
) -> Neighbors:
    """Find the k references that score each hypothesis best, each reference by itself.

    Exact, and never the whole matrix. Without smoothing a score is above 0 only where an n-gram of
    the highest order is shared, so only such pairs are looked at. With smoothing, all pairs are;
    with `effective_order` alone, those of hypotheses of fewer than `max_order` tokens.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`.
    references : sequence (R,)
        One unit each, of the same kind.
    k : int
        How many references for each hypothesis, R at most.
    tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order, pad_id,
    eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`; one set of weights at most.

    Returns
    -------
    Neighbors
        `indices` and `scores`, both (H, k), the best first; of equal scores, 0 among them, that of
        the lower index.

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; there are fewer than k references.

    Examples
    --------
    >>> import vecbleu
    >>> test = ["the cat sat on the mat", "it rains"]
    >>> training = ["a dog barked", "the cat sat on a mat", "a cat sat on the mat"]
    >>> found = vecbleu.nearest(test, training, k=2)
    >>> found.indices.tolist()
    [[2, 1], [0, 1]]
    >>> found.scores.round(3).tolist()
    [[0.76, 0.537], [0.0, 0.0]]
    """
    settings = Settings.checked(
        tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order,
        pad_id, eos_id, ignore_ids, workers, progress,
    )  # fmt: skip
    options = settings.scoring.single("a neighbor")
    number = checked_integer(k, "k", 1)
    queries, units = settings.ids(
        NamedUnits("hypotheses", hypotheses), NamedUnits("references", references)
    )
    if number > len(units):
        raise ValueError(f"k is {number} but references has {len(units)} segments")
    if not (options.effective_order and options.smoothing == "none"):
        return _neighbors(queries, units, number, options, settings)
    # It changes nothing for a hypothesis with n-grams of all orders, which a join can serve.
    is_long = queries.lengths >= settings.counting.max_order
    indices, scores = np.zeros((2, len(queries), number))
    found = Neighbors(indices.astype(np.int64), scores)
    of_all_orders = replace(options, effective_order=False)
    for places, own in ((is_long, of_all_orders), (~is_long, options)):
        if places.any():
            some = queries.take(np.flatnonzero(places))
            part = _neighbors(some, units, number, own, settings)
            found.indices[places], found.scores[places] = part
    return found


def _neighbors(
    queries: Ragged, units: Ragged, number: int, options: ScoreOptions, settings: Settings
) -> Neighbors:
    """The best units of each query, by a join wherever the options let it be one."""
    order = settings.counting.max_order
    best_of_all = partial(_best_of_all, queries, order, options, number)
    if needed_order(order, options) > 1:
        joined = Queries.of(queries, order, options)
        task = partial(_best_of_joined, joined, number, best_of_all)
        seconds = _SECONDS_A_TOKEN * len(units.values)
    else:
        task = best_of_all
        seconds = _SECONDS_A_PAIR * len(units) * len(queries)
    with closing(
        map_tasks(task, _blocks(units), seconds, settings.run, total=len(units))
    ) as results:
        return _filled(_best_of_blocks(results, number), len(queries), number)


class _Pairs(NamedTuple):
    """Pairs with scores above 0."""

    queries: Int64  # (pairs,)
    references: Int64  # (pairs,)
    scores: Float64  # (pairs,)

    @classmethod
    def joined(cls, parts: Iterable[_Pairs]) -> _Pairs:
        """All pairs of several."""
        nothing = cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
        queries, references, scores = zip(nothing, *parts, strict=True)
        return cls(np.concatenate(queries), np.concatenate(references), np.concatenate(scores))

    def best(self, number: int) -> _Pairs:
        """So many of each query, the best first."""
        order = np.lexsort((self.references, -self.scores, self.queries))
        order = order[(_ranks(self.queries[order]) < number) & (self.scores[order] > 0)]
        return _Pairs(self.queries[order], self.references[order], self.scores[order])


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Some references."""

    start: int
    units: Ragged

    def __len__(self) -> int:
        return len(self.units)


def _blocks(units: Ragged) -> Iterator[_Block]:
    """Cut references into blocks of about one size."""
    parts = cuts(units.offsets, _TASK_TOKENS)
    return (_Block(start, units[start:stop]) for start, stop in parts)


def _best_of_joined(
    queries: Queries, number: int, best_of_all: Callable[[_Block], _Pairs], block: _Block
) -> _Pairs:
    """The best pairs of a block, among those that share an n-gram of the order needed.

    Among all of them where many do, which then takes less time.
    """
    pairs = len(queries.lengths) * len(block)
    if queries.occurrences(block.units) > _MOST_JOINED * pairs:
        return best_of_all(block)
    found = [
        _Pairs(query, block.start + unit, scores).best(number)
        for query, unit, scores in queries.scores(block.units)
    ]
    return _Pairs.joined(found).best(number)


def _best_of_all(
    queries: Ragged, max_order: int, options: ScoreOptions, number: int, block: _Block
) -> _Pairs:
    """The best pairs of a block, among all of them."""
    size = len(block.units)
    columns = Columns.of(block.units, np.array([0, size]), max_order)
    found = []
    for rows, scores in columns.scores(queries, np.zeros(len(queries), np.int64), options):
        matrix = scores.reshape(-1, size)
        least = np.partition(matrix, max(size - number, 0), axis=1)[:, max(size - number, 0)]
        query, reference = np.nonzero((matrix >= least[:, None]) & (matrix > 0))
        pairs = _Pairs(query + rows.start, reference + block.start, matrix[query, reference])
        found.append(pairs.best(number))
    return _Pairs.joined(found)


def _best_of_blocks(blocks: Iterable[_Pairs], number: int) -> _Pairs:
    """The best pairs of all blocks."""
    kept: list[_Pairs] = []
    for block in blocks:
        kept.append(block)
        if sum(len(pairs.scores) for pairs in kept[1:]) > max(_KEPT, len(kept[0].scores)):
            kept = [_Pairs.joined(kept).best(number)]
    return _Pairs.joined(kept).best(number)


def _filled(pairs: _Pairs, size: int, number: int) -> Neighbors:
    """The pairs of each query; where there are too few, the first references that score 0."""
    rank = _ranks(pairs.queries)
    indices, scores = np.empty((size, number), np.int64), np.zeros((size, number))
    indices[pairs.queries, rank] = pairs.references
    scores[pairs.queries, rank] = pairs.scores
    is_free = np.ones((size, number), bool)  # the first references, which always suffice
    is_low = pairs.references < number
    is_free[pairs.queries[is_low], pairs.references[is_low]] = False
    queries, references = np.nonzero(is_free)
    rank = np.bincount(as_index(pairs.queries), minlength=size)[queries] + _ranks(queries)
    is_missing = rank < number
    indices[queries[is_missing], rank[is_missing]] = references[is_missing]
    return Neighbors(indices, scores)


def _ranks(queries: Int64) -> Int64:
    """The place of each pair among those of its query, by which they are sorted."""
    return np.arange(len(queries)) - np.searchsorted(queries, queries)

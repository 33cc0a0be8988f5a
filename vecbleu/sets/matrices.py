"""Score sets by all pairs: matrices and expected scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vecbleu.arguments.checks import checked_bool, checked_number
from vecbleu.arguments.errors import ArgumentError, argument, checked_each
from vecbleu.inputs.alignment import Hypotheses, listed_values
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.kernel.ngrams import mix
from vecbleu.kernel.ragged import (
    as_index,
    cuts,
    lengths_of,
    offsets_of,
    places_in_rows,
    ranges,
    row_numbers,
)
from vecbleu.parallel.mapping import map_blocks
from vecbleu.sets.keys import Indices, distinct
from vecbleu.sets.pairs import (
    SECONDS,
    Scoring,
    Side,
    Units,
    between,
    group_numbers,
    map_row_blocks,
    row_blocks,
    take,
)
from vecbleu.sets.units import Settings

# Pairs of a task. Its columns are sent with it.
_TASK_PAIRS = 1 << 18

# Pairs and tokens of sources that are counted together.
_BATCH = 1 << 17

# Least weight of a pseudo-reference: no digit depends on it, but the sum of weights is never 0.
_LEAST_WEIGHT = 1e-300

_checked_log_prob = partial(checked_number, least=-1e100)


def pairwise_scores(
    settings: Settings, hypotheses: Hypotheses, references: Hypotheses | None
) -> Float64:
    """Return the matrix of the scores of every hypothesis against every single reference."""
    rows, columns = settings.sides(hypotheses, references)
    matrix = np.empty((len(rows[0]), len(columns[0])))
    chunks = map_row_blocks(_score_rows, settings.scoring(), rows, columns, settings.run)
    for part, chunk in chunks:
        matrix[part] = chunk
    return matrix


def _score_rows(scoring: Scoring, columns: Units, rows: Units) -> Float64:
    """Score some rows of the matrix."""
    nothing = np.zeros((len(rows[0]), 0))
    blocks = (scores for _, scores in scoring.blocks(rows, columns))
    return np.concatenate([nothing, *blocks], axis=1)


def expected_scores(
    settings: Settings,
    candidates: Iterable[Hypotheses],
    references: Iterable[Hypotheses] | None,
    log_probs: Iterable[Iterable[float]] | None,
    leave_one_out: bool,
) -> list[Float64]:
    """Return the mean score of each candidate of each source against its pseudo-references."""
    corpus, offsets = settings.sources(candidates, "candidates")
    with argument("leave_one_out"):
        leave_one_out = checked_bool(leave_one_out)
    if references is None:
        sizes = np.diff(offsets).tolist()
        if leave_one_out and 1 in sizes:
            found, index = "has 1 segment", sizes.index(1)
            expected = "at least 2 for leave_one_out"
            raise ArgumentError(found, expected, argument="candidates", index=(index,))
        (ids,) = settings.ids(candidates=corpus)
        weights = _weights(log_probs, offsets, "candidates")
        if leave_one_out:
            rows = _Units(ids, offsets, weights)
            numbers: Indices = np.arange(len(weights))
        else:
            rows, numbers = _distinct_units(ids, offsets, weights)
        columns = rows
    else:
        if leave_one_out:
            found = "is True, but the candidates are scored against references"
            raise ArgumentError(found, argument="leave_one_out")
        reference_corpus, reference_offsets = settings.sources(references, "references")
        if len(offsets) != len(reference_offsets):
            sources, others = len(offsets) - 1, len(reference_offsets) - 1
            found = f"has {sources} sources but references has {others}"
            raise ArgumentError(found, argument="candidates")
        without = np.flatnonzero((np.diff(reference_offsets) == 0) & (np.diff(offsets) > 0))
        if without.size:
            found, index = "is empty: a source needs a reference", int(without[0])
            raise ArgumentError(found, argument="references", index=(index,))
        ids, reference_ids = settings.ids(candidates=corpus, references=reference_corpus)
        rows, numbers = _distinct_units(ids, offsets, np.ones(len(corpus)))
        weights = _weights(log_probs, reference_offsets, "references")
        columns, _ = _distinct_units(reference_ids, reference_offsets, weights)
    scoring = settings.scoring()
    pairs = np.diff(rows.offsets) * np.diff(columns.offsets)  # (sources,)
    total = len(pairs)
    parts = []
    for bounds in cuts(offsets_of(pairs + 1), _TASK_PAIRS):
        own = rows.between(*bounds)
        parts.append((own, own if columns is rows else columns.between(*bounds)))
    task = partial(_mean_scores, scoring, leave_one_out)
    seconds = SECONDS * scoring.orders * float(pairs.sum())

    def size(part: tuple[_Units, _Units]) -> int:
        return len(part[0].offsets) - 1

    with closing(map_blocks(task, parts, seconds, settings.run, total=total, size=size)) as results:
        means = np.concatenate([np.zeros(0), *results])
    return np.split(means[numbers], offsets[1:-1]) if total else []


def _weights(log_probs: Iterable[Iterable[float]] | None, offsets: Int64, name: str) -> Float64:
    """Return the weight of each pseudo-reference (units,); `name` is the argument that has them."""
    if log_probs is None:
        return np.ones(offsets[-1])
    with argument("log_probs"):
        rows = checked_each(_probabilities, listed_values(log_probs))
        sizes = np.diff(offsets).tolist()
        if len(rows) != len(sizes):
            raise ArgumentError(f"has {len(rows)} sources but {name} has {len(sizes)}")
        for source, (row, size) in enumerate(zip(rows, sizes, strict=True)):
            if len(row) != size:
                found = f"has {len(row)} numbers but {name}[{source}] has {size} segments"
                raise ArgumentError(found, index=(source,))
    return np.concatenate([np.zeros(0), *rows])


def _probabilities(log_probs: object) -> Float64:
    """Return the probabilities of a source's pseudo-references, up to a factor."""
    values = np.array(checked_each(_checked_log_prob, listed_values(log_probs)), np.float64)
    factors: Float64 = np.exp(values - values.max(initial=-np.inf))
    return np.maximum(factors, _LEAST_WEIGHT)


class _Units(NamedTuple):
    """Distinct units of each source, or all."""

    units: Units
    offsets: Int64  # (sources + 1,)
    weights: Float64  # (units,), of all occurrences of each

    def between(self, start: int, stop: int) -> _Units:
        """Return the units of the sources from `start` to `stop`."""
        offsets = self.offsets[start : stop + 1]
        first, last = offsets[[0, -1]].tolist()
        units = between(self.units, first, last)
        return _Units(units, offsets - first, self.weights[first:last])


def _distinct_units(ids: Units, offsets: Int64, weights: Float64) -> tuple[_Units, Indices]:
    """Return the distinct units of each source, and which of them each unit equals (units,)."""
    first, numbers = distinct(_digests(ids, offsets))
    sums = np.bincount(numbers, weights, minlength=len(first)).astype(np.float64)
    units = _Units(take(ids, first), np.searchsorted(first, offsets), sums)
    return units, numbers


def _digests(units: Units, offsets: Int64) -> Int64:
    """Hash each unit with its source; a pair collides with a probability of about 2**-63."""
    digests = mix(group_numbers(offsets).view(np.uint64))
    for ids in units:
        positions = places_in_rows(ids.lengths)
        hashes = mix(ids.values.view(np.uint64) + mix(positions.view(np.uint64)))
        sums = offsets_of(hashes.view(np.int64))
        digests = mix(digests + lengths_of(sums[ids.offsets]).view(np.uint64))
    return digests.view(np.int64)


def _mean_scores(scoring: Scoring, leave_one_out: bool, part: tuple[_Units, _Units]) -> Float64:
    """Compute the expected score of each candidate (candidates,); a part has both sides."""
    rows, columns = part
    work = np.diff(rows.offsets) * np.diff(columns.offsets)  # (sources,)
    for side in part:
        work = work + sum(np.diff(tokens.offsets[side.offsets]) for tokens in side.units)
    large = np.flatnonzero(work > _BATCH)  # sources that are counted alone
    edges = {*large.tolist(), *(large + 1).tolist()}.union(*cuts(offsets_of(work), _BATCH))
    means = [np.zeros(0)]
    for bounds in pairwise(sorted(edges)):
        own = rows.between(*bounds)
        others = own if columns is rows else columns.between(*bounds)
        if len(own.offsets) == 2:
            means += _means_of_source(scoring, own, others, leave_one_out)
        else:
            means.append(_means_of_batch(scoring, own, others, leave_one_out))
    return np.concatenate(means)


def _means_of_source(
    scoring: Scoring, rows: _Units, columns: _Units, leave_one_out: bool
) -> Iterator[Float64]:
    """Yield the expected scores of some candidates of a source at a time."""
    for part, units in row_blocks(rows.units):
        scores = _score_rows(scoring, columns.units, units)
        weights = np.tile(columns.weights, (len(scores), 1))
        if leave_one_out:
            numbers = np.arange(len(scores))
            weights[numbers, part.start + numbers] = 0
        sizes = np.full(len(scores), len(columns.weights))
        yield _row_means(scores.reshape(-1), weights.reshape(-1), sizes)


def _means_of_batch(
    scoring: Scoring, rows: _Units, columns: _Units, leave_one_out: bool
) -> Float64:
    """Compute the expected score of each candidate of a few sources (candidates,)."""
    side = Side.of(rows.units, scoring.metric, rows.offsets)
    is_same = columns is rows
    other = side if is_same else Side.of(columns.units, scoring.metric, columns.offsets)
    sources = group_numbers(rows.offsets)  # (rows,)
    sizes = lengths_of(columns.offsets)[sources]
    numbers = ranges(columns.offsets[sources], sizes)  # of the column of each pair
    weights = columns.weights[numbers]
    if leave_one_out:
        weights[numbers == row_numbers(sizes)] = 0
    return _row_means(scoring.scores(side, other), weights, sizes)


def _row_means(scores: Float64, weights: Float64, sizes: Int64) -> Float64:
    """Return the weighted mean of the scores of each row (rows,), given their number."""
    firsts = as_index(offsets_of(sizes)[:-1])
    sums: Float64 = np.add.reduceat(scores * weights, firsts)
    return sums / np.add.reduceat(weights, firsts)

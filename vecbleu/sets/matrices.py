"""Score sets by all pairs: matrices and expected scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.inputs.alignment import Hypotheses
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.kernel.ngrams import mix
from vecbleu.kernel.ragged import as_index, cuts, lengths_of, offsets_of, ranges
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
) -> list[Float64]:
    """Return the mean score of each candidate of each source against its pseudo-references."""
    corpus, offsets = settings.sources(candidates, "candidates")
    if references is None:
        (ids,) = settings.ids(candidates=corpus)
        rows, numbers = _distinct_units(ids, offsets)
        columns = rows
    else:
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
        rows, numbers = _distinct_units(ids, offsets)
        columns, _ = _distinct_units(reference_ids, reference_offsets)
    scoring = settings.scoring()
    pairs = np.diff(rows.offsets) * np.diff(columns.offsets)  # (sources,)
    total = len(pairs)
    parts = []
    for bounds in cuts(offsets_of(pairs + 1), _TASK_PAIRS):
        own = rows.between(*bounds)
        parts.append((own, own if columns is rows else columns.between(*bounds)))
    task = partial(_mean_scores, scoring)
    seconds = SECONDS * scoring.orders * float(pairs.sum())

    def size(part: tuple[_Units, _Units]) -> int:
        return len(part[0].offsets) - 1

    with closing(map_blocks(task, parts, seconds, settings.run, total=total, size=size)) as results:
        means = np.concatenate([np.zeros(0), *results])
    return np.split(means[numbers], offsets[1:-1]) if total else []


class _Units(NamedTuple):
    """Distinct units of each source."""

    units: Units
    offsets: Int64  # (sources + 1,)
    counts: Int64  # (units,), occurrences of each

    def between(self, start: int, stop: int) -> _Units:
        """Return the units of the sources from `start` to `stop`."""
        offsets = self.offsets[start : stop + 1]
        first, last = offsets[[0, -1]].tolist()
        units = between(self.units, first, last)
        return _Units(units, offsets - first, self.counts[first:last])


def _distinct_units(ids: Units, offsets: Int64) -> tuple[_Units, Indices]:
    """Return the distinct units of each source, and which of them each unit equals (units,)."""
    first, numbers = distinct(_digests(ids, offsets))
    counts = np.bincount(numbers, minlength=len(first)).astype(np.int64)
    units = _Units(take(ids, first), np.searchsorted(first, offsets), counts)
    return units, numbers


def _digests(units: Units, offsets: Int64) -> Int64:
    """Hash each unit with its source; a pair collides with a probability of about 2**-63."""
    digests = mix(group_numbers(offsets).view(np.uint64))
    for ids in units:
        positions = ranges(np.zeros_like(ids.lengths), ids.lengths)
        hashes = mix(ids.values.view(np.uint64) + mix(positions.view(np.uint64)))
        sums = offsets_of(hashes.view(np.int64))
        digests = mix(digests + lengths_of(sums[ids.offsets]).view(np.uint64))
    return digests.view(np.int64)


def _mean_scores(scoring: Scoring, part: tuple[_Units, _Units]) -> Float64:
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
            means += _means_of_source(scoring, own, others)
        else:
            means.append(_means_of_batch(scoring, own, others))
    return np.concatenate(means)


def _means_of_source(scoring: Scoring, rows: _Units, columns: _Units) -> Iterator[Float64]:
    """Yield the expected scores of some candidates of a source at a time."""
    for _, part in row_blocks(rows.units):
        scores = _score_rows(scoring, columns.units, part) * columns.counts
        sizes = np.full(len(scores), len(columns.counts))
        yield _row_sums(scores.reshape(-1), sizes) / columns.counts.sum()


def _means_of_batch(scoring: Scoring, rows: _Units, columns: _Units) -> Float64:
    """Compute the expected score of each candidate of a few sources (candidates,)."""
    side = Side.of(rows.units, scoring.metric, rows.offsets)
    is_same = columns is rows
    other = side if is_same else Side.of(columns.units, scoring.metric, columns.offsets)
    sources = group_numbers(rows.offsets)  # (rows,)
    sizes = lengths_of(columns.offsets)[sources]
    counts = columns.counts[ranges(columns.offsets[sources], sizes)]
    sums = _row_sums(scoring.scores(side, other) * counts, sizes)
    references = np.diff(offsets_of(columns.counts)[columns.offsets])  # (sources,)
    return sums / references[sources]


def _row_sums(values: Float64, sizes: Int64) -> Float64:
    """Add up the values of each row (rows,), given their number."""
    sums: Float64 = np.add.reduceat(values, as_index(offsets_of(sizes)[:-1]))
    return sums

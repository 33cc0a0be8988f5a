"""Compute the expected BLEU of candidates, for minimum-Bayes-risk decoding."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Unpack

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.inputs.alignment import listed_rows, unit_rows
from vecbleu.core.inputs.columns import complete_values, is_column
from vecbleu.core.inputs.mistakes import refuse_frame
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.inputs.values import describe
from vecbleu.core.kernel.hashing import mix
from vecbleu.core.kernel.ragged import Ragged, as_index, cuts, offsets_of, row_offsets
from vecbleu.core.options import Options, PairArgs, ScoreOptions, takes
from vecbleu.core.parallel.mapping import map_blocks
from vecbleu.pairwise.scores import Columns
from vecbleu.pairwise.units import Side, side_ids

# Seconds per pair (candidates of a source share many n-grams), and pairs per task.
_SECONDS = 400e-9
_TASK_PAIRS = 1 << 18


@takes(PairArgs, effective_order=True)
def expected_bleu(
    candidates: Iterable[Hypotheses],
    references: Iterable[Hypotheses] | None = None,
    **options: Unpack[PairArgs],
) -> list[Float64]:
    """Score each candidate of each source against the pseudo-references of that source.

    The expected BLEU of a candidate is the mean of its sentence BLEU against every single
    pseudo-reference. Minimum-Bayes-risk decoding chooses the candidate with the highest one
    (`argmax`).

    Parameters
    ----------
    candidates : sequence (sources,) of sequences (C,)
        Samples of a system for each source: strings, token sequences, integer arrays or a column,
        like the hypotheses of `vecbleu.corpus_bleu`; or a column of lists. Equal candidates are
        scored only once.
    references : sequence (sources,) of sequences (R,), optional
        Pseudo-references of each source, at least one. By default all candidates of the source, so
        that each candidate is also scored against itself. Repeated references count each time.
    **options
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    list (sources,) of float64 arrays (C,)
        Expected BLEU of each candidate, between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or candidates and references differ in their number of
        sources, or a source has candidates but no reference.

    Examples
    --------
    >>> import vecbleu
    >>> samples = [["a cat sat", "the cat sat", "the cat lay"], ["it is", "no it is", "no it is"]]
    >>> scores = vecbleu.expected_bleu(samples)
    >>> [some.round(3).tolist() for some in scores]
    [[0.608, 0.7, 0.608], [0.738, 0.85, 0.85]]
    >>> [some[best.argmax()] for some, best in zip(samples, scores)]
    ['the cat sat', 'no it is']

    References
    ----------
    Kumar and Byrne (2004), "Minimum Bayes-risk decoding for statistical machine translation",
    HLT-NAACL; Eikema and Aziz (2020), "Is MAP decoding all you need? The inadequacy of the mode in
    neural machine translation", COLING.
    """
    settings = Options.checked(options)
    side, offsets = _sources(candidates, "candidates")
    if references is None:
        (ids,) = side_ids(settings, side)
        rows = columns = _Distinct.of(ids, offsets)
    else:
        other, other_offsets = _sources(references, "references")
        _check_sources(offsets, other_offsets)
        first, second = side_ids(settings, side, other)
        rows, columns = _Distinct.of(first, offsets), _Distinct.of(second, other_offsets)
    parts = [*_parts(rows, columns)]
    seconds = _SECONDS * float(np.diff(rows.offsets) @ np.diff(columns.offsets))
    task = partial(_mean_scores, settings.counting.max_order, settings.scoring)
    total = len(offsets) - 1
    with closing(
        map_blocks(task, parts, seconds, settings.run, total=total, size=_size_of)
    ) as results:
        means = np.concatenate([np.zeros(0), *results])
    return np.split(means[rows.numbers], offsets[1:-1]) if total else []


def _sources(argument: Any, name: str) -> tuple[Side, Int64]:
    """Concatenate the units of all sources; return them and their offsets (sources + 1,)."""
    refuse_frame(argument, name)
    # Each entry of a column is a list of units, even if it could be one unit of ids.
    column = complete_values(argument, name) if is_column(argument) else None
    entries = listed_rows(argument, name) if column is None else column
    lists = [_listed(units, name, source) for source, units in enumerate(entries)]
    offsets = row_offsets(lists)

    def name_unit(number: int, _reference: int = -1) -> str:
        source = int(np.searchsorted(offsets, number, side="right")) - 1
        return f"{name}[{source}][{number - offsets[source]}]"

    return Side(name, [*chain.from_iterable(lists)], name_unit), offsets


def _listed(units: Any, name: str, source: int) -> list[Any]:
    """Return the units of one source as a list."""
    if isinstance(units, str):
        raise TypeError(
            f"{name}[{source}] is {describe(units)}, expected a list for each source; "
            f"pass [{name}] if there is only one source"
        )
    refuse_frame(units, f"{name}[{source}]")
    return [*unit_rows(units, f"{name}[{source}]")]


def _check_sources(rows: Int64, columns: Int64) -> None:
    """Check that the numbers of sources agree, and that no source lacks references."""
    if len(rows) != len(columns):
        raise ValueError(
            f"candidates has {len(rows) - 1} sources but references has {len(columns) - 1}"
        )
    without = np.flatnonzero((np.diff(columns) == 0) & (np.diff(rows) > 0))
    if without.size:
        raise ValueError(f"references[{without[0]}] is empty: a source needs a reference")


class _Distinct(NamedTuple):
    """Distinct units of each source."""

    units: Ragged
    offsets: Int64  # (sources + 1,)
    counts: Int64  # (units,), occurrences of each
    numbers: Int64  # (all units,), index into `units`

    @classmethod
    def of(cls, ids: Ragged, offsets: Int64) -> _Distinct:
        """Find the distinct units of each source."""
        _, first, numbers, counts = np.unique(
            _digests(ids, offsets), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        first = first[order]
        return cls(ids.take(first), np.searchsorted(first, offsets), counts[order], rank[numbers])


def _digests(ids: Ragged, offsets: Int64) -> Int64:
    """Hash each unit with its source; a pair collides with a probability of about 2**-63."""
    lengths = as_index(ids.lengths)
    place = np.arange(len(ids.values)) - np.repeat(ids.offsets[:-1], lengths)
    sums = np.zeros(len(ids.values) + 1, np.uint64)
    np.cumsum(mix(ids.values.view(np.uint64) + mix(place.view(np.uint64))), out=sums[1:])
    sources = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), as_index(np.diff(offsets)))
    own = sums[ids.offsets[1:]] - sums[ids.offsets[:-1]]
    return mix(own + mix(sources.view(np.uint64))).view(np.int64)


class _Part(NamedTuple):
    """Sources of one task."""

    rows: Ragged
    row_offsets: Int64  # (sources + 1,)
    columns: Ragged
    column_offsets: Int64  # (sources + 1,)
    counts: Int64  # (columns,), occurrences of each


def _size_of(part: _Part) -> int:
    return len(part.row_offsets) - 1


def _parts(rows: _Distinct, columns: _Distinct) -> Generator[_Part]:
    """Cut the sources into tasks of similar numbers of pairs."""
    ends = offsets_of(np.diff(rows.offsets) * np.diff(columns.offsets) + 1)  # (sources + 1,)
    for start, stop in cuts(ends, _TASK_PAIRS):
        own, others = (one.offsets[start : stop + 1] for one in (rows, columns))
        some = slice(others[0], others[-1])
        yield _Part(
            rows.units[own[0] : own[-1]], own - own[0],
            columns.units[some], others - others[0], columns.counts[some],
        )  # fmt: skip


def _mean_scores(max_order: int, options: ScoreOptions, part: _Part) -> Float64:
    """Compute the expected score of each row of a part (rows,)."""
    columns = Columns.of(part.columns, part.column_offsets, max_order)
    numbers = offsets_of(part.counts)[part.column_offsets]
    of_source = np.diff(numbers).astype(np.float64)  # (sources,), references
    sources = np.repeat(
        np.arange(_size_of(part), dtype=np.int64), as_index(np.diff(part.row_offsets))
    )  # (rows,)
    means = np.zeros(len(part.rows))
    for some, scores in columns.scores(part.rows, sources, options):
        own = sources[some]
        sizes = np.diff(part.column_offsets)[own]
        starts = offsets_of(sizes)
        first = np.repeat(part.column_offsets[own] - starts[:-1], as_index(sizes))
        weighted = scores * part.counts[np.arange(len(scores)) + first]
        means[some] = np.add.reduceat(weighted, as_index(starts[:-1])) / of_source[own]
    return means

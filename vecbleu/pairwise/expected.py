"""Expected BLEU of candidates, which minimum-Bayes-risk decoding maximizes."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Int64, as_index
from vecbleu.core.inputs import complete_values, is_column, refuse_frame
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.inputs.units import listed_rows, unit_rows
from vecbleu.core.inputs.values import describe, is_sequence
from vecbleu.core.kernel.hashing import mix
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of, row_offsets
from vecbleu.core.options import ScoreOptions, Smoothing, Tokenize, WeightSet
from vecbleu.core.records import dataclass
from vecbleu.core.tasks import map_tasks
from vecbleu.pairwise.grids import Columns
from vecbleu.pairwise.sides import NamedUnits, Settings

# What a pair of candidates of one source takes, which share much; and the pairs of a task.
_SECONDS = 400e-9
_TASK_PAIRS = 1 << 18


def expected_bleu(
    candidates: Iterable[Hypotheses],
    references: Iterable[Hypotheses] | None = None,
    *,
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
) -> list[Float64]:
    """Score each candidate of each source against the pseudo-references of that source.

    A candidate's expected BLEU is the mean of its sentence BLEU against each of the
    pseudo-references by itself. The candidate that has the highest one (`argmax`) is the choice of
    minimum-Bayes-risk decoding.

    Parameters
    ----------
    candidates : sequence (sources,) of sequences (C,)
        What a system has sampled for each source: strings, token sequences, integer arrays or a
        column, as hypotheses are for `vecbleu.corpus_bleu`; or a column of lists. One that occurs
        several times is scored once.
    references : sequence (sources,) of sequences (R,), optional
        The pseudo-references of each source, one at least; by default its candidates, each of them
        against all, itself included. One that occurs several times counts as often.
    tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order, pad_id,
    eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`; one set of weights at most.

    Returns
    -------
    list (sources,) of float64 arrays (C,)
        On 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; the sides differ in their numbers of sources, or a source has
        candidates and no reference.

    Examples
    --------
    >>> import vecbleu
    >>> samples = [["a cat sat", "the cat sat", "the cat lay"], ["it is", "no it is", "no it is"]]
    >>> scores = vecbleu.expected_bleu(samples, max_order=2)
    >>> [some.round(3).tolist() for some in scores]
    [[0.526, 0.718, 0.526], [0.738, 0.859, 0.859]]
    >>> [some[best.argmax()] for some, best in zip(samples, scores)]
    ['the cat sat', 'no it is']

    References
    ----------
    Kumar and Byrne (2004), "Minimum Bayes-risk decoding for statistical machine translation",
    HLT-NAACL; Eikema and Aziz (2020), "Is MAP decoding all you need? The inadequacy of the mode in
    neural machine translation", COLING.
    """
    settings = Settings.checked(
        tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order,
        pad_id, eos_id, ignore_ids, workers, progress,
    )  # fmt: skip
    options = settings.scoring.single("an expected score")
    own = _Sources(candidates, "candidates")
    if references is None:
        (ids,) = settings.ids(own.side())
        rows = columns = _Distinct.of(ids, own.offsets)
    else:
        others = _Sources(references, "references")
        _check_sources(own.offsets, others.offsets)
        first, second = settings.ids(own.side(), others.side())
        rows, columns = _Distinct.of(first, own.offsets), _Distinct.of(second, others.offsets)
    parts = [*_parts(rows, columns)]
    seconds = _SECONDS * float(np.diff(rows.offsets) @ np.diff(columns.offsets))
    task = partial(_mean_scores, settings.counting.max_order, options)
    with closing(
        map_tasks(task, parts, seconds, settings.run, total=sum(map(len, parts)))
    ) as results:
        means = np.concatenate([np.zeros(0), *results])
    return np.split(means[rows.numbers], own.offsets[1:-1]) if len(own.offsets) > 1 else []


class _Sources:
    """The units of all sources one after the other, checked so far that errors name them."""

    def __init__(self, argument: Any, name: str) -> None:
        refuse_frame(argument, name)
        # What an entry of a column holds are units, even where it could be one unit of ids.
        column = complete_values(argument, name) if is_column(argument) else None
        entries = listed_rows(argument, name) if column is None else column
        lists = [_listed(units, name, source) for source, units in enumerate(entries)]
        self._name = name
        self._units = [*chain.from_iterable(lists)]
        self.offsets = row_offsets(lists)  # (sources + 1,)
        self._check_kinds()

    def side(self) -> NamedUnits:
        """The units of all sources."""
        return NamedUnits(self._name, self._units, self._name_unit)

    def _check_kinds(self) -> None:
        """Refuse a mixture of strings and others, or what is neither."""
        if len(set(map(type, self._units))) <= 1:
            return
        first = self._units[0]
        for number, unit in enumerate(self._units):
            if isinstance(unit, str) != isinstance(first, str) or not is_sequence([unit]):
                raise TypeError(
                    f"{self._name_unit(number)} is {describe(unit)} but {self._name_unit(0)} is "
                    f"{describe(first)}; expected all strings or all token sequences"
                )

    def _name_unit(self, number: int, _reference: int = -1) -> str:
        """What the user calls a unit."""
        source = int(np.searchsorted(self.offsets, number, side="right")) - 1
        return f"{self._name}[{source}][{number - self.offsets[source]}]"


def _listed(units: Any, name: str, source: int) -> list[Any]:
    """The units of one source, which are passed in any way that those of one side are."""
    if isinstance(units, str):
        raise TypeError(
            f"{name}[{source}] is {describe(units)}, expected a list of the units of one source; "
            f"pass [{name}] if there is one source"
        )
    refuse_frame(units, f"{name}[{source}]")
    return [*unit_rows(units, f"{name}[{source}]")]


def _check_sources(rows: Int64, columns: Int64) -> None:
    """As many sources on both sides, and a reference for each that has candidates."""
    if len(rows) != len(columns):
        raise ValueError(
            f"candidates has {len(rows) - 1} sources but references has {len(columns) - 1}"
        )
    without = np.flatnonzero((np.diff(columns) == 0) & (np.diff(rows) > 0))
    if without.size:
        raise ValueError(f"references[{without[0]}] is empty: a source needs a reference")


@dataclass(frozen=True, slots=True, eq=False)
class _Distinct:
    """The units of each source without those that occur again."""

    units: Ragged
    offsets: Int64  # (sources + 1,)
    counts: Int64  # (units,), how often each occurs
    numbers: Int64  # (all units,), which of the units each is

    @classmethod
    def of(cls, ids: Ragged, offsets: Int64) -> _Distinct:
        """Number the units that a source has once or more."""
        _, first, numbers, counts = np.unique(
            _digests(ids, offsets), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        first = first[order]
        return cls(ids.take(first), np.searchsorted(first, offsets), counts[order], rank[numbers])


def _digests(ids: Ragged, offsets: Int64) -> Int64:
    """A hash of each unit and its source; two collide with a probability of about 2**-63."""
    lengths = as_index(ids.lengths)
    place = np.arange(len(ids.values)) - np.repeat(ids.offsets[:-1], lengths)
    sums = np.zeros(len(ids.values) + 1, np.uint64)
    np.cumsum(mix(ids.values.view(np.uint64) + mix(place.view(np.uint64))), out=sums[1:])
    sources = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), as_index(np.diff(offsets)))
    own = sums[ids.offsets[1:]] - sums[ids.offsets[:-1]]
    return mix(own + mix(sources.view(np.uint64))).view(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some sources."""

    rows: Ragged
    row_offsets: Int64  # (sources + 1,)
    columns: Ragged
    column_offsets: Int64  # (sources + 1,)
    counts: Int64  # (columns,), how often each counts

    def __len__(self) -> int:
        return len(self.row_offsets) - 1


def _parts(rows: _Distinct, columns: _Distinct) -> Generator[_Part]:
    """Sources of about as many pairs as make a task, one at least."""
    ends = offsets_of(np.diff(rows.offsets) * np.diff(columns.offsets) + 1)  # (sources + 1,)
    for start, stop in cuts(ends, _TASK_PAIRS):
        own, others = (one.offsets[start : stop + 1] for one in (rows, columns))
        some = slice(others[0], others[-1])
        yield _Part(
            rows.units[own[0] : own[-1]], own - own[0],
            columns.units[some], others - others[0], columns.counts[some],
        )  # fmt: skip


def _mean_scores(max_order: int, options: ScoreOptions, part: _Part) -> Float64:
    """The expected score of each row of a part (rows,)."""
    columns = Columns.of(part.columns, part.column_offsets, max_order)
    counts = offsets_of(part.counts)
    numbers = counts[part.column_offsets]
    of_source = (numbers[1:] - numbers[:-1]).astype(np.float64)  # (sources,), references
    sources = np.repeat(
        np.arange(len(part), dtype=np.int64), as_index(np.diff(part.row_offsets))
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

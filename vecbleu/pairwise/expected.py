"""Compute the expected BLEU of candidates, for minimum-Bayes-risk decoding."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Unpack

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.corpus import Corpus
from vecbleu.core.inputs.alignment import align_units, listed_values, unit_rows
from vecbleu.core.inputs.mistakes import refuse_frame
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.inputs.values import describe
from vecbleu.core.kernel.hashing import mix
from vecbleu.core.kernel.ragged import Ragged, as_index, cuts, offsets_of, ranges, row_offsets
from vecbleu.core.options import Options, PairArgs, ScoreOptions, takes
from vecbleu.core.parallel.mapping import map_blocks
from vecbleu.pairwise.distinct import Indices, distinct
from vecbleu.pairwise.scores import Columns, group_numbers
from vecbleu.pairwise.units import corpus_ids

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
    >>> [row.round(3).tolist() for row in scores]
    [[0.608, 0.7, 0.608], [0.738, 0.85, 0.85]]
    >>> [texts[row.argmax()] for texts, row in zip(samples, scores)]
    ['the cat sat', 'no it is']

    References
    ----------
    Kumar and Byrne (2004), "Minimum Bayes-risk decoding for statistical machine translation",
    HLT-NAACL; Eikema and Aziz (2020), "Is MAP decoding all you need? The inadequacy of the mode in
    neural machine translation", COLING.
    """
    settings = Options.checked(options)
    corpus, offsets = _sources(candidates, "candidates", settings)
    if references is None:
        (ids,) = corpus_ids(settings, candidates=corpus)
        rows, numbers = _distinct_units(ids, offsets)
        columns = rows
    else:
        reference_corpus, reference_offsets = _sources(references, "references", settings)
        if len(offsets) != len(reference_offsets):
            raise ValueError(
                f"candidates has {len(offsets) - 1} sources "
                f"but references has {len(reference_offsets) - 1}"
            )
        without = np.flatnonzero((np.diff(reference_offsets) == 0) & (np.diff(offsets) > 0))
        if without.size:
            raise ValueError(f"references[{without[0]}] is empty: a source needs a reference")
        ids, reference_ids = corpus_ids(settings, candidates=corpus, references=reference_corpus)
        rows, numbers = _distinct_units(ids, offsets)
        columns, _ = _distinct_units(reference_ids, reference_offsets)
    pairs = np.diff(rows.offsets) * np.diff(columns.offsets)  # (sources,)
    cut = cuts(offsets_of(pairs + 1), _TASK_PAIRS)
    parts = [(rows.between(*sources), columns.between(*sources)) for sources in cut]
    task = partial(_mean_scores, settings.counting.max_order, settings.scoring)
    seconds, total = _SECONDS * float(pairs.sum()), len(pairs)

    def size(part: tuple[_Units, _Units]) -> int:
        return len(part[0].offsets) - 1

    with closing(map_blocks(task, parts, seconds, settings.run, total=total, size=size)) as results:
        means = np.concatenate([np.zeros(0), *results])
    return np.split(means[numbers], offsets[1:-1]) if total else []


def _sources(argument: Any, name: str, settings: Options) -> tuple[Corpus, Int64]:
    """Concatenate the units of all sources; return them and their offsets (sources + 1,)."""
    # Each entry of a column is a list of units, even if it could be one unit of ids.
    entries = enumerate(listed_values(argument, name))
    lists = [_listed(units, name, source) for source, units in entries]
    offsets = row_offsets(lists)

    def name_unit(number: int, _reference: int = -1) -> str:
        source = int(np.searchsorted(offsets, number, side="right")) - 1
        return f"{name}[{source}][{number - offsets[source]}]"

    units = [*chain.from_iterable(lists)]
    return align_units(units, name, settings.special_ids, name_unit), offsets


def _listed(units: Any, name: str, source: int) -> list[Any]:
    """Return the units of one source as a list."""
    if isinstance(units, str):
        raise TypeError(
            f"{name}[{source}] is {describe(units)}, expected a list for each source; "
            f"pass [{name}] if there is only one source"
        )
    refuse_frame(units, f"{name}[{source}]")
    return [*unit_rows(units, f"{name}[{source}]")]


class _Units(NamedTuple):
    """Distinct units of each source."""

    units: Ragged
    offsets: Int64  # (sources + 1,)
    counts: Int64  # (units,), occurrences of each

    def between(self, start: int, stop: int) -> _Units:
        """Return the units of the sources from `start` to `stop`."""
        offsets = self.offsets[start : stop + 1]
        units = slice(offsets[0], offsets[-1])
        return _Units(self.units[units], offsets - offsets[0], self.counts[units])


def _distinct_units(ids: Ragged, offsets: Int64) -> tuple[_Units, Indices]:
    """Return the distinct units of each source, and which of them each unit equals (units,)."""
    first, numbers = distinct(_digests(ids, offsets))
    counts = np.bincount(numbers, minlength=len(first)).astype(np.int64)
    return _Units(ids.take(first), np.searchsorted(first, offsets), counts), numbers


def _digests(ids: Ragged, offsets: Int64) -> Int64:
    """Hash each unit with its source; a pair collides with a probability of about 2**-63."""
    positions = np.arange(len(ids.values)) - np.repeat(ids.offsets[:-1], as_index(ids.lengths))
    sums = np.zeros(len(ids.values) + 1, np.uint64)
    np.cumsum(mix(ids.values.view(np.uint64) + mix(positions.view(np.uint64))), out=sums[1:])
    hashes = sums[ids.offsets[1:]] - sums[ids.offsets[:-1]]
    return mix(hashes + mix(group_numbers(offsets).view(np.uint64))).view(np.int64)


def _mean_scores(max_order: int, options: ScoreOptions, part: tuple[_Units, _Units]) -> Float64:
    """Compute the expected score of each candidate (candidates,); a part has both sides."""
    rows, columns = part
    index = Columns.of(columns.units, columns.offsets, max_order)
    references = np.diff(offsets_of(columns.counts)[columns.offsets])  # (sources,)
    groups = group_numbers(rows.offsets)  # (rows,)
    means = np.zeros(len(groups))
    for batch, scores in index.scores(rows.units, groups, options):
        sources = groups[batch]
        sizes = np.diff(columns.offsets)[sources]
        counts = columns.counts[ranges(columns.offsets[sources], sizes)]
        totals = np.add.reduceat(scores * counts, as_index(offsets_of(sizes)[:-1]))
        means[batch] = totals / references[sources]
    return means

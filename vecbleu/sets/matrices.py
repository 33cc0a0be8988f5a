"""Score sets by all pairs: matrices, Self-BLEU and expected BLEU.

The score of a pair depends on two lengths and a few small counts. Each distinct row of these is
scored once: 262,144 pairs of news sentences have only a few thousand distinct rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument, checked_each
from vecbleu.arguments.options import Executor, Ids
from vecbleu.bleu.arrays import array_bleu
from vecbleu.bleu.options import (
    Options,
    ScoreOptions,
    Smoothing,
    Tokenize,
    Weights,
)
from vecbleu.core.corpus import Corpus
from vecbleu.inputs.alignment import Hypotheses, align_units, listed_values, unit_rows
from vecbleu.inputs.mistakes import describe, refuse_frame
from vecbleu.kernel.arrays import Float64, Index, Int64
from vecbleu.kernel.ngrams import mix
from vecbleu.kernel.ragged import (
    Ragged,
    as_index,
    cuts,
    lengths_of,
    offsets_of,
    ranges,
    row_offsets,
    row_with,
)
from vecbleu.parallel.mapping import map_blocks
from vecbleu.sets.keys import Indices, KeyIndex, distinct, first_indices, group_keys, unit_keys
from vecbleu.sets.shared import corpus_ids, side_ids

# Upper bound of codes.
_MOST_CODE = 1 << 62

# Pairs counted and scored at a time: 2 MB per order.
_PAIRS = 1 << 18

# Pairs that take as much memory as the n-grams of one token.
_PAIRS_A_TOKEN = 8

# Seconds to count and score a pair; and pairs per task. All columns are sent with each task.
_SECONDS = 60e-9
_TASK_PAIRS = 1 << 21

# Seconds per pair of expected BLEU (candidates of a source share many n-grams), and pairs per task.
_SECONDS_OF_SOURCES = 400e-9
_TASK_PAIRS_OF_SOURCES = 1 << 18


def pair_scores(hyp_len: Int64, ref_len: Int64, matches: Int64, options: ScoreOptions) -> Float64:
    """Return the scores of pairs (pairs,), from lengths (pairs,) and matches (orders, pairs)."""
    columns = [hyp_len, ref_len, *matches]
    pairs, numbers = distinct(_codes(columns))
    shorter = np.arange(len(matches))[:, None]
    totals = np.maximum(hyp_len[pairs] - shorter, 0)
    known = [column[pairs] for column in columns]
    rows = np.stack([*known, *totals], axis=1)
    scores: Float64 = array_bleu(rows, options)[numbers]
    return scores


def _codes(columns: list[Int64]) -> Int64:
    """Return a number for each row of the columns; equal rows have equal numbers."""
    codes: Int64 = np.zeros(len(columns[0]), np.int64)
    bound = 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if bound * size > _MOST_CODE:  # renumber, since few rows are distinct
            known, numbers = np.unique(codes, return_inverse=True)
            codes = numbers.astype(np.int64)
            bound = len(known)
        codes = codes * size
        codes += column
        bound *= size
    return codes


def group_numbers(offsets: Int64) -> Int64:
    """Return the group of each unit (units,), given the offsets of the groups (groups + 1,)."""
    sizes = as_index(np.diff(offsets))
    groups = np.arange(len(sizes), dtype=np.int64)
    return np.repeat(groups, sizes)


class Columns(NamedTuple):
    """Index of units by group; rows are scored against all units of their group."""

    indexes: list[KeyIndex]  # one per order
    lengths: Int64  # (units,)
    offsets: Int64  # (groups + 1,), start of each group's units

    @classmethod
    def of(cls, units: Ragged, offsets: Int64, max_order: int) -> Columns:
        """Index units; their groups begin at `offsets` (groups + 1,)."""
        groups = group_numbers(offsets)
        numbers = np.arange(len(units)) - offsets[groups]
        indexes = []
        for keys, owners in unit_keys(units, max_order):
            keys_in_groups = group_keys(keys, groups[owners])
            indexes.append(KeyIndex(keys_in_groups, numbers[owners]))
        return cls(indexes, units.lengths, offsets)

    @property
    def sizes(self) -> Int64:
        """Number of units of each group (groups,)."""
        return lengths_of(self.offsets)

    def scores(
        self, rows: Ragged, groups: Int64, options: ScoreOptions
    ) -> Iterator[tuple[slice, Float64]]:
        """Yield a slice of the rows at a time, and the scores of their pairs (pairs,).

        Each row is paired with all units of its group (rows,), in their order.
        """
        pairs = self.sizes[groups]  # of each row
        work = pairs + _PAIRS_A_TOKEN * rows.lengths
        for start, stop in cuts(offsets_of(work), _PAIRS):
            part = slice(start, stop)
            yield part, self._score(rows[part], groups[part], options)

    def _score(self, rows: Ragged, groups: Int64, options: ScoreOptions) -> Float64:
        """Score the pairs of a part of the rows (pairs,)."""
        sizes = as_index(self.sizes[groups])
        bases = offsets_of(sizes)  # (rows + 1,)
        scores = np.zeros(int(bases[-1]))
        row_keys = unit_keys(rows, len(self.indexes))
        counts = []
        for index, (keys, owners) in zip(self.indexes, row_keys, strict=True):
            # Without a name, the keys are freed once they are looked up.
            counts.append(
                index.counts(group_keys(keys, groups[owners]), bases[owners], len(scores))
            )
        is_strict = options.smoothing == "none" and not (options.weights or options.effective_order)
        needed = counts[-1] if is_strict else counts[0]
        pairs = np.flatnonzero(needed)  # all others score 0
        if pairs.size:
            row = np.repeat(np.arange(len(rows)), sizes)[pairs]
            shifts = self.offsets[groups] - bases[:-1]
            column = pairs + shifts[row]
            matches = np.stack([matches[pairs] for matches in counts])
            scores[pairs] = pair_scores(rows.lengths[row], self.lengths[column], matches, options)
        return scores


def pairwise_bleu(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Return the matrix of sentence BLEU of every hypothesis against every single reference.

    ``matrix[i, j]`` equals ``sentence_bleu([hypotheses[i]], [references[j]])[0]``, bit for bit. The
    n-grams of each row are looked up in an index of all columns, so the cost of a pair depends on
    the n-grams that it shares.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`.
    references : sequence (R,), optional
        References of the same kind, each scored by itself; by default the hypotheses.
    tokenize, lowercase, max_order, ignore_ids, eos_id, weights, smoothing, smoothing_value,
    effective_order, workers, progress
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    float64 array (H, R)
        Between 0 and 1, with 8 bytes per pair. If it does not fit into memory, compute some rows at
        a time, ``pairwise_bleu(hypotheses[i:j], references)``, or find only the best few of each
        row with `nearest`.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or only one side is text.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["the cat sat on the mat", "a dog barked"]
    >>> references = ["the cat sat on a mat", "the dog barked", "a dog barked"]
    >>> vecbleu.pairwise_bleu(hypotheses, references).round(3).tolist()
    [[0.537, 0.081, 0.0], [0.101, 0.55, 1.0]]

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation", ACL.
    """
    settings = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
        workers=workers,
        progress=progress,
    )
    rows, columns = side_ids(settings, hypotheses, references)
    index = Columns.of(columns, np.array([0, len(columns)]), settings.counting.max_order)
    task = partial(_score_rows, index, settings.scoring)
    matrix = np.empty((len(rows), len(columns)))
    step = max(1, _TASK_PAIRS // max(len(columns), 1))
    starts = range(0, len(rows), step)
    parts = [rows[start : start + step] for start in starts]
    seconds = _SECONDS * matrix.size
    with closing(map_blocks(task, parts, seconds, settings.run, total=len(rows))) as chunks:
        for start, chunk in zip(starts, chunks, strict=True):
            matrix[start : start + step] = chunk
    return matrix


def _score_rows(columns: Columns, options: ScoreOptions, rows: Ragged) -> Float64:
    """Score some rows of the matrix."""
    groups = np.zeros(len(rows), np.int64)
    scores = [chunk for _, chunk in columns.scores(rows, groups, options)]
    return np.concatenate(scores).reshape(len(rows), len(columns.lengths))


def self_bleu(
    hypotheses: Hypotheses,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Score each hypothesis with all others as its references.

    The mean of the scores is Self-BLEU: the higher it is, the less diverse the set. An n-gram
    matches if at least two hypotheses have it, so the time for H hypotheses grows with H log H, not
    with the number of pairs.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`; at least
        two.
    tokenize, lowercase, max_order, ignore_ids, eos_id, weights, smoothing, smoothing_value,
    effective_order, workers, progress
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    float64 array (H,)
        Between 0 and 1. Each score equals `vecbleu.sentence_bleu` of the hypothesis with the list
        of all others as references.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or there is only one hypothesis.

    Examples
    --------
    >>> import vecbleu
    >>> samples = ["the cat sat on the mat", "the cat sat on a mat", "it rains"]
    >>> scores = vecbleu.self_bleu(samples)
    >>> scores.round(3).tolist()
    [0.537, 0.537, 0.0]
    >>> round(float(scores.mean()), 3)
    0.358

    References
    ----------
    Zhu et al. (2018), "Texygen: a benchmarking platform for text generation models", SIGIR,
    section 3.1.
    """
    settings = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
        workers=workers,
        progress=progress,
    )
    units, _ = side_ids(settings, hypotheses)
    if len(units) == 1:
        raise ArgumentError("has 1 segment", "at least 2 to compare", argument="hypotheses")
    matches = np.zeros((settings.counting.max_order, len(units)), np.int64)
    for order in range(min(len(matches), units.lengths.max(initial=0))):
        matches[order] = _shared_ngrams(units, order + 1)
    return pair_scores(units.lengths, _closest_lengths(units.lengths), matches, settings.scoring)


def _shared_ngrams(units: Ragged, order: int) -> Index:
    """Count the n-grams of each unit that another unit has, too (units,)."""
    ((keys, owners),) = unit_keys(units, order, order)
    first = as_index(first_indices(keys))
    is_shared = np.bincount(first)[first] > 1  # a unit has no key twice
    return np.bincount(as_index(owners[is_shared]), minlength=len(units))


def _closest_lengths(lengths: Int64) -> Int64:
    """Return the closest length of another unit (units,), the shorter of two equally close."""
    ascending = np.argsort(lengths)
    in_order = lengths[ascending]
    far = 4 * lengths.max(initial=0) + 4
    shorter = np.append(-far, in_order[:-1])
    longer = np.append(in_order[1:], far)
    is_shorter = in_order - shorter <= longer - in_order
    closest = np.empty_like(lengths)
    closest[ascending] = np.where(is_shorter, shorter, longer)
    return closest


def expected_bleu(
    candidates: Iterable[Hypotheses],
    references: Iterable[Hypotheses] | None = None,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
    workers: int | Executor | None = None,
    progress: bool | None = False,
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
    tokenize, lowercase, max_order, ignore_ids, eos_id, weights, smoothing, smoothing_value,
    effective_order, workers, progress
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
    settings = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
        workers=workers,
        progress=progress,
    )
    corpus, offsets = _sources(candidates, "candidates", settings)
    if references is None:
        (ids,) = corpus_ids(settings, candidates=corpus)
        rows, numbers = _distinct_units(ids, offsets)
        columns = rows
    else:
        reference_corpus, reference_offsets = _sources(references, "references", settings)
        if len(offsets) != len(reference_offsets):
            sources, others = len(offsets) - 1, len(reference_offsets) - 1
            found = f"has {sources} sources but references has {others}"
            raise ArgumentError(found, argument="candidates")
        without = np.flatnonzero((np.diff(reference_offsets) == 0) & (np.diff(offsets) > 0))
        if without.size:
            found, index = "is empty: a source needs a reference", int(without[0])
            raise ArgumentError(found, argument="references", index=(index,))
        ids, reference_ids = corpus_ids(settings, candidates=corpus, references=reference_corpus)
        rows, numbers = _distinct_units(ids, offsets)
        columns, _ = _distinct_units(reference_ids, reference_offsets)
    pairs = np.diff(rows.offsets) * np.diff(columns.offsets)  # (sources,)
    total = len(pairs)
    seconds = _SECONDS_OF_SOURCES * float(pairs.sum())
    parts = []
    for start, stop in cuts(offsets_of(pairs + 1), _TASK_PAIRS_OF_SOURCES):
        parts.append((rows.between(start, stop), columns.between(start, stop)))
    task = partial(_mean_scores, settings.counting.max_order, settings.scoring)

    def size(part: tuple[_Units, _Units]) -> int:
        return len(part[0].offsets) - 1

    with closing(map_blocks(task, parts, seconds, settings.run, total=total, size=size)) as results:
        means = np.concatenate([np.zeros(0), *results])
    return np.split(means[numbers], offsets[1:-1]) if total else []


def _sources(sources: Iterable[Hypotheses], name: str, settings: Options) -> tuple[Corpus, Int64]:
    """Concatenate the units of all sources; return them and their offsets (sources + 1,)."""
    # Each entry of a column is a list of units, even if it could be one unit of ids.
    with argument(name):
        lists = checked_each(_listed, listed_values(sources))
    offsets = row_offsets(lists)

    def index(number: int) -> tuple[int, int]:
        source = row_with(offsets, number)
        return source, number - int(offsets[source])

    units = list(chain.from_iterable(lists))
    return align_units(units, (name,), settings.special_ids, index), offsets


def _listed(units: Hypotheses) -> list[Any]:
    """Return the units of one source as a list."""
    if isinstance(units, str):
        advice = "if there is only one source, pass a list of it"
        raise ArgumentTypeError(f"is {describe(units)}", "a list for each source", advice)
    refuse_frame(units)
    return list(unit_rows(units))


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
    units = _Units(ids.take(first), np.searchsorted(first, offsets), counts)
    return units, numbers


def _digests(ids: Ragged, offsets: Int64) -> Int64:
    """Hash each unit with its source; a pair collides with a probability of about 2**-63."""
    positions = ranges(np.zeros_like(ids.lengths), ids.lengths)
    hashes = mix(ids.values.view(np.uint64) + mix(positions.view(np.uint64)))
    sums = offsets_of(hashes.view(np.int64))
    of_units = lengths_of(sums[ids.offsets])
    sources = group_numbers(offsets).view(np.uint64)
    return mix(of_units.view(np.uint64) + mix(sources)).view(np.int64)


def _mean_scores(max_order: int, options: ScoreOptions, part: tuple[_Units, _Units]) -> Float64:
    """Compute the expected score of each candidate (candidates,); a part has both sides."""
    rows, columns = part
    index = Columns.of(columns.units, columns.offsets, max_order)
    references = np.diff(offsets_of(columns.counts)[columns.offsets])  # (sources,)
    groups = group_numbers(rows.offsets)  # (rows,)
    means = np.zeros(len(groups))
    for batch, scores in index.scores(rows.units, groups, options):
        sources = groups[batch]
        sizes = index.sizes[sources]
        counts = columns.counts[ranges(columns.offsets[sources], sizes)]
        starts = offsets_of(sizes)[:-1]
        totals = np.add.reduceat(scores * counts, as_index(starts))
        means[batch] = totals / references[sources]
    return means

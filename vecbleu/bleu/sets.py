"""Score sets against sets by BLEU."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.arguments.options import Executor, Ids
from vecbleu.bleu.arrays import array_pair_bleu
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import Options, Smoothing, Tokenize, Weights
from vecbleu.inputs.alignment import Hypotheses
from vecbleu.kernel.arrays import Float64, Index, Int64
from vecbleu.kernel.ragged import Ragged, as_index
from vecbleu.sets.keys import first_indices, unit_keys
from vecbleu.sets.matrices import expected_scores, pairwise_scores
from vecbleu.sets.neighbors import Neighbors, best_references
from vecbleu.sets.units import Settings
from vecbleu.text.edits import Normalize


def _settings(options: Options) -> Settings:
    counting, scoring, special_ids, run = options
    return Settings(Bleu(counting), vars(scoring), special_ids, run)


def pairwise_bleu(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
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
    tokenize, lowercase, normalize, max_order, ignore_ids, eos_id, weights, smoothing,
    smoothing_value, effective_order, workers, progress
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, normalize,
        max_order, weights, smoothing, smoothing_value, effective_order, ignore_ids, eos_id,
        workers, progress.

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
    options = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
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
    return pairwise_scores(_settings(options), hypotheses, references)


def self_bleu(
    hypotheses: Hypotheses,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
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
    tokenize, lowercase, normalize, max_order, ignore_ids, eos_id, weights, smoothing,
    smoothing_value, effective_order, workers, progress
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, normalize,
        max_order, weights, smoothing, smoothing_value, effective_order, ignore_ids, eos_id,
        workers, progress.

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
    options = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
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
    ((units,), _) = _settings(options).sides(hypotheses)
    if len(units) == 1:
        raise ArgumentError("has 1 segment", "at least 2 to compare", argument="hypotheses")
    matches = np.zeros((options.counting.max_order, len(units)), np.int64)
    for order in range(min(len(matches), units.lengths.max(initial=0))):
        matches[order] = _shared_ngrams(units, order + 1)
    return array_pair_bleu(units.lengths, _closest_lengths(units.lengths), matches, options.scoring)


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


def nearest(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
    *,
    k: int = 1,
    min_score: float = 0.0,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Neighbors:
    """Find the k best-scoring references of each hypothesis.

    The result is exact: scores, indices and ties are those of scoring all pairs. But most pairs are
    left out: without a long n-gram in common, they can't have a high score. So a small k is faster
    than a large one. Memory grows with the tokens of both sides and with H * k,
    not with the number of pairs: references are compared in blocks.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`.
    references : sequence (R,), optional
        References of the same kind, each scored by itself. By default the hypotheses; then each is
        compared with all others, its exact copies among them, but not with itself.
    k : int
        Number of references to find per hypothesis, at most R, or H - 1 without references.
    min_score : float
        Leave out references with a lower score: the score is then 0, and the index -1. The higher
        it is, the fewer pairs are scored.
    tokenize, lowercase, normalize, max_order, ignore_ids, eos_id, weights, smoothing,
    smoothing_value, effective_order, workers, progress
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, normalize,
        max_order, weights, smoothing, smoothing_value, effective_order, ignore_ids, eos_id,
        workers, progress.

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
    >>> vecbleu.nearest(training).indices[:, 0].tolist()
    [1, 2, 1]
    """
    options = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
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
    return best_references(_settings(options), hypotheses, references, k, min_score)


def expected_bleu(
    candidates: Iterable[Hypotheses],
    references: Iterable[Hypotheses] | None = None,
    *,
    log_probs: Iterable[Iterable[float]] | None = None,
    leave_one_out: bool = False,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
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
    log_probs : sequence (sources,) of sequences (R,) of float, optional
        Log-probability of each pseudo-reference, or another score. The mean is then weighted by
        their softmax: ``sum(exp(l) * score) / sum(exp(l))`` over the pseudo-references of a source.
    leave_one_out : bool
        Do not score a candidate against itself, but against the others, its copies among them. A
        source needs at least two candidates.
    tokenize, lowercase, normalize, max_order, ignore_ids, eos_id, weights, smoothing,
    smoothing_value, effective_order, workers, progress
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, normalize,
        max_order, weights, smoothing, smoothing_value, effective_order, ignore_ids, eos_id,
        workers, progress.

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
    options = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
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
    return expected_scores(_settings(options), candidates, references, log_probs, leave_one_out)

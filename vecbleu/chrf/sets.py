"""Score sets against sets by chrF."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.arguments.options import NO_SPECIAL_IDS, Executor, RunOptions
from vecbleu.chrf.metric import Chrf
from vecbleu.chrf.options import ChrfOptions
from vecbleu.inputs.alignment import Hypotheses
from vecbleu.kernel.arrays import Float64
from vecbleu.sets.matrices import expected_scores, pairwise_scores
from vecbleu.sets.neighbors import Neighbors, best_references, best_units
from vecbleu.sets.units import Settings
from vecbleu.text.edits import Normalize


def _settings(workers: object, progress: object, **options: object) -> Settings:
    metric = Chrf(ChrfOptions.checked(**options))
    run = RunOptions.checked(workers=workers, progress=progress)
    return Settings(metric, {}, NO_SPECIAL_IDS, run)


def pairwise_chrf(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Return the matrix of sentence chrF of every hypothesis against every single reference.

    ``matrix[i, j]`` equals ``sentence_chrf([hypotheses[i]], [references[j]])[0]``, bit for bit.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings or a column, as for `corpus_chrf`.
    references : sequence (R,), optional
        References, each scored by itself; by default the hypotheses.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    float64 array (H, R)
        Between 0 and 1, with 8 bytes per pair. If it does not fit into memory, compute some rows at
        a time, ``pairwise_chrf(hypotheses[i:j], references)``, or find only the best few of each
        row with `nearest_chrf`.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_chrf`.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> chrf.pairwise_chrf(["the cat sat", "a dog"], ["the cat sat", "a cat"]).round(3).tolist()
    [[1.0, 0.411], [0.031, 0.062]]
    """
    settings = _settings(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
        workers=workers,
        progress=progress,
    )
    return pairwise_scores(settings, hypotheses, references)


def self_chrf(
    hypotheses: Hypotheses,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Score each hypothesis with all others as its references.

    Of several references, chrF takes the one with the best score. So this is the score of the most
    similar other hypothesis. The higher the mean, the less diverse the set.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings or a column, as for `corpus_chrf`; at least two.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    float64 array (H,)
        Between 0 and 1. Each score equals `sentence_chrf` of the hypothesis with the list of all
        others as references.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_chrf`; or there is only one hypothesis.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> scores = chrf.self_chrf(["the cat sat", "the cat sits", "it rains"])
    >>> scores.round(3).tolist(), scores.mean().round(3).item()
    ([0.61, 0.666, 0.091], 0.456)
    """
    settings = _settings(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
        workers=workers,
        progress=progress,
    )
    units, _ = settings.sides(hypotheses)
    size = len(units[0])
    if size == 1:
        raise ArgumentError("has 1 segment", "at least 2 to compare", argument="hypotheses")
    if not size:
        return np.zeros(0)
    return best_units(settings, units, units, 1, finds_itself=True).scores[:, 0]


def nearest_chrf(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
    *,
    k: int = 1,
    min_score: float = 0.0,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Neighbors:
    """Find the k references of each hypothesis with the highest chrF.

    Scores, indices and ties are those of `pairwise_chrf`. All pairs are scored, but only the best
    are kept: memory grows with H * k.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings or a column, as for `corpus_chrf`.
    references : sequence (R,), optional
        References, each scored by itself. By default the hypotheses; then each is compared with all
        others, its exact copies among them, but not with itself.
    k : int
        Number of references to find per hypothesis, at most R, or H - 1 without references.
    min_score : float
        Leave out references with a lower score: the score is then 0, and the index -1.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    Neighbors
        `scores` and `indices`, both (H, k), best first, as `vecbleu.nearest` returns them. If
        scores are equal, the lower index comes first.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_chrf`; or there are fewer than k references.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> chrf.nearest_chrf(["the cat sat"], ["a dog barked", "the cats sat"])
    segment  score 1  reference 1
          1    68.66            2
    """
    settings = _settings(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
        workers=workers,
        progress=progress,
    )
    return best_references(settings, hypotheses, references, k, min_score)


def expected_chrf(
    candidates: Iterable[Hypotheses],
    references: Iterable[Hypotheses] | None = None,
    *,
    log_probs: Iterable[Iterable[float]] | None = None,
    leave_one_out: bool = False,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> list[Float64]:
    """Score each candidate of each source against the pseudo-references of that source.

    The expected chrF of a candidate is the mean of its sentence chrF against every single
    pseudo-reference. Minimum-Bayes-risk decoding chooses the candidate with the highest one
    (`argmax`).

    Parameters
    ----------
    candidates : sequence (sources,) of sequences (C,)
        Samples of a system for each source: strings or a column; or a column of lists. Equal
        candidates are scored only once.
    references : sequence (sources,) of sequences (R,), optional
        Pseudo-references of each source, at least one. By default all candidates of the source, so
        that each candidate is also scored against itself. Repeated references count each time.
    log_probs, leave_one_out
        As for `vecbleu.expected_bleu`.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    list (sources,) of float64 arrays (C,)
        Expected chrF of each candidate, between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_chrf`; or candidates and references differ in their number of sources, or a
        source has candidates but no reference.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> samples = [["a cat sat", "the cat sat", "the cat lay"], ["it is", "no it is", "no it is"]]
    >>> scores = chrf.expected_chrf(samples)
    >>> [texts[row.argmax()] for texts, row in zip(samples, scores)]
    ['the cat sat', 'no it is']

    References
    ----------
    Eikema and Aziz (2020), "Is MAP decoding all you need? The inadequacy of the mode in neural
    machine translation", COLING.
    """
    settings = _settings(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
        workers=workers,
        progress=progress,
    )
    return expected_scores(settings, candidates, references, log_probs, leave_one_out)

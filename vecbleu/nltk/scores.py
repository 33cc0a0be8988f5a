"""The scores of `nltk.translate.bleu_score`: its arithmetic on counts from the kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vecbleu.nltk.counting import (
    Counts,
    as_list,
    brevity_penalty,
    count_corpus,
    count_segments,
    to_counts,
)
from vecbleu.nltk.precision import Fraction
from vecbleu.nltk.smoothing import SmoothingFunction, is_batched, smooth_batch, warn_of_zeros
from vecbleu.scores import brevity_penalty as brevity_penalties
from vecbleu.scores import weighted_mean
from vecbleu.smoothing import Floats
from vecbleu.statistics import Statistics

Smooth = Callable[..., Sequence[Any]]

_UNIFORM = (0.25, 0.25, 0.25, 0.25)

# Segments scored together: 200,000 at once take almost twice the time, outside the cache.
_ROWS_AT_ONCE = 1 << 14


def sentence_bleu(
    references: Any,
    hypothesis: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Smooth | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score one segment: `corpus_bleu` of a corpus of one.

    Parameters
    ----------
    references : sequence of sequences of hashable tokens
        The references of the segment.
    hypothesis : sequence of hashable tokens
        A string is a sequence of characters.
    weights, smoothing_function, auto_reweigh
        As for `corpus_bleu`.

    Returns
    -------
    float, or list of float for several sets of weights
        0 to 1; the int 0 if not a token matches.

    Raises
    ------
    KeyError, ValueError
        There is no reference (ValueError if the hypothesis is empty too).

    Examples
    --------
    >>> from vecbleu.nltk import sentence_bleu
    >>> reference = "the dog is chasing the cat".split()
    >>> sentence_bleu([reference], "the cat is chasing the dog".split(), weights=(0.5, 0.5))
    0.8944271909999159

    References
    ----------
    Papineni et al. (2002); nltk.translate.bleu_score of NLTK 3.10.
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Smooth | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a corpus as NLTK does: exp(fsum(w_n * ln p_n)) times the brevity penalty.

    Parameters
    ----------
    list_of_references : sequence (segments,) of sequences of references
        Every segment's references, each a sequence of hashable tokens.
    hypotheses : sequence (segments,) of sequences of hashable tokens
        Tokens match where they are equal and hash alike; integer arrays are taken as they are.
    weights : sequence of float, or several of them
        Weights of order 1, 2, ...; the longest set says up to which order is counted.
    smoothing_function : callable, optional
        A method of `SmoothingFunction`, or anything that is called as ``fn(p_n, references=,
        hypothesis=, hyp_len=)`` with the last segment's references and hypothesis.
    auto_reweigh : bool
        If the hypotheses have fewer than 4 tokens in all and the weights are the default ones,
        weigh that many orders alike.

    Returns
    -------
    float, or list of float for several sets of weights
        0 to 1; the int 0 (or a list of them) if not a token matches.

    Raises
    ------
    AssertionError
        The two sides differ in length.
    KeyError, ValueError
        A segment has no reference (ValueError if its hypothesis is empty too).
    ZeroDivisionError
        There are no segments.

    Notes
    -----
    A segment too short for an n-gram of some order adds 1 to that order's total, as in NLTK, so
    the score is a little below `vecbleu.corpus_bleu`'s.

    Examples
    --------
    >>> from vecbleu.nltk import corpus_bleu
    >>> references = [["the cat sat on a mat".split()], ["a dog barked".split()]]
    >>> round(corpus_bleu(references, [["the", "cat", "sat", "on", "it"], ["a", "dog"]]), 4)
    0.4369
    """
    assert len(list_of_references) == len(hypotheses), (
        "The number of hypotheses and their reference(s) should be the same "
    )
    sets = _weight_sets(weights)
    max_order = max(map(len, sets))
    counts = count_corpus(list_of_references, hypotheses, max_order)
    if not max_order or (len(hypotheses) and not counts.matches[0]):
        return 0 if len(sets) == 1 else [0] * len(sets)
    last = _last(list_of_references), _last(hypotheses)
    scores = _score(counts, sets, smoothing_function, auto_reweigh, *last)
    return scores[0] if len(sets) == 1 else scores


def sentence_bleu_batch(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Smooth | None = None,
    auto_reweigh: bool = False,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Score every segment by itself: what a loop over `sentence_bleu` returns, in one call.

    Parameters
    ----------
    list_of_references, hypotheses, weights, smoothing_function, auto_reweigh
        As for `corpus_bleu`. Methods 0 to 4 of `SmoothingFunction` run over all segments at
        once; any other function is called for each segment.

    Returns
    -------
    float64 array (segments,), or (segments, W) for W sets of weights
        Equal to the loop's results, bit for bit. A warning that the loop would repeat is given
        once for each order.

    Raises
    ------
    AssertionError, KeyError, ValueError
        As `corpus_bleu` does; no segments are no error.

    Examples
    --------
    >>> from vecbleu.nltk import sentence_bleu_batch
    >>> references = [["the cat sat".split()], ["a dog barked".split()]]
    >>> hypotheses = ["the cat sat".split(), "the dog barked".split()]
    >>> sentence_bleu_batch(references, hypotheses, weights=(0.5, 0.5)).round(4).tolist()
    [1.0, 0.5774]
    """
    assert len(list_of_references) == len(hypotheses), (
        "The number of hypotheses and their reference(s) should be the same "
    )
    sets = _weight_sets(weights)
    max_order = max(map(len, sets))
    counted = count_segments(list_of_references, hypotheses, max_order)
    scored = np.flatnonzero(counted.matches[:, 0] if max_order else [])
    scores = np.zeros((len(counted), len(sets)))
    function = smoothing_function or SmoothingFunction().method0
    if is_batched(function) and all(map(_is_plain, sets)):
        warn_of_zeros(function, counted.matches[scored])
        for start in range(0, len(scored), _ROWS_AT_ONCE):
            rows = scored[start : start + _ROWS_AT_ONCE]
            scores[rows] = _score_rows(counted[rows], sets, function, auto_reweigh)
    else:
        reference_lists, hypotheses = as_list(list_of_references), as_list(hypotheses)
        for segment in scored.tolist():
            scores[segment] = _score(
                to_counts(counted[segment]),
                sets,
                function,
                auto_reweigh,
                reference_lists[segment],
                hypotheses[segment],
            )
    return scores[:, 0] if len(sets) == 1 else scores


def _score_rows(rows: Statistics, sets: Any, smooth: Any, auto_reweigh: bool) -> Floats:
    """NLTK's arithmetic for many segments at once (segments, sets)."""
    # Orders first, as in `columns.columns_first`.
    matches, totals = np.ascontiguousarray(rows.matches.T), np.ascontiguousarray(rows.totals.T)
    precisions = smooth_batch(smooth, matches, totals, rows.hyp_len)  # (orders, segments)
    penalty = brevity_penalties(rows.hyp_len, rows.ref_len)
    scores = np.empty((len(rows), len(sets)))
    for index, weight in enumerate(sets):
        shares = _weights_by_segment(weight, rows, auto_reweigh)
        used = precisions[: len(shares)]
        scores[:, index] = penalty * weighted_mean(used, shares[: len(used)])
    return scores


def _last(values: Any) -> Any:
    """The last of what need only be iterable; None of nothing."""
    last = None
    for last in values:  # noqa: B007
        pass
    return last


def _score(
    counts: Counts,
    sets: Any,
    smoothing_function: Smooth | None,
    auto_reweigh: bool,
    references: Any,
    hypothesis: Any,
) -> list[float]:
    """NLTK's arithmetic from the counts on: one score for each set of weights."""
    hyp_len = counts.hyp_len
    penalty = brevity_penalty(counts.ref_len, hyp_len)
    p_n: Any = [*map(Fraction, counts.matches, counts.totals)]
    smooth = smoothing_function or SmoothingFunction().method0
    p_n = smooth(p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len)
    scores = []
    for weight in sets:
        if auto_reweigh and hyp_len < 4 and weight == _UNIFORM:
            weight = (1 / hyp_len,) * hyp_len
        terms = (w * math.log(p) for w, p in zip(weight, p_n, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(terms)))
    return scores


def _weight_sets(weights: Any) -> Any:
    """One set of weights as a list of one; NLTK tells them apart by `weights[0][0]`."""
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return [weights]
    return weights


def _is_plain(weight: Any) -> bool:
    """Whether a set of weights is one of floats or of integers."""
    try:
        return np.asarray(weight).dtype in (np.float64, np.int64)
    except ValueError:  # sequences of different lengths
        return False


def _weights_by_segment(
    weight: Any, counted: Statistics, auto_reweigh: bool
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The weights of each segment (orders, segments), or of all (orders, 1)."""
    shares = np.asarray(weight, np.float64)[:, None]
    lengths = counted.hyp_len
    if auto_reweigh and (lengths < 4).any() and weight == _UNIFORM:
        uniform = np.where(np.arange(len(weight))[:, None] < lengths, 1 / lengths, 0.0)
        shares = np.where(lengths < 4, uniform, shares)
    return shares

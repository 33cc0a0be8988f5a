"""The scores of `nltk.translate.bleu_score`: its arithmetic on counts from the kernel."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, overload

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import Weights
from vecbleu.core.scoring import formula
from vecbleu.core.statistics.table import Statistics
from vecbleu.nltk import smoothing
from vecbleu.nltk.counting import CorpusCounts, count_corpus, count_segments
from vecbleu.nltk.segment import Fraction, TokenLists, Tokens, brevity_penalty
from vecbleu.nltk.smoothing import SmoothingCallable
from vecbleu.pairwise.shared import SharedReferences

_UNIFORM = (0.25, 0.25, 0.25, 0.25)
_NO_SMOOTHING = smoothing.SmoothingFunction().method0

# Segments scored together: 200,000 at once take almost twice the time, outside the cache.
_ROWS_AT_ONCE = 1 << 14


@overload
def sentence_bleu(
    references: TokenLists | SharedReferences,
    hypothesis: Tokens,
    weights: Sequence[float] = ...,
    smoothing_function: SmoothingCallable | None = ...,
    auto_reweigh: bool = ...,
) -> float: ...


@overload
def sentence_bleu(
    references: TokenLists | SharedReferences,
    hypothesis: Tokens,
    weights: Weights,
    smoothing_function: SmoothingCallable | None = ...,
    auto_reweigh: bool = ...,
) -> float | list[float]: ...
def sentence_bleu(
    references: TokenLists | SharedReferences,
    hypothesis: Tokens,
    weights: Weights = _UNIFORM,
    smoothing_function: SmoothingCallable | None = None,
    auto_reweigh: bool = False,
) -> float | list[float]:
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
    segments: Any = [references]
    return corpus_bleu(segments, [hypothesis], weights, smoothing_function, auto_reweigh)


@overload
def corpus_bleu(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Sequence[float] = ...,
    smoothing_function: SmoothingCallable | None = ...,
    auto_reweigh: bool = ...,
) -> float: ...


@overload
def corpus_bleu(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Weights,
    smoothing_function: SmoothingCallable | None = ...,
    auto_reweigh: bool = ...,
) -> float | list[float]: ...
def corpus_bleu(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Weights = _UNIFORM,
    smoothing_function: SmoothingCallable | None = None,
    auto_reweigh: bool = False,
) -> float | list[float]:
    """Score a corpus as NLTK does: exp(fsum(w_n * ln p_n)) times the brevity penalty.

    Parameters
    ----------
    list_of_references : sequence (segments,) of sequences of references
        Every segment's references, each a sequence of hashable tokens; or a
        `vecbleu.SharedReferences` of tokens, which are those of every segment.
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
    sides, sets = _checked(list_of_references, hypotheses, weights)
    max_order = max(map(len, sets))
    counts = count_corpus(*sides, max_order)
    scores: list[float] = [0] * len(sets)
    if max_order and (counts.matches[0] or not sides[1]):
        smooth = smoothing_function or _NO_SMOOTHING
        scores = _score(counts, sets, smooth, auto_reweigh, *sides)
    return scores[0] if len(sets) == 1 else scores


def sentence_bleu_batch(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Weights = _UNIFORM,
    smoothing_function: SmoothingCallable | None = None,
    auto_reweigh: bool = False,
) -> Float64:
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
    sides, sets = _checked(list_of_references, hypotheses, weights)
    max_order = max(map(len, sets))
    with _naming_a_swap(sides[1]):
        counted = count_segments(*sides, max_order)
    matching = np.flatnonzero(counted.matches[:, 0] if max_order else [])
    scores = np.zeros((len(counted), len(sets)))
    smooth = smoothing_function or _NO_SMOOTHING
    smooth_rows = smoothing.batch_smoothing(smooth)
    if smooth_rows and _are_plain(sets):
        if smoothing.warns_of_zeros(smooth):
            known = None if auto_reweigh else sets  # else they depend on the segment
            matches, lengths = counted.matches[matching], counted.hyp_len[matching]
            smoothing.warn_of_zeros(matches, lengths, known)
        for start in range(0, len(matching), _ROWS_AT_ONCE):
            rows = matching[start : start + _ROWS_AT_ONCE]
            scores[rows] = _score_rows(counted[rows], sets, smooth_rows, auto_reweigh)
    else:
        for segment in matching.tolist():
            counts = CorpusCounts.from_row(counted[segment])
            own = [side[segment : segment + 1] for side in sides]
            scores[segment] = _score(counts, sets, smooth, auto_reweigh, *own)
    return scores[:, 0] if len(sets) == 1 else scores


def _checked(
    list_of_references: Any, hypotheses: Any, weights: Any
) -> tuple[tuple[list[Any], list[Any]], list[Any]]:
    """Both sides as lists, which need only be iterable, and a list of the sets of weights."""
    if isinstance(list_of_references, SharedReferences):
        list_of_references = [list_of_references] * len(hypotheses)
    if len(list_of_references) != len(hypotheses):
        raise AssertionError(
            f"list_of_references has {len(list_of_references)} segments "
            f"but hypotheses has {len(hypotheses)}"
        )
    try:
        weights[0][0]  # by which NLTK tells several sets of weights
    except (TypeError, IndexError):
        weights = [weights]
    return (list(list_of_references), list(hypotheses)), list(weights)


@contextmanager
def _naming_a_swap(hypotheses: list[Any]) -> Iterator[None]:
    """Say in a TypeError which side comes first, where hypotheses are lists of references."""
    try:
        yield
    except TypeError as error:
        tokens = next(iter(hypotheses), None)
        if isinstance(tokens, Sequence) and isinstance(next(iter(tokens), None), list):
            raise TypeError(
                f"{error}; hypotheses[0] looks like the references of a segment: references come "
                "first, sentence_bleu_batch(list_of_references, hypotheses)"
            ) from None
        raise


def _score_rows(
    rows: Statistics, sets: list[Any], smooth_rows: smoothing.BatchSmoothing, auto_reweigh: bool
) -> Float64:
    """NLTK's arithmetic for many segments at once (segments, sets)."""
    # Orders first, as in `columns.columns_first`.
    matches, totals = np.ascontiguousarray(rows.matches.T), np.ascontiguousarray(rows.totals.T)
    precisions = smooth_rows(matches, totals, rows.hyp_len)  # (orders, segments)
    penalty = formula.brevity_penalty(rows.hyp_len, rows.ref_len)
    shares = [_weights_by_segment(weight, rows.hyp_len, auto_reweigh) for weight in sets]
    means = [formula.weighted_mean(precisions[: len(share)], share) for share in shares]
    return (penalty * np.array(means)).T


def _score(
    counts: CorpusCounts,
    sets: list[Any],
    smooth: SmoothingCallable,
    auto_reweigh: bool,
    list_of_references: list[Any],
    hypotheses: list[Any],
) -> list[float]:
    """NLTK's arithmetic from the counts on: one score for each set of weights."""
    hyp_len = counts.hyp_len
    penalty = brevity_penalty(counts.ref_len, hyp_len)
    p_n = [*map(Fraction, counts.matches, counts.totals)]
    references = list_of_references[-1]
    if isinstance(references, SharedReferences):
        references = references.side.hypotheses
    if auto_reweigh and hyp_len < 4:
        uniform = (1 / hyp_len,) * hyp_len
        sets = [uniform if weight == _UNIFORM else weight for weight in sets]
    known: dict[str, Any] = {"sets": sets} if smoothing.warns_of_zeros(smooth) else {}
    smoothed = smooth(
        p_n, references=references, hypothesis=hypotheses[-1], hyp_len=hyp_len, **known
    )
    scores = []
    for weight in sets:
        terms = (w * math.log(p) for w, p in zip(weight, smoothed, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(terms)))
    return scores


def _are_plain(sets: list[Any]) -> bool:
    """Whether all weights are floats or integers, with which NumPy calculates as Python does."""
    kinds = set(map(type, chain.from_iterable(sets)))
    return kinds <= {int, float, np.int64, np.float64}


def _weights_by_segment(weight: Any, lengths: Int64, auto_reweigh: bool) -> Float64:
    """The weights of each segment (orders, segments), or of all (orders, 1)."""
    shares = np.array([*weight], np.float64)[:, None]
    if auto_reweigh and (lengths < 4).any() and weight == _UNIFORM:
        uniform = np.where(np.arange(len(weight))[:, None] < lengths, 1 / lengths, 0.0)
        shares = np.where(lengths < 4, uniform, shares)
    return shares

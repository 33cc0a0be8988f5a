"""Score corpora and segments with vecbleu's counts and NLTK's arithmetic."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import chain, repeat
from operator import is_
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.corpus import TOKENS, Corpus
from vecbleu.core.inputs.alignment import align
from vecbleu.core.inputs.ids import sequence_corpus
from vecbleu.core.options import CountOptions
from vecbleu.core.pipeline import count_rows, count_total
from vecbleu.core.scoring import fsum, libm_map
from vecbleu.nltk import smoothing
from vecbleu.nltk.smoothing import Fraction, Smoothing, SmoothingFunction, TokenLists, Tokens
from vecbleu.pairwise.shared import SharedReferences

WeightSets = Sequence[Sequence[float]] | Float64

_UNIFORM = (0.25, 0.25, 0.25, 0.25)
_NO_SMOOTHING = SmoothingFunction().method0
_COUNTING = CountOptions.checked()

# Prepare shared references for at least this many segments, and reference tokens of all segments.
_FEWEST_SEGMENTS, _FEWEST_TOKENS = 16, 1 << 13


def sentence_bleu(
    references: TokenLists | SharedReferences,
    hypothesis: Tokens,
    weights: Sequence[float] | WeightSets = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | Any:
    """Score one segment, as `corpus_bleu` scores a corpus of one.

    Parameters
    ----------
    references : sequence of sequences of hashable tokens
        References of the segment.
    hypothesis : sequence of hashable tokens
        Hypothesis of the segment. A string counts as a sequence of characters.
    weights, smoothing_function, auto_reweigh
        As for `corpus_bleu`.

    Returns
    -------
    float, or list of float for several sets of weights
        Between 0 and 1; the int 0 if no token matches.

    Raises
    ------
    KeyError, ValueError
        There is no reference: ValueError for an empty hypothesis, KeyError for others.

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


def corpus_bleu(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Sequence[float] | WeightSets = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | Any:
    """Score a corpus as NLTK does: exp(fsum(w_n * ln(p_n))) times the brevity penalty.

    Parameters
    ----------
    list_of_references : sequence (segments,) of sequences of references
        References of each segment, as sequences of hashable tokens; or a
        `vecbleu.SharedReferences` of tokens, for all segments.
    hypotheses : sequence (segments,) of sequences of hashable tokens
        One hypothesis per segment. Tokens match if they are equal and have equal hashes. Integer
        arrays hold token ids.
    weights : sequence of float, or several of them
        Weights of order 1, 2, ...; the longest set determines the highest order.
    smoothing_function : callable, optional
        A method of `SmoothingFunction`, or a function to call as ``fn(p_n, references=,
        hypothesis=, hyp_len=)``, with references and hypothesis of the last segment.
    auto_reweigh : bool
        If all hypotheses together have T tokens, T < 4, and the weights are the defaults, give
        equal weights to the orders 1 to T.

    Returns
    -------
    float, or list of float for several sets of weights
        Between 0 and 1; the int 0 (or a list of them) if no token matches.

    Raises
    ------
    AssertionError
        References and hypotheses differ in length.
    KeyError, ValueError
        A segment has no reference: ValueError for an empty hypothesis, KeyError for others.
    ZeroDivisionError
        There are no segments.

    Notes
    -----
    As in NLTK, a segment without n-grams of some order adds 1 to the total of that order. This can
    make the score slightly lower than that of `vecbleu.corpus_bleu`.

    Examples
    --------
    >>> from vecbleu.nltk import corpus_bleu
    >>> references = [["the cat sat on a mat".split()], ["a dog barked".split()]]
    >>> round(corpus_bleu(references, [["the", "cat", "sat", "on", "it"], ["a", "dog"]]), 4)
    0.4369
    """
    lists, hyps, sets, row = _counted(count_total, list_of_references, hypotheses, weights)
    if not hyps:
        raise ZeroDivisionError("there are no segments to score")
    max_order = len(row) // 2 - 1
    for length in map(len, hyps):
        for order in range(length, max_order):  # without n-grams, NLTK counts 1
            row[2 + max_order + order] += 1
    smooth = smoothing_function or _NO_SMOOTHING
    scores = _score(row, sets, smooth, auto_reweigh, lists[-1], hyps[-1])
    return scores[0] if len(sets) == 1 else scores


def sentence_bleu_batch(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Sequence[float] | WeightSets = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Float64:
    """Score each segment in one call, as a loop over `sentence_bleu` would.

    Parameters
    ----------
    list_of_references, hypotheses, weights, smoothing_function, auto_reweigh
        As for `corpus_bleu`. Methods 0 to 4 of `SmoothingFunction` smooth all segments at once;
        any other function is called for each segment.

    Returns
    -------
    float64 array (segments,), or (segments, W) for W sets of weights
        Equal to the loop's results, bit for bit. Warnings are given once per order.

    Raises
    ------
    AssertionError, KeyError, ValueError
        As for `corpus_bleu`. Empty input is not an error.

    Examples
    --------
    >>> from vecbleu.nltk import sentence_bleu_batch
    >>> references = [["the cat sat".split()], ["a dog barked".split()]]
    >>> hypotheses = ["the cat sat".split(), "the dog barked".split()]
    >>> sentence_bleu_batch(references, hypotheses, weights=(0.5, 0.5)).round(4).tolist()
    [1.0, 0.5774]
    """
    lists, hyps, sets, rows = _counted(count_rows, list_of_references, hypotheses, weights)
    totals = np.split(rows[:, 2:], 2, axis=1)[1]
    np.maximum(totals, 1, out=totals)
    matching = np.flatnonzero(rows[:, 2] * max(map(len, sets)))  # all score 0 without weights
    smooth = smoothing_function or _NO_SMOOTHING
    scores = np.zeros((len(rows), len(sets)))
    computed = _score_rows(rows[matching], sets, smooth, auto_reweigh)
    if computed is not None:
        scores[matching] = computed
    else:
        for i in matching.tolist():
            row = rows[i].tolist()
            scores[i] = _score(row, sets, smooth, auto_reweigh, lists[i], hyps[i])
    return scores[:, 0] if len(sets) == 1 else scores


def _counted(count: Any, lists: Any, hypotheses: Any, weights: Any) -> tuple[Any, Any, Any, Any]:
    """Return references, hypotheses and sets of weights as lists, and what `count` returns."""
    if isinstance(lists, SharedReferences):
        lists = [lists] * len(hypotheses)
    if len(lists) != len(hypotheses):
        raise AssertionError(
            f"list_of_references has {len(lists)} segments but hypotheses has {len(hypotheses)}"
        )
    try:
        weights[0][0]  # NLTK's test for several sets of weights
    except (TypeError, IndexError):
        weights = [weights]
    lists, hypotheses, max_order = [*lists], [*hypotheses], max(1, *map(len, weights))
    shared = _shared_references(lists, max_order)
    if shared is not None:
        rows = [hyp if type(hyp) is list else [*hyp] for hyp in hypotheses]
        corpus = align(rows, shared)
    elif all(map(len, lists)):
        corpus = sequence_corpus(Corpus.of_lists(TOKENS, hypotheses, lists))
    else:
        segment = [*map(len, lists)].index(0)
        error = KeyError if len(hypotheses[segment]) else ValueError
        raise error(f"list_of_references[{segment}] is empty: there is no reference")
    counts = count(corpus, _COUNTING._replace(max_order=max_order))
    return lists, hypotheses, [*weights], counts


def _shared_references(lists: list[Any], max_order: int) -> SharedReferences | None:
    """Return references that all segments share; None if they differ, or are too small."""
    if not lists or not all(map(is_, lists, repeat(lists[0]))):
        return None
    if isinstance(lists[0], SharedReferences):
        return lists[0]
    if len(lists) < _FEWEST_SEGMENTS or not set(map(type, lists[0])) <= {list, tuple}:
        return None
    pays = len(lists) * sum(map(len, lists[0])) >= _FEWEST_TOKENS
    return SharedReferences([*lists[0]], max_order=max_order) if pays else None


def _score(
    row: list[int], sets: list[Any], smooth: Smoothing, auto_reweigh: bool, *segment: Any
) -> list[float]:
    """Score one row of counts, once for each set of weights."""
    order = max(map(len, sets))
    if not order or not row[2]:
        return [0] * len(sets)
    hyp_len, ref_len = row[:2]
    references, hypothesis = segment
    if isinstance(references, SharedReferences):
        references = references.side.hypotheses
    p_n = [*map(Fraction, row[2 : 2 + order], row[2 + order :])]
    smoothed = smooth(p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len)
    penalty = smoothing.brevity_penalty(ref_len, hyp_len)
    scores = []
    for weights in sets:
        if auto_reweigh and hyp_len < 4 and weights == _UNIFORM:
            weights = (1 / hyp_len,) * hyp_len
        terms = (w * math.log(p) for w, p in zip(weights, smoothed, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(terms)))
    return scores


def _score_rows(
    rows: Int64, sets: list[Any], smooth: Smoothing, auto_reweigh: bool
) -> Float64 | None:
    """Return scores (S, W) of rows with matches; None if they need Python's arithmetic."""
    if not set(map(type, chain.from_iterable(sets))) <= {int, float, np.int64, np.float64}:
        return None  # NumPy may compute differently with other types
    hyp_len, ref_len, *counts = np.ascontiguousarray(rows.T)
    if auto_reweigh and (hyp_len < 4).any():
        return None
    matches, totals = np.split(np.array(counts), 2)
    p_n = smoothing.smooth_rows(smooth, matches, totals, hyp_len)
    if p_n is None:
        return None
    logs = libm_map(math.log, np.where(p_n > 0, p_n, 1.0))
    penalty = libm_map(math.exp, np.minimum(1 - ref_len / hyp_len, 0.0))
    columns = [np.array(weights, float)[:, None] for weights in sets]
    means = [fsum(column * logs[: len(column)]) for column in columns]
    return (penalty * libm_map(math.exp, np.array(means))).T

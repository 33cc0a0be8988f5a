"""BLEU of blocks and tables, in NumPy: the same digits as in `plain`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from vecbleu.bleu.columns import joined_columns, split_columns
from vecbleu.bleu.libm import fsum, libm_map
from vecbleu.bleu.options import ScoreOptions
from vecbleu.bleu.plain import LOG_ZERO, score_row
from vecbleu.kernel.arrays import Counts, Float64, Int64, Mask, keep_freed_memory
from vecbleu.kernel.matches import clipped_matches, reference_lengths
from vecbleu.kernel.packed import Symbols, packed_matches
from vecbleu.kernel.ragged import Integers, Ragged, lengths_of
from vecbleu.sets.keys import distinct

# Upper bound of codes of rows.
_MOST_CODE = 1 << 62

# Up to this many rows, plain Python is faster: NumPy takes as many calls for any number of rows.
_FEW_ROWS = 16


def count_units(units: Ragged | Symbols, segments: Int64, max_order: int, ref_length: str) -> Int64:
    """Count segments (S, 2 + 2N); the first unit of each is its hypothesis."""
    keep_freed_memory()
    lengths = units.lengths
    is_hypothesis = np.zeros(len(lengths), bool)
    is_hypothesis[segments[:-1]] = True
    hyp_len = lengths[is_hypothesis]
    of_references = lengths[~is_hypothesis]
    ref_len = reference_lengths(hyp_len, of_references, lengths_of(segments) - 1, ref_length)
    if isinstance(units, Symbols):
        matches = packed_matches(units, segments, max_order)
    else:
        matches = clipped_matches(units, segments, max_order)
    return joined_columns(hyp_len, ref_len, matches)


def array_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """Compute BLEU of counts (..., 2 + 2N), between 0 and 1."""
    return bleu_and_percent(array, options)[0]


def bleu_and_percent(array: Counts, options: ScoreOptions) -> tuple[Float64, Float64]:
    """Compute BLEU of counts (..., 2 + 2N); return it twice: between 0 and 1, and 0 and 100."""
    hyp_len = split_columns(array)[0]
    if 0 < hyp_len.size <= _FEW_ROWS:
        rows = array.reshape(-1, array.shape[-1]).tolist()
        pairs = np.array([score_row(row, options)[:2] for row in rows])
        scores, percents = pairs.T.reshape(2, *hyp_len.shape)
        return scores, percents
    if options.weights is None:
        percents = _sacrebleu_score(array, options)
        return percents / 100, percents
    scores = _nltk_score(array, options.weights, options)
    return scores, 100 * scores


def _sacrebleu_score(array: Counts, options: ScoreOptions) -> Float64:
    """Compute BLEU without weights, between 0 and 100, in sacreBLEU's order of operations.

    Add the logarithms from the left. sacreBLEU uses the built-in sum, whose rounding changed with
    Python 3.12; published scores were added from the left.
    """
    hyp_len, ref_len, matches, totals = _orders_first(array)
    precisions, reached = smoothed_precisions(matches, totals, 100.0, options)
    total = np.zeros(hyp_len.shape)
    orders = np.full(hyp_len.shape, len(precisions))
    logs = _logarithms(precisions, LOG_ZERO)
    if options.effective_order:
        logs = np.where(reached, logs, 0.0)
        orders = np.maximum(reached.sum(axis=0), 1)
    for log in logs:
        total = total + log
    means = libm_map(math.exp, total / orders)
    has_score = matches.any(axis=0) & reached[0]
    return np.where(has_score, _brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def _nltk_score(array: Counts, weights: Sequence[float], options: ScoreOptions) -> Float64:
    """Compute BLEU with weights, between 0 and 1, in NLTK's order of operations."""
    hyp_len, ref_len, matches, totals = _orders_first(array)
    precisions, reached = smoothed_precisions(matches, totals, 1.0, options)
    precisions, reached = precisions[: len(weights)], reached[: len(weights)]
    shares = np.reshape(weights, (-1, *[1] * hyp_len.ndim))
    if options.effective_order:  # orders not reached give their weights to the others
        kept = np.where(reached, shares, 0.0)
        # The built-in sum: NumPy's order of additions depends on the number of segments.
        total, whole = np.asarray(sum(kept)), np.asarray(sum(shares))
        shares = kept * (whole / np.where(total > 0, total, 1.0))
    weighs = shares > 0
    has_score = matches.any(axis=0) & weighs.any(axis=0)
    if options.smoothing != "skip-zero":
        has_score &= ~((precisions == 0) & weighs).any(axis=0)
    logs = _logarithms(np.where(has_score, precisions, 1.0), 0.0)
    means = libm_map(math.exp, fsum(shares * logs))
    return np.where(has_score, _brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def _orders_first(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (N, ...).

    Scoring loops over orders, which would take twice as long with orders last.
    """
    hyp_len, ref_len, matches, totals = split_columns(np.asfortranarray(array))
    last_first = -1, *range(array.ndim - 1)
    return hyp_len, ref_len, matches.transpose(last_first), totals.transpose(last_first)


def smoothed_precisions(
    matches: Counts, totals: Counts, scale: float, options: ScoreOptions
) -> tuple[Float64, Mask]:
    """Return smoothed precisions (N, ...) between 0 and `scale`, and a mask of orders reached.

    An order is reached if it and all lower orders have n-grams. The precisions of other orders are
    0, as in sacreBLEU. The methods are numbered as in Chen and Cherry (2014).
    """
    smoothing = options.smoothing
    value = options.smoothing_value or 0.0
    if smoothing == "add-k":  # add `value` to both for n > 1 (method 2; Lin and Och 2004)
        matches, totals = matches.astype(np.float64), totals.astype(np.float64)
        matches[1:] += value
        totals[1:] += value
    reached: Mask = totals > 0
    for order in range(1, len(totals)):
        reached[order] &= reached[order - 1]
    precisions = _divide(scale * matches, totals, reached)
    zero = reached & (matches == 0)
    if smoothing == "floor":  # replace 0 matches by `value` (method 1)
        precisions = np.where(zero, _divide(scale * value, totals, zero), precisions)
    if smoothing == "exp":  # replace the k-th 0 by 1 / 2**k (method 3; mteval-v13a)
        divisors = np.ldexp(totals.astype(np.float64), zero.cumsum(axis=0, dtype=np.intc))
        precisions = np.where(zero, _divide(scale, divisors, zero), precisions)
    return precisions, reached


def _divide(numerators: Counts | float, denominators: Counts, where: Mask) -> Float64:
    """Divide where the mask is True, else return 0."""
    return np.divide(numerators, denominators, out=np.zeros(where.shape), where=where)


def _logarithms(precisions: Float64, of_zero: float) -> Float64:
    """Return logarithms with the digits of the C library, and `of_zero` for 0."""
    zero = precisions == 0
    return np.where(zero, of_zero, libm_map(math.log, np.where(zero, 1.0, precisions)))


def _brevity_penalty(hyp_len: Counts, ref_len: Counts) -> Float64:
    """Compute 1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for hyp_len 0."""
    short = hyp_len < ref_len
    penalty = np.where(short, 0.0, 1.0)
    is_penalized = short & (hyp_len > 0)
    penalty[is_penalized] = libm_map(math.exp, 1 - ref_len[is_penalized] / hyp_len[is_penalized])
    return penalty


def array_pair_bleu(
    hyp_len: Int64, ref_len: Int64, matches: Integers, options: ScoreOptions
) -> Float64:
    """Return BLEU of pairs (pairs,), from lengths (pairs,) and matches (orders, pairs).

    Brevity penalties depend on lengths alone, and all else on hyp_len and matches. So each distinct
    row of either is computed once: 262,144 pairs of sentences have only a few thousand.
    """
    scores = np.zeros(len(hyp_len))
    is_strict = options.smoothing == "none" and not (options.weights or options.effective_order)
    pairs: Any = np.flatnonzero(matches[-1 if is_strict else 0])  # all others score 0
    if 2 * len(pairs) > len(scores):  # a copy would take longer
        pairs = slice(None)
    hyp, ref, *counts = (column[pairs] for column in (hyp_len, ref_len, *matches))
    first, numbers = distinct(_codes([hyp, ref]))
    penalties = _brevity_penalty(hyp[first], ref[first])[numbers]
    first, numbers = distinct(_codes([hyp, *counts]))
    known = np.stack([column[first] for column in counts], axis=1)
    # Without reference lengths, there is no brevity penalty.
    score, percent = bleu_and_percent(joined_columns(hyp[first], 0 * first, known), options)
    if options.weights is None:
        scores[pairs] = penalties * percent[numbers] / 100
    else:
        scores[pairs] = penalties * score[numbers]
    return scores


def _codes(columns: list[Integers]) -> Int64:
    """Return a number for each row of the columns; equal rows have equal numbers."""
    codes: Int64 = np.zeros(len(columns[0]), np.int64)
    bound = 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if bound * size > _MOST_CODE:  # renumber, since few rows are distinct
            known, numbers = np.unique(codes, return_inverse=True)
            codes = numbers.astype(np.int64)
            bound = len(known)
        codes *= size
        codes += column
        bound *= size
    return codes

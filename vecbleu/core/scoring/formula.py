"""Statistics (..., 2 + 2N) to BLEU: a pure function of the counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vecbleu.core.arrays import Counts, Float64
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.libm import fsum, libm_map
from vecbleu.core.scoring.smoothing import (
    LOG_ZERO,
    along_orders,
    orders_reached,
    smoothed_precisions,
)
from vecbleu.core.statistics.columns import columns_first, split_columns

# Rows that plain Python scores in the time of the sixty calls of NumPy for any number.
_FEW_ROWS = 24


def bleu_and_percent(array: Counts, options: ScoreOptions) -> tuple[Float64, Float64]:
    """Compute BLEU of statistics (..., columns), between 0 and 1 and between 0 and 100."""
    hyp_len = split_columns(array)[0]
    if 0 < hyp_len.size <= _FEW_ROWS:
        rows = array.reshape(-1, array.shape[-1]).tolist()
        found = np.array([score_row(row, options)[:2] for row in rows])
        of_rows, of_hundred = (found[:, place].reshape(hyp_len.shape)[()] for place in range(2))
        return of_rows, of_hundred
    if options.weights is None:
        percents = percent_bleu(array, options)
        return percents / 100, percents
    scores = weighted_bleu(array, options)
    return scores, 100 * scores


def array_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """Compute BLEU between 0 and 1 of statistics (..., columns)."""
    return bleu_and_percent(array, options)[0]


def percent_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """Compute sacreBLEU's score (...), 0 to 100, in its order of operations.

    The logarithms are added from the left on every Python. sacreBLEU uses the built-in sum, whose
    digits changed with Python 3.12; the published scores are those of the plain sum.
    """
    hyp_len, ref_len, matches, totals = columns_first(array)
    precisions = smoothed_precisions(matches, totals, 100.0, options)  # (N, ...)
    orders = np.full(hyp_len.shape, len(precisions))
    if options.effective_order:
        orders = np.maximum(orders_reached(totals, options), 1)
    total = np.zeros(hyp_len.shape)
    for order, logs in enumerate(logarithms(precisions, LOG_ZERO)):
        total = total + np.where(order < orders, logs, 0.0)
    means = libm_map(math.exp, total / orders)
    return np.where(matches.any(axis=0), brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def weighted_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """Compute BLEU with weights (...), 0 to 1, in NLTK's order of operations."""
    assert options.weights is not None
    hyp_len, ref_len, matches, totals = columns_first(array)
    weights = np.asarray(options.weights)
    precisions = smoothed_precisions(matches, totals, 1.0, options)[: len(weights)]  # (N, ...)
    shares = along_orders(weights, totals)
    if options.effective_order:
        shares = shares_of_reached(shares, orders_reached(totals, options))
    has_score = matches.any(axis=0) & (shares > 0).any(axis=0)
    if options.smoothing != "skip-zero":
        has_score &= ~((precisions == 0) & (shares > 0)).any(axis=0)
    means = weighted_mean(np.where(has_score, precisions, 1.0), shares)
    return np.where(has_score, brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def shares_of_reached(weights: Float64, reached: Counts) -> Float64:
    """Scale the weights of the reached orders up to the sum of all; 0 where they have none."""
    kept = np.where(along_orders(np.arange(len(weights)), weights) < reached, weights, 0.0)
    # NumPy's sum adds in an order that depends on how many segments there are.
    total, whole = np.asarray(sum(kept)), np.asarray(sum(weights))
    shares: Float64 = kept * (whole / np.where(total > 0, total, 1.0))
    return shares


def weighted_mean(precisions: Float64, weights: Float64) -> Float64:
    """Compute exp(fsum(w_n * ln p_n)) over the precisions above zero: (N, ...) -> (...)."""
    return libm_map(math.exp, fsum(weights * logarithms(precisions, 0.0)))


def logarithms(precisions: Float64, of_zero: float) -> Float64:
    """Return the C library's logarithms, and `of_zero` for precisions of zero."""
    zero = precisions == 0
    return np.where(zero, of_zero, libm_map(math.log, np.where(zero, 1.0, precisions)))


def brevity_penalty(hyp_len: Counts, ref_len: Counts) -> Float64:
    """Compute 1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for hyp_len 0."""
    short = np.asarray(hyp_len < ref_len)
    penalty = np.where(short, 0.0, 1.0)
    some = short & (hyp_len > 0)
    penalty[some] = libm_map(math.exp, 1 - ref_len[some] / hyp_len[some])
    return penalty


class RowScore(NamedTuple):
    """The score of one row, and its parts."""

    score: float  # 0 to 1
    percent: float
    precisions: list[float]  # 0 to 100
    penalty: float


def score_row(row: Sequence[int], options: ScoreOptions) -> RowScore:
    """Score one row in plain Python, to the same digits as arrays."""
    hyp_len, ref_len = row[0], row[1]
    middle = len(row) // 2 + 1
    matches, totals = row[2:middle], row[middle:]
    penalty = 1.0
    if hyp_len < ref_len:
        penalty = math.exp(1 - float(ref_len) / float(hyp_len)) if hyp_len else 0.0
    precisions, reached = _row_precisions(matches, totals, 100.0, options)
    if not any(matches):
        return RowScore(0.0, 0.0, [0.0] * len(precisions), penalty)
    if options.weights is None:
        percent = penalty * _row_mean(precisions, reached, options)
        return RowScore(percent / 100, percent, precisions, penalty)
    used, _ = _row_precisions(matches, totals, 1.0, options)
    score = penalty * _row_weighted(used, reached, options.weights, options)
    return RowScore(score, 100 * score, precisions, penalty)


def _row_precisions(
    matches: Sequence[float], totals: Sequence[float], scale: float, options: ScoreOptions
) -> tuple[list[float], int]:
    """Smoothed precisions; the number of orders before the first one without n-grams."""
    smoothing, value = options.smoothing, options.smoothing_value or 0.0
    if smoothing == "add-k":
        matches, totals = (
            [one[0], *(count + value for count in one[1:])] for one in (matches, totals)
        )
    precisions = [0.0] * len(matches)
    zeros = 0
    for order, (match, total) in enumerate(zip(matches, totals, strict=True)):
        if not total:
            return precisions, order
        if match:
            precisions[order] = scale * match / total
        elif smoothing == "floor":
            precisions[order] = scale * value / total
        elif smoothing == "exp":
            zeros += 1
            precisions[order] = scale / (2.0**zeros * total)
    return precisions, len(precisions)


def _row_mean(precisions: list[float], reached: int, options: ScoreOptions) -> float:
    """SacreBLEU's mean of logarithms."""
    orders = max(reached, 1) if options.effective_order else len(precisions)
    total = 0.0
    for precision in precisions[:orders]:
        total += math.log(precision) if precision else LOG_ZERO
    return math.exp(total / orders)


def _row_weighted(
    precisions: list[float], reached: int, weights: Sequence[float], options: ScoreOptions
) -> float:
    """NLTK's weighted mean of logarithms; 0 where no order that is reached has a weight."""
    if options.effective_order:
        kept = [weight if order < reached else 0.0 for order, weight in enumerate(weights)]
        scale = _sum(weights) / (_sum(kept) or 1.0)
        weights = [weight * scale for weight in kept]
    pairs = [*zip(weights, precisions, strict=False)]
    if not any(weights):
        return 0.0
    if options.smoothing != "skip-zero" and any(weight and not used for weight, used in pairs):
        return 0.0
    return math.exp(math.fsum(weight * math.log(used) for weight, used in pairs if used))


def _sum(weights: Sequence[float]) -> float:
    """Add from the left, which the built-in sum does not from Python 3.12 on."""
    total = 0.0
    for weight in weights:
        total += weight
    return total

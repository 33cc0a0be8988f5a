"""Statistics (..., 2 + 2N) to BLEU: a pure function of the counts."""

from __future__ import annotations

import math

import numpy as np

from vecbleu.core.arrays import Counts, Float64
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.libm import fsum, libm_map
from vecbleu.core.scoring.rows import are_few, few_bleu_and_percent
from vecbleu.core.scoring.smoothing import (
    LOG_ZERO,
    along_orders,
    orders_reached,
    smoothed_precisions,
)
from vecbleu.core.statistics.columns import columns_first, split_columns


def bleu_and_percent(array: Counts, options: ScoreOptions) -> tuple[Float64, Float64]:
    """BLEU of statistics (..., columns) on 0 to 1 and on 0 to 100.

    Both (...), or (..., W) for several sets of weights.
    """
    hyp_len, _, matches, _ = split_columns(array)
    if are_few(hyp_len.size, matches.shape[-1], options):
        return few_bleu_and_percent(array, options)
    if options.weights is None:
        percents = percent_bleu(array, options)
        return percents / 100, percents
    scores = weighted_bleu(array, options)
    if not options.several:
        scores = scores[..., 0][()]  # a scalar for one row
    return scores, 100 * scores


def array_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """BLEU on 0 to 1 of statistics (..., columns): (...), or (..., W) for W sets of weights."""
    return bleu_and_percent(array, options)[0]


def percent_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """SacreBLEU's score (...), 0 to 100, in its order of operations: the mean of logarithms.

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
    scores = np.where(matches.any(axis=0), brevity_penalty(hyp_len, ref_len) * means, 0.0)
    percents: Float64 = scores[()]  # a scalar for one row
    return percents


def weighted_bleu(array: Counts, options: ScoreOptions) -> Float64:
    """NLTK's arithmetic for each set of weights (..., W), 0 to 1."""
    assert options.weights is not None
    hyp_len, ref_len, matches, totals = columns_first(array)
    precisions = smoothed_precisions(matches, totals, 1.0, options)  # (N, ...)
    penalty = np.where(matches.any(axis=0), brevity_penalty(hyp_len, ref_len), 0.0)
    scores = np.empty((*hyp_len.shape, len(options.weights)))
    for index, weights in enumerate(options.weights):
        shares = along_orders(np.asarray(weights), totals)
        if options.effective_order:
            shares = shares_of_reached(shares, orders_reached(totals, options))
        used = precisions[: len(weights)]
        score = penalty * weighted_mean(used, shares)
        if options.smoothing != "skip-zero":
            score = np.where(((used == 0) & (shares > 0)).any(axis=0), 0.0, score)
        scores[..., index] = score
    return scores


def shares_of_reached(weights: Float64, reached: Counts) -> Float64:
    """Scale the weights of the reached orders up to the sum of all."""
    kept = np.where(along_orders(np.arange(len(weights)), weights) < reached, weights, 0.0)
    # NumPy's sum adds in an order that depends on how many segments there are.
    total, whole = np.asarray(sum(kept)), np.asarray(sum(weights))
    total = np.where(total > 0, total, 1.0)
    with np.errstate(over="ignore", invalid="ignore"):  # a quotient of tiny weights is infinite
        scale = whole / total
        shares: Float64 = np.where(scale < np.inf, kept * scale, kept / total * whole)
    return shares


def weighted_mean(precisions: Float64, weights: Float64) -> Float64:
    """exp(fsum(w_n * ln p_n)) over the precisions above zero (N, ...) -> (...)."""
    return libm_map(math.exp, fsum(weights * logarithms(precisions, 0.0)))


def logarithms(precisions: Float64, of_zero: float) -> Float64:
    """The C library's logarithms, and one for the precisions that are zero."""
    zero = precisions == 0
    return np.where(zero, of_zero, libm_map(math.log, np.where(zero, 1.0, precisions)))


def brevity_penalty(hyp_len: Counts, ref_len: Counts) -> Float64:
    """1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for an empty hypothesis."""
    short = np.asarray(hyp_len < ref_len)
    penalty = np.where(short, 0.0, 1.0)
    some = short & (hyp_len > 0)
    penalty[some] = libm_map(math.exp, 1 - ref_len[some] / hyp_len[some])
    return penalty

"""BLEU of few rows of statistics, in plain Python: the digits of `formula`, without its fixed cost.

Scoring arrays takes some sixty NumPy calls for a row, which `MOST_ROWS` rows cost here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core.arrays import Counts, Float64
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.smoothing import LOG_ZERO

MOST_ROWS = 24

# From here on arrays warn of what overflows, quotients of weights among it; Python does not.
_MOST_ORDERS = 64
_MOST_VALUE = 1e100


# BLEU with each set of weights on 0 to 1, and on 0 to 100; precisions, 0 to 100; brevity penalty.
RowScore = tuple[list[float], list[float], list[float], float]


def are_few(rows: int, orders: int, options: ScoreOptions) -> bool:
    """Whether rows are scored here."""
    if not 0 < rows <= MOST_ROWS or orders > _MOST_ORDERS:
        return False
    weights = {*chain.from_iterable(options.weights or ())} - {0.0}
    smallest, largest = min(weights, default=1.0), max(weights, default=0.0)
    largest = max(largest, options.smoothing_value or 0.0)
    return smallest >= 1 / _MOST_VALUE and largest <= _MOST_VALUE


def few_bleu_and_percent(array: Counts, options: ScoreOptions) -> tuple[Float64, Float64]:
    """`bleu_and_percent` of few rows."""
    *lead, columns = array.shape
    orders = columns // 2 - 1
    rows = (
        score_row(hyp_len, ref_len, counts[:orders], counts[orders:], options)
        for hyp_len, ref_len, *counts in array.reshape(-1, columns).tolist()
    )
    results = np.array([row[:2] for row in rows])  # (rows, 2, sets of weights)
    shape = *lead, *([results.shape[2]] if options.several else [])
    scores, percents = (results[:, place].reshape(shape)[()] for place in range(2))
    return scores, percents


def score_row(
    hyp_len: int, ref_len: float, matches: list[Any], totals: list[Any], options: ScoreOptions
) -> RowScore:
    """Score one row."""
    penalty = 1.0
    if hyp_len < ref_len:
        penalty = math.exp(1 - float(ref_len) / float(hyp_len)) if hyp_len else 0.0
    some = any(matches)
    precisions, reached = _precisions(matches, totals, 100.0, options)
    if options.weights is None:
        percent = penalty * _mean(precisions, reached, options) if some else 0.0
        scores, percents = [percent / 100], [percent]
    else:
        used, _ = _precisions(matches, totals, 1.0, options)
        shared = penalty if some else 0.0
        scores = [shared * _weighted(used, reached, one, options) for one in options.weights]
        percents = [100 * score for score in scores]
    return scores, percents, precisions if some else [0.0] * len(precisions), penalty


def _precisions(
    matches: list[Any], totals: list[Any], scale: float, options: ScoreOptions
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


def _mean(precisions: list[float], reached: int, options: ScoreOptions) -> float:
    """SacreBLEU's mean of logarithms."""
    orders = max(reached, 1) if options.effective_order else len(precisions)
    total = 0.0
    for precision in precisions[:orders]:
        total += math.log(precision) if precision else LOG_ZERO
    return math.exp(total / orders)


def _weighted(
    precisions: list[float], reached: int, weights: Sequence[float], options: ScoreOptions
) -> float:
    """NLTK's weighted mean of logarithms."""
    used = precisions[: len(weights)]
    if options.effective_order:
        kept = [weight if order < reached else 0.0 for order, weight in enumerate(weights)]
        scale = _sum(weights) / (_sum(kept) or 1.0)
        weights = [weight * scale for weight in kept]
    pairs = [*zip(weights, used, strict=False)]
    if options.smoothing != "skip-zero" and any(weight and not used for weight, used in pairs):
        return 0.0
    return math.exp(math.fsum(weight * math.log(used) for weight, used in pairs if used))


def _sum(weights: Sequence[float]) -> float:
    """The sum from the left, which the built-in one is not from Python 3.12 on."""
    total = 0.0
    for weight in weights:
        total += weight
    return total

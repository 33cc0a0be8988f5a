"""BLEU in plain Python: count segments, and score a row.

This is the definition, and the fastest way for a few segments.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import NamedTuple

from vecbleu.bleu.options import RefLength, ScoreOptions
from vecbleu.kernel.plain import Tokens, segment_matches

# What sacreBLEU takes for the logarithm of 0.
LOG_ZERO = -9999999999.0


def count_segments(
    hypotheses: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    max_order: int,
    ref_length: RefLength,
) -> list[list[int]]:
    """Count segments; return rows of hyp_len, ref_len, N matches and N totals."""
    rows = []
    for hypothesis, lists in zip(hypotheses, references, strict=True):
        length = len(hypothesis)
        lengths = list(map(len, lists))
        ref_len = ref_len_of(lengths, length, ref_length)
        totals = [max(length - shorter, 0) for shorter in range(max_order)]
        rows.append([length, ref_len, *segment_matches(hypothesis, lists, max_order), *totals])
    return rows


def ref_len_of(lengths: Sequence[int], hyp_len: int, ref_length: RefLength) -> int:
    """Choose the reference length of a segment: the closest, shortest or longest."""
    if ref_length == "closest":
        return min(lengths, key=lambda length: (abs(length - hyp_len), length))
    choose = {"shortest": min, "longest": max}[ref_length]
    return choose(lengths)


class RowScore(NamedTuple):
    """The score of one row, and its parts."""

    score: float  # 0 to 1
    percent: float
    precisions: list[float]  # 0 to 100
    penalty: float


def score_row(row: Sequence[float], options: ScoreOptions) -> RowScore:
    """Score one row in plain Python, with the same digits as arrays."""
    hyp_len = row[0]
    ref_len = row[1]
    middle = len(row) // 2 + 1
    matches = row[2:middle]
    totals = row[middle:]
    penalty = 1.0
    if hyp_len < ref_len:
        penalty = math.exp(1 - float(ref_len) / float(hyp_len)) if hyp_len else 0.0
    precisions, reached = row_precisions(matches, totals, 100.0, options)
    if not any(matches):
        return RowScore(0.0, 0.0, [0.0] * len(precisions), penalty)
    if options.weights is None:
        orders = max(reached, 1) if options.effective_order else len(precisions)
        total = 0.0
        for precision in precisions[:orders]:
            total += math.log(precision) if precision else LOG_ZERO
        percent = penalty * math.exp(total / orders)
        return RowScore(percent / 100, percent, precisions, penalty)
    fractions, _ = row_precisions(matches, totals, 1.0, options)
    score = penalty * _weighted_mean(fractions, reached, options.weights, options)
    return RowScore(score, 100 * score, precisions, penalty)


def row_precisions(
    matches: Sequence[float], totals: Sequence[float], scale: float, options: ScoreOptions
) -> tuple[list[float], int]:
    """Return the smoothed precisions of one row, and the number of orders reached."""
    smoothing = options.smoothing
    value = options.smoothing_value or 0.0
    precisions = [0.0] * len(matches)
    zeros = 0
    for order, (match, total) in enumerate(zip(matches, totals, strict=True)):
        if order and smoothing == "add-k":
            match += value
            total += value
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


def _weighted_mean(
    precisions: list[float], reached: int, weights: Sequence[float], options: ScoreOptions
) -> float:
    """Return NLTK's weighted geometric mean; 0 if a weighted precision or all weights are 0."""
    if options.effective_order:
        kept = [weight if order < reached else 0.0 for order, weight in enumerate(weights)]
        # From the left; the built-in sum corrects rounding since Python 3.12.
        scale = reduce(add, weights) / (reduce(add, kept) or 1.0)
        weights = [weight * scale for weight in kept]
    pairs = list(zip(weights, precisions, strict=False))
    if not any(weights):
        return 0.0
    if options.smoothing != "skip-zero" and any(weight and not p for weight, p in pairs):
        return 0.0
    return math.exp(math.fsum(weight * math.log(p) for weight, p in pairs if p))

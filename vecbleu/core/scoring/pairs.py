"""Scores of many pairs of units, most of which share their statistics with others.

A pair's score depends on two lengths and some small counts. Each distinct row of these is scored
once, by the formula: among 262,144 pairs of news sentences there are some thousands.
"""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Float64, Index, Int64
from vecbleu.core.kernel.distinct import representatives
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.formula import array_bleu

# Numbers that codes stay below.
_MOST_CODE = 1 << 62


def needed_order(max_order: int, options: ScoreOptions) -> int:
    """The order without a match of which a score is 0, the highest such one."""
    if options.smoothing != "none" or options.effective_order:
        return 1
    if options.weights is None:
        return max_order
    return max((order for order, weight in enumerate(options.weights, 1) if weight), default=1)


def pair_scores(hyp_len: Int64, ref_len: Int64, matches: Int64, options: ScoreOptions) -> Float64:
    """BLEU of pairs (pairs,), or (pairs, W); lengths are (pairs,), matches (orders, pairs)."""
    representatives, numbers = _distinct([hyp_len, ref_len, *matches])
    lengths = hyp_len[representatives]
    totals = np.maximum(lengths[:, None] - np.arange(len(matches)), 0)
    columns = lengths, ref_len[representatives], *matches[:, representatives], *totals.T
    scores: Float64 = array_bleu(np.stack(columns, axis=1), options)[numbers]
    return scores


def _distinct(columns: list[Int64]) -> tuple[Index, Index]:
    """Distinct rows of columns of numbers from 0 on: where one of each is; which each row is."""
    places = representatives(_codes(columns))
    is_one = np.zeros(len(places), bool)
    is_one[places] = True
    numbers = np.cumsum(is_one) - 1
    return np.flatnonzero(is_one), numbers[places]


def _codes(columns: list[Int64]) -> Int64:
    """A number for each row, one to one."""
    codes: Int64 = np.zeros(len(columns[0]), np.int64)
    bound = 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if bound * size > _MOST_CODE:  # few rows are distinct
            found, numbers = np.unique(codes, return_inverse=True)
            codes, bound = numbers.astype(np.int64), len(found)
        codes = codes * size
        codes += column
        bound *= size
    return codes

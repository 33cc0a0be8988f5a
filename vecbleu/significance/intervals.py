"""How certain one system's score is: bootstrap intervals and the jackknife."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vecbleu.core.options import ScoreOptions, Smoothing, WeightSet
from vecbleu.core.scoring.formula import array_bleu, bleu_and_percent
from vecbleu.core.statistics.columns import row_slices
from vecbleu.core.statistics.table import Statistics
from vecbleu.significance.resampling import (
    SEED,
    DrawOptions,
    Rng,
    central_interval,
    draw_sums,
    side_by_side,
)
from vecbleu.significance.results import Interval, Jackknife
from vecbleu.significance.systems import check_rows


def bootstrap(
    statistics: Statistics,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    rng: Rng = SEED,
    batch: int | None = None,
    progress: bool | None = False,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Interval:
    """Estimate a confidence interval of a corpus score by the percentile bootstrap.

    Segments are drawn with replacement to make corpora of the same size, which are scored. Of n
    sorted scores, the k-th lowest and the k-th highest bound the interval, with k - 1 the whole
    part of n * (1 - level) / 2: sacreBLEU's rule for 95%, at any level.

    Parameters
    ----------
    statistics : Statistics
        A row for each segment.
    resamples : int
        Number of resampled corpora, n.
    level : float
        Confidence level: the share of the resampled scores inside, between 0 and 1.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    batch : int, optional
        Resamples held in memory at a time. The result does not depend on it.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    Interval

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, outside its range, or a sum of segments.

    Notes
    -----
    Draws are sacreBLEU's, so the digits are, too, as far as it prints them: it adds and divides
    float32, which errs in the seventh.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import bootstrap
    >>> stats = vecbleu.statistics(["a b c d e", "a b c x"], ["a b c d e", "a b c d"])
    >>> bootstrap(stats, rng=0, smoothing="exp")
    Interval(score=0.7984, mean=0.7646, lower=0.5000, upper=1.0000, level=0.95)

    References
    ----------
    Koehn (2004), "Statistical significance tests for machine translation evaluation", EMNLP.
    """
    check_rows(statistics)
    score = weights, smoothing, smoothing_value, effective_order
    options = ScoreOptions.checked(statistics.max_order, *score).single("an interval")
    level = _checked_level(level)
    draws = DrawOptions("bootstrap", resamples, rng, batch, progress)
    sums = draw_sums(side_by_side([statistics]), draws)
    # From percentages, for the digits to be those of the paired bootstrap.
    scores = bleu_and_percent(sums, options)[1] / 100
    lower, upper = central_interval(scores, level)
    own = float(array_bleu(statistics.sum().to_array(), options))
    return Interval(own, float(scores.mean()), float(lower), float(upper), level, scores)


def _checked_level(level: Any) -> float:
    """A confidence level as the user passed it."""
    if not isinstance(level, (int, float)) or isinstance(level, bool):
        raise TypeError(f"level is {level!r}, expected a number")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, expected a number between 0 and 1")
    return float(level)


def jackknife(
    statistics: Statistics,
    *,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Jackknife:
    """Estimate the standard error and the bias of a corpus score by the jackknife.

    The corpus is scored without each of its segments: leave one out.

    Parameters
    ----------
    statistics : Statistics
        A row for each segment.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    Jackknife

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, outside its range, or a sum of segments.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import jackknife
    >>> stats = vecbleu.statistics(["a b c d e", "a b c x"], ["a b c d e", "a b c d"])
    >>> jackknife(stats).influence.round(2).tolist()
    [0.8, -0.2]

    References
    ----------
    Efron and Stein (1981), "The jackknife estimate of variance".
    """
    check_rows(statistics)
    score = weights, smoothing, smoothing_value, effective_order
    options = ScoreOptions.checked(statistics.max_order, *score).single("a jackknife")
    total = statistics.sum().to_array()
    own = float(array_bleu(total, options))
    blocks = (statistics[rows].to_array() for rows in row_slices(statistics.hyp_len.shape))
    percents = [bleu_and_percent(total - block, options)[1] for block in blocks]
    without = np.concatenate(percents) / 100
    size, mean = len(without), float(without.mean())
    error = math.sqrt((size - 1) / size * float(((without - mean) ** 2).sum()))
    return Jackknife(own, without, error, (size - 1) * (mean - own))

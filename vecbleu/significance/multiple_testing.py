"""Adjust p-values for the number of tests, and group systems into clusters."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import checked_share
from vecbleu.show.table import LEVEL

Adjustment = Literal["none", "holm", "benjamini_hochberg"]

# How adjustments are shown.
ADJUSTED: dict[Adjustment, str] = {
    "none": "not adjusted",
    "holm": "adjusted by Holm",
    "benjamini_hochberg": "adjusted by Benjamini-Hochberg",
}


def holm(p_values: npt.ArrayLike) -> Float64:
    """Adjust p-values by Holm's step-down procedure, which controls the family-wise error rate.

    For p-values sorted as p_1 <= ... <= p_m, the k-th becomes
    max over j <= k of min(1, (m + 1 - j) * p_j). Rejecting adjusted p-values at some level keeps
    the probability of any false rejection at or below this level.

    Parameters
    ----------
    p_values : array (tests,)
        Between 0 and 1. NaN means no test, and does not count in m.

    Returns
    -------
    float64 array (tests,)
        Adjusted p-values, each where its p-value stands; NaN stays NaN.

    Raises
    ------
    ValueError
        A value is not between 0 and 1, or the array is not one-dimensional.

    Examples
    --------
    >>> from vecbleu.significance import holm
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    return _adjusted(p_values, step_up=False)


def benjamini_hochberg(p_values: npt.ArrayLike) -> Float64:
    """Adjust p-values by the Benjamini-Hochberg procedure, which controls the false discovery rate.

    For p-values sorted as p_1 <= ... <= p_m, the k-th becomes
    min over j >= k of min(1, m / j * p_j). Rejecting adjusted p-values at some level keeps the
    expected share of false rejections among all rejections at or below this level.

    Parameters
    ----------
    p_values : array (tests,)
        Between 0 and 1. NaN means no test, and does not count in m.

    Returns
    -------
    float64 array (tests,)
        Adjusted p-values, each where its p-value stands; NaN stays NaN.

    Raises
    ------
    ValueError
        A value is not between 0 and 1, or the array is not one-dimensional.

    Examples
    --------
    >>> from vecbleu.significance import benjamini_hochberg
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]

    References
    ----------
    Benjamini and Hochberg (1995), "Controlling the false discovery rate".
    """
    return _adjusted(p_values, step_up=True)


def _adjusted(p_values: npt.ArrayLike, step_up: bool) -> Float64:
    """Scale sorted p-values by their ranks, and make the result monotone."""
    values = _checked_p_values(p_values, 1)
    tests = np.flatnonzero(~np.isnan(values))
    ascending = tests[np.argsort(values[tests], kind="stable")]
    count, ranks = len(ascending), np.arange(1, len(ascending) + 1)
    if step_up:
        scaled = values[ascending] * count / ranks
        monotone = np.minimum.accumulate(scaled[::-1])[::-1]
    else:
        monotone = np.maximum.accumulate(values[ascending] * (count + 1 - ranks))
    adjusted = np.full(values.shape, np.nan)
    # Without the error of the product: 28 * (1 / 560) must not be below a level of 0.05.
    adjusted[ascending] = [min(float(f"{value:.15g}"), 1.0) for value in monotone]
    return adjusted


def _checked_p_values(p_values: npt.ArrayLike, dimensions: int) -> Float64:
    """Return checked p-values as an array; they can be NaN."""
    values = np.asarray(p_values, np.float64)
    if values.ndim != dimensions:
        raise ValueError(f"p_values has {values.ndim} dimensions, expected {dimensions}")
    for index in np.argwhere((values < 0) | (values > 1))[:1].tolist():
        raise ValueError(f"p_values{index} is {values[tuple(index)]}, expected between 0 and 1")
    return values


def clusters(scores: npt.ArrayLike, p_values: npt.ArrayLike, level: float = LEVEL) -> Int64:
    """Group systems into clusters that differ significantly, as in WMT's official rankings.

    Systems are sorted by score. A cluster ends where every system above differs from every system
    below with a p-value under `level`.

    Parameters
    ----------
    scores : array (systems,)
        Higher is better.
    p_values : array (systems, systems)
        P-values of the differences, between 0 and 1: symmetric; the diagonal is ignored.
    level : float
        Significance level, between 0 and 1.

    Returns
    -------
    int64 array (systems,)
        Cluster of each system, from 1 for the best.

    Raises
    ------
    TypeError, ValueError
        The level is not between 0 and 1, a score is NaN, or the shapes do not match.

    Examples
    --------
    >>> from vecbleu.significance import clusters
    >>> clusters([30.1, 35.0, 34.8], [[1, 0.01, 0.01], [0.01, 1, 0.4], [0.01, 0.4, 1]]).tolist()
    [2, 1, 1]

    References
    ----------
    Kocmi et al. (2023), "Findings of the 2023 Conference on Machine Translation", section on the
    official ranking.
    """
    level = checked_share(level, "level")
    values, tests = np.asarray(scores, np.float64), _checked_p_values(p_values, 2)
    if tests.shape != values.shape * 2:
        raise ValueError(
            f"scores has shape {values.shape} and p_values {tests.shape}, expected (systems,) and "
            "(systems, systems)"
        )
    for index in np.flatnonzero(np.isnan(values))[:1]:
        raise ValueError(f"scores[{index}] is NaN, expected a number")
    ranking = np.argsort(-values, kind="stable")
    differs = tests[np.ix_(ranking, ranking)] < level
    starts = [rank == 0 or bool(differs[:rank, rank:].all()) for rank in range(len(ranking))]
    numbers = np.empty(len(ranking), np.int64)
    numbers[ranking] = np.cumsum(starts)
    return numbers

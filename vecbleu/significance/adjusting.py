"""From p-values of many tests to what can be said about all of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vecbleu.ragged import Int64

Floats = npt.NDArray[np.float64]


def holm(p_values: npt.ArrayLike) -> Floats:
    """Adjust p-values so that one false rejection among all is as rare as the level says.

    The k-th smallest of m is multiplied by m + 1 - k; none is below a smaller one's, or above 1.

    Parameters
    ----------
    p_values : array (tests,)
        NaN where there is no test.

    Returns
    -------
    float64 array (tests,)

    Raises
    ------
    ValueError
        A value lies outside 0 to 1, or they are no one-dimensional array.

    Examples
    --------
    >>> from vecbleu.significance import holm
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    return _by_rank(p_values, falling=False)


def benjamini_hochberg(p_values: npt.ArrayLike) -> Floats:
    """Adjust p-values so that the share of false ones among all rejections is at most the level.

    The k-th smallest of m is multiplied by m / k; none is above a greater one's.

    Parameters
    ----------
    p_values : array (tests,)
        NaN where there is no test.

    Returns
    -------
    float64 array (tests,)

    Raises
    ------
    ValueError
        A value lies outside 0 to 1, or they are no one-dimensional array.

    Examples
    --------
    >>> from vecbleu.significance import benjamini_hochberg
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]

    References
    ----------
    Benjamini and Hochberg (1995), "Controlling the false discovery rate".
    """
    return _by_rank(p_values, falling=True)


def _by_rank(p_values: npt.ArrayLike, falling: bool) -> Floats:
    """Scale sorted p-values by their ranks, and keep the scaled ones in order."""
    values = np.asarray(p_values, np.float64)
    if values.ndim != 1:
        raise ValueError(f"p_values has {values.ndim} dimensions, expected 1")
    tests = np.flatnonzero(~np.isnan(values))
    for index in tests[(values[tests] < 0) | (values[tests] > 1)][:1]:
        raise ValueError(f"p_values[{index}] is {values[index]}, expected 0 to 1")
    order = tests[np.argsort(values[tests], kind="stable")]
    ranks = np.arange(1, len(order) + 1)
    if falling:
        scaled = values[order] * len(order) / ranks
        kept = np.minimum.accumulate(scaled[::-1])[::-1]
    else:
        kept = np.maximum.accumulate(values[order] * (len(order) + 1 - ranks))
    adjusted = np.full(values.shape, np.nan)
    adjusted[order] = np.minimum(kept, 1.0)
    return adjusted


def clusters(scores: npt.ArrayLike, p_values: npt.ArrayLike, level: float = 0.05) -> Int64:
    """Group systems that can't be told apart, as the tables of WMT do.

    Systems are ranked by their scores, and a line is drawn wherever every system above it differs
    from every system below with a p-value under `level`.

    Parameters
    ----------
    scores : array (systems,)
        Higher is better.
    p_values : array (systems, systems)
        Of the differences; symmetric, its diagonal is not looked at.
    level : float
        Of significance, 0 to 1.

    Returns
    -------
    int64 array (systems,)
        The cluster of each system, from 1 for the best.

    Raises
    ------
    ValueError
        Shapes do not fit.

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
    values, tests = np.asarray(scores, np.float64), np.asarray(p_values, np.float64)
    if values.ndim != 1 or tests.shape != (len(values), len(values)):
        raise ValueError(
            f"scores has shape {values.shape} and p_values {tests.shape}, expected (systems,) and "
            "(systems, systems)"
        )
    order = np.argsort(-values, kind="stable")
    differs = tests[np.ix_(order, order)] < level
    starts = [rank == 0 or bool(differs[:rank, rank:].all()) for rank in range(len(order))]
    found = np.empty(len(order), np.int64)
    found[order] = np.cumsum(starts)
    return found

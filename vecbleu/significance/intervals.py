"""How certain one system's score is: bootstrap intervals and the jackknife."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.progress import checked_progress, watched
from vecbleu.scores import array_bleu
from vecbleu.significance.resampling import SEED, bootstrap_sums, generator
from vecbleu.significance.scoring import (
    Floats,
    Result,
    ScoreOptions,
    checked_count,
    formula_of,
    percents,
    table_of,
    total_of,
)
from vecbleu.statistics import Statistics

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Interval(Result):
    """A score and where resampled corpora put it, all on 0 to 1.

    Parameters
    ----------
    score : float
        Of the corpus itself.
    mean : float
        Of the resampled corpora.
    lower, upper : float
        Between which the middle resampled scores lie.
    level : float
        The share of them that does.
    resampled : float64 array (resamples,)
        All of them, as they were drawn.
    """

    score: float
    mean: float
    lower: float
    upper: float
    level: float
    resampled: Floats

    @property
    def half_width(self) -> float:
        """Half the distance of `lower` and `upper`: sacreBLEU's "confidence"."""
        return 0.5 * (self.upper - self.lower)

    def __repr__(self) -> str:
        return (
            f"Interval(score={self.score:.4f}, mean={self.mean:.4f}, lower={self.lower:.4f}, "
            f"upper={self.upper:.4f}, level={self.level})"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Jackknife(Result):
    """A score and what it is without each segment, on 0 to 1.

    Parameters
    ----------
    score : float
        Of all segments.
    without : float64 array (segments,)
        Of all but one.
    standard_error : float
        sqrt((S - 1) / S * sum((without - mean)**2)).
    bias : float
        (S - 1) * (mean - score).
    """

    score: float
    without: Floats
    standard_error: float
    bias: float

    @property
    def influence(self) -> Floats:
        """What each segment adds to the score (segments,)."""
        return self.score - self.without

    def __repr__(self) -> str:
        return (
            f"Jackknife(score={self.score:.4f}, standard_error={self.standard_error:.4f}, "
            f"segments={len(self.without)})"
        )


def bootstrap(
    statistics: Statistics,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    rng: Any = SEED,
    batch: int | None = None,
    progress: bool | None = False,
    **score: Unpack[ScoreOptions],
) -> Interval:
    """Estimate how far a score depends on which segments are in the test set.

    Corpora of the same size are drawn from the segments with replacement and scored. Of n sorted
    scores, the k-th lowest and the k-th highest bound the interval, with k - 1 the whole part of
    n * (1 - level) / 2: sacreBLEU's rule for 95%, at any level.

    Parameters
    ----------
    statistics : Statistics
        A row for each segment.
    resamples : int
        Corpora drawn, n.
    level : float
        Share of the scores inside, between 0 and 1.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    batch : int, optional
        Resamples held in memory at a time. The result does not depend on it.
    progress : bool, optional
        Show how far the work has come, as for `vecbleu.statistics`.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

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
    table = table_of(statistics)
    resamples = checked_count(resamples, "resamples")
    batch = None if batch is None else checked_count(batch, "batch")
    outside = places_outside(resamples, level)
    formula = formula_of(statistics.max_order, score)
    with watched(checked_progress(progress), resamples, "resamples") as advance:
        sums = bootstrap_sums(table, resamples, generator(rng), batch, advance)
    scores = percents(sums, formula) / 100
    lower, upper = bounds(scores, outside)
    own = float(array_bleu(total_of(table), formula))
    return Interval(own, float(scores.mean()), float(lower), float(upper), level, scores)


def places_outside(resamples: int, level: Any) -> int:
    """How many sorted scores lie outside an interval on either side."""
    if not isinstance(level, (int, float)) or isinstance(level, bool):
        raise TypeError(f"level is {level!r}, expected a number")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, expected a number between 0 and 1")
    return int(resamples * (1 - Decimal(repr(float(level)))) / 2)


def bounds(scores: Floats, outside: int) -> tuple[Floats, Floats]:
    """The lowest and the highest score inside (...), of scores (resamples, ...)."""
    ranked = np.sort(scores, axis=0)
    return ranked[outside], ranked[len(ranked) - outside - 1]


def jackknife(statistics: Statistics, **score: Unpack[ScoreOptions]) -> Jackknife:
    """Score the corpus without each of its segments.

    Parameters
    ----------
    statistics : Statistics
        A row for each segment.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

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
    table = table_of(statistics)
    formula = formula_of(statistics.max_order, score)
    total = total_of(table)
    own = float(array_bleu(total, formula))
    without = percents(total - table, formula) / 100
    size, mean = len(without), float(without.mean())
    error = math.sqrt((size - 1) / size * float(((without - mean) ** 2).sum()))
    return Jackknife(own, without, error, (size - 1) * (mean - own))

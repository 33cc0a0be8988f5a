"""Confidence intervals of one system's score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from vecbleu.core.arrays import Float64
from vecbleu.core.options import ScoreArgs, ScoreOptions, takes
from vecbleu.core.scoring.formula import array_bleu, bleu_and_percent
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.table import Column, Result, Table
from vecbleu.significance.resampling import (
    SEED,
    DrawOptions,
    Rng,
    central_interval,
    draw_sums,
    side_by_side,
)
from vecbleu.significance.systems import check_rows, checked_share


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """A score between 0 and 1 with its bootstrap interval.

    Parameters
    ----------
    score : float
        BLEU of the corpus itself.
    mean : float
        Mean of the resampled scores.
    lower, upper : float
        Bounds of the interval.
    confidence_level : float
        The share of the resampled scores inside, such as 0.95.
    resampled : float64 array (n_resamples,)
        The scores of the resampled corpora, in the order in which they were drawn.
    """

    __module__ = "vecbleu.significance"

    score: float
    mean: float
    lower: float
    upper: float
    confidence_level: float
    resampled: Float64

    @property
    def half_width(self) -> float:
        """Half the distance of `lower` and `upper`: what sacreBLEU prints behind ±."""
        return 0.5 * (self.upper - self.lower)

    def table(self) -> Table:
        """Return a table of one row: the score, the bounds and the mean."""
        columns = [
            Column("BLEU", [self.score], "score"),
            Column("lower", [self.lower], "score"),
            Column("upper", [self.upper], "score"),
            Column("mean", [self.mean], "score"),
        ]
        return Table(columns, note=interval_note(self.confidence_level))


def interval_note(confidence_level: float) -> str:
    """Say what the bounds in a table are."""
    return f"lower, upper: {100 * confidence_level:g}% interval"


@takes(ScoreArgs)
def bootstrap(
    statistics: Statistics,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Interval:
    """Estimate a confidence interval of a corpus score by the percentile bootstrap.

    Segments are drawn with replacement to make corpora of the same size, which are scored. The
    interval leaves out floor(n * (1 - confidence_level) / 2) of the n scores at either end.

    Parameters
    ----------
    statistics : Statistics
        A row for each segment.
    n_resamples : int
        Number of resampled corpora, n.
    confidence_level : float
        The share of the resampled scores inside the interval, between 0 and 1.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for `vecbleu.corpus_bleu`: weights, smoothing, smoothing_value, effective_order.

    Returns
    -------
    Interval

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, outside its range, or a sum of segments.

    Notes
    -----
    Draws and rule are sacreBLEU's, and so are the digits that it prints: it adds and divides
    float32, which errs in the seventh.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import bootstrap
    >>> stats = vecbleu.statistics(["a b c d e", "a b c x"], ["a b c d e", "a b c d"])
    >>> bootstrap(stats, rng=0)
     BLEU  lower   upper   mean
    79.84  50.00  100.00  76.46
    lower, upper: 95% interval

    References
    ----------
    Koehn (2004), "Statistical significance tests for machine translation evaluation", EMNLP.
    """
    check_rows(statistics)
    scoring = ScoreOptions.checked(statistics.max_order, **options)
    level = checked_share(confidence_level, "confidence_level")
    draws = DrawOptions("bootstrap", n_resamples, rng, progress)
    sums = draw_sums(side_by_side([statistics]), draws)
    # From percentages, for the digits to be those of the paired bootstrap.
    scores = bleu_and_percent(sums, scoring)[1] / 100
    lower, upper = central_interval(scores, level)
    own = float(array_bleu(statistics.sum().array, scoring))
    return Interval(own, float(scores.mean()), float(lower), float(upper), level, scores)

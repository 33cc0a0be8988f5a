"""Bootstrap intervals, paired tests and rankings: the public functions and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import check_name, checked_integer, checked_share
from vecbleu.core.options import ScoreArgs, ScoreOptions, takes
from vecbleu.core.progress import progress_bar
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics import Statistics
from vecbleu.core.table import Column, Result, Table
from vecbleu.significance.multiple_testing import benjamini_hochberg, clusters, holm
from vecbleu.significance.resampling import (
    SEED,
    DrawOptions,
    Rng,
    Test,
    central_interval,
    draw_sums,
)
from vecbleu.significance.systems import Systems, baseline_index, check_rows, checked_systems

Sides = Literal[1, 2]

# Of the clusters in tables.
_INTERVAL = "lower, upper: {:g}% interval"
_LEVEL = 0.05


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
        """Half the distance between `lower` and `upper`: what sacreBLEU prints behind ±."""
        return 0.5 * (self.upper - self.lower)

    def table(self) -> Table:
        """Return a table of one row: the score, the bounds and the mean."""
        values = {"BLEU": self.score, "lower": self.lower, "upper": self.upper, "mean": self.mean}
        columns = [Column(title, [value], "score") for title, value in values.items()]
        return Table(columns, notes=[_INTERVAL.format(100 * self.confidence_level)])


@dataclass(frozen=True, eq=False, repr=False)
class _Tested(Result):
    """Fields and columns that comparisons and rankings share."""

    names: tuple[Any, ...]
    scores: Float64
    differences: Float64
    p_values: Float64
    holm: Float64
    benjamini_hochberg: Float64
    _: KW_ONLY
    means: Float64 | None = None
    lower: Float64 | None = None
    upper: Float64 | None = None
    confidence_level: float | None = None

    def _table(self, order: Sequence[int], others: Sequence[Column], *notes: str) -> Table:
        """Return names, scores and intervals in an order, and other columns behind them."""
        columns = [Column("system", [self.names[place] for place in order])]
        ends = {"BLEU": self.scores, "lower": self.lower, "upper": self.upper}
        for title, values in ends.items():
            if values is not None:
                columns.append(Column(title, values[order].tolist(), "score"))
        if self.confidence_level is not None:
            notes = _INTERVAL.format(100 * self.confidence_level), *notes
        return Table([*columns, *others], notes=notes)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(_Tested):
    """Systems tested against a baseline, which is one of them; scores are between 0 and 1.

    Parameters
    ----------
    names : tuple (systems,)
        Names of the systems.
    scores : float64 array (systems,)
        BLEU of each system.
    differences : float64 array (systems,)
        Each system's score minus the baseline's.
    p_values : float64 array (systems,)
        Of the differences; NaN for the baseline.
    holm, benjamini_hochberg : float64 array (systems,)
        The p-values adjusted for the number of comparisons.
    means, lower, upper : float64 array (systems,), or None
        The mean of the resampled scores and their interval (bootstrap only).
    confidence_level : float, or None
        The share of the resampled scores inside the intervals (bootstrap only).
    baseline : int
        Index of the baseline.
    """

    __module__ = "vecbleu.significance"

    baseline: int

    def table(self) -> Table:
        """Return a table of the systems in their order, with differences from the baseline."""
        differences: list[float | None] = self.differences.tolist()
        differences[self.baseline] = None
        columns = [
            Column("difference", differences, "difference"),
            Column("p", self.p_values.tolist(), "p"),
        ]
        note = f"difference, p: against {self.names[self.baseline]}"
        return self._table(range(len(self.names)), columns, note)


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(_Tested):
    """Every system tested against every other; scores are between 0 and 1.

    Fields have the systems in the order in which they were passed; the table has them from the
    best down, with their clusters, and p-values against the best system and the one above.

    Parameters
    ----------
    names : tuple (systems,)
        Names of the systems.
    scores : float64 array (systems,)
        BLEU of each system.
    differences : float64 array (systems, systems)
        The score of the row's system minus that of the column's.
    p_values : float64 array (systems, systems)
        Of the differences; NaN on the diagonal.
    holm, benjamini_hochberg : float64 array (systems, systems)
        The p-values adjusted for the number of pairs.
    means, lower, upper : float64 array (systems,), or None
        The mean of the resampled scores and their interval (bootstrap only).
    confidence_level : float, or None
        The share of the resampled scores inside the intervals (bootstrap only).
    """

    __module__ = "vecbleu.significance"

    @property
    def order(self) -> Int64:
        """Indices of the systems from the best down (systems,); equal ones in their order."""
        return np.argsort(-self.scores, kind="stable")

    def clusters(self, level: float = _LEVEL) -> Int64:
        """Return the cluster of each system (systems,), from 1 for the best.

        Parameters
        ----------
        level : float
            Significance level of the p-values, which are not adjusted.

        Returns
        -------
        int64 array (systems,)
            In the order of `names`.
        """
        return clusters(self.scores, self.p_values, level)

    def table(self) -> Table:
        """Return a table of the systems from the best down."""
        order, p_values = self.order, self.p_values
        above = np.append(order[:1], order[:-1])
        columns = [
            Column("cluster", self.clusters()[order].tolist(), "count"),
            Column(
                "difference", [None, *self.differences[order, order[0]].tolist()[1:]], "difference"
            ),
            Column("p (best)", p_values[order, order[0]].tolist(), "p"),
            Column("p (above)", p_values[order, above].tolist(), "p"),
        ]
        border = f"cluster: all systems above differ from all below (p < {_LEVEL:g}, not adjusted)"
        table = self._table(order.tolist(), columns, "difference: from the best", border)
        ranks = Column("rank", range(1, len(order) + 1), "count")
        return table._replace(columns=[ranks, *table.columns])


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
    own = float(bleu_and_percent(statistics.sum().array, scoring)[0])
    # From percentages, for the digits to be those of the paired bootstrap.
    scores = bleu_and_percent(draw_sums([statistics.array], draws)[:, 0], scoring)[1] / 100
    lower, upper = central_interval(scores, level)
    return Interval(own, float(scores.mean()), float(lower), float(upper), level, scores)


@takes(ScoreArgs)
def paired_bootstrap(
    systems: Systems,
    *,
    baseline: Any = 0,
    sides: Sides = 2,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Comparison:
    """Test by the paired bootstrap whether systems' scores differ from a baseline's.

    The same segments are drawn with replacement for all systems. With D the differences
    system - baseline of the resampled scores, and d = abs(D),

    - `sides` = 2: p = (#{abs(D - mean(D)) >= abs(difference)} + 1) / (n_resamples + 1);
    - `sides` = 1, sacreBLEU's rule: p = (#{d - mean(d) > abs(difference)} + 1) / (n_resamples + 1).

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order. Names can be anything that a dict takes.
    baseline : name or int
        Name or index of the system that the others are compared with; a name comes first.
    sides : {2, 1}
        The tails of the null distribution that are counted: 2 keeps the level of the test, 1 gives
        sacreBLEU's p-values.
    n_resamples : int
        Number of resampled corpora.
    confidence_level : float
        Of the scores' intervals, as for `bootstrap`.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for `vecbleu.corpus_bleu`: weights, smoothing, smoothing_value, effective_order.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError, ValueError
        An argument is of another type or outside its range, or systems do not have the same
        segments and orders.

    Notes
    -----
    With two sides, the differences are shifted to a mean of 0, which equal systems have. The
    p-values are close to those of `paired_randomization`.

    sacreBLEU's rule is anti-conservative: d - mean(d) exceeds a large difference as often as one
    tail of the normal distribution, while the difference can be large in both directions. At
    p < 0.05, it finds one pair of equal systems in ten to differ, not one in twenty. The p-values
    are sacreBLEU's, except for systems of equal score: there p is 1, while sacreBLEU finds a
    system significantly different from itself, since no difference of 0 is greater than 0.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import paired_bootstrap
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> systems = {
    ...     "one": vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references),
    ...     "two": vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references),
    ... }
    >>> paired_bootstrap(systems)
    system   BLEU  lower  upper  difference        p
    one     47.82  40.84  54.54
    two     92.60  90.03  95.20      +44.78  < 0.001
    lower, upper: 95% interval
    difference, p: against one

    References
    ----------
    Koehn (2004), "Statistical significance tests for machine translation evaluation", EMNLP.
    Two sides: Noreen (1989), "Computer-Intensive Methods for Testing Hypotheses", the shift
    method. One side: sacreBLEU 2.6, `_paired_bs_test`.
    """
    draws = DrawOptions("bootstrap", n_resamples, rng, progress)
    return PairedResampling(systems, draws, options, baseline, sides, confidence_level).compare()


@takes(ScoreArgs)
def paired_randomization(
    systems: Systems,
    *,
    baseline: Any = 0,
    n_resamples: int = 10000,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Comparison:
    """Test by approximate randomization whether systems' scores differ from a baseline's.

    In every draw, the outputs of the two systems are exchanged with probability 1/2 for each
    segment. With d the absolute differences of their scores after the exchange,
    p = (#{d > abs(difference)} + 1) / (n_resamples + 1).

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order. Names can be anything that a dict takes.
    baseline : name or int
        Name or index of the system that the others are compared with; a name comes first.
    n_resamples : int
        Number of random exchanges.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for `vecbleu.corpus_bleu`: weights, smoothing, smoothing_value, effective_order.

    Returns
    -------
    Comparison
        Without means and intervals.

    Raises
    ------
    TypeError, ValueError
        As for `paired_bootstrap`.

    Notes
    -----
    Draws and rule are sacreBLEU's and MultEval's, except that systems of equal score have p = 1,
    as for `paired_bootstrap`.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import paired_randomization
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> paired_randomization([one, two], n_resamples=999).p_values[1].item()
    0.001

    References
    ----------
    Riezler and Maxwell (2005), "On some pitfalls in automatic evaluation and significance
    testing for MT"; sacreBLEU 2.6, `_paired_ar_test`.
    """
    draws = DrawOptions("randomization", n_resamples, rng, progress)
    return PairedResampling(systems, draws, options, baseline).compare()


@takes(ScoreArgs)
def rank(
    systems: Systems,
    *,
    test: Test = "bootstrap",
    sides: Sides = 2,
    n_resamples: int | None = None,
    confidence_level: float = 0.95,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Ranking:
    """Rank systems by their scores, and test every one against every other on the same draws.

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order. Names can be anything that a dict takes.
    test : {"bootstrap", "randomization"}
        As in `paired_bootstrap` or in `paired_randomization`.
    sides : {2, 1}
        Tails of the bootstrap, as for `paired_bootstrap`. Randomization always counts both.
    n_resamples : int, optional
        Number of resampled corpora (by default 1,000) or of random exchanges (10,000).
    confidence_level : float
        Of the scores' intervals (bootstrap only), as for `bootstrap`.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for `vecbleu.corpus_bleu`: weights, smoothing, smoothing_value, effective_order.

    Returns
    -------
    Ranking

    Raises
    ------
    TypeError, ValueError
        As for `paired_bootstrap`; an unknown test.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import rank
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> rank({"one": one, "two": two, "again": two})
    rank  system   BLEU  lower  upper  cluster  difference  p (best)  p (above)
       1  two     92.60  90.03  95.20        1
       2  again   92.60  90.03  95.20        1       +0.00     1.000      1.000
       3  one     47.82  40.84  54.54        2      -44.78   < 0.001    < 0.001
    lower, upper: 95% interval
    difference: from the best
    cluster: all systems above differ from all below (p < 0.05, not adjusted)

    References
    ----------
    As for `paired_bootstrap` and `paired_randomization`; of the clusters, as for `clusters`.
    """
    check_name(test, "test", get_args(Test))
    count = (1000 if test == "bootstrap" else 10000) if n_resamples is None else n_resamples
    draws = DrawOptions(test, count, rng, progress)
    return PairedResampling(systems, draws, options, 0, sides, confidence_level).rank()


class PairedResampling:
    """Scores of systems, and of what the same random draws make of each of them."""

    def __init__(
        self,
        systems: Any,
        draws: DrawOptions,
        options: Mapping[str, Any],
        baseline: Any = 0,
        sides: Any = 2,
        confidence_level: Any = 0.95,
        least: int = 2,
    ) -> None:
        """Check everything as the user passed it, then draw."""
        tables = checked_systems(systems, least)
        self.names, self.draws = tuple(tables), draws
        self.baseline = baseline_index(tables, baseline)
        self.sides = checked_integer(sides, "sides", 1, 2)
        self.level = checked_share(confidence_level, "confidence_level")
        arrays = [one.array for one in tables.values()]
        self.scoring = ScoreOptions.checked(arrays[0].shape[1] // 2 - 1, **options)
        self.totals = np.stack([one.sum().array for one in tables.values()])  # (systems, columns)
        self.scores, self.percents = bleu_and_percent(self.totals, self.scoring)  # (systems,)
        self.sums = draw_sums(arrays, draws, "drawing")  # (draws, systems, columns)
        self.resampled: Float64 | None = None  # exchanged segments have scores of pairs alone
        if draws.test == "bootstrap":
            self.resampled = bleu_and_percent(self.sums, self.scoring)[1]  # (draws, systems)

    def compare(self) -> Comparison:
        """Test all systems against the baseline."""
        base, p_values = self.baseline, np.full(len(self.names), np.nan)
        others = [place for place in range(len(self.names)) if place != base]
        p_values[others] = self._p_values([(base, other) for other in others])
        differences = (self.percents - self.percents[base]) / 100
        tests = p_values, holm(p_values), benjamini_hochberg(p_values)
        return Comparison(self.names, self.scores, differences, *tests, base, **self._intervals())

    def rank(self) -> Ranking:
        """Test each pair once."""
        number = len(self.names)
        one, other = np.triu_indices(number, 1)
        p_values = self._p_values([*combinations(range(number), 2)])
        tests = np.full((3, number, number), np.nan)
        tests[:, one, other] = p_values, holm(p_values), benjamini_hochberg(p_values)
        tests[:, other, one] = tests[:, one, other]
        differences = (self.percents[:, None] - self.percents) / 100
        return Ranking(self.names, self.scores, differences, *tests, **self._intervals())

    def _intervals(self) -> dict[str, Any]:
        """Means and bounds of resampled scores (systems,), and their confidence level."""
        if self.resampled is None:
            return {}
        lower, upper = central_interval(self.resampled, self.level)
        means = self.resampled.mean(axis=0) / 100
        ends = {"means": means, "lower": lower / 100, "upper": upper / 100}
        return ends | {"confidence_level": self.level}

    def _p_values(self, pairs: Sequence[tuple[int, int]]) -> Float64:
        """P-values of pairs of systems (pairs,)."""
        number, progress = len(self.sums), self.draws.progress
        p_values = np.ones(len(pairs))  # of systems whose scores are equal
        with progress_bar(progress, len(pairs) * number, "resamples", "comparing") as advance:
            for place, (one, other) in enumerate(pairs):
                real = abs(self.percents[other] - self.percents[one])
                if real > 0:
                    larger = self._count_larger(one, other, real)
                    p_values[place] = (larger + 1) / (number + 1)
                advance(number)
        return p_values

    def _count_larger(self, one: int, other: int, real: float) -> int:
        """Count the draws that differ by more under the null hypothesis than the systems do."""
        if self.resampled is None:
            exchanged = self.sums[:, one] - self.sums[:, other]  # (draws, columns)
            _, ones = bleu_and_percent(self.totals[other] + exchanged, self.scoring)
            _, others = bleu_and_percent(self.totals[one] - exchanged, self.scoring)
            return int(np.count_nonzero(abs(ones - others) > real))
        drawn = self.resampled[:, other] - self.resampled[:, one]
        if self.sides == 2:
            return int(np.count_nonzero(abs(drawn - drawn.mean()) >= real))
        drawn = abs(drawn)
        return int(np.count_nonzero(drawn - drawn.mean() > real))

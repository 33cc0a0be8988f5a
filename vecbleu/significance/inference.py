"""Compute bootstrap intervals, paired tests and rankings, and show their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.checks import check_name, checked_integer, checked_share
from vecbleu.core.count_table import CountTable
from vecbleu.core.options import ScoreArgs
from vecbleu.show.progress import progress_bar
from vecbleu.show.table import Column, Result, Table
from vecbleu.significance.multiple_testing import LEVEL, benjamini_hochberg, clusters, holm
from vecbleu.significance.resampling import SEED, Draws, Rng, Test, central_interval, draw_sums
from vecbleu.significance.systems import Systems, baseline_index, check_rows, checked_systems

Sides = Literal[1, 2]

# The note below tables with intervals.
_INTERVAL_NOTE = "lower, upper: {:g}% interval"

# Fields with the results of tests.
_TESTS = "p_values", "holm", "benjamini_hochberg"


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """Corpus score with its bootstrap interval; all scores are between 0 and 1.

    Parameters
    ----------
    score : float
        Score of the corpus itself.
    mean : float
        Mean of the resampled scores.
    lower, upper : float
        Bounds of the interval.
    confidence_level : float
        Share of the resampled scores inside the interval, such as 0.95.
    resampled : float64 array (n_resamples,)
        Scores of the resampled corpora, as they were drawn.
    metric : str
        Name of the metric, such as "BLEU": the title of the scores.
    """

    __module__ = "vecbleu.significance"

    score: float
    mean: float
    lower: float
    upper: float
    confidence_level: float
    resampled: Float64
    metric: str = "score"

    @property
    def half_width(self) -> float:
        """Half the width of the interval, which sacreBLEU prints after ±."""
        return 0.5 * (self.upper - self.lower)

    def table(self) -> Table:
        """Return a table of one row: the score, the bounds and the mean."""
        bounds = {"lower": self.lower, "upper": self.upper, "mean": self.mean}
        scores = {self.metric: self.score} | bounds
        columns = [Column(title, [score], "score") for title, score in scores.items()]
        return Table(columns, notes=[_INTERVAL_NOTE.format(100 * self.confidence_level)])


@dataclass(frozen=True, eq=False, repr=False)
class _Tested(Result):
    """Base class of `Comparison` and `Ranking`."""

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
    metric: str = "score"

    def _table(self, ranking: Sequence[int], tests: Sequence[Column], *notes: str) -> Table:
        """Return a table of the systems, as ranked: names, scores, intervals, then tests."""
        columns = [Column("system", [self.names[system] for system in ranking])]
        scores = {self.metric: self.scores, "lower": self.lower, "upper": self.upper}
        for title, values in scores.items():
            if values is not None:
                columns.append(Column(title, values[ranking].tolist(), "score"))
        if self.confidence_level is not None:
            notes = _INTERVAL_NOTE.format(100 * self.confidence_level), *notes
        return Table([*columns, *tests], notes=notes)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(_Tested):
    """Tests of systems against a baseline; scores are between 0 and 1.

    Parameters
    ----------
    names : tuple (systems,)
        Names of the systems.
    scores : float64 array (systems,)
        Score of each system.
    differences : float64 array (systems,)
        Score of each system minus that of the baseline.
    p_values : float64 array (systems,)
        P-value of each difference; NaN for the baseline.
    holm, benjamini_hochberg : float64 array (systems,)
        P-values adjusted for the number of comparisons.
    means, lower, upper : float64 array (systems,), or None
        Mean of the resampled scores, and their interval (bootstrap only).
    confidence_level : float, or None
        Share of the resampled scores inside the intervals (bootstrap only).
    metric : str
        Name of the metric, such as "BLEU": the title of the scores.
    baseline : int
        Index of the baseline.
    """

    __module__ = "vecbleu.significance"

    baseline: int

    def table(self) -> Table:
        """Return a table of the systems, with differences from the baseline."""
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
    """Tests of every system against every other; scores are between 0 and 1.

    In fields, systems stand as they were passed. The table is sorted, best first; it has clusters,
    and p-values against the best system and against the one above.

    Parameters
    ----------
    names : tuple (systems,)
        Names of the systems.
    scores : float64 array (systems,)
        Score of each system.
    differences : float64 array (systems, systems)
        Score of the row's system minus that of the column's.
    p_values : float64 array (systems, systems)
        P-value of each difference; NaN on the diagonal.
    holm, benjamini_hochberg : float64 array (systems, systems)
        P-values adjusted for the number of pairs.
    means, lower, upper : float64 array (systems,), or None
        Mean of the resampled scores, and their interval (bootstrap only).
    confidence_level : float, or None
        Share of the resampled scores inside the intervals (bootstrap only).
    metric : str
        Name of the metric, such as "BLEU": the title of the scores.
    """

    __module__ = "vecbleu.significance"

    @property
    def order(self) -> Int64:
        """Indices of the systems (systems,), best first; ties stand as they were passed."""
        return np.argsort(-self.scores, kind="stable")

    def clusters(self, level: float = LEVEL) -> Int64:
        """Return the cluster of each system (systems,), from 1 for the best.

        Parameters
        ----------
        level : float
            Significance level; p-values are not adjusted.

        Returns
        -------
        int64 array (systems,)
            One number for each of `names`.
        """
        return clusters(self.scores, self.p_values, level)

    def table(self) -> Table:
        """Return a table of the systems, best first."""
        ranking, best = self.order, self.order[0]
        above = np.append(best, ranking[:-1])
        differences = [None, *self.differences[ranking[1:], best].tolist()]
        columns = [
            Column("cluster", self.clusters()[ranking].tolist(), "count"),
            Column("difference", differences, "difference"),
            Column("p (best)", self.p_values[ranking, best].tolist(), "p"),
            Column("p (above)", self.p_values[ranking, above].tolist(), "p"),
        ]
        border = f"cluster: systems in different clusters differ (p < {LEVEL:g}, not adjusted)"
        table = self._table(ranking.tolist(), columns, "difference: from the best", border)
        ranks = Column("rank", range(1, len(ranking) + 1), "count")
        return table._replace(columns=[ranks, *table.columns])


def bootstrap(
    statistics: CountTable,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Interval:
    """Estimate a confidence interval of a corpus score by the percentile bootstrap.

    Corpora of the same size are drawn from the segments, with replacement, and scored. The interval
    leaves out floor(n * (1 - confidence_level) / 2) of the n scores at either end.

    Parameters
    ----------
    statistics : Statistics
        One row per segment.
    n_resamples : int
        Number of resampled corpora, n.
    confidence_level : float
        Share of the resampled scores inside the interval, between 0 and 1.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics; for BLEU weights, smoothing, smoothing_value
        and effective_order.

    Returns
    -------
    Interval

    Raises
    ------
    TypeError, ValueError
        An argument has the wrong type or is out of range, or `statistics` is a sum of segments.

    Notes
    -----
    The random draws and the rule for the bounds are those of sacreBLEU. Scores agree in all digits
    that sacreBLEU prints; it computes in float32, which is exact to about seven digits.

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
    score = float(statistics.score(**options))  # checks the options before anything is drawn
    level = checked_share(confidence_level, "confidence_level")
    draws = Draws("bootstrap", n_resamples, rng, progress)
    # Divide percentages by 100, as the paired bootstrap does: the two agree in all digits.
    resampled = statistics.percents(draw_sums([statistics.array], draws)[:, 0], **options) / 100
    mean, (lower, upper) = float(resampled.mean()), central_interval(resampled, level)
    metric = statistics.metric
    return Interval(score, mean, float(lower), float(upper), level, resampled, metric)


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
    """Test whether systems differ from a baseline, by the paired bootstrap.

    The same segments are drawn with replacement for all systems. Let `difference` be the score of a
    system minus that of the baseline, D the same difference for each resampled corpus, and
    d = abs(D). Then

    - `sides` = 2: p = (#{abs(D - mean(D)) >= abs(difference)} + 1) / (n_resamples + 1);
    - `sides` = 1, sacreBLEU's rule: p = (#{d - mean(d) > abs(difference)} + 1) / (n_resamples + 1).

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order. Names can be any hashables.
    baseline : name or int
        Name or index of the baseline. An int that is a name counts as a name.
    sides : {2, 1}
        Tails of the null distribution to count. 2 keeps the significance level of the test; 1 gives
        sacreBLEU's p-values.
    n_resamples : int
        Number of resampled corpora.
    confidence_level : float
        Confidence level of the scores' intervals, as for `bootstrap`.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics; for BLEU weights, smoothing, smoothing_value
        and effective_order.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError, ValueError
        An argument has the wrong type or is out of range, or systems differ in their segments or
        orders.

    Notes
    -----
    With two sides, the differences are shifted to a mean of 0, the mean for equal systems. The
    p-values are close to those of `paired_randomization`.

    sacreBLEU's rule is anti-conservative: it counts only one tail of the null distribution, but
    chance can make a system better or worse. At p < 0.05, it calls one in ten pairs of equal
    systems different, not one in twenty. With one side, p-values equal sacreBLEU's, with one
    exception: systems with equal scores have p = 1. (sacreBLEU counts only draws with a difference
    greater than the real one. If a system is compared with itself, there are none, and p is small.)

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
    draws = Draws("bootstrap", n_resamples, rng, progress)
    return PairedResampling(systems, draws, options, sides, confidence_level).comparison(baseline)


def paired_randomization(
    systems: Systems,
    *,
    baseline: Any = 0,
    n_resamples: int = 10000,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Comparison:
    """Test whether systems differ from a baseline, by approximate randomization.

    In each draw, the two systems exchange their outputs for each segment with probability 1/2. Let
    `difference` be the real difference of their scores, and d the absolute one after a draw. Then
    p = (#{d > abs(difference)} + 1) / (n_resamples + 1).

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order. Names can be any hashables.
    baseline : name or int
        Name or index of the baseline. An int that is a name counts as a name.
    n_resamples : int
        Number of draws.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics; for BLEU weights, smoothing, smoothing_value
        and effective_order.

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
    The random draws are those of sacreBLEU, the rule is that of sacreBLEU and MultEval, with one
    exception: systems with equal scores have p = 1, as in `paired_bootstrap`.

    The rule counts only draws with a larger difference, not those with an equal one. If the systems
    differ in fewer than about ten segments, most draws give an equal difference, and p is far too
    small: use `paired_bootstrap`.

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
    draws = Draws("randomization", n_resamples, rng, progress)
    return PairedResampling(systems, draws, options).comparison(baseline)


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
    """Rank systems by score, and test all pairs on the same random draws.

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order. Names can be any hashables.
    test : {"bootstrap", "randomization"}
        Test of `paired_bootstrap`, or of `paired_randomization`.
    sides : {2, 1}
        Tails of the bootstrap, as for `paired_bootstrap`. Randomization always counts both.
    n_resamples : int, optional
        Number of draws: by default 1,000 for the bootstrap, 10,000 for randomization.
    confidence_level : float
        Confidence level of the scores' intervals, as for `bootstrap` (bootstrap only).
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics; for BLEU weights, smoothing, smoothing_value
        and effective_order.

    Returns
    -------
    Ranking

    Raises
    ------
    TypeError, ValueError
        As for `paired_bootstrap`; or the test is unknown.

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
    cluster: systems in different clusters differ (p < 0.05, not adjusted)

    References
    ----------
    See `paired_bootstrap`, `paired_randomization` and `clusters`.
    """
    check_name(test, "test", get_args(Test))
    count = (1000 if test == "bootstrap" else 10000) if n_resamples is None else n_resamples
    draws = Draws(test, count, rng, progress)
    return PairedResampling(systems, draws, options, sides, confidence_level).ranking()


class PairedResampling:
    """Scores of systems, to test with corpora that are resampled by the same draws."""

    def __init__(
        self, systems: Any, draws: Draws, options: ScoreArgs, sides: Any = 2, level: Any = 0.95
    ) -> None:
        """Check the user's arguments, and score the systems; nothing is drawn yet."""
        self.tables: dict[Any, CountTable] = checked_systems(systems)
        self.draws, self.options = draws, options
        self.sides = checked_integer(sides, "sides", 1, 2)
        self.level = checked_share(level, "confidence_level")
        corpora = [table.sum() for table in self.tables.values()]
        self.metric = corpora[0].metric
        self.scores = np.array([float(corpus.score(**options)) for corpus in corpora])
        self.totals = np.stack([corpus.array for corpus in corpora])  # (systems, columns)
        self.percents = self._percents(self.totals)  # (systems,)

    def comparison(self, baseline: Any) -> Comparison:
        """Test all systems against the baseline."""
        base = baseline_index(self.tables, baseline)
        fields = self._tested([(base, system) for system in range(len(self.tables))])
        fields |= {name: fields[name][:, base].copy() for name in ("differences", *_TESTS)}
        return Comparison(baseline=base, **fields)

    def ranking(self) -> Ranking:
        """Test all pairs, each once."""
        return Ranking(**self._tested([*combinations(range(len(self.tables)), 2)]))

    def _percents(self, sums: Counts) -> Float64:
        """Score sums (..., columns), between 0 and 100."""
        return next(iter(self.tables.values())).percents(sums, **self.options)

    def _tested(self, pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
        """Draw, and test pairs of systems; return the fields of a ranking."""
        sums = draw_sums([table.array for table in self.tables.values()], self.draws, "drawing")
        resampled = self._percents(sums) if self.draws.test == "bootstrap" else None
        p_values, progress = np.empty(len(pairs)), self.draws.progress
        with progress_bar(progress, len(pairs) * len(sums), "resamples", "comparing") as advance:
            for index, pair in enumerate(pairs):
                p_values[index] = self._p_value(sums, resampled, *pair)
                advance(len(sums))
        names, (first, second) = (*self.tables,), np.transpose(pairs)
        fields: dict[str, Any] = {"names": names, "scores": self.scores, "metric": self.metric}
        fields["differences"] = (self.percents[:, None] - self.percents) / 100
        tests = p_values, holm(p_values), benjamini_hochberg(p_values)
        for name, values in zip(_TESTS, tests, strict=True):
            matrix = fields[name] = np.full((len(names), len(names)), np.nan)
            matrix[first, second] = matrix[second, first] = values
        if resampled is not None:
            lower, upper = central_interval(resampled, self.level)
            fields |= {"means": resampled.mean(axis=0) / 100, "confidence_level": self.level}
            fields |= {"lower": lower / 100, "upper": upper / 100}
        return fields

    def _p_value(self, sums: Float64, resampled: Float64 | None, first: int, second: int) -> float:
        """Return the p-value of a pair; 1 for equal scores, NaN for a system and itself."""
        real = abs(self.percents[second] - self.percents[first])
        if real == 0:
            return np.nan if first == second else 1.0
        if resampled is None:
            exchanged = sums[:, first] - sums[:, second]  # (draws, columns)
            percents = self._percents(self.totals[second] + exchanged)
            is_larger = abs(percents - self._percents(self.totals[first] - exchanged)) > real
        else:
            drawn = resampled[:, second] - resampled[:, first]
            if self.sides == 2:
                is_larger = abs(drawn - drawn.mean()) >= real
            else:
                is_larger = abs(drawn) - abs(drawn).mean() > real
        return (int(np.count_nonzero(is_larger)) + 1) / (len(is_larger) + 1)

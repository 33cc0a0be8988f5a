"""Paired tests of any number of systems: against a baseline, or each against each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import check_name, checked_integer
from vecbleu.core.options import ScoreArgs, ScoreOptions, takes
from vecbleu.core.parallel.progress import progress_bar
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.table import Column, Result, Table
from vecbleu.core.terminal import escaped_name
from vecbleu.significance.intervals import interval_note
from vecbleu.significance.multiple_testing import benjamini_hochberg, clusters, holm
from vecbleu.significance.resampling import (
    SEED,
    DrawOptions,
    Rng,
    Test,
    central_interval,
    draw_sums,
    side_by_side,
)
from vecbleu.significance.systems import (
    Systems,
    baseline_index,
    checked_share,
    checked_systems,
)

Sides = Literal[1, 2]

# Of the clusters in tables.
_LEVEL = 0.05

# Draws of the randomization that are scored together.
_DRAWS_AT_ONCE = 1 << 15


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Systems tested against a baseline, which is one of them; scores are between 0 and 1.

    Parameters
    ----------
    names : tuple (systems,)
        Names of the systems.
    baseline : int
        Index of the baseline.
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
    """

    __module__ = "vecbleu.significance"

    names: tuple[Any, ...]
    baseline: int
    scores: Float64
    differences: Float64
    p_values: Float64
    holm: Float64
    benjamini_hochberg: Float64
    means: Float64 | None = None
    lower: Float64 | None = None
    upper: Float64 | None = None
    confidence_level: float | None = None

    def table(self) -> Table:
        """Return a table of the systems in their order, with differences from the baseline."""
        others: list[float | None] = self.differences.tolist()
        others[self.baseline] = None
        order = np.arange(len(self.names))
        columns = [
            *_score_columns(self, order),
            Column("difference", others, "difference"),
            Column("p", self.p_values.tolist(), "p"),
        ]
        baseline = escaped_name(str(self.names[self.baseline]))
        notes = [*_interval_notes(self), f"difference, p: against {baseline}"]
        return Table(columns, note="\n".join(notes))


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result):
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
    lower, upper : float64 array (systems,), or None
        Intervals of the scores (bootstrap only).
    confidence_level : float, or None
        The share of the resampled scores inside the intervals (bootstrap only).
    """

    __module__ = "vecbleu.significance"

    names: tuple[Any, ...]
    scores: Float64
    differences: Float64
    p_values: Float64
    holm: Float64
    benjamini_hochberg: Float64
    lower: Float64 | None = None
    upper: Float64 | None = None
    confidence_level: float | None = None

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
        order = self.order
        above = np.append(order[:1], order[:-1])
        columns = [
            Column("rank", range(1, len(order) + 1), "count"),
            *_score_columns(self, order),
            Column("cluster", self.clusters()[order].tolist(), "count"),
            Column("p (best)", self.p_values[order, order[0]].tolist(), "p"),
            Column("p (above)", self.p_values[order, above].tolist(), "p"),
        ]
        notes = [*_interval_notes(self), f"clusters: p < {_LEVEL:g} across each border"]
        return Table(columns, note="\n".join([*notes, *self._too_few_draws()]))

    def _too_few_draws(self) -> list[str]:
        """Say so if Holm's adjustment lifts even the smallest p-value above the level."""
        pairs, least = math.comb(len(self.names), 2), float(np.nanmin(self.p_values))
        if not least < _LEVEL <= least * pairs:
            return []
        return [
            f"no p-value adjusted by Holm is below {_LEVEL:g}: the smallest of {pairs} pairs, "
            f"{least:.4f}, becomes {min(1.0, least * pairs):.4f}; at least "
            f"{math.ceil(pairs / _LEVEL)} resamples allow it"
        ]


def _score_columns(found: Comparison | Ranking, order: Int64) -> list[Column]:
    """Names and scores in an order, and their intervals if there are any."""
    columns = [
        Column("system", [found.names[place] for place in order]),
        Column("BLEU", found.scores[order].tolist(), "score"),
    ]
    for title, ends in (("lower", found.lower), ("upper", found.upper)):
        if ends is not None:
            columns.append(Column(title, ends[order].tolist(), "score"))
    return columns


def _interval_notes(found: Comparison | Ranking) -> list[str]:
    level = found.confidence_level
    return [] if level is None else [interval_note(level)]


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
    sides = checked_sides(sides)
    level = checked_share(confidence_level, "confidence_level")
    draws = DrawOptions("bootstrap", n_resamples, rng, progress)
    resampling, index = _resampled(systems, draws, options, baseline)
    return resampling.compare(index, sides, level)


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
    resampling, index = _resampled(systems, draws, options, baseline)
    return resampling.compare(index)


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
    rank  system   BLEU  lower  upper  cluster  p (best)  p (above)
       1  two     92.60  90.03  95.20        1
       2  again   92.60  90.03  95.20        1     1.000      1.000
       3  one     47.82  40.84  54.54        2   < 0.001    < 0.001
    lower, upper: 95% interval
    clusters: p < 0.05 across each border

    References
    ----------
    As for `paired_bootstrap` and `paired_randomization`; of the clusters, as for `clusters`.
    """
    check_name(test, "test", get_args(Test))
    sides = checked_sides(sides)
    level = checked_share(confidence_level, "confidence_level")
    count = (1000 if test == "bootstrap" else 10000) if n_resamples is None else n_resamples
    resampling, _ = _resampled(systems, DrawOptions(test, count, rng, progress), options)
    return resampling.rank(sides, level)


def checked_sides(sides: Any) -> Sides:
    """Return 1 or 2."""
    return 1 if checked_integer(sides, "sides", 1, 2) == 1 else 2


def _resampled(
    systems: Any, draws: DrawOptions, options: Mapping[str, Any], baseline: Any = 0
) -> tuple[PairedResampling, int]:
    """Check systems and baseline, and draw; return the index of the baseline, too."""
    checked = checked_systems(systems)
    index = baseline_index(checked, baseline)
    order = next(iter(checked.values())).max_order
    scoring = ScoreOptions.checked(order, **options)
    return PairedResampling(checked, scoring, draws), index


class PairedResampling:
    """Scores of systems, and of what the same random draws make of each of them."""

    def __init__(
        self, systems: Mapping[Any, Statistics], scoring: ScoreOptions, draws: DrawOptions
    ) -> None:
        self.names, self.scoring, self.draws = tuple(systems), scoring, draws
        self.totals = np.stack([one.sum().array for one in systems.values()])
        self.scores, self.percents = bleu_and_percent(self.totals, scoring)  # (systems,)
        sums = draw_sums(side_by_side(systems.values()), draws, "drawing")
        self.sums = sums.reshape(-1, *self.totals.shape)  # (draws, systems, columns)
        # Of the bootstrap, 0 to 100 (draws, systems); exchanged segments score by pairs.
        is_bootstrap = draws.test == "bootstrap"
        self.resampled = bleu_and_percent(self.sums, scoring)[1] if is_bootstrap else None

    def compare(
        self, baseline: int, sides: Sides = 2, confidence_level: float = 0.95
    ) -> Comparison:
        """Test all systems against one."""
        others = [place for place in range(len(self.names)) if place != baseline]
        p_values = np.full(len(self.names), np.nan)
        p_values[others] = self._p_values([(baseline, other) for other in others], sides)
        means = None if self.resampled is None else self.resampled.mean(axis=0) / 100
        return Comparison(
            self.names, baseline, self.scores, (self.percents - self.percents[baseline]) / 100,
            p_values, holm(p_values), benjamini_hochberg(p_values), means,
            *self._intervals(confidence_level),
        )  # fmt: skip

    def rank(self, sides: Sides = 2, confidence_level: float = 0.95) -> Ranking:
        """Test each pair once."""
        number = len(self.names)
        pairs = [*combinations(range(number), 2)]
        p_values = self._p_values(pairs, sides)
        matrices = np.full((3, number, number), np.nan)
        one, other = np.triu_indices(number, 1)
        matrices[:, one, other] = p_values, holm(p_values), benjamini_hochberg(p_values)
        matrices[:, other, one] = matrices[:, one, other]
        differences = (self.percents[:, None] - self.percents) / 100
        ends = self._intervals(confidence_level)
        return Ranking(self.names, self.scores, differences, *matrices, *ends)

    def _intervals(
        self, confidence_level: float
    ) -> tuple[Float64, Float64, float] | tuple[None, None, None]:
        """Lower and upper bounds of the scores (systems,), and their level."""
        if self.resampled is None:
            return None, None, None
        lower, upper = central_interval(self.resampled, confidence_level)
        return lower / 100, upper / 100, confidence_level

    def _p_values(self, pairs: Iterable[tuple[int, int]], sides: Sides) -> Float64:
        """P-values of pairs of systems (pairs,)."""
        pairs, number = [*pairs], len(self.sums)
        p_values = np.ones(len(pairs))  # of systems whose scores are equal
        steps, progress = len(pairs) * number, self.draws.progress
        with progress_bar(progress, steps, "resamples", "comparing") as advance:
            for place, (one, other) in enumerate(pairs):
                real = abs(self.percents[other] - self.percents[one])
                if real > 0:
                    larger = self._count_larger(one, other, real, sides)
                    p_values[place] = (larger + 1) / (number + 1)
                advance(number)
        return p_values

    def _count_larger(self, one: int, other: int, real: float, sides: Sides) -> int:
        """Count the draws that differ by more under the null hypothesis than the systems do."""
        if self.resampled is None:
            return int(np.count_nonzero(self._exchanged_differences(one, other) > real))
        drawn = self.resampled[:, other] - self.resampled[:, one]
        if sides == 2:
            return int(np.count_nonzero(abs(drawn - drawn.mean()) >= real))
        drawn = abs(drawn)
        return int(np.count_nonzero(drawn - drawn.mean() > real))

    def _exchanged_differences(self, one: int, other: int) -> Float64:
        """Differences of two systems' scores where segments are exchanged (draws,)."""
        drawn: Float64 = np.empty(len(self.sums))
        for start in range(0, len(drawn), _DRAWS_AT_ONCE):
            some = slice(start, start + _DRAWS_AT_ONCE)
            exchanged = self.sums[some, one] - self.sums[some, other]  # (draws, columns)
            _, ones = bleu_and_percent(self.totals[other] + exchanged, self.scoring)
            _, others = bleu_and_percent(self.totals[one] - exchanged, self.scoring)
            drawn[some] = abs(ones - others)
        return drawn

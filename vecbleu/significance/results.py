"""Define the results of tests, adjusted p-values and clusters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import checked_share
from vecbleu.arguments.errors import ArgumentError, argument
from vecbleu.kernel.arrays import Float64, Int64, Mask
from vecbleu.show.table import (
    LEVEL,
    Column,
    Result,
    Table,
    direction_notes,
    p_phrase,
    p_value,
    points,
)

Adjustment = Literal["none", "holm", "benjamini_hochberg"]

# How adjustments are shown.
ADJUSTED: dict[Adjustment, str] = {
    "none": "not adjusted",
    "holm": "adjusted by Holm",
    "benjamini_hochberg": "adjusted by Benjamini-Hochberg",
}

# The note below tables with intervals.
INTERVAL_NOTE = "lower, upper: {:g}% interval"


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


def adjusted_p_values(p_values: Float64, adjust: Adjustment) -> Float64:
    """Adjust p-values: of tests (tests,), or of pairs (systems, systems), a symmetric matrix."""
    if adjust == "none":
        return p_values
    tests = np.triu_indices(len(p_values), 1) if p_values.ndim == 2 else slice(None)
    adjusted = np.full_like(p_values, np.nan)
    adjusted[tests] = _adjusted(p_values[tests], step_up=adjust == "benjamini_hochberg")
    return adjusted if p_values.ndim == 1 else np.fmin(adjusted, adjusted.T)


def _adjusted(p_values: npt.ArrayLike, step_up: bool) -> Float64:
    """Scale sorted p-values by their ranks, and make the result monotone."""
    values = _checked_p_values(p_values, 1)
    tests = np.flatnonzero(~np.isnan(values))
    ascending = tests[np.argsort(values[tests], kind="stable")]
    in_order = values[ascending]
    count = len(in_order)
    ranks = np.arange(1, count + 1)
    if step_up:
        scaled = in_order * count / ranks
        monotone = np.minimum.accumulate(scaled[::-1])[::-1]
    else:
        monotone = np.maximum.accumulate(in_order * (count + 1 - ranks))
    adjusted = np.full(values.shape, np.nan)
    # Without the error of the product: 28 * (1 / 560) must not be below a level of 0.05.
    adjusted[ascending] = [min(float(f"{value:.15g}"), 1.0) for value in monotone]
    return adjusted


def _checked_p_values(p_values: npt.ArrayLike, dimensions: int) -> Float64:
    """Return checked p-values as an array; they can be NaN."""
    values = np.asarray(p_values, np.float64)
    if values.ndim != dimensions:
        found = f"has {values.ndim} dimensions"
        raise ArgumentError(found, str(dimensions), argument="p_values")
    outside = np.argwhere((values < 0) | (values > 1)).tolist()
    if outside:
        index = tuple(outside[0])
        found = f"is {values[index]}"
        raise ArgumentError(found, "between 0 and 1", argument="p_values", index=index)
    return values


def clusters(scores: npt.ArrayLike, p_values: npt.ArrayLike, level: float = LEVEL) -> Int64:
    """Group systems into clusters that differ significantly, as in WMT's official rankings.

    Systems are sorted by score. A cluster ends where every system above differs from every system
    below with a p-value under `level`.

    Parameters
    ----------
    scores : array (systems,)
        Higher is better; of a metric whose lower score is better, pass ``-scores``.
    p_values : array (systems, systems)
        P-values of the differences, between 0 and 1. ``p_values[i, j]`` is read if system i has a
        higher score than system j; the other half and the diagonal are not.
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
    with argument("level"):
        level = checked_share(level)
    values = np.asarray(scores, np.float64)
    tests = _checked_p_values(p_values, 2)
    if tests.shape != values.shape * 2:
        raise ValueError(
            f"scores has shape {values.shape} and p_values {tests.shape}, expected (systems,) and "
            "(systems, systems)"
        )
    unknown = np.flatnonzero(np.isnan(values))
    if unknown.size:
        raise ValueError(f"scores[{unknown[0]}] is NaN, expected a number")
    ranking = np.argsort(-values, kind="stable")
    return _cut(ranking, tests < level)


def _cut(ranking: Int64, differs: Mask) -> Int64:
    """Return the cluster of each system (systems,), given which pairs differ."""
    in_order = differs[np.ix_(ranking, ranking)]
    starts = np.ones(len(ranking), bool)
    for rank in range(1, len(ranking)):
        starts[rank] = in_order[:rank, rank:].all()
    numbers = np.empty(len(ranking), np.int64)
    numbers[ranking] = np.cumsum(starts)
    return numbers


def gains(values: Float64, higher_is_better: bool) -> Float64:
    """Return scores, or differences of scores, with the sign with which higher is better."""
    return values if higher_is_better else -values


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
        return Table(columns, notes=[INTERVAL_NOTE.format(100 * self.confidence_level)])


@dataclass(frozen=True, eq=False, repr=False)
class PairedTests(Result):
    """Base class of `Comparison`, `Ranking` and `Buckets`."""

    names: tuple[Hashable, ...]
    scores: Float64
    differences: Float64
    p_values: Float64
    holm: Float64
    benjamini_hochberg: Float64
    p_lower: Float64
    p_upper: Float64
    n_resamples: Float64
    _: KW_ONLY
    means: Float64 | None = None
    lower: Float64 | None = None
    upper: Float64 | None = None
    difference_lower: Float64 | None = None
    difference_upper: Float64 | None = None
    human_agreement: Float64 | None = None
    confidence_level: float | None = None
    metric: str = "score"
    higher_is_better: bool = True
    level: float = LEVEL
    adjust: Adjustment = "none"

    @property
    def order(self) -> Int64:
        """Indices of the systems (systems,), best first; ties stand as they were passed."""
        return np.argsort(-gains(self.scores, self.higher_is_better), kind="stable")

    @property
    def adjusted(self) -> Float64:
        """P-values, adjusted as `adjust` says, in the shape of `p_values`."""
        return adjusted_p_values(self.p_values, self.adjust)

    @property
    def significant(self) -> Mask:
        """Which differences are significant, in the shape of `p_values`.

        The adjusted p-value is below the level, whatever more draws would bring, and the interval
        of the difference leaves out 0.
        """
        return adjusted_p_values(self.p_upper, self.adjust) < self.level

    @property
    def borderline(self) -> Mask:
        """Which differences are borderline, and so not significant, in the shape of `p_values`.

        More draws could bring the adjusted p-value to the other side of the level, or the interval
        of the difference contradicts it.
        """
        can_be_below = adjusted_p_values(self.p_lower, self.adjust) < self.level
        return can_be_below & (adjusted_p_values(self.p_upper, self.adjust) >= self.level)

    def _p_column(
        self,
        title: str,
        index: slice | tuple[Int64, ...] = slice(None),
        adjust: Adjustment | None = None,
    ) -> Column:
        values = adjusted_p_values(self.p_values, adjust or self.adjust)[index]
        return Column(title, values, "p", texts=p_texts(self, index, adjust))

    def _difference_columns(self, index: slice | tuple[Int64, ...] = slice(None)) -> list[Column]:
        """Return columns of these differences; a system and itself have empty cells."""
        is_self = np.isnan(self.p_values[index])
        parts = (
            ("difference", "difference", self.differences),
            ("lower", "difference_lower", self.difference_lower),
            ("upper", "difference_upper", self.difference_upper),
        )
        columns = []
        for title, key, values in parts:
            if values is not None:
                shown = np.where(is_self, np.nan, values[index])
                columns.append(Column(title, shown, "difference", key=key))
        return columns

    def _table(self, ranking: Sequence[int], tests: Sequence[Column], *notes: str) -> Table:
        """Return a table of the systems, as ranked: names, scores, intervals, then tests."""
        columns = [Column("system", [self.names[system] for system in ranking])]
        scores = {self.metric: self.scores, "lower": self.lower, "upper": self.upper}
        for title, values in scores.items():
            if values is not None:
                columns.append(Column(title, values[ranking], "score"))
        if self.confidence_level is not None:
            notes = INTERVAL_NOTE.format(100 * self.confidence_level), *notes
        notes = *direction_notes(self.metric, self.higher_is_better), *notes
        return Table([*columns, *tests], notes=[*notes, *self._p_notes(tests)])

    def _p_notes(self, columns: Sequence[Column]) -> list[str]:
        """Return a note on borderline p-values, if a column has one."""
        texts = [text for column in columns for text in column.texts]
        if not any("borderline" in text for text in texts):
            return []
        most = int(np.nanmax(self.n_resamples))
        undecided = f"{most:,} draws do not decide whether p < {self.level:g}"
        return [f"borderline: {undecided}, or the interval contradicts p"]


def p_texts(
    tested: PairedTests,
    index: slice | tuple[Any, ...] = slice(None),
    adjust: Adjustment | None = None,
) -> list[str]:
    """Return p-values (tests,) as text, with the digits that their draws support."""
    adjust = adjust or tested.adjust
    estimated = tested.p_values[index]
    shown = adjusted_p_values(tested.p_values, adjust)[index]
    factors = shown / estimated
    errors = factors * np.sqrt(estimated * (1 - estimated) / tested.n_resamples[index])
    flags = tested.borderline[index] & (adjust == tested.adjust)
    rows = zip(shown.tolist(), errors.tolist(), flags.tolist(), strict=True)
    return [p_value(p, tested.level, error, flag) for p, error, flag in rows]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(PairedTests):
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
    p_lower, p_upper : float64 array (systems,)
        Bounds of the p-value that more draws, or the interval, leave possible; see `significant`.
    n_resamples : float64 array (systems,)
        Draws of each test; NaN for the baseline.
    means, lower, upper : float64 array (systems,), or None
        Mean of the resampled scores, and their interval (bootstrap only).
    human_agreement : float64 array (systems,), or None
        For each difference, how often people agree, in percent, as the function `human_agreement`
        says. None for settings that it was not made with.
    difference_lower, difference_upper : float64 array (systems,), or None
        Interval of each difference, from the resampled ones; 0 for the baseline (bootstrap only).
    confidence_level : float, or None
        Share of the resampled scores inside the intervals (bootstrap only).
    metric : str
        Name of the metric, such as "BLEU": the title of the scores.
    higher_is_better : bool
        False for a metric such as an error rate.
    level : float
        Significance level.
    adjust : {"none", "holm", "benjamini_hochberg"}
        How the p-values of tables and verdicts are adjusted.
    baseline : int
        Index of the baseline.
    """

    __module__ = "vecbleu.significance"

    baseline: int

    def table(self) -> Table:
        """Return a table of the systems, with differences from the baseline."""
        tests = *self._difference_columns(), self._p_column("p")
        note = f"difference, p: against {self.names[self.baseline]}"
        return self._table(range(len(self.names)), tests, note)


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(PairedTests):
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
    p_lower, p_upper : float64 array (systems, systems)
        Bounds of the p-value that more draws, or the interval, leave possible; see `significant`.
    n_resamples : float64 array (systems, systems)
        Draws of each test; NaN on the diagonal.
    means, lower, upper : float64 array (systems,), or None
        Mean of the resampled scores, and their interval (bootstrap only).
    human_agreement : float64 array (systems, systems), or None
        For each difference, how often people agree, in percent, as the function `human_agreement`
        says. None for settings that it was not made with.
    difference_lower, difference_upper : float64 array (systems, systems), or None
        Interval of each difference, from the resampled ones (bootstrap only).
    confidence_level : float, or None
        Share of the resampled scores inside the intervals (bootstrap only).
    metric : str
        Name of the metric, such as "BLEU": the title of the scores.
    higher_is_better : bool
        False for a metric such as an error rate.
    level : float
        Significance level.
    adjust : {"none", "holm", "benjamini_hochberg"}
        How the p-values of clusters, tables and pictures are adjusted.
    """

    __module__ = "vecbleu.significance"

    def clusters(self) -> Int64:
        """Return the cluster of each system (systems,), from 1 for the best.

        They depend on `level` and `adjust`; ``dataclasses.replace(ranking, level=0.01)`` has those
        of another level.
        """
        return _cut(self.order, self.significant)

    def pairs(self) -> Table:
        """Return a table of all pairs, with all adjusted p-values.

        A difference is the score of the worse system minus that of the better, as in `table`.
        """
        better, worse = np.transpose(list(combinations(self.order, 2)))
        columns = [
            Column("better", [self.names[system] for system in better]),
            Column("worse", [self.names[system] for system in worse]),
            *self._difference_columns((worse, better)),
        ]
        index = better, worse
        columns.append(Column("significant", self.significant[index]))
        columns.append(Column("borderline", self.borderline[index]))
        draws = self.n_resamples[index].astype(int)
        columns.append(Column("draws", draws, "count", key="n_resamples"))
        if self.human_agreement is not None:
            agreement = self.human_agreement[index]
            columns.append(Column("people agree", agreement, "percent", key="human_agreement"))
        tests = [
            self._p_column("p", index, "none"),
            self._p_column("holm", index, "holm"),
            self._p_column("benjamini_hochberg", index, "benjamini_hochberg"),
        ]
        return Table([*columns, *tests], notes=self._p_notes(tests))

    def table(self, rows: Int64 | None = None, *, people: bool = False) -> Table:
        """Return a table of the systems, best first.

        `rows` are the systems in another order, such as that of another metric's ranking. This
        changes no number: the best system, and the one above, are always those of this ranking.
        `people` adds how often people agree with the difference from the best, if that is known.
        """
        ranking = self.order
        rows = ranking if rows is None else np.asarray(rows)
        places = np.argsort(ranking)[rows]
        best = np.full_like(rows, ranking[0])
        above = ranking[np.maximum(places - 1, 0)]
        columns = [
            Column("cluster", self.clusters()[rows], "count"),
            *self._difference_columns((rows, best)),
            self._p_column("p (best)", (rows, best)),
            self._p_column("p (above)", (rows, above)),
        ]
        significant = f"p < {self.level:g}, {ADJUSTED[self.adjust]}"
        border = f"cluster: systems in different clusters differ ({significant})"
        notes = ["difference: from the best", border]
        if people:
            note = f"not known for {self.metric} with these options"
            if self.human_agreement is not None:
                agreement = self.human_agreement[rows, best]
                columns.append(Column("people agree", agreement, "percent", key="human_agreement"))
                note = "with such a difference from the best (at random: 50%)"
            notes.append(f"people agree: {note}")
        table = self._table(rows.tolist(), columns, *notes)
        ranks = Column("rank", places + 1, "count")
        return table._replace(columns=[ranks, *table.columns])


def verdict(
    tests: Sequence[Comparison | Ranking], names: Sequence[str], system: int, other: int
) -> str:
    """Say by how much a system is ahead of another, if that is chance, and if people would agree.

    The other system of a `Comparison` is its baseline.
    """
    phrases: dict[str, list[str]] = {}
    significant: dict[str, list[str]] = {}  # metrics by direction
    are_borderline = []
    agreements = []
    conclusion = "not significant"
    for tested in tests:
        index: Any = ([system], [other]) if isinstance(tested, Ranking) else [system]
        difference = float(tested.differences[index][0])
        gain = difference if tested.higher_is_better else -difference
        kind = f"equal to {names[other]} in"
        amount = tested.metric
        if gain:
            direction = "ahead of" if gain > 0 else "behind"
            kind = f"{direction} {names[other]} by"
            amount = f"{points(abs(gain), sign='')} {tested.metric}"
            conclusion = "not significant, so it can be chance"
        (text,) = p_texts(tested, index)
        phrases.setdefault(kind, []).append(f"{amount} ({p_phrase(text)})")
        if tested.significant[index][0]:
            significant.setdefault(kind, []).append(tested.metric)
        are_borderline.append(tested.borderline[index][0])
        if tested.human_agreement is not None and gain:
            share = max(tested.human_agreement[index][0], 50)
            agreements.append(f"with {tested.metric} in {share:.0f}%")
    said = ", ".join(f"{kind} {' and '.join(amounts)}" for kind, amounts in phrases.items())
    if len(significant) > 1:
        conclusion = "the metrics contradict each other"
    elif significant:
        (metrics,) = significant.values()
        only = f"significant by {' and '.join(metrics)} only"
        conclusion = "significant, so hardly chance" if len(metrics) == len(tests) else only
    elif all(are_borderline):
        conclusion = "too close to call, so not significant"
    agreed = f"people agree {' and '.join(agreements)} of such cases (at random: 50%)"
    noticed = f"; {agreed}" if agreements else ""
    return f"{names[system]} is {said}: {conclusion}{noticed}"

"""Whether systems differ: paired tests on the same segments, for any number of systems at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from vecbleu.ragged import Int64
from vecbleu.significance.adjusting import benjamini_hochberg, clusters, holm
from vecbleu.significance.intervals import bounds, places_outside
from vecbleu.significance.resampling import SEED, bootstrap_sums, generator, selection_sums
from vecbleu.significance.scoring import (
    Floats,
    Result,
    ScoreOptions,
    Scorer,
    Systems,
    checked_count,
    scorer_of,
    tables_of,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

Test = Literal["bootstrap", "randomization"]

# Scores of shuffled pairs computed together.
_SHUFFLED = 1 << 16


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result):
    """Systems against one of them, the baseline; scores on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        What the systems are called.
    baseline : int
        The place of the one that the others are compared with.
    scores : float64 array (systems,)
        BLEU of each.
    differences : float64 array (systems,)
        Their scores less the baseline's.
    p_values : float64 array (systems,)
        Of the differences; NaN for the baseline.
    holm, benjamini_hochberg : float64 array (systems,)
        The same, adjusted for the number of systems.
    means, lower, upper : float64 array (systems,), or None
        The mean of the resampled scores and the interval of 95% (bootstrap only).
    """

    names: tuple[str, ...]
    baseline: int
    scores: Floats
    differences: Floats
    p_values: Floats
    holm: Floats
    benjamini_hochberg: Floats
    means: Floats | None = None
    lower: Floats | None = None
    upper: Floats | None = None

    def __repr__(self) -> str:
        parts = [
            f"{name}: {score:.4f}" + ("" if np.isnan(p) else f" (p = {p:.4f})")
            for name, score, p in zip(self.names, self.scores, self.p_values, strict=True)
        ]
        return f"Comparison({', '.join(parts[:6])}{', ...' if len(parts) > 6 else ''})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllPairs(Result):
    """Every system against every other; scores on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        What the systems are called.
    scores : float64 array (systems,)
        BLEU of each.
    differences : float64 array (systems, systems)
        The row's score less the column's.
    p_values : float64 array (systems, systems)
        Of the differences; NaN on the diagonal.
    holm, benjamini_hochberg : float64 array (systems, systems)
        The same, adjusted for the number of pairs.
    """

    names: tuple[str, ...]
    scores: Floats
    differences: Floats
    p_values: Floats
    holm: Floats
    benjamini_hochberg: Floats

    def clusters(self, level: float = 0.05) -> Int64:
        """Groups that can't be told apart (systems,), from 1 for the best; see `clusters`."""
        return clusters(self.scores, self.p_values, level)

    def __repr__(self) -> str:
        best = int(self.scores.argmax())
        return (
            f"AllPairs(systems={len(self.names)}, best={self.names[best]}: "
            f"{self.scores[best]:.4f}, clusters={int(self.clusters().max())})"
        )


def paired_bootstrap(
    systems: Systems,
    *,
    baseline: int | str = 0,
    resamples: int = 1000,
    rng: Any = SEED,
    batch: int | None = None,
    **score: Unpack[ScoreOptions],
) -> Comparison:
    """Test by bootstrap whether systems differ from a baseline.

    The same segments are drawn for all systems. With d the differences |system - baseline| of
    the resampled scores, p = (#{d - mean(d) > |difference|} + 1) / (resamples + 1).

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    baseline : int or str
        Its place or its name.
    resamples : int
        Corpora drawn.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    batch : int, optional
        Resamples held in memory at a time. The result does not depend on it.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

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
    Draws and rule are sacreBLEU's, and so are the p-values, but for systems of equal score: there
    p is 1, while sacreBLEU finds a system significantly different from itself (p = 1 /
    (resamples + 1)), since no difference of 0 is greater than 0.

    The rule is too sure of itself. Where systems are equal, d - mean(d) is above a large difference
    as often as one tail of the normal distribution, while the difference can be large on both
    sides: at p < 0.05 it finds one pair of equal systems in ten to differ, not one in twenty.
    `paired_randomization` keeps to its level.

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
    Comparison(one: 0.4782, two: 0.9260 (p = 0.0010))

    References
    ----------
    Koehn (2004), "Statistical significance tests for machine translation evaluation", EMNLP;
    sacreBLEU 2.6, `_paired_bs_test`.
    """
    draws = _Draws("bootstrap", systems, resamples, rng, batch, score)
    return draws.compare(draws.place(baseline))


def paired_randomization(
    systems: Systems,
    *,
    baseline: int | str = 0,
    trials: int = 10000,
    rng: Any = SEED,
    batch: int | None = None,
    **score: Unpack[ScoreOptions],
) -> Comparison:
    """Test by approximate randomization whether systems differ from a baseline.

    In every trial, each segment's outputs are exchanged with probability 1/2. With d the
    differences of the two shuffled systems, p = (#{d > |difference|} + 1) / (trials + 1).

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    baseline : int or str
        Its place or its name.
    trials : int
        How often outputs are exchanged.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    batch : int, optional
        Trials held in memory at a time (32 at least, where the number of segments is odd). The
        result does not depend on it.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

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
    Draws and rule are sacreBLEU's and MultEval's; systems of equal score have p = 1, as for
    `paired_bootstrap`.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import paired_randomization
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> paired_randomization([one, two], trials=999).p_values[1].item()
    0.001

    References
    ----------
    Riezler and Maxwell (2005), "On some pitfalls in automatic evaluation and significance
    testing for MT"; sacreBLEU 2.6, `_paired_ar_test`.
    """
    draws = _Draws("randomization", systems, trials, rng, batch, score)
    return draws.compare(draws.place(baseline))


def all_pairs(
    systems: Systems,
    *,
    test: Test = "bootstrap",
    resamples: int | None = None,
    rng: Any = SEED,
    batch: int | None = None,
    **score: Unpack[ScoreOptions],
) -> AllPairs:
    """Test every system against every other, with the same draws for all.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    test : {"bootstrap", "randomization"}
        `paired_bootstrap` or `paired_randomization`.
    resamples : int, optional
        Corpora drawn (1,000) or trials (10,000).
    rng, batch, **score
        As for `paired_bootstrap`.

    Returns
    -------
    AllPairs

    Raises
    ------
    TypeError, ValueError
        As for `paired_bootstrap`; an unknown test.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import all_pairs
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> all_pairs({"one": one, "two": two, "again": two})
    AllPairs(systems=3, best=two: 0.9260, clusters=2)

    References
    ----------
    As for `paired_bootstrap` and `paired_randomization`.
    """
    if test not in ("bootstrap", "randomization"):
        raise ValueError(f"test is {test!r}, expected 'bootstrap' or 'randomization'")
    if resamples is None:
        resamples = 1000 if test == "bootstrap" else 10000
    return _Draws(test, systems, resamples, rng, batch, score).compare_all()


class _Draws:
    """Systems and what the random draws, the same for all, make of them."""

    def __init__(
        self,
        test: Test,
        systems: Systems,
        count: int,
        rng: Any,
        batch: int | None,
        options: ScoreOptions,
    ) -> None:
        self.test = test
        self.names, tables = tables_of(systems)  # (segments, systems, columns)
        size, number, columns = tables.shape
        count = checked_count(count, "resamples" if test == "bootstrap" else "trials")
        batch = None if batch is None else checked_count(batch, "batch")
        self.scorer: Scorer = scorer_of(columns // 2 - 1, options)
        self.totals = tables.sum(axis=0)  # (systems, columns)
        self.percents = self.scorer.percents(self.totals)  # (systems,)
        draw = bootstrap_sums if test == "bootstrap" else selection_sums
        sums = draw(tables.reshape(size, -1), count, generator(rng), batch)
        self.sums = sums.reshape(count, number, columns)
        # Of the bootstrap; shuffled systems are other ones for each pair.
        self.resampled = self.scorer.percents(self.sums) if test == "bootstrap" else np.empty(0)

    def place(self, baseline: int | str) -> int:
        """The baseline's number."""
        if isinstance(baseline, str):
            if baseline not in self.names:
                raise ValueError(f"baseline is {baseline!r}, expected one of {self.names}")
            return self.names.index(baseline)
        if not isinstance(baseline, (int, np.integer)) or isinstance(baseline, bool):
            raise TypeError(f"baseline is {baseline!r}, expected a name or a number")
        if not 0 <= baseline < len(self.names):
            raise ValueError(f"baseline is {baseline} but there are {len(self.names)} systems")
        return int(baseline)

    def compare(self, baseline: int) -> Comparison:
        """All systems against one."""
        p_values = self._p_values(baseline, slice(None))
        p_values[baseline] = np.nan
        adjusted = holm(p_values), benjamini_hochberg(p_values)
        scores = self.percents / 100
        differences = (self.percents - self.percents[baseline]) / 100
        result = self.names, baseline, scores, differences, p_values, *adjusted
        if self.test == "randomization":
            return Comparison(*result)
        limits = bounds(self.resampled, places_outside(len(self.resampled), 0.95))
        lower, upper = (limit / 100 for limit in limits)
        return Comparison(*result, self.resampled.mean(axis=0) / 100, lower, upper)

    def compare_all(self) -> AllPairs:
        """Each pair once."""
        number = len(self.names)
        pairs = np.triu_indices(number, 1)
        p_values = np.concatenate(
            [self._p_values(place, slice(place + 1, None)) for place in range(number)]
        )
        matrices = []
        for values in (p_values, holm(p_values), benjamini_hochberg(p_values)):
            matrix = np.full((number, number), np.nan)
            matrix[pairs] = matrix.T[pairs] = values
            matrices.append(matrix)
        differences = (self.percents[:, None] - self.percents) / 100
        return AllPairs(self.names, self.percents / 100, differences, *matrices)

    def _p_values(self, baseline: int, others: slice) -> Floats:
        """Of some systems' differences from one (systems,)."""
        real = abs(self.percents[others] - self.percents[baseline])
        if self.test == "bootstrap":
            drawn = abs(self.resampled[:, others] - self.resampled[:, [baseline]])
            more = (drawn - drawn.mean(axis=0) > real).sum(axis=0)
        else:
            more = np.zeros(len(real), np.int64)
            for drawn in self._shuffled(baseline, others):
                more += (drawn > real).sum(axis=0)
        p_values: Floats = (more + 1) / (len(self.sums) + 1)
        p_values[real == 0] = 1.0
        return p_values

    def _shuffled(self, baseline: int, others: slice) -> Iterator[Floats]:
        """Differences of the shuffled systems, some trials at a time (trials, systems)."""
        step = max(1, _SHUFFLED // len(self.names))
        for start in range(0, len(self.sums), step):
            taken = self.sums[start : start + step]
            exchanged = taken[:, [baseline]] - taken[:, others]  # (trials, systems, columns)
            one = self.scorer.percents(self.totals[others] + exchanged)
            other = self.scorer.percents(self.totals[baseline] - exchanged)
            yield abs(one - other)

"""Compute bootstrap intervals, paired tests and rankings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, TypeVar, Unpack, get_args

import numpy as np
import numpy.typing as npt

from vecbleu.arguments import checks
from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    Place,
    argument,
    place_text,
)
from vecbleu.bleu.options import ScoreArgs
from vecbleu.core.count_table import CountTable
from vecbleu.core.references import check_references
from vecbleu.core.score import Score
from vecbleu.core.signature import common
from vecbleu.inputs.alignment import Column
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.show.table import LEVEL
from vecbleu.significance.groups import group_sums, label_groups
from vecbleu.significance.pairs import PairTest, Rule, draw_until_decided
from vecbleu.significance.resampling import (
    SEED,
    Draws,
    Rng,
    Test,
    central_interval,
    draw_sums,
    warn_if_few,
)
from vecbleu.significance.results import (
    ADJUSTED,
    Adjustment,
    Comparison,
    Interval,
    Ranking,
    benjamini_hochberg,
    holm,
)
from vecbleu.significance.segment_scores import SegmentScores, is_scores, mean_table

System = TypeVar("System")
Found = TypeVar("Found", Comparison, Ranking)
Systems = Mapping[Any, CountTable] | Iterable[CountTable]
Scores = Sequence[float] | npt.NDArray[Any] | Column  # one's own
Tested = Mapping[Any, CountTable] | Iterable[CountTable] | Mapping[Any, Scores] | Iterable[Scores]
Sides = Literal[1, 2]
Labels = Iterable[Hashable]
Pairs = Sequence[tuple[int, int]]

# Which drawn differences are as extreme as the real one: by `sides`, or by `count_equal`, for which
# differences that only rounding tells apart are equal, as for scipy.stats.permutation_test.
_BOOTSTRAP_RULES: dict[int, Rule] = {
    1: lambda drawn, real, rounding: abs(drawn) - abs(drawn).mean() > real,
    2: lambda drawn, real, rounding: abs(drawn - drawn.mean()) >= real,
}
_RANDOMIZATION_RULES: dict[bool, Rule] = {
    False: lambda drawn, real, rounding: abs(drawn) > real,
    True: lambda drawn, real, rounding: abs(drawn) >= real - rounding,
}

# Relative rounding error of a number.
_EPSILON = float(np.finfo(np.float64).eps)


def bootstrap(
    statistics: CountTable,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    groups: Labels | None = None,
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
    groups : iterable (segments,) of hashables, optional
        Label of each segment, such as its document. Whole groups are drawn, since the segments of a
        document are alike; at least ten are needed.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics. For BLEU, these are weights, smoothing,
        smoothing_value and effective_order.

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
    >>> stats = vecbleu.statistics(["a b c d e", "a b c x"] * 20, ["a b c d e", "a b c d"] * 20)
    >>> bootstrap(stats, rng=0)
     BLEU  lower  upper   mean
    79.84  71.21  86.95  79.74
    lower, upper: 95% interval

    References
    ----------
    Koehn (2004), "Statistical significance tests for machine translation evaluation", EMNLP.
    """
    check_keywords(bootstrap, options)
    with argument("statistics"):
        check_rows(statistics)
    score = float(statistics.score(**options))  # checks the options before anything is drawn
    with argument("confidence_level"):
        level = checks.checked_share(confidence_level)
    with argument("n_resamples"):
        count = checks.checked_integer(n_resamples, 1)
    draws = Draws.checked("bootstrap", count, rng, progress)
    rows = _drawn_rows([statistics], draws, groups)
    sums = draw_sums(rows, draws, count)[:, 0]
    resampled = statistics.resampled_percents(sums, **options)
    # Divide percentages by 100, as the paired bootstrap does: the two agree in all digits.
    summary = resampled.mean(), *central_interval(resampled, level)
    mean, lower, upper = (float(percent) / 100 for percent in summary)
    scores = resampled.astype(np.float64) / 100
    return Interval(score, mean, lower, upper, level, scores, statistics.name)


def paired_bootstrap(
    systems: Tested,
    *,
    baseline: Hashable = None,
    sides: Sides = 2,
    n_resamples: int | None = None,
    confidence_level: float = 0.95,
    groups: Labels | None = None,
    metric: str | None = None,
    higher_is_better: bool = True,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Comparison:
    """Test whether systems differ from a baseline, by the paired bootstrap.

    The same segments are drawn with replacement for all systems. Let `difference` be the score of a
    system minus that of the baseline, D the same difference for each resampled corpus, and
    d = abs(D). Then

    - `sides` = 2: p = (#{abs(D - mean(D)) >= abs(difference)} + 1) / (n + 1);
    - `sides` = 1, sacreBLEU's rule: p = (#{d - mean(d) > abs(difference)} + 1) / (n + 1).

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order; or one's own scores of them, such as
        COMET's, as arrays (segments,). Then the means are tested. Names can be any hashables.
    baseline : name or int, optional
        Name or index of the baseline, by default the first system. An int that is a name counts as
        a name.
    sides : {2, 1}
        Tails of the null distribution to count. With 2, one in twenty pairs of equal systems has
        p < 0.05, as it should be. 1 gives sacreBLEU's p-values, with which one in ten has.
    n_resamples : int, optional
        Number of resampled corpora, n. By default 1,000, and for pairs of which these do not decide
        whether p is below 0.05 more, up to 100,000 (fewer above 2,500 segments).
    confidence_level : float
        Confidence level of the intervals, as for `bootstrap`.
    groups : iterable (segments,) of hashables, optional
        Label of each segment, such as its document. Whole groups are drawn, since the segments of a
        document are alike; at least ten are needed.
    metric : str, optional
        Name of one's own scores, for tables.
    higher_is_better : bool
        False if a lower one of one's own scores is better.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics. For BLEU, these are weights, smoothing,
        smoothing_value and effective_order.

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

    sacreBLEU's rule gives p-values that are too small: it counts only one tail of the null
    distribution, but chance can make a system better or worse. At p < 0.05, it calls one in ten
    pairs of equal systems different, not one in twenty. With one side, p-values equal sacreBLEU's,
    with one exception: systems with equal scores have p = 1. (sacreBLEU counts only draws with a
    difference greater than the real one. If a system is compared with itself, there are none, and p
    is small.)

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
    system   BLEU  lower  upper  difference   lower   upper        p
    one     47.82  40.84  54.54
    two     92.60  90.03  95.20      +44.78  +38.98  +51.83  < 0.001
    lower, upper: 95% interval
    difference, p: against one

    References
    ----------
    Koehn (2004), "Statistical significance tests for machine translation evaluation", EMNLP.
    Two sides: Noreen (1989), "Computer-Intensive Methods for Testing Hypotheses", the shift
    method. One side: sacreBLEU 2.6, `_paired_bs_test`.
    """
    check_keywords(paired_bootstrap, options)
    with argument("sides"):
        rule = _BOOTSTRAP_RULES[checks.checked_integer(sides, 1, 2)]
    with argument("confidence_level"):
        level = checks.checked_share(confidence_level)
    draws = Draws.checked("bootstrap", n_resamples, rng, progress)
    tables = checked_systems(systems, higher_is_better=higher_is_better)
    compared = _comparison(tables, baseline, draws, rule, groups, options, level)
    return _renamed(compared, tables, metric, higher_is_better)


def paired_randomization(
    systems: Tested,
    *,
    baseline: Hashable = None,
    count_equal: bool = True,
    n_resamples: int | None = None,
    groups: Labels | None = None,
    metric: str | None = None,
    higher_is_better: bool = True,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Comparison:
    """Test whether systems differ from a baseline, by approximate randomization.

    In each draw, the two systems exchange their outputs for each segment with probability 1/2. Let
    `difference` be the real difference of their scores, and d the absolute one after a draw. Then
    p = (#{d >= abs(difference)} + 1) / (n + 1).

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order; or one's own scores of them, such as
        COMET's, as arrays (segments,). Then the means are tested. Names can be any hashables.
    baseline : name or int, optional
        Name or index of the baseline, by default the first system. An int that is a name counts as
        a name.
    count_equal : bool
        Count draws with an equal difference, too. False gives sacreBLEU's p-values: its rule counts
        only larger differences, d > abs(difference).
    n_resamples : int, optional
        Number of draws, n; by default as for `paired_bootstrap`.
    groups : iterable (segments,) of hashables, optional
        Label of each segment, such as its document. Systems exchange whole groups, since the
        segments of a document are alike.
    metric : str, optional
        Name of one's own scores, for tables.
    higher_is_better : bool
        False if a lower one of one's own scores is better.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics. For BLEU, these are weights, smoothing,
        smoothing_value and effective_order.

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
    P-values are valid for any number of segments: if the systems differ in n segments, about one
    draw in 2**(n - 1) gives the real difference. Differences that only rounding tells apart are
    equal, as for `scipy.stats.permutation_test`.

    The random draws are those of sacreBLEU. Its rule does not count equal differences, so its p is
    far too small if the systems differ in fewer than about ten segments. For systems with equal
    scores, p = 1 by either rule, as in `paired_bootstrap`; sacreBLEU prints a small p.

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
    check_keywords(paired_randomization, options)
    with argument("count_equal"):
        rule = _RANDOMIZATION_RULES[checks.checked_bool(count_equal)]
    draws = Draws.checked("randomization", n_resamples, rng, progress)
    tables = checked_systems(systems, higher_is_better=higher_is_better)
    compared = _comparison(tables, baseline, draws, rule, groups, options)
    return _renamed(compared, tables, metric, higher_is_better)


def rank(
    systems: Tested,
    *,
    test: Test = "bootstrap",
    sides: Sides | None = None,
    n_resamples: int | None = None,
    confidence_level: float | None = None,
    level: float = LEVEL,
    adjust: Adjustment = "none",
    groups: Labels | None = None,
    metric: str | None = None,
    higher_is_better: bool = True,
    rng: Rng = SEED,
    progress: bool | None = False,
    **options: Unpack[ScoreArgs],
) -> Ranking:
    """Rank systems by score, best first, and test all pairs on the same random draws.

    Parameters
    ----------
    systems : dict of names to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order; or one's own scores of them, such as
        COMET's, as arrays (segments,). Then the means are tested. Names can be any hashables.
    test : {"bootstrap", "randomization"}
        Test of `paired_bootstrap`, or of `paired_randomization`.
    sides : {2, 1}, optional
        Tails of the bootstrap, as for `paired_bootstrap`: by default 2. Randomization always counts
        both, and takes no `sides`.
    n_resamples : int, optional
        Number of draws. By default 1,000, and for pairs of which these do not decide whether p is
        below `level` more, up to 100,000 (fewer above 2,500 segments).
    confidence_level : float, optional
        Confidence level of the intervals of the bootstrap, by default 1 - level. Randomization has
        no intervals.
    level : float
        Significance level, as for `Ranking.significant`.
    adjust : {"none", "holm", "benjamini_hochberg"}
        Adjust p-values for the number of pairs, before clusters are formed.
    groups : iterable (segments,) of hashables, optional
        Label of each segment, as for `paired_bootstrap` or `paired_randomization`.
    metric : str, optional
        Name of one's own scores, for tables.
    higher_is_better : bool
        False if a lower one of one's own scores is better.
    rng : numpy.random.Generator, int or None
        Generator or seed, by default 12345 as in sacreBLEU; None draws a new seed.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    **options
        As for the method `score` of the statistics. For BLEU, these are weights, smoothing,
        smoothing_value and effective_order.

    Returns
    -------
    Ranking

    Raises
    ------
    TypeError, ValueError
        As for `paired_bootstrap`; or the test is unknown, or does not take an option that is given.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.significance import rank
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> rank({"one": one, "two": two, "again": two})
    rank  system   BLEU  lower  upper  cluster  difference   lower   upper  p (best)  p (above)
       1  two     92.60  90.03  95.20        1
       2  again   92.60  90.03  95.20        1       +0.00   +0.00   +0.00     1.000      1.000
       3  one     47.82  40.84  54.54        2      -44.78  -51.83  -38.98   < 0.001    < 0.001
    lower, upper: 95% interval
    difference: from the best
    cluster: systems in different clusters differ (p < 0.05, not adjusted)

    References
    ----------
    See `paired_bootstrap`, `paired_randomization` and `clusters`.
    """
    check_keywords(rank, options)
    with argument("test"):
        checks.checked_name(test, get_args(Test))
    with argument("level"):
        level = checks.checked_share(level)
    with argument("adjust"):
        checks.checked_name(adjust, ADJUSTED)
    if test == "randomization":
        for name, value in (("sides", sides), ("confidence_level", confidence_level)):
            if value is not None:
                found = f"is {value}, but test is 'randomization': leave it out"
                raise ArgumentError(found, argument=name)
        rule = _RANDOMIZATION_RULES[True]
    else:
        with argument("sides"):
            tails = checks.checked_integer(2 if sides is None else sides, 1, 2)
        rule = _BOOTSTRAP_RULES[tails]
        with argument("confidence_level"):
            share = 1 - level if confidence_level is None else confidence_level
            confidence_level = checks.checked_share(share)
    draws = Draws.checked(test, n_resamples, rng, progress)
    tables = checked_systems(systems, higher_is_better=higher_is_better)
    pairs = list(combinations(range(len(tables)), 2))
    tested = _tested(tables, pairs, draws, rule, groups, options, confidence_level, level, adjust)
    return _renamed(tested, tables, metric, higher_is_better)


def _comparison(
    tables: Mapping[Any, CountTable],
    baseline: Hashable,
    draws: Draws,
    is_extreme: Rule,
    groups: Labels | None,
    options: ScoreArgs,
    confidence_level: float | None = None,
) -> Comparison:
    """Test all systems against the baseline."""
    with argument("baseline"):
        base = baseline_index(tables, baseline)
    pairs = [(base, system) for system in range(len(tables)) if system != base]
    ranking = _tested(tables, pairs, draws, is_extreme, groups, options, confidence_level)
    return Comparison(
        names=ranking.names,
        scores=ranking.scores,
        differences=ranking.differences[:, base],
        p_values=ranking.p_values[:, base],
        holm=ranking.holm[:, base],
        benjamini_hochberg=ranking.benjamini_hochberg[:, base],
        p_lower=ranking.p_lower[:, base],
        p_upper=ranking.p_upper[:, base],
        n_resamples=ranking.n_resamples[:, base],
        means=ranking.means,
        lower=ranking.lower,
        upper=ranking.upper,
        difference_lower=_column(ranking.difference_lower, base),
        difference_upper=_column(ranking.difference_upper, base),
        human_agreement=_column(ranking.human_agreement, base),
        confidence_level=ranking.confidence_level,
        metric=ranking.metric,
        higher_is_better=ranking.higher_is_better,
        baseline=base,
    )


def _column(matrix: Float64 | None, index: int) -> Float64 | None:
    """Return a column of a matrix, if there is one."""
    return None if matrix is None else matrix[:, index]


def _tested(
    tables: Mapping[Hashable, CountTable],
    pairs: Pairs,
    draws: Draws,
    is_extreme: Rule,
    groups: Labels | None,
    options: ScoreArgs,
    confidence_level: float | None,
    level: float = LEVEL,
    adjust: Adjustment = "none",
) -> Ranking:
    """Draw until all pairs of systems are decided; for the bootstrap with intervals."""
    table = next(iter(tables.values()))
    corpora = [table.sum() for table in tables.values()]
    totals = np.stack([corpus.array for corpus in corpora])  # (systems, columns)
    percents = table.percents(totals, **options)  # (systems,)
    differences = percents[:, None] - percents  # (systems, systems)
    rows = _drawn_rows(tables.values(), draws, groups)
    additions = 100 + len(rows[0])  # in a score, and in a sum of one's own scores
    rounding = additions * _EPSILON * float(abs(percents).max())
    tests = [PairTest(*pair, float(differences[pair[::-1]]), rounding) for pair in pairs]
    resampled = draw_until_decided(
        tests, table, rows, totals, draws, is_extreme, level, adjust, options
    )
    p_values = np.array([test.p_value for test in tests])
    size = len(tables)
    ranking = Ranking(
        names=tuple(tables),
        scores=np.array([float(corpus.score(**options)) for corpus in corpora]),
        differences=differences / 100,
        p_values=_of_pairs(p_values, pairs, size),
        holm=_of_pairs(holm(p_values), pairs, size),
        benjamini_hochberg=_of_pairs(benjamini_hochberg(p_values), pairs, size),
        p_lower=_of_pairs([test.lower for test in tests], pairs, size),
        p_upper=_of_pairs([test.upper for test in tests], pairs, size),
        n_resamples=_of_pairs([len(test.drawn) for test in tests], pairs, size),
        human_agreement=_human_agreement(table, corpora[0].score(**options), differences),
        metric=table.name,
        higher_is_better=table.higher_is_better,
        level=level,
        adjust=adjust,
    )
    if confidence_level is None:
        return ranking
    lower, upper = np.transpose([central_interval(test.drawn, confidence_level) for test in tests])
    first, second = np.transpose(pairs)
    bounds = np.zeros((2, size, size))
    bounds[:, second, first] = lower, upper
    bounds[:, first, second] = 0 - upper, 0 - lower  # not -0.0
    summary = resampled.mean(axis=1), *central_interval(resampled, confidence_level)
    means, lows, highs = np.array(summary, np.float64) / 100
    return replace(
        ranking,
        means=means,
        lower=lows,
        upper=highs,
        difference_lower=bounds[0] / 100,
        difference_upper=bounds[1] / 100,
        confidence_level=confidence_level,
    )


def _human_agreement(table: CountTable, score: Score, differences: Float64) -> Float64 | None:
    """Return how often people agree with these differences, in percent, if that is known."""
    for curve in table.agreement.values():
        if curve.holds_for(score.signature):
            return np.where(np.eye(len(differences)), np.nan, curve.percents(differences))
    return None


def _drawn_rows(tables: Iterable[CountTable], draws: Draws, groups: Labels | None) -> list[Int64]:
    """Return the rows that are drawn: those of segments, or the sums of groups."""
    rows = [table.array for table in tables]
    if groups is None:
        warn_if_few(draws.test, len(rows[0]))
        return rows
    of_segments, labels = label_groups(groups, len(rows[0]), "groups")
    warn_if_few(draws.test, len(labels), "groups")
    return [group_sums(array, of_segments) for array in rows]


def _of_pairs(values: npt.ArrayLike, pairs: Pairs, size: int) -> Float64:
    """Return a matrix (systems, systems) of the values of pairs, in both directions; else NaN."""
    matrix = np.full((size, size), np.nan)
    first, second = np.transpose(pairs)
    matrix[first, second] = values
    matrix[second, first] = values
    return matrix


def _renamed(
    result: Found, tables: Mapping[Any, CountTable], metric: str | None, higher_is_better: bool
) -> Found:
    """Return a result of one's own scores with their name."""
    table = next(iter(tables.values()))
    if isinstance(table, SegmentScores):
        if metric is not None and not isinstance(metric, str):
            raise ArgumentTypeError(f"is {metric!r}", "a name", argument="metric")
        return replace(result, metric=metric or table.name)
    for name, value, default in (
        ("metric", metric, None),
        ("higher_is_better", higher_is_better, True),
    ):
        if value != default:
            found = f"is {value!r}, but systems holds statistics of {table.metric}"
            raise ArgumentError(found, advice="leave it out", argument=name)
    return result


def checked_systems(
    systems: Tested, least: int = 2, higher_is_better: bool = True
) -> dict[Any, CountTable]:
    """Return the systems by name; without names, they are called "0", "1", ..."""
    named: dict[Any, Any] = named_systems(systems, "statistics, such as [baseline, system]", least)
    for (where, system), name in zip(system_places(systems, named).items(), named, strict=True):
        if is_scores(system):
            with argument("higher_is_better"):
                checks.checked_bool(higher_is_better)
            with argument(*where):
                named[name] = mean_table(system, higher_is_better)
    tables: dict[Place, CountTable] = system_places(systems, named)
    where, first = next(iter(tables.items()))
    label = place_text(where)
    for where, table in tables.items():
        with argument(*where):
            check_rows(table)
            if table.metric != first.metric:
                raise ArgumentTypeError(f"holds {table.metric}, but {label} holds {first.metric}")
    common((where, table.signature) for where, table in tables.items())
    for where, table in tables.items():
        shapes = zip(("segments", "columns"), table.array.shape, first.array.shape, strict=True)
        for unit, size, expected in shapes:
            if size != expected:
                with argument(*where):
                    raise ArgumentError(f"has {size} {unit} but {label} has {expected}")
    check_references({where: table.reference_hashes for where, table in tables.items()})
    return named


def named_systems(
    systems: Mapping[Any, System] | Iterable[System], expected: str, least: int = 2
) -> dict[Any, System]:
    """Return at least this many systems by name."""
    if isinstance(systems, (str, bytes, CountTable)) or not isinstance(systems, Iterable):
        found = f"is {type(systems).__name__}"
        raise ArgumentTypeError(found, f"a dict or a list of {expected}", argument="systems")
    if not isinstance(systems, Mapping):
        systems = {str(number): system for number, system in enumerate(systems)}
    with argument("systems"):
        checks.check_names(systems)
        if len(systems) < least:
            raise ArgumentError(f"has {len(systems)}", f"at least {least} to compare")
    return dict(systems)


def system_places(systems: object, named: Mapping[Hashable, System]) -> dict[Place, System]:
    """Return named systems by where the user passed them."""
    indices = named if isinstance(systems, Mapping) else range(len(named))
    places = [("systems", index) for index in indices]
    return dict(zip(places, named.values(), strict=True))


def check_keywords(function: Callable[..., object], options: ScoreArgs) -> None:
    """Raise TypeError for a keyword that neither the function has nor the scores of BLEU."""
    *own, _ = inspect.signature(function).parameters
    known = [*own, *ScoreArgs.__annotations__]
    for name in options:
        if name not in known:
            raise TypeError(
                f"{function.__name__}() got an unexpected keyword argument {name!r}; known: "
                f"{', '.join(known)}"
            )


def check_rows(statistics: object) -> None:
    """Raise an error unless this is statistics with at least one row."""
    if not isinstance(statistics, CountTable):
        raise ArgumentTypeError(
            f"is {type(statistics).__name__}",
            "statistics, such as vecbleu.statistics(hypotheses, references)",
        )
    if statistics.array.ndim != 2:
        raise ArgumentError("is a sum or a single row", "a row for each segment")
    if not len(statistics):
        raise ArgumentError("has 0 segments", "at least 1")


def baseline_index(names: Iterable[Hashable], baseline: Hashable) -> int:
    """Return the index of a system: a name, else an index; by default 0."""
    listed = list(names)
    if isinstance(baseline, Hashable) and baseline in listed:
        return listed.index(baseline)
    if baseline is None:
        return 0
    if isinstance(baseline, str):
        raise ArgumentError(f"is {baseline!r}", f"one of {tuple(listed)}")
    return checks.checked_integer(baseline, 0, len(listed) - 1, " or a name")

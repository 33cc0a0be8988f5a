"""Paired tests: whether systems differ on the same segments, for any number of systems at once."""

from __future__ import annotations

from typing import Any

from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.significance.resampling import (
    SEED,
    DrawOptions,
    PairedResampling,
    PairedTest,
    Rng,
    Sides,
    checked_sides,
)
from vecbleu.significance.results import AllPairs, Comparison
from vecbleu.significance.systems import Systems, baseline_index, checked_systems, score_options


def paired_bootstrap(
    systems: Systems,
    *,
    baseline: int | str = 0,
    sides: Sides = 1,
    resamples: int = 1000,
    rng: Rng = SEED,
    batch: int | None = None,
    progress: bool | None = False,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Comparison:
    """Test by the paired bootstrap whether systems' scores differ from a baseline's.

    The same segments are drawn with replacement for all systems. With D the differences
    system - baseline of the resampled scores, and d = |D|,

    - `sides` = 1, sacreBLEU's rule: p = (#{d - mean(d) > |difference|} + 1) / (resamples + 1);
    - `sides` = 2: p = (#{|D - mean(D)| >= |difference|} + 1) / (resamples + 1).

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    baseline : int or str
        Index or name of the system that the others are compared with.
    sides : {1, 2}
        The tails of the null distribution that are counted: 1 gives sacreBLEU's p-values, 2 those
        that keep their nominal level.
    resamples : int
        Number of resampled corpora.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    batch : int, optional
        Resamples held in memory at a time. The result does not depend on it.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

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
    Draws are sacreBLEU's, and so are the p-values of one side, except for systems of equal score:
    there p is 1, while sacreBLEU finds a system significantly different from itself (p = 1 /
    (resamples + 1)), since no difference of 0 is greater than 0.

    sacreBLEU's rule is anti-conservative. Under the null hypothesis, d - mean(d) exceeds a large
    difference as often as one tail of the normal distribution, while the difference can be large
    in both directions: at p < 0.05 one pair of equal systems in ten is found to differ, not one
    in twenty. With two sides it is one in twenty, as for `paired_randomization`, whose p-values
    are close to these; to report a result, use one of the two. The differences are shifted to a
    mean of 0, which is what systems that are equal have.

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
    sacreBLEU 2.6, `_paired_bs_test`. Two sides: Noreen (1989), "Computer-Intensive Methods for
    Testing Hypotheses", the shift method; Efron and Tibshirani (1993), "An Introduction to the
    Bootstrap", chapter 16.
    """
    checked = checked_systems(systems)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    index = baseline_index(checked, baseline)
    draws = DrawOptions("bootstrap", resamples, rng, batch, progress, checked_sides(sides))
    return PairedResampling(checked, options, draws).compare(index)


def paired_randomization(
    systems: Systems,
    *,
    baseline: int | str = 0,
    trials: int = 10000,
    rng: Rng = SEED,
    batch: int | None = None,
    progress: bool | None = False,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Comparison:
    """Test by approximate randomization whether systems' scores differ from a baseline's.

    In every trial, the outputs of the two systems are exchanged with probability 1/2 for each
    segment. With d the absolute differences of their scores after the exchange,
    p = (#{d > |difference|} + 1) / (trials + 1).

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    baseline : int or str
        Index or name of the system that the others are compared with.
    trials : int
        Number of random exchanges.
    rng : numpy.random.Generator, int or None
        Generator or seed; None draws a seed. sacreBLEU's seed is 12345.
    batch : int, optional
        Trials held in memory at a time (32 at least, where the number of segments is odd). The
        result does not depend on it.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

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
    checked = checked_systems(systems)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    index = baseline_index(checked, baseline)
    draws = DrawOptions("randomization", trials, rng, batch, progress)
    return PairedResampling(checked, options, draws).compare(index)


def all_pairs(
    systems: Systems,
    *,
    test: PairedTest = "bootstrap",
    sides: Sides = 1,
    resamples: int | None = None,
    trials: int | None = None,
    rng: Rng = SEED,
    batch: int | None = None,
    progress: bool | None = False,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> AllPairs:
    """Test every system against every other, with the same random draws for all pairs.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    test : {"bootstrap", "randomization"}
        As in `paired_bootstrap` or in `paired_randomization`.
    sides : {1, 2}
        Tails of the bootstrap, as for `paired_bootstrap`: 1 is sacreBLEU's rule, 2 keeps its
        level. Randomization counts both, whatever is passed here.
    resamples : int, optional
        Number of resampled corpora (by default 1,000) or of trials (10,000).
    trials : int, optional
        Another word for `resamples`, that of `paired_randomization`; for randomization alone.
    rng, batch, progress
        As for `paired_bootstrap`.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

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
    >>> print(all_pairs({"one": one, "two": two, "again": two}))
       system   score  cluster  p against 1      2
    1  two     0.9260        1
    2  again   0.9260        1        1.000
    3  one     0.4782        2        0.001  0.001

    References
    ----------
    As for `paired_bootstrap` and `paired_randomization`.
    """
    count = _checked_count(test, resamples, trials)
    checked = checked_systems(systems)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    draws = DrawOptions(test, count, rng, batch, progress, checked_sides(sides))
    return PairedResampling(checked, options, draws).compare_all()


def _checked_count(test: Any, resamples: Any, trials: Any) -> Any:
    """How many draws are made for a test that is known."""
    if test not in ("bootstrap", "randomization"):
        own = {"bs": "bootstrap", "paired-bs": "bootstrap", "paired_bootstrap": "bootstrap"}
        own |= dict.fromkeys(("ar", "paired-ar", "paired_randomization"), "randomization")
        advice = f"; pass {own[test]!r}" if isinstance(test, str) and test in own else ""
        raise ValueError(f"test is {test!r}, expected 'bootstrap' or 'randomization'{advice}")
    if trials is not None and test == "bootstrap":
        raise ValueError(
            f"trials is {trials!r} but test is 'bootstrap'; pass resamples={trials!r}, or "
            "test='randomization'"
        )
    if trials is not None and resamples is not None:
        raise ValueError(f"trials is {trials!r} and resamples {resamples!r}; pass one of them")
    default = 1000 if test == "bootstrap" else 10000
    return next((one for one in (resamples, trials) if one is not None), default)

"""Whether systems differ: paired tests on the same segments, for any number of systems at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vecbleu.significance.comparisons import AllPairs, Comparison
from vecbleu.significance.draws import Draws, Test
from vecbleu.significance.resampling import SEED
from vecbleu.significance.scoring import ScoreOptions, Systems

if TYPE_CHECKING:
    from typing_extensions import Unpack


def paired_bootstrap(
    systems: Systems,
    *,
    baseline: int | str = 0,
    resamples: int = 1000,
    rng: Any = SEED,
    batch: int | None = None,
    progress: bool | None = False,
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
    progress : bool, optional
        Show how far the work has come, as for `vecbleu.statistics`.
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
    draws = Draws("bootstrap", systems, resamples, rng, batch, progress, score)
    return draws.compare(draws.place(baseline))


def paired_randomization(
    systems: Systems,
    *,
    baseline: int | str = 0,
    trials: int = 10000,
    rng: Any = SEED,
    batch: int | None = None,
    progress: bool | None = False,
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
    progress : bool, optional
        Show how far the work has come, as for `vecbleu.statistics`.
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
    draws = Draws("randomization", systems, trials, rng, batch, progress, score)
    return draws.compare(draws.place(baseline))


def all_pairs(
    systems: Systems,
    *,
    test: Test = "bootstrap",
    resamples: int | None = None,
    rng: Any = SEED,
    batch: int | None = None,
    progress: bool | None = False,
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
    rng, batch, progress, **score
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
    return Draws(test, systems, resamples, rng, batch, progress, score).compare_all()

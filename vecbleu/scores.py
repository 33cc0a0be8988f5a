"""Statistics (..., 2 + 2N) to BLEU: a pure function of the counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.columns import checked_counts, columns_first, split_columns
from vecbleu.smoothing import Counts, Floats, Smoothing, along_orders, resolve_smoothing
from vecbleu.statistics import Statistics

Weights = Sequence[float] | Sequence[Sequence[float]] | npt.NDArray[np.floating[Any]]

# sacreBLEU's logarithm of a precision of zero.
_LOG_ZERO = -9999999999.0

_SLOT_BITS = 14


@dataclass(frozen=True, slots=True)
class Formula:
    """The checked options of a score."""

    weights: tuple[tuple[float, ...], ...] | None
    several: bool
    smoothing: Smoothing
    effective_order: bool


def bleu(
    statistics: Statistics | npt.ArrayLike,
    *,
    weights: Weights | None = None,
    smoothing: str = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Any:
    """Compute BLEU from statistics, for any number of rows at once.

    BLEU = BP * exp(sum over n of w_n * ln p_n), BP = 1 if hyp_len >= ref_len else
    exp(1 - ref_len / hyp_len), and 0 if nothing matches.

    Parameters
    ----------
    statistics : Statistics or array (..., 2 + 2N)
        hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N.
    weights : sequence of float, or several of them, optional
        Weights of order 1, 2, ...; fewer than N use the first orders. By default all orders weigh
        the same.
    smoothing : {"none", "floor", "add-k", "exp", "skip-zero"}
        What becomes of orders without a match, by sacreBLEU's rules: nothing (BLEU is 0); the
        count becomes `smoothing_value` (0.1); `smoothing_value` (1) is added to both counts of
        order 2 and up; the k-th zero becomes 1 / 2**k; the order is left out of the sum, as if
        its precision were 1 (NLTK before 3.3).
    smoothing_value : float, optional
        The value of "floor" and "add-k".
    effective_order : bool
        Average over the orders that the hypothesis is long enough for. Given weights are
        scaled up to their sum.

    Returns
    -------
    float64 array (...), or (..., W) for W sets of weights
        On 0 to 1.

    Raises
    ------
    TypeError
        Statistics or weights are no numbers.
    ValueError
        Impossible counts, an unknown smoothing, a value that does not go with it, more weights
        than orders, or a negative weight.

    Notes
    -----
    Without weights the arithmetic is sacreBLEU's, in percent and with the logarithms added from
    the left, and the result is its score divided by 100, bit for bit (a perfect match is
    sacreBLEU's 100.00000000000004 / 100). With weights, and for "skip-zero", it is NLTK's:
    exp(fsum(w_n * ln p_n)).

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat sat", "the dog sat"], ["the cat sat", "a dog sat"])
    >>> vecbleu.bleu(stats, effective_order=True).round(4).tolist()
    [1.0, 0.0]
    >>> vecbleu.bleu(stats.sum(), weights=[(1.0,), (0.5, 0.5)]).round(4).tolist()
    [0.8333, 0.7906]

    References
    ----------
    Papineni et al. (2002), equations 1 to 3; smoothing: Chen and Cherry (2014), "A systematic
    comparison of smoothing techniques for sentence-level BLEU", WMT.
    """
    if isinstance(statistics, Statistics):
        statistics = statistics.to_array()
    array = checked_counts(statistics)
    orders = split_columns(array)[2].shape[-1]
    formula = resolve_formula(orders, weights, smoothing, smoothing_value, effective_order)
    return array_bleu(array, formula)


def array_bleu(array: Counts, formula: Formula) -> Any:
    """BLEU on 0 to 1 of statistics (..., columns): (...), or (..., W) for several weights."""
    if formula.weights is None:
        return percent_bleu(array, formula) / 100
    scores = weighted_bleu(array, formula)
    return scores if formula.several else scores[..., 0]


def resolve_formula(
    max_order: int,
    weights: Weights | None,
    smoothing: str,
    smoothing_value: float | None,
    effective_order: bool,
) -> Formula:
    """Check the options of a score; every error about them is raised here."""
    resolved = resolve_smoothing(smoothing, smoothing_value)
    if weights is None:
        uniform = ((1.0 / max_order,) * max_order,) if resolved.skips_zeros else None
        return Formula(uniform, False, resolved, effective_order)
    if not _is_listing(weights):
        raise TypeError(f"weights is {weights!r}, expected a sequence of numbers or several")
    several = len(weights) > 0 and _is_listing(weights[0])
    checked = tuple(_weight_set(one) for one in (weights if several else [weights]))
    for one in checked:
        if not 1 <= len(one) <= max_order:
            raise ValueError(
                f"weights has a set of {len(one)}, expected 1 to {max_order} (max_order)"
            )
        if not all(0 <= weight < math.inf for weight in one):
            raise ValueError(f"weights has the set {one}, expected finite numbers >= 0")
    return Formula(checked, several, resolved, effective_order)


def _is_listing(value: Any) -> bool:
    """Whether a value is a list, a tuple or an array of one or more dimensions."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _weight_set(weights: Any) -> tuple[float, ...]:
    """One set of weights, of numbers and nothing that only converts to them."""
    if not _is_listing(weights) or not all(isinstance(weight, Real) for weight in weights):
        raise TypeError(f"weights has the set {weights!r}, expected a sequence of numbers")
    return tuple(map(float, weights))


def percent_bleu(array: Counts, formula: Formula) -> Any:
    """SacreBLEU's score (...), 0 to 100, in its order of operations: the mean of logarithms.

    The logarithms are added from the left on every Python. sacreBLEU uses the built-in sum, whose
    digits changed with Python 3.12; the published scores are those of the plain sum.
    """
    hyp_len, ref_len, matches, totals = columns_first(array)
    precisions = formula.smoothing.precisions(matches, totals, 100.0)  # (N, ...)
    orders = np.full(hyp_len.shape, len(precisions))
    if formula.effective_order:
        orders = np.maximum(formula.smoothing.reached_orders(totals), 1)
    total = np.zeros(hyp_len.shape)
    for order, logs in enumerate(logarithms(precisions, _LOG_ZERO)):
        total = total + np.where(order < orders, logs, 0.0)
    means = each(math.exp, total / orders)
    return np.where(matches.any(axis=0), brevity_penalty(hyp_len, ref_len) * means, 0.0)[()]


def weighted_bleu(array: Counts, formula: Formula) -> Floats:
    """NLTK's arithmetic for each set of weights (..., W), 0 to 1."""
    assert formula.weights is not None
    hyp_len, ref_len, matches, totals = columns_first(array)
    precisions = formula.smoothing.precisions(matches, totals, 1.0)  # (N, ...)
    penalty = np.where(matches.any(axis=0), brevity_penalty(hyp_len, ref_len), 0.0)
    scores = np.empty((*hyp_len.shape, len(formula.weights)))
    for index, weights in enumerate(formula.weights):
        shares = along_orders(np.asarray(weights), totals)
        if formula.effective_order:
            shares = _shares_of_reached(shares, formula.smoothing.reached_orders(totals))
        used = precisions[: len(weights)]
        score = penalty * weighted_mean(used, shares)
        if not formula.smoothing.skips_zeros:
            score = np.where(((used == 0) & (shares > 0)).any(axis=0), 0.0, score)
        scores[..., index] = score
    return scores


def _shares_of_reached(weights: Floats, reached: Counts) -> Floats:
    """Scale the weights of the reached orders up to the sum of all."""
    kept = np.where(along_orders(np.arange(len(weights)), weights) < reached, weights, 0.0)
    # NumPy's sum adds in an order that depends on how many segments there are.
    total, whole = sum(kept), sum(weights)
    scale: Floats = whole / np.where(total > 0, total, 1.0)
    return kept * scale


def weighted_mean(precisions: Floats, weights: Floats) -> Floats:
    """exp(fsum(w_n * ln p_n)) over the precisions above zero (N, ...) -> (...)."""
    return each(math.exp, _fsum(weights * logarithms(precisions, 0.0)))


def logarithms(precisions: Floats, of_zero: float) -> Floats:
    """The C library's logarithms, and one for the precisions that are zero."""
    zero = precisions == 0
    return np.where(zero, of_zero, each(math.log, np.where(zero, 1.0, precisions)))


def _fsum(terms: Floats) -> Floats:
    """math.fsum, the exact sum rounded once, over the first axis.

    The rounding errors of the additions are summed beside the total. Where that sum is exact
    itself, as it is for all but very few rows, total + error rounds the exact sum once. A third
    of the time of calling math.fsum for every row.
    """
    total, error, inexact = np.zeros((3, *terms.shape[1:]))
    for term in terms:
        total, lost = _two_sum(total, term)
        error, lost_again = _two_sum(error, lost)
        inexact += abs(lost_again)
    sums = np.asarray(total + error)
    if inexact.any():
        sums[inexact > 0] = [*map(math.fsum, terms[:, inexact > 0].T.tolist())]
    return sums


def _two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The rounded sum, and exactly what rounding lost (Knuth, TAOCP 2, 4.2.2)."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def brevity_penalty(hyp_len: Counts, ref_len: Counts) -> Floats:
    """1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for an empty hypothesis."""
    short = np.asarray(hyp_len < ref_len)
    penalty = np.where(short, 0.0, 1.0)
    some = short & (hyp_len > 0)
    penalty[some] = each(math.exp, 1 - ref_len[some] / hyp_len[some])
    return penalty


def each(function: Callable[[float], float], values: Floats) -> Floats:
    """Apply a function of `math` to every value.

    NumPy's vectorized functions differ from the C library's, which the peers call, in the last bit
    (on AVX-512 exp in one value of 20, log in one of 300). Quotients of small counts repeat, so
    values are first sent to the slots of a small table, and the function is called for what is in
    the table and for those that do not find their equal there: a tenth of the time of calling for
    all (sorting them is no faster than that).
    """
    flat = values.reshape(-1)
    if flat.size < 1000:
        mapped = map(function, flat.tolist())
        return np.fromiter(mapped, np.float64, flat.size).reshape(values.shape)
    slots = (flat.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _SLOT_BITS)
    table = np.full(1 << _SLOT_BITS, np.nan)
    table[slots] = flat
    lost = np.flatnonzero(table[slots] != flat)
    filled = np.flatnonzero(table == table)
    table[filled] = [*map(function, table[filled].tolist())]
    results: Floats = table[slots]
    results[lost] = [*map(function, flat[lost].tolist())]
    return results.reshape(values.shape)

"""Smoothing: matches and totals (N, ...) to modified precisions (N, ...).

Every kernel has one signature and is found by name in `KERNELS`. It computes on a scale that it is
given, since the peers' digits depend on it: sacreBLEU's precision is ``100 * matches / totals`` and
NLTK's ``matches / totals``, and neither times or by 100 is always the other. As in sacreBLEU,
precisions are 0 from the first order on that has no n-grams.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vecbleu.core.arrays import Counts, Float64, Int64, Mask
from vecbleu.core.options import ScoreOptions, Smoothing

# sacreBLEU's logarithm of a precision of zero.
LOG_ZERO = -9999999999.0


def _divide(numerators: Counts | float, denominators: Counts, where: Mask) -> Float64:
    """Divide where the mask says so; 0 elsewhere. A third of the time of a masked division."""
    quotients: Float64 = numerators / np.where(where, denominators, 1)
    return np.where(where, quotients, 0.0)


def _plain(matches: Counts, totals: Counts, value: float, scale: float) -> Float64:
    """No smoothing: matches / totals."""
    return _divide(scale * matches, totals, _reached(totals))


def _floor(matches: Counts, totals: Counts, value: float, scale: float) -> Float64:
    """A count of zero becomes `value` (Chen and Cherry 2014, method 1)."""
    zero = _reached(totals) & (matches == 0)
    smoothed = _divide(scale * value, totals, zero)
    return np.where(zero, smoothed, _plain(matches, totals, value, scale))


def _add_k(matches: Counts, totals: Counts, value: float, scale: float) -> Float64:
    """`value` is added to both counts for n > 1 (Lin and Och 2004; Chen and Cherry, method 2)."""
    return _plain(*_added(matches, totals, value), value, scale)


def _exp(matches: Counts, totals: Counts, value: float, scale: float) -> Float64:
    """The k-th count of zero becomes 1 / 2**k (mteval-v13a; Chen and Cherry, method 3)."""
    zero = _reached(totals) & (matches == 0)
    with np.errstate(over="ignore"):  # beyond 1023 zeros the precision is 0
        denominators = np.ldexp(totals.astype(np.float64), zero.cumsum(axis=0, dtype=np.intc))
    smoothed = _divide(scale, denominators, zero)
    return np.where(zero, smoothed, _plain(matches, totals, value, scale))


def _reached(totals: Counts) -> Mask:
    """Mask the orders before the first one without n-grams (N, ...)."""
    reached: Mask = totals > 0
    for order in range(1, len(totals)):  # `accumulate` takes four times as long
        reached[order] &= reached[order - 1]
    return reached


def _added(matches: Counts, totals: Counts, value: float) -> tuple[Counts, Counts]:
    """Counts with `value` added from the second order on."""
    added = along_orders(np.where(np.arange(len(totals)) > 0, value, 0.0), totals)
    return matches + added, totals + added


def along_orders(values: Counts, counts: Counts) -> Counts:
    """Values of orders (N,) in the shape (N, 1, ...), to meet counts (N, ...)."""
    return values.reshape(-1, *[1] * (counts.ndim - 1))


# (matches, totals, value, scale) to precisions.
KERNELS: dict[Smoothing, Callable[[Counts, Counts, float, float], Float64]] = {
    "none": _plain,
    "floor": _floor,
    "add-k": _add_k,
    "exp": _exp,
    "skip-zero": _plain,
}


def smoothed_precisions(
    matches: Counts, totals: Counts, scale: float, options: ScoreOptions
) -> Float64:
    """Modified precisions (N, ...), 0 to `scale`, of counts (N, ...); 0 without n-grams."""
    return KERNELS[options.smoothing](matches, totals, options.smoothing_value or 0.0, scale)


def orders_reached(totals: Counts, options: ScoreOptions) -> Int64:
    """Number of orders before the first one without n-grams (...,)."""
    if options.smoothing == "add-k":
        _, totals = _added(totals, totals, options.smoothing_value or 0.0)
    reached: Int64 = _reached(totals).sum(axis=0)
    return reached

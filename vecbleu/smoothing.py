"""Smoothing: matches and totals (N, ...) to modified precisions (N, ...).

Every kernel has one signature and is found by name in `SMOOTHINGS`. It computes on a scale that it
is given, since the peers' digits depend on it: sacreBLEU's precision is ``100 * matches / totals``
and NLTK's ``matches / totals``, and neither times or by 100 is always the other. As in sacreBLEU,
precisions are 0 from the first order on that has no n-grams.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.ragged import Int64

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[Any]


def _divide(numerators: Counts, denominators: Counts, where: npt.NDArray[np.bool_]) -> Floats:
    """Divide where the mask says so; 0 elsewhere. A third of the time of a masked division."""
    quotients: Floats = numerators / np.where(where, denominators, 1)
    return np.where(where, quotients, 0.0)


def _plain(matches: Counts, totals: Counts, value: float, scale: float) -> Floats:
    """No smoothing: matches / totals."""
    return _divide(scale * matches, totals, _reached(totals))


def _floor(matches: Counts, totals: Counts, value: float, scale: float) -> Floats:
    """A count of zero becomes `value` (Chen and Cherry 2014, method 1)."""
    zero = _reached(totals) & (matches == 0)
    smoothed = _divide(np.full(zero.shape, scale * value), totals, zero)
    return np.where(zero, smoothed, _plain(matches, totals, value, scale))


def _add_k(matches: Counts, totals: Counts, value: float, scale: float) -> Floats:
    """`value` is added to both counts for n > 1 (Lin and Och 2004; Chen and Cherry, method 2)."""
    return _plain(*_added(matches, totals, value), value, scale)


def _exp(matches: Counts, totals: Counts, value: float, scale: float) -> Floats:
    """The k-th count of zero becomes 1 / 2**k (mteval-v13a; Chen and Cherry, method 3)."""
    zero = _reached(totals) & (matches == 0)
    denominators = np.empty(zero.shape)
    power = np.ones(zero.shape[1:])
    with np.errstate(over="ignore"):  # beyond 1023 zeros the precision is 0
        for order, of_order in enumerate(zero):
            power = np.where(of_order, 2 * power, power)
            denominators[order] = power * totals[order]
    smoothed = _divide(np.full(zero.shape, scale), denominators, zero)
    return np.where(zero, smoothed, _plain(matches, totals, value, scale))


def _reached(totals: Counts) -> npt.NDArray[np.bool_]:
    """Mask the orders before the first one without n-grams (N, ...)."""
    reached: npt.NDArray[np.bool_] = totals > 0
    for order in range(1, len(totals)):  # `accumulate` takes four times as long
        reached[order] &= reached[order - 1]
    return reached


def _added(matches: Counts, totals: Counts, value: float) -> tuple[Counts, Counts]:
    """Counts with `value` added from the second order on."""
    added = along_orders(np.where(np.arange(len(totals)) > 0, value, 0.0), totals)
    return matches + added, totals + added


def along_orders(values: npt.NDArray[Any], counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Values of orders (N,) in the shape (N, 1, ...), to meet counts (N, ...)."""
    return values.reshape(-1, *[1] * (counts.ndim - 1))


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A kernel, its value, and what the score does with the orders it leaves at zero."""

    kernel: Callable[[Counts, Counts, float, float], Floats]
    value: float | None = None
    skips_zeros: bool = False

    def precisions(self, matches: Counts, totals: Counts, scale: float) -> Floats:
        """Modified precisions (N, ...), 0 to `scale`, of counts (N, ...); 0 if not reached."""
        return self.kernel(matches, totals, self.value or 0.0, scale)

    def reached_orders(self, totals: Counts) -> Int64:
        """Number of orders before the first one without n-grams (...,)."""
        if self.kernel is _add_k:
            _, totals = _added(totals, totals, self.value or 0.0)
        reached: Int64 = _reached(totals).sum(axis=0)
        return reached


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(_plain),
    "floor": Smoothing(_floor, 0.1),
    "add-k": Smoothing(_add_k, 1.0),
    "exp": Smoothing(_exp),
    "skip-zero": Smoothing(_plain, skips_zeros=True),
}


def resolve_smoothing(name: str, value: float | None) -> Smoothing:
    """Look up a smoothing and give it its value; an error lists the choices."""
    if not isinstance(name, str) or name not in SMOOTHINGS:
        raise ValueError(f"smoothing is {name!r}, expected one of {', '.join(SMOOTHINGS)}")
    smoothing = SMOOTHINGS[name]
    if value is None:
        return smoothing
    if smoothing.value is None:
        raise ValueError(f"smoothing_value is {value} but smoothing {name!r} takes none")
    if not isinstance(value, Real):
        raise TypeError(f"smoothing_value is {value!r}, expected a number")
    if not 0 <= value < np.inf:
        raise ValueError(f"smoothing_value is {value}, expected a finite number >= 0")
    return replace(smoothing, value=float(value))

"""The digits of the C library, and exact sums, for arrays."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from vecbleu.kernel.arrays import Float64

# The hash table of `libm_map` has 2 to the power of this many slots. Fibonacci hashing chooses one:
# by the highest bits of a product with 2**64 / 1.618...
_SLOT_BITS = 14
_MULTIPLIER = 0x9E3779B97F4A7C15


def libm_map(function: Callable[[float], float], values: Float64) -> Float64:
    """Apply a function of `math` to every value.

    NumPy's own functions differ in the last bit from those of the C library, which NLTK and
    sacreBLEU call (with AVX-512, exp in one value of 20, log in one of 300).

    Quotients of small counts repeat, so most values are found in a small hash table, which keeps
    one value a slot. The function is called for the values in the table, and for each value that
    is not in it: that takes a fifth of the time of a call for each value.
    """
    flat = values.reshape(-1)
    if flat.size < 1000:
        return _mapped(function, flat).reshape(values.shape)
    hashed = flat.view(np.uint64) * _MULTIPLIER
    slots = hashed >> (64 - _SLOT_BITS)
    table = np.full(1 << _SLOT_BITS, np.nan)
    table[slots] = flat
    lost = np.flatnonzero(table[slots] != flat)
    filled = np.flatnonzero(table == table)  # NaN, an empty slot, is not equal to itself
    table[filled] = _mapped(function, table[filled])
    results: Float64 = table[slots]
    results[lost] = _mapped(function, flat[lost])
    return results.reshape(values.shape)


def _mapped(function: Callable[[float], float], values: Float64) -> Float64:
    """Apply a function to each value (values,)."""
    mapped = map(function, values.tolist())
    return np.fromiter(mapped, np.float64, len(values))


def fsum(terms: Float64) -> Float64:
    """Sum over the first axis as `math.fsum` does: the exact sum, rounded once.

    Add up the terms, and separately the rounding errors of these additions. If the errors add up
    exactly, total + error is the exact sum, rounded once. `math.fsum`, which is slow, computes
    the few other sums.
    """
    total, error, inexact = np.zeros((3, *terms.shape[1:]))
    for term in terms:
        total, lost = _two_sum(total, term)
        error, lost_again = _two_sum(error, lost)
        inexact += abs(lost_again)
    sums = np.asarray(total + error)
    if inexact.any():
        others = inexact > 0
        sums[others] = list(map(math.fsum, terms[:, others].T.tolist()))
    return sums


def _two_sum(a: Float64, b: Float64) -> tuple[Float64, Float64]:
    """Return the rounded sum, and its exact rounding error (Knuth, TAOCP 2, 4.2.2)."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)

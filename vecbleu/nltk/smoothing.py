"""Chen and Cherry's smoothing as `nltk.translate.bleu_score.SmoothingFunction` has it."""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import Smoothing
from vecbleu.core.public import public
from vecbleu.core.scoring.libm import libm_map
from vecbleu.core.scoring.smoothing import KERNELS
from vecbleu.nltk.segment import Fraction, TokenLists, Tokens, modified_precision

Counted = Sequence[fractions.Fraction]
# Fractions as they were counted, and floats in place of those that a method has smoothed.
Precisions = list[Any]
# Matches and totals (N, S), lengths of hypotheses (S,) to precisions (N, S).
BatchSmoothing = Callable[[Int64, Int64, Int64], Float64]


class SmoothingCallable(Protocol):
    """What `smoothing_function` can be: a method of `SmoothingFunction`, or a user's function."""

    def __call__(
        self, p_n: list[Fraction], /, *, references: Any, hypothesis: Any, hyp_len: int
    ) -> Sequence[float | fractions.Fraction]:
        """Smooth the precisions of a corpus whose last segment and length are given."""
        ...


def _zero_message(order: int, hyp_len: int | None, sets: Sequence[Any] | None) -> str:
    """What it means that an order has no match, as far as length and sets of weights are known."""
    message = f"no {order}-gram of the hypothesis is in its references"
    if hyp_len is not None and hyp_len < order:
        message = f"the hypothesis has fewer than {order} tokens, and so no {order}-gram"
    unless = " unless the order's weight is 0"
    if sets is not None:
        counted = [len(weights) >= order and weights[order - 1] != 0 for weights in sets]
        if not any(counted):
            return f"{message}; the order's weight is 0, so that the score does not change"
        unless = "" if all(counted) else " under the weights that count this order"
    return (
        f"{message}, which makes the score almost 0{unless}: pass a smoothing_function, or "
        "weights for fewer orders"
    )


def _warn_of_zero(order: int, hyp_len: int | None, sets: Sequence[Any] | None) -> None:
    """Warn in the name of NLTK's module, which users' warning filters may contain."""
    message = _zero_message(order, hyp_len, sets)
    line = SmoothingFunction.method0.__code__.co_firstlineno
    registry = globals().setdefault("__warningregistry__", {})
    module = "nltk.translate.bleu_score"
    warnings.warn_explicit(message, UserWarning, __file__, line, module, registry)


@public("vecbleu.nltk")
class SmoothingFunction:
    """Smoothing methods 0 to 7, to be passed as ``smoothing_function``.

    Each takes a list of modified precisions and returns the smoothed list, operation for
    operation as NLTK does, so that the scores are equal to the last bit.

    Parameters
    ----------
    epsilon : float
        What `method1` adds to a count of zero.
    alpha : float
        The weight of the prior in `method6`.
    k : float
        The constant K of `method4`.

    Examples
    --------
    >>> from vecbleu.nltk import SmoothingFunction, sentence_bleu
    >>> hypothesis, reference = "the cat sat down".split(), "the cat lay down".split()
    >>> method = SmoothingFunction().method1
    >>> round(sentence_bleu([reference], hypothesis, smoothing_function=method), 4)
    0.188

    References
    ----------
    Chen and Cherry (2014), "A systematic comparison of smoothing techniques for sentence-level
    BLEU", WMT.
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Counted, *args: Any, **kwargs: Any) -> list[float | fractions.Fraction]:
        """No smoothing: a precision of zero becomes the smallest float, with a warning."""
        for order, p in enumerate(p_n, 1):
            if p.numerator == 0:
                _warn_of_zero(order, kwargs.get("hyp_len"), kwargs.get("sets"))
        return [p if p.numerator != 0 else sys.float_info.min for p in p_n]

    def method1(self, p_n: Counted, *args: Any, **kwargs: Any) -> list[float | fractions.Fraction]:
        """Add epsilon to counts of zero."""
        return [
            (p.numerator + self.epsilon) / p.denominator if p.numerator == 0 else p for p in p_n
        ]

    def method2(self, p_n: Counted, *args: Any, **kwargs: Any) -> list[fractions.Fraction]:
        """Add 1 to both counts of the orders above 1 (Lin and Och 2004)."""
        return [Fraction(p.numerator + 1, p.denominator + 1) if i else p for i, p in enumerate(p_n)]

    def method3(self, p_n: Precisions, *args: Any, **kwargs: Any) -> Precisions:
        """NIST: the k-th count of zero becomes 1 / 2**k. The list is changed in place."""
        k = 1
        for i, p in enumerate(p_n):
            if p.numerator == 0:
                p_n[i] = 1 / (2**k * p.denominator)
                k += 1
        return p_n

    def method4(
        self,
        p_n: Precisions,
        references: TokenLists,
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Precisions:
        """Count zeros as ln(length) / (2**k * K): less for short hypotheses. Changed in place."""
        hyp_len = hyp_len or len(hypothesis)
        k = 1
        for i, p in enumerate(p_n):
            if p.numerator == 0 and hyp_len > 1:
                p_n[i] = 1 / (2**k * self.k / math.log(hyp_len)) / p.denominator
                k += 1
        return p_n

    def method5(
        self, p_n: Precisions, references: TokenLists, hypothesis: Tokens, *args: Any, **kwargs: Any
    ) -> Precisions:
        """Average each precision with its two neighbors. Changed in place.

        The neighbor above the last is the 5-gram precision, whatever the last order is.
        """
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        previous = p_n[0] + 1
        for i, p in enumerate(p_n):
            p_n[i] = previous = (previous + p + following[i]) / 3
        return p_n

    def method6(
        self, p_n: Precisions, references: TokenLists, hypothesis: Tokens, *args: Any, **kwargs: Any
    ) -> Precisions:
        """Interpolate with the prior p_{n-1}**2 / p_{n-2} (Gao and He 2013). Changed in place."""
        assert p_n[2], "method6 needs a precision of order 3 above zero"
        for i, p in enumerate(p_n[2:], 2):
            prior = 0 if p_n[i - 2] == 0 else p_n[i - 1] ** 2 / p_n[i - 2]
            ngrams = max(len(hypothesis) - i, 0)
            p_n[i] = (p.numerator + self.alpha * prior) / (ngrams + self.alpha)
        return p_n

    def method7(
        self, p_n: Precisions, references: TokenLists, hypothesis: Tokens, *args: Any, **kwargs: Any
    ) -> Precisions:
        """Method 4, then method 5."""
        return self.method5(
            self.method4(p_n, references, hypothesis, *args, **kwargs), references, hypothesis
        )


# The methods over the counts of many segments. Building NLTK's fractions takes 12 us a segment,
# which would hold the batch at a tenth of the speed; methods 5 to 7 need the exact fractions and
# are called segment by segment.


def batch_smoothing(smooth: Any) -> BatchSmoothing | None:
    """The method `smooth` for many segments at once; None if it has to be called for each."""
    own = getattr(smooth, "__self__", None)
    if not isinstance(own, SmoothingFunction):
        return None
    # Parameters of other types, or beyond floats' integers, have an arithmetic of their own.
    if not all(type(x) in (int, float) and 0 < x < 2**53 for x in (own.epsilon, own.k)):
        return None
    batches: dict[Any, BatchSmoothing] = {
        SmoothingFunction.method0: _smallest_for_zeros,
        SmoothingFunction.method1: partial(_core_smoothing, "floor", own.epsilon),
        SmoothingFunction.method2: partial(_core_smoothing, "add-k", 1.0),
        SmoothingFunction.method3: partial(_core_smoothing, "exp", 0.0),
        SmoothingFunction.method4: partial(_logs_for_zeros, own.k),
    }
    return batches.get(getattr(smooth, "__func__", None))


def _smallest_for_zeros(matches: Int64, totals: Int64, hyp_len: Int64) -> Float64:
    """Method 0: zeros become the smallest float, which no other precision is below."""
    return np.maximum(matches / totals, sys.float_info.min)


def _core_smoothing(
    name: Smoothing, value: float, matches: Int64, totals: Int64, hyp_len: Int64
) -> Float64:
    """Methods 1 to 3: smoothings of the core."""
    return KERNELS[name](matches, totals, value, 1.0)


def _logs_for_zeros(k: float, matches: Int64, totals: Int64, hyp_len: Int64) -> Float64:
    """Method 4: zeros count as ln(hyp_len) / (2**i * k)."""
    zero = (matches == 0) & (hyp_len > 1)
    logs = libm_map(math.log, np.maximum(hyp_len, 2).astype(np.float64))
    counts = 1 / (np.exp2(np.cumsum(zero, axis=0)) * k / logs)
    return np.where(zero, counts / totals, matches / totals)


def warns_of_zeros(smooth: Any) -> bool:
    """Whether a function is `method0`."""
    return getattr(smooth, "__func__", None) is SmoothingFunction.method0


def warn_of_zeros(matches: Int64, hyp_len: Int64, sets: Sequence[Any] | None) -> None:
    """Give the warnings of `method0` once for each order with a count of zero."""
    zero = matches == 0
    for order in np.flatnonzero(zero.any(axis=0)).tolist():
        _warn_of_zero(order + 1, int(hyp_len[zero[:, order]].max()), sets)

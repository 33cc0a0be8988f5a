"""Chen and Cherry's smoothing as `nltk.translate.bleu_score.SmoothingFunction` has it."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.nltk.precision import Fraction, modified_precision
from vecbleu.scores import each

Floats = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]

_WARNING = (
    "\nThe hypothesis contains 0 counts of {}-gram overlaps.\n"
    "Therefore the BLEU score evaluates to 0, independently of\n"
    "how many N-gram overlaps of lower order it contains.\n"
    "Consider using lower n-gram order or use "
    "SmoothingFunction()"
)


def _warn_of_zero(order: int) -> None:
    """Warn in the name of NLTK's module, for the filters of those who come from there."""
    warnings.warn_explicit(
        _WARNING.format(order),
        UserWarning,
        filename=__file__,
        lineno=SmoothingFunction.method0.__code__.co_firstlineno,
        module="nltk.translate.bleu_score",
        registry=globals().setdefault("__warningregistry__", {}),
    )


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

    def method0(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: a precision of zero becomes the smallest float, with a warning."""
        smoothed = []
        for order, p in enumerate(p_n, 1):
            if p.numerator == 0:
                _warn_of_zero(order)
            smoothed.append(p if p.numerator != 0 else sys.float_info.min)
        return smoothed

    def method1(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Add epsilon to counts of zero."""
        return [
            (p.numerator + self.epsilon) / p.denominator if p.numerator == 0 else p for p in p_n
        ]

    def method2(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Add 1 to both counts of the orders above 1 (Lin and Och 2004)."""
        return [Fraction(p.numerator + 1, p.denominator + 1) if i else p for i, p in enumerate(p_n)]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """NIST: the k-th count of zero becomes 1 / 2**k. The list is changed in place."""
        k = 1
        for i, p in enumerate(p_n):
            if p.numerator == 0:
                p_n[i] = 1 / (2**k * p.denominator)
                k += 1
        return p_n

    def method4(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Count zeros as ln(length) / (2**k * K): less for short hypotheses. Changed in place."""
        hyp_len = hyp_len or len(hypothesis)
        k = 1
        for i, p in enumerate(p_n):
            if p.numerator == 0 and hyp_len > 1:
                p_n[i] = 1 / (2**k * self.k / math.log(hyp_len)) / p.denominator
                k += 1
        return p_n

    def method5(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Average each precision with its two neighbors. Changed in place.

        The neighbor above the last is the 5-gram precision, whatever the last order is.
        """
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        previous = p_n[0] + 1
        for i, p in enumerate(p_n):
            p_n[i] = previous = (previous + p + following[i]) / 3
        return p_n

    def method6(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Interpolate with the prior p_{n-1}**2 / p_{n-2} (Gao and He 2013). Changed in place."""
        assert p_n[2], "This smoothing method requires non-zero precision for bigrams."
        for i, p in enumerate(p_n[2:], 2):
            prior = 0 if p_n[i - 2] == 0 else p_n[i - 1] ** 2 / p_n[i - 2]
            ngrams = max(len(hypothesis) - i, 0)
            p_n[i] = (p.numerator + self.alpha * prior) / (ngrams + self.alpha)
        return p_n

    def method7(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Method 4, then method 5."""
        p_n = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(p_n, references, hypothesis, hyp_len)


# The methods again, over the counts of many segments: matches and totals (N, S), lengths (S,) to
# precisions (N, S). Building NLTK's fractions takes 12 us a segment, which would hold the batch at
# a tenth of the speed; methods 5 to 7 need the exact fractions and are called segment by segment.


def _batch0(method: SmoothingFunction, matches: Int64, totals: Int64, lengths: Int64) -> Floats:
    return np.where(matches == 0, sys.float_info.min, matches / totals)


def _batch1(method: SmoothingFunction, matches: Int64, totals: Int64, lengths: Int64) -> Floats:
    return np.where(matches == 0, method.epsilon, matches) / totals


def _batch2(method: SmoothingFunction, matches: Int64, totals: Int64, lengths: Int64) -> Floats:
    added = np.arange(len(matches))[:, None] > 0
    return (matches + added) / (totals + added)


def _batch3(method: SmoothingFunction, matches: Int64, totals: Int64, lengths: Int64) -> Floats:
    k = np.cumsum(matches == 0, axis=0)
    return np.where(matches == 0, 1 / (np.exp2(k) * totals), matches / totals)


def _batch4(method: SmoothingFunction, matches: Int64, totals: Int64, lengths: Int64) -> Floats:
    zero = (matches == 0) & (lengths > 1)
    logs = each(math.log, np.maximum(lengths, 2).astype(np.float64))
    counts = 1 / (np.exp2(np.cumsum(zero, axis=0)) * method.k / logs)
    return np.where(zero, counts / totals, matches / totals)


_BATCHES: dict[Any, Callable[[SmoothingFunction, Int64, Int64, Int64], Floats]] = {
    SmoothingFunction.method0: _batch0,
    SmoothingFunction.method1: _batch1,
    SmoothingFunction.method2: _batch2,
    SmoothingFunction.method3: _batch3,
    SmoothingFunction.method4: _batch4,
}


def is_batched(smoothing_function: Any) -> bool:
    """Whether many segments are smoothed at once, without a look at their tokens."""
    if getattr(smoothing_function, "__func__", None) not in _BATCHES:
        return False
    method = smoothing_function.__self__
    # Parameters of other types, or beyond floats' integers, have an arithmetic of their own.
    return all(type(x) in (int, float) and 0 < x < 2**53 for x in (method.epsilon, method.k))


def warn_of_zeros(smoothing_function: Any, matches: Int64) -> None:
    """Give the warnings of `method0`, once for each order that lacks matches."""
    if smoothing_function.__func__ is SmoothingFunction.method0:
        for order in np.flatnonzero((matches == 0).any(axis=0)):
            _warn_of_zero(int(order) + 1)


def smooth_batch(smoothing_function: Any, matches: Int64, totals: Int64, lengths: Int64) -> Floats:
    """Smooth many segments at once; `smoothing_function` is one that `is_batched`."""
    batch = _BATCHES[smoothing_function.__func__]
    return batch(smoothing_function.__self__, matches, totals, lengths)

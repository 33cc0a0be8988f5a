"""Compute precisions, lengths and smoothing with NLTK's arithmetic, for one or many segments."""

from __future__ import annotations

import fractions
import math
import sys
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence, Sized
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import warn_caller
from vecbleu.core.scoring import libm_map
from vecbleu.core.small import ngrams_of

Tokens = Sequence[Hashable] | npt.NDArray[Any]
TokenLists = Collection[Tokens]  # the references of a segment
Counted = Sequence[fractions.Fraction]
Precisions = list[Any]  # fractions as counted, floats after smoothing
# Called as fn(p_n, references=, hypothesis=, hyp_len=).
Smoothing = Callable[..., Sequence[float | fractions.Fraction]]


class Fraction(fractions.Fraction):
    """Fraction that is not reduced to lowest terms.

    Before Python 3.12, two such fractions are equal only if numerators and denominators are equal,
    as in NLTK.

    Parameters
    ----------
    numerator, denominator
        As for `fractions.Fraction`: two integers, or one number or string.

    Examples
    --------
    >>> from vecbleu.nltk import Fraction
    >>> p = Fraction(2, 4)
    >>> p.numerator, p.denominator, float(p)
    (2, 4, 0.5)
    """

    numerator: Any = 0  # these two as they were given, unless asked for lowest terms
    denominator: Any = 1

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Store the two numbers as given, beside the value."""
        older = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        self: Fraction = super().__new__(cls, numerator, denominator, **older)
        given = self.as_integer_ratio() if _normalize else (numerator, denominator)
        self.numerator, self.denominator = given
        return self


def closest_ref_length(references: Iterable[Sized], hyp_len: int) -> int:
    """Return the reference length closest to the hypothesis, the shorter of two equally close.

    Parameters
    ----------
    references : sequence of sequences
        References of one segment.
    hyp_len : int
        Length of the hypothesis in tokens.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        There is no reference.

    Examples
    --------
    >>> from vecbleu.nltk import closest_ref_length
    >>> closest_ref_length([["a"] * 11, ["a"] * 13], 12)
    11
    """
    return min(map(len, references), key=lambda ref_len: (abs(ref_len - hyp_len), ref_len))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the penalty for hypotheses shorter than the references.

    It is 1 if hyp_len > closest_ref_len, 0 if hyp_len is 0, else
    exp(1 - closest_ref_len / hyp_len).

    Parameters
    ----------
    closest_ref_len : int
        Closest reference length of one segment, or its sum over segments.
    hyp_len : int
        Length of the hypothesis, or its sum over segments.

    Returns
    -------
    float

    Examples
    --------
    >>> from vecbleu.nltk import brevity_penalty
    >>> brevity_penalty(28, 12)
    0.2635971381157267

    References
    ----------
    Papineni et al. (2002), section 2.2.
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


def modified_precision(references: TokenLists, hypothesis: Tokens, n: int) -> Fraction:
    """Return the modified precision of one order: clipped matches / n-grams of the hypothesis.

    Parameters
    ----------
    references : sequence of sequences of hashable tokens
        References of one segment.
    hypothesis : sequence of hashable tokens
        Its hypothesis.
    n : int
        Order, from 1.

    Returns
    -------
    Fraction
        `numerator` and `denominator` are the two counts, not reduced; the denominator is at least
        1.

    Raises
    ------
    KeyError
        There is no reference.

    Examples
    --------
    >>> from vecbleu.nltk import modified_precision
    >>> references = ["the cat is on the mat".split(), "there is a cat on the mat".split()]
    >>> p = modified_precision(references, ["the"] * 7, n=1)
    >>> p.numerator, p.denominator
    (2, 7)

    References
    ----------
    Papineni et al. (2002), section 2.1.
    """
    counts = Counter(ngrams_of([*hypothesis], n))
    refs = [Counter(ngrams_of([*tokens], n)) for tokens in references] if counts else []
    if counts and not refs:
        raise KeyError("there is no reference")
    clips = (max([ref.get(ngram, 0) for ref in refs]) for ngram in counts)
    return Fraction(sum(map(min, counts.values(), clips)), max(1, counts.total()))


class SmoothingFunction:
    """Smoothing methods 0 to 7, to pass as ``smoothing_function``.

    Each method takes a list of modified precisions and returns the smoothed list. It repeats NLTK's
    operations, so that scores are equal bit for bit.

    Parameters
    ----------
    epsilon : float
        Number that `method1` adds to counts of zero.
    alpha : float
        Weight of the prior in `method6`.
    k : float
        Constant K of `method4`.

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

    def method0(self, p_n: Counted, *args: Any, **kwargs: Any) -> Precisions:
        """Apply no smoothing: replace zeros by the smallest float, with a warning."""
        for _, i in _zeros(p_n):
            warn_of_zero(i + 1)
        return [p if p.numerator != 0 else sys.float_info.min for p in p_n]

    def method1(self, p_n: Counted, *args: Any, **kwargs: Any) -> Precisions:
        """Add epsilon to counts of zero."""
        return [p if p.numerator != 0 else self.epsilon / p.denominator for p in p_n]

    def method2(self, p_n: Counted, *args: Any, **kwargs: Any) -> list[fractions.Fraction]:
        """Add 1 to both counts of order 2 and up (Lin and Och 2004)."""
        return [Fraction(p.numerator + 1, p.denominator + 1) if i else p for i, p in enumerate(p_n)]

    def method3(self, p_n: Precisions, *args: Any, **kwargs: Any) -> Precisions:
        """Replace the k-th count of zero by 1 / 2**k (NIST). Changes the list in place."""
        for k, i in _zeros(p_n):
            p_n[i] = 1 / (2**k * p_n[i].denominator)
        return p_n

    def method4(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int = 0, **kwargs: Any
    ) -> Precisions:
        """Replace the k-th zero by ln(hyp_len) / (2**k * K). Changes the list in place."""
        hyp_len = hyp_len or len(hypothesis)
        for k, i in _zeros(p_n) if hyp_len > 1 else ():
            p_n[i] = 1 / (2**k * self.k / math.log(hyp_len)) / p_n[i].denominator
        return p_n

    def method5(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int = 0, **kwargs: Any
    ) -> Precisions:
        """Average each precision with its two neighbors. Changes the list in place.

        The neighbor above the last order is always the 5-gram precision.
        """
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        previous = p_n[0] + 1
        for i, p in enumerate(p_n):
            p_n[i] = previous = (previous + p + following[i]) / 3
        return p_n

    def method6(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int = 0, **kwargs: Any
    ) -> Precisions:
        """Interpolate with p_{n-1}**2 / p_{n-2} (Gao and He 2013). Changes the list in place."""
        assert p_n[2], "method6 needs a precision of order 3 above zero"
        for i, p in enumerate(p_n[2:], 2):
            prior = 0 if p_n[i - 2] == 0 else p_n[i - 1] ** 2 / p_n[i - 2]
            ngrams = max(len(hypothesis) - i, 0)
            p_n[i] = (p.numerator + self.alpha * prior) / (ngrams + self.alpha)
        return p_n

    def method7(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int = 0, **kwargs: Any
    ) -> Precisions:
        """Apply method 4, then method 5."""
        smoothed = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(smoothed, references, hypothesis)


def _zeros(p_n: Counted) -> Iterable[tuple[int, int]]:
    """Return the number, from 1, and the index of each count of zero."""
    return enumerate([i for i, p in enumerate(p_n) if p.numerator == 0], 1)


def warn_of_zero(order: int) -> None:
    """Warn of an order without a match, at the user's line."""
    warn_caller(
        f"no {order}-gram of the hypothesis is in its references: the score is almost 0 if "
        f"{order}-grams have a weight; pass a smoothing_function, or weights for fewer orders"
    )


def smooth_rows(smooth: Any, matches: Int64, totals: Int64, hyp_len: Int64) -> Float64 | None:
    """Return precisions (N, S) smoothed by methods 0 to 4; None for other functions.

    One call per segment, with NLTK's fractions, takes a hundred times as long.
    """
    smoother, method = getattr(smooth, "__self__", None), getattr(smooth, "__func__", None)
    # Python computes differently with other numbers, such as fractions and large integers.
    if not isinstance(smoother, SmoothingFunction):
        return None
    if not all(type(n) in (int, float) and 0 < n < 2**53 for n in (smoother.epsilon, smoother.k)):
        return None
    zero, plain = matches == 0, matches / totals
    halvings = np.ldexp(1.0, zero.cumsum(axis=0, dtype=np.intc))  # 2**k at the k-th zero
    if method is SmoothingFunction.method0:
        for order in np.flatnonzero(zero.any(axis=1)).tolist():
            warn_of_zero(order + 1)
        return np.where(zero, sys.float_info.min, plain)
    if method is SmoothingFunction.method1:
        return np.where(zero, smoother.epsilon / totals, plain)
    if method is SmoothingFunction.method2:
        return np.concatenate([plain[:1], (matches[1:] + 1) / (totals[1:] + 1)])
    if method is SmoothingFunction.method3:
        return np.where(zero, 1 / (halvings * totals), plain)
    if method is SmoothingFunction.method4:
        logs = libm_map(math.log, np.maximum(hyp_len, 2).astype(np.float64))
        return np.where(zero & (hyp_len > 1), 1 / (halvings * smoother.k / logs) / totals, plain)
    return None

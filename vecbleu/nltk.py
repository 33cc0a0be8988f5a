"""Replacement for `nltk.translate.bleu_score`: the same calls and the same numbers, faster."""

from __future__ import annotations

import fractions
import math
import sys
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence, Sized
from contextlib import suppress
from importlib import import_module
from itertools import chain, repeat
from operator import is_
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import ArgumentTypeError
from vecbleu.bleu.libm import fsum, libm_map
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import CountOptions, warn_of_weights
from vecbleu.bleu.plain import ref_len_of
from vecbleu.bleu.shared import SharedReferences
from vecbleu.core.corpus import Countable, TokenCorpus
from vecbleu.core.count import count_rows, count_total
from vecbleu.inputs.alignment import align
from vecbleu.inputs.doubts import warn_of_corpus, warn_of_strings
from vecbleu.inputs.ids import sequence_corpus
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.kernel.plain import most_in_one, ngrams_of

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "install",
    "modified_precision",
    "sentence_bleu",
    "sentence_bleu_batch",
]

Tokens = Sequence[Hashable] | npt.NDArray[Any]
TokenLists = Collection[Tokens]  # the references of a segment
References = TokenLists | SharedReferences
Counted = Sequence[fractions.Fraction]
Precisions = list[Any]  # fractions as counted, floats after smoothing
# Called as fn(p_n, references=, hypothesis=, hyp_len=).
Smoothing = Callable[..., Sequence[float | fractions.Fraction]]
Weights = Sequence[float] | Float64
WeightSets = Sequence[Sequence[float]] | Float64
Counts = TypeVar("Counts")


def install() -> None:
    """Replace `nltk.translate.bleu_score` by this module; NLTK must be installed.

    Call it before other imports: names imported from `nltk.translate.bleu_score` afterwards are
    vecbleu's; names imported before stay NLTK's.

    Examples
    --------
    >>> import vecbleu.nltk
    >>> vecbleu.nltk.install()  # doctest: +SKIP
    >>> from nltk.translate.bleu_score import corpus_bleu  # doctest: +SKIP
    """
    module = sys.modules[__name__]
    for package in import_module("nltk"), import_module("nltk.translate"):
        vars(package).update(bleu_score=module, bleu=sentence_bleu)
    sys.modules["nltk.translate.bleu_score"] = module


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

    numerator: int = 0  # these two as they were given, unless asked for lowest terms
    denominator: int = 1

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Store the two numbers as given, beside the value."""
        older = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        self: Fraction = super().__new__(cls, numerator, denominator, **older)
        given = self.as_integer_ratio() if _normalize else (numerator, denominator)
        self.numerator = given[0]
        self.denominator = given[1]
        return self

    # From Python 3.12 on, copies of a `fractions.Fraction` are in lowest terms.
    def __reduce__(self) -> tuple[type[Fraction], tuple[int, int]]:
        return type(self), (self.numerator, self.denominator)

    def __copy__(self) -> Fraction:
        return self

    def __deepcopy__(self, memo: object) -> Fraction:
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
    return ref_len_of(list(map(len, references)), hyp_len, "closest")


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
    counts = Counter(ngrams_of(list(hypothesis), n))
    lists = list(map(list, references)) if counts else []
    if counts and not lists:
        raise KeyError("there is no reference")
    most = most_in_one(ngrams_of(tokens, n) for tokens in lists)
    matches = sum(min(count, most.get(ngram, 0)) for ngram, count in counts.items())
    return Fraction(matches, max(1, counts.total()))


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

    def method0(self, p_n: Counted, *args: object, **kwargs: object) -> Precisions:
        """Apply no smoothing: replace zeros by the smallest float, with a warning."""
        for _, i in _zeros(p_n):
            warn_of_zero(i + 1)
        return [p if p.numerator != 0 else sys.float_info.min for p in p_n]

    def method1(self, p_n: Counted, *args: object, **kwargs: object) -> Precisions:
        """Add epsilon to counts of zero."""
        return [p if p.numerator != 0 else self.epsilon / p.denominator for p in p_n]

    def method2(self, p_n: Counted, *args: object, **kwargs: object) -> list[fractions.Fraction]:
        """Add 1 to both counts of order 2 and up (Lin and Och 2004)."""
        smoothed = list(p_n)
        for i, p in enumerate(p_n[1:], 1):
            smoothed[i] = Fraction(p.numerator + 1, p.denominator + 1)
        return smoothed

    def method3(self, p_n: Precisions, *args: object, **kwargs: object) -> Precisions:
        """Replace the k-th count of zero by 1 / 2**k (NIST). Changes the list in place."""
        for k, i in _zeros(p_n):
            p_n[i] = 1 / (2**k * p_n[i].denominator)
        return p_n

    def method4(
        self,
        p_n: Precisions,
        references: TokenLists,
        hypothesis: Tokens,
        hyp_len: int = 0,
        **kwargs: object,
    ) -> Precisions:
        """Replace the k-th zero by ln(hyp_len) / (2**k * K). Changes the list in place."""
        hyp_len = hyp_len or len(hypothesis)
        if hyp_len <= 1:
            return p_n
        for k, i in _zeros(p_n):
            divisor = 2**k * self.k / math.log(hyp_len)
            p_n[i] = 1 / divisor / p_n[i].denominator
        return p_n

    def method5(
        self,
        p_n: Precisions,
        references: TokenLists,
        hypothesis: Tokens,
        hyp_len: int = 0,
        **kwargs: object,
    ) -> Precisions:
        """Average each precision with its two neighbors. Changes the list in place.

        The neighbor above the last order is always the 5-gram precision.
        """
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        previous = p_n[0] + 1
        for i, p in enumerate(p_n):
            previous = (previous + p + following[i]) / 3
            p_n[i] = previous
        return p_n

    def method6(
        self,
        p_n: Precisions,
        references: TokenLists,
        hypothesis: Tokens,
        hyp_len: int = 0,
        **kwargs: object,
    ) -> Precisions:
        """Interpolate with p_{n-1}**2 / p_{n-2} (Gao and He 2013). Changes the list in place."""
        assert p_n[2], "method6 needs a precision of order 3 above zero"
        before, last = p_n[:2]
        for i, p in enumerate(p_n[2:], 2):
            prior = 0 if before == 0 else last**2 / before
            ngrams = max(len(hypothesis) - i, 0)
            p_n[i] = (p.numerator + self.alpha * prior) / (ngrams + self.alpha)
            before, last = last, p_n[i]
        return p_n

    def method7(
        self,
        p_n: Precisions,
        references: TokenLists,
        hypothesis: Tokens,
        hyp_len: int = 0,
        **kwargs: object,
    ) -> Precisions:
        """Apply method 4, then method 5."""
        smoothed = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(smoothed, references, hypothesis)


def _zeros(p_n: Counted) -> Iterable[tuple[int, int]]:
    """Return the number, from 1, and the index of each count of zero."""
    zeros = [i for i, p in enumerate(p_n) if p.numerator == 0]
    return enumerate(zeros, 1)


def warn_of_zero(order: int) -> None:
    """Warn of an order without a match, at the user's line."""
    warn_caller(
        f"no {order}-gram of the hypothesis is in its references: the score is almost 0 if "
        f"{order}-grams have a weight; pass a smoothing_function, or weights for fewer orders",
        UserWarning,  # NLTK's own, about a score
    )


def smooth_rows(smooth: object, matches: Int64, totals: Int64, hyp_len: Int64) -> Float64 | None:
    """Return precisions (N, S) smoothed by methods 0 to 4; None for other functions.

    One call per segment, with NLTK's fractions, takes a hundred times as long.
    """
    smoother = getattr(smooth, "__self__", None)
    method = getattr(smooth, "__func__", None)
    if not isinstance(smoother, SmoothingFunction):
        return None
    # Python computes differently with other numbers, such as fractions and large integers.
    numbers = smoother.epsilon, smoother.k
    if not all(type(n) in (int, float) and 0 < n < 2**53 for n in numbers):
        return None
    zero = matches == 0
    plain = matches / totals
    zeros = zero.cumsum(axis=0, dtype=np.intc)
    halvings = np.ldexp(1.0, zeros)  # 2**k at the k-th zero
    if method is SmoothingFunction.method0:
        for order in np.flatnonzero(zero.any(axis=1)).tolist():
            warn_of_zero(order + 1)
        return np.where(zero, sys.float_info.min, plain)
    if method is SmoothingFunction.method1:
        return np.where(zero, smoother.epsilon / totals, plain)
    if method is SmoothingFunction.method2:
        plain[1:] = (matches[1:] + 1) / (totals[1:] + 1)
        return plain
    if method is SmoothingFunction.method3:
        return np.where(zero, 1 / (halvings * totals), plain)
    if method is SmoothingFunction.method4:
        lengths = np.maximum(hyp_len, 2).astype(np.float64)
        divisors = halvings * smoother.k / libm_map(math.log, lengths)
        return np.where(zero & (hyp_len > 1), 1 / divisors / totals, plain)
    return None


_UNIFORM = (0.25, 0.25, 0.25, 0.25)
_NO_SMOOTHING = SmoothingFunction().method0

# Prepare shared references for at least this many segments, and reference tokens of all segments.
_FEWEST_SEGMENTS = 16
_FEWEST_TOKENS = 1 << 13


def sentence_bleu(
    references: References,
    hypothesis: Tokens,
    weights: Sequence[float] | WeightSets = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | Any:
    """Score one segment, as `corpus_bleu` scores a corpus of one.

    Parameters
    ----------
    references : sequence of sequences of hashable tokens
        References of the segment.
    hypothesis : sequence of hashable tokens
        Hypothesis of the segment. A string counts as a sequence of characters, with a warning if
        it has spaces.
    weights, smoothing_function, auto_reweigh
        As for `corpus_bleu`.

    Returns
    -------
    float, or list of float for several sets of weights
        Between 0 and 1; the int 0 if no token matches.

    Raises
    ------
    KeyError, ValueError
        There is no reference: ValueError for an empty hypothesis, KeyError for others.

    Examples
    --------
    >>> from vecbleu.nltk import sentence_bleu
    >>> reference = "the dog is chasing the cat".split()
    >>> sentence_bleu([reference], "the cat is chasing the dog".split(), weights=(0.5, 0.5))
    0.8944271909999159

    References
    ----------
    Papineni et al. (2002); nltk.translate.bleu_score of NLTK 3.10.
    """
    segments = references if isinstance(references, SharedReferences) else [references]
    return corpus_bleu(segments, [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Sequence[float] | WeightSets = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | Any:
    """Score a corpus as NLTK does: exp(fsum(w_n * ln(p_n))) times the brevity penalty.

    Parameters
    ----------
    list_of_references : sequence (segments,) of sequences of references
        References of each segment, as sequences of hashable tokens; or a
        `vecbleu.SharedReferences` of tokens, for all segments.
    hypotheses : sequence (segments,) of sequences of hashable tokens
        One hypothesis per segment. Tokens match if they are equal and have equal hashes. Integer
        arrays hold token ids.
    weights : sequence of float, or several of them
        Weights of order 1, 2, ...; the longest set determines the highest order.
    smoothing_function : callable, optional
        A method of `SmoothingFunction`, or a function to call as ``fn(p_n, references=,
        hypothesis=, hyp_len=)``, with references and hypothesis of the last segment.
    auto_reweigh : bool
        If all hypotheses together have T tokens, T < 4, and the weights are the defaults, give
        equal weights to the orders 1 to T.

    Returns
    -------
    float, or list of float for several sets of weights
        Between 0 and 1; the int 0 (or a list of them) if no token matches.

    Raises
    ------
    AssertionError
        References and hypotheses differ in length.
    KeyError, ValueError
        A segment has no reference: ValueError for an empty hypothesis, KeyError for others.
    ZeroDivisionError
        There are no segments.

    Notes
    -----
    As in NLTK, a segment without n-grams of some order adds 1 to the total of that order. This can
    make the score slightly lower than that of `vecbleu.corpus_bleu`.

    Examples
    --------
    >>> from vecbleu.nltk import corpus_bleu
    >>> references = [["the cat sat on a mat".split()], ["a dog barked".split()]]
    >>> round(corpus_bleu(references, [["the", "cat", "sat", "on", "it"], ["a", "dog"]]), 4)
    0.4369
    """
    sets = _weight_sets(weights)
    lists, hyps, row = _counted(count_total, list_of_references, hypotheses, sets)
    if not hyps:
        raise ZeroDivisionError("there are no segments to score")
    max_order = len(row) // 2 - 1
    for hyp in hyps:
        for order in range(len(hyp), max_order):  # without n-grams, NLTK counts 1
            row[2 + max_order + order] += 1
    smooth = _checked_smoothing(smoothing_function)
    scores = _score(row, sets, smooth, auto_reweigh, lists[-1], hyps[-1])
    return scores[0] if len(sets) == 1 else scores


def sentence_bleu_batch(
    list_of_references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    weights: Sequence[float] | WeightSets = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Float64:
    """Score each segment in one call, as a loop over `sentence_bleu` would.

    Parameters
    ----------
    list_of_references, hypotheses, weights, smoothing_function, auto_reweigh
        As for `corpus_bleu`. Methods 0 to 4 of `SmoothingFunction` smooth all segments at once;
        any other function is called for each segment.

    Returns
    -------
    float64 array (segments,), or (segments, W) for W sets of weights
        Equal to the loop's results, bit for bit. Warnings are given once per order.

    Raises
    ------
    AssertionError, KeyError, ValueError
        As for `corpus_bleu`. Empty input is not an error.

    Examples
    --------
    >>> from vecbleu.nltk import sentence_bleu_batch
    >>> references = [["the cat sat".split()], ["a dog barked".split()]]
    >>> hypotheses = ["the cat sat".split(), "the dog barked".split()]
    >>> sentence_bleu_batch(references, hypotheses, weights=(0.5, 0.5)).round(4).tolist()
    [1.0, 0.5774]
    """
    sets = _weight_sets(weights)
    lists, hyps, rows = _counted(count_rows, list_of_references, hypotheses, sets)
    count_as_nltk(rows)
    matching = np.flatnonzero(rows[:, 2] * max(map(len, sets)))  # all score 0 without weights
    smooth = _checked_smoothing(smoothing_function)
    scores = np.zeros((len(rows), len(sets)))
    computed = None
    if len(matching) > 1:  # for one segment, NumPy's calls take longer
        computed = score_rows(rows[matching], sets, smooth, auto_reweigh)
    if computed is not None:
        scores[matching] = computed
    else:
        for i in matching.tolist():
            row = rows[i].tolist()
            scores[i] = _score(row, sets, smooth, auto_reweigh, lists[i], hyps[i])
    return scores[:, 0] if len(sets) == 1 else scores


def count_as_nltk(rows: Int64) -> None:
    """Change the totals of rows: NLTK counts 1 for segments without n-grams of an order."""
    totals = rows[:, rows.shape[1] // 2 + 1 :]
    np.maximum(totals, 1, out=totals)


def _checked_smoothing(smooth: Smoothing | None) -> Smoothing:
    """Return the smoothing to call, by default none."""
    if smooth is None:
        return _NO_SMOOTHING
    name = getattr(smooth, "__qualname__", "")  # of a method of NLTK's class, or of the one here
    is_unbound = name.startswith("SmoothingFunction") and not hasattr(smooth, "__self__")
    if is_unbound or not callable(smooth):
        found, expected = f"is {smooth!r}", "SmoothingFunction().method1"
        raise ArgumentTypeError(found, expected, argument="smoothing_function")
    return smooth


def _weight_sets(weights: Any) -> list[Weights]:
    """Return the sets of weights; NLTK tells several sets from one in this way."""
    try:
        weights[0][0]
    except (TypeError, IndexError):
        sets = [weights]
    else:
        sets = list(weights)
    with suppress(TypeError):  # scoring raises NLTK's errors
        for each in sets:
            warn_of_weights(each)
    return sets


def _counted(
    count: Callable[[Countable, Bleu], Counts],
    references: Collection[TokenLists] | SharedReferences,
    hypotheses: Collection[Tokens],
    sets: list[Weights],
) -> tuple[list[References], list[Tokens], Counts]:
    """Return references and hypotheses as lists, and what `count` returns."""
    hyps = list(hypotheses)
    if isinstance(references, SharedReferences):
        lists: list[References] = [references] * len(hyps)
    else:
        lists = list(references)
    if len(lists) != len(hyps):
        raise AssertionError(
            f"list_of_references has {len(lists)} segments but hypotheses has {len(hyps)}"
        )
    has_strings = False
    if lists and not isinstance(lists[0], SharedReferences):
        has_strings = warn_of_strings(hyps[0], lists[0])
    max_order = max(1, *map(len, sets))
    shared = _shared_references(lists, max_order)
    if shared is not None:
        rows = [hyp if type(hyp) is list else list(hyp) for hyp in hyps]
        corpus: Countable = align(rows, shared)
    elif all(map(len, lists)):
        aligned = sequence_corpus(TokenCorpus.of_lists(hyps, lists))
        if not has_strings:
            warn_of_corpus(aligned, "hypotheses")
        corpus = aligned
    else:
        segment = list(map(len, lists)).index(0)
        error = KeyError if len(hyps[segment]) else ValueError
        raise error(f"segment {segment} has no references")
    return lists, hyps, count(corpus, Bleu(CountOptions(max_order=max_order)))


def _shared_references(lists: list[References], max_order: int) -> SharedReferences | None:
    """Return references that all segments share; None if they differ, or are too small."""
    if not lists or not all(map(is_, lists, repeat(lists[0]))):
        return None
    shared = lists[0]
    if isinstance(shared, SharedReferences):
        return shared
    if len(lists) < _FEWEST_SEGMENTS or not set(map(type, shared)) <= {list, tuple}:
        return None
    pays = len(lists) * sum(map(len, shared)) >= _FEWEST_TOKENS
    return SharedReferences(list(shared), max_order=max_order) if pays else None


def _score(
    row: list[int],
    sets: list[Weights],
    smooth: Smoothing,
    auto_reweigh: bool,
    references: References,
    hypothesis: Tokens,
) -> list[float]:
    """Score one row of counts, once for each set of weights."""
    order = max(map(len, sets))
    if not order or not row[2]:
        return [0] * len(sets)
    hyp_len, ref_len, *counts = row
    if isinstance(references, SharedReferences):
        references = references.side.hypotheses
    p_n = list(map(Fraction, counts[:order], counts[order:]))
    smoothed = smooth(p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len)
    penalty = brevity_penalty(ref_len, hyp_len)
    scores: list[float] = []
    for weights in sets:
        if auto_reweigh and hyp_len < 4 and weights == _UNIFORM:
            weights = (1 / hyp_len,) * hyp_len
        terms = (w * math.log(p) for w, p in zip(weights, smoothed, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(terms)))
    return scores


def score_rows(
    rows: Int64, sets: list[Weights], smooth: Smoothing, auto_reweigh: bool
) -> Float64 | None:
    """Return scores (S, W) of rows with matches; None if they need Python's arithmetic."""
    if not set(map(type, chain.from_iterable(sets))) <= {int, float, np.int64, np.float64}:
        return None  # NumPy may compute differently with other types
    hyp_len, ref_len, *counts = np.ascontiguousarray(rows.T)
    if auto_reweigh and (hyp_len < 4).any():
        return None
    matches, totals = np.split(np.array(counts), 2)
    p_n = smooth_rows(smooth, matches, totals, hyp_len)
    if p_n is None:
        return None
    logs = libm_map(math.log, np.where(p_n > 0, p_n, 1.0))
    penalty = libm_map(math.exp, np.minimum(1 - ref_len / hyp_len, 0.0))
    means = np.empty((len(sets), len(rows)))
    for mean, weights in zip(means, sets, strict=True):
        column = np.array(weights, float)[:, None]
        mean[:] = fsum(column * logs[: len(column)])
    return (penalty * libm_map(math.exp, means)).T

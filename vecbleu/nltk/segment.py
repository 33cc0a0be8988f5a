"""One segment as NLTK counts it: n-grams, modified precision, lengths and brevity penalty."""

from __future__ import annotations

import fractions
import math
import sys
from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence, Sized
from decimal import Decimal
from itertools import islice, repeat
from numbers import Rational
from typing import Any

import numpy.typing as npt

from vecbleu.core.public import public

Tokens = Sequence[Hashable] | npt.NDArray[Any]
TokenLists = Collection[Tokens]  # the references of a segment


def count_matches(references: Iterable[Tokens], counts: Counter[Any], n: int) -> int:
    """Number of the counted n-grams found, each at most as often as in one of the references."""
    found = [Counter(ngram_tuples(reference, n)) for reference in references]
    if counts and not found:
        raise KeyError(next(iter(counts)))
    most = found.pop() if found else counts
    for other in found:
        for ngram, number in other.items():
            if number > most.get(ngram, 0):
                most[ngram] = number
    return sum([min(number, most[ngram]) for ngram, number in counts.items() if ngram in most])


def ngram_tuples(tokens: Tokens, n: Any) -> Iterator[tuple[Any, ...]]:
    """The n-grams of a sequence; of order 0, as in NLTK, one empty n-gram more than tokens."""
    if type(n) is not int or n < 1:
        if len(tokens) < n:
            return iter(())
        deque(islice((), n), n)  # NLTK's errors for what is no order
        if not n:
            return repeat((), len(tokens) + 1)
    listed = list(tokens)
    return zip(*[listed[i:] for i in range(n)], strict=False)


def closest_ref_length(references: Iterable[Sized], hyp_len: int) -> int:
    """Length of the reference that is closest in length, the shorter of two equally close.

    Parameters
    ----------
    references : sequence of sequences
        The references of one segment.
    hyp_len : int
        Tokens of its hypothesis.

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
    """Penalty for hypotheses shorter than the references.

    1 if hyp_len > closest_ref_len, 0 if hyp_len is 0, else exp(1 - closest_ref_len / hyp_len).

    Parameters
    ----------
    closest_ref_len : int
        Length of the closest reference, or the sum of such lengths.
    hyp_len : int
        Length of the hypothesis, or the sum.

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
    if hyp_len == 0:
        return 0
    return math.exp(1 - closest_ref_len / hyp_len)


@public("vecbleu.nltk")
class Fraction(fractions.Fraction):
    """A fraction that is not brought to lowest terms, with all of NLTK's peculiarities.

    Below Python 3.12 it is unnormalized inside too, so that 2/4 is not equal to 1/2; from 3.12 on
    it only shows the numbers it was made of. Users' smoothing functions may depend on either.

    Parameters
    ----------
    numerator, denominator
        What `fractions.Fraction` takes: two integers, or one number or string.

    Examples
    --------
    >>> from vecbleu.nltk import Fraction
    >>> p = Fraction(2, 4)
    >>> p.numerator, p.denominator, float(p)
    (2, 4, 0.5)
    """

    _normalize = True  # for those that the base class makes without `__new__`
    _given: tuple[Any, Any]

    def __new__(
        cls,
        numerator: int | Rational | float | Decimal | str = 0,
        denominator: int | Rational | None = None,
        _normalize: bool = False,
    ) -> Fraction:
        """Keep the two numbers beside the value."""
        given: tuple[Any, Any] = numerator, denominator
        older = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        self: Fraction = super().__new__(cls, *given, **older)
        self._normalize = _normalize
        self._given = given
        return self

    @property
    def numerator(self) -> int:
        """The numerator as given."""
        return super().numerator if self._normalize else self._given[0]

    @property
    def denominator(self) -> int:
        """The denominator as given."""
        return super().denominator if self._normalize else self._given[1]


def modified_precision(references: TokenLists, hypothesis: Tokens, n: int) -> Fraction:
    """Modified precision of one order: clipped matches over n-grams of the hypothesis.

    Parameters
    ----------
    references : sequence of sequences of hashable tokens
        The references of one segment.
    hypothesis : sequence of hashable tokens
        Its hypothesis.
    n : int
        The order. Of order 0, NLTK finds an empty n-gram more than there are tokens.

    Returns
    -------
    Fraction
        Not in lowest terms: `numerator` and `denominator` are the two counts, the denominator at
        least 1.

    Raises
    ------
    KeyError
        There is no reference.
    ValueError
        `n` is negative.

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
    counts = Counter(ngram_tuples(hypothesis, n))
    return Fraction(count_matches(references, counts, n), max(1, counts.total()))

"""Modified precision as NLTK has it: a fraction that keeps the two counts it is made of."""

from __future__ import annotations

import fractions
import sys
from collections import Counter
from typing import Any

from vecbleu.nltk.counting import clipped_matches, ngrams


class Fraction(fractions.Fraction):
    """A fraction that is not brought to lowest terms, with all of NLTK's peculiarities.

    Below Python 3.12 it is unnormalized inside too, so that 2/4 is not equal to 1/2; from 3.12 on
    it only shows the numbers it was made of. Users' smoothing functions may depend on either.
    """

    _normalize = True  # for those that the base class makes without `__new__`
    _shown: tuple[Any, Any]

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Keep the two numbers beside the value."""
        older = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        self: Fraction = super().__new__(cls, numerator, denominator, **older)
        self._normalize = _normalize
        self._shown = numerator, denominator
        return self

    @property
    def numerator(self) -> int:
        """The numerator as given."""
        return super().numerator if self._normalize else self._shown[0]

    @property
    def denominator(self) -> int:
        """The denominator as given."""
        return super().denominator if self._normalize else self._shown[1]


def modified_precision(references: Any, hypothesis: Any, n: int) -> Fraction:
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
    counts = Counter(ngrams(hypothesis, n))
    return Fraction(clipped_matches(references, counts, n), max(1, counts.total()))

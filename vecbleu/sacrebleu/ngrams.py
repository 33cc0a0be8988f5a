"""Count the n-grams of single lines, as sacreBLEU does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

Slice = TypeVar("Slice", bound=Sequence[str])


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """Count the n-grams of a line's words, as tuples.

    Parameters
    ----------
    line : str
        Words with white space between them.
    min_order, max_order : int
        Lengths of the shortest and the longest n-grams.

    Returns
    -------
    Counter
        How often each n-gram occurs.
    int
        Number of words.

    Examples
    --------
    >>> from vecbleu.sacrebleu.metrics.helpers import extract_all_word_ngrams
    >>> extract_all_word_ngrams("a b a", 1, 2)
    (Counter({('a',): 2, ('b',): 1, ('a', 'b'): 1, ('b', 'a'): 1}), 3)
    """
    words = tuple(line.split())
    counts: Counter[tuple[str, ...]] = Counter()
    for order in range(min_order, max_order + 1):
        counts.update(_slices(words, order))
    return counts, len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Count n-grams of tokens, as strings with spaces.

    Parameters
    ----------
    tokens : sequence of str
        The tokens.
    n : int
        Length of the n-grams.

    Returns
    -------
    Counter

    Examples
    --------
    >>> from vecbleu.sacrebleu import extract_word_ngrams
    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
    Counter({'a b': 2, 'b a': 1})
    """
    return Counter(map(" ".join, _slices(tokens, n)))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Count n-grams of a line's characters.

    Parameters
    ----------
    line : str
        The line.
    n : int
        Length of the n-grams.
    include_whitespace : bool
        Count white space, too.

    Returns
    -------
    Counter

    Examples
    --------
    >>> from vecbleu.sacrebleu import extract_char_ngrams
    >>> extract_char_ngrams("ab ab", 2)
    Counter({'ab': 2, 'ba': 1})
    """
    return Counter(_slices(line if include_whitespace else "".join(line.split()), n))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """Count n-grams of a line's characters, up to some length.

    Parameters
    ----------
    line, include_whitespace
        As for `extract_char_ngrams`.
    max_order : int
        Length of the longest n-grams.

    Returns
    -------
    list of Counter (orders,)
    """
    orders = range(1, max_order + 1)
    return [extract_char_ngrams(line, order, include_whitespace) for order in orders]


def _slices(sequence: Slice, size: int) -> Iterator[Slice]:
    """Yield all slices of one size."""
    for first in range(len(sequence) - size + 1):
        yield sequence[first : first + size]  # type: ignore[misc]

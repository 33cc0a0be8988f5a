"""Counting n-grams the way NLTK does: its units, its totals of at least 1, its errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from vecbleu import pipeline
from vecbleu.corpus import segments_of
from vecbleu.pipeline import Counting
from vecbleu.statistics import Statistics

# Up to this many tokens on both sides, plain counting is faster than the calls into NumPy that
# every use of the kernel costs: 80 us against 440 for 2 x 26 tokens, equal at about 2 x 500.
_FEW_TOKENS = 800


class Counts(NamedTuple):
    """Python integers of one segment or corpus, with NLTK's totals of at least 1 a segment."""

    matches: list[int]  # (orders,)
    totals: list[int]  # (orders,)
    hyp_len: int
    ref_len: int


def count_corpus(list_of_references: Any, hypotheses: Any, max_order: int) -> Counts:
    """Counts of a corpus."""
    if len(hypotheses) == 1:
        (references,), (hypothesis,) = list_of_references, hypotheses
        if len(hypothesis) + sum(map(len, references)) <= _FEW_TOKENS:
            return _count_few(references, hypothesis, max_order)
    return to_counts(count_segments(list_of_references, hypotheses, max_order).sum())


def count_segments(list_of_references: Any, hypotheses: Any, max_order: int) -> Statistics:
    """Statistics of each segment, by the kernel."""
    corpus = segments_of(as_list(hypotheses), as_list(list_of_references))
    missing = np.flatnonzero(np.diff(corpus.segments) == 1)
    if missing.size:  # fail as NLTK does
        clipped_matches((), as_list(hypotheses)[missing[0]], 1)
        closest_ref_length((), 0)
    counted = pipeline.count_corpus(corpus, Counting(max_order=max_order))
    return Statistics(
        counted.hyp_len, counted.ref_len, counted.matches, np.maximum(counted.totals, 1)
    )


def as_list(values: Any) -> list[Any]:
    """The values of anything that can be iterated over."""
    return values if isinstance(values, list) else list(values)


def to_counts(row: Statistics) -> Counts:
    """A single row as Python integers."""
    return Counts(row.matches.tolist(), row.totals.tolist(), int(row.hyp_len), int(row.ref_len))


def _count_few(references: Any, hypothesis: Any, max_order: int) -> Counts:
    """Counts of one segment, without the kernel."""
    hyp_len = len(hypothesis)
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        matches[order - 1] = clipped_matches(references, hypothesis, order)
        if not matches[order - 1]:
            break  # what contains an unmatched n-gram does not match
    totals = [max(1, hyp_len - order) for order in range(max_order)]
    return Counts(matches, totals, hyp_len, closest_ref_length(references, hyp_len))


def clipped_matches(references: Any, hypothesis: Any, n: int) -> int:
    """N-grams of order n found in the references, each at most as often as in one of them."""
    counts = Counter(_ngrams(hypothesis, n))
    most: dict[tuple[Any, ...], int] | None = None
    for reference in references:
        found = Counter(_ngrams(reference, n))
        if most is None:
            most = found
            continue
        for ngram, number in found.items():
            if number > most.get(ngram, 0):
                most[ngram] = number
    if most is None:
        if counts:
            raise KeyError(next(iter(counts)))
        return 0
    return sum([min(number, most[ngram]) for ngram, number in counts.items() if ngram in most])


def _ngrams(tokens: Sequence[Any], n: int) -> Iterator[tuple[Any, ...]]:
    """The n-grams of a sequence."""
    listed = list(tokens)
    return zip(*[listed[i:] for i in range(n)], strict=False)


def closest_ref_length(references: Any, hyp_len: int) -> int:
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

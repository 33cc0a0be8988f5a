"""Counting n-grams the way NLTK does: its units, its totals of at least 1, its errors."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain, islice, repeat
from operator import add
from typing import Any, NamedTuple

import numpy as np

from vecbleu import pipeline
from vecbleu.corpus import Block, Corpus, IdCorpus, segments_of
from vecbleu.pipeline import Counting
from vecbleu.statistics import Statistics

# Up to this many tokens on both sides, plain counting is faster than the calls into NumPy that
# every use of the kernel costs: 55 us against 320 for one segment of 2 x 18 tokens, equal at about
# 400 tokens in eight segments and 650 in one.
_FEW_TOKENS = 400
_FEW_SEGMENTS = 8


class Counts(NamedTuple):
    """Python integers of one segment or corpus, with NLTK's totals of at least 1 a segment."""

    matches: list[int]  # (orders,)
    totals: list[int]  # (orders,)
    hyp_len: int
    ref_len: int


def count_corpus(list_of_references: Any, hypotheses: Any, max_order: int) -> Counts:
    """Counts of a corpus."""
    if len(hypotheses) == 1 or (
        0 < len(hypotheses) <= _FEW_SEGMENTS
        and all(hasattr(one, "__len__") for one in chain(list_of_references, hypotheses))
    ):  # what has no length fails segment by segment
        pairs = zip(list_of_references, hypotheses, strict=True)
        list_of_references = [_sized(*pair, max_order) for pair in pairs]
        own = sum(map(len, hypotheses))
        if own + sum([len(one) for some in list_of_references for one in some]) <= _FEW_TOKENS:
            counts = map(_count_few, list_of_references, hypotheses, repeat(max_order))
            return reduce(_add, counts)
    return to_counts(count_segments(list_of_references, hypotheses, max_order).sum())


def _add(one: Counts, other: Counts) -> Counts:
    """Counts of two corpora together."""
    matches = [*map(add, one.matches, other.matches)]
    totals = [*map(add, one.totals, other.totals)]
    return Counts(matches, totals, one.hyp_len + other.hyp_len, one.ref_len + other.ref_len)


def count_segments(list_of_references: Any, hypotheses: Any, max_order: int) -> Statistics:
    """Statistics of each segment, by the kernel; of order 1 at least."""
    hypotheses, list_of_references = as_list(hypotheses), as_list(list_of_references)
    counting = Counting(max_order=max(max_order, 1))
    try:
        corpus = segments_of(hypotheses, list_of_references)
        counted = _count(corpus, hypotheses, counting, max_order)
    except TypeError:
        # Perhaps a segment's references had no length; whatever else it was will happen again.
        pairs = zip(list_of_references, hypotheses, strict=True)
        corpus = segments_of(hypotheses, [_sized(*pair, max_order) for pair in pairs])
        counted = _count(corpus, hypotheses, counting, max_order)
    return Statistics(
        counted.hyp_len, counted.ref_len, counted.matches, np.maximum(counted.totals, 1)
    )


def _count(
    corpus: Corpus | IdCorpus, hypotheses: Sequence[Any], counting: Counting, max_order: int
) -> Statistics:
    """Statistics of every segment; one without references fails as in NLTK."""

    def check(block: Block) -> None:
        for segment in np.flatnonzero(np.diff(block.segments) == 1)[:1]:
            _fail_without_references(hypotheses[block.first + segment], min(max_order, 1))

    return counting.gather(pipeline.count_corpus(corpus, counting, check=check))


def as_list(values: Any) -> list[Any]:
    """The values of anything that can be iterated over."""
    return values if isinstance(values, list) else list(values)


def _sized(references: Any, hypothesis: Any, max_order: int) -> Any:
    """References that can be counted; an iterator is used up by NLTK's counting of order 1."""
    if hasattr(references, "__len__"):
        return references
    if max_order and iter(references) is references:
        order = 2 if [*references] else 1
        _fail_without_references(hypothesis, order if order <= max_order else 0)
    return list(references)


def _fail_without_references(hypothesis: Any, order: int) -> None:
    """Fail as NLTK does for want of a reference of the first n-gram, or of a closest one."""
    if order:
        clipped_matches((), Counter(ngrams(hypothesis, order)), order)
    closest_ref_length((), 0)


def to_counts(row: Statistics) -> Counts:
    """A single row as Python integers."""
    return Counts(row.matches.tolist(), row.totals.tolist(), int(row.hyp_len), int(row.ref_len))


def _count_few(references: Any, hypothesis: Any, max_order: int) -> Counts:
    """Counts of one segment, without the kernel."""
    hyp_len = len(hypothesis)
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        counts = Counter(ngrams(hypothesis, order))
        matches[order - 1] = clipped_matches(references, counts, order)
        if not matches[order - 1]:
            break  # what contains an unmatched n-gram does not match
    totals = [max(1, hyp_len - order) for order in range(max_order)]
    return Counts(matches, totals, hyp_len, closest_ref_length(references, hyp_len))


def clipped_matches(references: Any, counts: Counter[Any], n: int) -> int:
    """Number of the counted n-grams found, each at most as often as in one of the references."""
    most: dict[Any, int] | None = None
    for reference in references:
        found = Counter(ngrams(reference, n))
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


def ngrams(tokens: Sequence[Any], n: int) -> Iterator[tuple[Any, ...]]:
    """The n-grams of a sequence; for orders that are none, what NLTK's windows come to."""
    if type(n) is not int or n < 1:
        return _windows(tokens, n)
    listed = list(tokens)
    return zip(*[listed[i:] for i in range(n)], strict=False)


def _windows(tokens: Sequence[Any], n: Any) -> Iterator[tuple[Any, ...]]:
    """Slide a window of n tokens: one empty n-gram more than tokens if n is 0, or an error."""
    if len(tokens) < n:
        return
    rest = iter(tokens)
    window = deque(islice(rest, n), maxlen=n)
    yield tuple(window)
    for token in rest:
        window.append(token)
        yield tuple(window)


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

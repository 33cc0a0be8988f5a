"""Count clipped matches in plain Python: the definition, and the fastest way of a few segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import starmap
from typing import Any

Tokens = Sequence[Hashable]

# Limit: n-grams of both sides and all orders. The array path makes some hundred NumPy calls,
# however little it counts; in the same time, dictionaries count so many n-grams.
MOST_NGRAMS = 2800


def segment_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Count the clipped matches of each order (N,).

    An n-gram matches at most as often as it occurs in any single reference.
    """
    matches = [0] * max_order
    units = [hypothesis, *references]
    shifts = [[unit] for unit in units]  # for each unit, its tokens without the first 0, 1, ...
    for order in range(1, max_order + 1):
        ngrams = units if order == 1 else list(starmap(zip, shifts))
        for unit, shifted in zip(units, shifts, strict=True):
            shifted.append(unit[order:])
        remaining = most_in_one(ngrams[1:])
        matched = 0
        for ngram in ngrams[0]:
            number = remaining.get(ngram)
            if number:
                remaining[ngram] = number - 1
                matched += 1
        if not matched:
            break  # higher orders have no match, either
        matches[order - 1] = matched
    return matches


def pair_matches(hypothesis: Any, reference: Any, max_order: int) -> list[int]:
    """Count the clipped matches of each order (N,) of two strings or tuples.

    Where n-grams match, so do the shorter ones at their beginnings. So the longest are looked up
    first, and only those that are left are cut and looked up again, with the one at the end::

        hypothesis  a b c x     order 3  abc bcx       order 2  bc cx     matches  1, 1 + 1
        reference   a b c y              abc bcy cy y           bc cy y
    """
    starts = range(len(hypothesis) - max_order + 1)
    ngrams = [hypothesis[start : start + max_order] for start in starts]
    left: dict[Any, int] = most_in_one(
        [[reference[start : start + max_order] for start in range(len(reference))]]
    )
    matches = []
    matched = 0
    for shorter in reversed(range(max_order)):
        get = left.get
        missing = []
        for ngram in ngrams:
            number = get(ngram)
            if number:
                left[ngram] = number - 1
            else:
                missing.append(ngram)
        matched += len(ngrams) - len(missing)
        matches.append(matched)
        begin = slice(shorter)
        ngrams = [ngram[begin] for ngram in missing]
        if shorter <= len(hypothesis):
            ngrams.append(hypothesis[len(hypothesis) - shorter :])
        numbers = left.items()
        left = {}
        get = left.get
        for ngram, number in numbers:
            if number:
                key = ngram[begin]
                left[key] = get(key, 0) + number
    return matches[::-1]


def most_in_one(references: Iterable[Iterable[Hashable]]) -> dict[Hashable, int]:
    """Return the highest count of each n-gram in any single reference."""
    most: dict[Hashable, int] = {}
    for ngrams in references:
        counts: dict[Hashable, int] = {}
        get = counts.get
        for ngram in ngrams:
            counts[ngram] = get(ngram, 0) + 1
        if not most:
            most = counts
            continue
        for ngram, number in counts.items():
            if number > most.get(ngram, 0):
                most[ngram] = number
    return most


def ngrams_of(tokens: Tokens, order: int) -> Iterable[Hashable]:
    """Return the n-grams of one order as tuples; for order 1, return the tokens."""
    if order == 1:
        return tokens
    shifted = [tokens[k:] for k in range(order)]
    return zip(*shifted, strict=False)

"""Count clipped matches in plain Python: the definition, and the fastest way of a few segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import repeat
from operator import and_, rshift
from typing import Any, TypeVar

Tokens = Sequence[Hashable]
Ngram = TypeVar("Ngram", bound=Hashable)

# The array path makes some hundred calls of NumPy, however little it counts. In the same time, so
# many tokens of both sides are looked at plainly; fewer, the more orders are counted.
MOST_TOKENS = 1560


def segment_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Count the clipped matches of each order (N,).

    An n-gram matches at most as often as it occurs in any single reference. The places where it
    begins in the references are bits of a number, the first place lowest. Each token has to stand
    at its place::

        reference  a b c b     b 1010     c 0100     b c  1010 & (0100 >> 1) = 0010
    """
    places: dict[Hashable, int] = {}
    all_of = []  # the places of each reference
    bit = 1
    for reference in references:
        first = bit
        for token in reference:
            places[token] = places.get(token, 0) | bit
            bit <<= 1
        all_of.append(bit - first)
        bit <<= 1  # stays free, so that no n-gram reaches over the end
    tokens = [places.get(token, 0) for token in hypothesis]
    begins = tokens
    matches = []
    for order in range(max_order):
        if order:
            begins = list(map(and_, begins, map(rshift, tokens[order:], repeat(order))))
        matched = 0
        for found, number in most_in_one([filter(None, begins)]).items():
            if number > 1:
                copies = found.bit_count()
                if len(references) > 1:
                    copies = max([(found & own).bit_count() for own in all_of])
                number = min(number, copies)
            matched += number
        matches.append(matched)
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
        begin = slice(shorter)
        get = left.get
        cut = []
        for ngram in ngrams:
            number = get(ngram)
            if number:
                left[ngram] = number - 1
            else:
                cut.append(ngram[begin])
        matched += len(ngrams) - len(cut)
        matches.append(matched)
        ngrams = cut
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


def most_in_one(references: Iterable[Iterable[Ngram]]) -> dict[Ngram, int]:
    """Return the highest count of each n-gram in any single reference."""
    most: dict[Ngram, int] = {}
    for ngrams in references:
        counts: dict[Ngram, int] = {}
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

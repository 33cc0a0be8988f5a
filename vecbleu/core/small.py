"""Count few segments with dictionaries, which are faster than arrays for small input.

The array path makes some hundred NumPy calls, however little it counts. In the same time,
dictionaries count `MOST_NGRAMS` n-grams.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise, repeat
from typing import Any

from vecbleu.core.corpus import Corpus, Countable, TokenCorpus
from vecbleu.core.options import CountOptions, RefLength, RunOptions

Tokens = Sequence[Hashable]

# Limits: n-grams of both sides and all orders; characters of text, which has to be tokenized.
MOST_NGRAMS = 2800
_MOST_CHARACTERS = 2200


def few_rows(
    corpus: Countable, options: CountOptions, run: RunOptions
) -> tuple[Countable, list[list[int]]]:
    """Count a small corpus; return it and its rows.

    If the corpus is too large, return it without rows, to be counted as arrays. If its strings have
    been tokenized here, return a corpus of their tokens instead: no string is tokenized twice.
    """
    if not isinstance(corpus, Corpus) or run.executor is not None or run.progress:
        return corpus, []  # the user wants to see the bar, or to use the executor
    order, size = options.max_order, len(corpus)
    most = min(MOST_NGRAMS, _MOST_CHARACTERS) if corpus.is_text else MOST_NGRAMS // order
    tokens = corpus.split(options, most)
    if not tokens:
        return corpus, []
    own, others = tokens[:size], tokens[size:]
    if sum(map(len, tokens)) * order > MOST_NGRAMS:
        return TokenCorpus(own, others, corpus.offsets, corpus.name), []
    lists = [others[low:high] for low, high in pairwise(corpus.offsets.tolist())]
    return corpus, count_segments(own, lists, order, options.ref_length)


def count_segments(
    hypotheses: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    max_order: int,
    ref_length: RefLength,
) -> list[list[int]]:
    """Count segments; return rows of hyp_len, ref_len, N matches and N totals."""
    rows = []
    for hypothesis, lists in zip(hypotheses, references, strict=True):
        length = len(hypothesis)
        lengths = [*map(len, lists)]
        ref_len = lengths[0] if len(lists) == 1 else ref_len_of(lengths, length, ref_length)
        totals = map(max, range(length, length - max_order, -1), repeat(0))
        rows.append([length, ref_len, *clipped_matches(hypothesis, lists, max_order), *totals])
    return rows


def ref_len_of(lengths: Sequence[int], own: int, ref_length: RefLength) -> int:
    """Choose the reference length of a segment: the closest, shortest or longest."""
    if ref_length == "closest":
        return min(lengths, key=lambda length: (abs(length - own), length))
    choose = {"shortest": min, "longest": max}[ref_length]
    return choose(lengths)


def clipped_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Count the clipped matches of each order (N,).

    An n-gram matches at most as often as it occurs in any single reference.
    """
    matches = [0] * max_order
    units = [hypothesis, *references]
    shifts = [*map(list, zip(units))]  # for each unit, its tokens without the first 0, 1, ...
    for order in range(1, max_order + 1):
        own, *others = units if order == 1 else [zip(*one, strict=False) for one in shifts]
        for unit, shifted in zip(units, shifts, strict=True):
            shifted.append(unit[order:])
        left = most_in_one(others)
        found = 0
        # Intersecting counters would take 1.7 times as long.
        for ngram in own:
            number = left.get(ngram)
            if number:
                left[ngram] = number - 1
                found += 1
        if not found:
            break  # higher orders have no match, either
        matches[order - 1] = found
    return matches


def most_in_one(references: Iterable[Iterable[Any]]) -> dict[Any, int]:
    """Return the highest count of each n-gram in any single reference."""
    most: dict[Any, int] = {}
    for ngrams in references:
        counts: dict[Any, int] = {}
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


def ngrams_of(tokens: Tokens, order: int) -> Iterable[Any]:
    """Return the n-grams of one order as tuples; for order 1, return the tokens."""
    return tokens if order == 1 else zip(*[tokens[k:] for k in range(order)], strict=False)

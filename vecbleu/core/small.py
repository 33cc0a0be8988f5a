"""Statistics of few segments, counted as Python objects: below the size where arrays pay.

A call into the array path costs some hundred NumPy calls, whatever it counts: as much as
`MOST_NGRAMS` cost here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise, repeat
from typing import Any

from vecbleu.core.corpus import Corpus, Countable, TokenCorpus
from vecbleu.core.options import CountOptions, RefLength, RunOptions

Tokens = Sequence[Hashable]

# N-grams of both sides, all orders together, and characters of text, which is tokenized first.
MOST_NGRAMS = 2800
_MOST_CHARACTERS = 2200


def few_rows(
    corpus: Countable, options: CountOptions, run: RunOptions
) -> tuple[Countable, list[list[int]]]:
    """Count a small corpus: return it with its rows.

    A larger one is returned without rows, for arrays to count; what has been tokenized here, as
    tokens, since no string is tokenized twice.
    """
    if not isinstance(corpus, Corpus) or run.executor is not None or run.progress:
        return corpus, []  # a progress bar, or an executor, is there to be watched
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
    """Return rows of statistics: hyp_len, ref_len, matches and totals of order 1 to `max_order`."""
    rows = []
    for hypothesis, lists in zip(hypotheses, references, strict=True):
        length = len(hypothesis)
        lengths = [*map(len, lists)]
        ref_len = lengths[0] if len(lists) == 1 else ref_len_of(lengths, length, ref_length)
        totals = map(max, range(length, length - max_order, -1), repeat(0))
        rows.append([length, ref_len, *clipped_matches(hypothesis, lists, max_order), *totals])
    return rows


def ref_len_of(lengths: Sequence[int], own: int, ref_length: RefLength) -> int:
    """Return the length that counts, of those of a segment's references."""
    if ref_length == "closest":
        return min(lengths, key=lambda length: (abs(length - own), length))
    return min(lengths) if ref_length == "shortest" else max(lengths)


def clipped_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Count the n-grams of each order that are in a reference, each at most as often as in one."""
    matches = [0] * max_order
    units = [hypothesis, *references]
    shifts = [*map(list, zip(units))]  # the tokens of each from the first, second, ... one on
    for order in range(1, max_order + 1):
        own, *others = units if order == 1 else [zip(*one, strict=False) for one in shifts]
        for unit, shifted in zip(units, shifts, strict=True):
            shifted.append(unit[order:])
        left = most_in_one(others)
        found = 0
        # Three fifths of the time of intersecting counters.
        for ngram in own:
            number = left.get(ngram)
            if number:
                left[ngram] = number - 1
                found += 1
        if not found:
            break  # what contains an unmatched n-gram does not match
        matches[order - 1] = found
    return matches


def most_in_one(references: Iterable[Iterable[Any]]) -> dict[Any, int]:
    """Count n-grams of references: each as often as in the one that has it most often."""
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
    """Return the n-grams of one order as tuples; of order 1 the tokens themselves."""
    return tokens if order == 1 else zip(*[tokens[k:] for k in range(order)], strict=False)

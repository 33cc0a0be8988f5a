"""Count few segments with dictionaries, which are faster than arrays for small input.

The array path makes some hundred NumPy calls, however little it counts. In the same time,
dictionaries count `MOST_NGRAMS` n-grams.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise, repeat, starmap
from typing import Any

from vecbleu.core.corpus import TOKENS, Corpus, Countable
from vecbleu.core.options import CountOptions, RefLength, RunOptions
from vecbleu.text.text import UnitError

Tokens = Sequence[Hashable]

# Limit: n-grams of both sides and all orders. Text, which has to be tokenized, may have 4/5 as many
# characters.
MOST_NGRAMS = 2800


def few_units(corpus: Countable, limit: int, run: RunOptions) -> list[Any] | None:
    """Return all units, hypotheses first, if their lengths add up to at most `limit`, else None.

    Also return None if dictionaries can't count them, or if the user wants the bar or passed an
    executor.
    """
    if not isinstance(corpus, Corpus) or not corpus.kind.small_tokens:
        return None
    size = len(corpus.hypotheses) + len(corpus.references)
    if run.executor is not None or run.progress or size > limit:
        return None
    units = [*corpus.hypotheses, *corpus.references]
    return units if sum(map(len, units)) <= limit else None


def count_if_few(
    corpus: Any, counting: CountOptions, run: RunOptions
) -> tuple[list[list[int]] | None, Countable]:
    """Count a small corpus; return its rows, or None and the corpus to count with arrays.

    If strings have more tokens than expected, that corpus holds the tokens.
    """
    limit = 4 * MOST_NGRAMS // 5 if corpus.is_text else MOST_NGRAMS // counting.max_order
    units = few_units(corpus, limit, run)
    if not units:
        return None, corpus
    size = len(corpus)
    try:
        tokens = corpus.kind.small_tokens(units, counting.split)
    except UnitError as error:
        raise error.named(lambda unit: corpus.locate(0, size, unit)) from None
    if tokens is None:
        return None, corpus
    hyps, refs = tokens[:size], tokens[size:]
    if sum(map(len, tokens)) * counting.max_order > MOST_NGRAMS:
        return None, Corpus(TOKENS, hyps, refs, corpus.offsets, corpus.name_unit)
    lists = [refs[low:high] for low, high in pairwise(corpus.offsets.tolist())]
    return count_segments(hyps, lists, counting.max_order, counting.ref_length), corpus


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
        rows.append([length, ref_len, *segment_matches(hypothesis, lists, max_order), *totals])
    return rows


def ref_len_of(lengths: Sequence[int], hyp_len: int, ref_length: RefLength) -> int:
    """Choose the reference length of a segment: the closest, shortest or longest."""
    if ref_length == "closest":
        return min(lengths, key=lambda length: (abs(length - hyp_len), length))
    choose = {"shortest": min, "longest": max}[ref_length]
    return choose(lengths)


def segment_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Count the clipped matches of each order (N,).

    An n-gram matches at most as often as it occurs in any single reference.
    """
    matches = [0] * max_order
    units = [hypothesis, *references]
    shifts = [[unit] for unit in units]  # for each unit, its tokens without the first 0, 1, ...
    for order in range(1, max_order + 1):
        ngrams = units if order == 1 else [*starmap(zip, shifts)]
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

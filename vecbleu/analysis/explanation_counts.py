"""An explanation's counts: n-grams that are numbered, clipped and added up, order by order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import repeat

import numpy as np

from vecbleu.analysis.explanation import Explanation, NgramCounts, OrderCounts, Tokens
from vecbleu.core.objects import count_segments, ngrams_of, table_of
from vecbleu.core.options import CountOptions, ScoreOptions
from vecbleu.core.records import replace
from vecbleu.core.scoring.formula import shares_of_reached
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.scoring.smoothing import orders_reached
from vecbleu.core.statistics.scores import row_scores
from vecbleu.core.text.spans import UnitError
from vecbleu.core.text.tokens import token_numbers

# Tokens of all n-grams that are listed, at 8 bytes each.
_MOST_LISTED = 1 << 26

# Tokens as numbers: equal tokens, equal numbers.
Numbers = Sequence[int]


def explained(
    units: Sequence[str | Tokens],
    split: Sequence[Tokens],
    counting: CountOptions,
    scoring: ScoreOptions,
    is_text: bool,
) -> Explanation:
    """Count, clip and score a hypothesis, which is the first of the units."""
    tokens, *others = split
    _check_size(len(tokens), counting.max_order)
    numbered = _numbered(split)
    plain, score = _scores(numbered, counting, scoring)
    ref_lens = tuple(map(len, others))
    is_average = counting.ref_length == "average"
    return Explanation(
        hypothesis=units[0],
        references=tuple(units[1:]),
        tokens=tokens,
        reference_tokens=tuple(others),
        orders=_orders(tokens, numbered, plain, score, _weights(score.totals, scoring)),
        hyp_len=score.hyp_len,
        ref_len=score.ref_len,
        ref_lens=ref_lens,
        ref_index=None if is_average else ref_lens.index(int(score.ref_len)),
        brevity_penalty=score.brevity_penalty,
        score=score.score,
        percent=score.percent,
        smoothing=scoring.smoothing,
        smoothing_value=scoring.smoothing_value,
        effective_order=scoring.effective_order,
        signature=counting.signature(is_text, len(others)),
    )


def _check_size(tokens: int, max_order: int) -> None:
    """ValueError if the n-grams of a hypothesis would take gigabytes."""
    orders = range(1, min(max_order, tokens) + 1)
    listed = sum(order * (tokens - order + 1) for order in orders)
    if listed > _MOST_LISTED:
        raise ValueError(
            f"max_order is {max_order}: the n-grams of a hypothesis of {tokens} tokens have "
            f"{listed} tokens, which are too many to be listed; pass a lower max_order"
        )


def _numbered(split: Sequence[Tokens]) -> list[Numbers]:
    """Tokens as numbers, in the order of their first occurrence."""
    try:
        numbers = token_numbers(split)
    except UnitError as error:
        name = f"references[{error.unit - 1}]" if error.unit else "hypothesis"
        raise TypeError(f"{name}: {error}") from None
    return [[numbers[token] for token in tokens] for tokens in split]


def _scores(
    numbered: Sequence[Numbers], counting: CountOptions, scoring: ScoreOptions
) -> tuple[BleuScore, BleuScore]:
    """The score without smoothing, and as it is asked for."""
    (row,) = count_segments([numbered], counting.max_order, counting.ref_length)
    table = table_of(row, counting.max_order, counting.ref_length)
    unsmoothed = replace(scoring, smoothing="none", smoothing_value=None)
    return row_scores(table, unsmoothed)[0], row_scores(table, scoring)[0]


def _orders(
    tokens: Tokens,
    numbered: Sequence[Numbers],
    plain: BleuScore,
    score: BleuScore,
    weights: Sequence[float],
) -> tuple[OrderCounts, ...]:
    """The n-grams of each order, with the precisions before and after smoothing."""
    found = []
    for order, matches in enumerate(score.matches, 1):
        ngrams = _ngrams(tokens, numbered, order, matches > 0) if score.totals[order - 1] else ()
        precisions = plain.precisions[order - 1], score.precisions[order - 1]
        counts = matches, score.totals[order - 1]
        found.append(OrderCounts(order, ngrams, *counts, *precisions, weights[order - 1]))
    return tuple(found)


def _ngrams(
    tokens: Tokens, numbered: Sequence[Numbers], order: int, has_matches: bool
) -> tuple[NgramCounts, ...]:
    """The distinct n-grams of a hypothesis, and how often each reference has them."""
    own, *others = numbered
    positions: dict[Hashable, list[int]] = {}
    for place, ngram in enumerate(ngrams_of(own, order)):
        positions.setdefault(ngram, []).append(place)
    columns = []
    for other in others if has_matches else ():
        counts = Counter(filter(positions.__contains__, ngrams_of(other, order)))
        columns.append([counts[ngram] for ngram in positions])
    rows = zip(*columns, strict=True) if columns else repeat((0,) * len(others))
    found = []
    for places, reference_counts in zip(positions.values(), rows, strict=False):
        shown = tokens[places[0] : places[0] + order]
        most, count = max(reference_counts), len(places)
        clipped = min(count, most)
        found.append(NgramCounts(shown, count, reference_counts, most, clipped, tuple(places)))
    return tuple(found)


def _weights(totals: Sequence[int], options: ScoreOptions) -> tuple[float, ...]:
    """The weight of each order in the score, as it is scaled for the orders that are reached."""
    orders = len(totals)
    reached = orders_reached(np.array(totals), options)
    if options.weights is None:
        used = max(int(reached), 1) if options.effective_order else orders
        return (1 / used,) * used + (0.0,) * (orders - used)
    weights = np.array(options.weights[0])
    if options.effective_order:
        weights = shares_of_reached(weights, reached)
    return (*weights.tolist(), *[0.0] * (orders - len(weights)))

"""BLEU in plain Python: slow, short, and sharing nothing with the library."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

Tokens = Sequence[Hashable]


def ngrams(tokens: Tokens, order: int) -> Counter[Hashable]:
    # Slices of bytes are hashed a hundred times as fast as tuples.
    whole = tokens if isinstance(tokens, bytes) else tuple(tokens)
    return Counter(whole[i : i + order] for i in range(len(whole) - order + 1))


def clipped(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Each n-gram takes one of its copies in the reference that has most of them."""
    most: Counter[Hashable] = Counter()
    for reference in references:
        most |= ngrams(reference, order)
    return (ngrams(hypothesis, order) & most).total()


def ref_len(hypothesis: Tokens, references: Sequence[Tokens], choice: str) -> float:
    lengths = [len(reference) for reference in references]
    if choice == "closest":
        return min(lengths, key=lambda length: (abs(length - len(hypothesis)), length))
    return {"shortest": min, "longest": max}[choice](lengths)


def row(hypothesis: Tokens, references: Sequence[Tokens], max_order: int, choice: str) -> list[Any]:
    orders = range(1, max_order + 1)
    return [
        len(hypothesis),
        ref_len(hypothesis, references, choice),
        *(clipped(hypothesis, references, order) for order in orders),
        *(max(0, len(hypothesis) - order + 1) for order in orders),
    ]


def bleu(row, weights, smoothing, value, effective_order):
    """Papineni et al. (2002), with the smoothing of Chen and Cherry (2014)."""
    orders, precisions, zeros = (len(row) - 2) // 2, [], 0
    hyp_len, reference, matches, totals = row[0], row[1], row[2 : 2 + orders], row[2 + orders :]
    for order, (match, total) in enumerate(zip(matches, totals, strict=True)):
        added = value if smoothing == "add-k" and order else 0
        if not total + added:
            break
        zeros += not match
        rules = {"none": 0, "floor": value, "add-k": 0, "exp": 0.5**zeros, "skip-zero": None}
        counted = match or rules[smoothing]
        precisions.append(None if counted is None else (counted + added) / (total + added))
    if effective_order:
        reached = weights[: len(precisions)]
        weights = [weight * sum(weights) / (sum(reached) or 1.0) for weight in reached]
    precisions += [None if smoothing == "skip-zero" else 0] * orders  # None is left out
    pairs = [one for one in zip(weights, precisions, strict=False) if one[0] and one[1] is not None]
    if not any(matches) or not any(weights) or not all(precision for _, precision in pairs):
        return 0.0
    penalty = 1.0 if hyp_len >= reference else math.exp(1 - reference / hyp_len)
    return penalty * math.exp(sum(weight * math.log(precision) for weight, precision in pairs))

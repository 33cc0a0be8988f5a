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
    found = [ngrams(reference, order) for reference in references]
    own = ngrams(hypothesis, order).items()
    return sum(min(count, max(counts[ngram] for counts in found)) for ngram, count in own)


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


def bleu(row: Sequence[float], weights: Sequence[float]) -> float:
    """Papineni et al. (2002), without smoothing."""
    orders = (len(row) - 2) // 2
    hyp_len, reference, matches, totals = row[0], row[1], row[2 : 2 + orders], row[2 + orders :]
    if not any(matches):
        return 0.0
    total = 0.0
    for weight, match, count in zip(weights, matches, totals, strict=False):
        if weight and not match:
            return 0.0
        total += weight * math.log(match / count) if match else 0.0
    penalty = 1.0 if hyp_len >= reference else math.exp(1 - reference / hyp_len)
    return penalty * math.exp(total)


def counted_parts(score):
    """All that a `BleuScore` is made of, but for its signature."""
    parts = score.to_dict()
    del parts["signature"]
    return parts

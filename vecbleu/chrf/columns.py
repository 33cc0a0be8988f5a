"""Check rows of counts of chrF: n-grams of the hypothesis, of the reference, matches; K times."""

from __future__ import annotations

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.core.counts import refuse, refuse_impossible
from vecbleu.kernel.arrays import Counts

PARTS = "hyp_totals", "ref_totals", "matches"


def orders_of(counts: Counts) -> int:
    """Return the number of orders of counts (..., 3K); ValueError for other widths."""
    width = counts.shape[-1] if counts.ndim else 0
    if not width or width % 3:
        raise ArgumentError(f"has {width} columns", "three for each order")
    return width // 3


def check_possible(counts: Counts, orders: int) -> None:
    """Raise ValueError if no text has such counts (..., 3K) of K orders."""
    columns = 3 * orders
    if counts.shape[-1] != columns:
        found = f"has {counts.shape[-1]} columns but the signature asks for {columns}"
        raise ArgumentError(found, advice="pass ChrfStatistics({argument}, stats.signature)")
    refuse_impossible(counts)
    hyp, ref, match = (counts[..., part::3] for part in range(3))
    refuse(match > np.minimum(hyp, ref), match, "matches", ", which is more than its total")
    refuse((hyp > 0) & (ref == 0), hyp, "hyp_totals", ", but the reference has no n-gram")

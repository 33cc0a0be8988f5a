"""Tests of all pairs as text: a leaderboard for terminals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from vecbleu.core.terminal import escaped_name, table_lines
from vecbleu.significance.tables import probability

if TYPE_CHECKING:
    from vecbleu.significance.results import AllPairs

# Systems up to which each is shown with its p-values against all above; of more, the best alone.
_MOST_COLUMNS = 10

# Of clusters and of what is said about adjusted p-values.
_LEVEL = 0.05


def ranking_lines(found: AllPairs) -> Iterator[str]:
    """Systems from the best down, with clusters and p-values against those above."""
    order = np.argsort(-found.percents, kind="stable").tolist()
    groups, size = found.clusters(_LEVEL), len(order)
    others = order[: size - 1 if size <= _MOST_COLUMNS else 1]
    heads = [f"{rank}" if rank > 1 else "p against 1" for rank in range(1, len(others) + 1)]
    rows = [["", "system", "score", "cluster", *heads]]
    for rank, place in enumerate(order, 1):
        p_values = [
            probability(found.p_values[place, other]) if above < rank else ""
            for above, other in enumerate(others, 1)
        ]
        name = escaped_name(str(found.names[place]))
        score = f"{found.scores[place]:.4f}"
        rows.append([f"{rank}", name, score, f"{groups[place]}", *p_values])
    yield from table_lines(rows, left=(0, 1))
    yield from _too_few_draws(found)


def _too_few_draws(found: AllPairs) -> Iterator[str]:
    """A line where Holm's adjustment lifts even the smallest p-value above the level."""
    pairs = math.comb(len(found.names), 2)
    least = np.nanmin(found.p_values) if pairs else 1.0
    if least < _LEVEL <= least * pairs:
        yield (
            f"no p-value adjusted by Holm is below {_LEVEL:g}: the smallest of {pairs} pairs, "
            f"{least:.4f}, becomes {min(1.0, least * pairs):.4f}; at least "
            f"{math.ceil(pairs / _LEVEL)} draws allow it"
        )

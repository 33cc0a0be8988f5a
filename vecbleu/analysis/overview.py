"""Collect where systems differ most from a baseline, for the report and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vecbleu.analysis.ngrams import NgramDifference, ngram_differences
from vecbleu.analysis.segments import Differences, segment_differences
from vecbleu.core.statistics import Statistics


class Pair(NamedTuple):
    """Where a system and the baseline differ most, largest difference first."""

    baseline: str
    system: str
    gains: list[int]  # segments on which the system is better
    losses: list[int]
    ngrams: list[NgramDifference]

    def ngrams_of(self, kind: str, system: str) -> list[NgramDifference]:
        """Return the n-grams of a kind that one of the two systems has more often."""
        return [row for row in self.ngrams if (row.kind, row.more) == (kind, system)]


def overview(
    tables: Mapping[str, Statistics],
    baseline: str,
    texts: Mapping[str, Sequence[str]],
    references: Any,
    *,
    segments: int,
    ngrams: int,
    kinds: Any = "match",
    min_length: int = 0,
    scoring: Mapping[str, Any] | None = None,
    **counting: Any,
) -> tuple[Differences, list[Pair]]:
    """Compare each system with a baseline; compare the n-grams of the systems with texts.

    List as many `segments` in each direction, of at least `min_length` reference tokens, and as
    many `ngrams` of each kind. `scoring` is for sentence scores, `counting` for n-grams.
    """
    differences = segment_differences(tables, baseline, **(scoring or {}))
    options: Any = counting | {"baseline": baseline, "kinds": kinds, "top": ngrams}
    rows = ngram_differences(texts, references, **options).rows if len(texts) > 1 else ()
    is_long, pairs = tables[baseline].ref_len >= min_length, []
    for system in differences.names:
        if system != baseline:
            both = differences.gains(system), differences.losses(system)
            gains, losses = (better[is_long[better]][:segments].tolist() for better in both)
            shown = [row for row in rows if system in row[1:3]]
            pairs.append(Pair(baseline, system, gains, losses, shown))
    return differences, pairs

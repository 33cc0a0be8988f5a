"""What a report says of whole systems, computed once: scores, tests, groups of segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.analysis import Buckets, Differences, score_buckets, segment_differences
from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import ScoreOptions
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.signature import common
from vecbleu.core.terminal import escaped_name
from vecbleu.report.inputs import Inputs
from vecbleu.sacrebleu.signature import signature_of
from vecbleu.significance import Ranking
from vecbleu.significance.inference import PairedResampling
from vecbleu.significance.resampling import DrawOptions, central_interval

LEVEL = 0.05

# Groups with fewer segments say little about where two systems differ.
_FEWEST_SEGMENTS = 20
_MOST_GROUPS = 200

# Segments that the summary links to.
_MOST_LINES = 8


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReportData:
    """Systems in the order in which they were given, and what they were found to be."""

    names: list[str]  # that can be shown
    segments: int
    references: str
    signature: str
    resamples: int
    scores: list[BleuScore]
    ranking: list[int]  # systems, the best first
    clusters: Int64  # (systems,)
    lower: Float64  # (systems,), 0 to 100, as all that follows
    upper: Float64
    pairs: Ranking
    differences: Float64  # (systems, systems), the row's system minus the column's
    difference_lower: Float64
    difference_upper: Float64
    buckets: list[Buckets]
    sentences: Differences  # sentence BLEU of the systems, and its differences from the best

    @property
    def best(self) -> int:
        """The system with the highest score."""
        return self.ranking[0]

    @property
    def second(self) -> int:
        """The system with the highest score but one."""
        return self.ranking[1]

    def p_value(self, one: int, other: int) -> float:
        """Of the difference of two systems."""
        return float(self.pairs.p_values[one, other])

    @property
    def tied(self) -> list[int]:
        """Systems that are not significantly worse than the best."""
        return [one for one in self.ranking[1:] if self.p_value(self.best, one) >= LEVEL]

    @property
    def best_precisions(self) -> list[float]:
        """The highest precision of each order."""
        columns = zip(*(score.percent_precisions for score in self.scores), strict=True)
        return [max(column) for column in columns]

    def lines(self, sign: int) -> list[int]:
        """Lines on which the second system loses most to the best one, or gains most over it."""
        found = self.sentences.losses if sign > 0 else self.sentences.gains
        lines: list[int] = (found(self.second)[:_MOST_LINES] + 1).tolist()
        return lines

    def where(self) -> list[tuple[Buckets, Place, Place]]:
        """The groups of each kind on which the best gains most and least on the second.

        If it gains on none of them, those on which it loses most and least.
        """
        found = []
        for buckets in self.buckets:
            places = self._places(buckets)
            if places and places[0].difference <= 0:
                places.reverse()
            if len(places) > 1 and places[0].difference:
                found.append((buckets, places[0], places[-1]))
        return found

    def _places(self, buckets: Buckets) -> list[Place]:
        """Groups that are large enough, by falling difference."""
        differences = 100 * (buckets.scores[self.best] - buckets.scores[self.second])
        rows = zip(buckets.labels, buckets.sizes.tolist(), differences.tolist(), strict=True)
        places = [Place(escaped_name(str(label)), size, gain) for label, size, gain in rows]
        large = [place for place in places if place.segments >= _FEWEST_SEGMENTS]
        return sorted(large, key=lambda place: -place.difference)


@dataclass(frozen=True, slots=True, repr=False)
class Place:
    """A group of segments, and by how much one system is better than another on it."""

    label: str
    segments: int
    difference: float


def report_data(inputs: Inputs, options: ScoreOptions, draws: DrawOptions) -> ReportData:
    """Score and test the systems."""
    systems = inputs.systems
    resampling = PairedResampling(systems, draws, options._asdict())
    resampled = resampling.resampled
    assert resampled is not None
    pairs = resampling.rank()
    lower, upper = central_interval(resampled, 0.95)
    difference_lower, difference_upper = _difference_intervals(resampled)
    signature = common((name, one.signature) for name, one in systems.items())
    seed = draws.rng if isinstance(draws.rng, int) else None
    return ReportData(
        [*map(escaped_name, systems)],
        len(next(iter(systems.values()))),
        _references(signature.references),
        f"BLEU|{signature_of(signature, options, bs=draws.count, sides=2, seed=seed)}",
        draws.count,
        [BleuScore.of(row, options, signature) for row in resampling.totals.tolist()],
        pairs.order.tolist(),
        pairs.clusters(LEVEL),
        lower,
        upper,
        pairs,
        100 * pairs.differences,
        difference_lower,
        difference_upper,
        _buckets(inputs, options),
        segment_differences(systems, int(pairs.scores.argmax())),
    )


def _difference_intervals(resampled: Float64) -> tuple[Float64, Float64]:
    """95% intervals of the differences of all pairs (systems, systems), by paired draws."""
    number = resampled.shape[1]
    bounds = np.zeros((2, number, number))
    for one in range(number):
        bounds[:, one] = central_interval(resampled[:, one, None] - resampled, 0.95)
    return bounds[0], bounds[1]


def _references(number: int | str | None) -> str:
    """How many references there are, in words."""
    if number is None or isinstance(number, str):
        return "several references" if number else "references"
    return "1 reference" if number == 1 else f"{number} references"


def _buckets(inputs: Inputs, options: ScoreOptions) -> list[Buckets]:
    """Scores by label, where there are labels, and by the length of the reference."""
    score: dict[str, Any] = {
        "smoothing": options.smoothing,
        "smoothing_value": options.smoothing_value,
    }
    found = [score_buckets(inputs.systems, **score)]
    if inputs.labels is not None and len({*inputs.labels}) <= _MOST_GROUPS:
        found.insert(0, score_buckets(inputs.systems, inputs.labels, **score))
    return found

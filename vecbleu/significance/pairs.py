"""Draw until it is decided, for every pair of systems, whether they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vecbleu.core.count_table import CountTable
from vecbleu.kernel.arrays import Counts, Float, Float64, Mask
from vecbleu.significance.draws import looks, p_bounds, standard_errors
from vecbleu.significance.resampling import Draws, draw_sums
from vecbleu.significance.results import Adjustment, adjusted_p_values

# Which drawn differences are as extreme as the size of the real one, given their rounding errors.
Rule = Callable[[Float, float, float], Mask]
Bounds = tuple[float, float]


@dataclass
class PairTest:
    """A test of two systems, and what was drawn for it."""

    first: int  # indices of systems
    second: int
    difference: float  # of the second system from the first, in percent
    rounding: float  # how far equal differences can be apart
    drawn: Float = field(default_factory=lambda: np.zeros(0))  # such differences (draws,)
    p_value: float = 1.0
    bounds: Sequence[Bounds] = ((1.0, 1.0),)  # of the p-value, and of that of the interval
    is_decided: bool = False

    @property
    def lower(self) -> float:
        """The lowest p-value that the draws and the interval leave possible."""
        return min(lower for lower, _ in self.bounds)

    @property
    def upper(self) -> float:
        """The highest p-value that the draws and the interval leave possible."""
        return max(upper for _, upper in self.bounds)

    def add(self, drawn: Float) -> None:
        """Add differences of resampled corpora."""
        self.drawn = np.concatenate([self.drawn, drawn])

    def estimate(self, is_extreme: Rule, has_interval: bool, errors: tuple[float, float]) -> None:
        """Estimate the p-value, and bounds so many standard errors away."""
        if not self.difference:
            return
        draws = len(self.drawn)
        real = abs(self.difference)
        extreme = int(np.count_nonzero(is_extreme(self.drawn, real, self.rounding)))
        self.p_value = (extreme + 1) / (draws + 1)
        self.bounds = [p_bounds(extreme, draws, errors[0])]
        if has_interval:
            # The interval leaves out 0 if few draws lie beyond it.
            beyond = self.drawn <= 0 if self.difference > 0 else self.drawn >= 0
            lower, upper = p_bounds(int(np.count_nonzero(beyond)), draws, errors[1])
            self.bounds = [*self.bounds, (min(2 * lower, 1.0), min(2 * upper, 1.0))]


def draw_until_decided(
    tests: Sequence[PairTest],
    table: CountTable,
    rows: Sequence[Counts],
    totals: Counts,
    draws: Draws,
    is_extreme: Rule,
    level: float,
    adjust: Adjustment,
    options: Mapping[str, object],
) -> Float:
    """Draw for the tests; return scores of the first look, in percent (systems, draws).

    `table` scores sums of `rows` (systems, segments, columns), which add up to `totals`
    (systems, columns). For randomization, nothing is returned.
    """
    is_bootstrap = draws.test == "bootstrap"
    first_scores: Float = np.zeros((0, 0))
    counts = [draws.n_resamples] if draws.n_resamples else looks(draws.test, len(rows[0]))
    errors = standard_errors(len(counts))
    undecided = list(tests)
    done = 0
    for count in counts:
        systems = sorted({system for test in undecided for system in (test.first, test.second)})
        sums = draw_sums([rows[system] for system in systems], draws, count - done, "drawing")
        if is_bootstrap:
            scores = np.ascontiguousarray(table.resampled_percents(sums, **options).T)
            first_scores = first_scores if done else scores
            drawn = _resampled(undecided, dict(zip(systems, scores, strict=True)))
        else:
            of_systems = dict(zip(systems, sums.swapaxes(0, 1), strict=True))
            drawn = _exchanged(undecided, of_systems, table, totals, options)
        for test, differences in zip(undecided, drawn, strict=True):
            test.add(differences)
            test.estimate(is_extreme, is_bootstrap, errors)
        for test, is_open in zip(tests, _is_open(tests, level, adjust), strict=True):
            test.is_decided |= not is_open
        undecided = [test for test in tests if not test.is_decided]
        if not undecided:
            break
        done = count
    return first_scores


def _resampled(tests: Sequence[PairTest], scores: Mapping[int, Float]) -> Iterator[Float]:
    """Yield differences (draws,) of scores of the same draws."""
    for test in tests:
        yield scores[test.second] - scores[test.first]


def _exchanged(
    tests: Sequence[PairTest],
    sums: Mapping[int, Float64],
    table: CountTable,
    totals: Counts,
    options: Mapping[str, object],
) -> Iterator[Float]:
    """Yield differences (draws,) after two systems have exchanged the drawn segments."""
    for test in tests:
        moved = sums[test.first] - sums[test.second]  # (draws, columns)
        second = table.percents(totals[test.second] + moved, **options)
        yield second - table.percents(totals[test.first] - moved, **options)


def _is_open(tests: Sequence[PairTest], level: float, adjust: Adjustment) -> list[bool]:
    """Return for each test whether a p-value can lie on either side of the level."""
    is_open = np.zeros(len(tests), bool)
    for place in (0, -1):  # each by itself: if both are decided but disagree, no draw helps
        lower, upper = np.transpose([test.bounds[place] for test in tests])
        can_be_below = adjusted_p_values(lower, adjust) < level
        is_open |= can_be_below & (adjusted_p_values(upper, adjust) >= level)
    flags: list[bool] = is_open.tolist()
    return flags

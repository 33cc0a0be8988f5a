"""Resampled corpora: sums of rows of statistics that are drawn at random, and what they show.

The draws are sacreBLEU's, number for number. They are made once for any number of systems: their
rows stand side by side, and how often each segment is drawn, times those rows, gives all sums.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from itertools import chain
from typing import Any, Literal

import numpy as np

from vecbleu.core.arrays import Counts, Float64
from vecbleu.core.checks import checked_integer
from vecbleu.core.memory import keep_freed_memory
from vecbleu.core.options import ScoreOptions
from vecbleu.core.parallel.progress import checked_progress, progress_bar
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics.columns import join_columns
from vecbleu.core.statistics.table import Statistics
from vecbleu.significance.multiple_testing import benjamini_hochberg, holm
from vecbleu.significance.products import Float, exact_float, write_product
from vecbleu.significance.results import AllPairs, Comparison
from vecbleu.significance.systems import sum_systems

Rng = np.random.Generator | int | None
PairedTest = Literal["bootstrap", "randomization"]
Sides = Literal[1, 2]

# sacreBLEU's.
SEED = 12345

# What the draws of a test are called, in arguments and beside progress bars.
UNITS: dict[PairedTest, str] = {"bootstrap": "resamples", "randomization": "trials"}

# Of one test; more do not fit into any memory.
_MAX_DRAWS = 2**31

# Random numbers drawn at a time: half a megabyte.
_NUMBERS_AT_ONCE = 1 << 16

# Draws summed at a time, unless `batch` says how many: of 100,000 rows, one at a time takes 1.3
# times as long, and 2.3 times with eight systems.
_FEWEST_AT_ONCE = 8

# Trials whose scores are computed together.
_TRIALS_AT_ONCE = 1 << 15


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """How many random draws of which test, and from where, as the user passed it."""

    test: PairedTest
    count: Any
    rng: Any
    batch: Any = None
    progress: Any = False
    sides: Sides = 1


def checked_sides(sides: Any) -> Sides:
    """How many tails of the bootstrap are counted, as the user passed it."""
    return 1 if checked_integer(sides, "sides", 1, 2) == 1 else 2


def draw_sums(rows: Counts, options: DrawOptions, task: str | None = None) -> Float64:
    """Check options and sum randomly drawn rows (segments, columns) -> (draws, columns).

    sacreBLEU adds float32, which rounds from 2**24 tokens on; these sums are exact up to 2**53.
    """
    size, unit = len(rows), UNITS[options.test]
    count = checked_integer(options.count, unit, 1, _MAX_DRAWS)
    step = _draws_at_once(size, options)
    draw = _draw_with_replacement if options.test == "bootstrap" else _select_half
    rng = generator(options.rng)
    keep_freed_memory()
    table: Float = rows if rows.dtype.kind == "f" else rows.astype(exact_float([rows]))
    sums = np.empty((count, rows.shape[1]))
    # Written again and again: new memory takes longer.
    times = np.empty((min(step, count), size), table.dtype)
    with progress_bar(checked_progress(options.progress), count, unit, task) as advance:
        for start in range(0, count, step):
            some = times[: count - start]
            draw(rng, some)
            write_product(some, table, sums[start : start + step])
            advance(len(some))
    return sums


def _draws_at_once(size: int, options: DrawOptions) -> int:
    """How many draws are summed together."""
    step = max(_NUMBERS_AT_ONCE // max(size, 1), _FEWEST_AT_ONCE)
    if options.batch is not None:
        step = checked_integer(options.batch, "batch", 1, _MAX_DRAWS)
    if options.test == "bootstrap":
        return step
    # NumPy takes booleans from 32 bits at a time and begins anew with every call.
    multiple = 32 // math.gcd(size, 32)
    return max(step // multiple, 1) * multiple


def side_by_side(systems: Collection[Statistics]) -> Float:
    """Rows of all systems (segments, systems * columns): the one copy of them that is made."""
    first = next(iter(systems))
    width = 2 + 2 * first.max_order
    columns = [(one.hyp_len, one.ref_len, one.matches, one.totals) for one in systems]
    table: Float = np.empty((len(first), len(systems) * width), exact_float(chain(*columns)))
    for place, own in enumerate(columns):
        join_columns(*own, out=table[:, place * width : (place + 1) * width])
    return table


def generator(rng: Any) -> np.random.Generator:
    """The user's generator, or one with a seed, of which 0 is one; None draws a seed."""
    if rng is not None and not isinstance(rng, np.random.Generator):
        rng = checked_integer(rng, "rng", 0, expected=", a numpy.random.Generator or None")
    return np.random.default_rng(rng)


def _draw_with_replacement(rng: np.random.Generator, times: Float) -> None:
    """Write how often each segment is drawn (draws, segments)."""
    size = times.shape[1]
    at_once = max(_NUMBERS_AT_ONCE // max(size, 1), 1)
    for start in range(0, len(times), at_once):
        some = times[start : start + at_once]
        drawn = rng.integers(size, size=some.shape)  # what `choice` gives, which takes 4% longer
        drawn += np.arange(len(some))[:, None] * size
        # `bincount` takes 5% longer: it looks for the largest first, and counts in int64.
        some[:] = 0
        np.add.at(some.reshape(-1), drawn.reshape(-1), some.dtype.type(1))


def _select_half(rng: np.random.Generator, times: Float) -> None:
    """Write 1 for each segment that is selected, with probability 1/2, else 0 (draws, segments)."""
    times[:] = rng.integers(2, size=times.shape, dtype=bool)


def central_interval(scores: Float64, level: float) -> tuple[Float64, Float64]:
    """Bounds (...) of the middle of resampled scores (resamples, ...), by sacreBLEU's rule."""
    n_trimmed = int(len(scores) * (1 - Decimal(repr(level))) / 2)  # at either end
    ranked = np.sort(scores, axis=0)
    return ranked[n_trimmed], ranked[len(ranked) - n_trimmed - 1]


class PairedResampling:
    """Scores of systems, and what the same random draws make of each of them."""

    def __init__(
        self, systems: Mapping[str, Statistics], options: ScoreOptions, draws: DrawOptions
    ) -> None:
        self.names, self.options, self.draws = tuple(systems), options, draws
        self.totals = sum_systems(systems).to_array()  # (systems, columns)
        self.scores, self.percents = bleu_and_percent(self.totals, options)  # (systems,)
        sums = draw_sums(side_by_side(systems.values()), draws, "drawing")
        self.sums = sums.reshape(-1, *self.totals.shape)  # (draws, systems, columns)
        # Scores of the bootstrap (draws, systems); exchanged segments have others for each pair.
        is_bootstrap = draws.test == "bootstrap"
        self.resampled = bleu_and_percent(self.sums, options)[1] if is_bootstrap else None

    def compare(self, baseline: int) -> Comparison:
        """Test all systems against one."""
        p_values = self._p_values([(baseline, other) for other in range(len(self.names))])
        differences = (self.percents - self.percents[baseline]) / 100
        tested = self.names, baseline, self.scores, self.percents, differences, *p_values
        if self.resampled is None:
            return Comparison(*tested)
        lower, upper = central_interval(self.resampled, 0.95)
        return Comparison(*tested, self.resampled.mean(axis=0) / 100, lower / 100, upper / 100)

    def compare_all(self) -> AllPairs:
        """Test each pair once."""
        number = len(self.names)
        pairs = np.triu_indices(number, 1)
        matrices = np.full((3, number, number), np.nan)
        for matrix, values in zip(matrices, self._p_values(np.transpose(pairs)), strict=True):
            matrix[pairs] = matrix.T[pairs] = values
        differences = (self.percents[:, None] - self.percents) / 100
        return AllPairs(self.names, self.scores, self.percents, differences, *matrices)

    def _p_values(self, pairs: Collection[Iterable[int]]) -> tuple[Float64, Float64, Float64]:
        """P-values of pairs of systems (pairs,), and adjusted ones; NaN for one with itself."""
        number = len(self.sums)
        p_values = np.ones(len(pairs))  # of systems whose scores are equal
        steps, unit = len(pairs) * number, UNITS[self.draws.test]
        with progress_bar(self.draws.progress, steps, unit, "comparing") as advance:
            for place, (one, other) in enumerate(pairs):
                real = abs(self.percents[other] - self.percents[one])
                if one == other:
                    p_values[place] = np.nan
                elif real > 0:
                    p_values[place] = (self._count_larger(one, other, real) + 1) / (number + 1)
                advance(number)
        return p_values, holm(p_values), benjamini_hochberg(p_values)

    def _count_larger(self, one: int, other: int, real: float) -> int:
        """How many draws differ by more under the null hypothesis than two systems really do."""
        if self.resampled is None:
            return int(np.count_nonzero(self._exchanged_differences(one, other) > real))
        drawn = self.resampled[:, other] - self.resampled[:, one]
        if self.draws.sides == 2:
            return int(np.count_nonzero(abs(drawn - drawn.mean()) >= real))
        np.absolute(drawn, out=drawn)
        drawn -= drawn.mean()
        return int(np.count_nonzero(drawn > real))

    def _exchanged_differences(self, one: int, other: int) -> Float64:
        """Differences of two systems' scores where segments are exchanged (draws,)."""
        drawn: Float64 = np.empty(len(self.sums))
        for start in range(0, len(drawn), _TRIALS_AT_ONCE):
            trials = slice(start, start + _TRIALS_AT_ONCE)
            exchanged = self.sums[trials, one] - self.sums[trials, other]  # (trials, columns)
            _, ones = bleu_and_percent(self.totals[other] + exchanged, self.options)
            _, others = bleu_and_percent(self.totals[one] - exchanged, self.options)
            drawn[trials] = abs(ones - others)
        return drawn

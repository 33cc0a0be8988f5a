"""Random draws, the same for all systems, and the p-values that follow from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from vecbleu.progress import Advance, checked_progress, watched
from vecbleu.scores import array_bleu
from vecbleu.significance.adjusting import benjamini_hochberg, holm
from vecbleu.significance.comparisons import AllPairs, Comparison
from vecbleu.significance.intervals import bounds, places_outside
from vecbleu.significance.resampling import bootstrap_sums, generator, selection_sums
from vecbleu.significance.scoring import (
    Floats,
    ScoreOptions,
    Systems,
    checked_count,
    formula_of,
    percents,
    tables_of,
    total_of,
)

Test = Literal["bootstrap", "randomization"]

# Scores of shuffled pairs computed together.
_SHUFFLED = 1 << 16


class Draws:
    """Systems and what the random draws, the same for all, make of them."""

    def __init__(
        self,
        test: Test,
        systems: Systems,
        count: int,
        rng: Any,
        batch: int | None,
        progress: bool | None,
        options: ScoreOptions,
    ) -> None:
        self.test = test
        self.names, tables = tables_of(systems)  # (segments, systems, columns)
        size, number, columns = tables.shape
        self.unit = "resamples" if test == "bootstrap" else "trials"
        count = checked_count(count, self.unit)
        batch = None if batch is None else checked_count(batch, "batch")
        self.formula = formula_of(columns // 2 - 1, options)
        by_system = np.moveaxis(tables, 1, 0)
        self.totals = np.stack([*map(total_of, by_system)])  # (systems, columns)
        self.percents = percents(self.totals, self.formula)  # (systems,)
        self.scores = array_bleu(self.totals, self.formula)
        draw = bootstrap_sums if test == "bootstrap" else selection_sums
        self.progress = checked_progress(progress)
        with watched(progress, count, self.unit, "drawing") as advance:
            sums = draw(tables.reshape(size, -1), count, generator(rng), batch, advance)
        self.sums = sums.reshape(count, number, columns)
        # Of the bootstrap; shuffled systems are other ones for each pair.
        self.resampled = percents(self.sums, self.formula) if test == "bootstrap" else np.empty(0)

    def place(self, baseline: int | str) -> int:
        """The baseline's number."""
        if isinstance(baseline, str):
            if baseline not in self.names:
                raise ValueError(f"baseline is {baseline!r}, expected one of {self.names}")
            return self.names.index(baseline)
        if not isinstance(baseline, (int, np.integer)) or isinstance(baseline, bool):
            raise TypeError(f"baseline is {baseline!r}, expected a name or a number")
        if not 0 <= baseline < len(self.names):
            raise ValueError(f"baseline is {baseline} but there are {len(self.names)} systems")
        return int(baseline)

    def compare(self, baseline: int) -> Comparison:
        """All systems against one."""
        with watched(self.progress, len(self.sums), self.unit, "comparing") as advance:
            p_values = self._p_values(baseline, slice(None), advance)
        p_values[baseline] = np.nan
        adjusted = holm(p_values), benjamini_hochberg(p_values)
        differences = (self.percents - self.percents[baseline]) / 100
        result = self.names, baseline, self.scores, self.percents, differences, p_values, *adjusted
        if self.test == "randomization":
            return Comparison(*result)
        limits = bounds(self.resampled, places_outside(len(self.resampled), 0.95))
        lower, upper = (limit / 100 for limit in limits)
        return Comparison(*result, self.resampled.mean(axis=0) / 100, lower, upper)

    def compare_all(self) -> AllPairs:
        """Each pair once."""
        number = len(self.names)
        pairs = np.triu_indices(number, 1)
        steps = number * len(self.sums)
        with watched(self.progress, steps, self.unit, "comparing") as advance:
            found = [
                self._p_values(place, slice(place + 1, None), advance) for place in range(number)
            ]
        p_values = np.concatenate(found)
        matrices = []
        for values in (p_values, holm(p_values), benjamini_hochberg(p_values)):
            matrix = np.full((number, number), np.nan)
            matrix[pairs] = matrix.T[pairs] = values
            matrices.append(matrix)
        differences = (self.percents[:, None] - self.percents) / 100
        return AllPairs(self.names, self.scores, self.percents, differences, *matrices)

    def _p_values(self, baseline: int, others: slice, advance: Advance) -> Floats:
        """Of some systems' differences from one (systems,)."""
        real = abs(self.percents[others] - self.percents[baseline])
        if self.test == "bootstrap":
            drawn = abs(self.resampled[:, others] - self.resampled[:, [baseline]])
            more = (drawn - drawn.mean(axis=0) > real).sum(axis=0)
            advance(len(drawn))
        else:
            more = np.zeros(len(real), np.int64)
            for drawn in self._shuffled(baseline, others):
                more += (drawn > real).sum(axis=0)
                advance(len(drawn))
        p_values: Floats = (more + 1) / (len(self.sums) + 1)
        p_values[real == 0] = 1.0
        return p_values

    def _shuffled(self, baseline: int, others: slice) -> Iterator[Floats]:
        """Differences of the shuffled systems, some trials at a time (trials, systems)."""
        step = max(1, _SHUFFLED // len(self.names))
        for start in range(0, len(self.sums), step):
            taken = self.sums[start : start + step]
            exchanged = taken[:, [baseline]] - taken[:, others]  # (trials, systems, columns)
            one = percents(self.totals[others] + exchanged, self.formula)
            other = percents(self.totals[baseline] - exchanged, self.formula)
            yield abs(one - other)

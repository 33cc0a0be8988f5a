"""Test the means of any scores of segments, such as those of COMET."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError
from vecbleu.core.count_table import CountTable
from vecbleu.core.score import Score
from vecbleu.core.signature import UNKNOWN, Signature
from vecbleu.kernel.arrays import Counts, Float64


class Mean(Score):
    """Mean of scores of segments."""

    @property
    def signature(self) -> Signature:
        """No options are known."""
        return UNKNOWN


class SegmentScores(CountTable):
    """Scores of segments, each with a 1 beside it: sums of rows are a sum and its size."""

    metric: ClassVar[str] = "score"

    def sum(self) -> Self:
        """Return the sum of the scores, and their number."""
        if self.is_sum:
            return self
        total: Any = np.array([self._array[:, 0].sum(), len(self)])
        return self.of(total, UNKNOWN)

    def score(self, **options: object) -> Mean:
        """Return the mean."""
        return Mean(float(self.percents(self.sum().array, **options)) / 100)

    def percents(self, counts: Counts, **options: object) -> npt.NDArray[Any]:
        """Return the means, times 100, of sums (..., 2)."""
        for name in options:
            raise ArgumentError("is for statistics; one's own scores take none", argument=name)
        means: Float64 = 100 * (counts[..., 0] / counts[..., 1])
        return means


class SegmentErrors(SegmentScores):
    """Scores of segments of which a lower one is better."""

    higher_is_better: ClassVar[bool] = False


def is_scores(system: Any) -> bool:
    """Return whether a system is one number a segment, and no statistics."""
    return not isinstance(system, CountTable) and np.ndim(system) == 1 and len(system) > 0


def mean_table(scores: npt.ArrayLike, higher_is_better: bool) -> CountTable:
    """Return a table of scores (segments,)."""
    values = np.asarray(scores)
    if values.dtype.kind not in "fiu":
        raise ArgumentTypeError(f"holds {values.dtype}", "one number a segment")
    unknown = np.flatnonzero(~np.isfinite(values))
    if unknown.size:
        index = int(unknown[0])
        raise ArgumentError(f"is {values[index]}", "a finite number", index=(index,))
    rows: Any = np.column_stack([values, np.ones(len(values))])
    return (SegmentScores if higher_is_better else SegmentErrors).of(rows, UNKNOWN)

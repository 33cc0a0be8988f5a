"""The orders in which the units of a block are packed."""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.records import dataclass


@dataclass(frozen=True, slots=True)
class BySegment:
    """Each hypothesis precedes its references."""

    segments: Int64  # (segments + 1,), offsets into the units

    def __len__(self) -> int:
        return len(self.segments) - 1

    def locate(self, unit: int) -> tuple[int, int]:
        """Number of a unit's segment, and its place among the references, -1 the hypothesis."""
        segment = int(np.searchsorted(self.segments, unit, side="right")) - 1
        return segment, unit - int(self.segments[segment]) - 1

    def by_segment(self, ids: Ragged) -> tuple[Ragged, Int64]:
        """Nothing is to be done."""
        return ids, self.segments


@dataclass(frozen=True, slots=True)
class HypothesesFirst:
    """All hypotheses precede all references."""

    reference_offsets: Int64  # (segments + 1,), into the references

    def __len__(self) -> int:
        return len(self.reference_offsets) - 1

    def locate(self, unit: int) -> tuple[int, int]:
        """Number of a unit's segment, and its place among the references, -1 the hypothesis."""
        reference = unit - len(self)
        if reference < 0:
            return unit, -1
        segment = int(np.searchsorted(self.reference_offsets, reference, side="right")) - 1
        return segment, reference - int(self.reference_offsets[segment])

    def by_segment(self, ids: Ragged) -> tuple[Ragged, Int64]:
        """Put each hypothesis before its references."""
        segments = self.reference_offsets + np.arange(len(self) + 1)
        is_reference = np.ones(segments[-1], bool)
        is_reference[segments[:-1]] = False
        order = np.empty(segments[-1], np.int64)  # `np.insert` takes four times as long for few
        order[segments[:-1]] = np.arange(len(self))
        order[is_reference] = np.arange(len(self), segments[-1])
        return ids.take(order), segments


@dataclass(frozen=True, slots=True)
class ColumnByColumn:
    """All lines of the first system, of the next one, and then of each stream of references.

    Each line of each system is a segment: those of the first system precede those of the second.
    """

    lines: int
    systems: int
    references: int

    def by_segment(self, ids: Ragged) -> tuple[Ragged, Int64]:
        """Put each line of a system before the same lines of the references."""
        references = range(self.systems, self.systems + self.references)
        columns = np.array([[system, *references] for system in range(self.systems)])
        order = columns[:, None, :] * self.lines + np.arange(self.lines)[:, None]
        segments = np.arange(self.systems * self.lines + 1) * (1 + self.references)
        return ids.take(order.reshape(-1)), segments

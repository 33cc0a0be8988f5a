"""Define blocks: segments as arrays, which any process can count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.errors import Place
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import lengths_of
from vecbleu.text.references import UNKNOWN_REFERENCES, reference_hashes
from vecbleu.text.tokens import JoinedTokens, UnitKind


class Block(NamedTuple):
    """Segments as arrays, which any process can count.

    Units are hypotheses and references; a reference may belong to several hypotheses.
    """

    units: Any  # text, tokens as lines, ids, or what a metric has made of these
    segments: Int64  # (segments + 1,), offsets into the ordered units
    size: int  # what the block adds to a progress bar
    # Where units are, each hypothesis right before its references; None if they are in that order.
    places: Int64 | None = None  # indices of units
    kind: UnitKind = UnitKind.TEXT
    reference_hashes: Int64 | None = None  # (segments,), if they are known
    # Returns where a unit is, given its index. It stays in the process that made the block.
    locate: Callable[[int], Place] = lambda unit: ("", unit)

    def with_hashes(self) -> tuple[Block, Int64]:
        """Return the block, and the hash of each segment's references."""
        units = self.units.ids() if isinstance(self.units, JoinedTokens) else self.units
        hashes = self.reference_hashes
        if hashes is None:
            hashes = self._reference_hashes(units)
        return self._replace(units=units), hashes

    def pairs(self) -> Int64 | None:
        """Return each hypothesis and reference in turn (2P,); None if units are such pairs."""
        references = lengths_of(self.segments) - 1
        if (references == 1).all():
            return self.places
        hyps = np.repeat(self.segments[:-1], references)
        refs = np.delete(np.arange(self.segments[-1]), self.segments[:-1])
        pairs: Int64 = np.column_stack([hyps, refs]).reshape(-1)
        return pairs if self.places is None else self.places[pairs]

    def _reference_hashes(self, units: Any) -> Int64:
        """Hash the references of each segment; unknown if one has none, or tokens are numbered."""
        counts = lengths_of(self.segments) - 1
        if self.kind == UnitKind.NUMBERED or not counts.all():
            return np.full(len(counts), UNKNOWN_REFERENCES)
        references = self.segments[:-1] + 1
        if len(counts) < counts.sum():  # some segments have several
            references = np.delete(np.arange(self.segments[-1]), self.segments[:-1])
        if self.places is not None:
            references = self.places[references]
        return reference_hashes(units, references, counts, self.kind)

    def __reduce__(self) -> tuple[object, ...]:
        return Block, self[:-1]


class WorkEstimate(NamedTuple):
    """Estimated work, to choose the number of processes and to scale the progress bar."""

    tokens: float
    total: int  # sum of `Block.size` over all blocks; 0 if unknown
    unit: str
    can_be_sent: bool = True  # False if what they are compared with is too large

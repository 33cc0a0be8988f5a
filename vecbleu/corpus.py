"""Aligned segments of one kind, in the order of units, and their cutting into blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Literal

import numpy as np

from vecbleu.ragged import Int64, Ragged, offsets_of

Kind = Literal["text", "tokens", "ids"]

# Characters or tokens (both sides together) that make a block. Within a factor of 2 around these
# the time does not change; smaller blocks pay NumPy's overhead, larger ones leave the cache.
_BLOCK_SIZES: dict[Kind, int] = {"text": 1 << 19, "tokens": 1 << 17, "ids": 1 << 17}


@dataclass(frozen=True, slots=True)
class Corpus:
    """Segments as units: each hypothesis followed by its references.

    Units are strings (kind "text"), token sequences ("tokens") or a `Ragged` ("ids").
    """

    kind: Kind
    units: Sequence[Any] | Ragged
    segments: Int64  # (segments + 1,), offsets into the units
    first: int = 0  # number of the first segment, where this is a block of a corpus
    offsets: Int64 | None = None  # (units + 1,) into the tokens or characters of a block

    def __len__(self) -> int:
        return len(self.segments) - 1

    def blocks(self) -> Iterator[Corpus]:
        """Cut at segment boundaries into parts of about the size of a block."""
        sizes = (
            self.units.lengths
            if isinstance(self.units, Ragged)
            else np.fromiter(map(len, self.units), np.int64, len(self.units))
        )
        offsets = offsets_of(sizes)
        size = offsets[self.segments]  # (segments + 1,), up to each segment
        steps = np.arange(_BLOCK_SIZES[self.kind], size[-1], _BLOCK_SIZES[self.kind])
        cuts = {0, *np.searchsorted(size[:-1], steps).tolist(), len(self)}
        for start, stop in pairwise(sorted(cuts)):
            segments = self.segments[start : stop + 1]
            first, last = segments[0], segments[-1]
            own = offsets[first : last + 1] - offsets[first]
            place = self.first + start
            yield Corpus(self.kind, self.units[first:last], segments - first, place, own)

    def locate(self, unit: int) -> str:
        """Name a unit as the user knows it, for an error."""
        segment = int(np.searchsorted(self.segments, unit, side="right")) - 1
        reference = unit - int(self.segments[segment]) - 1
        if reference < 0:
            return f"hypotheses[{self.first + segment}]"
        return f"references[{self.first + segment}], reference {reference}"


def segments_of(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> Corpus:
    """Align token sequences; where all are integer arrays, as ids."""
    units, segments = interleave(hypotheses, references)
    if units and all(map(_is_id_array, units)):
        return Corpus("ids", Ragged.from_arrays(units), segments)
    return Corpus("tokens", units, segments)


def interleave(
    hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]
) -> tuple[list[Any], Int64]:
    """Put units in the order of segments; the segments' offsets (segments + 1,)."""
    counts = np.fromiter(map(len, references), np.int64, len(references))
    segments = offsets_of(counts + 1)
    if not (counts == 1).all():
        pairs = zip(hypotheses, references, strict=True)
        return [unit for hypothesis, refs in pairs for unit in (hypothesis, *refs)], segments
    units: list[Any] = [None] * (2 * len(hypotheses))
    units[0::2], units[1::2] = hypotheses, chain.from_iterable(references)
    return units, segments


def _is_id_array(value: Any) -> bool:
    """Whether a value is a row of ids; what int64 may not hold is interned token by token."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 1
        and value.dtype.kind in "iu"
        and (value.dtype != np.uint64 or value.max(initial=0) < 2**63)
    )

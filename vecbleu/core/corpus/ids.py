"""Token ids as integer arrays."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, ClassVar

import numpy as np

from vecbleu.core.arrays import Int64, Mask, as_index
from vecbleu.core.corpus import sizes
from vecbleu.core.corpus.blocks import NameUnit, SegmentBlock, Units, WorkEstimate, name_unit
from vecbleu.core.corpus.layouts import BySegment, HypothesesFirst
from vecbleu.core.corpus.lists import TokenCorpus
from vecbleu.core.corpus.references import References
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.core.options import NO_SPECIAL_IDS, CountOptions, SpecialIds
from vecbleu.core.records import dataclass
from vecbleu.core.text.tokens import hashed


@dataclass(frozen=True, slots=True)
class NumberUnits:
    """Rows of ids as the user has them."""

    numbers: Ragged

    def ids(self) -> Ragged:
        """Hash the ids."""
        return Ragged(hashed(np.ascontiguousarray(self.numbers.values)), self.numbers.offsets)


@dataclass(frozen=True, slots=True, eq=False)
class IdBlock(SegmentBlock):
    """Each hypothesis followed by its references, as ids."""

    numbers: Ragged
    corpus: IdCorpus

    def name(self, segment: int, reference: int) -> str:
        """What the user calls a unit."""
        return self.corpus.name(segment, reference)

    def units(self, options: CountOptions) -> Units:
        """Take the ids as they are."""
        return NumberUnits(self.numbers)


@dataclass(frozen=True, slots=True)
class IdCorpus:
    """Hypotheses, and the references of all of them one after the other."""

    is_text: ClassVar[bool] = False

    hypotheses: Ragged
    references: Ragged
    reference_offsets: Int64  # (segments + 1,), into the references
    special_ids: SpecialIds = NO_SPECIAL_IDS
    name: NameUnit = name_unit

    def __len__(self) -> int:
        return len(self.hypotheses)

    def estimate(self) -> WorkEstimate:
        """How much there is to count."""
        ids = len(self.hypotheses.values) + len(self.references.values)
        return WorkEstimate(self._share_kept() * ids, len(self), "segments")

    def _share_kept(self) -> float:
        """About which part of the ids are tokens, by some hypotheses; above 0."""
        if not self.special_ids:
            return 1.0
        some = self.hypotheses[:: max(1, len(self) // sizes.SAMPLE)]
        kept = np.count_nonzero(_is_token(some, self.special_ids))
        return (1 + kept) / (1 + len(some.values))

    def blocks(self) -> Generator[IdBlock]:
        """Put units in order, and take special ids out, block by block in the cache."""
        ends = self.hypotheses.offsets + self.references.offsets[self.reference_offsets]
        for start, stop in cuts(ends, sizes.BLOCK_TOKENS / self._share_kept()):
            offsets = self.reference_offsets[start : stop + 1]
            sides = self.hypotheses[start:stop], self.references[offsets[0] : offsets[-1]]
            both = Ragged.concatenate([_tokens(side, self.special_ids) for side in sides])
            numbers, segments = HypothesesFirst(offsets - offsets[0]).by_segment(both)
            yield IdBlock(start, BySegment(segments), numbers, self)


def _is_token(units: Ragged, special_ids: SpecialIds) -> Mask:
    """Which of the ids count (ids,)."""
    keep = np.ones(len(units.values), bool)
    for ignored in special_ids.ignore_ids:  # `np.isin` takes 40 us more for a few, the usual case
        keep &= units.values != ignored
    if special_ids.eos_ids:
        ends = np.isin(units.values, special_ids.eos_ids)
        before = offsets_of(ends)  # (ids + 1,), ends before each id, in all units
        keep &= before[1:] == np.repeat(before[units.offsets[:-1]], as_index(units.lengths))
    return keep


def _tokens(units: Ragged, special_ids: SpecialIds) -> Ragged:
    """The units less every id that does not count."""
    if not special_ids:
        return units
    keep = _is_token(units, special_ids)
    return Ragged(units.values[keep], offsets_of(keep)[units.offsets])


def sequence_corpus(hypotheses: Sequence[Any], references: References) -> TokenCorpus | IdCorpus:
    """Align token sequences; where all are integer arrays, as ids."""
    if len(hypotheses) and all(map(is_id_row, hypotheses)):
        flat = references.end_to_end()
        if all(map(is_id_row, flat)):
            sides = Ragged.from_arrays(hypotheses), Ragged.from_arrays(flat)
            return IdCorpus(*sides, references.offsets())
    return TokenCorpus(hypotheses, references)


def is_id_row(value: Any) -> bool:
    """Whether a value is a row of ids; what int64 may not hold is a sequence of hashable tokens."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 1
        and value.dtype.kind in "iu"
        and (value.dtype != np.uint64 or value.max(initial=0) < 2**63)
    )

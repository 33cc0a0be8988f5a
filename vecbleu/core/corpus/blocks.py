"""The protocols between what users pass and the kernel: corpora yield blocks, blocks are packed.

A corpus yields blocks of aligned segments. A block packs its Python objects into arrays in the
caller's process. Packed blocks are small and picklable, and any process turns them into ids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import Literal, Protocol

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus.counting import count_units
from vecbleu.core.corpus.layouts import BySegment, HypothesesFirst
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import CountOptions, RefLength
from vecbleu.core.records import dataclass
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers import Tokenizer

# What the user calls a unit: by its segment and its place among the references, -1 the hypothesis.
NameUnit = Callable[[int, int], str]


class Units(Protocol):
    """Hypotheses and references as arrays."""

    def ids(self) -> Ragged:
        """The ids of each unit's tokens."""


class Layout(Protocol):
    """The order in which units are packed."""

    def by_segment(self, ids: Ragged) -> tuple[Ragged, Int64]:
        """Units in which each hypothesis precedes its references; offsets (segments + 1,)."""


class Packed(Protocol):
    """A block as arrays, for any process."""

    def rows(self, max_order: int, ref_length: RefLength) -> Int64:
        """Count it."""


@dataclass(frozen=True, slots=True)
class PackedSegments:
    """Hypotheses and the references of each."""

    units: Units
    layout: Layout

    def rows(self, max_order: int, ref_length: RefLength) -> Int64:
        """Count what each hypothesis has in common with its references."""
        return count_units(*self.by_segment(), max_order, ref_length)

    def by_segment(self) -> tuple[Ragged, Int64]:
        """Ids of each hypothesis followed by its references; offsets (segments + 1,) into them."""
        return self.layout.by_segment(self.units.ids())


class Block(Protocol):
    """Some segments in a row."""

    @property
    def size(self) -> int:
        """How far a progress bar moves."""

    def locate(self, unit: int) -> str:
        """Name a unit, in the order of packing, as the user knows it."""

    def pack(self, options: CountOptions) -> Packed:
        """Make arrays of it."""


# Which processes may count: what holds ids can't go where others are hashed with another seed, and
# what holds many should not go anywhere.
Reach = Literal["any process", "workers", "this process"]


@dataclass(frozen=True, slots=True)
class WorkEstimate:
    """An estimate of the work, for the number of processes and the progress bar."""

    tokens: float
    total: int  # of the sizes of all blocks; 0 if that is not known
    unit: str
    reach: Reach = "any process"


class Corpus(Protocol):
    """Aligned segments of one kind."""

    @property
    def is_text(self) -> bool:
        """Whether it is tokenized here."""

    def estimate(self) -> WorkEstimate:
        """How much there is to count."""

    def blocks(self) -> Generator[Block]:
        """All segments, in order."""


@dataclass(frozen=True, slots=True)
class TextUnits:
    """Segments of text, and what tokenizes them."""

    text: Text
    tokenize: Tokenizer
    lowercase: bool

    def ids(self) -> Ragged:
        """Tokenize, and hash the tokens."""
        return self.tokenize.ids(self.text.lower() if self.lowercase else self.text)


@dataclass(frozen=True, slots=True)
class IdUnits:
    """Units whose tokens are hashed."""

    hashed: Ragged

    def ids(self) -> Ragged:
        """The ids as they are."""
        return self.hashed


def text_units(text: Text, options: CountOptions) -> Units:
    """Units of text, tokenized here where the tokenizer can't go to other processes."""
    units = TextUnits(text, options.tokenize, options.lowercase)
    return units if options.tokenize.is_portable else IdUnits(units.ids())


@dataclass(frozen=True, slots=True, eq=False)
class SegmentBlock(ABC):
    """Segments that are in memory."""

    first: int  # number of the first segment
    layout: BySegment | HypothesesFirst

    @property
    def size(self) -> int:
        """Number of segments."""
        return len(self.layout)

    def name(self, segment: int, reference: int) -> str:
        """What the user calls a unit: by its segment and its place among the references."""
        return name_unit(segment, reference)

    def locate(self, unit: int) -> str:
        """Name a unit as the user knows it."""
        segment, reference = self.layout.locate(unit)
        return self.name(self.first + segment, reference)

    def pack(self, options: CountOptions) -> PackedSegments:
        """Encode the units."""
        return PackedSegments(self.units(options), self.layout)

    @abstractmethod
    def units(self, options: CountOptions) -> Units:
        """The units as arrays."""


def name_unit(segment: int, reference: int) -> str:
    """Name a unit where references are given segment by segment."""
    if reference < 0:
        return f"hypotheses[{segment}]"
    return f"references[{segment}], reference {reference}"

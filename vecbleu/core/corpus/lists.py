"""Lists of Python objects: strings, or token sequences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any, ClassVar

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import sizes
from vecbleu.core.corpus.blocks import (
    IdUnits,
    NameUnit,
    SegmentBlock,
    Units,
    WorkEstimate,
    name_unit,
    text_units,
)
from vecbleu.core.corpus.layouts import BySegment
from vecbleu.core.corpus.references import References, some_segments
from vecbleu.core.kernel.ragged import cuts, offsets_of, row_offsets
from vecbleu.core.options import CountOptions
from vecbleu.core.records import dataclass
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokens import joined_tokens, token_ids


@dataclass(frozen=True, slots=True, eq=False)
class ListBlock(SegmentBlock):
    """Each hypothesis followed by its references, as Python objects."""

    objects: Sequence[Any]
    offsets: Int64  # (units + 1,) into the tokens or characters
    corpus: ListCorpus

    def name(self, segment: int, reference: int) -> str:
        """What the user calls a unit."""
        return self.corpus.name(segment, reference)

    def units(self, options: CountOptions) -> Units:
        """Encode the objects."""
        return self.corpus.encode(self.objects, self.offsets, options)


@dataclass(frozen=True, slots=True)
class ListCorpus(ABC):
    """Hypotheses, and a sequence of references for each."""

    is_text: ClassVar[bool]  # then the length of a unit is in characters, else in tokens

    hypotheses: Sequence[Any]
    references: References
    name: NameUnit = name_unit

    def __len__(self) -> int:
        return len(self.hypotheses)

    @abstractmethod
    def encode(self, objects: Sequence[Any], offsets: Int64, options: CountOptions) -> Units:
        """Make arrays of units, whose lengths add up to offsets (units + 1,)."""

    @property
    def block_size(self) -> int:
        """Lengths of units that make a block."""
        return sizes.BLOCK_CHARACTERS if self.is_text else sizes.BLOCK_TOKENS

    def estimate(self) -> WorkEstimate:
        """How much there is to count, by some of the hypotheses."""
        some = self.hypotheses[:: max(1, len(self) // sizes.SAMPLE)]
        mean = sum(map(len, some)) / max(1, len(some))
        tokens = mean / sizes.CHARACTERS_A_TOKEN if self.is_text else mean
        units = len(self) * (1 + self.references.each())
        return WorkEstimate(units * tokens, len(self), "segments")

    def blocks(self) -> Generator[ListBlock]:
        """Put units in order, about as many at a time as make a block.

        Python's lists and strings lie scattered in memory, and the first look at each costs 100 ns
        or more; what is done to them while they are in the cache takes three fifths of the time
        that it takes in passes over the whole corpus.
        """
        start, count, size = 0, sizes.FIRST_SEGMENTS, len(self)
        while start < size:
            some = slice(start, min(start + count, size))
            hypotheses = some_segments(self.hypotheses, some, "hypotheses")
            objects, counts = self.references.follow(hypotheses, some)
            offsets = row_offsets(objects)
            yield from self.cut(start, objects, offsets_of(counts + 1), offsets)
            start = some.stop
            fitting = count * self.block_size // max(int(offsets[-1]), 1)
            count = max(1, min(fitting, 4 * count))

    def cut(
        self, first: int, objects: Sequence[Any], segments: Int64, offsets: Int64
    ) -> Generator[ListBlock]:
        """Cut units at segment boundaries into blocks of about one size."""
        for start, stop in cuts(offsets[segments], self.block_size):
            own = segments[start : stop + 1]
            low, high = own[0], own[-1]
            within = offsets[low : high + 1] - offsets[low]
            yield ListBlock(first + start, BySegment(own - low), objects[low:high], within, self)


class TextCorpus(ListCorpus):
    """Strings."""

    __slots__ = ()

    is_text = True

    def sample(self) -> Sequence[str]:
        """Return the first hypotheses."""
        return self.hypotheses[:100]

    def encode(self, objects: Sequence[Any], offsets: Int64, options: CountOptions) -> Units:
        """Encode strings."""
        return text_units(Text.from_strings(objects), options)


class TokenCorpus(ListCorpus):
    """Sequences of hashable tokens."""

    __slots__ = ()

    is_text = False

    def encode(self, objects: Sequence[Any], offsets: Int64, options: CountOptions) -> Units:
        """Encode tokens that are strings, and number others."""
        joined = joined_tokens(objects, offsets)
        return IdUnits(token_ids(objects, offsets)) if joined is None else joined

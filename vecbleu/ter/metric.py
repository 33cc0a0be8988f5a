"""TER as a metric: how its options count segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from vecbleu.arguments.options import OptionGroup
from vecbleu.core.block import Block
from vecbleu.core.corpus import grouped
from vecbleu.core.signature import Signature
from vecbleu.kernel.arrays import Int64
from vecbleu.ter.arrays import ter_rows
from vecbleu.ter.columns import COLUMNS
from vecbleu.ter.options import TerOptions
from vecbleu.ter.plain import count_segments
from vecbleu.ter.results import TerStatistics
from vecbleu.ter.tokenizer import tercom_ids

# Below so many characters, plain Python is faster.
_MOST_PLAIN = 8000


@dataclass(frozen=True)
class Ter:
    """TER with its options."""

    options: TerOptions
    table: ClassVar[type[TerStatistics]] = TerStatistics
    columns: ClassVar[int] = len(COLUMNS)
    cost: ClassVar[float] = 15.0
    is_portable: ClassVar[bool] = True
    groups: ClassVar[Sequence[type[OptionGroup]]] = (TerOptions,)

    @classmethod
    def of_options(cls, **options: object) -> tuple[Self, dict[str, object]]:
        """Return the metric with these options; its tables need none to score."""
        return cls(TerOptions.checked(**options)), {}

    def signature(self, is_text: bool, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return self.options.signature(references)

    @property
    def tokenizer(self) -> str:
        """The name of the tokenizer, unless it cuts Chinese characters apart."""
        cuts_characters = self.options.normalized and self.options.asian_support
        return "" if cuts_characters else "tercom"

    def pinned(self) -> Ter:
        """Return the metric, which reads no model."""
        return self

    def encode(self, units: object) -> object:
        """Return text as it is: references are not cut as hypotheses are, so `count` cuts both."""
        return units

    def count(self, block: Block) -> Int64:
        """Count the segments of a block (S, 3), in any process."""
        pairs = block.pairs()
        if pairs is None:
            pairs = np.arange(len(block.units))
        is_reference = np.zeros(len(block.units), bool)
        is_reference[pairs[1::2]] = True
        words = tercom_ids(block.units, is_reference, self.options)
        return ter_rows(words.take(pairs), block.segments)

    def most_plain(self, is_text: bool) -> int:
        """Return the most characters that plain Python counts faster than arrays."""
        return _MOST_PLAIN

    def count_plain(self, units: list[str], offsets: list[int], is_text: bool) -> list[list[int]]:
        """Count a few segments in plain Python."""
        return count_segments(*grouped(units, offsets), self.options)

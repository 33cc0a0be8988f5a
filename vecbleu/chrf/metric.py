"""chrF as a metric: how its options count segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from vecbleu.chrf.arrays import ChrfEncoder, chrf_rows
from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.plain import count_segments
from vecbleu.chrf.results import ChrfStatistics
from vecbleu.core.arrays import Int64
from vecbleu.core.block import Block
from vecbleu.core.signature import Signature
from vecbleu.kernel import plain


@dataclass(frozen=True)
class Chrf:
    """chrF with its options."""

    options: ChrfOptions
    table: ClassVar[type[ChrfStatistics]] = ChrfStatistics

    @property
    def columns(self) -> int:
        """The number of counts in a row."""
        return 3 * self.options.orders

    def signature(self, is_text: bool, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return self.options.signature(references)

    def encoder(self, in_block: bool = True) -> ChrfEncoder:
        """Return what turns text into characters, and words."""
        return ChrfEncoder(self.options)

    def counter(self) -> Callable[[Block], Int64]:
        """Return a function that counts the segments of a block (S, 3K), in any process."""
        return partial(chrf_rows, self.options)

    def most_plain(self, is_text: bool) -> int:
        """Return the most characters that plain Python counts faster than arrays."""
        return 2 * plain.MOST_NGRAMS // self.options.orders

    def count_plain(self, units: list[Any], offsets: list[int], is_text: bool) -> list[list[int]]:
        """Count a few segments in plain Python."""
        size = len(offsets) - 1
        references = [units[size + low : size + high] for low, high in pairwise(offsets)]
        return count_segments(units[:size], references, self.options)

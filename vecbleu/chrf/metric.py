"""chrF as a metric: how its options count segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from vecbleu.arguments.errors import ArgumentTypeError
from vecbleu.arguments.options import OptionGroup
from vecbleu.chrf.arrays import chrf_rows, encoded_text, ngram_units, pair_scores
from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.plain import count_segments
from vecbleu.chrf.results import ChrfStatistics
from vecbleu.core.block import Block
from vecbleu.core.corpus import grouped
from vecbleu.core.signature import Signature
from vecbleu.kernel import plain
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.kernel.ragged import Integers, Ragged


@dataclass(frozen=True)
class Chrf:
    """chrF with its options."""

    options: ChrfOptions
    table: ClassVar[type[ChrfStatistics]] = ChrfStatistics
    cost: ClassVar[float] = 2.0
    is_portable: ClassVar[bool] = True
    tokenizer: ClassVar[str] = ""  # any text has characters
    groups: ClassVar[Sequence[type[OptionGroup]]] = (ChrfOptions,)

    @classmethod
    def of_options(cls, **options: object) -> tuple[Self, dict[str, object]]:
        """Return the metric with these options; its tables need none to score."""
        return cls(ChrfOptions.checked(**options)), {}

    @property
    def columns(self) -> int:
        """The number of counts in a row."""
        return 3 * self.options.orders

    def signature(self, is_text: bool, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return self.options.signature(references)

    def pinned(self) -> Chrf:
        """Return the metric, which reads no model."""
        return self

    def encode(self, units: Any) -> Any:
        """Return the characters, and words, of text."""
        return encoded_text(units, self.options)

    def count(self, block: Block) -> Int64:
        """Count the segments of a block (S, 3K), in any process."""
        return chrf_rows(self.encode(block.units), block, self.options)

    def most_plain(self, is_text: bool) -> int:
        """Return the most characters that plain Python counts faster than arrays."""
        return 12 * plain.MOST_TOKENS // (10 + self.options.orders)  # as measured

    def count_plain(self, units: list[str], offsets: list[int], is_text: bool) -> list[list[int]]:
        """Count a few segments in plain Python."""
        return count_segments(*grouped(units, offsets), self.options)

    @property
    def max_orders(self) -> tuple[int, ...]:
        """The longest n-grams of characters, and of words if they are counted."""
        orders = self.options.char_order, self.options.word_order
        return orders if self.options.word_order else orders[:1]

    def check_units(self, is_text: bool, name: str) -> None:
        """Raise TypeError if the units of an argument are tokens."""
        if not is_text:
            advice = "chrF takes text, so pass strings"
            raise ArgumentTypeError("holds tokens", advice=advice, argument=name)

    def ngram_units(self, units: Any) -> list[Ragged]:
        """Return the characters, and words, of text as hashed ids."""
        return ngram_units(units, self.options)

    def pair_scores(
        self, hyp_len: Int64, ref_len: Int64, matches: Integers, **scoring: Any
    ) -> Float64:
        """Return the scores of pairs (pairs,)."""
        return pair_scores(hyp_len, ref_len, matches, self.options)

    def needs_long_matches(self, **scoring: Any) -> bool:
        """Return False: each order counts alike, and nearly all pairs share short n-grams."""
        return False

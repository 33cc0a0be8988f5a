"""BLEU as a metric: how its options count segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from vecbleu.bleu.arrays import block_rows
from vecbleu.bleu.options import CountOptions
from vecbleu.bleu.plain import count_segments
from vecbleu.bleu.results import Statistics
from vecbleu.core.arrays import Int64
from vecbleu.core.block import Block
from vecbleu.core.signature import Signature
from vecbleu.kernel import plain
from vecbleu.text.tokens import TokenEncoder


@dataclass(frozen=True)
class Bleu:
    """BLEU with its options of counting."""

    options: CountOptions
    table: ClassVar[type[Statistics]] = Statistics

    @property
    def columns(self) -> int:
        """The number of counts in a row."""
        return 2 + 2 * self.options.max_order

    def signature(self, is_text: bool, references: int | str | None) -> Signature:
        """Return the signature of counts; `references` is the number of references a segment."""
        return self.options.signature(is_text, references)

    def encoder(self, in_block: bool = True) -> TokenEncoder:
        """Return what turns text into token ids; `in_block`: ids that hold within one block."""
        return self.options.encoder(in_block)

    def counter(self) -> Callable[[Block], Int64]:
        """Return a function that counts the segments of a block (S, 2 + 2N), in any process."""
        # Not all options: a tokenizer function can't be sent to other processes.
        return partial(block_rows, self.options.max_order, self.options.ref_length)

    def most_plain(self, is_text: bool) -> int:
        """Return the most characters, or tokens, that plain Python counts faster than arrays."""
        most = plain.MOST_NGRAMS // self.options.max_order
        return int(most * self.options.tokenize.characters_a_token) if is_text else most

    def count_plain(self, units: list[Any], offsets: list[int], is_text: bool) -> list[list[int]]:
        """Count a few segments in plain Python."""
        _, _, max_order, ref_length = self.options
        tokens = self.options.split(units) if is_text else list(map(list, units))
        size = len(offsets) - 1
        references = [tokens[size + low : size + high] for low, high in pairwise(offsets)]
        return count_segments(tokens[:size], references, max_order, ref_length)

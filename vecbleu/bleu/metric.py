"""BLEU as a metric: how its options count segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from vecbleu.arguments.errors import ArgumentError
from vecbleu.arguments.options import OptionGroup
from vecbleu.bleu.arrays import array_pair_bleu, count_units
from vecbleu.bleu.options import CountOptions, ScoreOptions
from vecbleu.bleu.plain import count_segments
from vecbleu.bleu.results import Statistics
from vecbleu.core.block import Block
from vecbleu.core.corpus import grouped
from vecbleu.core.signature import Signature
from vecbleu.kernel import plain
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.kernel.packed import Symbols
from vecbleu.kernel.ragged import Integers, Ragged
from vecbleu.text.text import Text
from vecbleu.text.tokenizers import resolve_tokenizer
from vecbleu.text.tokens import JoinedTokens


@dataclass(frozen=True)
class Bleu:
    """BLEU with its options of counting."""

    options: CountOptions
    table: ClassVar[type[Statistics]] = Statistics
    groups: ClassVar[Sequence[type[OptionGroup]]] = (CountOptions, ScoreOptions)

    @classmethod
    def of_options(cls, **options: object) -> tuple[Self, dict[str, object]]:
        """Return the metric with these options, and those of them that its tables score with."""
        scoring = {name: options.pop(name) for name in ScoreOptions.declared if name in options}
        return cls(CountOptions.checked(**options)), scoring

    @property
    def columns(self) -> int:
        """The number of counts in a row."""
        return 2 + 2 * self.options.max_order

    def signature(self, is_text: bool, references: int | str | None) -> Signature:
        """Return the signature of counts; `references` is the number of references a segment."""
        return self.options.signature(is_text, references)

    @property
    def cost(self) -> float:
        """The time to encode and count text, as a multiple of that of words by 13a."""
        return self.options.tokenize.cost

    @property
    def tokenizer(self) -> str:
        """The name of the tokenizer."""
        return self.options.tokenize.name

    @property
    def is_portable(self) -> bool:
        """Whether other processes can tokenize text; they can't unpickle the user's function."""
        return self.options.tokenize.is_portable

    def pinned(self) -> Self:
        """Return the metric for other processes, bound to the model that it reads here.

        They get no function of the user's: this process encodes the text of their blocks.
        """
        tokenize = self.options.tokenize if self.is_portable else resolve_tokenizer("none")
        options = replace(self.options, tokenize=tokenize.pinned())
        return replace(self, options=options)

    def encode(self, units: object) -> Any:
        """Return the ids of tokens (units,); equal tokens of any block have equal ids."""
        return self._ids(units, self.options.tokenize.ids)

    def count(self, block: Block) -> Int64:
        """Count the segments of a block (S, 2 + 2N), in any process."""
        options = self.options
        units = self._ids(block.units, options.tokenize.block_ids)
        if block.places is not None:
            units = units.take(block.places)
        return count_units(units, block.segments, options.max_order, options.ref_length)

    def _ids(self, units: object, tokenize: Callable[[Text], Ragged | Symbols]) -> Any:
        """Return the ids of tokens; text is edited as the options ask, and tokenized."""
        if isinstance(units, Text):
            return tokenize(self.options.edit_text(units))
        return units.ids() if isinstance(units, JoinedTokens) else units

    def most_plain(self, is_text: bool) -> int:
        """Return the most characters, or tokens, that plain Python counts faster than arrays."""
        most = 5 * plain.MOST_TOKENS // (5 + self.options.max_order)  # as measured
        return int(most * self.options.tokenize.characters_a_token) if is_text else most

    def count_plain(self, units: list[Any], offsets: list[int], is_text: bool) -> list[list[int]]:
        """Count a few segments in plain Python."""
        tokens: list[Any] = self.options.split(units) if is_text else list(map(list, units))
        hypotheses, references = grouped(tokens, offsets)
        options = self.options
        return count_segments(hypotheses, references, options.max_order, options.ref_length)

    @property
    def max_orders(self) -> tuple[int, ...]:
        """The longest n-grams of tokens."""
        return (self.options.max_order,)

    def check_units(self, is_text: bool, name: str) -> None:
        """Raise ValueError for options of text if the units of an argument are tokens.

        Tokens are not tokenized again, which "none" says, too.
        """
        if is_text:
            return
        for option in ("lowercase", "normalize"):
            if getattr(self.options, option):
                found = f"is for strings, but {name} holds token sequences or ids"
                raise ArgumentError(found, argument=option)
        tokenize = self.options.tokenize
        if repr(tokenize) not in ("'13a'", "'none'"):
            found = (
                f"is {tokenize!r}, but {name} holds token sequences or ids, which are not "
                "tokenized again"
            )
            advice = "pass strings, or leave it out"
            raise ArgumentError(found, advice=advice, argument="tokenize")

    def ngram_units(self, units: Any) -> list[Ragged]:
        """Return the ids of tokens."""
        return [self.encode(units)]

    def pair_scores(
        self, hyp_len: Int64, ref_len: Int64, matches: Integers, **scoring: Any
    ) -> Float64:
        """Return the scores of pairs (pairs,)."""
        options = ScoreOptions(**scoring).of_order(self.options.max_order)
        return array_pair_bleu(hyp_len[0], ref_len[0], matches, options)

    def needs_long_matches(self, **scoring: Any) -> bool:
        """Whether a score never falls with more matches: "floor" could have a value above 1.

        Weights can't be negative. "skip-zero" leaves out orders without a match, as if all their
        n-grams matched.
        """
        options = ScoreOptions(**scoring)
        return options.smoothing != "floor" or (options.smoothing_value or 0) <= 1

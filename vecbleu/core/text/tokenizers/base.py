"""What all tokenizers have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from vecbleu.core.kernel.ragged import Ragged, row_offsets
from vecbleu.core.records import dataclass
from vecbleu.core.text.pieces import Cuts, behind_space, ids_by_piece
from vecbleu.core.text.spans import Spans, UnitError
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokens import sequence_ids, span_ids

# Characters of a segment that a note about an error shows.
_SHOWN = 60


class Tokenizer(ABC):
    """Makes token ids of a block of segments; it is picklable where it is portable."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    is_portable: ClassVar[bool] = True  # to other processes
    cost: ClassVar[float] = 1.0  # of a token, counting included, as a multiple of 13a's

    @abstractmethod
    def ids(self, text: Text) -> Ragged:
        """The ids of each segment's tokens."""

    @abstractmethod
    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """The tokens of few segments, as strings: without the fixed cost of arrays."""

    @abstractmethod
    def signature(self) -> str | None:
        """Its name in sacreBLEU's signature; loads what it needs, and raises if that is missing."""

    def pinned(self) -> Tokenizer:
        """The same for other processes: bound to the model that it reads here."""
        return self

    def __repr__(self) -> str:
        """What the user calls it."""
        return repr(getattr(self, self.__match_args__[0]))


class SpanTokenizer(Tokenizer):
    """A tokenizer whose tokens are spans of bytes."""

    __slots__ = ()

    @abstractmethod
    def spans(self, text: Text) -> Spans:
        """Cut the segments into tokens."""

    def ids(self, text: Text) -> Ragged:
        """Hash the bytes of the tokens."""
        return span_ids(self.spans(text))


@dataclass(frozen=True, slots=True, repr=False)
class ByteTokenizer(SpanTokenizer):
    """Rules on bytes, for all segments of a block at once, and for a single string."""

    name: str
    rules: Callable[[Text], Spans]
    rules_of_string: Callable[[str], list[str]]
    cuts: Cuts = behind_space  # of wide text, between tokens

    def spans(self, text: Text) -> Spans:
        """Apply the rules."""
        return self.rules(text)

    def ids(self, text: Text) -> Ragged:
        """Hash the bytes of the tokens, of wide text a piece at a time."""
        return ids_by_piece(text, lambda piece: span_ids(self.rules(piece)), self.cuts)

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Apply the rules to each string."""
        return [*map(self.rules_of_string, strings)]

    def signature(self) -> str:
        """Its name."""
        return self.name


@dataclass(frozen=True, slots=True, repr=False)
class CallableTokenizer(Tokenizer):
    """A function of the user's, from a string to a list of strings."""

    is_portable = False

    function: Callable[[str], Sequence[str]]

    def ids(self, text: Text) -> Ragged:
        """Call the function with each segment."""
        units = self.split(text.strings())
        return sequence_ids(units, row_offsets(units))

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Call the function with each segment."""
        return [self._tokens(unit, string) for unit, string in enumerate(strings)]

    def _tokens(self, unit: int, string: str) -> Sequence[str]:
        """The tokens of a segment, checked."""
        try:
            tokens = self.function(string)
        except StopIteration as error:  # would end what iterates over segments, without a word
            raise UnitError(unit, f"tokenize raised {error!r}") from None
        except Exception as error:
            error.add_note(f"tokenize was called with {string[:_SHOWN]!r}")
            raise
        if not isinstance(tokens, (list, tuple)):
            raise UnitError(unit, f"tokenize returned {type(tokens).__name__}, expected a list")
        if set(map(type, tokens)) <= {str}:
            return tokens
        for token in tokens:
            if not isinstance(token, str):
                raise UnitError(unit, f"tokenize returned the token {token!r}, expected strings")
        return [*map(str.__str__, tokens)]  # text, however a subclass compares it

    def signature(self) -> None:
        """None: functions have no names that tell them apart; every lambda is called <lambda>."""
        return

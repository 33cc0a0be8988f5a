"""Define what a tokenizer is: it turns strings into tokens, and text into ids."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from vecbleu.arguments.errors import ArgumentTypeError, checked_each
from vecbleu.kernel.packed import Symbols
from vecbleu.kernel.ragged import Ragged
from vecbleu.text.text import Spans, Text
from vecbleu.text.tokens import span_ids, token_ids

# Characters of a string that are shown with the error of the user's function.
_SHOWN = 60


class Tokenizer(ABC):
    """Base of all tokenizers: turns strings into tokens, and tokens into ids.

    Tokenizers of the same class are equal if their keys are. The first part of the key is the name,
    path or function that the user passed.
    """

    name = ""  # that users write; none for their functions
    is_portable: ClassVar[bool] = True  # whether other processes can unpickle it
    cost: ClassVar[float] = 1.0  # time to tokenize and count, as a multiple of 13a's
    characters_a_token: float = 1.0  # of text that is counted plainly as fast as a token

    def __init__(self, *key: Hashable) -> None:
        self._key = key

    @abstractmethod
    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string; load packages and models if need be."""

    @abstractmethod
    def signature(self) -> str | None:
        """Return the name in sacreBLEU's signature; an error names a missing package or model."""

    def pinned(self) -> Tokenizer:
        """Return the tokenizer for other processes, bound to the model that it reads here."""
        return self

    def ids(self, text: Text) -> Ragged:
        """Return the ids of each unit's tokens."""
        return token_ids(self.split(text.strings()))

    def block_ids(self, text: Text) -> Ragged | Symbols:
        """Return ids that hold within this text alone; counting these may take less time."""
        return self.ids(text)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self._key[0])


class ByteTokenizer(Tokenizer):
    """Rules for the bytes of all units of a block at once, and the same rules for one string."""

    def __init__(
        self,
        name: str,
        spans: Callable[[Text], Spans],
        split: Callable[[str], list[str]],
        characters_a_token: float = 4.2,
    ) -> None:
        super().__init__(name, spans, split)
        self.name = name
        self.spans = spans
        self._split_string = split
        self.characters_a_token = characters_a_token

    def signature(self) -> str:
        """Return the name."""
        return self.name

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string."""
        return list(map(self._split_string, strings))

    def ids(self, text: Text) -> Ragged:
        """Hash the bytes of the tokens."""
        return span_ids(self.spans(text))


class CallableTokenizer(Tokenizer):
    """The user's function from a string to a list of strings."""

    is_portable = False

    def __init__(self, function: Callable[[str], Sequence[str]]) -> None:
        super().__init__(function)
        self._function = function

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return what the function makes of each string."""
        return checked_each(self._tokens, strings)

    def signature(self) -> None:
        """Return None: the name of a function does not identify it."""
        return

    def _tokens(self, string: str) -> Sequence[str]:
        """Call the function, and check what it returns."""
        try:
            tokens = self._function(string)
        except StopIteration as error:  # would end our own loop silently
            raise ArgumentTypeError(f"makes tokenize raise {error!r}") from None
        except Exception as error:
            error.add_note(f"tokenize was called with {string[:_SHOWN]!r}")
            raise
        if not isinstance(tokens, (list, tuple)):
            found = f"makes tokenize return {type(tokens).__name__}"
            raise ArgumentTypeError(found, "a list")
        if set(map(type, tokens)) <= {str}:
            return tokens
        for token in tokens:
            if not isinstance(token, str):
                found = f"makes tokenize return the token {token!r}"
                raise ArgumentTypeError(found, "strings")
        return list(map(str.__str__, tokens))  # instances of subclasses become str

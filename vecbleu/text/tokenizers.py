"""Find a tokenizer by its name, the path of its model, or the user's function."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from vecbleu.core.errors import ArgumentError
from vecbleu.kernel.packed import Symbols
from vecbleu.kernel.ragged import Ragged
from vecbleu.text import rules
from vecbleu.text.text import Spans, Text, UnitError
from vecbleu.text.tokens import Tokenizer, characters, span_ids

# Characters of a string that are shown with the error of the user's function.
_SHOWN = 60

# Warn of a script if the first 100 strings have at least 100 letters of it.
_FEWEST_LETTERS = 100
_STRINGS = 100

_KANA = "\u3041-\u30ff\uff66-\uff9f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


class ByteTokenizer(Tokenizer):
    """Rules for the bytes of all units of a block at once, and the same rules for one string."""

    def __init__(
        self,
        name: str,
        spans: Callable[[Text], Spans],
        split: Callable[[str], list[str]],
        characters_a_token: float = 3.2,
    ) -> None:
        super().__init__(name, spans, split)
        self.name = name
        self.spans = spans
        self._split_string = split
        self.characters_a_token = characters_a_token

    def function(self) -> Callable[[str], Sequence[str]]:
        """Return the rules for one string."""
        return self._split_string

    def signature(self) -> str:
        """Return the name."""
        return self.name

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string."""
        return list(map(self._split_string, strings))

    def ids(self, text: Text) -> Ragged:
        """Hash the bytes of the tokens."""
        return span_ids(self.spans(text))


class CharacterTokenizer(ByteTokenizer):
    """Every character but white space is a token; within a block, they are numbered."""

    def block_ids(self, text: Text) -> Symbols:
        """Number the characters of the text."""
        return characters(text)


class CallableTokenizer(Tokenizer):
    """The user's function from a string to a list of strings."""

    is_portable = False

    def __init__(self, function: Callable[[str], Sequence[str]]) -> None:
        super().__init__(function)
        self._function = function

    def function(self) -> Callable[[str], Sequence[str]]:
        """Return the function; its results are checked."""
        return self._tokens

    def signature(self) -> None:
        """Return None: the name of a function does not identify it."""
        return

    def _tokens(self, string: str) -> Sequence[str]:
        """Call the function, and check what it returns."""
        try:
            tokens = self._function(string)
        except StopIteration as error:  # would end our own loop silently
            raise UnitError(0, f"tokenize raised {error!r}") from None
        except Exception as error:
            error.add_note(f"tokenize was called with {string[:_SHOWN]!r}")
            raise
        if not isinstance(tokens, (list, tuple)):
            raise UnitError(0, f"tokenize returned {type(tokens).__name__}, expected a list")
        if set(map(type, tokens)) <= {str}:
            return tokens
        for token in tokens:
            if not isinstance(token, str):
                raise UnitError(0, f"tokenize returned the token {token!r}, expected strings")
        return list(map(str.__str__, tokens))  # instances of subclasses become str


_RULES = {
    "13a": ByteTokenizer("13a", rules.tokenize_13a, rules.split_13a),
    "char": CharacterTokenizer("char", rules.tokenize_char, rules.split_char, 1),
    "intl": ByteTokenizer("intl", rules.tokenize_intl, rules.split_intl),
    "none": ByteTokenizer("none", rules.tokenize_none, str.split),
    "zh": ByteTokenizer("zh", rules.tokenize_zh, rules.split_zh, 1),
}
_EXTERNAL = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")
NAMES = dict.fromkeys([*_RULES, *_EXTERNAL]).keys()


def resolve_tokenizer(tokenize: Any) -> Tokenizer:
    """Return a tokenizer by its name, a SentencePiece model's path, or the user's function."""
    if callable(tokenize):
        return CallableTokenizer(tokenize)
    if isinstance(tokenize, str):
        if tokenize in _RULES:
            return _RULES[tokenize]
        if tokenize in NAMES or tokenize.endswith(".model") or os.path.dirname(tokenize):
            from vecbleu.text.external import ExternalTokenizer

            return ExternalTokenizer(tokenize)
    raise ArgumentError(
        f"is {tokenize!r}",
        f"one of {', '.join(sorted(NAMES))}, or the path of a SentencePiece model, "
        "which contains / or ends in .model",
    )


def warn_of_script(
    strings: Iterable[str], tokenize: str | None, warn: Callable[[str], None]
) -> None:
    """Warn if text looks Chinese or Japanese and is tokenized with 13a."""
    if tokenize != "13a":
        return
    text = " ".join(islice(strings, _STRINGS))
    if text.isascii():
        return
    kana, han = (len(re.findall(f"[{letters}]", text)) for letters in (_KANA, _HAN))
    words = len(text.split())  # in segmented text, words have fewer than 4 letters
    if kana + han >= max(_FEWEST_LETTERS, len(text) / 2, 4 * words):
        language, tokenizer = ("Japanese", "ja-mecab") if kana > han / 9 else ("Chinese", "zh")
        warn(
            f"the text looks {language}, which is written without spaces, so 13a takes whole "
            f"phrases for words; the usual tokenizer is {tokenizer!r}"
        )

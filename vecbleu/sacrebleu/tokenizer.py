"""Tokenize a line as sacreBLEU's tokenizers do, with spaces between tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from vecbleu.text.tokenize_13a import split_13a
from vecbleu.text.tokenize_intl import split_unstripped_intl
from vecbleu.text.tokenize_zh import split_zh
from vecbleu.text.tokenizers import resolve_tokenizer

# Functions that split a line without stripping it.
_SPLIT: dict[str, Callable[[str], Iterable[str]]] = {
    "13a": partial(split_13a, strips=False),
    "char": list,
    "intl": split_unstripped_intl,
    "none": lambda line: [line],
    "zh": split_zh,
}


class LineTokenizer:
    """One of vecbleu's tokenizers, from a line to a line with spaces between tokens.

    Corpora are tokenized by `vecbleu.text.tokenizers` instead, many segments at a time.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def signature(self) -> str | None:
        """Return the name in signatures."""
        return resolve_tokenizer(self.name).signature()

    def __call__(self, line: str) -> str:
        """Separate the tokens of a line by spaces."""
        if self.name in _SPLIT:
            return " ".join(_SPLIT[self.name](line))
        tokenizer: Any = resolve_tokenizer(self.name)
        return str(tokenizer.separator()(line))

"""Tokenizers with sacreBLEU's interface: from a line to a line with spaces between tokens.

Corpora are tokenized by `vecbleu.core.text.tokenizers` instead, many segments at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from vecbleu.core.text import rules
from vecbleu.core.text.tokenizers import resolve_tokenizer

# Functions that split a line without stripping it.
_SPLIT: dict[str, Callable[[str], Iterable[str]]] = {
    "13a": rules.split_unstripped_13a,
    "char": list,
    "intl": rules.split_unstripped_intl,
    "none": lambda line: [line],
    "zh": rules.split_zh,
}


class LineTokenizer:
    """One of vecbleu's tokenizers, by its name or the path of a SentencePiece model."""

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

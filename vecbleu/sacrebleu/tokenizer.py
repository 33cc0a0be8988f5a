"""A tokenizer as sacreBLEU's metrics carry it: from a line to tokens with spaces between."""

from __future__ import annotations

from vecbleu.core.text.tokenizers import find_tokenizer


class LineTokenizer:
    """Tokenize one line; blocks of many are tokenized elsewhere, and faster.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> BLEU(tokenize="13a").tokenizer("Hello, world!")
    'Hello , world !'
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._tokenizer = find_tokenizer(name)

    def __call__(self, line: str) -> str:
        """Separate the tokens of a line by spaces."""
        return " ".join(self._tokenizer.split([line])[0])

    def signature(self) -> str | None:
        """What a signature calls it."""
        return self._tokenizer.signature()

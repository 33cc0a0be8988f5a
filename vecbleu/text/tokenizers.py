"""Find a tokenizer by its name, the path of its model, or the user's function."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice
from typing import Any

from vecbleu.arguments.errors import ArgumentError
from vecbleu.text.tokenizer import CallableTokenizer, Tokenizer

# Warn of a script if the first 100 strings have at least 100 letters of it.
_FEWEST_LETTERS = 100
_STRINGS = 100

_KANA = "\u3041-\u30ff\uff66-\uff9f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


# Tokenizers by rules: `tokenize_13a` and the other modules of this package define TOKENIZER.
_BY_RULES = ("13a", "char", "intl", "none", "zh")
_EXTERNAL = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")
NAMES = dict.fromkeys([*_BY_RULES, *_EXTERNAL]).keys()


def resolve_tokenizer(tokenize: Any) -> Tokenizer:
    """Return a tokenizer by its name, a SentencePiece model's path, or the user's function."""
    if callable(tokenize):
        return CallableTokenizer(tokenize)
    if isinstance(tokenize, str):
        if tokenize in _BY_RULES:
            module = import_module(f"vecbleu.text.tokenize_{tokenize}")
            tokenizer: Tokenizer = module.TOKENIZER
            return tokenizer
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

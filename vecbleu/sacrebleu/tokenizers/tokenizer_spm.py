"""Where `sacrebleu.tokenizers.tokenizer_spm` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import (
    BaseTokenizer,
    Flores101Tokenizer,
    Flores200Tokenizer,
    TokenizerSPM,
    spBLEU1KTokenizer,
)

__all__ = [
    "BaseTokenizer",
    "Flores101Tokenizer",
    "Flores200Tokenizer",
    "TokenizerSPM",
    "spBLEU1KTokenizer",
]

__getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_spm")

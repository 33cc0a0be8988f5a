"""Where `sacrebleu.tokenizers.tokenizer_spm` has its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import (
    BaseTokenizer,
    Flores101Tokenizer,
    Flores200Tokenizer,
    TokenizerSPM,
    spBLEU1KTokenizer,
)

if TYPE_CHECKING:
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS as SPM_MODELS
    from sacrebleu.tokenizers.tokenizer_spm import sacrelogger as sacrelogger
    from sacrebleu.utils import SACREBLEU_DIR as SACREBLEU_DIR
    from sacrebleu.utils import download_file as download_file

__all__ = [
    "BaseTokenizer",
    "Flores101Tokenizer",
    "Flores200Tokenizer",
    "TokenizerSPM",
    "spBLEU1KTokenizer",
]

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_spm")

"""What sacreBLEU's options for BLEU mean, and what it warns of."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from vecbleu.scores import Formula, resolve_formula

# Under the name that those who come from sacreBLEU have set a level for.
logger = logging.getLogger("sacrebleu")

SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}

TOKENIZER_DEFAULT = "13a"

_TOKENIZER_OF_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}

# So many hypotheses that end in " ." look tokenized.
_TOKENIZED_PERIODS = 100


def warn_of_tokenized(periods: int) -> None:
    """Warn of a hundred segments that end in a period with a space before it."""
    if periods >= _TOKENIZED_PERIODS:
        logger.warning("That's 100 lines that end in a tokenized period ('.')")
        logger.warning(
            "It looks like you forgot to detokenize your test data, which may hurt your score."
        )
        logger.warning(
            "If you insist your data is detokenized, or don't care, you can suppress this message "
            "with the `force` parameter."
        )


def choose_tokenizer(tokenize: str | None, language: str) -> str:
    """The language's tokenizer where none is given, and a word where another one is."""
    if not isinstance(language, str):
        raise TypeError(f"trg_lang is {language!r}, expected a string")
    if tokenize is not None and not isinstance(tokenize, str):
        raise TypeError(f"tokenize is {tokenize!r}, expected the name of a tokenizer")
    best = _TOKENIZER_OF_LANGUAGE.get(language)
    if tokenize is None:
        return best or TOKENIZER_DEFAULT
    if best is not None and tokenize != best:
        logger.warning(
            f"Consider using the {best!r} or 'spm' tokenizer for {_LANGUAGES[language]}."
        )
    if tokenize == "spm":
        logger.warning(
            "Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future."
        )
    return tokenize


def sacrebleu_formula(
    method: str, value: float | None, max_order: int, effective_order: bool
) -> Formula:
    """Check the options of a score."""
    if not isinstance(method, str) or method not in SMOOTH_DEFAULTS:
        raise ValueError(
            f"smooth_method is {method!r}, expected one of {', '.join(SMOOTH_DEFAULTS)}"
        )
    value = smoothing_value(method, value)
    if value is not None and not (isinstance(value, Real) and 0 <= value < math.inf):
        raise ValueError(f"smooth_value is {value!r}, expected a finite number >= 0")
    if not isinstance(max_order, (int, np.integer)) or max_order < 1:
        raise ValueError(f"max_ngram_order is {max_order!r}, expected an integer >= 1")
    return resolve_formula(max_order, None, method, value, bool(effective_order))


def smoothing_value(method: str, value: float | None) -> float | None:
    """The value or its default; one for a smoothing that takes none is ignored."""
    default = SMOOTH_DEFAULTS[method]
    return default if value is None or default is None else value


def added_by(method: str, value: float | None) -> float | None:
    """What smoothing adds to the counts of n > 1 that a score object shows, if it does."""
    return smoothing_value(method, value) if method == "add-k" else None


def check_references(references: Any) -> None:
    """A sequence of strings, or of None; the references of one segment."""
    if isinstance(references, str) or not isinstance(references, Sequence):
        kind = "a single string" if isinstance(references, str) else type(references).__name__
        raise TypeError(f"references is {kind}, expected a sequence of strings")
    for place, reference in enumerate(references):
        if reference is not None and not isinstance(reference, str):
            found = type(reference).__name__
            raise TypeError(f"references[{place}] is {found}, expected a string or None")


def environment_seed() -> tuple[str, int | None]:
    """The seed of resampling as the signature has it, and as a number, if it is one."""
    seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
    if seed == "none":
        return seed, None
    if not seed.isdecimal():
        raise ValueError(f"SACREBLEU_SEED is {seed!r}, expected a number >= 0, or none")
    return seed, int(seed)

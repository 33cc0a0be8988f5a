"""Check sacreBLEU's options for BLEU, and give its warnings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal

from vecbleu.arguments.checks import checked_name, warn_caller
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, InputWarning
from vecbleu.bleu.options import CountOptions, ScoreOptions

SmoothMethod = Literal["none", "floor", "add-k", "exp"]

# The 1 is an integer: sacreBLEU's counts stay integers with it.
SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}

TOKENIZER_DEFAULT = "13a"

# Languages with a tokenizer of their own.
LANGUAGE_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def warn(message: str) -> None:
    """Log a warning to sacreBLEU's logger, since users may have set its level."""
    import logging  # few calls need it

    logging.getLogger("sacrebleu").warning(message)


def warn_of_input(doubt: str | InputWarning) -> None:
    """Warn, and log it to sacreBLEU's logger, if a handler takes it: else it is printed twice."""
    import logging  # few calls need it

    logger = logging.getLogger("sacrebleu")
    if logger.hasHandlers():
        logger.warning(doubt)
    warn_caller(doubt)


def choose_tokenizer(
    tokenize: str | None,
    language: str | None,
    warn: Callable[[str], None] = warn_of_input,
    default: str = TOKENIZER_DEFAULT,
    by_language: Mapping[str, str] = LANGUAGE_TOKENIZERS,
) -> str:
    """Return the given tokenizer, or that of the language; warn of an unusual choice."""
    if not isinstance(language, (str, type(None))):
        raise ArgumentTypeError(f"is {language!r}", "a string or None", argument="trg_lang")
    if tokenize is not None and not isinstance(tokenize, str):
        found = f"is {tokenize!r}"
        raise ArgumentTypeError(found, "the name of a tokenizer", argument="tokenize")
    if tokenize is None:
        return by_language.get(language or "", default)
    usual = LANGUAGE_TOKENIZERS.get(language or "", tokenize)
    if usual != tokenize:
        warn(f"{language} is usually tokenized by {usual!r} or 'flores200', here by {tokenize!r}")
    if tokenize == "spm":
        warn("the tokenizer 'spm' is 'flores101' under an old name; prefer the new one")
    return tokenize


def score_options(
    method: Any, value: float | None, max_order: int, effective_order: bool
) -> ScoreOptions:
    """Check scoring options that have sacreBLEU's names."""
    name = "smooth_method"
    try:  # once: each `with` would take as long as its check
        checked_name(method, SMOOTH_DEFAULTS)
        name = "smooth_value"
        value = ScoreOptions.declared["smoothing_value"].check(smoothing_value(method, value))
        name = "max_ngram_order"
        order = CountOptions.declared["max_order"].check(max_order)
    except (ArgumentError, ArgumentTypeError) as error:
        error.add_name(name)
        raise
    return ScoreOptions(None, method, value, bool(effective_order)).of_order(order)


def smoothing_value(method: str, value: float | None) -> float | None:
    """Return the value or its default; None for smoothing without a value."""
    default = SMOOTH_DEFAULTS.get(method)
    return default if value is None or default is None else value


def environment_seed() -> tuple[str, int | None]:
    """Return the seed of resampling, as text for signatures, and as a number or None."""
    seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
    if seed == "none":
        return seed, None
    if not seed.isdecimal():
        raise ValueError(f"SACREBLEU_SEED is {seed!r}, expected a number >= 0, or none")
    return seed, int(seed)

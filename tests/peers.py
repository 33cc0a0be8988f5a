"""Calls of the installed peers, and what comparing with them has to know."""

from __future__ import annotations

import logging
import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

logging.getLogger("sacrebleu").setLevel(logging.ERROR)

_tokenizer_13a = Tokenizer13a()

TOKENIZE: dict[str, Callable[[str], list[str]]] = {
    "13a": lambda line: _tokenizer_13a(line.rstrip()).split(),
    "none": str.split,
}


def same_digits(ours: float, theirs: float) -> bool:
    """Bit-equal to sacreBLEU.

    From Python 3.12 on the built-in sum that sacreBLEU adds logarithms with is compensated, and
    its last digits are no longer those of the published scores, which vecbleu keeps.
    """
    if sys.version_info < (3, 12):
        return ours == theirs
    return math.isclose(ours, theirs, rel_tol=4e-15)


def sacrebleu_score(hypotheses: list[str], references: list[list[str]], **options: Any) -> Any:
    """Per-segment references, of which sacreBLEU wants streams with holes."""
    most = max(map(len, references))
    streams = [
        [segment[k] if k < len(segment) else None for segment in references] for k in range(most)
    ]
    return sacrebleu.BLEU(**options).corpus_score(hypotheses, streams)


def outcome(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """What a call does: its value and type or its exception's type, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            return ("raises", type(error))
    said = sorted(str(warning.message) for warning in caught)
    return ("returns", value, _types(value), said)


def _types(value: Any) -> Any:
    return [*map(type, value)] if isinstance(value, list) else type(value)

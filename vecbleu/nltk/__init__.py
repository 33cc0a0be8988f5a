"""Drop-in for `nltk.translate.bleu_score`: the same calls, results, warnings and errors, faster.

``sys.modules["nltk.translate.bleu_score"] = vecbleu.nltk`` moves a program over.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from vecbleu.nltk.counting import brevity_penalty, closest_ref_length
from vecbleu.nltk.precision import Fraction, modified_precision
from vecbleu.nltk.scores import corpus_bleu, sentence_bleu, sentence_bleu_batch
from vecbleu.nltk.smoothing import SmoothingFunction

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
    "sentence_bleu_batch",
]


# What programs take from NLTK's module though it only imports it.
_BORROWED = {"Counter": "collections", "ngrams": "nltk.util"}


def __getattr__(name: str) -> Any:
    """Pass on a borrowed name; NLTK's own functions, where NLTK is installed."""
    try:
        return getattr(import_module(_BORROWED[name]), name)
    except (KeyError, ImportError):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


class _DropIn(ModuleType):
    """A module that, standing in for NLTK's, also becomes the attribute of NLTK's package.

    The import system sets `nltk.translate.bleu_score` only when it loads that module itself, not
    where it finds this one in `sys.modules`; but it then looks at the module's spec.
    """

    def _get_spec(self) -> Any:
        package = sys.modules.get("nltk.translate")
        if package is not None and sys.modules.get("nltk.translate.bleu_score") is self:
            package.bleu_score = self  # type: ignore[attr-defined]
        return self.__dict__["__spec__"]

    def _set_spec(self, spec: Any) -> None:
        self.__dict__["__spec__"] = spec

    __spec__ = property(_get_spec, _set_spec)


sys.modules[__name__].__class__ = _DropIn

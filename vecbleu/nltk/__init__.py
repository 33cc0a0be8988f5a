"""The functions of `nltk.translate.bleu_score`, faster: the same calls and results.

Errors and warnings are of the same types. A program that has
``sys.modules["nltk.translate.bleu_score"] = vecbleu.nltk`` as its first line needs no other change;
nor does one in which ``nltk.translate`` is `vecbleu.nltk.translate`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from vecbleu.nltk.scores import corpus_bleu, sentence_bleu, sentence_bleu_batch
from vecbleu.nltk.segment import Fraction, brevity_penalty, closest_ref_length, modified_precision
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


# What programs import from NLTK's module though it is defined in others.
_DEFINED_ELSEWHERE = {"Counter": "collections", "ngrams": "nltk.util"}


def __getattr__(name: str) -> Any:
    """Look up a name that NLTK's module imports; those of NLTK where it is installed."""
    if name == "translate":
        return import_module(f"{__name__}.translate")
    try:
        return getattr(import_module(_DEFINED_ELSEWHERE[name]), name)
    except (KeyError, ImportError):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


class _ReplacesNltk(ModuleType):
    """A module that sets itself as `nltk.translate.bleu_score` where `sys.modules` says so.

    The import system sets that attribute only when it loads NLTK's module, and not where it finds
    this one in `sys.modules`; but then it reads the module's `__spec__`.
    """

    def _get_spec(self) -> Any:
        package = sys.modules.get("nltk.translate")
        if package is not None and sys.modules.get("nltk.translate.bleu_score") is self:
            package.bleu_score = self  # type: ignore[attr-defined]
        return self.__dict__["__spec__"]

    def _set_spec(self, spec: Any) -> None:
        self.__dict__["__spec__"] = spec

    __spec__ = property(_get_spec, _set_spec)


sys.modules[__name__].__class__ = _ReplacesNltk

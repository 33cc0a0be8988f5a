"""BLEU, chrF and TER for large test sets with NumPy alone: exact, fast, from reusable counts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vecbleu._version import __version__ as __version__

if TYPE_CHECKING:
    from vecbleu import analysis as analysis
    from vecbleu import bleu as bleu
    from vecbleu import chrf as chrf
    from vecbleu import cli as cli
    from vecbleu import huggingface as huggingface
    from vecbleu import nltk as nltk
    from vecbleu import plots as plots
    from vecbleu import report as report
    from vecbleu import sacrebleu as sacrebleu
    from vecbleu import sets as sets
    from vecbleu import significance as significance
    from vecbleu import ter as ter
    from vecbleu import typing as typing
    from vecbleu.analysis.explain import Explanation as Explanation
    from vecbleu.analysis.explain import explain as explain
    from vecbleu.analysis.settings import Setting as Setting
    from vecbleu.analysis.settings import find_settings as find_settings
    from vecbleu.arguments.errors import ArgumentError as ArgumentError
    from vecbleu.arguments.errors import ArgumentTypeError as ArgumentTypeError
    from vecbleu.arguments.errors import InputWarning as InputWarning
    from vecbleu.bleu import Accumulator as Accumulator
    from vecbleu.bleu import corpus_bleu as corpus_bleu
    from vecbleu.bleu import file_statistics as file_statistics
    from vecbleu.bleu import sentence_bleu as sentence_bleu
    from vecbleu.bleu import statistics as statistics
    from vecbleu.bleu.results import BleuScore as BleuScore
    from vecbleu.bleu.results import Statistics as Statistics
    from vecbleu.bleu.sets import expected_bleu as expected_bleu
    from vecbleu.bleu.sets import nearest as nearest
    from vecbleu.bleu.sets import pairwise_bleu as pairwise_bleu
    from vecbleu.bleu.sets import self_bleu as self_bleu
    from vecbleu.bleu.shared import SharedReferences as SharedReferences
    from vecbleu.core.signature import Signature as Signature
    from vecbleu.inputs.documents import join_documents as join_documents
    from vecbleu.kernel.ragged import Ragged as Ragged
    from vecbleu.sets.neighbors import Neighbors as Neighbors
    from vecbleu.show.table import Table as Table

# Module of each public name; names are imported on first use.
_MODULES = {
    "Accumulator": "bleu",
    "ArgumentError": "arguments.errors",
    "ArgumentTypeError": "arguments.errors",
    "BleuScore": "bleu.results",
    "Explanation": "analysis.explain",
    "InputWarning": "arguments.errors",
    "Neighbors": "sets.neighbors",
    "Ragged": "kernel.ragged",
    "Setting": "analysis.settings",
    "SharedReferences": "bleu.shared",
    "Signature": "core.signature",
    "Statistics": "bleu.results",
    "Table": "show.table",
    "corpus_bleu": "bleu",
    "expected_bleu": "bleu.sets",
    "explain": "analysis.explain",
    "file_statistics": "bleu",
    "find_settings": "analysis.settings",
    "join_documents": "inputs.documents",
    "nearest": "bleu.sets",
    "pairwise_bleu": "bleu.sets",
    "self_bleu": "bleu.sets",
    "sentence_bleu": "bleu",
    "statistics": "bleu",
}
__all__ = list(_MODULES)
_PACKAGES = {
    "analysis",
    "bleu",
    "chrf",
    "cli",
    "huggingface",
    "nltk",
    "sets",
    "plots",
    "report",
    "sacrebleu",
    "significance",
    "ter",
    "typing",
}


if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept misspelled names

    def __getattr__(name: str) -> Any:
        """Import a public name or package on first use."""
        if name in _MODULES:
            value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        elif name in _PACKAGES:
            value = import_module(f"{__name__}.{name}")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({"__version__", *__all__, *_PACKAGES})

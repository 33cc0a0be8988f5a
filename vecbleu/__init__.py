"""BLEU for large test sets, on NumPy alone: exact, fast, and with its statistics in the open."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vecbleu.accumulator import Accumulator
    from vecbleu.api import bleu, corpus_bleu, file_statistics, sentence_bleu, statistics
    from vecbleu.core.kernel.ragged import Ragged
    from vecbleu.core.scoring.score import BleuScore
    from vecbleu.core.statistics.signature import Signature
    from vecbleu.core.statistics.table import Statistics
    from vecbleu.pairwise.shared import SharedReferences

__version__ = "0.1.0"

__all__ = [
    "Accumulator",
    "BleuScore",
    "Ragged",
    "SharedReferences",
    "Signature",
    "Statistics",
    "bleu",
    "corpus_bleu",
    "file_statistics",
    "sentence_bleu",
    "statistics",
]

# Where names are defined that are loaded when they are first used.
_MODULES = {
    "Accumulator": "accumulator",
    "BleuScore": "core.scoring.score",
    "Ragged": "core.kernel.ragged",
    "SharedReferences": "pairwise.shared",
    "Signature": "core.statistics.signature",
    "Statistics": "core.statistics.table",
}
_PACKAGES = {
    "analysis",
    "cli",
    "huggingface",
    "nltk",
    "pairwise",
    "plots",
    "sacrebleu",
    "significance",
}


def __getattr__(name: str) -> Any:
    """Load a public name, or a public package."""
    if name in __all__:
        value = getattr(import_module(f"{__name__}.{_MODULES.get(name, 'api')}"), name)
    elif name in _PACKAGES:
        value = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({"__version__", *__all__, *_PACKAGES})

"""The calls of sacreBLEU for BLEU: streams of references, scores on 0 to 100, signatures.

``import vecbleu.sacrebleu as sacrebleu`` moves a program over.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import vecbleu

if TYPE_CHECKING:
    from vecbleu.sacrebleu import metrics
    from vecbleu.sacrebleu.bleu import BLEU
    from vecbleu.sacrebleu.functions import corpus_bleu, raw_corpus_bleu, sentence_bleu
    from vecbleu.sacrebleu.score import BLEUScore
    from vecbleu.sacrebleu.signature import BLEUSignature

__version__ = vecbleu.__version__

__all__ = [
    "BLEU",
    "BLEUScore",
    "BLEUSignature",
    "__version__",
    "corpus_bleu",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
]

# Where names are defined, which are loaded when they are first used: the command line needs few.
_MODULES = {
    "BLEU": "bleu",
    "BLEUScore": "score",
    "BLEUSignature": "signature",
    "corpus_bleu": "functions",
    "raw_corpus_bleu": "functions",
    "sentence_bleu": "functions",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_MODULES.get(name, name)}")
    value = getattr(module, name) if name in _MODULES else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

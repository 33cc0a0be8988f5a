"""Where `sacrebleu.metrics` has its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF as CHRF
    from sacrebleu.metrics.chrf import CHRFScore as CHRFScore
    from sacrebleu.metrics.ter import TER as TER
    from sacrebleu.metrics.ter import TERScore as TERScore

    from vecbleu.sacrebleu.bleu import BLEU
    from vecbleu.sacrebleu.metrics import base as base
    from vecbleu.sacrebleu.metrics import bleu as bleu
    from vecbleu.sacrebleu.metrics import chrf as chrf
    from vecbleu.sacrebleu.metrics import lib_ter as lib_ter
    from vecbleu.sacrebleu.metrics import ter as ter
    from vecbleu.sacrebleu.registry import METRICS
    from vecbleu.sacrebleu.score import BLEUScore

__all__ = ["BLEU", "METRICS", "BLEUScore"]

_OWN = {"BLEU": "bleu", "BLEUScore": "score", "METRICS": "registry"}
_MODULES = (
    "metrics.base",
    "metrics.bleu",
    "metrics.chrf",
    "metrics.helpers",
    "metrics.lib_ter",
    "metrics.ter",
)
_OWN |= {path.rpartition(".")[2]: path for path in _MODULES}

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "metrics", own=_OWN)

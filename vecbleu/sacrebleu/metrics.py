"""Where `sacrebleu.metrics` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.score import BLEUScore

__all__ = ["BLEU", "BLEUScore"]

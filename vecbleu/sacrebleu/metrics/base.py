"""Where `sacrebleu.metrics.base` has its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.score import Score
from vecbleu.sacrebleu.signature import Signature

if TYPE_CHECKING:
    from sacrebleu.metrics.base import sacrelogger as sacrelogger

__all__ = ["Metric", "Score", "Signature"]

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "metrics.base")

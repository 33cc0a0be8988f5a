"""Where `sacrebleu.metrics.base` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.score import Score
from vecbleu.sacrebleu.signature import Signature

__all__ = ["Metric", "Score", "Signature"]

__getattr__, __dir__ = pass_on(__name__, "metrics.base")

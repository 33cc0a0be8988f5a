"""The metrics "bleu", "google_bleu" and "sacrebleu" of Hugging Face's `evaluate`, without it.

``vecbleu.huggingface.compute`` is what ``evaluate.load("bleu").compute`` is; nothing is loaded.
"""

from __future__ import annotations

from vecbleu.huggingface.metrics import compute, google_bleu
from vecbleu.huggingface.sacrebleu_metric import sacrebleu

__all__ = ["compute", "google_bleu", "sacrebleu"]

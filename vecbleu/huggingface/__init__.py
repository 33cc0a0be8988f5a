"""The metrics "bleu" and "google_bleu" of Hugging Face's `evaluate`: its numbers, without it.

``vecbleu.huggingface.compute`` is what ``evaluate.load("bleu").compute`` is; nothing is loaded.
"""

from __future__ import annotations

from vecbleu.huggingface.metrics import compute, google_bleu

__all__ = ["compute", "google_bleu"]

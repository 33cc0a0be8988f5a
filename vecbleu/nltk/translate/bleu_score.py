"""What `vecbleu.nltk` has, under the name that it has in NLTK."""

from vecbleu.nltk import (
    Fraction,
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
    sentence_bleu_batch,
)

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

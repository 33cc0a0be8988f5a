"""NLTK's name of the package: `from vecbleu.nltk.translate.bleu_score import corpus_bleu`."""

from vecbleu.nltk.scores import sentence_bleu as bleu
from vecbleu.nltk.translate import bleu_score

__all__ = ["bleu", "bleu_score"]

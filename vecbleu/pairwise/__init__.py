"""Sets against sets: matrices of sentence BLEU, Self-BLEU, nearest neighbors, expected BLEU."""

from vecbleu.pairwise.diversity import self_bleu
from vecbleu.pairwise.expected import expected_bleu
from vecbleu.pairwise.matrices import pairwise_bleu, pairwise_bleu_chunked
from vecbleu.pairwise.neighbors import Neighbors, nearest

__all__ = [
    "Neighbors",
    "expected_bleu",
    "nearest",
    "pairwise_bleu",
    "pairwise_bleu_chunked",
    "self_bleu",
]

"""The metric "google_bleu": NLTK's `corpus_gleu`, on counts from the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.huggingface.segments import Tokenizer, align
from vecbleu.pipeline import Counting, count_corpus
from vecbleu.ragged import Int64, Ragged
from vecbleu.smoothing import Floats
from vecbleu.statistics import Statistics


def google_bleu(
    *,
    predictions: Any,
    references: Any,
    tokenizer: Tokenizer | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> dict[str, float]:
    """Score a corpus as `evaluate`'s "google_bleu" does: sum of matches / sum of n-grams.

    The n-grams of all orders together are those of the prediction or of the reference, whichever
    has more; of several references the first one with the highest quotient counts.

    Parameters
    ----------
    predictions, references, tokenizer
        As for `compute`.
    min_len, max_len : int
        The shortest and the longest n-gram counted.

    Returns
    -------
    dict
        google_bleu (0 to 1), equal to NLTK's `corpus_gleu` bit for bit; 0 if there are no n-grams.

    Raises
    ------
    TypeError, ValueError
        As `compute` does; and if not 1 <= min_len <= max_len. (NLTK would count other n-grams for
        some of these, and leaves out predictions without references.)

    Examples
    --------
    >>> from vecbleu.huggingface import google_bleu
    >>> google_bleu(predictions=["the cat sat"], references=[["a cat sat", "the dog"]])
    {'google_bleu': 0.5}

    References
    ----------
    Wu et al. (2016), "Google's neural machine translation system", section 8.2;
    nltk.translate.gleu_score of NLTK 3.10; `evaluate`'s metrics/google_bleu.
    """
    _check_orders(min_len, max_len)
    counting = PairCounting(max_order=max_len)
    corpus, counts = align(predictions, references, tokenizer)
    pairs = counting.gather(count_corpus(corpus, counting))
    return {"google_bleu": _corpus_gleu(pairs, counts, min_len)}


class PairCounting(Counting):
    """Count each pair of a hypothesis and one of its references: a row a reference."""

    def count(self, units: Ragged, segments: Int64) -> Statistics:
        """Statistics of each pair, in the order of the references."""
        counts = np.diff(segments) - 1
        if (counts == 1).all():
            return super().count(units, segments)
        hypotheses = np.repeat(segments[:-1], counts)  # (pairs,)
        references = np.delete(np.arange(segments[-1]), segments[:-1])
        pairs = np.column_stack([hypotheses, references]).reshape(-1)
        return super().count(units.take(pairs), np.arange(len(references) + 1) * 2)


def _corpus_gleu(pairs: Statistics, counts: Int64, min_len: int) -> float:
    """NLTK's `corpus_gleu` of counted pairs, of which `counts` (segments,) belong to each."""
    orders = np.arange(min_len - 1, pairs.max_order)
    matches = pairs.matches[:, orders].sum(axis=1)
    of_references = np.maximum(pairs.ref_len[:, None] - orders, 0).sum(axis=1)
    ngrams = np.maximum(pairs.totals[:, orders].sum(axis=1), of_references)
    # NLTK does not look at references where neither side has an n-gram.
    scores = np.where(ngrams > 0, matches / np.maximum(ngrams, 1), -1.0)
    chosen = _first_highest(scores, counts)
    total = int(ngrams[chosen].sum())
    return int(matches[chosen].sum()) / total if total else 0.0


def _first_highest(scores: Floats, counts: Int64) -> Int64:
    """Where the first of the highest scores of each segment is (segments,)."""
    if not len(counts):
        return counts
    starts = np.cumsum(counts) - counts
    highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
    places = np.where(scores == highest, np.arange(len(scores)), len(scores))
    first: Int64 = np.minimum.reduceat(places, starts)
    return first


def _check_orders(min_len: Any, max_len: Any) -> None:
    """Refuse what is no range of orders."""
    for name, order in (("min_len", min_len), ("max_len", max_len)):
        if not isinstance(order, (int, np.integer)) or isinstance(order, bool):
            raise TypeError(f"{name} is {order!r}, expected an integer")
    if not 1 <= min_len <= max_len:
        raise ValueError(
            f"min_len is {min_len} and max_len is {max_len}, expected 1 <= min_len <= max_len"
        )

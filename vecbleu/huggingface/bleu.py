"""The metric "bleu": `compute_bleu` of TensorFlow's NMT, on counts from the kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vecbleu.huggingface.segments import Tokenizer, align
from vecbleu.pipeline import Counting, count_corpus
from vecbleu.statistics import Statistics


def compute(
    *,
    predictions: Any,
    references: Any,
    tokenizer: Tokenizer | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """Score a corpus as `evaluate`'s "bleu" does: BP * exp(sum over n of ln(p_n) / N).

    BP = 1 if translation_length > reference_length, else exp(1 - 1 / length_ratio); the length of
    the shortest reference counts; and BLEU is 0 if one of the precisions is.

    Parameters
    ----------
    predictions : sequence of str (segments,)
        What is scored.
    references : sequence (segments,) of str or of sequences of str
        What belongs to each prediction: one string, or any number of them.
    tokenizer : callable, optional
        From a string to a sequence of hashable tokens; by default `evaluate`'s copy of sacreBLEU's
        13a.
    max_order : int
        The longest n-gram counted, N.
    smooth : bool
        Add 1 to matches and totals of every order (Lin and Och 2004).

    Returns
    -------
    dict
        bleu (0 to 1), precisions (list of N floats, 0 to 1), brevity_penalty, length_ratio
        (translation_length / reference_length), translation_length and reference_length (tokens).

    Raises
    ------
    TypeError
        Something is not a string, `tokenizer` not callable or what it returns no sequence of
        hashable tokens, or an option is of another type.
    ValueError
        The sides differ in length, a prediction has no reference, or `max_order` is below 1.

    Notes
    -----
    Equal to `evaluate` on the same Python, bit for bit. (The built-in `sum`, which is part of its
    formula, rounds otherwise from Python 3.12 on.)

    `evaluate` divides by zero where no prediction or no shortest reference has a token. Here
    brevity_penalty and bleu are 0 for predictions without a token; and length_ratio is 0 if
    reference_length is, with a brevity_penalty of 1 for predictions that have tokens.

    A tokenizer of one's own may return tokens of any kind. The default one differs from
    `vecbleu.corpus_bleu`'s in segments that end in a hyphen and a newline, which sacreBLEU strips
    first and `evaluate` does not.

    Examples
    --------
    >>> from vecbleu.huggingface import compute
    >>> compute(
    ...     predictions=["hello there general kenobi", "foo bar foobar"],
    ...     references=[["hello there general kenobi", "hello there!"], ["foo bar foobar"]],
    ... )  # doctest: +NORMALIZE_WHITESPACE
    {'bleu': 1.0, 'precisions': [1.0, 1.0, 1.0, 1.0], 'brevity_penalty': 1.0,
     'length_ratio': 1.1666666666666667, 'translation_length': 7, 'reference_length': 6}

    References
    ----------
    `evaluate`'s metrics/bleu, and the nmt/scripts/bleu.py of TensorFlow's NMT that it wraps;
    Papineni et al. (2002); Lin and Och (2004), "ORANGE", COLING.
    """
    if not isinstance(smooth, (int, np.bool_)):
        raise TypeError(f"smooth is {smooth!r}, expected True or False")
    counting = Counting(max_order=max_order, ref_length="shortest")
    corpus, _ = align(predictions, references, tokenizer)
    return _nmt_bleu(counting.total(count_corpus(corpus, counting)), bool(smooth))


def _nmt_bleu(total: Statistics, smooth: bool) -> dict[str, Any]:
    """The arithmetic of `compute_bleu` in nmt/scripts/bleu.py, operation by operation."""
    matches, totals = total.matches.tolist(), total.totals.tolist()
    translation_length, reference_length = int(total.hyp_len), int(total.ref_len)
    if smooth:
        precisions = [(m + 1.0) / (t + 1.0) for m, t in zip(matches, totals, strict=True)]
    else:
        precisions = [m / t if t else 0.0 for m, t in zip(matches, totals, strict=True)]
    mean = 0.0
    if min(precisions) > 0:
        mean = math.exp(sum((1.0 / len(precisions)) * math.log(p) for p in precisions))
    ratio = translation_length / reference_length if reference_length else 0.0
    if not translation_length:
        penalty = 0.0
    elif ratio > 1.0 or not reference_length:
        penalty = 1.0
    else:
        penalty = math.exp(1 - 1.0 / ratio)
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": translation_length,
        "reference_length": reference_length,
    }

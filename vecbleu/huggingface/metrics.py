"""The metrics "bleu" (`compute_bleu` of TensorFlow's NMT) and "google_bleu" (NLTK's `corpus_gleu`).

Both are their published arithmetic on counts from the kernel.
"""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any

import numpy as np

from vecbleu.core.arrays import Int64, as_index
from vecbleu.core.checks import checked_integer
from vecbleu.core.corpus.blocks import PackedSegments
from vecbleu.core.corpus.counting import count_units
from vecbleu.core.options import DEFAULT_RUN, RefLength
from vecbleu.core.pipeline import count_total, map_packed, no_rows
from vecbleu.core.statistics.table import Statistics
from vecbleu.huggingface import segments
from vecbleu.pairwise.shared import SharedReferences


def compute(
    *,
    predictions: segments.Predictions,
    references: segments.PredictionReferences,
    tokenizer: segments.TokenizerFunction | str | None = None,
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
        What belongs to each prediction: one string, or any number of them; or, for `compute`, a
        `vecbleu.SharedReferences` with tokenize="13a" or the same function as `tokenizer`.
    tokenizer : callable or str, optional
        From a string to a sequence of hashable tokens; or the name of one of the tokenizers that
        `vecbleu.corpus_bleu` has. By default, and as "13a", `evaluate`'s copy of sacreBLEU's 13a.
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
        Something is not a string, `tokenizer` is neither callable nor a name, or what it returns
        is no sequence of hashable tokens, or an option is of another type.
    ValueError
        The sides differ in length, a prediction has no reference, `max_order` is below 1, or there
        is no tokenizer of that name.

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
    options = segments.evaluate_options(max_order, "shortest", tokenizer)
    if isinstance(references, SharedReferences):
        shared = segments.align_shared(predictions, references, tokenizer, options)
        return _nmt_bleu(count_total(*shared), bool(smooth))
    corpus, _ = segments.align_predictions(predictions, references, tokenizer)
    return _nmt_bleu(count_total(corpus, options), bool(smooth))


def _nmt_bleu(total: Statistics, smooth: bool) -> dict[str, Any]:
    """The arithmetic of `compute_bleu` in nmt/scripts/bleu.py, operation by operation."""
    counts = np.transpose([total.matches, total.totals]) + int(smooth)  # (orders, 2)
    precisions = [matches / ngrams if ngrams else 0.0 for matches, ngrams in counts.tolist()]
    translation_length, reference_length = int(total.hyp_len), int(total.ref_len)
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


def google_bleu(
    *,
    predictions: segments.Predictions,
    references: segments.PredictionReferences,
    tokenizer: segments.TokenizerFunction | str | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> dict[str, float]:
    """Score a corpus as `evaluate`'s "google_bleu" does: sum of matches / sum of n-grams.

    The n-grams of all orders together are those of the prediction or of the reference, whichever
    has more; of several references the first one with the highest quotient counts.

    Parameters
    ----------
    predictions, references, tokenizer
        As for `compute`. A prediction whose list of references is empty is left out, as in NLTK.
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
        some of these.)

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
    least, most = checked_integer(min_len, "min_len"), checked_integer(max_len, "max_len")
    if not 1 <= least <= most:
        raise ValueError(
            f"min_len is {least} and max_len is {most}, expected 1 <= min_len <= max_len"
        )
    options = segments.evaluate_options(most, tokenizer=tokenizer)
    if isinstance(references, SharedReferences):
        raise TypeError(
            "references is a SharedReferences, but google_bleu chooses one reference for each "
            "prediction; pass a list of references for each"
        )
    corpus, counts = segments.align_predictions(predictions, references, tokenizer, may_lack=True)
    with closing(map_packed(pairs_of, corpus, options, DEFAULT_RUN)) as blocks:
        pairs = Statistics.concatenate([no_rows(options), *blocks])
    return {"google_bleu": _corpus_gleu(pairs, counts, least)}


def pairs_of(max_order: int, ref_length: RefLength, packed: PackedSegments) -> Statistics:
    """Statistics of each pair of a hypothesis and one of its references: a row a reference."""
    units, offsets = packed.by_segment()
    counts = as_index(np.diff(offsets) - 1)
    if (counts != 1).any():
        hypotheses = np.repeat(offsets[:-1], counts)  # (pairs,)
        references = np.delete(np.arange(offsets[-1]), offsets[:-1])
        units = units.take(np.column_stack([hypotheses, references]).reshape(-1))
        offsets = np.arange(len(references) + 1) * 2
    return count_units(units, offsets, max_order, ref_length)


def _corpus_gleu(pairs: Statistics, counts: Int64, min_len: int) -> float:
    """NLTK's `corpus_gleu` of counted pairs, of which `counts` (segments,) belong to each."""
    orders = np.arange(min_len - 1, pairs.max_order)
    matches = pairs.matches[:, orders].sum(axis=1)
    of_references = np.maximum(pairs.ref_len[:, None] - orders, 0).sum(axis=1)
    ngrams = np.maximum(pairs.totals[:, orders].sum(axis=1), of_references)
    # NLTK does not look at references where neither side has an n-gram.
    scores = np.where(ngrams > 0, matches / np.maximum(ngrams, 1), -1.0)
    sizes = as_index(counts[counts > 0])
    starts = np.cumsum(sizes) - sizes
    highest = np.flatnonzero(scores == np.repeat(np.maximum.reduceat(scores, starts), sizes))
    chosen = highest[np.searchsorted(highest, starts)]  # the first of each segment
    total = int(ngrams[chosen].sum())
    return int(matches[chosen].sum()) / total if total else 0.0

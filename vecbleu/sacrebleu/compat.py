"""sacreBLEU's functions for BLEU."""

from __future__ import annotations

from collections.abc import Sequence

from vecbleu.sacrebleu.metrics.bleu import BLEU, BLEUScore, BLEUSignature
from vecbleu.sacrebleu.options import SMOOTH_DEFAULTS, TOKENIZER_DEFAULT, SmoothMethod
from vecbleu.sacrebleu.streams import Hypotheses, Streams

__all__ = ["BLEU", "BLEUScore", "BLEUSignature", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]


def corpus_bleu(
    hypotheses: Hypotheses,
    references: Streams,
    smooth_method: SmoothMethod | str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Score a corpus, as `BLEU.corpus_score` does.

    Parameters
    ----------
    hypotheses : sequence (segments,) of str
        Output of the system.
    references : sequence (streams,) of sequences (segments,) of str or None
        ``references[k][i]`` is the k-th reference of segment i, or None if it has fewer.
    smooth_method, smooth_value, force, lowercase, tokenize
        As for `BLEU`.
    use_effective_order : bool
        Leave out orders that the hypotheses are too short for.

    Returns
    -------
    BLEUScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_bleu
    >>> corpus_bleu(["The cat sat.", "A dog."], [["The cat sat.", "The dog."]]).score
    82.22672338010389
    """
    options = lowercase, force, tokenize, smooth_method, smooth_value
    metric = BLEU(*options, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Hypotheses,
    references: Streams,
    smooth_value: float | None = SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Score tokenized text: split it at white space, and use smoothing "floor".

    Parameters
    ----------
    hypotheses, references
        As for `corpus_bleu`.
    smooth_value : float, optional
        Value that replaces counts of zero.

    Returns
    -------
    BLEUScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import raw_corpus_bleu
    >>> round(raw_corpus_bleu(["the cat sat ."], [["a cat sat ."]]).score, 2)
    39.76
    """
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: SmoothMethod | str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Score one segment; for many, `BLEU.sentence_scores` is faster.

    Parameters
    ----------
    hypothesis : str
        Hypothesis of the segment.
    references : sequence of str or None
        Its references; None is left out.
    smooth_method, smooth_value, lowercase, tokenize
        As for `BLEU`.
    use_effective_order : bool
        Leave out orders that the hypothesis is too short for.

    Returns
    -------
    BLEUScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import sentence_bleu
    >>> round(sentence_bleu("The cat sat.", ["The cat lay."]).score, 2)
    35.36
    """
    options = lowercase, False, tokenize, smooth_method, smooth_value
    metric = BLEU(*options, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)

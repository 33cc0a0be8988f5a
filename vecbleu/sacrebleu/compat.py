"""sacreBLEU's functions for BLEU and chrF."""

from __future__ import annotations

from collections.abc import Sequence

from vecbleu.sacrebleu.metric import Hypotheses, Streams
from vecbleu.sacrebleu.metrics.bleu import BLEU
from vecbleu.sacrebleu.metrics.chrf import CHRF
from vecbleu.sacrebleu.options import SMOOTH_DEFAULTS, TOKENIZER_DEFAULT, SmoothMethod
from vecbleu.sacrebleu.score import BLEUScore, CHRFScore
from vecbleu.sacrebleu.score import BLEUSignature as BLEUSignature
from vecbleu.sacrebleu.score import CHRFSignature as CHRFSignature


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
    options = "floor", smooth_value, True, False, "none", True
    return corpus_bleu(hypotheses, references, *options)


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


def corpus_chrf(
    hypotheses: Hypotheses,
    references: Streams,
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Score a corpus, as `CHRF.corpus_score` does.

    Parameters
    ----------
    hypotheses : sequence (segments,) of str
        Output of the system.
    references : sequence (streams,) of sequences (segments,) of str or None
        ``references[k][i]`` is the k-th reference of segment i, or None if it has fewer.
    char_order, word_order, beta, eps_smoothing
        As for `CHRF`.
    remove_whitespace : bool
        Do not count white space.

    Returns
    -------
    CHRFScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_chrf
    >>> corpus_chrf(["The cat sat.", "A dog."], [["The cat sat.", "The dog."]])
    chrF2 = 77.87
    """
    whitespace = not remove_whitespace
    metric = CHRF(char_order, word_order, beta, False, whitespace, eps_smoothing)
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Score one segment; for many, `CHRF.sentence_scores` is faster.

    Parameters
    ----------
    hypothesis : str
        Hypothesis of the segment.
    references : sequence of str or None
        Its references; None is left out.
    char_order, word_order, beta, remove_whitespace, eps_smoothing
        As for `corpus_chrf`.

    Returns
    -------
    CHRFScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import sentence_chrf
    >>> sentence_chrf("The cat sat.", ["The cat lay."])
    chrF2 = 46.96
    """
    whitespace = not remove_whitespace
    metric = CHRF(char_order, word_order, beta, False, whitespace, eps_smoothing)
    return metric.sentence_score(hypothesis, references)

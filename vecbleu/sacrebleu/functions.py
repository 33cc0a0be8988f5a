"""The functions of sacreBLEU for BLEU: a `BLEU` made and used once."""

from __future__ import annotations

from collections.abc import Sequence

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.score import BLEUScore

Streams = Sequence[Sequence[str | None]]


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Score a corpus: `BLEU.corpus_score`.

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_bleu
    >>> corpus_bleu(["The cat sat.", "A dog."], [["The cat sat.", "The dog."]]).score
    82.22672338010389
    """
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Score a corpus that is tokenized: split at white space, with smoothing "floor".

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
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Score one segment: `BLEU.sentence_score`; for many, `BLEU.sentence_scores` is faster.

    Examples
    --------
    >>> from vecbleu.sacrebleu import sentence_bleu
    >>> round(sentence_bleu("The cat sat.", ["The cat lay."]).score, 2)
    35.36
    """
    metric = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.sentence_score(hypothesis, references)

"""The metric "sacrebleu": references of each prediction in, sacreBLEU's numbers in a dict out."""

from __future__ import annotations

from typing import Any

from vecbleu.huggingface import segments
from vecbleu.pairwise.shared import SharedReferences
from vecbleu.sacrebleu.bleu import corpus_bleu
from vecbleu.sacrebleu.options import TOKENIZER_DEFAULT, SmoothMethod
from vecbleu.sacrebleu.streams import Streams


def sacrebleu(
    *,
    predictions: segments.Predictions,
    references: segments.PredictionReferences,
    smooth_method: SmoothMethod | str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    """Score a corpus as `evaluate`'s "sacrebleu" does: sacreBLEU, with references by prediction.

    Parameters
    ----------
    predictions : sequence of str (segments,)
        What is scored.
    references : sequence (segments,) of str or of sequences of str
        What belongs to each prediction: one string, or as many as every other one has; or a
        `vecbleu.SharedReferences`.
    smooth_method, smooth_value, force, lowercase
        As for `vecbleu.sacrebleu.BLEU`.
    tokenize : str, optional
        The name of a tokenizer, as for `vecbleu.sacrebleu.BLEU`; "13a" if it is not given.
    use_effective_order : bool
        Leave out the orders that the predictions are too short for.

    Returns
    -------
    dict
        score (0 to 100), counts and totals (lists of N), precisions (list of N, 0 to 100), bp,
        sys_len and ref_len.

    Raises
    ------
    TypeError
        Something is not a string.
    ValueError
        The sides differ in length, predictions have different numbers of references (for which
        `vecbleu.corpus_bleu` is), or none; there are no predictions; an option is unknown.

    Examples
    --------
    >>> from vecbleu.huggingface import sacrebleu
    >>> found = sacrebleu(
    ...     predictions=["hello there general kenobi", "foo bar foobar"],
    ...     references=[
    ...         ["hello there general kenobi", "hello there !"],
    ...         ["foo bar foobar", "foo bar"],
    ...     ],
    ... )
    >>> found["counts"], found["totals"], found["bp"], found["sys_len"], found["ref_len"]
    ([7, 5, 3, 1], [7, 5, 3, 1], 1.0, 7, 7)
    >>> round(found["score"], 6)
    100.0

    References
    ----------
    Post (2018), "A call for clarity in reporting BLEU scores", WMT; `evaluate`'s
    metrics/sacrebleu.
    """
    hypotheses: list[str]
    streams: Streams
    if isinstance(references, SharedReferences):
        hypotheses, streams = segments.checked_predictions(predictions), references
    else:
        hypotheses, streams = segments.aligned_streams(predictions, references)
    if not hypotheses:
        raise ValueError("predictions has 0 segments; there is nothing to score")
    result = corpus_bleu(
        hypotheses,
        streams,
        smooth_method,
        smooth_value,
        force,
        lowercase,
        tokenize or TOKENIZER_DEFAULT,
        use_effective_order,
    )
    names = "score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"
    return {name: getattr(result, name) for name in names}

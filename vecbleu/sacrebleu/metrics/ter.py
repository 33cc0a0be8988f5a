"""sacreBLEU's class `TER`, its score and signature, and its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.kernel.arrays import Counts, Float
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.score import MetricSignature, Score, options_of, references_of
from vecbleu.sacrebleu.streams import Hypotheses, Streams
from vecbleu.ter.arrays import ter_percents
from vecbleu.ter.columns import length_of_row
from vecbleu.ter.metric import Ter
from vecbleu.ter.options import TerOptions

__all__ = ["TER", "TERScore", "TERSignature", "corpus_ter", "sentence_ter"]


@dataclass(eq=False, repr=False)
class TERScore(Score):
    """TER times 100, with what it was computed from; lower is better.

    Parameters
    ----------
    score : float
        TER times 100: from 0 on, and above 100 if there are more edits than words.
    num_edits : int
        Words to insert, to delete and to replace, and blocks of words to shift.
    ref_length : float
        Words of the references; of several references of a segment, their mean.

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_ter
    >>> score = corpus_ter(["on the mat the cat sat"], [["the cat sat on the mat"]])
    >>> score, score.num_edits, score.ref_length
    (TER = 16.67, 1, 6.0)
    """

    score: float
    num_edits: int
    ref_length: float

    def __post_init__(self) -> None:
        self.name = "TER"
        self.num_edits = int(self.num_edits)


class TERSignature(MetricSignature):
    """Signature of TER.

    Parameters
    ----------
    args : dict
        Attributes of a `TER`; `num_refs` is -1 if segments differ in their number of references.

    Raises
    ------
    ValueError
        The number of references is not known yet.

    Examples
    --------
    >>> from vecbleu.sacrebleu import TER
    >>> metric = TER(no_punct=True, references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        known = options_of(TerOptions, args).signature(references_of(args))
        super().__init__(known, bs=args.get("n_bootstrap"), seed=args.get("seed"))


class TER(Metric[TERScore, TERSignature]):
    """TER with the interface and the numbers of `sacrebleu.TER`, tens of times faster.

    Subclasses can add methods, but not override counting or scoring; for that, derive from the
    class of the installed sacreBLEU.

    Parameters
    ----------
    normalized : bool
        Cut punctuation from words, and replace XML's entities by characters.
    no_punct : bool
        Remove punctuation.
    asian_support : bool
        With `normalized`, cut Chinese and Japanese characters apart; with `no_punct`, remove their
        punctuation.
    case_sensitive : bool
        Keep upper case; by default, text is lowercased.
    references : sequence (streams,) of sequences (segments,) of str or None, optional
        References to check once, for any number of systems.

    Raises
    ------
    TypeError
        An option is not a bool.

    Examples
    --------
    >>> from vecbleu.sacrebleu import TER
    >>> metric = TER(references=[["The cat sat.", "A dog."], ["The cat sat down.", None]])
    >>> metric.corpus_score(["The cat sat.", "The dog."], None)
    TER = 18.18
    >>> TER().sentence_scores(["A cat.", "A dog."], [["A cat.", "The dog."]])
    array([ 0., 50.])

    References
    ----------
    Snover et al. (2006), "A study of translation edit rate with targeted human annotation", AMTA;
    sacreBLEU 2.6.
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Streams | None = None,
    ) -> None:
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self._metric()  # raises if an option is wrong
        super().__init__(references)

    def _metric(self) -> Ter:
        return Ter(options_of(TerOptions, vars(self)))

    def _percents(self, counts: Counts, resampled_type: npt.DTypeLike = np.float64) -> Float:
        return ter_percents(counts, resampled_type)

    def _as_sacrebleus(self, rows: list[list[int]]) -> Sequence[Sequence[float]]:
        """Return edits and the mean length of the references of each row of counts."""
        return [[row[0], length_of_row(row)] for row in rows]

    def _compute_score_from_stats(self, stats: Sequence[float] | Counts) -> TERScore:
        edits, length = stats
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, int(edits), length)


def corpus_ter(
    hypotheses: Hypotheses,
    references: Streams,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score a corpus, as `TER.corpus_score` does.

    Parameters
    ----------
    hypotheses : sequence (segments,) of str
        Output of the system.
    references : sequence (streams,) of sequences (segments,) of str or None
        ``references[k][i]`` is the k-th reference of segment i, or None if it has fewer.
    normalized, no_punct, asian_support, case_sensitive
        As for `TER`.

    Returns
    -------
    TERScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_ter
    >>> corpus_ter(["The cat sat.", "A dog."], [["The cat sat.", "The dog."]])
    TER = 20.00
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score one segment; for many, `TER.sentence_scores` is faster.

    Parameters
    ----------
    hypothesis : str
        Hypothesis of the segment.
    references : sequence of str or None
        Its references; None is left out.
    normalized, no_punct, asian_support, case_sensitive
        As for `TER`.

    Returns
    -------
    TERScore

    Examples
    --------
    >>> from vecbleu.sacrebleu import sentence_ter
    >>> sentence_ter("The cat sat.", ["The cat lay."])
    TER = 33.33
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.sentence_score(hypothesis, references)

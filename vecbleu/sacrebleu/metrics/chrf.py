"""sacreBLEU's class `CHRF`, its score and signature, and its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.arrays import chrf_percents
from vecbleu.chrf.metric import Chrf
from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.plain import row_percent
from vecbleu.kernel.arrays import Counts, Float
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.score import MetricSignature, Score, options_of, references_of
from vecbleu.sacrebleu.streams import Hypotheses, Streams

__all__ = ["CHRF", "CHRFScore", "CHRFSignature", "corpus_chrf", "sentence_chrf"]


@dataclass(eq=False, repr=False)
class CHRFScore(Score):
    """chrF score between 0 and 100, with the options that name it.

    Parameters
    ----------
    score : float
        chrF, between 0 and 100.
    char_order, word_order : int
        Longest n-grams of characters and of words.
    beta : float
        Recall counts ``beta**2`` times as much as precision.

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_chrf
    >>> corpus_chrf(["the cat sat on the mat"], [["the cat sat on a mat"]], word_order=2)
    chrF2++ = 72.03
    """

    score: float
    char_order: int
    word_order: int
    beta: float

    def __post_init__(self) -> None:
        self.name = f"chrF{self.beta:g}{'+' * self.word_order}"


class CHRFSignature(MetricSignature):
    """Signature of chrF, with `beta` if it is not 2.

    Parameters
    ----------
    args : dict
        Attributes of a `CHRF`; `num_refs` is -1 if segments differ in their number of references.

    Raises
    ------
    ValueError
        The number of references is not known yet.

    Examples
    --------
    >>> from vecbleu.sacrebleu import CHRF
    >>> metric = CHRF(word_order=2, references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        known = options_of(ChrfOptions, args).signature(references_of(args))
        super().__init__(known, bs=args.get("n_bootstrap"), seed=args.get("seed"))


class CHRF(Metric[CHRFScore, CHRFSignature]):
    """chrF with the interface and the numbers of `sacrebleu.CHRF`, tens of times faster.

    Subclasses can add methods, but not override counting or scoring; for that, derive from the
    class of the installed sacreBLEU.

    Parameters
    ----------
    char_order : int
        Longest n-grams of characters.
    word_order : int
        Longest n-grams of words: 2 for chrF++, 1 for chrF+.
    beta : float
        Recall counts ``beta**2`` times as much as precision.
    lowercase : bool
        Lowercase the text first.
    whitespace : bool
        Count white space, too.
    eps_smoothing : bool
        Return the mean F-score of all orders, as chrF++.py, NLTK and Moses do.
    references : sequence (streams,) of sequences (segments,) of str or None, optional
        References to check once, for any number of systems.

    Raises
    ------
    TypeError, ValueError
        An option has the wrong type or is out of range.

    Examples
    --------
    >>> from vecbleu.sacrebleu import CHRF
    >>> metric = CHRF(references=[["The cat sat.", "A dog."], ["The cat sat down.", None]])
    >>> metric.corpus_score(["The cat sat.", "The dog."], None)
    chrF2 = 89.16
    >>> CHRF(word_order=2).sentence_scores(["A cat.", "A dog."], [["A cat.", "The dog."]])
    array([100.        ,  43.48753977])

    References
    ----------
    Popović (2015), "chrF: character n-gram F-score for automatic MT evaluation", WMT; sacreBLEU
    2.6.
    """

    CHAR_ORDER, WORD_ORDER, BETA = 6, 0, 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: float = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self.order = self._options().orders  # raises if an option is wrong
        super().__init__(references)

    def _options(self) -> ChrfOptions:
        """Return options from the current attributes."""
        return options_of(ChrfOptions, vars(self))

    def _metric(self) -> Chrf:
        return Chrf(self._options())

    def _percents(self, counts: Counts, resampled_type: npt.DTypeLike = np.float64) -> Float:
        return chrf_percents(counts, self._options(), resampled_type)

    def _score_of(self, row: list[int]) -> CHRFScore:
        score = row_percent(row, self._options())
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

    def _compute_score_from_stats(self, stats: Sequence[float] | Counts) -> CHRFScore:
        counts = np.asarray(stats)
        score: Any = self._percents(counts, np.result_type(counts, np.float32))
        if score.dtype == np.float64:  # not float32, in which sacreBLEU compares resampled scores
            score = score.item()
        return CHRFScore(score, self.char_order, self.word_order, self.beta)


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

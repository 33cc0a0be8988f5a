"""sacreBLEU's class `CHRF`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.arrays import chrf_percents
from vecbleu.chrf.metric import Chrf
from vecbleu.chrf.options import ChrfOptions
from vecbleu.core.arrays import Counts, Int64
from vecbleu.core.corpus import Countable
from vecbleu.core.count import count_rows
from vecbleu.sacrebleu.metric import Metric, Streams
from vecbleu.sacrebleu.score import CHRFScore, CHRFSignature

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


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
        return ChrfOptions.checked(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )

    def _rows(self, corpus: Countable) -> Int64:
        return count_rows(corpus, Chrf(self._options()))

    def _percents(self, counts: Counts, resampled_type: Any = np.float64) -> npt.NDArray[Any]:
        return chrf_percents(counts, self._options(), resampled_type)

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        counts = np.asarray(stats)
        score: Any = self._percents(counts, np.result_type(counts, np.float32))
        if score.dtype == np.float64:  # not float32, in which sacreBLEU compares resampled scores
            score = score.item()
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

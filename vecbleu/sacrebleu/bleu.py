"""The class `BLEU` of sacreBLEU: its options, streams, cache, warnings and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.inputs import complete_values, is_column
from vecbleu.pipeline import Counting
from vecbleu.results import score_rows
from vecbleu.sacrebleu.options import (
    SMOOTH_DEFAULTS,
    TOKENIZER_DEFAULT,
    added_by,
    check_references,
    choose_tokenizer,
    environment_seed,
    logger,
    sacrebleu_formula,
    smoothing_value,
    warn_of_tokenized,
)
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.signature import BLEUSignature, smoothing_field
from vecbleu.sacrebleu.tokenizer import LineTokenizer
from vecbleu.scores import Formula, percent_bleu
from vecbleu.statistics import Statistics
from vecbleu.streams import Streams
from vecbleu.tokenizers import TOKENIZERS

MAX_NGRAM_ORDER = 4


class BLEU:
    """BLEU as `sacrebleu.BLEU` computes it, tens of times faster.

    Parameters
    ----------
    lowercase : bool
        Apply `str.lower` first.
    force : bool
        Do not warn of data that look tokenized.
    tokenize : str, optional
        A name in `BLEU.TOKENIZERS`, or the path of a SentencePiece model; "13a", or what
        `trg_lang` calls for, if it is not given.
    smooth_method : {"exp", "floor", "add-k", "none"}
        What becomes of a precision of zero.
    smooth_value : float, optional
        For "floor" (0.1) and "add-k" (1).
    max_ngram_order : int
        The longest n-gram counted.
    effective_order : bool
        Leave out the orders that the hypothesis is too short for; for sentence scores.
    trg_lang : str
        The language, for the choice of a tokenizer: "zh", "ja", "ko" have one of their own.
    references : sequence (streams,) of sequences (segments,) of str or None, optional
        References that are tokenized once and kept for every system.

    Raises
    ------
    ValueError
        An option is unknown.
    ImportError, FileNotFoundError
        The tokenizer needs a package or a model that is not there.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> metric = BLEU(references=[["The cat sat.", "A dog."], ["The cat sat down.", None]])
    >>> metric.corpus_score(["The cat sat.", "The dog."], None).score
    82.22672338010389
    >>> BLEU(effective_order=True).sentence_scores(["A cat.", "A dog."], [["A cat.", "The dog."]])
    array([100.        ,  55.03212081])

    References
    ----------
    Post (2018), "A call for clarity in reporting BLEU scores", WMT; sacreBLEU 2.6.
    """

    SMOOTH_DEFAULTS = SMOOTH_DEFAULTS
    TOKENIZERS = TOKENIZERS.keys()
    TOKENIZER_DEFAULT = TOKENIZER_DEFAULT

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        self.num_refs: int | None = None
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._force = force
        self._formula()  # raises if an option is wrong
        self.tokenizer = LineTokenizer(choose_tokenizer(tokenize, trg_lang))
        self.tokenizer_signature = self.tokenizer.signature()
        self._cache: Streams | None = None
        if references is not None:
            self._cache = Streams(references, self._counting())
            self.num_refs = self._cache.number

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence (segments,) of str
            The system's output.
        references : sequence (streams,) of sequences (segments,) of str or None
            ``references[k][i]`` is the k-th reference of segment i, None if there is none; or
            None for those that were given to the class.
        n_bootstrap : int
            Resample the corpus so many times for an interval of 95%; 1 is none. The seed is
            12345, or the environment's SACREBLEU_SEED ("none" draws one).

        Returns
        -------
        BLEUScore

        Raises
        ------
        TypeError, ValueError
            Something is no string; lengths differ; a segment has no reference.
        RuntimeError
            There are no references here and none in the class.
        """
        if not isinstance(n_bootstrap, (int, np.integer)):
            raise TypeError(f"n_bootstrap is {n_bootstrap!r}, expected an integer")
        if is_column(hypotheses):
            hypotheses = complete_values(hypotheses, "hypotheses")
        elif isinstance(hypotheses, Iterator):
            hypotheses = [*hypotheses]
        rows = self._statistics(hypotheses, references)
        if not self._force:
            warn_of_tokenized([*map(str.endswith, hypotheses, repeat(" ."))].count(True))
        score = self._scores(rows.sum()[None])[0]
        if n_bootstrap > 1:
            from vecbleu.significance.resampling import bootstrap_sums, generator  # takes 8 ms

            self.n_bootstrap = n_bootstrap
            self.seed, seed = environment_seed()
            table = rows.to_array().astype(np.float64)
            sums = bootstrap_sums(table, n_bootstrap, generator(seed))
            score.set_interval(percent_bleu(sums, self._formula()).tolist())
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one segment against its references."""
        self._recommend_effective_order()
        if not isinstance(hypothesis, str):
            raise TypeError(f"hypothesis is {type(hypothesis).__name__}, expected a string")
        check_references(references)
        rows = self._statistics([hypothesis], [[reference] for reference in references])
        return self._scores(rows)[0]

    def sentence_scores(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> npt.NDArray[np.float64]:
        """Score all segments by themselves: what a loop over `sentence_score` gives, at once.

        Parameters
        ----------
        hypotheses, references
            As for `corpus_score`: references are streams.

        Returns
        -------
        float64 array (segments,)
            BLEU of each segment, 0 to 100.
        """
        self._recommend_effective_order()
        rows = self._statistics(hypotheses, references)
        scores: npt.NDArray[np.float64] = percent_bleu(rows.to_array(), self._formula())
        return scores

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Score counts: matches and totals of each order, and two lengths. They stay as they are.

        Examples
        --------
        >>> from vecbleu.sacrebleu import BLEU
        >>> BLEU.compute_bleu([5, 3, 2, 1], [6, 5, 4, 3], 6, 6)
        BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        """
        formula = sacrebleu_formula(smooth_method, smooth_value, max_ngram_order, effective_order)
        if not len(correct) == len(total) == max_ngram_order:
            raise ValueError(
                f"correct and total have {len(correct)} and {len(total)} orders but "
                f"max_ngram_order is {max_ngram_order}"
            )
        row = Statistics.from_array(np.array([[sys_len, ref_len, *correct, *total]]))
        if row.ref_len.dtype != np.int64:
            raise ValueError(f"ref_len is {ref_len}, expected a whole number")
        (result,) = score_rows(row, formula)
        return BLEUScore.from_result(result, added_by(smooth_method, smooth_value))

    def get_signature(self) -> BLEUSignature:
        """Say what has been computed; ValueError before there have been references."""
        if self.num_refs is None:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        value = smoothing_value(self.smooth_method, self.smooth_value)
        return BLEUSignature(
            {
                "nrefs": "var" if self.num_refs == -1 else self.num_refs,
                "bs": self.n_bootstrap,
                "seed": self.seed,
                "case": "lc" if self.lowercase else "mixed",
                "eff": "yes" if self.effective_order else "no",
                "tok": self.tokenizer_signature,
                "smooth": smoothing_field(self.smooth_method, value),
                "max_order": None if self.max_ngram_order == 4 else self.max_ngram_order,
            }
        )

    def _recommend_effective_order(self) -> None:
        """Warn that sentences are often too short for the longest n-grams."""
        if not self.effective_order:
            logger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")

    def _formula(self) -> Formula:
        """The formula of the options as they are now: the attributes can be changed."""
        return sacrebleu_formula(
            self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )

    def _counting(self) -> Counting:
        """How segments are counted, by the options as they are now."""
        return Counting(self.tokenizer.name, bool(self.lowercase), self.max_ngram_order)

    def _statistics(self, hypotheses: Any, references: Any) -> Statistics:
        """Count a system against given or kept references."""
        streams = self._cache if references is None else Streams(references)
        if streams is None:
            raise RuntimeError("No references provided and the cache is empty.")
        self.num_refs = streams.number
        return streams.count(hypotheses, self._counting())

    def _scores(self, rows: Statistics) -> list[BLEUScore]:
        """Score objects of rows."""
        added = added_by(self.smooth_method, self.smooth_value)
        return [BLEUScore.from_result(one, added) for one in score_rows(rows, self._formula())]

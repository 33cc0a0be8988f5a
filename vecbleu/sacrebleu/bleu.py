"""The class `BLEU` of sacreBLEU: its options, streams, cache, warnings and scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.checks import checked_integer
from vecbleu.core.corpus.blocks import Corpus
from vecbleu.core.corpus.shared import PreparedReferences
from vecbleu.core.options import CountOptions, ScoreOptions
from vecbleu.core.pipeline import count_rows, count_total
from vecbleu.core.public import public
from vecbleu.core.scoring.formula import bleu_and_percent, percent_bleu
from vecbleu.core.statistics.columns import whole_columns
from vecbleu.core.statistics.scores import row_scores
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.text.tokenizers import NAMES
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.options import SmoothMethod
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.signature import BLEUSignature, signature_of
from vecbleu.sacrebleu.streams import (
    Hypotheses,
    ReferenceStreams,
    SharedStreams,
    Streams,
    check_references,
    checked_hypotheses,
    streams_of,
)
from vecbleu.sacrebleu.tokenizer import LineTokenizer

MAX_NGRAM_ORDER = 4


@public("vecbleu.sacrebleu")
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
        References that are tokenized once, for any number of systems. Here, and wherever
        references are, a `vecbleu.SharedReferences` stands for the references of every segment.

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

    SMOOTH_DEFAULTS = options.SMOOTH_DEFAULTS
    TOKENIZERS = NAMES
    TOKENIZER_DEFAULT = options.TOKENIZER_DEFAULT

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: SmoothMethod | str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Streams | None = None,
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
        self._score_options()  # raises if an option is wrong
        self.tokenizer = LineTokenizer(options.choose_tokenizer(tokenize, trg_lang))
        self.tokenizer_signature = self.tokenizer.signature()
        self._cache: ReferenceStreams | SharedStreams | None = None
        if references is not None:
            self._cache = streams_of(references, self._count_options())
            self.num_refs = self._cache.number

    def corpus_score(
        self, hypotheses: Hypotheses, references: Streams | None, n_bootstrap: int = 1
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
        n_bootstrap = checked_integer(n_bootstrap, "n_bootstrap")
        listed = checked_hypotheses(hypotheses)
        corpus, counting = self._corpus(listed, references), self._count_options()
        rows = count_rows(corpus, counting) if n_bootstrap > 1 else None
        total = count_total(corpus, counting) if rows is None else rows.sum()
        if not self._force:
            options.warn_of_tokenized([*map(str.endswith, listed, repeat(" ."))].count(True))
        score = _score_object(total, self._score_options(), self.smooth_value)
        if rows is not None:
            from vecbleu.significance.resampling import DrawOptions, draw_sums  # takes 8 ms

            self.n_bootstrap = n_bootstrap
            self.seed, seed = options.environment_seed()
            sums = draw_sums(rows.to_array(), DrawOptions("bootstrap", n_bootstrap, seed))
            score.set_interval(percent_bleu(sums, self._score_options()).tolist())
        return score

    def sentence_score(
        self, hypothesis: str, references: Sequence[str | None] | PreparedReferences
    ) -> BLEUScore:
        """Score one segment against its references."""
        self._warn_of_short_sentences()
        if not isinstance(hypothesis, str):
            raise TypeError(f"hypothesis is {type(hypothesis).__name__}, expected a string")
        streams: Streams
        if isinstance(references, PreparedReferences):
            streams = references
        else:
            check_references(references)
            streams = [[reference] for reference in references]
        corpus = self._corpus([hypothesis], streams)
        total = count_total(corpus, self._count_options())
        return _score_object(total, self._score_options(), self.smooth_value)

    def sentence_scores(self, hypotheses: Hypotheses, references: Streams | None) -> Float64:
        """Score each segment by itself: what a loop over `sentence_score` gives, at once.

        Parameters
        ----------
        hypotheses, references
            As for `corpus_score`: references are streams.

        Returns
        -------
        float64 array (segments,)
            BLEU of each segment, 0 to 100.
        """
        self._warn_of_short_sentences()
        corpus = self._corpus(checked_hypotheses(hypotheses), references)
        rows = count_rows(corpus, self._count_options())
        return bleu_and_percent(rows.to_array(), self._score_options())[1]

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: SmoothMethod | str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Score counts: matches and totals of each order, and two lengths; no list is changed.

        Examples
        --------
        >>> from vecbleu.sacrebleu import BLEU
        >>> BLEU.compute_bleu([5, 3, 2, 1], [6, 5, 4, 3], 6, 6)
        BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        """
        scored = options.score_options(
            smooth_method, smooth_value, max_ngram_order, effective_order
        )
        if not len(correct) == len(total) == max_ngram_order:
            raise ValueError(
                f"correct and total have {len(correct)} and {len(total)} orders but "
                f"max_ngram_order is {max_ngram_order}"
            )
        row = Statistics(*whole_columns(np.array([[sys_len, ref_len, *correct, *total]])))
        if row.ref_len.dtype != np.int64:
            raise ValueError(f"ref_len is {ref_len}, expected a whole number")
        return _score_object(row[0], scored, smooth_value)

    def get_signature(self) -> BLEUSignature:
        """Say what has been computed; ValueError before there have been references."""
        if self.num_refs is None:
            raise ValueError("the number of references is not known before something is scored")
        counted = self._count_options().signature(references=self.num_refs)
        return signature_of(counted, self._score_options(), bs=self.n_bootstrap, seed=self.seed)

    def _warn_of_short_sentences(self) -> None:
        """Warn that sentences are often too short for the longest n-grams."""
        if not self.effective_order:
            options.warn(
                "most sentences shorter than the longest n-gram score 0 without `effective_order`"
            )

    def _score_options(self) -> ScoreOptions:
        """How counts are scored, by the options as they are now: the attributes can be changed."""
        return options.score_options(
            self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )

    def _count_options(self) -> CountOptions:
        """How segments are counted, by the options as they are now."""
        return CountOptions.checked(self.tokenizer.name, bool(self.lowercase), self.max_ngram_order)

    def _corpus(self, hypotheses: Sequence[str], references: Streams | None) -> Corpus:
        """Align a system with the given references, or with those of the class."""
        streams = self._cache if references is None else streams_of(references)
        if streams is None:
            raise RuntimeError("references is None, and the class was given none either")
        self.num_refs = streams.number
        return streams.corpus(hypotheses)


def _score_object(row: Statistics, scored: ScoreOptions, smooth_value: float | None) -> BLEUScore:
    """The score of a row; add-k adds its value as the user gave it, an int as an int."""
    is_add_k = scored.smoothing == "add-k"
    added = options.smoothing_value("add-k", smooth_value) if is_add_k else None
    return BLEUScore.from_result(row_scores(row, scored)[0], added)

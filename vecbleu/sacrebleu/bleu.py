"""The class `BLEU` of sacreBLEU: its options, streams, cache, warnings and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.checks import checked_integer
from vecbleu.core.corpus.blocks import Corpus
from vecbleu.core.corpus.shared import PreparedReferences
from vecbleu.core.options import CountOptions
from vecbleu.core.pipeline import count_rows, count_total
from vecbleu.core.public import public
from vecbleu.core.scoring.formula import bleu_and_percent, percent_bleu
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.text.tokenizers import NAMES
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.hooks import MAX_NGRAM_ORDER, SegmentBLEU, score_object
from vecbleu.sacrebleu.options import SmoothMethod
from vecbleu.sacrebleu.overrides import Methods
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.streams import (
    Hypotheses,
    Streams,
    checked_hypotheses,
    streams_of,
)
from vecbleu.sacrebleu.tokenizer import counted_name, make_tokenizer, signature_of_tokenizer

# Methods that say what is counted, and how counts are scored; a program can override them.
_COUNTING_NAMES = (
    "_cache_references",
    "_extract_reference_info",
    "_compute_segment_statistics",
    "_get_closest_ref_len",
)
_SCORING_NAMES = (
    "_extract_corpus_statistics",
    "_aggregate_and_compute",
    "_compute_score_from_stats",
    "compute_bleu",
)


@public("vecbleu.sacrebleu")
class BLEU(SegmentBLEU):
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
        super().__init__()
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        self.num_refs = None  # type: ignore[assignment]  # of sacreBLEU's type
        self._force = force
        self._score_options()  # raises if an option is wrong
        defaults = self.TOKENIZER_DEFAULT, self._TOKENIZER_MAP
        name = options.choose_tokenizer(tokenize, trg_lang, options.warn, *defaults)
        self.tokenizer = make_tokenizer(name)
        # Of the one that is used, which a subclass's property decides.
        self.tokenizer_signature = signature_of_tokenizer(self.tokenizer)
        if references is not None:
            self._ref_cache = self._cache_references(references)

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
        if self._is_overridden(references):
            result: BLEUScore = super().corpus_score(hypotheses, references, n_bootstrap)
            return result
        n_bootstrap = checked_integer(n_bootstrap, "n_bootstrap")
        self._check_corpus_score_args(hypotheses, references)
        listed = checked_hypotheses(hypotheses)
        corpus, counting = self._corpus(listed, references), self._count_options()
        rows = count_rows(corpus, counting) if n_bootstrap > 1 else None
        total = count_total(corpus, counting) if rows is None else rows.sum()
        self._warn_of_tokenized(listed)
        score = score_object(total, self._score_options(), self.smooth_value)
        if rows is not None:
            from vecbleu.significance.resampling import DrawOptions, draw_sums  # takes 8 ms

            self.n_bootstrap = n_bootstrap
            self.seed, seed = options.environment_seed()
            sums = draw_sums([rows.array], DrawOptions("bootstrap", n_bootstrap, seed))[:, 0]
            score.set_interval(percent_bleu(sums, self._score_options()).tolist())
        return score

    def sentence_score(
        self, hypothesis: str, references: Sequence[str | None] | PreparedReferences
    ) -> BLEUScore:
        """Score one segment against its references."""
        self._warn_of_short_sentences()
        if self._is_overridden(references):
            result: BLEUScore = super().sentence_score(hypothesis, references)
            return result
        self._check_sentence_score_args(hypothesis, references)
        streams: Streams
        if isinstance(references, PreparedReferences):
            streams = references
        else:
            streams = [[reference] for reference in references]
        corpus = self._corpus([hypothesis], streams)
        total = count_total(corpus, self._count_options())
        return score_object(total, self._score_options(), self.smooth_value)

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
        if self._is_overridden(references):
            rows = self._extract_corpus_statistics(hypotheses, references)
            return np.array([self._compute_score_from_stats(row).score for row in rows])
        corpus = self._corpus(checked_hypotheses(hypotheses), references)
        table = count_rows(corpus, self._count_options())
        return bleu_and_percent(table.to_array(), self._score_options())[1]

    def _cache_references(self, references: Any) -> Any:
        """Tokenize references once, for any number of systems."""
        if _COUNTING.are_overridden(self):
            return super()._cache_references(references)
        cache = streams_of(references, self._count_options())
        self.num_refs = cache.number
        return cache

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[Any]]:
        """Rows (segments, 2 + 2N) of statistics as lists: two lengths, matches, totals."""
        if self._counts_otherwise(references):
            return super()._extract_corpus_statistics(hypotheses, references)
        rows: list[list[int]] = self._rows(hypotheses, references).to_array().tolist()
        return rows

    def _rows(self, hypotheses: Hypotheses, references: Streams | None) -> Statistics:
        """Statistics of each segment."""
        listed = checked_hypotheses(hypotheses)
        rows = count_rows(self._corpus(listed, references), self._count_options())
        self._warn_of_tokenized(listed)
        return rows

    def _warn_of_short_sentences(self) -> None:
        """Warn that sentences are often too short for the longest n-grams."""
        if not self.effective_order:
            options.warn(
                "most sentences shorter than the longest n-gram score 0 without `effective_order`"
            )

    def _count_options(self) -> CountOptions:
        """How segments are counted, by the options as they are now."""
        name = None if _PREPARING.are_overridden(self) else counted_name(self._tokenizer)
        if name is None:
            return CountOptions.checked(self._tokens, False, self.max_ngram_order)
        return CountOptions.checked(name, bool(self.lowercase), self.max_ngram_order)

    def _tokens(self, segment: str) -> list[str]:
        """The tokens of a segment, by the user's method or tokenizer."""
        line = self._preprocess_segment(segment)
        if not isinstance(line, str):
            raise TypeError(
                f"the tokenizer returned {type(line).__name__}, expected a string with white "
                "space between tokens"
            )
        return line.split()

    def _counts_otherwise(self, references: Any) -> bool:
        """Whether overridden methods, or what one of them has cached, say what is counted."""
        return _COUNTING.are_overridden(self) or self._uses_list(references)

    def _is_overridden(self, references: Any) -> bool:
        """Whether a score is not vecbleu's: it is then computed a segment at a time."""
        return _COUNTING_AND_SCORING.are_overridden(self) or self._uses_list(references)

    def _uses_list(self, references: Any) -> bool:
        """Whether references are cached as a list of what is kept of each segment's."""
        return references is None and isinstance(self._ref_cache, list)

    def _corpus(self, hypotheses: Sequence[str], references: Streams | None) -> Corpus:
        """Align a system with the given references, or with those of the class."""
        streams = self._ref_cache if references is None else streams_of(references)
        if streams is None:
            raise RuntimeError("references is None, and the class was given none either")
        self.num_refs = streams.number
        corpus: Corpus = streams.corpus(hypotheses)
        return corpus


# How a segment is prepared; what is counted; and that with how counts are scored.
_PREPARING = Methods(BLEU, "_preprocess_segment", "tokenizer")
_COUNTING = Methods(BLEU, *_COUNTING_NAMES)
_COUNTING_AND_SCORING = Methods(BLEU, *_COUNTING_NAMES, *_SCORING_NAMES)

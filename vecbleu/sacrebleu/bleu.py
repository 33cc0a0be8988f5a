"""The class `BLEU` of sacreBLEU, and its functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import checked_integer
from vecbleu.core.corpus import Countable, TextCorpus
from vecbleu.core.options import CountOptions, ScoreOptions
from vecbleu.core.pipeline import count_rows, count_total
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.signature import UNKNOWN
from vecbleu.core.statistics import Statistics
from vecbleu.core.text.tokenizers import NAMES, warn_of_script
from vecbleu.pairwise.shared import SharedReferences
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.options import SMOOTH_DEFAULTS, TOKENIZER_DEFAULT, SmoothMethod
from vecbleu.sacrebleu.score import BLEUScore, score_of
from vecbleu.sacrebleu.signature import BLEUSignature
from vecbleu.sacrebleu.streams import (
    Hypotheses,
    ReferenceStreams,
    Streams,
    check_references,
    checked_hypotheses,
)
from vecbleu.sacrebleu.tokenizer import counted_name, make_tokenizer, signature_of_tokenizer

MAX_NGRAM_ORDER = 4

# What sacreBLEU's methods call for every segment or score, and `BLEU` does not.
_NOT_CALLED = (
    "_aggregate_and_compute",
    "_cache_references",
    "_check_corpus_score_args",
    "_check_sentence_score_args",
    "_compute_score_from_stats",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_extract_reference_info",
    "_get_closest_ref_len",
    "_preprocess_segment",
    "compute_bleu",
    "tokenizer",
)


class BLEU:
    """BLEU as `sacrebleu.BLEU` computes it, tens of times faster.

    A subclass may add to it, but not count or score otherwise: derive from the installed package's
    class for that. A tokenizer of your own, any function from a line to a line with white space
    between tokens, is assigned to `tokenizer`.

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
        How an order without a match is counted.
    smooth_value : float, optional
        For "floor" (0.1) and "add-k" (1).
    max_ngram_order : int
        The longest n-gram counted.
    effective_order : bool
        Leave out the orders that the hypothesis is too short for; for sentence scores.
    trg_lang : str, optional
        The language, for the choice of a tokenizer: "zh", "ja", "ko" have one of their own.
    references : sequence (streams,) of sequences (segments,) of str or None, optional
        References that are tokenized once, for any number of systems.

    Raises
    ------
    ValueError
        An option is unknown.
    ImportError, FileNotFoundError
        The tokenizer needs a package or a model that is missing.

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

    __module__ = "vecbleu.sacrebleu"

    SMOOTH_DEFAULTS = SMOOTH_DEFAULTS
    TOKENIZERS = NAMES
    TOKENIZER_DEFAULT = TOKENIZER_DEFAULT
    _TOKENIZER_MAP = options.LANGUAGE_TOKENIZERS
    _SIGNATURE_TYPE = BLEUSignature

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name in _NOT_CALLED:
            if getattr(cls, name, None) is not getattr(BLEU, name, None):
                raise TypeError(
                    f"{cls.__name__}.{name} would never be called, since vecbleu counts and scores "
                    "arrays: derive from the installed package's class, "
                    "`from sacrebleu.metrics import BLEU`"
                )

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: SmoothMethod | str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str | None = "",
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
        self._ref_cache: ReferenceStreams | None = None
        self._score_options()  # raises if an option is wrong
        defaults = self.TOKENIZER_DEFAULT, self._TOKENIZER_MAP
        name = options.choose_tokenizer(tokenize, trg_lang, options.warn, *defaults)
        self.tokenizer = make_tokenizer(name)
        if references is not None:
            self._ref_cache = self._cache_references(references)

    @property
    def tokenizer(self) -> Any:
        """The function that separates tokens by spaces; assign another to change it."""
        return self.__dict__["tokenizer"]

    @tokenizer.setter
    def tokenizer(self, tokenizer: Any) -> None:
        if not callable(tokenizer):
            raise TypeError(f"tokenizer is {tokenizer!r}, expected a callable from str to str")
        self.__dict__["tokenizer"] = tokenizer  # where programs' signatures find it
        self.tokenizer_signature = signature_of_tokenizer(tokenizer)

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
            None for those that were given to the class; or a `vecbleu.SharedReferences`.
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
        if n_bootstrap > 1:
            rows = self._rows(hypotheses, references)
            score = self._score(rows.sum(axis=0).tolist())
            score.set_interval(self._resampled(rows, n_bootstrap))
            return score
        listed = checked_hypotheses(hypotheses)
        total = count_total(self._corpus(listed, references), self._count_options())
        self._warn_of_tokenized(listed)
        return self._score(total)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one segment.

        Parameters
        ----------
        hypothesis : str
            The segment.
        references : sequence of str or None
            Its references; None is none.

        Returns
        -------
        BLEUScore
        """
        self._warn_of_short_sentences()
        if not isinstance(hypothesis, str):
            raise TypeError(f"hypothesis is {type(hypothesis).__name__}, expected a string")
        check_references(references)
        corpus = self._corpus([hypothesis], [[reference] for reference in references])
        return self._score(count_total(corpus, self._count_options()))

    def sentence_scores(self, hypotheses: Hypotheses, references: Streams | None) -> Float64:
        """Score each segment by itself, as a loop over `sentence_score` does, but at once.

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
        return bleu_and_percent(rows, self._score_options())[1]

    def get_signature(self) -> BLEUSignature:
        """Say what has been computed; ValueError before there have been references."""
        return self._SIGNATURE_TYPE(self.__dict__)

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
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
        scoring = options.score_options(
            smooth_method, smooth_value, max_ngram_order, effective_order
        )
        if not len(correct) == len(total) == max_ngram_order:
            raise ValueError(
                f"correct and total have {len(correct)} and {len(total)} orders but "
                f"max_ngram_order is {max_ngram_order}"
            )
        row = [sys_len, ref_len, *correct, *total]
        # NumPy divides float32 in float32.
        numbers = [one.item() if isinstance(one, np.generic) else one for one in row]
        return score_of(numbers, scoring, options.smoothing_value(smooth_method, smooth_value))

    def _preprocess_segment(self, sent: str) -> str:
        """Lower the case if asked to, strip, and tokenize."""
        line: str = self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())
        return line

    def _cache_references(self, references: Streams) -> ReferenceStreams:
        """Tokenize references once, for any number of systems."""
        cache = ReferenceStreams(references, self._count_options())
        self.num_refs = cache.number
        return cache

    def _extract_corpus_statistics(
        self, hypotheses: Hypotheses, references: Streams | None
    ) -> list[list[int]]:
        """Count each segment: rows (segments, 2 + 2N) of two lengths, matches, totals."""
        rows: list[list[int]] = self._rows(hypotheses, references).tolist()
        return rows

    def _aggregate_and_compute(self, stats: Any) -> BLEUScore:
        """Score the sum of rows of statistics (segments, 2 + 2N)."""
        rows = np.asarray(stats)
        if rows.ndim != 2:
            raise ValueError(
                f"stats has the shape {rows.shape}, expected (segments, 2 + 2 * max_ngram_order)"
            )
        exact = np.float64 if rows.dtype.kind == "f" else None
        return self._compute_score_from_stats(rows.sum(axis=0, dtype=exact))

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        """Score a row of statistics (2 + 2N,), a sum of rows."""
        hyp_len, ref_len, *counts = stats.tolist() if isinstance(stats, np.ndarray) else stats
        order = self.max_ngram_order
        return self.compute_bleu(
            counts[:order],
            counts[order:],
            int(hyp_len),
            int(ref_len),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            order,
        )

    def _score(self, row: list[int]) -> BLEUScore:
        value = options.smoothing_value(self.smooth_method, self.smooth_value)
        return score_of(row, self._score_options(), value)

    def _resampled(self, rows: Int64, count: int) -> list[float]:
        """Score resampled corpora."""
        from vecbleu.significance import bootstrap  # takes 8 ms

        self.n_bootstrap = count
        self.seed, seed = options.environment_seed()
        scoring = self._score_options()._asdict()
        found = bootstrap(Statistics.of(rows, UNKNOWN), n_resamples=count, rng=seed, **scoring)
        scores: list[float] = (100 * found.resampled).tolist()
        return scores

    def _rows(self, hypotheses: Hypotheses, references: Streams | None) -> Int64:
        listed = checked_hypotheses(hypotheses)
        rows = count_rows(self._corpus(listed, references), self._count_options())
        self._warn_of_tokenized(listed)
        return rows

    def _corpus(self, hypotheses: Sequence[str], references: Streams | None) -> Countable:
        """Align a system with the given references, or with those of the class."""
        if isinstance(references, SharedReferences):
            self.num_refs = len(references)
            return references.with_hypotheses(TextCorpus.alone(hypotheses))
        streams = self._ref_cache if references is None else ReferenceStreams(references)
        if streams is None:
            raise RuntimeError("references is None, and the class was given none either")
        self.num_refs = streams.number
        return streams.corpus(hypotheses)

    def _count_options(self) -> CountOptions:
        """Return how segments are counted, by the attributes as they are now."""
        name = counted_name(self.tokenizer)
        if name is None:
            return CountOptions.checked(self._tokens, False, self.max_ngram_order)
        return CountOptions.checked(name, bool(self.lowercase), self.max_ngram_order)

    def _tokens(self, segment: str) -> list[str]:
        """Split a segment by the user's tokenizer."""
        line = self._preprocess_segment(segment)
        if not isinstance(line, str):
            raise TypeError(
                f"the tokenizer returned {type(line).__name__}, expected a string with white "
                "space between tokens"
            )
        return line.split()

    def _score_options(self) -> ScoreOptions:
        """Return how counts are scored, by the attributes as they are now."""
        return options.score_options(
            self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )

    def _warn_of_tokenized(self, hypotheses: Sequence[str]) -> None:
        if not self._force:
            options.warn_of_tokenized([*map(str.endswith, hypotheses, repeat(" ."))].count(True))
            warn_of_script(hypotheses, self.tokenizer_signature, options.warn)

    def _warn_of_short_sentences(self) -> None:
        if not self.effective_order:
            options.warn(
                "most sentences shorter than the longest n-gram score 0 without `effective_order`"
            )


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
    """Score a corpus: `BLEU.corpus_score`.

    Parameters
    ----------
    hypotheses : sequence (segments,) of str
        The system's output.
    references : sequence (streams,) of sequences (segments,) of str or None
        ``references[k][i]`` is the k-th reference of segment i, None if there is none.
    smooth_method, smooth_value, force, lowercase, tokenize
        As for `BLEU`.
    use_effective_order : bool
        Leave out the orders that the hypotheses are too short for.

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
    """Score a corpus that is tokenized: split at white space, with smoothing "floor".

    Parameters
    ----------
    hypotheses, references
        As for `corpus_bleu`.
    smooth_value : float, optional
        What a count of zero becomes.

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
    """Score one segment: `BLEU.sentence_score`; for many, `BLEU.sentence_scores` is faster.

    Parameters
    ----------
    hypothesis : str
        What is scored.
    references : sequence of str or None
        The segment's references; None is none.
    smooth_method, smooth_value, lowercase, tokenize
        As for `BLEU`.
    use_effective_order : bool
        Leave out the orders that the hypothesis is too short for.

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

"""sacreBLEU's class `BLEU`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import repeat
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.checks import checked_integer
from vecbleu.core.corpus import TEXT, Corpus, Countable
from vecbleu.core.inputs.listing import listed_strings
from vecbleu.core.options import CountOptions, ScoreOptions
from vecbleu.core.pipeline import count_rows, count_total
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics import Statistics
from vecbleu.core.text.tokenizers import NAMES, warn_of_script
from vecbleu.pairwise.shared import SharedReferences
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.options import SMOOTH_DEFAULTS, TOKENIZER_DEFAULT, SmoothMethod
from vecbleu.sacrebleu.score import BLEUScore, score_of
from vecbleu.sacrebleu.signature import BLEUSignature
from vecbleu.sacrebleu.streams import Hypotheses, ReferenceStreams, Streams, checked_hypotheses
from vecbleu.sacrebleu.tokenizer import LineTokenizer
from vecbleu.show.signature import UNKNOWN

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]

MAX_NGRAM_ORDER = 4

# Methods that sacreBLEU calls for every segment or score, but this `BLEU` does not.
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
    """BLEU with the interface and the numbers of `sacrebleu.BLEU`, tens of times faster.

    Subclasses can add methods, but not override counting or scoring; for that, derive from the
    class of the installed sacreBLEU. To use your own tokenizer, assign it to `tokenizer`: a
    function from a line to a line with white space between tokens.

    Parameters
    ----------
    lowercase : bool
        Apply `str.lower` before text is tokenized.
    force : bool
        Do not warn of text that looks tokenized.
    tokenize : str, optional
        A name in `BLEU.TOKENIZERS`, or the path of a SentencePiece model. By default, the tokenizer
        for `trg_lang`, or "13a".
    smooth_method : {"exp", "floor", "add-k", "none"}
        How to count an order without a match.
    smooth_value : float, optional
        Value for "floor" (default 0.1) and "add-k" (default 1).
    max_ngram_order : int
        Length of the longest n-grams counted.
    effective_order : bool
        Leave out orders that the hypothesis is too short for. Use it for sentence scores.
    trg_lang : str, optional
        Target language, to choose the tokenizer: "zh", "ja" and "ko" have their own.
    references : sequence (streams,) of sequences (segments,) of str or None, optional
        References to tokenize once, for any number of systems.

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
                    "`from sacrebleu.metrics import BLEU`, without install()"
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
        self.tokenizer = LineTokenizer(name)
        if references is not None:
            self._ref_cache = self._cache_references(references)

    @property
    def tokenizer(self) -> Any:
        """Function that separates tokens by spaces; you can assign your own."""
        return self.__dict__["tokenizer"]

    @tokenizer.setter
    def tokenizer(self, tokenizer: Any) -> None:
        if not callable(tokenizer):
            raise TypeError(f"tokenizer is {tokenizer!r}, expected a callable from str to str")
        self.__dict__["tokenizer"] = tokenizer  # signatures look it up in `__dict__`
        self.tokenizer_signature: str | None = None
        with suppress(AttributeError, NotImplementedError):
            self.tokenizer_signature = tokenizer.signature()

    def corpus_score(
        self, hypotheses: Hypotheses, references: Streams | None, n_bootstrap: int = 1
    ) -> BLEUScore:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence (segments,) of str
            Output of the system.
        references : sequence (streams,) of sequences (segments,) of str or None
            ``references[k][i]`` is the k-th reference of segment i, or None if it has fewer. Pass
            None to use the references of the class, or pass a `vecbleu.SharedReferences`.
        n_bootstrap : int
            Number of resampled corpora for a 95% interval; 1 means no interval. The seed is 12345,
            or the environment variable SACREBLEU_SEED ("none" draws a new seed).

        Returns
        -------
        BLEUScore

        Raises
        ------
        TypeError, ValueError
            A segment is not a string, lengths differ, or a segment has no reference.
        RuntimeError
            `references` is None, and the class has no references either.
        """
        n_bootstrap = checked_integer(n_bootstrap, "n_bootstrap")
        if n_bootstrap <= 1:
            return self._score(self._counted(count_total, hypotheses, references))
        from vecbleu.significance import bootstrap  # few calls need it

        table = Statistics.of(self._counted(count_rows, hypotheses, references), UNKNOWN)
        score = self._score(table.sum().array.tolist())
        self.n_bootstrap = n_bootstrap
        self.seed, seed = options.environment_seed()
        scoring = self._score_options()._asdict()
        resampled = bootstrap(table, n_resamples=n_bootstrap, rng=seed, **scoring).resampled
        score.set_interval(100 * resampled)
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one segment.

        Parameters
        ----------
        hypothesis : str
            Hypothesis of the segment.
        references : sequence of str or None
            Its references; None is left out.

        Returns
        -------
        BLEUScore
        """
        self._warn_of_short_sentences()
        if not isinstance(hypothesis, str):
            raise TypeError(f"hypothesis is {type(hypothesis).__name__}, expected a string")
        listed = listed_strings(references, "references", or_none=True)
        corpus = self._corpus([hypothesis], [[reference] for reference in listed])
        return self._score(count_total(corpus, self._count_options()))

    def sentence_scores(self, hypotheses: Hypotheses, references: Streams | None) -> Float64:
        """Score each segment in one call, as a loop over `sentence_score` would.

        Parameters
        ----------
        hypotheses, references
            As for `corpus_score`: references are streams.

        Returns
        -------
        float64 array (segments,)
            BLEU of each segment, between 0 and 100.
        """
        self._warn_of_short_sentences()
        corpus = self._corpus(checked_hypotheses(hypotheses), references)
        rows = count_rows(corpus, self._count_options())
        return bleu_and_percent(rows, self._score_options())[1]

    def get_signature(self) -> BLEUSignature:
        """Return the signature; raise ValueError if the number of references is unknown."""
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
        """Compute BLEU from matches and totals of each order, and both lengths.

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
        counts = [sys_len, ref_len, *correct, *total]
        # Python's numbers, since NumPy divides float32 in float32.
        row = [count.item() if isinstance(count, np.generic) else count for count in counts]
        return score_of(row, scoring, options.smoothing_value(smooth_method, smooth_value))

    def _preprocess_segment(self, sent: str) -> str:
        """Lowercase a segment if asked to, strip it, and tokenize it."""
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
        """Return one row per segment (segments, 2 + 2N): both lengths, matches, totals."""
        rows: list[list[int]] = self._counted(count_rows, hypotheses, references).tolist()
        return rows

    def _aggregate_and_compute(self, stats: Any) -> BLEUScore:
        """Score the sum of rows of statistics (segments, 2 + 2N)."""
        rows = np.asarray(stats)
        exact = np.float64 if rows.dtype.kind == "f" else None
        return self._compute_score_from_stats(rows.sum(axis=0, dtype=exact))

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        """Score the summed statistics (2 + 2N,) of a corpus."""
        row = stats.tolist() if isinstance(stats, np.ndarray) else stats
        return self._score([*map(int, row[:2]), *row[2:]])

    def _score(self, row: list[int]) -> BLEUScore:
        value = options.smoothing_value(self.smooth_method, self.smooth_value)
        return score_of(row, self._score_options(), value)

    def _counted(self, count: Any, hypotheses: Hypotheses, references: Streams | None) -> Any:
        """Check a system, and return what `count` returns; warn of tokenized text."""
        listed = checked_hypotheses(hypotheses)
        counts = count(self._corpus(listed, references), self._count_options())
        self._warn_of_tokenized(listed)
        return counts

    def _corpus(self, hypotheses: Sequence[str], references: Streams | None) -> Countable:
        """Align a system with the given references, or with those of the class."""
        if isinstance(references, SharedReferences):
            self.num_refs = len(references)
            return references.with_hypotheses(Corpus.alone(TEXT, hypotheses))
        streams = self._ref_cache if references is None else ReferenceStreams(references)
        if streams is None:
            raise RuntimeError("references is None, and the class has none either")
        self.num_refs = streams.number
        return streams.corpus(hypotheses)

    def _count_options(self) -> CountOptions:
        """Return counting options from the current attributes."""
        if type(self.tokenizer) is not LineTokenizer:
            return CountOptions.checked(self._tokens, False, self.max_ngram_order)
        name, is_lowercase = self.tokenizer.name, bool(self.lowercase)
        return CountOptions.checked(name, is_lowercase, self.max_ngram_order)

    def _tokens(self, segment: str) -> list[str]:
        """Tokenize a segment with the user's tokenizer."""
        line = self._preprocess_segment(segment)
        if not isinstance(line, str):
            raise TypeError(
                f"the tokenizer returned {type(line).__name__}, expected a string with white "
                "space between tokens"
            )
        return line.split()

    def _score_options(self) -> ScoreOptions:
        """Return scoring options from the current attributes."""
        return options.score_options(
            self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )

    def _warn_of_tokenized(self, hypotheses: Sequence[str]) -> None:
        if not self._force:
            periods = [*map(str.endswith, hypotheses, repeat(" ."))].count(True)
            options.warn_of_tokenized(periods, len(hypotheses))
            warn_of_script(hypotheses, self.tokenizer_signature, options.warn)

    def _warn_of_short_sentences(self) -> None:
        if not self.effective_order:
            options.warn(
                "without `effective_order`, most sentences shorter than the longest n-grams "
                "get a score of 0"
            )

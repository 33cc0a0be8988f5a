"""sacreBLEU's class `BLEU`, its score and signature, and its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.errors import ArgumentTypeError
from vecbleu.bleu.arrays import bleu_and_percent
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import CountOptions, ScoreOptions
from vecbleu.bleu.plain import score_row
from vecbleu.bleu.shared import SharedReferences
from vecbleu.core.corpus import Countable, TextCorpus
from vecbleu.core.signature import Signature
from vecbleu.kernel.arrays import Counts, Float64
from vecbleu.sacrebleu import options
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.options import SMOOTH_DEFAULTS, TOKENIZER_DEFAULT, SmoothMethod
from vecbleu.sacrebleu.score import MetricSignature, Score, references_of
from vecbleu.sacrebleu.streams import Hypotheses, ReferenceStreams, Streams
from vecbleu.sacrebleu.tokenized_streams import TokenizedStreams
from vecbleu.sacrebleu.tokenizer import LineTokenizer
from vecbleu.text.tokenizers import NAMES

__all__ = [
    "BLEU",
    "MAX_NGRAM_ORDER",
    "BLEUScore",
    "BLEUSignature",
    "corpus_bleu",
    "raw_corpus_bleu",
    "sentence_bleu",
]

MAX_NGRAM_ORDER = 4


@dataclass(eq=False, repr=False)
class BLEUScore(Score):
    """BLEU score between 0 and 100, with its parts.

    Parameters
    ----------
    score : float
        BLEU, between 0 and 100.
    counts, totals : list of int (orders,)
        Matches and totals of each order; "add-k" has added its value.
    precisions : list of float (orders,)
        Modified precisions after smoothing, between 0 and 100.
    bp : float
        Brevity penalty.
    sys_len, ref_len : int
        Length of the hypotheses and of the references, in tokens.

    Examples
    --------
    >>> from vecbleu.sacrebleu import corpus_bleu
    >>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat"]])
    BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """

    score: float
    counts: list[int]
    totals: list[int]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    name = "BLEU"

    @property
    def prec_str(self) -> str:
        """The precisions as text."""
        return "/".join(f"{precision:.1f}" for precision in self.precisions)

    @property
    def ratio(self) -> float:
        """sys_len / ref_len; 0 if ref_len is 0."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @property
    def _verbose(self) -> str:
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len} ref_len = {self.ref_len})"
        )


class BLEUSignature(MetricSignature):
    """Signature with its fields in sacreBLEU's order; vecbleu's version comes last.

    Parameters
    ----------
    args : dict
        Attributes of a `BLEU`; `num_refs` is -1 if segments differ in their number of references.

    Raises
    ------
    ValueError
        The number of references is not known yet.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> metric = BLEU(references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    >>> metric.get_signature().format(short=True).partition("|v:")[0]
    '#:1|c:mixed|e:no|tok:13a|s:exp'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        method = args["smooth_method"]
        known = Signature(
            args["tokenizer_signature"],
            bool(args["lowercase"]),
            args["max_ngram_order"],
            references=references_of(args),
            smoothing=method,
            smoothing_value=options.smoothing_value(method, args["smooth_value"]),
            effective_order=bool(args["effective_order"]),
        )
        super().__init__(known, bs=args.get("n_bootstrap"), seed=args.get("seed"))


class BLEU(Metric[BLEUScore, BLEUSignature]):
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
        self._force = force
        self._score_options()  # raises if an option is wrong
        name = options.choose_tokenizer(
            tokenize,
            trg_lang,
            default=self.TOKENIZER_DEFAULT,
            by_language=self._TOKENIZER_MAP,
        )
        self.tokenizer = LineTokenizer(name)
        super().__init__(references)

    @property
    def tokenizer(self) -> Any:
        """Function that separates tokens by spaces; you can assign your own."""
        return self.__dict__["tokenizer"]

    @tokenizer.setter
    def tokenizer(self, tokenizer: Any) -> None:
        if not callable(tokenizer):
            found = f"is {tokenizer!r}"
            expected = "a callable from str to str"
            raise ArgumentTypeError(found, expected, argument="tokenizer")
        self.__dict__["tokenizer"] = tokenizer  # signatures look it up in `__dict__`
        self.tokenizer_signature: str | None = None
        with suppress(AttributeError, NotImplementedError):
            self.tokenizer_signature = tokenizer.signature()

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
        return _score_of(row, scoring, options.smoothing_value(smooth_method, smooth_value))

    def _preprocess_segment(self, sent: str) -> str:
        """Lowercase a segment if asked to, strip it, and tokenize it."""
        line: str = self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())
        return line

    def _compute_score_from_stats(self, stats: Sequence[float] | Counts) -> BLEUScore:
        """Score the summed statistics (2 + 2N,) of a corpus."""
        row = stats.tolist() if isinstance(stats, np.ndarray) else stats
        value = options.smoothing_value(self.smooth_method, self.smooth_value)
        return _score_of([*map(int, row[:2]), *row[2:]], self._score_options(), value)

    def _corpus(self, hypotheses: Sequence[str], references: Streams | None) -> Countable:
        """Align a system with references, which can be shared by all segments."""
        if isinstance(references, SharedReferences):
            self.num_refs = len(references)
            return references.with_hypotheses(TextCorpus.alone(hypotheses))
        return super()._corpus(hypotheses, references)

    def _prepared(self, references: Streams) -> ReferenceStreams:
        return TokenizedStreams(references, self._count_options())

    def _metric(self) -> Bleu:
        return Bleu(self._count_options())

    def _percents(self, counts: Counts, resampled_type: npt.DTypeLike = np.float64) -> Float64:
        return bleu_and_percent(counts, self._score_options())[1]

    def _count_options(self) -> CountOptions:
        """Return counting options from the current attributes."""
        tokenize: Any = self._tokens  # which lowercases
        lowercase = False
        if type(self.tokenizer) is LineTokenizer:
            tokenize = self.tokenizer.name
            lowercase = bool(self.lowercase)
        return CountOptions.checked(
            tokenize=tokenize, lowercase=lowercase, max_order=self.max_ngram_order
        )

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

    def _tokenizer_to_check(self) -> str:
        return "" if self._force else self.tokenizer_signature or ""


def _score_of(row: Sequence[Any], scoring: ScoreOptions, added: float | None) -> BLEUScore:
    """Score a row of statistics; "add-k" adds `added`, which can be an int."""
    middle = len(row) // 2 + 1
    parts = score_row(row, scoring)
    counts = list(row[2:middle])
    totals = list(row[middle:])
    if scoring.smoothing == "add-k" and any(counts):
        for order in range(1, len(totals)):
            if totals[order - 1] == 0:  # where sacreBLEU's loop stops
                break
            counts[order] += added
            totals[order] += added
    return BLEUScore(parts.percent, counts, totals, parts.precisions, parts.penalty, row[0], row[1])


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
    """Score a corpus, as `BLEU.corpus_score` does.

    Parameters
    ----------
    hypotheses : sequence (segments,) of str
        Output of the system.
    references : sequence (streams,) of sequences (segments,) of str or None
        ``references[k][i]`` is the k-th reference of segment i, or None if it has fewer.
    smooth_method, smooth_value, force, lowercase, tokenize
        As for `BLEU`.
    use_effective_order : bool
        Leave out orders that the hypotheses are too short for.

    Returns
    -------
    BLEUScore

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
    hypotheses: Hypotheses,
    references: Streams,
    smooth_value: float | None = SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Score tokenized text: split it at white space, and use smoothing "floor".

    Parameters
    ----------
    hypotheses, references
        As for `corpus_bleu`.
    smooth_value : float, optional
        Value that replaces counts of zero.

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
    """Score one segment; for many, `BLEU.sentence_scores` is faster.

    Parameters
    ----------
    hypothesis : str
        Hypothesis of the segment.
    references : sequence of str or None
        Its references; None is left out.
    smooth_method, smooth_value, lowercase, tokenize
        As for `BLEU`.
    use_effective_order : bool
        Leave out orders that the hypothesis is too short for.

    Returns
    -------
    BLEUScore

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

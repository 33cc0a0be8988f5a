"""Scores and signatures with sacreBLEU's attributes and formats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vecbleu.bleu.options import ScoreOptions
from vecbleu.bleu.plain import score_row
from vecbleu.core import score as core
from vecbleu.core.arrays import Float
from vecbleu.core.checks import named_as
from vecbleu.core.signature import SHORT_NAMES, VARYING, Signature, join_fields
from vecbleu.sacrebleu.options import smoothing_value


class Score:
    """Score between 0 and 100, with sacreBLEU's formats and its interval."""

    name: str
    score: Any
    _verbose = ""
    _mean = _ci = -1.0

    @classmethod
    def of(cls, score: core.Score) -> Score:
        """Return what sacreBLEU prints of a score of any metric."""
        line = Score()
        line.name = score.name
        line.score = score.percent
        line._verbose = score.details
        return line

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Format the score with `width` decimals: alone, as sacreBLEU's line, or as its JSON."""
        text = f"{self.score:.{width}f}"
        entry: dict[str, Any] = {"name": self.name, "score": float(text), "signature": signature}
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {mean} ± {half_width}"
            text += f" ({confidence})"
            entry["confidence_mean"], entry["confidence_var"] = float(mean), float(half_width)
            entry["confidence"] = confidence
        if score_only:
            return text
        if is_json:
            import json

            if self._verbose:
                entry["verbose_score"] = self._verbose
            fields = [field for field in signature.split("|") if ":" in field]
            entry.update(dict(field.split(":", 1) for field in fields))
            return json.dumps(entry, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {text} {self._verbose}".rstrip()

    def estimate_ci(self, scores: Iterable[Any]) -> None:
        """Store the mean and the 95% interval of the scores of resampled corpora."""
        self.set_interval(np.array([score.score for score in scores]))

    def set_interval(self, scores: Float) -> None:
        """Store the mean of resampled scores, and half the width of their 95% interval."""
        from vecbleu.significance.resampling import central_interval  # scores do not need it

        lower, upper = central_interval(scores, 0.95)
        self._ci = 0.5 * float(upper - lower)
        self._mean = float(scores.dtype.type(math.fsum(scores) / len(scores)))

    def __repr__(self) -> str:
        return self.format()


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

    def __post_init__(self) -> None:
        self.name = "BLEU"
        self.prec_str = "/".join(f"{precision:.1f}" for precision in self.precisions)
        self.ratio = self.sys_len / self.ref_len if self.ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len} ref_len = {self.ref_len})"
        )


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


def score_of(row: Sequence[Any], options: ScoreOptions, added: float | None) -> BLEUScore:
    """Score a row of statistics; "add-k" adds `added`, which can be an int."""
    middle = len(row) // 2 + 1
    parts = score_row(row, options)
    counts, totals = list(row[2:middle]), list(row[middle:])
    if options.smoothing == "add-k" and any(counts):
        for order in range(1, len(totals)):
            if totals[order - 1] == 0:  # where sacreBLEU's loop stops
                break
            counts[order] += added
            totals[order] += added
    return BLEUScore(parts.percent, counts, totals, parts.precisions, parts.penalty, row[0], row[1])


# Short names of all fields, in sacreBLEU's order; resampling and test sets have fields, too.
_SHORT_NAMES = (
    {"nrefs": "#", "bs": "bs", "ar": "ar", "sides": "sides", "seed": "rs"}
    | {"test": "t", "lang": "l", "origlang": "o", "subset": "S"}
    | SHORT_NAMES
)


@named_as("BLEUSignature")
class MetricSignature:
    """Signature with its fields in sacreBLEU's order; vecbleu's version comes last."""

    def __init__(self, known: Signature, **resampling: int | str | None) -> None:
        self._abbr = dict(_SHORT_NAMES)
        self.info: dict[str, Any] = dict.fromkeys(_SHORT_NAMES) | known.fields() | resampling

    def format(self, short: bool = False) -> str:
        """Return the signature as text; `short` abbreviates the names of fields."""
        return join_fields(self.info, short, self._abbr)

    def update(self, key: str, value: Any) -> None:
        """Add or change a field."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


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
            references=_references(args),
            smoothing=method,
            smoothing_value=smoothing_value(method, args["smooth_value"]),
            effective_order=bool(args["effective_order"]),
        )
        super().__init__(known, bs=args.get("n_bootstrap"), seed=args.get("seed"))


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
        from vecbleu.chrf.options import ChrfOptions  # BLEU alone does not need it

        options = ChrfOptions.checked(**{name: args[name] for name in ChrfOptions.declared})
        known = options.signature(_references(args))
        super().__init__(known, bs=args.get("n_bootstrap"), seed=args.get("seed"))


def _references(args: Mapping[str, Any]) -> int | str:
    """Return the number of references from a metric's attributes."""
    number: int | None = args.get("num_refs")
    if number is None:
        raise ValueError("the number of references is not known yet: score something first")
    return VARYING if number == -1 else number

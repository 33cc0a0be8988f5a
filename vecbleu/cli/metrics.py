"""Define the metrics of a command line: how segments are counted, and how scores are shown."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from vecbleu.cli.arguments import counting_options, smoothing_options, tokenizer_name
from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import Block, Encoder
from vecbleu.core.count_table import CountTable
from vecbleu.core.options import CountOptions, ScoreOptions
from vecbleu.core.pipeline import bleu_rows
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics import Statistics
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers import resolve_tokenizer
from vecbleu.sacrebleu.score import BLEUScore, Score
from vecbleu.sacrebleu.signature import signature_of
from vecbleu.show.signature import UNKNOWN, Signature

# Parts of a BLEU score in JSON.
_PARTS = "brevity_penalty", "matches", "totals", "hyp_len", "ref_len"


class Metric:
    """A metric of a command line: how segments are counted, and how scores are shown."""

    table: type[CountTable]
    asked: Signature  # without text, it has only the options that were given
    signature: Signature = UNKNOWN  # of all systems
    encode: Encoder
    rows: Callable[[Block], Int64]  # counts the segments of a block
    columns: int
    scoring: dict[str, Any]  # options that turn counts into a score, for Python's functions
    resampled: type[np.floating[Any]] = np.float64  # type of the scores that sacreBLEU resamples

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints."""
        raise NotImplementedError

    def load(self, path: str) -> Any:
        """Read a file of statistics."""
        return self.table.load(path)

    def describe(self, is_short: bool = False, **resampling: int | str) -> str:
        """Return the signature of counting, scoring and resampling."""
        raise NotImplementedError

    def score(self, row: list[int]) -> Any:
        """Score one row of counts."""
        raise NotImplementedError

    def line(self, score: Any) -> Score:
        """Return the score that sacreBLEU prints."""
        raise NotImplementedError

    def fields(self, score: Any) -> dict[str, Any]:
        """Return a score and its parts for JSON."""
        raise NotImplementedError

    def as_sacrebleu(self, table: Any) -> Any:
        """Return a table whose resampled scores are those that sacreBLEU prints."""
        return table


class Bleu(Metric):
    """BLEU on a command line."""

    name, table = "BLEU", Statistics

    def __init__(self, options: argparse.Namespace, is_text: bool) -> None:
        self.scoring = smoothing_options(options)
        references = len(options.references) * options.num_refs
        if is_text:
            counting = CountOptions.checked(**counting_options(options))
            self.encode, self.columns = counting.block_encoder(), 2 + 2 * counting.max_order
            self.rows = partial(bleu_rows, counting.max_order, counting.ref_length)
            self.asked = counting.signature(references=references)
            return
        tokenize = None
        if options.tokenize is not None or options.language_pair:
            tokenize = resolve_tokenizer(tokenizer_name(options)).signature()
        order = options.max_order
        self.asked = Signature(tokenize, options.lowercase or None, order, None, references or None)

    def load(self, path: str) -> Statistics:
        """Read a file of statistics; name the order, which old files do not."""
        table = Statistics.load(path)
        return Statistics.of(table.array, table.signature._replace(max_order=table.max_order))

    def describe(self, is_short: bool = False, **resampling: int | str) -> str:
        """Return the signature of counting, scoring and resampling."""
        return signature_of(self.signature, self._options, **resampling).format(is_short)

    @cached_property
    def _options(self) -> ScoreOptions:
        return ScoreOptions.checked(self.signature.max_order or 4, **self.scoring)

    def score(self, row: list[int]) -> BleuScore:
        """Score one row of counts."""
        return BleuScore.of(row, self._options, self.signature)

    def line(self, score: BleuScore) -> Score:
        """Return the score that sacreBLEU prints."""
        return BLEUScore.from_result(score)

    def fields(self, score: BleuScore) -> dict[str, Any]:
        """Return a score and its parts for JSON."""
        return score_fields(score)


def score_fields(score: BleuScore) -> dict[str, Any]:
    """Return a BLEU score and its parts for JSON."""
    parts = {name: getattr(score, name) for name in _PARTS}
    return {"BLEU": score.percent, "precisions": score.percent_precisions, **parts}


class Encoders:
    """Encodes a text for several metrics."""

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self._encoders = encoders
        self.is_portable = all(encode.is_portable for encode in encoders)
        self.cost = sum(encode.cost for encode in encoders)

    def __call__(self, text: Text) -> list[Any]:
        """Return what each metric counts."""
        return [encode(text) for encode in self._encoders]

    def pinned(self) -> Encoders:
        """Return encoders for other processes."""
        return Encoders([encode.pinned() for encode in self._encoders])


def metrics_of(options: argparse.Namespace, is_text: bool) -> list[Metric]:
    """Return the metrics that the options ask for, by default BLEU."""
    names = dict.fromkeys(getattr(options, "metrics", None) or ["bleu"])
    if "chrf" in names:
        from vecbleu.cli.chrf import Chrf  # BLEU alone does not need it
    else:
        for name, value in vars(options).items():
            if name.startswith("chrf_") and value is not None:
                raise ValueError(f"{name} is {value}, which needs -m chrf")
    return [Bleu(options, is_text) if name == "bleu" else Chrf(options, is_text) for name in names]

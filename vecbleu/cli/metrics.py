"""Define the metrics of a command line: how segments are counted, and how scores are shown."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import CountOptions, ScoreOptions
from vecbleu.bleu.results import BleuScore, Statistics
from vecbleu.cli.arguments import chrf_options, counting_options, smoothing_options
from vecbleu.core.arrays import Counts, Float
from vecbleu.core.metric import AnyMetric
from vecbleu.core.signature import Signature
from vecbleu.files.store import SavedTable
from vecbleu.sacrebleu.score import BLEUScore, CHRFScore, MetricSignature, Score

# Parts of a BLEU score in JSON.
_PARTS = "brevity_penalty", "matches", "totals", "hyp_len", "ref_len"


@dataclass
class Metric:
    """A metric of a command line: how segments are counted and scored."""

    signature: Signature  # as asked for; later that of all systems
    counting: AnyMetric
    columns: int
    scoring: dict[str, Any]  # options of the methods of its tables
    score_row: Callable[[list[int], Signature], Any]
    table: type[SavedTable]
    resampled_table: type[SavedTable]  # with resampled scores as sacreBLEU prints them
    resampled_type: type[np.floating[Any]] = np.float64

    def score(self, row: list[int]) -> Any:
        """Score one row of counts."""
        return self.score_row(row, self.signature)

    def describe(self, is_short: bool = False, **resampling: int | str) -> str:
        """Return the name, and the signature of counting, scoring and resampling.

        The name has `beta`.
        """
        known = self.score([0] * self.columns).signature._replace(beta=None)
        return f"{self.name}|{MetricSignature(known, **resampling).format(is_short)}"

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints."""
        return self.table.of(np.zeros(self.columns, np.int64), self.signature).name


def _bleu_of(options: argparse.Namespace, is_text: bool) -> Metric:
    """Return BLEU; without text, its signature has only the options that are given."""
    counting = CountOptions.checked(**counting_options(options))
    asked = counting.signature(references=len(options.references) * options.num_refs or None)
    if not is_text:
        is_named = options.tokenize is not None or options.language_pair
        asked = asked._replace(
            tokenize=asked.tokenize if is_named else None,
            lowercase=options.lowercase or None,
            max_order=options.max_order,
            ref_length=None,
        )
    bleu, scoring = Bleu(counting), smoothing_options(options)
    options_of_order = cache(ScoreOptions.checked(**scoring).of_order)

    def score(row: list[int], signature: Signature) -> BleuScore:
        return BleuScore(row, options_of_order(len(row) // 2 - 1), signature)

    return Metric(asked, bleu, bleu.columns, scoring, score, Statistics, Statistics)


def _chrf_of(options: argparse.Namespace, is_text: bool) -> Metric:
    """Return chrF; without text, its signature has only the options that are given."""
    from vecbleu.chrf.metric import Chrf  # BLEU alone does not need it
    from vecbleu.chrf.options import ChrfOptions
    from vecbleu.chrf.results import ChrfScore, ChrfStatistics

    class Float32Statistics(ChrfStatistics):
        """Statistics whose resampled scores are float32, as sacreBLEU's are."""

        def resampled_percents(self, counts: Counts, **_: Any) -> Float:
            return self.percents(counts, np.float32)

    given = chrf_options(options)
    chosen = ChrfOptions.checked(**given)
    asked = chosen.signature(len(options.references) * options.num_refs or None)
    if not is_text:
        unknown = ChrfOptions.declared.keys() - given.keys()
        names = ("effective_order" if name == "eps_smoothing" else name for name in unknown)
        asked = asked._replace(**dict.fromkeys(names))
    chrf = Chrf(chosen)
    return Metric(
        asked,
        chrf,
        chrf.columns,
        {},
        ChrfScore,
        ChrfStatistics,
        Float32Statistics,
        np.float32,
    )


def metrics_of(options: argparse.Namespace, is_text: bool) -> list[Metric]:
    """Return the metrics that the options ask for, by default BLEU."""
    makers = {"bleu": _bleu_of, "chrf": _chrf_of}
    return [makers[name](options, is_text) for name in dict.fromkeys(options.metrics)]


def line_of(score: Any) -> Score:
    """Return the score that sacreBLEU prints."""
    if isinstance(score, BleuScore):
        return BLEUScore.from_result(score)
    options = score.signature
    line = CHRFScore(score.percent, options.char_order, options.word_order, options.beta)
    line.name = score.name  # with beta as it was written: 2, not 2.0
    return line


def score_fields(score: Any) -> dict[str, Any]:
    """Return a score and its parts for JSON."""
    if isinstance(score, BleuScore):
        parts = {name: getattr(score, name) for name in _PARTS}
        return {"BLEU": score.percent, "precisions": score.percent_precisions, **parts}
    return {score.name: score.percent, **score.table().to_dict()}

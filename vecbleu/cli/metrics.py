"""Make the metrics that a command line asks for, and show their scores."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.cli.arguments import given_of
from vecbleu.core.metric import Metric, metric_named
from vecbleu.core.score import Score
from vecbleu.core.signature import Signature
from vecbleu.files.store import SavedTable
from vecbleu.sacrebleu.score import MetricSignature


@dataclass
class AskedMetric:
    """A metric that a command line asks for."""

    metric: Metric[SavedTable]
    scoring: dict[str, Any]  # options of the methods of its tables
    signature: Signature  # as asked for; later that of all systems
    columns: int

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints."""
        return self._empty().name

    @property
    def resampled_type(self) -> npt.DTypeLike:
        """The type of the resampled scores that sacreBLEU prints."""
        return self.metric.table.sacrebleu_type

    def describe(self, is_short: bool = False, **resampling: int | str) -> str:
        """Return the name, and the signature of counting, scoring and resampling.

        The name has `beta`.
        """
        known = self._empty().score(**self.scoring).signature._replace(beta=None)
        return f"{self.name}|{MetricSignature(known, **resampling).format(is_short)}"

    def _empty(self) -> SavedTable:
        """Return the sum of no segments."""
        return self.metric.table.of(np.zeros(self.columns, np.int64), self.signature)


def given_options(options: Namespace, name: str) -> dict[str, Any]:
    """Return the options of a metric that are given, as keyword arguments of Python functions."""
    given: dict[str, Any] = {}
    for group in metric_named(name).groups:
        given |= given_of(options, group)
    return given


def metrics_of(options: Namespace, is_text: bool) -> list[AskedMetric]:
    """Return the metrics that the options ask for, by default BLEU."""
    return [_asked(options, name, is_text) for name in dict.fromkeys(options.metrics)]


def _asked(options: Namespace, name: str, is_text: bool) -> AskedMetric:
    """Return a metric; without text, its signature has only the options that are given."""
    given = given_options(options, name)
    metric, scoring = metric_named(name).of_options(**given)
    signature = metric.signature(True, len(options.references) * options.num_refs or None)
    if not is_text:
        usual = metric_named(name).of_options()[0].signature(True, None)
        defaults = dict(signature.to_dict().items() & usual.to_dict().items())
        signature = signature._replace(**dict.fromkeys(defaults.keys() - given.keys()))
    return AskedMetric(metric, scoring, signature, metric.columns)


def counts_white_space(options: Namespace) -> bool:
    """Tell whether a metric counts white space."""
    return any(given_options(options, name).get("whitespace") for name in options.metrics)


def score_fields(score: Score) -> dict[str, object]:
    """Return a score and its parts for JSON."""
    return {score.name: score.percent, **score.named_parts()}

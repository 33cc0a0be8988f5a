"""chrF on a command line."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np

from vecbleu.chrf import ChrfScore, ChrfStatistics
from vecbleu.chrf.counting import ChrfEncoder, chrf_rows
from vecbleu.chrf.options import ChrfOptions
from vecbleu.cli.metrics import Metric
from vecbleu.core.arrays import Counts, Float
from vecbleu.show.signature import Signature


def chrf_of(options: argparse.Namespace, is_text: bool) -> Metric:
    """Return chrF; without text, its signature has only the options that are given."""
    values = {name: getattr(options, f"chrf_{name}") for name in ChrfOptions._fields}
    given = {name: value for name, value in values.items() if value is not None}
    known = ChrfOptions()._asdict() | given
    chosen = ChrfOptions.checked(known | {"eps_smoothing": not known["effective_order"]})
    asked = {name: getattr(chosen, name) for name in (known if is_text else given)}
    references = len(options.references) * options.num_refs or None
    return Metric(
        Signature(references=references, **asked),
        ChrfEncoder(chosen),
        partial(chrf_rows, chosen),
        3 * chosen.orders,
        {},
        ChrfScore,
        ChrfStatistics,
        _Float32Resampled,
        np.float32,
    )


class _Float32Resampled(ChrfStatistics):
    """Statistics whose resampled scores are float32, as sacreBLEU's are."""

    __slots__ = ()

    def resampled_percents(self, counts: Counts, **_: Any) -> Float:
        percents: Float = self.percents(counts, np.float32)
        return percents

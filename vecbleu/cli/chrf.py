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
from vecbleu.core.text.text import Text
from vecbleu.sacrebleu.score import CHRFScore, Score
from vecbleu.sacrebleu.signature import signature_of
from vecbleu.show.signature import Signature


class Chrf(Metric):
    """chrF on a command line."""

    table, resampled = ChrfStatistics, np.float32

    def __init__(self, options: argparse.Namespace, is_text: bool) -> None:
        values = {name: getattr(options, f"chrf_{name}") for name in ChrfOptions._fields}
        given = {name: value for name, value in values.items() if value is not None}
        known = ChrfOptions()._asdict() | given
        chosen = ChrfOptions.checked(known | {"eps_smoothing": not known["effective_order"]})
        asked = chosen._asdict() if is_text else {name: getattr(chosen, name) for name in given}
        references = len(options.references) * options.num_refs or None
        self.asked, self.scoring = Signature(references=references, **asked), {}
        self.encode, self.columns = _LineEncoder(chosen), 3 * chosen.orders
        self.rows = partial(chrf_rows, chosen)

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return ChrfOptions.of_signature(self.signature).name

    def describe(self, is_short: bool = False, **resampling: int | str) -> str:
        """Return the signature of counting and resampling; the name has `beta`."""
        known = self.signature._replace(beta=None)
        return signature_of(known, None, **resampling).format(is_short)

    def score(self, row: list[int]) -> ChrfScore:
        """Score one row of counts."""
        return ChrfScore(row, self.signature)

    def line(self, score: ChrfScore) -> Score:
        """Return the score that sacreBLEU prints."""
        options = ChrfOptions.of_signature(score.signature)
        line = CHRFScore(score.percent, options.char_order, options.word_order, options.beta)
        line.name = score.name  # with beta as it was written: 2, not 2.0
        return line

    def fields(self, score: ChrfScore) -> dict[str, Any]:
        """Return a score and its counts for JSON."""
        return {score.name: score.percent, **score.table().to_dict()}

    def as_sacrebleu(self, table: ChrfStatistics) -> ChrfStatistics:
        """Return a table whose resampled scores are those that sacreBLEU prints."""
        return _Float32Resampled.of(table.array, table.signature)


class _LineEncoder(ChrfEncoder):
    """Encodes lines as sacreBLEU's command reads them: without white space at their ends."""

    def __call__(self, text: Text) -> Any:
        if self.options.whitespace:
            text = Text.from_strings([line.rstrip() for line in text.strings()])
        return super().__call__(text)


class _Float32Resampled(ChrfStatistics):
    """Statistics whose resampled scores are float32, as sacreBLEU's are."""

    __slots__ = ()

    def resampled_percents(self, counts: Counts, **_: Any) -> Float:
        percents: Float = self.percents(counts, np.float32)
        return percents

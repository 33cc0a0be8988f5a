"""Tokenize streams of references once, for the BLEU of any number of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vecbleu.arguments.options import RunOptions
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import CountOptions
from vecbleu.bleu.shared import unit_ids
from vecbleu.core import corpus as core
from vecbleu.core.block import Block
from vecbleu.core.corpus import hypotheses_first
from vecbleu.core.metric import AnyMetric
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import Ragged
from vecbleu.sacrebleu.streams import ReferenceStreams, checked_streams
from vecbleu.text.text import Text
from vecbleu.text.tokens import UnitKind


class TokenizedStreams(ReferenceStreams):
    """Streams of references, tokenized once; for a single system, that takes longer."""

    def __init__(self, references: object, options: CountOptions) -> None:
        super().__init__(checked_streams(references))
        units = super()._aligned([]).references_alone()
        (self._ids,) = unit_ids([units], options, RunOptions(workers=1))

    def _aligned(self, hypotheses: Sequence[str]) -> core.TextCorpus:
        return SystemCorpus(hypotheses, self._ids, self._offsets, self._place)


class SystemCorpus(core.TextCorpus):
    """Hypotheses of a system, with references that are tokenized already, a `Ragged`."""

    def metric_for(self, metric: AnyMetric) -> AnyMetric:
        """Return BLEU with the ids of the references."""
        return _SystemBleu(metric.options) if isinstance(metric, Bleu) else metric

    def _ordered(self, hyps: Any, refs: Any, segments: Int64) -> tuple[Any, Int64]:
        return (hyps, refs), hypotheses_first(segments)

    def _encoded(self, units: Any) -> tuple[Any, UnitKind]:
        hyps, refs = units
        return (Text.from_strings(hyps), refs), UnitKind.NUMBERED

    def _lengths(self, units: object) -> Int64:
        """Return the number of characters of each unit; estimate it for tokenized units."""
        if isinstance(units, Ragged):
            return units.lengths * core.MEAN_CHARACTERS
        return super()._lengths(units)

    def plain_units(self, most: int) -> None:
        """Return None: ids of tokens can't be counted plainly."""


class _SystemBleu(Bleu):
    """BLEU of hypotheses with references that are tokenized already."""

    def encode(self, units: Any) -> Ragged:
        if isinstance(units, Ragged):
            return units
        text, references = units
        return Ragged.concatenate([super().encode(text), references])

    def count(self, block: Block) -> Int64:
        return super().count(block._replace(units=self.encode(block.units)))

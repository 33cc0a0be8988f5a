"""Tokenize streams of references once, for the BLEU of any number of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vecbleu.arguments.errors import Place
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
from vecbleu.sacrebleu.streams import ReferenceStreams
from vecbleu.text.text import Text
from vecbleu.text.tokens import UnitKind


class TokenizedStreams(ReferenceStreams):
    """Streams of references, tokenized once; for a single system, that takes longer."""

    def __init__(self, references: object, options: CountOptions) -> None:
        super().__init__(references)
        units = super()._aligned([]).references_alone()
        (self._ids,) = unit_ids([units], options, RunOptions(workers=1))

    def _aligned(self, hypotheses: Sequence[str]) -> core.TextCorpus:
        return SystemCorpus(hypotheses, self._ids, self._offsets, self._place)


class SystemCorpus(core.TextCorpus):
    """Hypotheses of a system, with references that are tokenized already, a `Ragged`."""

    def metric_for(self, metric: AnyMetric) -> AnyMetric:
        """Return BLEU with the ids of the references."""
        return _SystemBleu(metric.options) if isinstance(metric, Bleu) else metric

    def _block(self, hyps: Sequence[str], refs: object, segments: Int64) -> Block:
        units = Text.from_strings(hyps), refs
        places = hypotheses_first(segments)
        return Block(units, segments, len(hyps), places, UnitKind.NUMBERED)

    def _lengths(self, units: object) -> Int64:
        """Return the number of characters of each unit; estimate it for tokenized units."""
        if isinstance(units, Ragged):
            return units.lengths * core.MEAN_CHARACTERS
        return super()._lengths(units)

    def plain_units(self, most: int) -> None:
        """Return None: ids of tokens can't be counted plainly."""

    def _locate(self, start: int, segments: Int64, unit: int) -> Place:
        return self.locate(start + unit)  # the units that are text


class _SystemBleu(Bleu):
    """BLEU of hypotheses with references that are tokenized already."""

    def encode(self, units: Any) -> Ragged:
        if isinstance(units, Ragged):
            return units
        text, references = units
        return Ragged.concatenate([super().encode(text), references])

    def count(self, block: Block) -> Int64:
        return super().count(block._replace(units=self.encode(block.units)))

"""What the functions of this package have in common: options, and the ids of each side's units."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from vecbleu.core.corpus.shared import UnitCorpus
from vecbleu.core.inputs.units import align_units, check_kinds
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import (
    CountOptions,
    RunOptions,
    ScoreOptions,
    Smoothing,
    SpecialIds,
    Tokenize,
    Weights,
)
from vecbleu.core.pipeline import unit_ids


class NamedUnits(NamedTuple):
    """An argument that holds units, and what the user calls it and them."""

    name: str
    units: Any
    name_unit: Callable[[int, int], str] | None = None


class Settings(NamedTuple):
    """The options of a call, checked."""

    counting: CountOptions
    scoring: ScoreOptions
    special_ids: SpecialIds
    run: RunOptions

    @classmethod
    def checked(
        cls,
        tokenize: Tokenize,
        lowercase: bool,
        max_order: int,
        weights: Weights | None,
        smoothing: Smoothing,
        smoothing_value: float | None,
        effective_order: bool,
        pad_id: int | None,
        eos_id: int | None,
        ignore_ids: Iterable[int],
        workers: int | None,
        progress: bool | None,
    ) -> Settings:
        """Options as the user passed them."""
        counting = CountOptions.checked(tokenize, lowercase, max_order)
        scoring = ScoreOptions.checked(
            counting.max_order, weights, smoothing, smoothing_value, effective_order
        )
        special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
        return cls(counting, scoring, special_ids, RunOptions(workers, progress))

    def ids(self, *sides: NamedUnits) -> list[Ragged]:
        """The ids of the units of each side."""
        corpora = [self._align(side) for side in sides]
        for corpus, side in zip(corpora, sides, strict=True):
            check_kinds(corpora[0], sides[0].name, corpus, side.name)
        return unit_ids(corpora, self.counting, self.run)

    def _align(self, side: NamedUnits) -> UnitCorpus:
        """A side's units as a corpus without references."""
        corpus = align_units(side.units, side.name, self.special_ids, side.name_unit)
        if self.counting.lowercase and not corpus.is_text and len(corpus):
            raise ValueError(f"lowercase is for strings; {side.name} holds token sequences or ids")
        return corpus

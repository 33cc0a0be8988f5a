"""Metrics: vecbleu's `BLEU` and `CHRF`, and all others of the installed sacreBLEU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vecbleu.sacrebleu import from_sacrebleu
from vecbleu.sacrebleu.metrics.bleu import BLEU, BLEUScore
from vecbleu.sacrebleu.metrics.chrf import CHRF, CHRFScore

if TYPE_CHECKING:
    from sacrebleu.metrics import METRICS as METRICS
    from sacrebleu.metrics.ter import TER as TER
    from sacrebleu.metrics.ter import TERScore as TERScore

__all__ = ["BLEU", "CHRF", "BLEUScore", "CHRFScore"]

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept misspelled names

    def __getattr__(name: str) -> Any:
        """Return a name of the installed sacreBLEU; `METRICS` has vecbleu's."""
        value = from_sacrebleu("sacrebleu.metrics", name)
        if name == "METRICS":
            value = globals()[name] = value | {"BLEU": BLEU, "CHRF": CHRF}
        return value

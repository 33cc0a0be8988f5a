"""All metrics by sacreBLEU's names: `BLEU`, and those of the installed sacreBLEU."""

from __future__ import annotations

from typing import Any

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.installed import installed_module, is_installed

METRICS: dict[str, Any] = {"BLEU": BLEU}
if is_installed():
    METRICS = {**installed_module("metrics").METRICS, **METRICS}

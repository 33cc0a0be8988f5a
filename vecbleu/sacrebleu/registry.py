"""All metrics by sacreBLEU's names: `BLEU`, and those of the installed sacreBLEU."""

from __future__ import annotations

from abc import ABCMeta

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.installed import installed_module, is_installed

METRICS: dict[str, ABCMeta] = {"BLEU": BLEU}
if is_installed():
    METRICS = {**installed_module("metrics").METRICS, **METRICS}

"""`sacrebleu.dataset.plain_text`, of the installed sacreBLEU."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on

__getattr__, __dir__ = pass_on(__name__, "dataset.plain_text")

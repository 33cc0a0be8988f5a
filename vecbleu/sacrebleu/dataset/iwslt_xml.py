"""`sacrebleu.dataset.iwslt_xml`, of the installed sacreBLEU."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on

__getattr__, __dir__ = pass_on(__name__, "dataset.iwslt_xml")

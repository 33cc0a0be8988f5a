"""sacreBLEU's module `compat`: its functions, for all metrics."""

from __future__ import annotations

from vecbleu.sacrebleu.metrics import *  # noqa: F403

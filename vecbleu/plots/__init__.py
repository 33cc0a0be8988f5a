"""Draw results with matplotlib: scores, tests of all pairs, bars of groups."""

from __future__ import annotations

from vecbleu.plots.bars import plot_bars
from vecbleu.plots.rankings import plot_pairs, plot_scores

__all__ = ["plot_bars", "plot_pairs", "plot_scores"]

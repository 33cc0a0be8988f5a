"""Pictures of scores and of what they are made of, drawn with matplotlib."""

from __future__ import annotations

from vecbleu.plots.brevity import plot_brevity_penalty
from vecbleu.plots.buckets import plot_buckets
from vecbleu.plots.drawing import load_matplotlib
from vecbleu.plots.inline import svg
from vecbleu.plots.pairs import plot_pairs
from vecbleu.plots.precisions import plot_precisions
from vecbleu.plots.scores import plot_scores

__all__ = [
    "load_matplotlib",
    "plot_brevity_penalty",
    "plot_buckets",
    "plot_pairs",
    "plot_precisions",
    "plot_scores",
    "svg",
]

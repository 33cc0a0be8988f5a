"""Pictures of scores and of what they are made of, drawn with matplotlib."""

from __future__ import annotations

from vecbleu.plots.drawing import load_matplotlib
from vecbleu.plots.inline import svg
from vecbleu.plots.pictures import plot_brevity_penalty, plot_buckets, plot_precisions, plot_scores

__all__ = [
    "load_matplotlib",
    "plot_brevity_penalty",
    "plot_buckets",
    "plot_precisions",
    "plot_scores",
    "svg",
]

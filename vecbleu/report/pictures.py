"""Pictures of a report, as inline SVG."""

from __future__ import annotations

from typing import Any

from vecbleu import plots
from vecbleu.core.options import ScoreOptions
from vecbleu.report.data import LEVEL, ReportData
from vecbleu.report.inputs import Inputs

# Systems and groups that fit one picture.
_MOST_SYSTEMS = 30
_MOST_GROUPS = 24


def report_pictures(inputs: Inputs, data: ReportData, options: ScoreOptions) -> dict[str, Any]:
    """SVG of the scores, the precisions and the groups, by name; none of what does not fit."""
    from markupsafe import Markup

    systems = inputs.systems
    if len(systems) > _MOST_SYSTEMS:
        return {}
    score: dict[str, Any] = {
        "smoothing": options.smoothing,
        "smoothing_value": options.smoothing_value,
    }
    intervals = {name: data.interval(place) for place, name in enumerate(systems)}
    found = {
        "scores": plots.svg(
            plots.plot_scores(intervals, pairs=data.pairs, level=LEVEL),
            "BLEU with intervals, and clusters",
        ),
        "precisions": plots.svg(
            plots.plot_precisions(systems, **score), "precision of each n-gram order"
        ),
    }
    for buckets in data.buckets:
        if len(buckets.labels) <= _MOST_GROUPS:
            labels = inputs.labels if buckets.by == "label" else None
            ax = plots.plot_buckets(systems, labels, **score)  # in the order of the tables
            found[buckets.by] = plots.svg(ax, "BLEU of each group")
    return {name: Markup(picture) for name, picture in found.items()}

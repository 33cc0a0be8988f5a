"""Pictures of a report, as inline SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vecbleu import plots
from vecbleu.core.options import ScoreOptions
from vecbleu.core.statistics.table import Statistics
from vecbleu.report.data import LEVEL, ReportData

if TYPE_CHECKING:
    from collections.abc import Mapping

# Systems and groups that fit one picture.
_MOST_SYSTEMS = 30
_MOST_GROUPS = 24


def report_pictures(
    systems: Mapping[str, Statistics], data: ReportData, options: ScoreOptions
) -> dict[str, Any]:
    """SVG of the scores, the precisions and the groups, by name; none of what does not fit."""
    from markupsafe import Markup

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
            found[buckets.by] = plots.svg(plots.plot_buckets(buckets), "BLEU of each group")
    return {name: Markup(picture) for name, picture in found.items()}

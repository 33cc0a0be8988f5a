"""Draw scores with intervals and clusters as SVG; the page's style sheet sets the colors."""

from __future__ import annotations

import numpy as np

from vecbleu.show.table import safe_html
from vecbleu.show.terminal import escaped_name, shortened_name
from vecbleu.significance import Ranking

# Right end of names, left and right end of the plot, total width, and height of a row.
_NAMES, _LEFT, _RIGHT, _WIDTH, _ROW = 160, 172, 440, 480, 22
_MOST_COLUMNS = 19  # of a name


def score_chart(ranking: Ranking) -> str:
    """Draw one row per system, best at the top.

    Hollow dots are significantly worse than the best system; dashed lines separate clusters.
    """
    systems, clusters = ranking.order.tolist(), ranking.clusters()
    is_worse = ranking.adjusted[:, systems[0]] < ranking.level
    ends = np.array([ranking.lower, ranking.scores, ranking.upper], float)  # (3, systems)
    step = _step(float(ends.max() - ends.min()))
    ticks = step * np.arange(np.floor(ends.min() / step), np.ceil(ends.max() / step) + 1)
    scale = (_RIGHT - _LEFT) / max(float(ticks[-1] - ticks[0]), step)
    ends_x = _LEFT + scale * (ends - ticks[0])
    bottom = _ROW * len(systems) + 4
    parts = []
    for tick, x in zip(ticks.tolist(), (_LEFT + scale * (ticks - ticks[0])).tolist(), strict=True):
        parts.append(f'<path class="grid" d="M{x:.1f} 0V{bottom}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 15}">{100 * tick:g}</text>')
    for row, system in enumerate(systems):
        y, name = _ROW * row + 13, str(ranking.names[system])
        shown = safe_html(shortened_name(name, _MOST_COLUMNS))
        kind = "worse" if is_worse[system] else "dot"
        low, x, high = ends_x[:, system].tolist()
        title, score = safe_html(escaped_name(name)), f"{100 * ranking.scores[system]:.1f}"
        if row and clusters[system] != clusters[systems[row - 1]]:
            parts.append(f'<path class="border" d="M0 {y - 11}H{_WIDTH}"/>')
        parts += [
            f'<text class="system" x="{_NAMES}" y="{y + 4}">{shown}<title>{title}</title></text>',
            f'<path class="interval" d="M{low:.1f} {y}H{high:.1f}"/>',
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y}" r="5"/>',
            f'<text class="number" x="{_WIDTH}" y="{y + 4}">{score}</text>',
        ]
    box = f'viewBox="0 0 {_WIDTH} {bottom + 20}"'
    label = f'role="img" aria-label="{ranking.metric} of each system with its interval"'
    return f'<svg class="chart" {box} {label}>{"".join(parts)}</svg>'


def _step(width: float) -> float:
    """Return the distance of about five ticks: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(max(width, 1e-4) / 5))
    return float(next(power * times for times in (1, 2, 5, 10) if width <= 5 * power * times))

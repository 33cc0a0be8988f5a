"""Systems in clusters, as in WMT's official rankings: text, JSON or LaTeX."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vecbleu.cli.reports import json_lines
from vecbleu.core.terminal import escaped_name, table_lines

if TYPE_CHECKING:
    from vecbleu.significance import Ranking


def ranking_lines(
    found: Ranking, percents: Sequence[float], options: Namespace, signature: str
) -> list[str]:
    """The systems from the best down, each with its score and its cluster."""
    if options.format == "latex" and not options.json:
        return [f"% BLEU|{signature}", *found.table().to_latex().split("\n")]
    groups = found.clusters()
    rows = [(int(groups[place]), percents[place], found.names[place]) for place in found.order]
    if options.json or options.format == "json":
        systems = [
            {"system": name, "score": score, "cluster": cluster} for cluster, score, name in rows
        ]
        return json_lines({"signature": signature, "systems": systems})
    cells = [
        [str(cluster), f"{score:.{options.width}f}", escaped_name(str(name))]
        for cluster, score, name in rows
    ]
    lines = table_lines([["cluster", "BLEU", "system"], *cells], left=(2,))
    return [f"BLEU|{signature}", "", *lines]

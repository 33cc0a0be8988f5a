"""``vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]``: rank systems, with tests and clusters."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, result_lines
from vecbleu.show.table import LEVEL, Column
from vecbleu.significance import rank
from vecbleu.significance.multiple_testing import ADJUSTED


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Rank the systems, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    keywords, fields = shared.draw_options(options)
    keywords |= {"level": options.level, "adjust": options.adjust}
    keywords["test"] = options.test or "bootstrap"
    results, columns = [], []
    for metric, tables in zip(systems.metrics, systems.tables(), strict=True):
        ranking = rank(tables, **keywords, **metric.scoring)
        table, pairs = ranking.table(), ranking.pairs().records()
        names = (row["system"] for row in table.records())
        more = [{"pairs": [pair for pair in pairs if pair["better"] == name]} for name in names]
        signature = f"{metric.name}|{metric.describe(False, **fields)}"
        results.append((table, signature, more))
        if len(results) == 1:
            order = ranking.order
        else:  # beside the ranking by the first metric
            columns.append(Column(metric.name, ranking.scores[order].tolist(), "score"))
            columns.append(Column("cluster", ranking.clusters()[order].tolist(), "count"))
    yield from result_lines(options, results, columns)


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]",
        "Rank systems by BLEU or chrF, with paired tests of all pairs. Systems in different\n"
        "clusters differ significantly. With several metrics, the first one ranks.",
    )
    parser.add_files()
    parser.add_text()
    parser.add_metrics()
    parser.add_resampling()
    parser.add_json(latex=True)
    parser.add_argument("--level", type=float, default=LEVEL, metavar="X",
        help=f"significance level of clusters (default: {LEVEL:g})")  # fmt: skip
    parser.add_argument("--adjust", choices=[*ADJUSTED], default="none", metavar="NAME",
        help=f"adjustment of p-values: {', '.join(ADJUSTED)} (default: none)")  # fmt: skip
    options = parser.parse(arguments)
    shared.check_files(options, 2)
    return options

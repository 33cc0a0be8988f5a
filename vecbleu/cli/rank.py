"""``vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]``: rank systems, with tests and clusters."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, json_lines, table_output
from vecbleu.show.table import Column, Table
from vecbleu.significance import Ranking, rank


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Rank the systems, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    keywords, fields = shared.draw_options(options)
    keywords |= shared.smoothing_options(options)
    ranking = rank(systems.tables(), test=options.test or "bootstrap", **keywords)
    signature = f"BLEU|{systems.describe(**fields)}"
    if options.json:
        rows, pairs = ranking.table().records(), _pairs(ranking).records()
        yield from json_lines({"signature": signature, "systems": rows, "pairs": pairs})
    else:
        yield from table_output(ranking.table(), signature, options.latex)


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]",
        "Rank systems by BLEU, with paired tests of all pairs. Systems in different\n"
        "clusters differ significantly (p < 0.05).",
    )
    parser.add_files()
    parser.add_text()
    parser.add_resampling()
    parser.add_json()
    parser.add_argument("--latex", action="store_true", help="LaTeX table for the package booktabs")
    options = parser.parse(arguments)
    if options.json and options.latex:
        raise ValueError("--json and --latex are both given, expected one")
    shared.check_files(options, 2)
    return options


def _pairs(ranking: Ranking) -> Table:
    """Return a table of all pairs, the better system first, with adjusted p-values."""
    names = np.array(ranking.names, object)
    better, worse = np.array([*combinations(ranking.order, 2)]).T
    p_values = {
        "p": ranking.p_values,
        "holm": ranking.holm,
        "benjamini_hochberg": ranking.benjamini_hochberg,
    }
    columns = [
        Column("better", names[better]),
        Column("worse", names[worse]),
        Column("difference", ranking.differences[better, worse], "difference"),
        *(Column(title, values[better, worse], "p") for title, values in p_values.items()),
    ]
    return Table(columns)

"""``vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]``: rank systems, with tests and clusters."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, entries, json_lines, percent

if TYPE_CHECKING:
    from vecbleu.significance import Ranking
    from vecbleu.significance.resampling import Test


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Rank the systems, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    keywords, fields = shared.draw_options(options)
    found = rank_systems(options, systems, keywords)
    signature = f"BLEU|{systems.describe(**fields)}"
    if options.json:
        yield from json_lines({"signature": signature, **_entries(found)})
    elif options.latex:
        yield from (f"% {signature}", *found.table().to_latex().split("\n"))
    else:
        yield from (signature, "", *found.table().to_text().split("\n"))


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]",
        "Rank systems by BLEU, with paired tests of all pairs. Systems in different\n"
        "clusters differ significantly (p < 0.05).",
        shared.files(),
        *shared.text(),
        shared.significance_tests(),
        shared.json_output(),
    )
    parser.add_argument("--latex", action="store_true", help="LaTeX table for the package booktabs")
    options = parser.parse(arguments)
    if options.json and options.latex:
        raise ValueError("--json and --latex are both given, expected one")
    shared.check_several(options)
    shared.check_files(options)
    return options


def rank_systems(options: Namespace, systems: Systems, keywords: dict[str, Any]) -> Ranking:
    """Count the systems, and test all pairs."""
    from vecbleu.significance import rank

    tables = systems.tables("rank")
    test: Test = options.test or "bootstrap"
    return rank(tables, test=test, **keywords, **shared.smoothing_options(options))


def _entries(found: Ranking) -> dict[str, Any]:
    """Return systems, best first, and all pairs, for JSON."""
    order, names = found.order, np.array(found.names, object)
    better, worse = np.array([*combinations(order, 2)]).T
    lower, upper = (None if ends is None else ends[order] for ends in (found.lower, found.upper))
    return {
        "systems": entries(
            rank=range(1, len(order) + 1),
            system=names[order],
            cluster=found.clusters()[order],
            score=percent(found.scores[order]),
            lower=percent(lower),
            upper=percent(upper),
        ),
        "pairs": entries(
            better=names[better],
            worse=names[worse],
            difference=percent(found.differences[better, worse]),
            p_value=found.p_values[better, worse],
            holm=found.holm[better, worse],
            benjamini_hochberg=found.benjamini_hochberg[better, worse],
        ),
    }

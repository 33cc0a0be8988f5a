"""``vecbleu rank REF [REF ...] -i SYS SYS [SYS ...]``: a leaderboard with tests and clusters."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, json_lines
from vecbleu.core.table import plain

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
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu rank",
        usage="vecbleu rank REF [REF ...] -i SYS SYS [SYS ...] [options]",
        description="Rank systems by BLEU, with paired tests of all pairs. Systems in different "
        "clusters differ significantly (p < 0.05).",
        parents=[
            shared.files(),
            *shared.text(),
            shared.significance_tests(),
            shared.json_output(),
        ],
    )
    parser.add_argument("--latex", action="store_true", help="table for the package booktabs")
    options = parser.parse(arguments)
    if options.json and options.latex:
        raise ValueError("--json and --latex are two formats, expected one")
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
    """Return systems from the best down, and all pairs, scores on 0 to 100."""
    order, clusters = found.order.tolist(), found.clusters().tolist()
    systems = []
    for number, place in enumerate(order, 1):
        entry = {"rank": number, "system": found.names[place], "cluster": clusters[place]}
        scores = {"score": found.scores, "lower": found.lower, "upper": found.upper}
        entry |= {
            name: None if one is None else 100 * float(one[place]) for name, one in scores.items()
        }
        systems.append(entry)
    tests = {
        "p_value": found.p_values,
        "holm": found.holm,
        "benjamini_hochberg": found.benjamini_hochberg,
    }
    pairs = [
        {
            "better": found.names[one],
            "worse": found.names[other],
            "difference": 100 * float(found.differences[one, other]),
            **{name: plain(values[one, other]) for name, values in tests.items()},
        }
        for one, other in combinations(order, 2)
    ]
    return {"systems": systems, "pairs": pairs}

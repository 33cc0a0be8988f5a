"""``vecbleu plot KIND REF [REF ...] -i SYS [SYS ...] -o FILE``: draw scores."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.analysis import score_buckets
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, read_labels
from vecbleu.core.extras import import_extra
from vecbleu.show.output import replaced_file
from vecbleu.significance import rank

_KINDS = {
    "scores": "scores with their intervals and clusters",
    "pairs": "differences of all pairs, and their p-values",
    "precisions": "precision of each n-gram order",
    "groups": "scores of groups of segments",
}

# Metadata to leave out of each format: dates differ from run to run.
_UNDATED: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Draw the systems into a file, and yield a line about it."""
    options = _parse(arguments)
    (matplotlib,) = import_extra("plots need", "plot", "matplotlib")
    matplotlib.use("Agg")
    from vecbleu import plots

    systems = Systems(options)
    is_test = options.kind in ("scores", "pairs")
    keywords, fields = shared.draw_options(options) if is_test else ({}, {})
    (tables,), smoothed = systems.tables(), shared.smoothing_options(options)
    if is_test:
        ranking = rank(tables, test=options.test or "bootstrap", **keywords, **smoothed)
        ax = (plots.plot_scores if options.kind == "scores" else plots.plot_pairs)(ranking)
    elif options.kind == "precisions":
        ax = plots.plot_bars({name: table.score(**smoothed) for name, table in tables.items()})
    else:
        size = len(next(iter(tables.values())))
        labels = read_labels(options, size)
        ax = plots.plot_bars(score_buckets(tables, labels, edges=options.edges, **smoothed))
    figure: Any = ax.figure
    ending = os.path.splitext(options.output)[1].lower()
    salted = matplotlib.rc_context({"svg.hashsalt": "vecbleu"})  # equal pictures, equal bytes
    with replaced_file(options.output) as file, salted:
        figure.savefig(file, format=ending[1:], dpi=200, metadata=_UNDATED[ending])
    yield f"{options.output}: {options.kind}, {systems.describe(**fields)}"


def _parse(arguments: Sequence[str]) -> Namespace:
    """Parse the kind, which is the first argument, and its options."""
    kinds = "\n".join(f"  {name:<12}{what}" for name, what in _KINDS.items())
    parser = Parser("vecbleu plot KIND REF [REF ...] -i SYS [SYS ...] -o FILE", kinds)
    parser.add_argument("kind", choices=[*_KINDS], metavar="KIND", help="its --help lists options")
    kind = parser.parse_args(arguments[:1]).kind
    usage = f"vecbleu plot {kind} REF [REF ...] -i SYS [SYS ...] -o FILE"
    parser = Parser(usage, f"Draw {_KINDS[kind]}.")
    parser.add_files()
    parser.add_text()
    if kind in ("scores", "pairs"):
        parser.add_resampling(level=kind == "scores")
    if kind == "groups":
        parser.add_groups()
    parser.add_output("(.png, .svg or .pdf)")
    options = parser.parse(arguments[1:])
    options.kind = kind
    shared.check_output(options, *_UNDATED)
    shared.check_files(options, 2 if kind in ("scores", "pairs") else 1)
    return options

"""``vecbleu stats REF [REF ...] -i SYS -o OUT.npz``: count once, and save the statistics."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the statistics, and yield a line about them."""
    options = _parse(arguments)
    systems = Systems(options)
    tables = systems.tables()[0] if options.references else systems.loaded_rows()
    statistics = systems.metrics[0].table.concatenate(tables.values())
    statistics.save(options.output)
    yield f"{options.output}: {statistics!r}, {statistics.signature!r}"


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu stats REF [REF ...] -i SYS -o FILE.npz [options]\n"
        "       vecbleu stats -i PART.npz PART.npz [PART.npz ...] -o FILE.npz",
        "Count text once and save its statistics, or join those of several parts.\n"
        "Other commands take the file in place of a system's text.",
    )
    parser.add_files(names=False)
    parser.add_reading()
    parser.add_counting()
    parser.add_metrics()
    parser.add_output("(.npz)")
    options = parser.parse(arguments)
    options.smoothing, options.smoothing_value = "exp", None
    if len({*options.metrics}) > 1:
        raise ValueError(f"metrics has {len({*options.metrics})} names, expected one to count")
    shared.check_output(options, ".npz")
    shared.check_files(options)
    if options.references and len(options.input) > 1:
        raise ValueError(f"-i has {len(options.input)} systems, expected one to count")
    if not options.references:
        shared.refuse_reading(options)
    files = [*map(os.path.realpath, options.input)]
    for path, file in zip(options.input, files, strict=True):
        if files.count(file) > 1:
            raise ValueError(f"{path!r} is given twice, and would be counted twice")
    return options

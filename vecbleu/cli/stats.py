"""``vecbleu stats REF [REF ...] -i SYS -o OUT.npz``: count once, and save the statistics."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, load_alike
from vecbleu.core.statistics import Statistics


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the statistics, and yield a line about them."""
    options = _parse(arguments)
    if options.references:
        (statistics,) = Systems(options).tables().values()
    else:
        parts = load_alike(options.input)
        for path, table in parts.items():
            if table.is_sum:
                raise ValueError(f"{path} is the sum of all segments, expected a row for each")
        statistics = Statistics.concatenate(parts.values())
    statistics.save(options.output)
    yield f"{options.output}: {statistics!r}, {statistics.signature!r}"


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu stats REF [REF ...] -i SYS -o FILE.npz [options]\n"
        "       vecbleu stats -i PART.npz PART.npz [PART.npz ...] -o FILE.npz",
        "Count text once and save its statistics, or join those of several parts.\n"
        "Other commands take the file in place of a system's text.",
        shared.file_parser(names=False),
        shared.reading_parser(),
        shared.counting_parser(),
    )
    shared.output_file(parser, "(.npz)")
    options = parser.parse(arguments)
    options.smoothing, options.smoothing_value = "exp", None
    shared.check_output(options, shared.STATISTICS_SUFFIX)
    if not options.references and len({*map(os.path.realpath, options.input)}) < len(options.input):
        raise ValueError("a part is given twice")
    shared.check_files(options)
    if options.references:
        if len(options.input) > 1:
            raise ValueError(f"-i has {len(options.input)} systems, expected one to count")
        if shared.is_statistics_file(options.input[0]):
            path = options.input[0]
            raise ValueError(f"{path} is a file of statistics; to join parts, leave out references")
    else:
        for name in ("tokenize", "language_pair", "lowercase", "max_order", "workers"):
            if getattr(options, name):
                raise ValueError(f"{name} is for text, not for parts")
    return options

"""``vecbleu stats REF [REF ...] -i SYS -o OUT.npz``: count once, and write the statistics."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import Parser, check_output, input_files
from vecbleu.cli.grammar import STATISTICS_SUFFIX, check_order, is_statistics_file
from vecbleu.cli.systems import Systems, checked_rows, load_alike
from vecbleu.core.statistics.table import Statistics

# Options of counting, which parts that are joined have behind them.
_FOR_TEXT = (
    *("tokenize", "language_pair", "lowercase", "max_order"),
    *("num_refs", "encoding", "workers"),
)


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the statistics, and yield a line about them."""
    options = _parse(arguments)
    if options.joins:
        statistics = Statistics.concatenate(checked_rows(load_alike(options.input)).values())
        statistics.save(options.output)
        yield f"{options.output}: {statistics!r}, {statistics.signature!r}"
        return
    systems = Systems(options)
    (statistics,) = systems.tables()
    statistics.save(options.output)
    yield f"{options.output}: {statistics!r}, {systems.signature!r}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu stats",
        usage="vecbleu stats REF [REF ...] -i SYS -o FILE [options]",
        description="Count text once and write its statistics, or join those of several parts.",
        epilog="Wherever a system's text is expected, the file can be given instead.",
    )
    add = parser.add_systems(f" (one; or parts to join, all {STATISTICS_SUFFIX})", has_names=False)
    parser.add_output_file(add, STATISTICS_SUFFIX)
    parser.add_text()
    return parser.parse_checked(arguments, before=lambda options: _check(options, parser))


def _check(options: argparse.Namespace, parser: Parser) -> None:
    """Tell text from parts; ValueError for options that do not fit together."""
    check_order(options)
    systems, references = options.input, options.references
    options.joins = all(map(is_statistics_file, systems)) and not references
    if not is_statistics_file(options.output):
        raise ValueError(f"the output {options.output!r} does not end in {STATISTICS_SUFFIX}")
    check_output(options.output, input_files(options))
    if not options.joins:
        for path in filter(is_statistics_file, [*systems, *references]):
            raise ValueError(
                f"{path} is no text; parts to join are all {STATISTICS_SUFFIX}, without references"
            )
        if len(systems) > 1:
            raise ValueError(f"statistics are of one system, not {len(systems)}")
        return
    if len({*map(os.path.realpath, systems)}) < len(systems):
        raise ValueError("a part is given twice")
    for name in _FOR_TEXT:
        if getattr(options, name) != parser.get_default(name):
            raise ValueError(f"parts have been counted; {name.replace('_', '-')} is for text")

"""``vecbleu stats HYP REF [REF ...] -o OUT.npz``: count once, and write the statistics."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import STATISTICS_SUFFIX, Parser, check_output, is_statistics_file
from vecbleu.cli.systems import Systems, checked_rows, load_alike
from vecbleu.core.statistics.stream import save_blocks
from vecbleu.core.statistics.table import Statistics, describe

# Options of counting, which parts that are joined have behind them.
_FOR_TEXT = (
    *("tokenize", "language_pair", "lowercase", "max_order"),
    *("num_refs", "encoding", "workers"),
)


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the statistics, and yield a line about them."""
    options = _parse(arguments)
    if options.joins:
        statistics = Statistics.concatenate(checked_rows(load_alike(options.files)).values())
        statistics.save(options.output)
        yield f"{options.output}: {statistics!r}, {statistics.signature!r}"
        return
    systems = Systems(options)
    counted = save_blocks(systems.blocks(), options.output, systems.signature)
    systems.warn_of_tokenized()
    yield f"{options.output}: {describe(*counted)}, {systems.signature!r}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu stats",
        description="Count text once and write its statistics, or join those of several parts.",
        epilog="Wherever a system's text is expected, the file can be given instead.",
    )
    add = parser.group("files")
    add("files", nargs="+", metavar="FILE",
        help=f"a system and its references; or parts to join, all of them {STATISTICS_SUFFIX}",
    )  # fmt: skip
    add("-o", "--output", required=True, metavar="OUT.npz", help="the file to write")
    parser.add_text()
    return parser.parse_checked(arguments, before=lambda options: _check(options, parser))


def _check(options: argparse.Namespace, parser: Parser) -> None:
    """Tell text from parts; ValueError for options that do not fit together."""
    files = options.files
    options.input, options.references = files[:1], files[1:]
    options.joins = all(map(is_statistics_file, files))
    if not is_statistics_file(options.output):
        raise ValueError(f"the output {options.output!r} does not end in {STATISTICS_SUFFIX}")
    check_output(options.output, files)
    if not options.joins:
        for path in filter(is_statistics_file, files):
            raise ValueError(f"{path} is no text; either all files are {STATISTICS_SUFFIX} or none")
        return
    options.input, options.references = files, []
    if len({*map(os.path.realpath, files)}) < len(files):
        raise ValueError("a part is given twice")
    for name in _FOR_TEXT:
        if getattr(options, name) != parser.get_default(name):
            raise ValueError(f"parts have been counted; {name.replace('_', '-')} is for text")

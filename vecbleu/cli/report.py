"""``vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE``: one HTML file about systems."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import Parser, check_can_be_read_twice, check_output, input_files
from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.lines import (
    read_column,
    read_columns,
    read_labels,
    read_source,
    reference_sources,
)
from vecbleu.cli.messages import set_up_logging
from vecbleu.cli.systems import Systems
from vecbleu.core.checks import checked_integer
from vecbleu.core.options import CountOptions, RunOptions
from vecbleu.report.inputs import Inputs
from vecbleu.report.page import load_extra, write_page
from vecbleu.sacrebleu.options import environment_seed
from vecbleu.significance.resampling import DrawOptions


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the report, and yield a line about it."""
    options = _parse(arguments)
    set_up_logging()  # of what matplotlib logs
    load_extra()  # raises before the work is done
    systems = Systems(options)
    tables = dict(zip(systems.names, systems.tables("report"), strict=True))
    size = len(next(iter(tables.values())))
    paths = zip(systems.names, options.input, strict=True)
    inputs = Inputs(
        tables,
        {name: read_column(options, path) for name, path in paths if not is_statistics_file(path)},
        _references(options) if options.references else None,
        read_source(options, size) if options.source else None,
        read_labels(options, size) if options.labels else None,
    )
    field, seed = environment_seed()
    draws = DrawOptions("bootstrap", options.resamples, seed, progress=None)
    counting = systems.count_options or CountOptions.checked()
    run = RunOptions(options.workers, None)
    score = systems.score_options()
    write_page(options.output, inputs, counting, score, draws, run, options.title)
    signature = systems.describe(bs=options.resamples, sides=2, seed=field)
    yield f"{options.output}: report of {len(tables)} systems, BLEU|{signature}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu report",
        usage="vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE [options]",
        description="Write an HTML file that shows which system is best, by how much and where, "
        "and every segment with all outputs side by side.",
        epilog="Systems that are statistics (.npz) come without text, and need no references. The "
        "environment's SACREBLEU_SEED is the seed of the bootstrap (default: 12345).",
    )
    add = parser.add_systems(has_source=True)
    parser.add_output_file(add, ".html")
    parser.refuse_ref()
    parser.refuse_metrics()
    add = parser.group("groups")
    add("--labels", metavar="FILE",
        help="a file that names the group of each segment, such as a domain")  # fmt: skip
    parser.add_text()
    parser.add_smoothing()
    parser.group("intervals and tests")("--resamples", type=int, default=1000, metavar="N",
        help="corpora drawn (default: %(default)s)")  # fmt: skip
    parser.group("output")("--title", default="BLEU report", metavar="TEXT",
        help="the heading (default: %(default)s)")  # fmt: skip
    return parser.parse_checked(arguments, after=_check)


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if len(options.input) < 2:
        raise ValueError(f"{len(options.input)} system behind -i, expected 2 or more")
    if not options.output.lower().endswith((".html", ".htm")):
        raise ValueError(f"the output {options.output!r} does not end in .html")
    check_can_be_read_twice([*options.input, *options.references])
    check_output(options.output, input_files(options))
    checked_integer(options.resamples, "resamples", 1)


def _references(options: argparse.Namespace) -> list[tuple[str, ...]]:
    """The references of each segment."""
    return [*zip(*read_columns(reference_sources(options)), strict=True)]

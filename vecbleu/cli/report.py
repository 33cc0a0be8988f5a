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
from vecbleu.cli.systems import Systems, checked_rows, load_alike
from vecbleu.core.checks import checked_integer
from vecbleu.report import write
from vecbleu.sacrebleu.options import environment_seed


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the report, and yield a line about it."""
    options = _parse(arguments)
    systems = Systems(options)
    systems.check_lengths()
    paths = dict(zip(systems.names, options.input, strict=True))
    loaded = load_alike(path for path in options.input if is_statistics_file(path))
    checked_rows(loaded)
    given = {name: loaded.get(path) or read_column(options, path) for name, path in paths.items()}
    size = len(next(iter(given.values())))
    if not size:
        raise ValueError("there are no segments to report")
    field, seed = environment_seed()
    counting = {name: one for name, one in systems.counting_options.items() if one is not None}
    write(
        options.output,
        given,
        _references(options) if options.references else None,
        source=read_source(options, size) if options.source else None,
        labels=read_labels(options, size) if options.labels else None,
        title=options.title,
        n_resamples=options.resamples,
        rng=seed,
        progress=None,
        **systems.smoothing_options,
        **counting,
    )
    signature = systems.describe(bs=options.resamples, sides=2, seed=field)
    yield f"{options.output}: report of {len(given)} systems, BLEU|{signature}"


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

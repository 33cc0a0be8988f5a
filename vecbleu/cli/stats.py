"""``vecbleu stats HYP REF [REF ...] -o OUT.npz``: count once, and keep the statistics."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import (
    KEPT,
    Parser,
    add_counting,
    add_reading,
    finish,
    is_kept,
    problem_of_files,
)
from vecbleu.cli.systems import Systems, load_alike
from vecbleu.statistics import Statistics


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write what the arguments name, and yield a line about it."""
    options = _parse(arguments)
    if options.joins:
        counted = Statistics.concatenate(load_alike(options.files).values())
    else:
        (counted,) = Systems(options).tables()
    counted.save(options.output)
    yield f"{options.output}: {counted!r}, {counted.signature!r}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read and check the options."""
    parser = Parser(
        prog="vecbleu stats",
        description="Count text once and keep the statistics, or join those of several parts.",
        epilog="Scores and tests of significance take the file in the place of a system's text.",
    )
    add = parser.add_argument_group("files").add_argument
    add("files", nargs="+", metavar="FILE",
        help=f"a system and its references; or parts to join, all of them {KEPT}")  # fmt: skip
    add("-o", "--output", required=True, metavar="OUT.npz", help="where to write them")
    add_reading(parser)
    add_counting(parser)
    options = parser.parse_args(arguments)
    finish(options)
    options.input, options.references = options.files[:1], options.files[1:]
    options.joins = all(map(is_kept, options.files))
    if problem := _problem(options):
        parser.error(problem)
    return options


def _problem(options: argparse.Namespace) -> str | None:
    """What is wrong with the options together, if anything."""
    if not is_kept(options.output):
        return f"the output {options.output!r} does not end in {KEPT}"
    if not options.joins:
        for path in filter(is_kept, options.files):
            return f"{path} is no text; either all files are {KEPT} or none"
        return problem_of_files(options)
    if len(set(options.files)) < len(options.files):
        return "a part is given twice"
    if options.tokenize or options.language_pair or options.lowercase or options.max_order:
        return "parts have been counted; options of counting are for text"
    return None

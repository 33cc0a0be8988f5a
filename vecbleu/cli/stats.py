"""``vecbleu stats HYP REF [REF ...] -o OUT.npz``: count once, and keep the statistics."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import (
    KEPT,
    Parser,
    add_counting,
    add_reading,
    finish,
    is_kept,
    problem_of_files,
    problem_of_output,
)
from vecbleu.cli.systems import Systems, load_alike, refuse_sum
from vecbleu.statistics import Statistics

# Options that joining has no use for, and what they are where they are not given.
_FOR_TEXT = {
    "tokenize": None,
    "language_pair": None,
    "lowercase": False,
    "max_order": None,
    "num_refs": 1,
    "encoding": "utf-8",
    "workers": None,
}


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write what the arguments name, and yield a line about it."""
    options = _parse(arguments)
    if options.joins:
        parts = load_alike(options.files)
        for path, table in parts.items():
            refuse_sum(path, table)
        counted = Statistics.concatenate(parts.values())
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
    if problem := problem_of_output(options.output, options.files):
        return problem
    if not options.joins:
        for path in filter(is_kept, options.files):
            return f"{path} is no text; either all files are {KEPT} or none"
        return problem_of_files(options)
    if len({*map(os.path.realpath, options.files)}) < len(options.files):
        return "a part is given twice"
    for name, value in _FOR_TEXT.items():
        if getattr(options, name) != value:
            return f"parts have been counted; {name.replace('_', '-')} is for text"
    return None

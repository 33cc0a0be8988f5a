"""Sets of lines that are scored against each other: their options, and what files of them hold."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from vecbleu.cli.arguments import Check, Parser, check_read_once
from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.systems import tokenizer_name
from vecbleu.core.options import CountOptions, RunOptions, ScoreOptions
from vecbleu.sacrebleu.signature import BLEUSignature, signature_of

_DEFAULT_ORDER = 4


def add_scoring(parser: Parser) -> None:
    """How files are read, and how their lines are counted and scored."""
    parser.add_text(has_segments=False)
    parser.add_smoothing()


def add_lines(parser: Parser, what: str) -> Callable[..., argparse.Action]:
    """The file of lines that are scored; returns what adds further files."""
    add = parser.group("files")
    add("-i", "--input", metavar="FILE", help=what)
    return add


def refuse_files(parser: Parser) -> None:
    """Have a file without -i be an error that says where it stands."""
    parser.add_argument("references", nargs="*", help=argparse.SUPPRESS)
    parser.set_defaults(most_references=0)


def parse_lines(
    parser: Parser,
    arguments: Sequence[str],
    *,
    before: Check | None = None,
    after: Check | None = None,
) -> argparse.Namespace:
    """Parse and check the options, of which `references` are files to compare lines with."""
    return parser.parse_checked(arguments, before=before, after=after, inputs=_check_files)


def _check_files(options: argparse.Namespace) -> None:
    """ValueError unless files can be read as lines, one of them from behind -i."""
    references: list[str] = options.references
    if options.input is None:
        raise ValueError(f"no file behind -i: see {options.program} --help")
    if len(references) > options.most_references:
        raise ValueError(f"{len(references)} files without -i, expected {options.most_references}")
    paths = [*references, options.input]
    for path in filter(is_statistics_file, paths):
        raise ValueError(f"{path} is a file of statistics, which has no lines")
    check_read_once(paths)


class LineScoring:
    """How lines are counted and scored: as scoring does at sentence level."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Check the options, before any file is read."""
        order = _DEFAULT_ORDER if options.max_order is None else options.max_order
        counting = tokenizer_name(options), options.lowercase, order
        smoothing = options.smoothing, options.smoothing_value
        self._counting = CountOptions.checked(*counting)
        # Over the orders that a line is long enough for.
        self._scoring = ScoreOptions.checked(order, None, *smoothing, effective_order=True)
        run = RunOptions.checked(options.workers, progress=None)  # a bar is for terminals
        self.keywords: dict[str, Any] = {
            **dict(zip(("tokenize", "lowercase", "max_order"), counting, strict=True)),
            **dict(zip(("smoothing", "smoothing_value"), smoothing, strict=True)),
            "effective_order": True,
            "workers": run.workers,
            "progress": run.progress,
        }

    def describe(self, references: int) -> BLEUSignature:
        """The signature of scores with so many references each."""
        return signature_of(self._counting.signature(references=references), self._scoring)

"""Sets of lines that are scored against each other: their options, and what files of them hold."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from vecbleu.cli.arguments import Check, Parser, check_read_once, is_statistics_file
from vecbleu.cli.systems import read_lines, tokenizer_name
from vecbleu.core.files.sources import Source
from vecbleu.core.options import CountOptions, RunOptions, ScoreOptions
from vecbleu.sacrebleu.signature import BLEUSignature, signature_of

_DEFAULT_ORDER = 4


def add_scoring(parser: Parser) -> None:
    """How files are read, and how their lines are counted and scored."""
    parser.add_text(has_segments=False)
    parser.add_smoothing()


def parse_files(
    parser: Parser,
    arguments: Sequence[str],
    files: Sequence[str],
    *,
    before: Check | None = None,
    after: Check | None = None,
) -> argparse.Namespace:
    """Parse and check the options, some of which are paths of files of lines."""
    inputs = partial(_check_files, files)
    return parser.parse_checked(arguments, before=before, after=after, inputs=inputs)


def _check_files(names: Sequence[str], options: argparse.Namespace) -> None:
    """ValueError unless the files that some options name can be read as lines."""
    paths = [path for name in names if (path := getattr(options, name)) is not None]
    for path in filter(is_statistics_file, paths):
        raise ValueError(f"{path} is a file of statistics, which has no lines")
    check_read_once(paths)


def read_strings(path: str, options: argparse.Namespace) -> list[str]:
    r"""All lines of a file, of which nothing but \n is an end."""
    lines: list[str] = []
    for block in read_lines([Source(path, 1, options.encoding)]):
        (column,) = block.columns
        lines += column.lines.decode().split("\n")[:-1]  # each is closed, the file's last one, too
    return lines


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
        run = RunOptions(options.workers, progress=None)  # a bar is for terminals
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

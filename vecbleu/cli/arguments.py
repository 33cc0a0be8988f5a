"""Options that several commands have, and what can be wrong with them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from vecbleu.smoothing import SMOOTHINGS
from vecbleu.sources import STANDARD_INPUT

# What a file of statistics is called.
KEPT = ".npz"


def is_kept(path: str) -> bool:
    """Whether a file is one of statistics."""
    return path.endswith(KEPT)


def finish(options: argparse.Namespace) -> None:
    """What several options come to together."""
    options.language = ((options.language_pair or "").split("-") * 2)[1]


def problem_of_files(options: argparse.Namespace) -> str | None:
    """What is wrong with the files, if anything."""
    references, systems = options.references, options.input or []
    for path in filter(is_kept, references):
        return f"{path} is a file of statistics, which can't be references"
    if not references and not (systems and all(map(is_kept, systems))):
        return "no references; see --help for where their files are given"
    if not references and options.num_refs != 1:
        return "num-refs is for a file of references, and there is none"
    reads = references.count(STANDARD_INPUT) + (systems or [STANDARD_INPUT]).count(STANDARD_INPUT)
    if reads > 1:
        return f"standard input is needed {reads} times but can be read once"
    for number, name in enumerate(systems):
        if name in systems[:number]:
            return f"{name!r} is given twice as a system"
    if options.num_refs < 1:
        return f"num-refs is {options.num_refs}, expected at least 1"
    if options.num_refs > 1 and len(references) > 1:
        return f"num-refs is for one file of references, not {len(references)}"
    if not 0 <= getattr(options, "width", 0) <= 1000:
        return f"width is {options.width}, expected 0 to 1000"
    return None


def problem_of_output(output: str, files: Iterable[str]) -> str | None:
    """What is wrong with the file that is written, if anything."""
    if any(_are_same(output, file) for file in files):
        return f"the output {output!r} is one of the files that are read"
    return None


def _are_same(path: str, other: str) -> bool:
    """Whether two paths, of which there may be no files, mean one file."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)


def problem_of_groups(options: argparse.Namespace) -> str | None:
    """What is wrong with the groups of segments, if anything."""
    if options.labels and options.edges:
        return "--edges is for groups without labels"
    if options.labels and is_kept(options.labels):
        return f"{options.labels} is a file of statistics, which can't be labels"
    return None


def one_line(message: str) -> str:
    """A message whose names of files may hold anything."""
    return message.replace("\n", "\\n").replace("\r", "\\r")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print it, and end with status 2."""
        if sys.stderr is not None:
            print(f"{self.prog}: error: {one_line(message)}", file=sys.stderr)
        sys.exit(2)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How files are read."""
    add = parser.add_argument_group("reading").add_argument
    add("-nr", "--num-refs", type=int, default=1, metavar="N",
        help="the reference file has N references a line, with tabs between")  # fmt: skip
    add("--workers", type=int, metavar="N",
        help="processes (default: as many as there are cores; 1 for small files)")  # fmt: skip
    add("-e", "--encoding", default="utf-8", help="of all files (default: %(default)s)")
    add("--force", action="store_true", help="do not warn of text that looks tokenized")
    add("-q", "--quiet", action="store_true", help="no warnings")


def add_groups(parser: argparse.ArgumentParser, edges: Sequence[int]) -> None:
    """What groups segments belong to; edges are None unless they are given."""
    add = parser.add_argument_group("groups").add_argument
    add("--labels", metavar="FILE",
        help="groups by what is on each segment's line of this file, such as a domain")  # fmt: skip
    add("--edges", type=int, nargs="+", metavar="N",
        help="lengths of the reference where groups without labels begin "
        f"(default: {' '.join(map(str, edges))})")  # fmt: skip


def add_counting(parser: argparse.ArgumentParser) -> None:
    """What is counted."""
    add = parser.add_argument_group("counting").add_argument
    add("-tok", "--tokenize", metavar="NAME",
        help="a tokenizer or the path of a SentencePiece model "
        "(default: 13a, or what the language calls for)")  # fmt: skip
    add("-l", "--language-pair", metavar="PAIR",
        help="languages, such as en-zh; the second may have a tokenizer of its own")  # fmt: skip
    add("-lc", "--lowercase", action="store_true", help="ignore case")
    add("--max-order", type=int, metavar="N", help="longest n-gram (default: 4)")


def add_smoothing(parser: argparse.ArgumentParser) -> None:
    """What becomes of orders without a match."""
    add = parser.add_argument_group("smoothing").add_argument
    add("-s", "--smooth-method", "--smoothing", dest="smoothing", choices=list(SMOOTHINGS),
        default="exp", help="default: exp")  # fmt: skip
    add("-sv", "--smooth-value", "--smoothing-value", dest="smoothing_value", type=float,
        metavar="X", help="for floor (0.1) and add-k (1)")  # fmt: skip

"""Arguments that several commands take, and the checks of their values."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from vecbleu.cli.grammar import check_order, is_statistics_file, usage
from vecbleu.cli.messages import print_error, set_quiet
from vecbleu.core.checks import checked_integer
from vecbleu.core.files.sources import STANDARD_INPUT
from vecbleu.core.options import SMOOTHING_VALUES
from vecbleu.core.output import check_writable

Check = Callable[[argparse.Namespace], None]


class Parser(argparse.ArgumentParser):
    """A parser with the options that several commands share, and their checks.

    A usage error is one line.
    """

    def __init__(self, **about: str) -> None:
        self._is_complete = False
        super().__init__(**about, formatter_class=self._formatter)  # type: ignore[arg-type]
        # Of commands without these options.
        self.set_defaults(labels=None, edges=None, width=1, sentence_level=False)
        self.set_defaults(source=None, names=None, shortens_names=True)
        self.set_defaults(kind=None, ref=None, refused=None)

    def _formatter(self, prog: str) -> argparse.HelpFormatter:
        """What formats a help; argparse also checks each option by one as it is added.

        The width of the terminal is asked for only when there is a help to print: that loads
        `shutil` with all kinds of compression, which takes 4 ms.
        """
        return argparse.HelpFormatter(prog, width=None if self._is_complete else 80)

    def error(self, message: str) -> NoReturn:
        """Print the error, and exit with status 2."""
        found = re.match(r"argument (?:.*/)?(--[\w-]+): expected one argument$", message)
        if found and self._option_string_actions[found[1]].type is None:  # no number
            message += f'; one that begins with "-" is written as {found[1]}=...'
        sys.exit(print_error(message, self.prog))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help or a version; argparse passes over errors, as of a full device."""
        print(message, end="", file=file)

    def parse_checked(
        self,
        arguments: Sequence[str],
        *,
        before: Check | None = None,
        after: Check | None = None,
        inputs: Check | None = None,
    ) -> argparse.Namespace:
        """Parse the arguments; a command's own checks come before or after the shared ones.

        `inputs` checks files that are no systems with references. A ValueError of a check is a
        usage error.
        """
        self._is_complete = True
        # References may stand on both sides of an option.
        options = self.parse_intermixed_args(arguments)
        set_quiet(options.quiet)
        options.program, options.arguments = self.prog, [*arguments]
        try:
            for check in filter(None, [before, _check_shared, inputs or check_inputs, after]):
                check(options)
        except ValueError as error:
            self.error(str(error))
        return options

    def group(self, title: str) -> Callable[..., argparse.Action]:
        """The function that adds options to a new group."""
        return self.add_argument_group(title).add_argument

    def add_systems(
        self,
        note: str = "",
        *,
        needs_systems: bool = True,
        has_names: bool = True,
        has_source: bool = False,
    ) -> Callable[..., argparse.Action]:
        """References, and systems behind -i; returns what adds further files.

        `note` says in parentheses what the command's systems are. Only where `needs_systems` is
        false, standard input takes their place, and the names that are printed are paths.
        """
        self.set_defaults(needs_systems=needs_systems, shortens_names=needs_systems)
        add = self.group("files")
        add("references", nargs="*", metavar="REF", help="a file for each reference")
        add("-i", "--input", nargs="+" if needs_systems else "*", metavar="SYS",
            help=f"a file for each system{note}")  # fmt: skip
        if has_names:
            default = "their files, without common parts" if needs_systems else "their files"
            add("--names", nargs="+", metavar="NAME",
                help=f"what to call the systems (default: {default})")  # fmt: skip
        if has_source:
            add("--source", metavar="FILE", help="the source text, to show beside")
        return add

    def add_output_file(self, add: Callable[..., argparse.Action], formats: str) -> None:
        """The file that the command writes."""
        add("-o", "--output", required=True, metavar="FILE",
            help=f"the file to write ({formats})")  # fmt: skip

    def add_no_color(self, add: Callable[..., argparse.Action]) -> None:
        """Whether words are marked on a terminal."""
        add("-nc", "--no-color", action="store_true", help="no colors, as with NO_COLOR set")

    def refuse_ref(self) -> None:
        """Have --ref, behind which other programs take references, be an error that says more."""
        self.add_argument("--ref", nargs="*", help=argparse.SUPPRESS)

    def refuse_metrics(self) -> None:
        """Have -m, by which scoring takes chrF and TER, be an error that says more."""
        self.add_argument("-m", "--metrics", dest="refused", nargs="*", help=argparse.SUPPRESS)

    def add_text(self, has_segments: bool = True) -> None:
        """How files are read, and how their segments, or lines by themselves, are counted."""
        add = self.group("reading")
        if has_segments:
            add("-nr", "--num-refs", type=int, default=1, metavar="N",
                help="references in each line of the reference file, separated by tabs "
                "(default: %(default)s)")  # fmt: skip
        add("--workers", type=int, metavar="N",
            help="worker processes (default: one per core; 1 for small files)")  # fmt: skip
        add("-e", "--encoding", default="utf-8",
            help="encoding of all files (default: %(default)s)")  # fmt: skip
        if has_segments:
            add("--force", action="store_true", help="do not warn of text that looks tokenized")
        add("-q", "--quiet", action="store_true", help="do not warn of anything")
        add = self.group("counting")
        add("-tok", "--tokenize", metavar="NAME",
            help="a tokenizer, or the path of a SentencePiece model "
            "(default: the target language's, or 13a)")  # fmt: skip
        add("-l", "--language-pair", metavar="PAIR",
            help="source and target language, such as en-zh; chooses the tokenizer")  # fmt: skip
        add("-lc", "--lowercase", action="store_true", help="ignore case")
        add("--max-order", type=int, metavar="N", help="longest n-gram (default: 4)")

    def add_segment_groups(self, edges: Sequence[int]) -> None:
        """Which groups segments belong to; without an option, none of them is set."""
        add = self.group("groups")
        add("--labels", metavar="FILE",
            help="a file that names the group of each segment, such as a domain")  # fmt: skip
        add("--edges", type=int, nargs="+", metavar="N",
            help="without --labels, lengths of the reference at which a new group begins "
            f"(default: {' '.join(map(str, edges))})")  # fmt: skip

    def add_smoothing(self) -> None:
        """How orders without a match are smoothed."""
        add = self.group("smoothing")
        add("-s", "--smooth-method", "--smoothing", dest="smoothing",
            choices=list(SMOOTHING_VALUES), default="exp",
            help="what orders without a match count as (default: exp)")  # fmt: skip
        add("-sv", "--smooth-value", "--smoothing-value", dest="smoothing_value", type=float,
            metavar="X", help="for floor (default: 0.1) and add-k (default: 1)")  # fmt: skip

    def add_output(self) -> Callable[..., argparse.Action]:
        """How scores are printed; returns what adds further options."""
        add = self.group("output")
        add("-w", "--width", type=int, default=1, metavar="DIGITS",
            help="decimal places (default: %(default)s)")  # fmt: skip
        add("--json", action="store_true", help="JSON with every digit")
        return add


def _check_shared(options: argparse.Namespace) -> None:
    """ValueError for options of several commands that do not fit together."""
    if options.labels and options.edges:
        raise ValueError("--edges is for groups without labels")
    for path, what in ((options.labels, "labels"), (options.source, "source text")):
        if path and is_statistics_file(path):
            raise ValueError(f"{path} is a file of statistics, which can't be {what}")
    if any(metric != "bleu" for metric in options.refused or ()):
        raise ValueError("this command is for BLEU alone; for -m, write: vecbleu REF -i SYS -m ...")
    checked_integer(options.width, "width", 0, 1000)


def check_inputs(options: argparse.Namespace) -> None:
    """ValueError unless references and systems can be read together."""
    if options.needs_systems:
        check_order(options)
    references, systems = options.references, options.input or []
    for path in filter(is_statistics_file, references):
        raise ValueError(f"{path} is a file of statistics, which can't be references")
    if not references:
        if not systems or not all(map(is_statistics_file, systems)):
            raise ValueError(f"no references before -i: {usage(options)}")
        if options.num_refs != 1:
            raise ValueError("num-refs is for a file of references, and there is none")
    check_read_once([*input_files(options), *([] if systems else [STANDARD_INPUT])])
    check_distinct(systems, "a system")
    if options.names and systems:
        check_names(options.names, len(systems))
    if checked_integer(options.num_refs, "num-refs", 1) > 1 and len(references) > 1:
        raise ValueError(f"num-refs is for one file of references, not {len(references)}")


def check_read_once(paths: Sequence[str]) -> None:
    """ValueError if standard input is among the files more than once."""
    if (reads := paths.count(STANDARD_INPUT)) > 1:
        raise ValueError(f"standard input is needed {reads} times but can be read once")


def can_be_read_twice(path: str) -> bool:
    """Whether a path is neither standard input nor a pipe; a folder is refused where it is read."""
    is_pipe = os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))
    return path != STANDARD_INPUT and not is_pipe


def check_can_be_read_twice(paths: Iterable[str]) -> None:
    """ValueError for standard input and pipes."""
    for path in paths:
        if not can_be_read_twice(path):
            raise ValueError(
                f"{path} can't be read twice, which is needed to show text beside scores"
            )


def check_distinct(names: Sequence[str], what: str) -> None:
    """ValueError if a name is given twice."""
    for number, name in enumerate(names):
        if name in names[:number]:
            raise ValueError(f"{name!r} is given twice as {what}")


def check_names(names: Sequence[str], systems: int) -> None:
    """ValueError unless there is a name for each system, and something to see of each."""
    if len(names) != systems:
        raise ValueError(f"names has {len(names)} but there are {systems} systems")
    for number, name in enumerate(names, 1):
        if not name.strip():
            raise ValueError(f"name {number} is blank")
    check_distinct(names, "a name")


def input_files(options: argparse.Namespace) -> list[str]:
    """All files of segments that are read."""
    others = filter(None, [options.labels, options.source])
    return [*options.references, *(options.input or []), *others]


def check_output(output: str, inputs: Iterable[str]) -> None:
    """ValueError if the file to write is one of those to read; OSError if it can't be written."""
    if any(_are_same(output, path) for path in inputs):
        raise ValueError(f"the output {output!r} is one of the files that are read")
    check_writable(output)


def _are_same(path: str, other: str) -> bool:
    """Whether two paths, at which there may be no files, mean the same file."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)

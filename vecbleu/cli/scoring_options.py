"""The options of scoring: sacreBLEU's for BLEU, and a few beyond them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import vecbleu
from vecbleu.cli.arguments import (
    Parser,
    add_counting,
    add_reading,
    add_smoothing,
    finish,
    problem_of_files,
)
from vecbleu.cli.reports import FORMATS

_EPILOG = """\
Files are text with one segment a line; names that end in .gz are decompressed, and - is standard
input. A system whose name ends in .npz is statistics that "vecbleu stats" has written: it needs no
references. Scores are on 0 to 100. Options and output are sacreBLEU's, but that text is the
default. Other commands: vecbleu stats --help, vecbleu compare --help, vecbleu plot --help.
"""

# Options of sacreBLEU that name test sets, which it downloads.
_TEST_SETS = (
    ("-t", "--test-set"),
    ("-ol", "--origlang"),
    ("--subset",),
    ("--download",),
    ("--echo",),
    ("--list",),
    ("--citation", "--cite"),
    ("-d", "--detail"),
)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read and check the command line; a mistake is one line on standard error and status 2."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.test_set is not None:
        parser.error(
            f"{options.test_set} needs a test set, which would have to be downloaded; pass the "
            "references as files instead"
        )
    finish(options)
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if form in FORMATS:
        options.format = form
    options.is_paired = options.paired_bs or options.paired_ar
    if options.is_paired and options.input:  # sacreBLEU passes over the baseline's second time
        first, *others = options.input
        options.input = [first, *(name for name in others if name != first)]
    if problem := _problem(options):
        parser.error(problem)
    options.input = options.input or []
    return options


def _problem(options: argparse.Namespace) -> str | None:
    """What is wrong with the options together, if anything."""
    systems = options.input or []
    if options.input == []:
        return "no system behind -i"
    if problem := problem_of_files(options):
        return problem
    if options.sentence_level and len(systems) > 1:
        return "only one system can be scored at sentence level"
    return _problem_of_tests(options)


def _problem_of_tests(options: argparse.Namespace) -> str | None:
    """What is wrong with the tests that are asked for, if anything."""
    systems = options.input or []
    if options.sentence_level and (options.confidence or options.is_paired):
        return "there are no tests at sentence level"
    if options.confidence and len(systems) > 1:
        return "--confidence is for one system; use --paired-bs or --paired-ar for several"
    if options.is_paired and len(systems) == 1:
        return "paired tests need several systems behind -i"
    for name in ("confidence_n", "paired_bs_n", "paired_ar_n"):
        if getattr(options, name) < 1:
            return f"{name.replace('_', '-')} is {getattr(options, name)}, expected at least 1"
    return None


class _NeedsTestSet(argparse.Action):
    """Remember an option that needs a download."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        namespace.test_set = option_string


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="vecbleu", description="Score text files with BLEU.", epilog=_EPILOG)
    _add_files(parser)
    add_reading(parser)
    add_counting(parser)
    add_smoothing(parser)
    _add_metric(parser)
    _add_tests(parser)
    _add_output(parser)
    for names in _TEST_SETS:
        parser.add_argument(
            *names, dest="test_set", nargs="*", action=_NeedsTestSet, help=argparse.SUPPRESS
        )
    return parser


def _add_files(parser: argparse.ArgumentParser) -> None:
    """What is scored."""
    add = parser.add_argument_group("files").add_argument
    add("references", nargs="*", metavar="REF", help="a file for each reference")
    add("-i", "--input", nargs="*", metavar="HYP",
        help="a file for each system (default: standard input, a column for each)")  # fmt: skip


def _add_metric(parser: argparse.ArgumentParser) -> None:
    """What is computed."""
    add = parser.add_argument_group("BLEU").add_argument
    add("-m", "--metrics", choices=["bleu"], nargs="+", default=["bleu"], help="only bleu")
    add("-sl", "--sentence-level", action="store_true",
        help="a score for each line, over the orders that it is long enough for")  # fmt: skip


def _add_tests(parser: argparse.ArgumentParser) -> None:
    """What is tested."""
    group = parser.add_argument_group("significance")
    add, either = group.add_argument, group.add_mutually_exclusive_group().add_argument
    add("-ci", "--confidence", action="store_true",
        help="the interval of 95%% of one system, by bootstrap")  # fmt: skip
    add("-cin", "--confidence-n", type=int, default=1000, metavar="N",
        help="resamples (default: %(default)s)")  # fmt: skip
    either("-pbs", "--paired-bs", action="store_true",
        help="compare all systems with the first by paired bootstrap")  # fmt: skip
    either("-par", "--paired-ar", action="store_true",
        help="compare all systems with the first by approximate randomization")  # fmt: skip
    add("-pbsn", "--paired-bs-n", type=int, default=1000, metavar="N",
        help="resamples (default: %(default)s)")  # fmt: skip
    add("-parn", "--paired-ar-n", type=int, default=10000, metavar="N",
        help="trials (default: %(default)s)")  # fmt: skip
    add("-j", "--paired-jobs", type=int, metavar="N",
        help="accepted; tests take one process")  # fmt: skip


def _add_output(parser: argparse.ArgumentParser) -> None:
    """What is printed."""
    add = parser.add_argument_group("output").add_argument
    add("-f", "--format", choices=FORMATS, default="text",
        help="latex is for several systems; the environment's SACREBLEU_FORMAT comes first "
        "(default: %(default)s)")  # fmt: skip
    add("-w", "--width", type=int, default=1, metavar="DIGITS",
        help="digits behind the point (default: %(default)s)")  # fmt: skip
    add("-b", "--score-only", action="store_true", help="nothing but the score")
    add("-sh", "--short", action="store_true", help="a short signature")
    add("--json", action="store_true", help="JSON with counts and every digit")
    add("-nc", "--no-color", action="store_true", help="accepted; there are no colors")
    add("-V", "--version", action="version", version=f"vecbleu {vecbleu.__version__}")

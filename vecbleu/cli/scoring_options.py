"""The options of scoring: sacreBLEU's for BLEU, and a few beyond them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial

import vecbleu
from vecbleu.cli.arguments import Parser
from vecbleu.cli.program import COMMANDS
from vecbleu.cli.reports import FORMATS
from vecbleu.core.checks import checked_integer

_EPILOG = """\
Files are text with one segment a line; names that end in .gz are decompressed, and - is standard
input. A system whose name ends in .npz is statistics that "vecbleu stats" has written: it needs no
references. Scores are on 0 to 100. Options and output are sacreBLEU's, but that text is the
default. Other commands, each with a --help of its own: """

# Options of sacreBLEU that name test sets, which it downloads.
_TEST_SETS = (
    *("-t --test-set", "-ol --origlang", "--subset", "--download", "--echo"),
    *("--list", "--citation --cite", "-d --detail"),
)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu",
        usage="vecbleu REF [REF ...] -i SYS [SYS ...] [options]",
        description="Score text files with BLEU.",
        epilog=_EPILOG + ", ".join(f"vecbleu {name}" for name in COMMANDS) + ".",
    )
    parser.add_systems(" (default: standard input, a column for each)", needs_systems=False)
    parser.add_text()
    parser.add_smoothing()
    add = parser.group("BLEU")
    add("-m", "--metrics", choices=["bleu"], nargs="+", default=["bleu"], help="only bleu")
    add_sentence_level(add)
    _add_tests(parser)
    add = add_score_output(parser)
    parser.add_no_color(add)
    add("-V", "--version", action="version", version=f"vecbleu {vecbleu.__version__}")
    for names in _TEST_SETS:
        parser.add_argument(*names.split(), nargs="*", action=_NeedsTestSet, dest="test_set",
            help=argparse.SUPPRESS)  # fmt: skip
    return parser.parse_checked(arguments, before=_settle, after=_check)


def _settle(options: argparse.Namespace) -> None:
    """Settle the systems and the format; ValueError for what there can't be."""
    if options.test_set is not None:
        raise ValueError(
            f"{options.test_set} needs a test set, which would have to be downloaded; pass the "
            "references as files instead"
        )
    settle_format(options)
    options.is_paired = options.paired_bs or options.paired_ar
    if options.is_paired and options.input:  # sacreBLEU passes over the baseline's second time
        first, *others = options.input
        options.input = [first, *(name for name in others if name != first)]
    if options.input == []:
        raise ValueError("no system behind -i")
    options.input = options.input or []


def settle_format(options: argparse.Namespace) -> None:
    """Let the environment have its way, as it has in sacreBLEU."""
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if form in FORMATS:
        options.format = form


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if options.sentence_level and len(options.input) > 1:
        raise ValueError("only one system can be scored at sentence level")
    if options.sentence_level and (options.confidence or options.is_paired):
        raise ValueError("there are no tests at sentence level")
    if options.confidence and (options.is_paired or len(options.input) > 1):
        raise ValueError(
            "--confidence is for one system; use --paired-bs or --paired-ar for several"
        )
    if options.is_paired and len(options.input) == 1:
        raise ValueError("paired tests need several systems behind -i")
    if options.paired_bs_sides == 2 and not options.paired_bs:
        raise ValueError("--paired-bs-sides 2 is for --paired-bs; write both")
    for name in ("confidence_n", "paired_bs_n", "paired_ar_n"):
        checked_integer(getattr(options, name), name.replace("_", "-"), 1)


class _NeedsTestSet(argparse.Action):
    """Store the name of an option that needs a download."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        namespace.test_set = option_string


def _add_tests(parser: Parser) -> None:
    """Which tests of significance there are."""
    group = parser.add_argument_group("significance")
    add, either = group.add_argument, group.add_mutually_exclusive_group().add_argument
    add("-ci", "--confidence", action="store_true",
        help="the 95%% confidence interval of one system, by bootstrap")  # fmt: skip
    add_count = partial(add, type=int, metavar="N")
    add_count("-cin", "--confidence-n", default=1000, help="resamples (default: %(default)s)")
    either("-pbs", "--paired-bs", action="store_true",
        help="compare all systems with the first by paired bootstrap")  # fmt: skip
    either("-par", "--paired-ar", action="store_true",
        help="compare all systems with the first by approximate randomization")  # fmt: skip
    add_count("-pbsn", "--paired-bs-n", default=1000, help="resamples (default: %(default)s)")
    add("--paired-bs-sides", type=int, choices=[1, 2], default=1,
        help="tails of the paired bootstrap: 1 as in sacreBLEU, which finds one pair of equal "
        "systems in ten to differ at p < 0.05; 2 keeps its level (default: 1)")  # fmt: skip
    add_count("-parn", "--paired-ar-n", default=10000, help="trials (default: %(default)s)")
    add_count("-j", "--paired-jobs", help="accepted; tests take one process")


def add_sentence_level(add: Callable[..., argparse.Action]) -> None:
    """Whether each line is scored by itself."""
    add("-sl", "--sentence-level", action="store_true",
        help="score each line, over the orders that it is long enough for")  # fmt: skip


def add_score_output(parser: Parser) -> Callable[..., argparse.Action]:
    """What is printed of scores; returns what adds further options."""
    add = parser.add_output()
    add("-f", "--format", choices=FORMATS, default="text",
        help="latex is for several systems; the environment's SACREBLEU_FORMAT comes first "
        "(default: %(default)s)")  # fmt: skip
    add("-b", "--score-only", action="store_true", help="print nothing but the score")
    add("-sh", "--short", action="store_true", help="print a short signature")
    return add

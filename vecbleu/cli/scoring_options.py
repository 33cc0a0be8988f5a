"""The options of scoring: sacreBLEU's for BLEU, and a few beyond them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial

import vecbleu
from vecbleu.cli.arguments import Parser, check_inputs
from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.program import COMMANDS
from vecbleu.cli.reports import FORMATS
from vecbleu.cli.sacrebleu_options import (
    BLEU,
    METRICS,
    add_chrf_and_ter,
    add_test_sets,
    check_chrf,
    is_passed_on,
)
from vecbleu.core.checks import checked_integer

_EPILOG = """\
Files are text with one segment a line; names that end in .gz are decompressed, and - is standard
input. A system whose name ends in .npz is statistics that "vecbleu stats" has written: it needs no
references. Scores are on 0 to 100. Options and output are sacreBLEU's, but that text is the
default. Other commands, each with a --help of its own: """


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
    add = parser.group("scores")
    add("-m", "--metrics", choices=METRICS, nargs="+", default=[BLEU],
        help="what to compute; chrf and ter by sacreBLEU (default: bleu)")  # fmt: skip
    add_sentence_level(add)
    _add_tests(parser)
    add = add_score_output(parser)
    parser.add_no_color(add)
    add("-V", "--version", action="version", version=f"vecbleu {vecbleu.__version__}")
    add_test_sets(parser)
    add_chrf_and_ter(parser)
    return parser.parse_checked(arguments, before=_settle, inputs=_check_inputs, after=_check)


def _settle(options: argparse.Namespace) -> None:
    """Settle the systems and the format; ValueError for what there can't be."""
    settle_format(options)
    _settle_test_set(options)
    _settle_metrics(options)
    options.is_paired = options.paired_bs or options.paired_ar
    if options.is_paired and options.input:  # sacreBLEU passes over the baseline's second time
        first, *others = options.input
        options.input = [first, *(name for name in others if name != first)]
        if others and len(options.input) == 1:
            raise ValueError(f"{first!r} is given twice, and paired tests need several systems")
    if options.input == []:
        raise ValueError("no system behind -i")
    options.input = options.input or []


def _settle_test_set(options: argparse.Namespace) -> None:
    """Let references be those of a test set, unless all is about test sets."""
    options.is_passed_on = is_passed_on(options)
    if options.is_passed_on or options.test_set is not None:
        from vecbleu.cli import datasets

        if options.is_passed_on:
            datasets.check_passed_on(options)
        else:
            options.references = datasets.reference_files(options)


def _settle_metrics(options: argparse.Namespace) -> None:
    """Name each metric once; ValueError for options that others than BLEU do not have.

    The lines are counted without BLEU, too, which takes no time beside the others: how is set here,
    so that nothing is warned of and nothing is missing.
    """
    options.metrics = [*dict.fromkeys(options.metrics)]
    options.is_bleu = options.metrics == [BLEU]
    if options.is_bleu:
        return
    if options.sentence_level and len(options.metrics) > 1:
        raise ValueError("only one metric can be used at sentence level")
    check_chrf(options)
    if options.json:
        raise ValueError("--json is for BLEU alone; for other metrics, write -f json")
    if options.paired_bs_sides == 2:
        raise ValueError("--paired-bs-sides 2 is for BLEU alone")
    for path in filter(is_statistics_file, options.input or []):
        raise ValueError(f"{path} is a file of statistics, which are of BLEU alone")
    if BLEU not in options.metrics and not options.is_passed_on:
        options.force = True
        options.tokenize, options.language_pair, options.max_order = "none", None, None
        options.smoothing, options.smoothing_value = "exp", None


def settle_format(options: argparse.Namespace) -> None:
    """Let the environment have its way, as it has in sacreBLEU."""
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if form in FORMATS:
        options.format = form


def _check_inputs(options: argparse.Namespace) -> None:
    """ValueError unless the files can be read together; of test sets, there may be none."""
    if not options.is_passed_on:
        check_inputs(options)


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if options.is_passed_on:
        return
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
    if options.clusters and not options.is_paired:
        raise ValueError("--clusters is for paired tests; write --paired-bs or --paired-ar, too")
    if options.clusters and not options.is_bleu:
        raise ValueError("--clusters is for BLEU alone")
    for name in ("confidence_n", "paired_bs_n", "paired_ar_n"):
        checked_integer(getattr(options, name), name.replace("_", "-"), 1)


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
    add("--paired-bs-sides", type=int, choices=[1, 2],
        help="tails of the paired bootstrap: 1 as in sacreBLEU, which finds one pair of equal "
        "systems in ten to differ at p < 0.05; 2 keeps its level (default: 1, and 2 with "
        "--clusters)")  # fmt: skip
    add("--clusters", action="store_true",
        help="with --paired-bs or --paired-ar: test all pairs of systems, and print clusters that "
        "differ at p < 0.05, as WMT's rankings do")  # fmt: skip
    add_count("-parn", "--paired-ar-n", default=10000, help="trials (default: %(default)s)")
    add_count("-j", "--paired-jobs", help="processes for chrF and TER; 0: as many as systems")


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

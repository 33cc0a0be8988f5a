"""The command line: ``vecbleu REF [REF ...] -i HYP [HYP ...]``."""

from __future__ import annotations

import argparse
import functools
import json
import operator
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import vecbleu
from vecbleu.files import STANDARD_INPUT
from vecbleu.pipeline import Counting, count_files
from vecbleu.results import BleuScore, score_rows
from vecbleu.scores import Formula, resolve_formula
from vecbleu.smoothing import SMOOTHINGS
from vecbleu.statistics import Statistics
from vecbleu.tokenizers import TOKENIZERS

_EPILOG = """\
Files are UTF-8 text with one segment a line; names that end in .gz are decompressed, and - is
standard input. Scores are on 0 to 100, as sacreBLEU prints them.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0, or 2 after an error."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if sys.stdout is None:
        return _fail("standard output is closed")
    try:
        _check_standard_input(options)
        for line in _report(options):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, TypeError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    return 0


def _fail(message: str) -> int:
    """One line on standard error, if there is one."""
    if sys.stderr is not None:
        print(f"vecbleu: error: {message}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="vecbleu", description="Score text files with BLEU.", epilog=_EPILOG
    )
    add = parser.add_argument
    add("references", nargs="+", metavar="REF", help="a file for each reference")
    add("-i", "--input", nargs="+", default=[STANDARD_INPUT], metavar="HYP",
        help="a file for each system (default: standard input)")  # fmt: skip
    add("-tok", "--tokenize", choices=sorted(TOKENIZERS), default="13a",
        help="default: %(default)s")  # fmt: skip
    add("-lc", "--lowercase", action="store_true", help="ignore case")
    add("--max-order", type=int, default=4, metavar="N",
        help="longest n-gram (default: %(default)s)")  # fmt: skip
    add("-s", "--smoothing", choices=list(SMOOTHINGS), default="exp", help="default: %(default)s")
    add("-sv", "--smoothing-value", type=float, metavar="X", help="for floor (0.1) and add-k (1)")
    add("-sl", "--sentence-level", action="store_true",
        help="a score for each line, over the orders that it is long enough for")  # fmt: skip
    add("--json", action="store_true", help="JSON with scores at full precision")
    add("-w", "--width", type=int, default=1, metavar="DIGITS",
        help="digits printed behind the point (default: %(default)s)")  # fmt: skip
    add("-V", "--version", action="version", version=f"vecbleu {vecbleu.__version__}")
    return parser


def _check_standard_input(options: argparse.Namespace) -> None:
    """It can be read only once."""
    in_references = options.references.count(STANDARD_INPUT)
    reads = in_references * len(options.input) + options.input.count(STANDARD_INPUT)
    if reads > 1:
        raise ValueError(f"standard input is needed {reads} times but can be read once")


def _report(options: argparse.Namespace) -> Iterator[str]:
    """The lines to print."""
    counting = Counting(options.tokenize, options.lowercase, options.max_order)
    formula = resolve_formula(
        options.max_order, None, options.smoothing, options.smoothing_value, options.sentence_level
    )
    if options.width < 0:
        raise ValueError(f"width is {options.width}, expected at least 0")
    signature = _signature(options, formula)
    systems = [(path, _scores(path, options, counting, formula)) for path in options.input]
    if options.json:
        entries = (
            _entry(path, score, signature, options) for path, scores in systems for score in scores
        )
        if options.sentence_level:
            yield from map(json.dumps, entries)
        else:
            listed = [*entries]
            yield json.dumps(listed if len(listed) > 1 else listed[0], indent=1)
        return
    for path, scores in systems:
        prefix = f"{path}\t" if len(systems) > 1 else ""
        for score in scores:
            yield prefix + _line(score, signature, options.width)


def _scores(
    path: str, options: argparse.Namespace, counting: Counting, formula: Formula
) -> Iterator[BleuScore]:
    """One score for a file, or one for each of its lines; memory does not grow with the file."""
    blocks = count_files([path, *options.references], counting)
    if not options.sentence_level:
        nothing = counting.gather([]).sum()
        blocks = iter([functools.reduce(operator.add, map(Statistics.sum, blocks), nothing)[None]])
    for block in blocks:
        yield from score_rows(block, formula)


def _signature(options: argparse.Namespace, formula: Formula) -> str:
    """What was computed, in sacreBLEU's words."""
    smoothing = options.smoothing
    if formula.smoothing.value is not None:
        smoothing += f"[{formula.smoothing.value:.2f}]"
    fields = {
        "nrefs": len(options.references),
        "case": "lc" if options.lowercase else "mixed",
        "eff": "yes" if formula.effective_order else "no",
        "tok": options.tokenize,
        "smooth": smoothing,
    }
    if options.max_order != 4:
        fields["max_order"] = options.max_order
    fields["version"] = f"vecbleu-{vecbleu.__version__}"
    return "|".join(f"{name}:{value}" for name, value in fields.items())


def _line(score: BleuScore, signature: str, width: int) -> str:
    """SacreBLEU's line."""
    precisions = "/".join(f"{precision:.1f}" for precision in score.percent_precisions)
    return f"BLEU|{signature} = {score.percent:.{width}f} {precisions} {score.lengths()}"


def _entry(
    path: str, score: BleuScore, signature: str, options: argparse.Namespace
) -> dict[str, Any]:
    """One score as JSON."""
    return {
        "name": "BLEU",
        "score": score.percent,
        "signature": signature,
        "hypothesis": path,
        "references": options.references,
        "precisions": score.percent_precisions,
        "brevity_penalty": score.brevity_penalty,
        "matches": score.matches,
        "totals": score.totals,
        "hyp_len": score.hyp_len,
        "ref_len": score.ref_len,
    }

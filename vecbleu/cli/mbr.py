"""``vecbleu mbr -i CANDIDATES -n N``: the candidate of each source that most others agree with."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import Parser
from vecbleu.cli.line_sets import LineScoring, add_lines, add_scoring, parse_lines
from vecbleu.cli.lines import read_column
from vecbleu.cli.reports import json_lines
from vecbleu.core.checks import checked_integer
from vecbleu.core.terminal import Verbatim
from vecbleu.pairwise.expected import expected_bleu

_EPILOG = """\
A candidate's expected score is the mean of its scores against each pseudo-reference of its source
by itself, on 0 to 100, as by "vecbleu ... -sl"; by default, all candidates of the source are its
pseudo-references. The line with the highest one is printed, of equal ones the first: just as it
stands in the file, in UTF-8, so that the output can be scored. Only on a terminal are control
characters escaped. With --json, each line is an object that has the numbers of the source and of
its candidate, from 1, the score and the text. Files are text with one segment a line; names that
end in .gz are decompressed, and - is standard input.
"""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Choose a line for each source, and yield it."""
    options = _parse(arguments)
    scoring = LineScoring(options)
    candidates = _read_sources(options.input, "n", options)
    references = None
    for path in options.references:
        references = _read_sources(path, "p", options)
        if len(references) != len(candidates):
            raise ValueError(
                f"{path} has {len(references)} sources of {options.p} lines but "
                f"{options.input} has {len(candidates)} of {options.n}"
            )
    expected = expected_bleu(candidates, references, **scoring.keywords)
    for number, (lines, scores) in enumerate(zip(candidates, expected, strict=True), 1):
        best = int(scores.argmax())
        percent = 100 * float(scores[best])
        if options.json:
            entry = {"source": number, "candidate": best + 1, "score": percent, "text": lines[best]}
            yield "".join(json_lines(entry, indent=None))
        else:
            score = f"{percent:.{options.width}f}\t" if options.scores else ""
            yield Verbatim(score + lines[best])


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu mbr",
        usage="vecbleu mbr [REF] -i FILE -n N [options]",
        description="Choose among candidates by minimum Bayes risk: print the one of each source "
        "with the highest expected sentence BLEU.",
        epilog=_EPILOG,
    )
    add = add_lines(parser, "the candidates of source after source")
    add("references", nargs="*", metavar="REF",
        help="pseudo-references of source after source (default: the candidates)")  # fmt: skip
    parser.set_defaults(most_references=1)
    add("-n", type=int, required=True, metavar="N", help="candidates of each source")
    add("-p", type=int, metavar="N", help="pseudo-references of each source, if there is a REF")
    # What these were called by other orders of arguments.
    add("--references", dest="ref", help=argparse.SUPPRESS)
    add("-m", dest="p_of_ref", help=argparse.SUPPRESS)
    add_scoring(parser)
    add = parser.add_output()
    add("--scores", action="store_true",
        help="print the expected score and a tab before each line")  # fmt: skip
    return parse_lines(parser, arguments, before=_refuse_references, after=_check)


def _refuse_references(options: argparse.Namespace) -> None:
    """ValueError where pseudo-references are given by an option."""
    if options.ref is not None or options.p_of_ref is not None:
        raise ValueError(
            "pseudo-references come first, and candidates stand behind -i: "
            f"{options.program} REFERENCES -p N -i CANDIDATES -n N"
        )


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    checked_integer(options.n, "n", 1)
    if bool(options.references) != (options.p is not None):
        raise ValueError("REF and -p, its lines of each source, need each other")
    if options.p is not None:
        checked_integer(options.p, "p", 1)


def _read_sources(path: str, option: str, options: argparse.Namespace) -> list[list[str]]:
    """The lines of a file, as many a source as the option says."""
    lines, size = read_column(options, path), getattr(options, option)
    if len(lines) % size:
        raise ValueError(
            f"{path} has {len(lines)} lines, which is no multiple of {size} (-{option})"
        )
    return [lines[start : start + size] for start in range(0, len(lines), size)]

"""``vecbleu self -i FILE``: Self-BLEU, how much the lines of a file are like each other."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import Parser
from vecbleu.cli.line_sets import (
    LineScoring,
    add_lines,
    add_scoring,
    parse_lines,
    refuse_files,
)
from vecbleu.cli.lines import read_column
from vecbleu.cli.reports import Column, format_table, json_lines
from vecbleu.cli.scoring_options import add_score_output, add_sentence_level, settle_format
from vecbleu.pairwise.diversity import self_bleu

_NAME = "Self-BLEU"

_EPILOG = """\
Each line is scored as by "vecbleu ... -sl", with all the others as its references; the mean is
Self-BLEU: the higher it is, the less diverse are the lines. Scores are on 0 to 100. The file is
text with one segment a line; a name that ends in .gz is decompressed, and - is standard input.
"""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Score the lines against each other, and yield the lines to print."""
    options = _parse(arguments)
    scoring = LineScoring(options)
    lines = read_column(options, options.input)
    if len(lines) < 2:
        raise ValueError(
            f"{options.input} has {len(lines)} lines, expected 2 at least: each is scored against "
            "the others"
        )
    scores = self_bleu(lines, **scoring.keywords)
    printed = scores if options.sentence_level else scores.mean(keepdims=True)
    # At sentence level, all formats of -f are text, as in scoring.
    is_full = options.json or (options.format == "json" and not options.sentence_level)
    signature = scoring.describe(len(lines) - 1).format(options.short and not is_full)
    for score in (100 * printed).tolist():
        yield from _format(score, signature, options)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu self",
        usage="vecbleu self -i FILE [options]",
        description="Print Self-BLEU: the mean sentence BLEU of each line of a file against all "
        "the others.",
        epilog=_EPILOG,
    )
    add_lines(parser, "the lines, which are hypotheses and references")
    refuse_files(parser)
    add_scoring(parser)
    add_sentence_level(parser.group("scores"))
    add_score_output(parser)
    return parse_lines(parser, arguments, before=settle_format)


def _format(score: float, signature: str, options: argparse.Namespace) -> list[str]:
    """The lines that say a score, as scoring formats its own."""
    text = f"{score:.{options.width}f}"
    if options.json:
        entry = {"name": _NAME, "score": score, "signature": signature, "file": options.input}
        return json_lines(entry, indent=None if options.sentence_level else 1)
    if options.score_only:
        return [text]
    if options.format == "latex" and not options.sentence_level:
        column = Column(_NAME, [text], signature)
        return format_table([options.input], [column], "latex", options.width)
    if options.format == "json" and not options.sentence_level:
        fields = [field for field in signature.split("|") if ":" in field]
        rounded = {"name": _NAME, "score": float(text), "signature": signature}
        return json_lines(rounded | dict(field.split(":", 1) for field in fields))
    return [f"{_NAME}|{signature} = {text}"]

"""``vecbleu nearest CORPUS -i QUERIES -k N``: the lines of a corpus that are most like others."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from vecbleu.cli.arguments import Parser
from vecbleu.cli.line_sets import LineScoring, add_lines, add_scoring, parse_lines
from vecbleu.cli.lines import read_column
from vecbleu.cli.reports import json_lines
from vecbleu.core.checks import checked_integer
from vecbleu.core.terminal import escaped_name
from vecbleu.pairwise.neighbors import nearest

_EPILOG = """\
Each line printed has the number of a query, the number of a line of the corpus (both from 1), and
the score of the query with that line as its reference, on 0 to 100, as by "vecbleu ... -sl". There
are tabs between and there is no header, for programs such as sort and join. The best come first;
of equal scores, the first line of the corpus. With -s none, only pairs that share an n-gram of the
highest order are looked at, which on a large corpus is many times faster; shorter queries are still
compared with all lines. With --json, each line printed is an object. Files are text with one
segment a line; names that end in .gz are decompressed, and - is standard input.
"""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Find the neighbors, and yield a line for each."""
    options = _parse(arguments)
    scoring = LineScoring(options)
    queries = read_column(options, options.input)
    (path,) = options.references
    corpus = read_column(options, path)
    if options.k > len(corpus):
        raise ValueError(f"k is {options.k} but {path} has {len(corpus)} lines")
    found = nearest(queries, corpus, k=options.k, **scoring.keywords)
    rows = zip(queries, found.indices.tolist(), (100 * found.scores).tolist(), strict=True)
    for number, (query, neighbors, percents) in enumerate(rows, 1):
        for neighbor, percent in zip(neighbors, percents, strict=True):
            place = number, neighbor + 1
            texts = (query, corpus[neighbor]) if options.text else ()
            yield _line(place, percent, texts, None if options.json else options.width)


def _line(place: tuple[int, int], percent: float, texts: tuple[str, ...], width: int | None) -> str:
    """A query and its neighbor as JSON, or with so many digits of the score."""
    if width is None:
        names = "query", "line", "score", "query_text", "line_text"
        entry = dict(zip(names, (*place, percent, *texts), strict=False))
        return "".join(json_lines(entry, indent=None))
    return "\t".join([*map(str, place), f"{percent:.{width}f}", *map(escaped_name, texts)])


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu nearest",
        usage="vecbleu nearest CORPUS -i FILE [options]",
        description="Print the lines of a corpus that are most like each query, by sentence BLEU.",
        epilog=_EPILOG,
    )
    add = add_lines(parser, "the queries: lines to find others for")
    add("references", nargs="*", metavar="CORPUS", help="the lines to find")
    parser.set_defaults(most_references=1)
    add_scoring(parser)
    add = parser.add_output()
    add("-k", type=int, default=1, metavar="N",
        help="lines to print for each query (default: %(default)s)")  # fmt: skip
    add("--text", action="store_true",
        help="print the query and its neighbor as well, with tabs and control characters escaped",
    )  # fmt: skip
    return parse_lines(parser, arguments, after=_check)


def _check(options: argparse.Namespace) -> None:
    """ValueError for what there can't be."""
    if not options.references:
        raise ValueError("no corpus; write: vecbleu nearest CORPUS -i QUERIES")
    checked_integer(options.k, "k", 1)

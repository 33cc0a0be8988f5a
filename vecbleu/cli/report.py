"""``vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE``: one HTML file about systems."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from vecbleu import report
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import load_alike, read_columns, read_references, source_of
from vecbleu.core.statistics import Statistics


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the report, and yield a line about it."""
    options = _parse(arguments)
    loaded = load_alike(filter(shared.is_statistics_file, options.input))
    systems: dict[str, Statistics | list[str]] = {}
    for name, path in zip(shared.system_names(options), options.input, strict=True):
        systems[name] = loaded[path] if path in loaded else _lines(options, path)
    keywords, _ = shared.draw_options(options)
    report.write(
        options.output,
        systems,
        read_references(options) if options.references else None,
        source=_lines(options, options.source) if options.source else None,
        labels=_lines(options, options.labels) if options.labels else None,
        title=options.title,
        workers=options.workers,
        **keywords,
        **(shared.counting_options(options) if len(loaded) < len(systems) else {}),
        **shared.smoothing_options(options),
    )
    yield f"{options.output}: report of {len(systems)} systems"


def _parse(arguments: Sequence[str]) -> Namespace:
    """Parse and check the options."""
    parser = Parser(
        "vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE.html",
        "Write an HTML page that shows which system is best, by how much and where,\n"
        "and every segment with all outputs side by side.",
        shared.files(source=True),
        *shared.text(),
        shared.groups(edges=False),
        shared.significance_tests(test=False),
    )
    shared.output_file(parser, "(.html)")
    parser.add_argument("--title", default="BLEU report", metavar="TEXT", help="heading")
    options = parser.parse(arguments)
    shared.check_several(options)
    shared.check_files(options)
    shared.check_output(options, ".html", ".htm")
    return options


def _lines(options: Namespace, path: str) -> list[str]:
    """Return the lines of a file."""
    (lines,) = read_columns([source_of(options, path)])
    return lines

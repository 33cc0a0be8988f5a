"""``vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE``: write an HTML report."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu import report
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, check_sizes, read_columns, reference_sources, source_of


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the report, and yield a line about it."""
    options = _parse(arguments)
    systems = Systems(options)
    loaded = systems.loaded_rows()
    texts = [path for path in options.input if path not in loaded]
    beside = [path for path in (options.source, options.labels) if path]
    others = [source_of(options, path) for path in [*texts, *beside]]
    columns = read_columns([*others, *reference_sources(options)])
    own: dict[str, Any] = dict(zip([*texts, *beside], columns, strict=False))
    sides = [loaded[path] if path in loaded else own[path] for path in options.input]
    if options.references:
        check_sizes({options.references[0]: len(columns[-1])}, loaded)
    keywords, _ = shared.draw_options(options)
    report.write(
        options.output,
        dict(zip(systems.names, sides, strict=True)),
        [*zip(*columns[len(others) :], strict=True)] if options.references else None,
        source=own.get(options.source),
        labels=own.get(options.labels),
        title=options.title,
        workers=options.workers,
        **keywords,
        **(shared.counting_options(options) if texts else {}),
        **shared.smoothing_options(options),
    )
    yield f"{options.output}: report of {len(systems.names)} systems"


def _parse(arguments: Sequence[str]) -> Namespace:
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

"""``vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE``: write an HTML report."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu import report
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import Systems, read_columns, read_labels, sources_of


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Write the report, and yield a line about it."""
    options = _parse(arguments)
    systems = Systems(options)
    columns: dict[str, Any] = {**systems.loaded_rows()}
    texts = [path for path in options.input if path not in columns]
    files = [*texts, *filter(None, [options.source])]
    lines = read_columns(sources_of(options, files))
    references = lines[len(files) :]
    columns |= zip(files, lines, strict=False)
    keywords, _ = shared.draw_options(options)
    report.write(
        options.output,
        {name: columns[path] for name, path in zip(systems.names, options.input, strict=True)},
        [*zip(*references, strict=True)] if references else None,
        source=columns.get(options.source),
        labels=read_labels(options, len(columns[options.input[0]])),
        metrics=options.metrics,
        chrf=chrf_arguments(options),
        title=options.title or _title(options.references),
        language_pair=options.language_pair,
        workers=options.workers,
        **keywords,
        **(shared.counting_options(options) if texts else {}),
        **shared.smoothing_options(options),
    )
    yield f"{options.output}: report of {len(systems.names)} systems"


def chrf_arguments(options: Namespace) -> dict[str, Any]:
    """Return the options of chrF that are given, as arguments of Python functions."""
    given = {
        name.removeprefix("chrf_"): value
        for name, value in vars(options).items()
        if name.startswith("chrf_") and value is not None
    }
    if "effective_order" in given:
        given["eps_smoothing"] = not given.pop("effective_order")
    return given


def _title(references: Sequence[str]) -> str:
    """Return the name of the first file of references, unless it is a pipe."""
    is_file = bool(references) and os.path.isfile(references[0])
    return os.path.basename(references[0]).removesuffix(".gz") if is_file else "BLEU report"


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu report REF [REF ...] -i SYS SYS [SYS ...] -o FILE.html",
        "Write an HTML page that shows which system is best, by how much and where,\n"
        "and every segment with all outputs side by side. The first metric ranks; BLEU is\n"
        "always shown, since precisions are its own.",
    )
    parser.add_files(source=True)
    parser.add_text(effective_order=False)
    parser.add_metrics()
    parser.add_groups(edges=False)
    parser.add_resampling(test=False)
    parser.add_output("(.html)")
    parser.add_argument("--title", metavar="TEXT", help="heading (default: the reference file)")
    options = parser.parse(arguments)
    shared.check_files(options, 2)
    shared.check_output(options, ".html", ".htm")
    return options

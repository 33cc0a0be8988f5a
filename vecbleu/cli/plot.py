"""``vecbleu plot KIND SYSTEM [SYSTEM ...] --ref REF [REF ...] -o FILE``: pictures of scores."""

from __future__ import annotations

import argparse
import io
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vecbleu.analysis import LENGTH_EDGES
from vecbleu.cli.arguments import (
    Parser,
    add_counting,
    add_groups,
    add_reading,
    add_smoothing,
    finish,
    one_line,
    problem_of_files,
    problem_of_groups,
    problem_of_output,
)
from vecbleu.cli.reports import signature_of
from vecbleu.cli.systems import Systems, read_labels
from vecbleu.plots import (
    load_matplotlib,
    plot_brevity_penalty,
    plot_buckets,
    plot_precisions,
    plot_scores,
)
from vecbleu.sacrebleu.options import environment_seed, logger
from vecbleu.sources import STANDARD_INPUT
from vecbleu.statistics import Statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KINDS = {
    "precisions": "precision of each n-gram order",
    "scores": "BLEU with its interval of 95%, by bootstrap",
    "buckets": "BLEU of groups of segments",
    "brevity": "the brevity penalty against the ratio of lengths",
}

# Options that only some kinds have a use for.
_ONLY_FOR = {
    "labels": ["buckets"],
    "edges": ["buckets"],
    "resamples": ["scores"],
    "smoothing": ["precisions", "scores", "buckets"],
    "smoothing_value": ["precisions", "scores", "buckets"],
}

# What a file of each format says about its date; it would differ with every run.
_UNDATED: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None},
    ".png": {},
    ".pdf": {"CreationDate": None},
}
_FORMATS = ".svg, .png or .pdf"

_RESAMPLES = 1000
_MISSING = re.compile(r"Glyph (\d+) .* missing from")


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Draw what the arguments name into a file, and yield a line about it."""
    options = _parse(arguments)
    load_matplotlib()  # an error about it is told before the work
    seed_field, seed = environment_seed() if options.kind == "scores" else ("", None)
    systems = Systems(options)
    tables = dict(zip(options.names or systems.names, systems.tables(), strict=True))
    if not len(next(iter(tables.values()))):
        raise ValueError("there are no segments to plot")
    drawn = {"bs": options.resamples, "seed": seed_field} if options.kind == "scores" else {}
    _save(_draw(options, systems.score_options, tables, seed), options.output)
    signature = signature_of(systems.signature, options.smoothing, systems.formula(), **drawn)
    yield f"{options.output}: {options.kind}, BLEU|{signature}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read and check the options."""
    parser = Parser(
        prog="vecbleu plot",
        description="Draw systems: " + "; ".join(f"{kind}: {what}" for kind, what in _KINDS.items())
        + ".",
        epilog="Systems that are statistics (.npz) come without text, and need no references. The "
        "environment's SACREBLEU_SEED is the seed of the bootstrap (default: 12345).",
    )  # fmt: skip
    add = parser.add_argument_group("files").add_argument
    add("kind", choices=[*_KINDS], metavar="KIND", help=", ".join(_KINDS))
    add("input", nargs="+", metavar="SYSTEM", help="text or statistics of each system")
    add("--ref", dest="references", nargs="+", default=[], metavar="REF",
        help="a file for each reference")  # fmt: skip
    add("-o", "--output", required=True, metavar="FILE",
        help=f"where to draw; the format is that of its ending, {_FORMATS}")  # fmt: skip
    add("--names", nargs="+", metavar="NAME",
        help="what the picture calls the systems (default: their files)")  # fmt: skip
    add_groups(parser, LENGTH_EDGES)
    add_reading(parser)
    add_counting(parser)
    add_smoothing(parser)
    parser.set_defaults(smoothing=None)  # for what is asked for to be seen
    add = parser.add_argument_group("intervals").add_argument
    add("-n", "--resamples", type=int, metavar="N",
        help=f"corpora drawn for the intervals of scores (default: {_RESAMPLES})")  # fmt: skip
    options = parser.parse_args(arguments)
    finish(options)
    if problem := _problem(options):
        parser.error(problem)
    if options.resamples is None:
        options.resamples = _RESAMPLES
    if options.smoothing is None:
        options.smoothing = "exp"
    return options


def _problem(options: argparse.Namespace) -> str | None:
    """What is wrong with the options together, if anything."""
    if _ending(options.output) not in _UNDATED:
        return f"the output {options.output!r} does not end in {_FORMATS}"
    for name, kinds in _ONLY_FOR.items():
        if getattr(options, name) is not None and options.kind not in kinds:
            option = name.replace("_", "-")
            return f"--{option} is for {', '.join(kinds)}, not for {options.kind}"
    if problem := problem_of_files(options):
        return problem
    files = [*options.input, *options.references, *([options.labels] if options.labels else ())]
    if problem := problem_of_output(options.output, files):
        return problem
    if files.count(STANDARD_INPUT) > 1:
        return "standard input is needed twice but can be read once"
    if options.resamples is not None and options.resamples < 1:
        return f"resamples is {options.resamples}, expected at least 1"
    names = options.names or options.input
    if len(names) != len(options.input):
        return f"names has {len(names)} but there are {len(options.input)} systems"
    for number, name in enumerate(names):
        if name in names[:number]:
            return f"{name!r} is given twice as a name"
    return problem_of_groups(options)


def _draw(
    options: argparse.Namespace,
    score: dict[str, Any],
    tables: dict[str, Statistics],
    seed: int | None,
) -> Axes:
    """The picture of the kind that is asked for."""
    if options.kind == "precisions":
        return plot_precisions(tables, **score)
    if options.kind == "brevity":
        return plot_brevity_penalty(tables)
    if options.kind == "scores":
        drawn = {"resamples": options.resamples, "rng": seed, "progress": None}
        return plot_scores(tables, **drawn, **score)
    labels = read_labels(options, len(next(iter(tables.values())))) if options.labels else None
    return plot_buckets(tables, labels, edges=options.edges, **score)


def _save(ax: Axes, path: str) -> None:
    """Write the figure, the same bytes for the same picture, and warn of what is wrong in it."""
    ending = _ending(path)
    file = io.BytesIO()  # an error while drawing leaves no half of a file
    figure: Any = ax.figure
    salted = load_matplotlib().rc_context({"svg.hashsalt": "vecbleu"})
    with salted, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(file, format=ending[1:], dpi=200, metadata=_UNDATED[ending])
    missing, others = {}, {}
    for message in (str(one.message) for one in caught):
        if found := _MISSING.match(message):
            missing[chr(int(found[1]))] = True
        else:
            others[one_line(message)] = True
    if missing:
        logger.warning(f"matplotlib's font.family has no font for: {''.join(missing)}")
    for message in others:
        logger.warning(message)
    Path(path).write_bytes(file.getvalue())


def _ending(path: str) -> str:
    """What a path ends in, as .svg."""
    return os.path.splitext(path)[1].lower()

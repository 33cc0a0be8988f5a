"""``vecbleu plot KIND REF [REF ...] -i SYS [SYS ...] -o FILE``: pictures of scores."""

from __future__ import annotations

import argparse
import io
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from vecbleu import plots
from vecbleu.analysis import LENGTH_EDGES
from vecbleu.cli.arguments import Parser, check_output, input_files
from vecbleu.cli.messages import set_up_logging, warn
from vecbleu.cli.systems import Systems, read_labels
from vecbleu.core.checks import checked_integer
from vecbleu.core.output import replaced_file
from vecbleu.core.terminal import escaped
from vecbleu.sacrebleu.options import environment_seed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What each kind of picture is drawn by, and what it shows.
_KINDS: dict[str, tuple[Callable[..., Axes], str]] = {
    "precisions": (plots.plot_precisions, "precision of each n-gram order"),
    "scores": (plots.plot_scores, "BLEU with its 95% confidence interval, by bootstrap"),
    "buckets": (plots.plot_buckets, "BLEU of groups of segments"),
    "brevity": (plots.plot_brevity_penalty, "the brevity penalty against the ratio of lengths"),
}

# The kinds that options are for; other options are for all kinds.
_ONLY_FOR = {
    "labels": ["buckets"],
    "edges": ["buckets"],
    "resamples": ["scores"],
    "smoothing": ["precisions", "scores", "buckets"],
    "smoothing_value": ["precisions", "scores", "buckets"],
}

# Metadata of each format without the date, with which the file would differ at every run.
_UNDATED = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
_FORMATS = ".svg, .png or .pdf"

_RESAMPLES = 1000

# matplotlib's warning of a character that its fonts lack.
_MISSING = re.compile(r"Glyph (\d+) .* missing from")


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Draw the systems into a file, and yield a line about it."""
    options = _parse(arguments)
    set_up_logging()  # of what matplotlib logs
    plots.load_matplotlib()  # raises before the work is done
    systems = Systems(options)
    keywords: dict[str, Any] = {} if options.kind == "brevity" else systems.smoothing_options
    resampling: dict[str, int | str] = {}
    if options.kind == "scores":
        field, seed = environment_seed()
        resampling = {"bs": options.resamples, "seed": field}
        keywords |= {"resamples": options.resamples, "rng": seed, "progress": None}
    tables = dict(zip(systems.names, systems.tables("plot"), strict=True))
    if options.kind == "buckets":
        size = len(next(iter(tables.values())))
        labels = read_labels(options, size) if options.labels else None
        keywords |= {"labels": labels, "edges": options.edges}
    draw, _ = _KINDS[options.kind]
    _save(draw(tables, **keywords), options.output)
    yield f"{options.output}: {options.kind}, BLEU|{systems.describe(**resampling)}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    kinds = "; ".join(f"{kind}: {what}" for kind, (_, what) in _KINDS.items())
    parser = Parser(
        prog="vecbleu plot",
        usage="vecbleu plot KIND REF [REF ...] -i SYS [SYS ...] -o FILE [options]",
        description=f"Draw systems: {kinds}.",
        epilog="Systems that are statistics (.npz) come without text, and need no references. The "
        "environment's SACREBLEU_SEED is the seed of the bootstrap (default: 12345).",
    )
    parser.add_argument("kind", choices=[*_KINDS], metavar="KIND", help=", ".join(_KINDS))
    add = parser.add_systems()
    parser.add_output_file(add, _FORMATS)
    parser.refuse_ref()
    parser.add_segment_groups(LENGTH_EDGES)
    parser.add_text()
    parser.add_smoothing()
    parser.set_defaults(smoothing=None)  # its default is set when it is known whether it is given
    parser.group("intervals")("--resamples", type=int, metavar="N",
        help=f"corpora drawn for the intervals of scores (default: {_RESAMPLES})")  # fmt: skip
    options = parser.parse_checked(arguments, after=_check)
    options.resamples = options.resamples or _RESAMPLES
    options.smoothing = options.smoothing or "exp"
    return options


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if _ending(options.output) not in _UNDATED:
        raise ValueError(f"the output {options.output!r} does not end in {_FORMATS}")
    for name, kinds in _ONLY_FOR.items():
        if getattr(options, name) is not None and options.kind not in kinds:
            option = name.replace("_", "-")
            raise ValueError(f"--{option} is for {', '.join(kinds)}, not for {options.kind}")
    check_output(options.output, input_files(options))
    if options.resamples is not None:
        checked_integer(options.resamples, "resamples", 1)


def _save(ax: Axes, path: str) -> None:
    """Write the figure, the same bytes for the same picture, and log matplotlib's warnings."""
    ending = _ending(path)
    file = io.BytesIO()  # errors of drawing are no errors of the path
    figure: Any = ax.figure
    salted = plots.load_matplotlib().rc_context({"svg.hashsalt": "vecbleu"})
    with salted, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(file, format=ending[1:], dpi=200, metadata=_UNDATED[ending])
    messages = dict.fromkeys(escaped(str(one.message)) for one in caught)
    missing = {message: found[1] for message in messages if (found := _MISSING.match(message))}
    if missing:
        characters = dict.fromkeys(chr(int(point)) for point in missing.values())
        warn(f"matplotlib's font.family has no font for: {''.join(characters)}")
    for message in messages:
        if message not in missing:
            warn(message)
    with replaced_file(path) as picture:
        picture.write(file.getvalue())


def _ending(path: str) -> str:
    """The suffix of a path in lower case, such as .svg."""
    return os.path.splitext(path)[1].lower()

"""``vecbleu plot KIND REF [REF ...] -i SYS [SYS ...] -o FILE``: pictures of scores."""

from __future__ import annotations

import argparse
import io
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vecbleu import plots
from vecbleu.analysis import LENGTH_EDGES
from vecbleu.cli.arguments import Parser, check_inputs, check_output, input_files
from vecbleu.cli.lines import read_labels
from vecbleu.cli.messages import set_up_logging, warn
from vecbleu.cli.systems import Systems
from vecbleu.core.checks import checked_integer
from vecbleu.core.output import replaced_file
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.terminal import escaped
from vecbleu.sacrebleu.options import environment_seed
from vecbleu.significance import rank
from vecbleu.significance.resampling import Test

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _plot_scores(systems: Mapping[str, Statistics], *, test: Test, **options: Any) -> Axes:
    """Draw scores whose marks are those of a paired test."""
    if test == "bootstrap" or len(systems) == 1:
        return plots.plot_scores(systems, **options)
    pairs = rank(systems, test=test, **options)
    return plots.plot_scores(systems, pairs=pairs, **options)


# What each kind of picture is drawn by, and what it shows.
_KINDS: dict[str, tuple[Callable[..., Axes], str]] = {
    "precisions": (plots.plot_precisions, "precision of each n-gram order"),
    "scores": (_plot_scores, "BLEU with its 95% confidence interval, by bootstrap"),
    "buckets": (plots.plot_buckets, "BLEU of groups of segments"),
    "pairs": (plots.plot_pairs, "differences of all pairs of systems, and their p-values"),
    "brevity": (plots.plot_brevity_penalty, "the brevity penalty against the ratio of lengths"),
}

# Metadata of each format without the date, with which the file would differ at every run.
_UNDATED = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
_FORMATS = ".svg, .png or .pdf"

# Fonts with East Asian letters, which matplotlib's own lacks: those that are installed are used.
_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Zen Hei"),
    *("PingFang SC", "Hiragino Sans", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic"),
)

# matplotlib's warning of a character that its fonts lack.
_MISSING = re.compile(r"Glyph (\d+) .* missing from")


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Draw the systems into a file, and yield a line about it."""
    options = _parse(arguments)
    set_up_logging()  # of what matplotlib logs
    matplotlib = plots.load_matplotlib()  # raises before the work is done
    installed = {*matplotlib.font_manager.fontManager.get_font_names()}
    fonts = [*matplotlib.rcParams["font.family"], *(font for font in _FONTS if font in installed)]
    draw, _ = _KINDS[options.kind]
    with matplotlib.rc_context({"font.family": fonts}):
        if _is_curve_alone(options):
            _save(draw(None, **_axis_of(options)), options.output)
            yield f"{options.output}: {options.kind}"
            return
        systems = Systems(options)
        tables = dict(zip(systems.names, systems.tables("plot"), strict=True))
        keywords = _options_of_kind(options, len(next(iter(tables.values()))))
        _save(draw(tables, **systems.smoothing_options, **keywords), options.output)
    resampling = _resampling(options, len(tables)) if "rng" in keywords else {}
    yield f"{options.output}: {options.kind}, BLEU|{systems.describe(**resampling)}"


def _options_of_kind(options: argparse.Namespace, size: int) -> dict[str, Any]:
    """The options that have a meaning for the kind, as keywords."""
    kind, keywords = options.kind, dict[str, Any]()
    if kind == "brevity":
        return _axis_of(options)
    if kind == "buckets":
        labels = read_labels(options, size) if options.labels else None
        groups = {"labels": labels, "edges": options.edges}
        keywords = groups | {"intervals": options.intervals}
    if kind == "precisions" or (kind == "buckets" and not options.intervals):
        return keywords
    _, seed = environment_seed()
    keywords |= {"n_resamples": options.resamples, "rng": seed, "progress": None}
    if kind != "buckets":
        keywords |= {"sides": options.sides, "test": options.test}
    return keywords


def _resampling(options: argparse.Namespace, systems: int) -> dict[str, int | str]:
    """What was drawn, for the signature: for intervals, for tests or for both."""
    is_tested = options.kind != "buckets" and systems > 1
    is_randomized = is_tested and options.test == "randomization"
    drawn: dict[str, int | str] = {}
    if options.kind != "pairs" or not is_randomized:
        drawn["bs"] = options.resamples or 1000
    if is_randomized:
        drawn["ar"] = options.resamples or 10000
    elif is_tested and options.sides == 2:
        drawn["sides"] = 2
    field, _ = environment_seed()
    return drawn | {"seed": field}


def _axis_of(options: argparse.Namespace) -> dict[str, Any]:
    """The axis across the curve of the brevity penalty."""
    return {"xlim": options.xlim, "ref_len": options.ref_len}


def _is_curve_alone(options: argparse.Namespace) -> bool:
    """Whether there are no files, which the curve of the brevity penalty does not need."""
    return options.kind == "brevity" and not options.references and not options.input


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    kinds = "; ".join(f"{kind}: {what}" for kind, (_, what) in _KINDS.items())
    parser = Parser(
        prog="vecbleu plot",
        usage="vecbleu plot KIND REF [REF ...] -i SYS [SYS ...] -o FILE [options]",
        description=f"Draw systems: {kinds}.",
        epilog="Systems that are statistics (.npz) come without text, and need no references; "
        "brevity needs no systems. Every kind takes all options: those that are for others do "
        "nothing. The environment's SACREBLEU_SEED is the seed of random draws (default: 12345).",
    )
    parser.add_argument("kind", choices=[*_KINDS], metavar="KIND", help=", ".join(_KINDS))
    add = parser.add_systems()
    parser.add_output_file(add, _FORMATS)
    parser.refuse_ref()
    parser.refuse_metrics()
    parser.add_segment_groups(LENGTH_EDGES)
    parser.add_text()
    parser.add_smoothing()
    _add_tests(parser)
    add = parser.group("brevity")
    add("--xlim", type=float, nargs=2, metavar=("LOW", "HIGH"),
        help="ends of the axis across: ratios of lengths, or tokens with --ref-len")  # fmt: skip
    add("--ref-len", type=float, metavar="N",
        help="draw the penalty against lengths, for a reference of N tokens")  # fmt: skip
    return parser.parse_checked(arguments, after=_check, inputs=_check_inputs)


def _add_tests(parser: Parser) -> None:
    """How intervals and tests are drawn."""
    add = parser.group("intervals and tests")
    add("--resamples", type=int, metavar="N",
        help="corpora drawn (default: 1000), and trials of randomization "
        "(default: 10000)")  # fmt: skip
    add("--intervals", action="store_true", help="draw 95%% intervals of buckets")
    add("--test", choices=["bootstrap", "randomization"], default="bootstrap",
        help="the paired test of pairs, and of the marks of scores "
        "(default: %(default)s)")  # fmt: skip
    add("--sides", type=int, choices=[1, 2], default=2,
        help="tails of the paired bootstrap, as --paired-bs-sides of scoring "
        "(default: %(default)s)")  # fmt: skip


def _check_inputs(options: argparse.Namespace) -> None:
    """ValueError unless the files can be read together, or there is no need of any."""
    if not _is_curve_alone(options):
        check_inputs(options)


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if _ending(options.output) not in _UNDATED:
        raise ValueError(f"the output {options.output!r} does not end in {_FORMATS}")
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

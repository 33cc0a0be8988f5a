"""``vecbleu compare REF [REF ...] -i A B``: where two systems differ."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from vecbleu.analysis import LENGTH_EDGES, Buckets, Differences, score_buckets, segment_differences
from vecbleu.cli.arguments import Parser, check_can_be_read_twice
from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.reports import json_lines
from vecbleu.cli.systems import Systems, read_labels, read_lines
from vecbleu.core.checks import checked_integer
from vecbleu.core.terminal import escaped_name

# What each segment says: pairs of a name (src, ref, A or B) and a text.
Texts = dict[int, list[tuple[str, str]]]


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Compare the two systems, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    tables = dict(zip("AB", systems.tables("compare"), strict=True))
    size = len(tables["A"])
    smoothing = systems.smoothing_options
    whole = score_buckets(tables, ["all"] * size, **smoothing)
    labels = read_labels(options, size) if options.labels else None
    buckets = score_buckets(tables, labels, edges=options.edges, **smoothing)
    differences = segment_differences(tables, **smoothing)
    gains = _largest_gains(differences, options.segments)
    texts = _texts(options, systems, [segment for some in gains.values() for segment in some])
    found = {
        "systems": systems.names,
        "groups": [*_groups(whole), *_groups(buckets)],
        **{
            f"{gainer} gains most": [_segment(one, differences, texts) for one in segments]
            for gainer, segments in gains.items()
        },
        "signature": f"BLEU|{systems.describe()}",
    }
    yield from json_lines(found) if options.json else _as_text(options, found)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu compare",
        usage="vecbleu compare REF [REF ...] -i SYS SYS [options]",
        description="Show where two systems differ: BLEU of groups of segments, and the segments "
        "on which either gains most (by sentence BLEU).",
        epilog="Systems that are statistics (.npz) come without text, and need no references.",
    )
    parser.add_systems(has_source=True)
    parser.refuse_ref()
    parser.add_segment_groups(LENGTH_EDGES)
    parser.add_text()
    parser.add_smoothing()
    add = parser.add_output()
    add("--segments", type=int, default=5, metavar="N",
        help="segments to show for either system (default: %(default)s)")  # fmt: skip
    return parser.parse_checked(arguments, after=_check)


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if len(options.input) != 2:
        raise ValueError(f"{len(options.input)} systems behind -i, expected 2")
    read = filter(None, [options.source, *options.input, *options.references])
    check_can_be_read_twice(read)
    checked_integer(options.segments, "segments", 0)


def _largest_gains(found: Differences, most: int) -> dict[str, list[int]]:
    """The segments that each system gains most on, the largest gain first."""
    extremes = {}
    for gainer, gains in (("B", found.differences), ("A", -found.differences)):
        order = np.argsort(-gains, kind="stable")[:most]
        extremes[gainer] = order[gains[order] > 0].tolist()
    return extremes


def _groups(buckets: Buckets) -> Iterator[dict[str, Any]]:
    """Each group's label, both systems' scores (0 to 100), and its size."""
    columns = *buckets.percents.tolist(), buckets.sizes.tolist()
    for label, one, other, size in zip(buckets.labels, *columns, strict=True):
        yield {"label": label, "A": one, "B": other, "segments": size}


def _segment(segment: int, found: Differences, texts: Texts) -> dict[str, Any]:
    """A segment's line, both systems' scores (0 to 100), and its texts."""
    one, other = found.percents[:, segment].tolist()
    return {"line": segment + 1, "A": one, "B": other, "texts": texts.get(segment, [])}


def _texts(options: argparse.Namespace, systems: Systems, segments: Sequence[int]) -> Texts:
    """The texts of some segments: of the source, the references, and systems that are text."""
    paths = zip("AB", options.input, strict=True)
    named = {name: systems.source(path) for name, path in paths if not is_statistics_file(path)}
    references = systems.reference_sources()
    names = ["ref"] * (len(references) * options.num_refs) + [*named]
    if options.source:
        references, names = [systems.source(options.source), *references], ["src", *names]
    texts: Texts = {}
    if not names or not segments:
        return texts
    for block in read_lines([*references, *named.values()]):
        first = block.first - 1
        inside = [segment for segment in segments if first <= segment < first + block.count]
        strings = block.text().strings() if inside else []  # column after column
        for segment in inside:
            own = strings[segment - first :: block.count]
            texts[segment] = [*zip(names, (line.strip() for line in own), strict=True)]
    return texts


def _as_text(options: argparse.Namespace, found: dict[str, Any]) -> Iterator[str]:
    """The lines that say the same as the JSON, with as many digits as are asked for."""
    yield from (f"{letter}: {name}" for letter, name in zip("AB", found["systems"], strict=True))
    yield from (found["signature"], "")
    yield from _table("label" if options.labels else "ref_len", found["groups"], options.width)
    for title in ("B gains most", "A gains most"):
        if found[title]:
            yield from ("", title)
        for segment in found[title]:
            one, other, width = segment["A"], segment["B"], options.width
            scores = f"{one:.{width}f} -> {other:.{width}f} ({other - one:+.{width}f})"
            yield f"line {segment['line']}: {scores}"
            for name, text in segment["texts"]:
                yield f"  {name:>3}: {text}"


def _table(title: str, groups: Sequence[dict[str, Any]], width: int) -> Iterator[str]:
    """Scores of both systems on all segments and on each group."""
    labels = [escaped_name(group["label"]) for group in groups]
    left = max(map(len, [title, *labels]))
    cell = max(8, width + 6)
    yield f"{title:{left}}{'A':>{cell}}{'B':>{cell}}{'B - A':>{cell}}{'segments':>10}"
    for label, group in zip(labels, groups, strict=True):
        one, other = group["A"], group["B"]
        # Rounded first, and no zero below zero.
        gain = round(other - one, width) + 0.0
        scores = f"{one:{cell}.{width}f}{other:{cell}.{width}f}{gain:+{cell}.{width}f}"
        yield f"{label:{left}}{scores}{group['segments']:10d}"

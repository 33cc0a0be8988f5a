"""``vecbleu compare A B --ref REF [REF ...]``: where two systems differ."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from vecbleu.analysis import LENGTH_EDGES, Buckets, Differences, score_buckets, segment_differences
from vecbleu.cli.arguments import (
    Parser,
    add_counting,
    add_groups,
    add_reading,
    add_smoothing,
    finish,
    is_kept,
    problem_of_files,
    problem_of_groups,
)
from vecbleu.cli.reports import signature_of
from vecbleu.cli.systems import FILE_BLOCK, Systems, read_labels
from vecbleu.files import read_blocks
from vecbleu.sources import STANDARD_INPUT, Source

# What segments say: pairs of a name (ref, A or B) and a text.
Texts = dict[int, list[tuple[str, str]]]


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Compare what the arguments name, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    tables = dict(zip("AB", systems.tables(), strict=True))
    size = len(tables["A"])
    if not size:
        raise ValueError("there are no segments to compare")
    score = systems.score_options
    whole = score_buckets(tables, ["all"] * size, **score)
    labels = read_labels(options, size) if options.labels else None
    buckets = score_buckets(tables, labels, edges=options.edges, **score)
    differences = segment_differences(tables, **score)
    named = signature_of(systems.signature, options.smoothing, systems.formula())
    signature = f"BLEU|{named}"
    segments = _extremes(differences, options.segments)
    texts = _texts(options, systems, [line for some in segments.values() for line in some])
    if options.json:
        found = _as_json(options, whole, buckets, differences, segments, texts)
        yield json.dumps(found | {"signature": signature}, indent=1)
        return
    yield from (f"A: {options.input[0]}", f"B: {options.input[1]}", signature)
    yield from ("", *_table(options, whole, buckets))
    for gainer, lines in segments.items():
        if lines:
            yield from ("", f"{gainer} gains most")
            for line in lines:
                yield from _segment(line, differences, texts.get(line, []), options.width)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read and check the options."""
    parser = Parser(
        prog="vecbleu compare",
        description="Show where two systems differ: BLEU of groups of segments, and the segments "
        "that either gains most on (by sentence BLEU).",
        epilog="Systems that are statistics (.npz) come without text, and need no references.",
    )
    add = parser.add_argument_group("files").add_argument
    add("input", nargs=2, metavar="SYSTEM", help="text or statistics of the first and the second")
    add("--ref", dest="references", nargs="+", default=[], metavar="REF",
        help="a file for each reference")  # fmt: skip
    add_groups(parser, LENGTH_EDGES)
    add_reading(parser)
    add_counting(parser)
    add_smoothing(parser)
    add = parser.add_argument_group("output").add_argument
    add("-n", "--segments", type=int, default=5, metavar="N",
        help="segments to show that either system gains on (default: %(default)s)")  # fmt: skip
    add("-w", "--width", type=int, default=1, metavar="DIGITS",
        help="digits behind the point (default: %(default)s)")  # fmt: skip
    add("--json", action="store_true", help="JSON with every digit")
    options = parser.parse_args(arguments)
    finish(options)
    if problem := _problem(options):
        parser.error(problem)
    return options


def _problem(options: argparse.Namespace) -> str | None:
    """What is wrong with the options together, if anything."""
    if problem := problem_of_files(options):
        return problem
    for path in [*options.input, *options.references]:
        if path == STANDARD_INPUT or (os.path.exists(path) and not _can_be_read_again(path)):
            return f"{path} can't be read twice, which is needed to show text beside scores"
    if options.segments < 0:
        return f"segments is {options.segments}, expected at least 0"
    return problem_of_groups(options)


def _can_be_read_again(path: str) -> bool:
    """Whether a file is no pipe; what a folder is, reading will tell."""
    return os.path.isfile(path) or os.path.isdir(path)


def _extremes(found: Differences, most: int) -> dict[str, list[int]]:
    """Numbers of the segments, from 0, that each system gains most on."""
    extremes = {}
    for gainer, gains in (("B", found.differences), ("A", -found.differences)):
        order = np.argsort(-gains, kind="stable")[:most]
        extremes[gainer] = order[gains[order] > 0].tolist()
    return extremes


def _texts(options: argparse.Namespace, systems: Systems, segments: Sequence[int]) -> Texts:
    """References and systems of some segments, as far as they are text."""
    named = {
        name: Source(path, 1, options.encoding)
        for name, path in zip("AB", options.input, strict=True)
        if not is_kept(path)
    }
    references = systems.reference_sources()
    sources = [*references, *named.values()]
    if not sources or not segments:
        return {}
    names = ["ref"] * (len(references) * options.num_refs) + [*named]
    texts: Texts = {}
    for block in read_blocks(sources, FILE_BLOCK):
        first = block.first - 1
        inside = [segment for segment in segments if first <= segment < first + block.lines]
        if inside:
            strings = block.text().strings()  # column after column
            for segment in inside:
                own = strings[segment - first :: block.lines]
                texts[segment] = [*zip(names, (line.strip() for line in own), strict=True)]
    return texts


def _table(options: argparse.Namespace, whole: Buckets, buckets: Buckets) -> list[str]:
    """Scores of both systems on all segments and on each group."""
    labels = [*map(str, [*whole.labels, *buckets.labels])]
    rows = [*zip(*_percents(whole, buckets), strict=True)]
    column = "label" if options.labels else "ref_len"
    left = max(map(len, [column, *labels]))
    cell = max(8, options.width + 6)
    head = f"{column:{left}}{'A':>{cell}}{'B':>{cell}}{'B - A':>{cell}}{'segments':>10}"
    lines = [head]
    for label, (one, other, size) in zip(labels, rows, strict=True):
        scores = "".join(f"{score:{cell}.{options.width}f}" for score in (one, other))
        # Rounded first, and no zero below zero.
        gain = round(other - one, options.width) + 0.0
        lines.append(f"{label:{left}}{scores}{gain:+{cell}.{options.width}f}{size:10d}")
    return lines


def _percents(whole: Buckets, buckets: Buckets) -> tuple[list[float], list[float], list[int]]:
    """Scores of both systems, 0 to 100, and sizes: of the whole and of each group."""
    one, other = (
        [score for some in (whole, buckets) for score in some.percents[place].tolist()]
        for place in (0, 1)
    )
    return one, other, [*whole.sizes.tolist(), *buckets.sizes.tolist()]


def _segment(
    segment: int, found: Differences, texts: Sequence[tuple[str, str]], width: int
) -> Iterator[str]:
    """A segment's scores, and what it says."""
    one, other = found.percents[:, segment].tolist()
    gain = other - one
    yield f"line {segment + 1}: {one:.{width}f} -> {other:.{width}f} ({gain:+.{width}f})"
    for name, text in texts:
        yield f"  {name:>3}: {text}"


def _as_json(
    options: argparse.Namespace,
    whole: Buckets,
    buckets: Buckets,
    found: Differences,
    segments: dict[str, list[int]],
    texts: Texts,
) -> dict[str, Any]:
    """The same at full precision, on 0 to 100."""
    names = ("label", "A", "B", "segments")
    labels = [*whole.labels, *buckets.labels]
    groups = [
        dict(zip(names, row, strict=True))
        for row in zip(labels, *_percents(whole, buckets), strict=True)
    ]
    shown = {}
    for gainer, lines in segments.items():
        shown[f"{gainer} gains most"] = [
            {
                "line": segment + 1,
                "A": found.percents[0, segment].item(),
                "B": found.percents[1, segment].item(),
                "texts": texts.get(segment, []),
            }
            for segment in lines
        ]
    return {"systems": options.input, "groups": groups, **shown}

"""``vecbleu compare REF [REF ...] -i SYS SYS [SYS ...]``: where systems differ from a baseline."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.analysis import (
    LENGTH_EDGES,
    Buckets,
    Differences,
    score_buckets,
    segment_differences,
    word_changes,
)
from vecbleu.cli.arguments import Parser, check_can_be_read_twice
from vecbleu.cli.compare_ngrams import DEFAULT_NGRAMS, add_ngrams
from vecbleu.cli.comparison_text import comparison_lines
from vecbleu.cli.lines import read_labels
from vecbleu.cli.reports import json_lines
from vecbleu.cli.segment_texts import SegmentTexts, read_segments
from vecbleu.cli.systems import Systems
from vecbleu.core.checks import checked_integer


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Compare the systems with their baseline, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    base = _baseline(options, systems.names)
    tables = dict(zip(systems.names, systems.tables("compare"), strict=True))
    size = len(next(iter(tables.values())))
    smoothing = systems.smoothing_options
    whole = [one.score(**smoothing).percent for one in tables.values()]
    labels = read_labels(options, size) if options.labels else None
    buckets = score_buckets(tables, labels, edges=options.edges, **smoothing)
    baseline = systems.names[base]
    differences = segment_differences(tables, base, **smoothing)
    is_long = tables[baseline].ref_len >= options.min_length
    ranked = {}
    for name in tables:
        both = differences.gains(name), differences.losses(name)
        ranked[name] = [some[is_long[some]][: options.segments].tolist() for some in both]
    shown = {segment for both in ranked.values() for some in both for segment in some}
    texts = read_segments(options, shown)
    found = {
        "systems": systems.names,
        "baseline": baseline,
        "groups": [{"label": "all", "scores": whole, "segments": size}, *_groups(buckets)],
        "by": buckets.by,
        "pairs": [
            _pair(differences, place, ranked[name], texts)
            for place, name in enumerate(tables)
            if place != base
        ],
        "signature": f"BLEU|{systems.describe()}",
    }
    add_ngrams(options, systems, found, size)
    yield from json_lines(found) if options.json else comparison_lines(found, options)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu compare",
        usage="vecbleu compare REF [REF ...] -i SYS SYS [SYS ...] [options]",
        description="Show where systems differ from a baseline: BLEU of groups of segments, and "
        "the segments and n-grams that make the difference.",
        epilog="Segments are those whose sentence BLEU differs most. Systems that are statistics "
        "(.npz) come without text, and need no references.",
    )
    add = parser.add_systems(has_source=True)
    add("--baseline", metavar="NAME",
        help="the system that the others are compared with (default: the first)")  # fmt: skip
    parser.refuse_ref()
    parser.refuse_metrics()
    parser.add_segment_groups(LENGTH_EDGES)
    _add_ranking(parser)
    parser.add_text()
    parser.add_smoothing()
    parser.add_no_color(parser.add_output())
    return parser.parse_checked(arguments, after=_check)


def _add_ranking(parser: Parser) -> None:
    """Which segments and n-grams are shown."""
    add = parser.group("segments")
    add("--segments", type=int, default=5, metavar="N",
        help="segments to show for either system of a pair (default: %(default)s)")  # fmt: skip
    add("--min-length", type=int, default=0, metavar="N",
        help="tokens that the reference of a segment to show has at least "
        "(default: %(default)s)")  # fmt: skip
    add("--ngrams", type=int, metavar="N",
        help="n-grams to show that one system of a pair gets right more often (default: "
        f"{DEFAULT_NGRAMS}; none of large test sets)")  # fmt: skip


def _check(options: argparse.Namespace) -> None:
    """ValueError for options that do not fit together."""
    if len(options.input) < 2:
        raise ValueError(f"{len(options.input)} system behind -i, expected 2 at least")
    if options.segments or options.ngrams != 0:
        read = filter(None, [options.source, *options.input, *options.references])
        check_can_be_read_twice(read)
    checked_integer(options.segments, "segments", 0)
    checked_integer(options.min_length, "min-length", 0)
    if options.ngrams is not None:
        checked_integer(options.ngrams, "ngrams", 0)


def _baseline(options: argparse.Namespace, names: Sequence[str]) -> int:
    """The index of the baseline, by its name or its file."""
    given = options.baseline
    for known in (names, options.input):
        if given in known:
            return int(known.index(given))
    if given is not None:
        raise ValueError(f"baseline is {given!r}, expected one of {', '.join(names)}")
    return 0


def _groups(buckets: Buckets) -> Iterator[dict[str, Any]]:
    """Each group's label, the systems' scores (0 to 100), and its size."""
    columns = buckets.labels, (100 * buckets.scores).T.tolist(), buckets.sizes.tolist()
    for label, scores, size in zip(*columns, strict=True):
        yield {"label": label, "scores": scores, "segments": size}


def _pair(
    found: Differences,
    system: int,
    ranked: list[list[int]],
    texts: dict[int, SegmentTexts],
) -> dict[str, Any]:
    """A system and its baseline, and the segments that gain and lose most."""
    places = found.baseline, system
    gains, losses = (
        [_segment(one, found, texts.get(one), places) for one in segments] for segments in ranked
    )
    baseline, name = (found.names[place] for place in places)
    return {"baseline": baseline, "system": name, "gains": gains, "losses": losses}


def _segment(
    segment: int, found: Differences, texts: SegmentTexts | None, places: tuple[int, int]
) -> dict[str, Any]:
    """A segment's line, both sentence scores, and its texts."""
    entry: dict[str, Any] = {
        "line": segment + 1,
        "scores": (100 * found.scores[[*places], segment]).tolist(),
    }
    if texts is None:
        return entry
    outputs = [texts.outputs[place] for place in places]
    known = [text for text in outputs if text is not None]
    pieces = iter(word_changes(known) if len(known) == 2 else [[(text, False)] for text in known])
    if texts.source is not None:
        entry["source"] = texts.source
    entry["references"] = texts.references
    entry["outputs"] = [None if text is None else next(pieces) for text in outputs]
    return entry

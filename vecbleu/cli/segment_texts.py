"""The texts of some segments, read from their files again."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.lines import columns_of, read_lines, reference_sources, source_of
from vecbleu.core.records import dataclass


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """What a segment says: its source, its references, and outputs; None where there is no text."""

    source: str | None
    references: list[str]
    outputs: list[str | None]


def read_segments(
    options: argparse.Namespace, segments: Collection[int]
) -> dict[int, SegmentTexts]:
    """The texts of the segments, without white space around them."""
    paths = [path for path in options.input if not is_statistics_file(path)]
    outputs = [source_of(options, path) for path in paths]
    source = [source_of(options, options.source)] if options.source else []
    sources = [*source, *reference_sources(options), *outputs]
    found: dict[int, SegmentTexts] = {}
    if not segments or not sources:
        return found
    for block in read_lines(sources):
        first = block.first - 1
        inside = [segment for segment in segments if first <= segment < first + block.count]
        columns = columns_of(block) if inside else []
        for segment in inside:
            own = [lines[segment - first].strip() for lines in columns]
            texts = iter(own[len(own) - len(outputs) :])
            found[segment] = SegmentTexts(
                own[0] if source else None,
                own[len(source) : len(own) - len(outputs)],
                [None if is_statistics_file(path) else next(texts) for path in options.input],
            )
    return found

"""The texts of some segments, read from their files again."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.systems import Systems, read_lines
from vecbleu.core.records import dataclass


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """What a segment says: its source, its references, and outputs; None where there is no text."""

    source: str | None
    references: list[str]
    outputs: list[str | None]


def read_segments(
    options: argparse.Namespace, systems: Systems, segments: Collection[int]
) -> dict[int, SegmentTexts]:
    """The texts of the segments, without white space around them."""
    paths = [path for path in options.input if not is_statistics_file(path)]
    outputs = [systems.source(path) for path in paths]
    references = systems.reference_sources()
    source = [systems.source(options.source)] if options.source else []
    sources = [*source, *references, *outputs]
    found: dict[int, SegmentTexts] = {}
    if not segments or not sources:
        return found
    for block in read_lines(sources):
        first = block.first - 1
        inside = [segment for segment in segments if first <= segment < first + block.count]
        strings = block.text().strings() if inside else []  # column after column
        for segment in inside:
            own = [line.strip() for line in strings[segment - first :: block.count]]
            texts = iter(own[len(own) - len(outputs) :])
            found[segment] = SegmentTexts(
                own[0] if source else None,
                own[len(source) : len(own) - len(outputs)],
                [None if is_statistics_file(path) else next(texts) for path in options.input],
            )
    return found

"""The n-grams that one system of a pair matches more often than the other."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.analysis import NgramDifference, ngram_differences
from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.lines import read_columns, reference_sources, source_of
from vecbleu.cli.systems import Systems
from vecbleu.core.terminal import escaped_name, table_lines

# Beside an n-gram stand the first lines that have it.
_EXAMPLES = 3

# N-grams that are shown by default, and the outputs up to which they are: of more, counting the
# n-grams of all systems takes longer than everything else.
DEFAULT_NGRAMS = 5
_MOST_OUTPUTS = 100_000


def add_ngrams(
    options: argparse.Namespace, systems: Systems, found: dict[str, Any], segments: int
) -> None:
    """Add the n-grams in which it differs most to each pair of systems that are text."""
    baseline, is_text = found["baseline"], [not is_statistics_file(path) for path in options.input]
    texts = dict(zip(systems.names, is_text, strict=True))
    others = [name for name, known in texts.items() if known and name != baseline]
    outputs = segments * (1 + len(others))
    if not options.references or not others or not texts[baseline] or options.ngrams == 0:
        return
    if options.ngrams is None and outputs > _MOST_OUTPUTS:
        found["note"] = (
            f"n-grams of {outputs} outputs are not compared; "
            f"--ngrams {DEFAULT_NGRAMS} compares them"
        )
        return
    most = options.ngrams or DEFAULT_NGRAMS
    texts_of, references = _read(options, systems, {baseline, *others})
    differences = ngram_differences(
        texts_of,
        references,
        baseline=baseline,
        top=most,
        examples=_EXAMPLES,
        **systems.counting_options,
    )
    for pair in found["pairs"]:
        names = pair["system"], pair["baseline"]
        if texts[names[0]]:
            for part, (more, less) in (("gains", names), ("losses", names[::-1])):
                rows = (row for row in differences.rows if (row.more, row.less) == (more, less))
                pair[f"ngram_{part}"] = [*map(_entry, rows)]


def _read(
    options: argparse.Namespace, systems: Systems, names: set[str]
) -> tuple[dict[str, list[str]], list[tuple[str, ...]]]:
    """All outputs of some systems, and the references of each segment."""
    paths = zip(systems.names, options.input, strict=True)
    sources = {name: source_of(options, path) for name, path in paths if name in names}
    columns = read_columns([*sources.values(), *reference_sources(options)])
    outputs = dict(zip(sources, columns, strict=False))
    return outputs, [*zip(*columns[len(outputs) :], strict=True)]


def _entry(row: NgramDifference) -> dict[str, Any]:
    """An n-gram with how often either system matches it, its score, and lines that have it."""
    return {
        "ngram": [*row.ngram],
        "counts": [*row.counts],
        "score": row.score,
        "lines": [segment + 1 for segment in row.examples],
    }


def ngram_lines(rows: Sequence[dict[str, Any]], more: str, less: str) -> Iterator[str]:
    """A table of n-grams: how often the two systems match them, and lines that have them."""
    cells = [
        (
            escaped_name(" ".join(row["ngram"])),
            *map(str, row["counts"]),
            ", ".join(map(str, row["lines"])),
        )
        for row in rows
    ]
    yield from table_lines([("n-gram", more, less, "lines"), *cells], left=(0, 3))

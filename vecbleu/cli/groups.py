"""Read the groups of segments from files, score them, and show them below the systems."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from vecbleu.cli import arguments as shared
from vecbleu.cli.metrics import AskedMetric
from vecbleu.cli.systems import check_sizes, read_columns
from vecbleu.files.sources import STANDARD_INPUT

# Scores without groups need neither.
if TYPE_CHECKING:
    from vecbleu.analysis import Buckets
    from vecbleu.significance import Comparison


def read_labels(options: Namespace, path: str | None, segments: Sized) -> dict[str, list[str]]:
    """Return the label of each segment, for each tab-separated column; none without a file."""
    if not path:
        return {}
    (lines,) = read_columns([shared.source_of(options, path)._replace(has_labels=True)])
    first, *_ = options.input or [STANDARD_INPUT]
    check_sizes({first: len(segments), path: len(lines)}, {})
    rows = [list(map(str.strip, line.split("\t"))) for line in lines]
    size = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != size:
            found = f"line {number} has {len(row)} tab-separated labels, expected {size}"
            raise ValueError(f"{path}: {found}")
    columns = list(map(list, zip(*rows, strict=True)))
    if size == 1:
        return {"label": columns[0]}
    return {f"label {number}": column for number, column in enumerate(columns, 1)}


def read_column(options: Namespace, path: str | None, segments: Sized) -> list[str] | None:
    """Return the label of each segment from a file with one column; None without a file."""
    columns = read_labels(options, path, segments)
    if len(columns) > 1:
        raise ValueError(f"{path} has {len(columns)} tab-separated columns, expected one")
    return columns.get("label")


def score_groups(
    options: Namespace,
    metric: AskedMetric,
    tables: Mapping[str, Any],
    labels: Mapping[str, Sequence[str] | None],
    **tested: Any,
) -> list[Buckets]:
    """Score the systems on the groups of each column of labels; with a baseline, test them."""
    if not labels:
        return []
    from vecbleu.analysis import score_buckets

    given = {"edges": options.edges, **tested, **metric.scoring}
    if tested:
        keywords, _ = shared.draw_options(options)
        if options.test != "randomization":
            keywords.setdefault("confidence_level", 1 - options.level)
        given["compare"] = partial(test_of(options), **keywords | {"progress": False})
    found = []
    for by, column in labels.items():
        buckets = score_buckets(tables, column, **given)
        found.append(replace(buckets, by=by, level=options.level))
    return found


def test_of(options: Namespace) -> Callable[..., Comparison]:
    """Return the function of the test that is asked for."""
    from vecbleu.significance import paired_bootstrap, paired_randomization

    return paired_randomization if options.test == "randomization" else paired_bootstrap


def group_records(groups: Sequence[Buckets], system: str) -> list[dict[str, Any]]:
    """Return the records of all groups for a system."""
    records = [record for buckets in groups for record in buckets.records()]
    return [record for record in records if record["system"] == system]


def group_lines(options: Namespace, groups: Sequence[Buckets], digits: int = 2) -> Iterator[str]:
    """Yield a table of each grouping; nothing for JSON, whose records have the groups."""
    if options.json:
        return
    for buckets in groups:
        table = buckets.table()
        columns = [column._replace(digits=digits) for column in table.columns]
        table = table._replace(columns=columns, title=f"{buckets.metric} by {buckets.by}")
        text = table.to_text() if options.latex is None else table.to_latex()
        yield from ("", *text.split("\n"))

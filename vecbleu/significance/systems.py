"""Check systems that are passed to a function: statistics of the same segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from vecbleu.core.checks import check_names, checked_integer
from vecbleu.core.count_table import CountTable
from vecbleu.show.signature import common

Systems = Mapping[Any, CountTable] | Iterable[CountTable]

# What the two axes of counts are.
_UNITS = "segments", "columns"


def checked_systems(systems: Any, least: int = 2) -> dict[Any, Any]:
    """Return the systems by name; without names, they are called "0", "1", ..."""
    if isinstance(systems, CountTable) or not isinstance(systems, Iterable):
        raise TypeError(
            f"systems is {type(systems).__name__}, expected a dict or a list of statistics, "
            "such as [baseline, system]"
        )
    has_names = isinstance(systems, Mapping)
    named = dict(systems if has_names else ((str(i), table) for i, table in enumerate(systems)))
    check_names(named, "systems")
    labels = (f"systems[{name!r}]" if has_names else f"systems[{name}]" for name in named)
    tables = [*zip(labels, named.values(), strict=True)]
    if len(tables) < least:
        raise ValueError(f"systems has {len(tables)}, expected at least {least} to compare")
    first_label, first = tables[0]
    for label, table in tables:
        check_rows(table, label)
        if table.metric != first.metric:
            raise TypeError(f"{label} counts {table.metric} but {first_label} {first.metric}")
    common((label, table.signature) for label, table in tables)
    for label, table in tables:
        for unit, size, expected in zip(_UNITS, table.array.shape, first.array.shape, strict=True):
            if size != expected:
                raise ValueError(f"{label} has {size} {unit} but {first_label} has {expected}")
    return named


def check_rows(statistics: Any, argument: str = "statistics") -> None:
    """Raise an error unless this is statistics with at least one row."""
    if not isinstance(statistics, CountTable):
        raise TypeError(
            f"{argument} is {type(statistics).__name__}, expected statistics, such as "
            "vecbleu.statistics(hypotheses, references)"
        )
    if statistics.array.ndim != 2:
        raise ValueError(f"{argument} is a sum or a single row, expected a row for each segment")
    if not len(statistics):
        raise ValueError(f"{argument} has 0 segments, expected at least 1")


def baseline_index(names: Iterable[Any], baseline: Any) -> int:
    """Return the index of the baseline, given as a name or an index; names are tried first."""
    listed = [*names]
    if isinstance(baseline, Hashable) and baseline in listed:
        return listed.index(baseline)
    if isinstance(baseline, str):
        raise ValueError(f"baseline is {baseline!r}, expected one of {(*listed,)}")
    return checked_integer(baseline, "baseline", 0, len(listed) - 1, " or a name")

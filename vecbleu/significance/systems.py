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
    named = named_systems(systems, "statistics, such as [baseline, system]", least)
    label_of = "systems[{!r}]" if isinstance(systems, Mapping) else "systems[{}]"
    tables = [(label_of.format(name), table) for name, table in named.items()]
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


def named_systems(systems: Any, expected: str, least: int = 2) -> dict[Any, Any]:
    """Return at least this many systems by name."""
    if isinstance(systems, (str, bytes, CountTable)) or not isinstance(systems, Iterable):
        kind = type(systems).__name__
        raise TypeError(f"systems is {kind}, expected a dict or a list of {expected}")
    if not isinstance(systems, Mapping):
        systems = {str(number): system for number, system in enumerate(systems)}
    check_names(systems, "systems")
    size = len(systems)
    if size < least:
        advice = "; for one, call significance.bootstrap(statistics)" if size else ""
        raise ValueError(f"systems has {size}, expected at least {least} to compare{advice}")
    return dict(systems)


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
    """Return the index of a baseline: a name, else an index; by default 0."""
    listed = [*names]
    if isinstance(baseline, Hashable) and baseline in listed:
        return listed.index(baseline)
    if baseline is None:
        return 0
    if isinstance(baseline, str):
        raise ValueError(f"baseline is {baseline!r}, expected one of {(*listed,)}")
    return checked_integer(baseline, "baseline", 0, len(listed) - 1, " or a name")

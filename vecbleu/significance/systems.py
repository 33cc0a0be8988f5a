"""Check systems that are passed to a function: statistics of the same segments."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterable, Mapping
from typing import Any

from vecbleu.core.checks import checked_integer
from vecbleu.core.statistics import Statistics
from vecbleu.show.signature import common

Systems = Mapping[Any, Statistics] | ItemsView[Any, Statistics] | Iterable[Statistics]


def checked_systems(systems: Any, least: int = 2) -> dict[Any, Statistics]:
    """Return the systems by name; without names, they are called "0", "1", ..."""
    if isinstance(systems, Statistics) or not isinstance(systems, Iterable):
        raise TypeError(
            f"systems is {type(systems).__name__}, expected a dict or a list of Statistics, "
            "such as [baseline, system]"
        )
    has_names = isinstance(systems, (Mapping, ItemsView))
    named = dict(systems if has_names else ((str(i), one) for i, one in enumerate(systems)))
    for name, one in named.items():
        check_rows(one, f"systems[{name!r}]" if has_names else f"systems[{name}]")
    if len(named) < least:
        raise ValueError(f"systems has {len(named)}, expected at least {least} to compare")
    common((f"system {name}", one.signature) for name, one in named.items())
    (first_name, first), *others = named.items()
    for name, one in others:
        if one.array.shape != first.array.shape:
            raise ValueError(
                f"system {name} has {len(one)} segments and order {one.max_order} but system "
                f"{first_name} has {len(first)} and {first.max_order}"
            )
    return named


def check_rows(statistics: Any, argument: str = "statistics") -> None:
    """Raise an error unless this is statistics with at least one row."""
    if not isinstance(statistics, Statistics):
        raise TypeError(
            f"{argument} is {type(statistics).__name__}, expected Statistics, such as "
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

"""Systems as a test takes them: statistics of the same segments, counted in the same way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vecbleu.core.checks import checked_integer
from vecbleu.core.options import ScoreOptions
from vecbleu.core.statistics.signature import check_alike
from vecbleu.core.statistics.table import Statistics

Systems = Mapping[str, Statistics] | Sequence[Statistics]


def checked_systems(systems: Any, least: int = 2) -> dict[str, Statistics]:
    """Systems as the user passed them, by name; those of a sequence are called "0", "1", ..."""
    is_mapping = isinstance(systems, Mapping)
    if not is_mapping and not isinstance(systems, Sequence):
        kind = type(systems).__name__
        raise TypeError(
            f"systems is {kind}, expected a dict of names or a list of Statistics, such as "
            "[baseline, system]"
        )
    named = dict(systems if is_mapping else ((str(i), one) for i, one in enumerate(systems)))
    for name, one in named.items():
        check_rows(one, f"systems[{name!r}]" if is_mapping else f"systems[{name}]")
    if len(named) < least:
        raise ValueError(f"systems has {len(named)}, expected at least {least} to compare")
    check_alike((f"system {name}", one.signature) for name, one in named.items())
    (first_name, first), *others = named.items()
    for name, one in others:
        if one.matches.shape != first.matches.shape:
            raise ValueError(
                f"system {name} has {len(one)} segments and order {one.max_order} but system "
                f"{first_name} has {len(first)} and {first.max_order}"
            )
    return named


def check_rows(statistics: Any, argument: str = "statistics") -> None:
    """Refuse what is no table with a row for each segment."""
    if not isinstance(statistics, Statistics):
        kind = type(statistics).__name__
        raise TypeError(
            f"{argument} is {kind}, expected Statistics, such as "
            "vecbleu.statistics(hypotheses, references)"
        )
    if statistics.matches.ndim != 2:
        raise ValueError(
            f"{argument} has the shape {statistics.matches.shape}, expected a row for each segment "
            "(segments, orders), not a sum"
        )
    if not len(statistics):
        raise ValueError(f"{argument} has 0 segments, expected at least 1")


def score_options(systems: Mapping[str, Statistics], *given: Any) -> ScoreOptions:
    """Options of one score for each system, as the user passed them."""
    first = next(iter(systems.values()))
    return ScoreOptions.checked(first.max_order, *given).single("a system")


def baseline_index(systems: Iterable[str], baseline: Any) -> int:
    """The index of the system that the user named, or numbered, as the baseline."""
    names = tuple(systems)
    if isinstance(baseline, str):
        if baseline not in names:
            raise ValueError(f"baseline is {baseline!r}, expected one of {names}")
        return names.index(baseline)
    return checked_integer(baseline, "baseline", 0, len(names) - 1, " or a name")


def sum_systems(systems: Mapping[str, Statistics]) -> Statistics:
    """Add up the segments of each system: a row for each."""
    return Statistics.concatenate(one.sum() for one in systems.values())

"""Systems as tables of the same segments, and their scores on 0 to 100, the scale of the tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from vecbleu.columns import join_columns, split_columns
from vecbleu.scores import Formula, Weights, percent_bleu, resolve_formula, weighted_bleu
from vecbleu.signatures import check_alike
from vecbleu.statistics import Statistics, sum_lengths

# Of one test; more do not fit into any memory.
_MOST_RESAMPLES = 2**31

Floats = npt.NDArray[np.float64]
Systems = Mapping[str, Statistics] | Sequence[Statistics]


class ScoreOptions(TypedDict, total=False):
    """What `vecbleu.bleu` is told besides statistics; one set of weights at most."""

    weights: Weights | None
    smoothing: str
    smoothing_value: float | None
    effective_order: bool


class Result:
    """A frozen record of numbers and arrays."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """All fields, arrays as lists, and None for NaN: what JSON can hold."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    """Python's own numbers and lists."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [*map(_plain, value)]
    return None if isinstance(value, float) and math.isnan(value) else value


def formula_of(max_order: int, options: ScoreOptions) -> Formula:
    """Check the options of the score."""
    unknown = sorted(set(options) - set(ScoreOptions.__annotations__))
    if unknown:
        expected = ", ".join(ScoreOptions.__annotations__)
        raise TypeError(f"{unknown[0]} is no option of the score, expected {expected}")
    formula = resolve_formula(
        max_order,
        options.get("weights"),
        options.get("smoothing", "none"),
        options.get("smoothing_value"),
        options.get("effective_order", False),
    )
    if formula.several:
        raise ValueError("weights has several sets; a test is about one score")
    return formula


def percents(rows: Floats, formula: Formula) -> Floats:
    """Scores (...), 0 to 100, of statistics (..., columns)."""
    if formula.weights is None:
        return np.asarray(percent_bleu(rows, formula))
    scores: Floats = 100 * weighted_bleu(rows, formula)[..., 0]
    return scores


def total_of(table: Floats) -> Floats:
    """Sum rows (segments, columns), exactly: averages of reference lengths too."""
    hyp_len, ref_len, matches, totals = split_columns(table)
    sums = hyp_len.sum(), sum_lengths(ref_len), matches.sum(axis=0), totals.sum(axis=0)
    return join_columns(*sums)


def table_of(statistics: Any, name: str = "statistics") -> Floats:
    """Rows of statistics (segments, columns) as float64, exact up to 2**53."""
    if not isinstance(statistics, Statistics):
        raise TypeError(f"{name} is {type(statistics).__name__}, expected Statistics")
    if statistics.matches.ndim == 2 and not len(statistics):
        raise ValueError(f"{name} has 0 segments, expected at least 1")
    if statistics.matches.ndim != 2:
        raise ValueError(
            f"{name} has the shape {statistics.matches.shape}, expected a row for each segment "
            "(segments, orders), not a sum"
        )
    return statistics.to_array().astype(np.float64)


def tables_of(systems: Any, least: int = 2) -> tuple[tuple[str, ...], Floats]:
    """Names of systems, and their rows side by side (segments, systems, columns)."""
    if isinstance(systems, Mapping):
        names = tuple(systems)
        tables = [table_of(one, f"systems[{name!r}]") for name, one in systems.items()]
    elif isinstance(systems, Sequence):
        names = tuple(map(str, range(len(systems))))
        tables = [table_of(one, f"systems[{index}]") for index, one in enumerate(systems)]
    else:
        raise TypeError(
            f"systems is {type(systems).__name__}, expected a dict of names or a list of Statistics"
        )
    if len(tables) < least:
        raise ValueError(f"systems has {len(tables)}, expected at least {least} to compare")
    each = systems.values() if isinstance(systems, Mapping) else systems
    check_alike((f"system {name}", one.signature) for name, one in zip(names, each, strict=True))
    for name, table in zip(names, tables, strict=True):
        if table.shape != tables[0].shape:
            (size, columns), (first_size, first_columns) = table.shape, tables[0].shape
            raise ValueError(
                f"system {name} has {size} segments and order {columns // 2 - 1} but system "
                f"{names[0]} has {first_size} and {first_columns // 2 - 1}"
            )
    return names, np.stack(tables, axis=1)


def checked_count(value: Any, name: str) -> int:
    """A number of resamples."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, expected an integer")
    if not 1 <= value <= _MOST_RESAMPLES:
        raise ValueError(f"{name} is {value}, expected 1 to {_MOST_RESAMPLES}")
    return int(value)

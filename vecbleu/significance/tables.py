"""Results as tables: data frames of pandas, and LaTeX for the package booktabs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.latex import aligned, booktabs, latex_cell

# Columns of scores and of their differences, which LaTeX shows on 0 to 100, and of probabilities.
_SCORES = {"score", "mean", "lower", "upper", "difference", "without", "influence"}
PROBABILITIES = {"p_value", "holm", "benjamini_hochberg"}

# Those that would be 0 if they were rounded, which none is.
_LEAST = 0.0005

Columns = Mapping[str, Sequence[Any] | npt.NDArray[Any]]


def data_frame(columns: Columns) -> Any:
    """Make a DataFrame of columns of one length."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise ImportError("to_dataframe needs the package pandas: pip install pandas") from error
    return pandas.DataFrame({name: [*column] for name, column in columns.items()})


def latex_columns(columns: Columns, decimals: int) -> str:
    """A table with all columns, under their own names."""
    cells = [
        [latex_cell(value, decimals) for value in _shown(name, column)]
        for name, column in columns.items()
    ]
    header = [latex_cell(name.replace("_", " "), 0) for name in columns]
    return latex_table(header, [[*row] for row in zip(*cells, strict=True)])


def _shown(name: str, column: Sequence[Any] | npt.NDArray[Any]) -> list[Any]:
    """Values of a column as numbers to round, or as text that has been rounded."""
    values = column.tolist() if isinstance(column, np.ndarray) else [*column]
    if name in _SCORES or name.startswith("score of "):
        return [100.0 * value for value in values]
    if name == "level":
        return [f"{value:g}" for value in values]
    if name in PROBABILITIES:
        return [probability(value) for value in values]
    return values


def latex_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """A table whose first column is aligned to the left and the others to the right."""
    top, *others = aligned([header, *rows])
    lines = booktabs("l" + "r" * (len(header) - 1), top, others)
    return "\n".join([*(f"% {note}" for note in notes), *lines])


def probability(value: float) -> str:
    """A p-value with three decimals; none where there is no test."""
    if value != value:
        return ""
    return "<0.001" if value < _LEAST else f"{value:.3f}"


def bold(cell: str, is_best: bool) -> str:
    """The cell of a table, bold if it is that of the best."""
    return rf"\textbf{{{cell}}}" if is_best else cell

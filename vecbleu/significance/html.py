"""Results as tables in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.html import html_table
from vecbleu.significance.tables import PROBABILITIES, Columns, probability

# Rows that a notebook shows unasked.
_MOST_ROWS = 20

# Columns of a matrix, which grow with the systems.
_MOST_COLUMNS = 40


def result_page(title: str, columns: Columns) -> str:
    """The first rows of a table, and how many others there are."""
    shown = [*columns.items()][:_MOST_COLUMNS]
    size = len(shown[0][1]) if shown else 0
    cells = [_cells(name, column[:_MOST_ROWS]) for name, column in shown]
    left = [place for place, (_, column) in enumerate(shown) if _is_text(column)]
    notes = []
    if size > _MOST_ROWS:
        notes.append(f"... and {size - _MOST_ROWS} more rows")
    if len(columns) > len(shown):
        notes.append(f"... and {len(columns) - len(shown)} more columns")
    rows = [[*row] for row in zip(*cells, strict=True)]
    return html_table([name for name, _ in shown], rows, title, "; ".join(notes), left)


def _is_text(column: Sequence[Any] | npt.NDArray[Any]) -> bool:
    """Whether a column stands left, by its first value."""
    return len(column) > 0 and isinstance(column[0], str)


def _cells(name: str, column: Sequence[Any] | npt.NDArray[Any]) -> list[str]:
    """The cells of a column: four decimals, three of probabilities, and nothing for NaN."""
    values = column.tolist() if isinstance(column, np.ndarray) else [*column]
    if name in PROBABILITIES:
        return [*map(probability, values)]
    return [_cell(value) for value in values]


def _cell(value: Any) -> str:
    """One value."""
    if value is None or value != value:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)

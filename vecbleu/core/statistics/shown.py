"""Statistics as a table in HTML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vecbleu.core.html import html_table
from vecbleu.core.statistics.columns import column_names

if TYPE_CHECKING:
    from vecbleu.core.statistics.table import Statistics

# Orders whose counts are shown.
_MOST_ORDERS = 8


def page(table: Statistics, most: int) -> str:
    """The first rows of a table and the sum of all of them, under their number."""
    orders = min(table.max_order, _MOST_ORDERS)
    title = repr(table)
    hidden = table.max_order - orders
    note = f"... and {hidden} more orders" if hidden else ""
    return html_table(["", *column_names(orders)], _rows(table, most, orders), title, note)


def _rows(table: Statistics, most: int, orders: int) -> Iterator[list[str]]:
    """The cells of the first rows, dots for the others, and the sum."""
    if table.hyp_len.ndim == 1:
        for index, row in enumerate(table[:most]):
            yield _cells(str(index), row, orders)
        if len(table) > most:
            yield ["...", *[""] * (2 + 2 * orders)]
    try:
        yield _cells("sum", table.sum(), orders)
    except OverflowError as error:
        yield ["sum", str(error), *[""] * (1 + 2 * orders)]


def _cells(name: str, row: Statistics, orders: int) -> list[str]:
    """One row under its name; averages of lengths with four decimals."""
    ref_len = row.ref_len.item()
    counts = [*row.matches[:orders].tolist(), *row.totals[:orders].tolist()]
    shown = f"{ref_len:.4f}" if isinstance(ref_len, float) else str(ref_len)
    return [name, str(int(row.hyp_len)), shown, *map(str, counts)]

"""Matrix products that BLAS does on one thread, whatever else the machine does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Float64

Float = npt.NDArray[np.floating[Any]]

# Multiply-adds of one product. OpenBLAS, which is in NumPy's wheels, shares those of 2**19 and more
# among threads, which wait for each other: where other programs kept both cores busy, a paired
# bootstrap of 16 systems took ten times as long as on one thread.
_MULTIPLY_ADDS = 1 << 18

# Rows and columns of one product, where there are many segments.
_ROWS, _COLUMNS = 64, 80

# Whole numbers up to here are exact in float32.
_MOST_FLOAT32 = 1 << 24


def exact_float(columns: Iterable[Counts]) -> type[np.float32 | np.float64]:
    """The type for sums of as many rows (segments, ...) as there are: exact for whole numbers.

    Products of float32 take half the time of those of float64, and make up for the second thread.
    """
    for column in columns:
        is_float = column.dtype.kind == "f"  # means of lengths
        if is_float or len(column) * int(column.max(initial=0)) > _MOST_FLOAT32:
            return np.float64
    return np.float32


def write_product(times: Float, table: Float, sums: Float64) -> None:
    """Write times (draws, segments) @ table (segments, columns)."""
    height = max(_ROWS, _MULTIPLY_ADDS // (_COLUMNS * max(len(table), 1)))
    for top in range(0, len(times), height):
        some = slice(top, top + height)
        for left in range(0, table.shape[1], _COLUMNS):
            columns = slice(left, left + _COLUMNS)
            sums[some, columns] = _sum_products(times[some], table[:, columns])


def _sum_products(times: Float, table: Float) -> Float:
    """Multiply some segments at a time, in one call: (draws, segments) @ (segments, columns)."""
    rows, columns = len(times), table.shape[1]
    piece = _MULTIPLY_ADDS // (rows * columns)  # segments
    whole = len(table) // piece * piece
    pieces = times[:, :whole].reshape(rows, -1, piece).swapaxes(0, 1)  # (pieces, draws, segments)
    products = pieces @ table[:whole].reshape(-1, piece, columns)
    sums: Float = products.sum(axis=0)
    sums += times[:, whole:] @ table[whole:]
    return sums

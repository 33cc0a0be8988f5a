"""Sum and check arrays of counts (..., columns) of any metric."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import refuse_mask
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError
from vecbleu.kernel.arrays import Counts, Int64, Mask

# The largest int64, and the largest float64 that int64 can hold.
MOST = int(np.iinfo(np.int64).max)
_MOST_FLOAT = float(np.nextafter(2.0**63, 0))


def sum_counts(array: Int64) -> Int64:
    """Sum rows (S, columns) to (columns,); OverflowError beyond int64."""
    sums = exact_sums(array)
    if max(sums) > MOST:
        raise OverflowError(f"counts add up to {max(sums)}, more than {MOST}, the largest int64")
    return np.array(sums, np.int64)


def exact_sums(array: Int64) -> list[int]:
    """Sum rows (S, columns) to (columns,), beyond int64 if need be."""
    if int(array.max(initial=0)) > MOST // max(len(array), 1):
        return [sum(column.tolist()) for column in array.T]
    sums: list[int] = array.sum(axis=0).tolist()
    return sums


def widened(array: npt.ArrayLike) -> Counts:
    """Return numbers in the widest type of their kind; TypeError for anything else."""
    refuse_mask(array)
    counts = np.asarray(array)
    # NumPy 2.0 corrupts memory when it compares narrow integers of the other byte order.
    widest = {"f": np.float64, "i": np.int64, "u": np.uint64}.get(counts.dtype.kind)
    if widest is None:
        advice = "for text call a function such as vecbleu.corpus_bleu(hypotheses, references)"
        raise ArgumentTypeError(f"holds {counts.dtype}", "numbers", advice)
    return counts.astype(widest, copy=False)


def refuse_fractions(counts: Counts) -> None:
    """Raise ValueError for the first number that is not whole."""
    if counts.dtype.kind == "f":
        refuse(counts > np.floor(counts), counts, expected="a whole number")


def refuse_impossible(column: Counts, name: str = "") -> None:
    """Raise ValueError for the first number that is no count in int64."""
    most = _MOST_FLOAT if column.dtype.kind == "f" else MOST
    refuse(~((column >= 0) & (column <= most)), column, name, expected="a count")


def refuse(bad: Mask, column: Counts, name: str = "", what: str = "", expected: str = "") -> None:
    """Raise ValueError for the first count that `bad` marks, if any; `name` is of the column."""
    if bad.any():
        index = tuple(np.argwhere(bad)[0].tolist())
        raise ArgumentError(f"is {column[index]}{what}", expected, argument=name, index=index)

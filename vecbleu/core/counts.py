"""The array of counts (..., 2 + 2N): hyp_len, ref_len, matches and totals of each order."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Int64, Mask

_PARTS = "hyp_len", "ref_len", "matches", "totals"

# The largest count, and the largest float that int64 holds.
MOST = int(np.iinfo(np.int64).max)
_MOST_FLOAT = float(np.nextafter(2.0**63, 0))

# Those of 100 orders, the most that text is counted with.
_MOST_COLUMNS = 202


def split_columns(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (..., N)."""
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"statistics hold {array.dtype}, expected numbers; "
            "for text call vecbleu.corpus_bleu(hypotheses, references)"
        )
    columns = array.shape[-1] if array.ndim else 0
    if columns < 4 or columns % 2:
        raise ValueError(f"statistics have 2 + 2 * max_order columns, not {columns}")
    if columns > _MOST_COLUMNS:
        raise ValueError(f"statistics have {columns} columns, expected at most {_MOST_COLUMNS}")
    middle = columns // 2 + 1
    return array[..., 0], array[..., 1], array[..., 2:middle], array[..., middle:]


def sum_counts(array: Int64) -> Int64:
    """Add up rows (S, columns) to (columns,); OverflowError beyond int64."""
    if int(array.max(initial=0)) > MOST // max(len(array), 1):
        exact = max(sum(array[:, column].tolist()) for column in (0, 1))
        if exact > MOST:
            raise OverflowError(f"lengths add up to {exact}, more than {MOST}, the most of int64")
    total: Int64 = array.sum(axis=0)
    return total


def checked_counts(array: npt.ArrayLike) -> Counts:
    """Return counts (..., 2 + 2N) as int64 or float64; an error names the first bad one."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("statistics are a masked array, whose mask would be lost")
    counts = np.asarray(array)
    kind = counts.dtype.kind
    if kind in "iuf":
        # NumPy 2.0 damages memory where narrow integers of the other byte order are compared.
        widest = {"f": np.float64, "i": np.int64, "u": np.uint64}[kind]
        counts = counts.astype(widest, copy=False)
    most = _MOST_FLOAT if kind == "f" else MOST
    for name, column in zip(_PARTS, split_columns(counts), strict=True):
        _refuse(~((column >= 0) & (column <= most)), column, name, "expected a count")
    _, _, matches, totals = split_columns(counts)
    _refuse(matches > totals, matches, "matches", "which is more than its total")
    return counts if kind == "f" else counts.astype(np.int64, copy=False)


def possible_counts(array: npt.ArrayLike) -> Int64:
    """Return counts (S, 2 + 2N) or (2 + 2N,) as int64; ValueError for what no text has.

    From one order to the next, totals fall by the number of segments that have n-grams of the
    lower one, which cannot grow. Matches can, with several references: of "a b", "b a", "a a" and
    "b b", the hypothesis "a a b b a" has all bigrams.
    """
    counts = checked_counts(array)
    if counts.ndim > 2:
        raise ValueError(
            f"statistics have {counts.ndim} dimensions, expected (segments, 2 + 2 * max_order), "
            "or (2 + 2 * max_order,) for a sum"
        )
    if counts.dtype.kind == "f":
        for name, column in zip(_PARTS, split_columns(counts), strict=True):
            _refuse(column != np.trunc(column), column, name, "expected a whole number")
    hyp_len, _, matches, totals = split_columns(counts)
    fall = totals[..., :-1] - totals[..., 1:]
    bad = np.zeros(totals.shape, bool)
    bad[..., 0] = totals[..., 0] != hyp_len
    bad[..., 1:] = fall < (totals[..., :-1] > 0)
    bad[..., 2:] |= fall[..., 1:] > fall[..., :-1]
    what = "which does not fit hyp_len and the totals of the orders below"
    _refuse(bad, totals, "totals", what)
    bad = np.zeros(totals.shape, bool)
    bad[..., 1:] = (matches[..., 1:] > 0) & (matches[..., :-1] == 0)
    _refuse(bad, matches, "matches", "where the order below has none")
    return counts.astype(np.int64, copy=False)


def _refuse(bad: Mask, column: Counts, name: str, what: str) -> None:
    """Raise ValueError at the first bad place, if there is one."""
    if bad.any():
        place: list[Any] = np.argwhere(bad)[0].tolist()
        raise ValueError(f"{name}{place or ''} is {column[tuple(place)]}, {what}")

"""The column order of sufficient statistics, sacreBLEU's: the only place that knows it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Mask

Columns = tuple[Counts, Counts, Counts, Counts]

# Rows that are checked or written together: copies of them stay in the cache.
_ROWS_AT_ONCE = 1 << 13

# Types of numbers by their kind.
_WIDEST: dict[str, type[np.number[Any]]] = {"f": np.float64, "i": np.int64, "u": np.uint64}

# The largest count, and the largest float that int64 holds.
MOST = int(np.iinfo(np.int64).max)
_MOST_FLOAT = float(np.nextafter(2.0**63, 0))


def column_names(orders: int) -> list[str]:
    """Names of the columns, those of n-grams with their order."""
    counts = [f"{name}_{n + 1}" for name in ("matches", "totals") for n in range(orders)]
    return ["hyp_len", "ref_len", *counts]


def join_columns(
    hyp_len: Counts, ref_len: Counts, matches: Counts, totals: Counts, out: Counts | None = None
) -> Counts:
    """Put lengths (...), matches and totals (..., N) into one array (..., 2 + 2N)."""
    columns = hyp_len[..., None], ref_len[..., None], matches, totals
    return np.concatenate(columns, axis=-1, out=out)


def row_slices(shape: tuple[int, ...]) -> Iterable[Any]:
    """Selections of some rows each, at least one; of a single row (), all of it."""
    if not shape:
        return [...]
    starts = range(0, max(shape[0], 1), _ROWS_AT_ONCE)
    return (slice(start, start + _ROWS_AT_ONCE) for start in starts)


def split_columns(array: Counts) -> Columns:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (..., N)."""
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"statistics hold {array.dtype}, expected numbers; "
            "for text call vecbleu.corpus_bleu(hypotheses, references)"
        )
    columns = array.shape[-1] if array.ndim else 0
    if columns < 4 or columns % 2:
        raise ValueError(f"statistics have 2 + 2 * max_order columns, not {columns}")
    orders = (columns - 2) // 2
    return array[..., 0], array[..., 1], array[..., 2 : 2 + orders], array[..., 2 + orders :]


def columns_first(array: Counts) -> Columns:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (N, ...).

    Scoring loops over few orders of many segments, which in rows takes twice as long.
    """
    hyp_len, ref_len, matches, totals = split_columns(np.asfortranarray(array))
    last_first = -1, *range(array.ndim - 1)
    return hyp_len, ref_len, matches.transpose(last_first), totals.transpose(last_first)


def checked_counts(array: npt.ArrayLike, first: int = 0) -> Counts:
    """Statistics (..., 2 + 2N) as int64 or float64; an error names the first bad count.

    `first` is the number of the first row, for errors.
    """
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("statistics are a masked array, whose mask would be lost")
    counts = np.asarray(array)
    kind = counts.dtype.kind
    is_float = kind == "f"
    if kind in _WIDEST:
        # Comparing narrow integers of the other byte order with the most of int64 (below) damaged
        # memory with NumPy 2.0.2: scores of later calls differed, or Python crashed.
        counts = counts.astype(_WIDEST[kind], copy=False)
    hyp_len, ref_len, matches, totals = split_columns(counts)
    columns = {"hyp_len": hyp_len, "ref_len": ref_len, "matches": matches, "totals": totals}
    for name, column in columns.items():
        # Not an int beyond int64: NumPy below 2.2 crashes where it compares int64 with one.
        most = _MOST_FLOAT if is_float else MOST
        raise_at(~((column >= 0) & (column <= most)), column, name, "expected a count", first)
    raise_at(matches > totals, matches, "matches", "which is more than its total", first)
    return counts if is_float else counts.astype(np.int64, copy=False)


def whole_columns(array: npt.ArrayLike, first: int = 0) -> Columns:
    """Columns of whole counts, int64; `ref_len` is float64 where it holds averages."""
    hyp_len, ref_len, matches, totals = split_columns(checked_counts(array, first))
    columns = {"hyp_len": hyp_len, "matches": matches, "totals": totals}
    for name, column in columns.items():
        if column.dtype.kind == "f":
            raise_at(column != np.trunc(column), column, name, "expected a whole number", first)
    hyp_len, matches, totals = (one.astype(np.int64, copy=False) for one in columns.values())
    return hyp_len, _narrowed(ref_len), matches, totals


def _narrowed(ref_len: Counts) -> Counts:
    """Lengths as int64, unless some are averages."""
    if ref_len.dtype.kind == "f" and not np.array_equal(ref_len, np.trunc(ref_len)):
        return ref_len
    return ref_len.astype(np.int64, copy=False)


def possible_columns(
    blocks: Iterable[npt.ArrayLike], shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Columns:
    """Columns of statistics that come in blocks of rows; ValueError where no text can have them.

    Masks and copies of all rows at once would take as much memory as the columns.
    """
    split_columns(np.empty((0, *shape[-1:]), dtype))  # raises before a block is read
    *lead, width = shape
    orders = (width - 2) // 2
    columns = (
        np.empty(lead, np.int64),
        np.empty(lead, np.float64 if dtype.kind == "f" else np.int64),
        np.empty((*lead, orders), np.int64),
        np.empty((*lead, orders), np.int64),
    )
    first = 0
    for block in blocks:
        given = whole_columns(block, first)
        check_possible(given, first)
        rows: Any = slice(first, first + len(given[0])) if lead else ...
        for column, values in zip(columns, given, strict=True):
            column[rows] = values
        first += len(given[0]) if lead else 0
    hyp_len, ref_len, matches, totals = columns
    return hyp_len, _narrowed(ref_len), matches, totals


def sum_lengths(lengths: Counts) -> Counts:
    """Add up lengths (segments,) to (), exactly: averages too, in whatever parts they come."""
    if lengths.dtype.kind == "f":
        blocks = (lengths[rows].reshape(-1).tolist() for rows in row_slices(lengths.shape))
        return np.asarray(math.fsum(chain.from_iterable(blocks)))
    if int(lengths.max(initial=0)) > MOST // max(lengths.size, 1):
        exact = sum(lengths.reshape(-1).tolist())
        if exact > MOST:
            raise OverflowError(f"lengths add up to {exact}, more than {MOST}, the most of int64")
    return np.asarray(lengths.sum())


def check_possible(columns: Columns, first: int) -> None:
    """ValueError where neither a segment nor a sum of segments has such counts.

    From one order to the next, totals fall by the number of segments that have n-grams of the
    lower one, which cannot grow. Matches can, with several references: of "a b", "b a", "a a" and
    "b b", the hypothesis "a a b b a" has all bigrams.
    """
    hyp_len, _, matches, totals = columns
    fall = totals[..., :-1] - totals[..., 1:]
    bad = np.zeros(totals.shape, bool)
    bad[..., 0] = totals[..., 0] != hyp_len
    bad[..., 1:] = fall < (totals[..., :-1] > 0)
    bad[..., 2:] |= fall[..., 1:] > fall[..., :-1]
    what = "which does not fit hyp_len and the totals of the orders below"
    raise_at(bad, totals, "totals", what, first)
    bad = np.zeros(totals.shape, bool)
    bad[..., 1:] = (matches[..., 1:] > 0) & (matches[..., :-1] == 0)
    raise_at(bad, matches, "matches", "where the order below has none", first)


def raise_at(bad: Mask, column: Counts, name: str, what: str, first: int = 0) -> None:
    """ValueError at the first place that is bad, if any is; rows are numbered from `first`."""
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        named = [place[0] + first, *place[1:]] if place else []
        raise ValueError(f"{name}{named or ''} is {column[place]}, {what}")

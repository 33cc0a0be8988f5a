"""The column order of sufficient statistics, sacreBLEU's: the only place that knows it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Mask


def join_columns(hyp_len: Counts, ref_len: Counts, matches: Counts, totals: Counts) -> Counts:
    """Put lengths (...), matches and totals (..., N) into one array (..., 2 + 2N)."""
    lengths = np.stack([hyp_len, ref_len], axis=-1)
    return np.concatenate([lengths, matches, totals], axis=-1)


def split_columns(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (..., N)."""
    if array.dtype.kind not in "iuf":
        raise TypeError(f"statistics hold {array.dtype}, expected numbers")
    columns = array.shape[-1] if array.ndim else 0
    if columns < 4 or columns % 2:
        raise ValueError(f"statistics have 2 + 2 * max_order columns, not {columns}")
    orders = (columns - 2) // 2
    return array[..., 0], array[..., 1], array[..., 2 : 2 + orders], array[..., 2 + orders :]


def columns_first(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (N, ...).

    Scoring loops over few orders of many segments, which in rows takes twice as long.
    """
    hyp_len, ref_len, matches, totals = split_columns(np.asfortranarray(array))
    last_first = -1, *range(array.ndim - 1)
    return hyp_len, ref_len, matches.transpose(last_first), totals.transpose(last_first)


def checked_counts(array: npt.ArrayLike) -> Counts:
    """Statistics (..., 2 + 2N) as int64 or float64; an error names the first bad count."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("statistics are a masked array, whose mask would be lost")
    counts = np.asarray(array)
    if counts.dtype.kind == "f":
        counts = counts.astype(np.float64, copy=False)
    hyp_len, ref_len, matches, totals = split_columns(counts)
    columns = {"hyp_len": hyp_len, "ref_len": ref_len, "matches": matches, "totals": totals}
    for name, column in columns.items():
        # Not an int beyond int64: NumPy below 2.2 crashes where it compares int64 with one.
        most = 2.0**63 if counts.dtype.kind == "f" else np.iinfo(np.int64).max
        raise_at(~((column >= 0) & (column <= most)), column, name, "expected a count")
    raise_at(matches > totals, matches, "matches", "which is more than its total")
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64, copy=False)


def raise_at(bad: Mask, column: Counts, name: str, what: str) -> None:
    """ValueError at the first place that is bad, if any is."""
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{name}{list(place)} is {column[place]}, {what}")

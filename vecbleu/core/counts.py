"""Count, split, sum and check arrays (..., 2 + 2N) of hyp_len, ref_len, N matches, N totals."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Int64, Mask, keep_freed_memory
from vecbleu.core.checks import refuse_mask
from vecbleu.kernel.matches import clipped_matches, reference_lengths
from vecbleu.kernel.packed import Symbols, packed_matches
from vecbleu.kernel.ragged import Ragged, lengths_of

_PARTS = "hyp_len", "ref_len", "matches", "totals"

# The largest int64, and the largest float64 that int64 can hold.
MOST = int(np.iinfo(np.int64).max)
_MOST_FLOAT = float(np.nextafter(2.0**63, 0))


def count_units(units: Ragged | Symbols, segments: Int64, max_order: int, ref_length: str) -> Int64:
    """Count segments (S, 2 + 2N); the first unit of each is its hypothesis."""
    keep_freed_memory()
    lengths = units.lengths
    is_hypothesis = np.zeros(len(lengths), bool)
    is_hypothesis[segments[:-1]] = True
    hyp_len, of_references = lengths[is_hypothesis], lengths[~is_hypothesis]
    ref_len = reference_lengths(hyp_len, of_references, lengths_of(segments) - 1, ref_length)
    if isinstance(units, Symbols):
        matches = packed_matches(units, segments, max_order)
    else:
        matches = clipped_matches(units, segments, max_order)
    return joined_columns(hyp_len, ref_len, matches)


def joined_columns(hyp_len: Int64, ref_len: Int64, matches: Int64) -> Int64:
    """Return rows (S, 2 + 2N) of lengths (S,), matches (S, N), and totals computed from hyp_len."""
    max_order = matches.shape[1]
    rows = np.empty((len(hyp_len), 2 + 2 * max_order), np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2 : 2 + max_order] = hyp_len, ref_len, matches
    np.maximum(hyp_len[:, None] - np.arange(max_order), 0, out=rows[:, 2 + max_order :])
    return rows


def split_columns(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (..., N)."""
    columns = array.shape[-1] if array.ndim else 0
    if columns < 4 or columns % 2:
        raise ValueError(f"statistics have 2 + 2 * max_order columns, not {columns}")
    middle = columns // 2 + 1
    return array[..., 0], array[..., 1], array[..., 2:middle], array[..., middle:]


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


def checked_counts(array: npt.ArrayLike) -> Counts:
    """Return counts (..., 2 + 2N) as int64 or float64; an error names the first bad count."""
    counts = widened(array)
    parts = split_columns(counts)
    for name, part in zip(_PARTS, parts, strict=True):
        refuse_impossible(part, name)
    _, _, matches, totals = parts
    refuse(matches > totals, matches, "matches", "which is more than its total")
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64, copy=False)


def widened(array: npt.ArrayLike) -> Counts:
    """Return numbers in the widest type of their kind; TypeError for anything else."""
    refuse_mask(array, "the array of statistics")
    counts = np.asarray(array)
    # NumPy 2.0 corrupts memory when it compares narrow integers of the other byte order.
    widest = {"f": np.float64, "i": np.int64, "u": np.uint64}.get(counts.dtype.kind)
    if widest is None:
        raise TypeError(
            f"statistics hold {counts.dtype}, expected numbers; for text call "
            "vecbleu.corpus_bleu or vecbleu.chrf.corpus_chrf(hypotheses, references)"
        )
    return counts.astype(widest, copy=False)


def check_possible(array: Counts) -> None:
    """Raise ValueError if no text has such counts (..., 2 + 2N).

    A segment has one n-gram fewer of each next order, until it has none. So the total falls from
    order to order by the number of segments that still have n-grams. Matches can grow: if the
    references are the nine pairs of a, b and c, "a a b b c c a c b a" has 6 unigram and 9 bigram
    matches.
    """
    hyp_len, _, matches, totals = split_columns(checked_counts(array))
    fall = totals[..., :-1] - totals[..., 1:]
    bad = np.zeros(totals.shape, bool)
    bad[..., 0] = totals[..., 0] != hyp_len
    bad[..., 1:] = fall < (totals[..., :-1] > 0)
    bad[..., 2:] |= fall[..., 1:] > fall[..., :-1]
    what = "which does not fit hyp_len and the totals of lower orders"
    refuse(bad, totals, "totals", what)
    bad = np.zeros(totals.shape, bool)
    bad[..., 1:] = (matches[..., 1:] > 0) & (matches[..., :-1] == 0)
    refuse(bad, matches, "matches", "but the next lower order has none")


def refuse_impossible(column: Counts, name: str) -> None:
    """Raise ValueError for the first number that is no count in int64."""
    most = _MOST_FLOAT if column.dtype.kind == "f" else MOST
    refuse(~((column >= 0) & (column <= most)), column, name, "expected a count")


def refuse(bad: Mask, column: Counts, name: str, what: str) -> None:
    """Raise ValueError for the first count that `bad` marks, if any."""
    if bad.any():
        index: list[Any] = np.argwhere(bad)[0].tolist()
        raise ValueError(f"{name}{index or ''} is {column[tuple(index)]}, {what}")

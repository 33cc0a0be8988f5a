"""Rows of different lengths in one flat array."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import pairwise
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import checked_ids, refuse_mask
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument
from vecbleu.kernel.arrays import Index, Int64, Mask

Integers = npt.NDArray[np.integer[Any]]  # of any width
Scalar = TypeVar("Scalar", bound=np.generic)

# Largest size of a view in bytes. Overlapping rows count in full, so 32-bit platforms reach it.
_MOST_BYTES = np.iinfo(np.intp).max


def as_index(counts: Integers) -> Index:
    """Convert counts or places to `np.intp`, without a copy on 64-bit platforms.

    On 32-bit platforms, `np.repeat`, `np.bincount` and `reduceat` refuse int64.
    """
    return counts.astype(np.intp, copy=False)


def offsets_of(lengths: Integers | Mask) -> Int64:
    """Turn lengths (rows,) into offsets (rows + 1,)."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def lengths_of(offsets: Int64) -> Int64:
    """Turn offsets (rows + 1,) into lengths (rows,)."""
    return np.subtract(offsets[1:], offsets[:-1], dtype=np.int64)


def row_offsets(rows: Sequence[Sized]) -> Int64:
    """Return the offsets (rows + 1,) of sequences put end to end."""
    return offsets_of(np.fromiter(map(len, rows), np.int64, len(rows)))


def row_sums(values: Integers | Mask, offsets: Int64) -> Int64:
    """Sum each row (rows,), none of which is empty; no sum is larger than its row is wide."""
    widest = int(lengths_of(offsets).max(initial=0))
    unsigned = values.view(f"u{values.itemsize}")
    sums = np.add.reduceat(unsigned, as_index(offsets[:-1]), dtype=np.min_scalar_type(widest))
    return sums.astype(np.int64)


def row_with(offsets: Int64, index: int) -> int:
    """Return the row that has a value, given the index of the value."""
    return int(np.searchsorted(offsets, index, side="right")) - 1


def cuts(offsets: Int64, part_size: float) -> list[tuple[int, int]]:
    """Cut rows into parts of about `part_size`, given the offsets of the rows (rows + 1,)."""
    rows = len(offsets) - 1
    total = int(offsets[-1])
    parts = max(1, round(total / part_size))
    steps = np.arange(1, parts) * (total / parts)
    starts = np.searchsorted(offsets[:-1], steps)
    bounds = sorted({0, *starts.tolist(), rows})
    return list(pairwise(bounds))


def ranges(starts: Int64, lengths: Integers) -> Int64:
    """Concatenate ``arange(start, start + length)`` for each start and its length."""
    offsets = offsets_of(lengths)
    places = np.arange(offsets[-1])
    shifts = starts - offsets[:-1]
    places += np.repeat(shifts, as_index(lengths))
    return places


def starts_of(lengths: Integers) -> Index:
    """Return where each row starts (rows,), given the lengths of all."""
    return as_index(np.cumsum(lengths) - lengths)


def row_numbers(lengths: Integers) -> Int64:
    """Return the row of each value (values,), given the lengths of the rows."""
    rows = np.arange(len(lengths), dtype=np.int64)
    return np.repeat(rows, as_index(lengths))


def places_in_rows(lengths: Integers) -> Int64:
    """Return the place of each value in its row (values,), given the lengths of the rows."""
    return ranges(np.zeros(len(lengths), np.int64), lengths)


def slices(values: npt.NDArray[Scalar], starts: Int64, width: int) -> npt.NDArray[Scalar]:
    """Copy the `width` values that begin at each start; return (starts, width)."""
    size = values.itemsize
    shape = len(values) - width + 1, width
    if math.prod(shape) * size > _MOST_BYTES:
        places = starts[:, None] + np.arange(width)
        return values.take(places)
    # A view of rows that overlap: indices would take as much memory as the copy.
    windows: npt.NDArray[Scalar] = np.ndarray(shape, values.dtype, values, strides=(size, size))
    slices: npt.NDArray[Scalar] = windows[starts]
    return slices


class Ragged:
    """Rows of int64 token ids of different lengths, stored end to end.

    Row ``i`` is ``values[offsets[i]:offsets[i + 1]]``. Pass hypotheses or references as a `Ragged`
    with one row for each segment.

    Parameters
    ----------
    values : int64 array (tokens,)
        The ids of all rows.
    offsets : int64 array (rows + 1,)
        Where each row starts, and where the last one ends.

    Examples
    --------
    >>> import numpy as np
    >>> from vecbleu import Ragged
    >>> ids = Ragged.from_padded(np.array([[7, 8, 9], [7, 0, 0]]), ignore_ids=0)
    >>> ids
    Ragged(rows=2, tokens=4)
    >>> ids[0].tolist(), ids[1].tolist()
    ([7, 8, 9], [7])
    """

    __slots__ = ("offsets", "values")
    __module__ = "vecbleu"

    def __init__(self, values: Int64, offsets: Int64) -> None:
        self.values = values
        self.offsets = offsets

    @classmethod
    def from_padded(
        cls,
        ids: npt.ArrayLike,
        *,
        ignore_ids: int | Iterable[int] = (),
        lengths: npt.ArrayLike | None = None,
    ) -> Ragged:
        """Read the rows of a padded 2-D integer array.

        Parameters
        ----------
        ids : integer array (rows, width)
            One row of token ids a segment.
        ignore_ids : int, or iterable of int
            Ids to leave out, such as padding, anywhere in a row.
        lengths : integer array (rows,), optional
            Row ``i`` keeps its first ``lengths[i]`` ids. Without `ignore_ids` and `lengths`, rows
            keep all ids.

        Returns
        -------
        Ragged

        Raises
        ------
        TypeError
            `ids` does not hold integers.
        ValueError
            `ids` is not 2-D, both options are given, or a length is not between 0 and the width.

        Examples
        --------
        >>> from vecbleu import Ragged
        >>> Ragged.from_padded([[1, 2], [3, 4]], lengths=[2, 1])[1].tolist()
        [3]
        """
        with argument("ids"):
            array = int64_ids(np.asanyarray(ids))
            if array.ndim != 2:
                raise ArgumentError(f"has {array.ndim} dimensions", advice="a padded array has 2")
        rows, width = array.shape
        with argument("ignore_ids"):
            ignored = checked_ids(ignore_ids)
        if ignored and lengths is not None:
            raise ValueError("ignore_ids and lengths are both given; pass one of them")
        if lengths is not None:
            with argument("lengths"):
                checked = _checked_lengths(np.asarray(lengths), rows, width)
            keep = np.arange(width) < checked[:, None]  # (rows, width)
        elif ignored:
            keep = ~np.isin(array, ignored)
        else:
            offsets = np.arange(rows + 1, dtype=np.int64) * width
            return cls(array.reshape(-1), offsets)
        kept = np.count_nonzero(keep, axis=1)  # (rows,)
        return cls(array[keep], offsets_of(kept))

    @classmethod
    def from_arrays(cls, arrays: Sequence[Integers]) -> Ragged:
        """Turn each 1-D integer array into a row."""
        offsets = row_offsets(arrays)
        nothing = np.empty(0, np.int64)
        with argument("ids"):
            rows = [int64_ids(np.asanyarray(array)) for array in arrays]
        return cls(np.concatenate([nothing, *rows]), offsets)

    @classmethod
    def concatenate(cls, parts: Sequence[Ragged]) -> Ragged:
        """Join the rows of several `Ragged`."""
        values = np.concatenate([part.values for part in parts])
        lengths = np.concatenate([part.lengths for part in parts])
        return cls(values, offsets_of(lengths))

    def __len__(self) -> int:
        return max(0, len(self.offsets) - 1)  # `repr` works without offsets, too

    @property
    def lengths(self) -> Int64:
        """Number of tokens of each row (rows,)."""
        return lengths_of(self.offsets)

    @overload
    def __getitem__(self, rows: int) -> Int64: ...

    @overload
    def __getitem__(self, rows: slice) -> Ragged: ...

    def __getitem__(self, rows: int | slice) -> Int64 | Ragged:
        """Return one row as an array, or a slice of rows as a `Ragged`."""
        if isinstance(rows, slice):
            start, stop, step = rows.indices(len(self))
            if step != 1:
                return self.take(np.arange(start, stop, step))
            stop = max(start, stop)
            offsets = self.offsets[start : stop + 1]
            values = self.values[offsets[0] : offsets[-1]]
            return Ragged(values, offsets - offsets[0])
        row = range(len(self))[rows]
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[Int64]:
        return (self[row] for row in range(len(self)))

    def take(self, rows: Int64) -> Ragged:
        """Copy the given rows, in the given order."""
        lengths = self.lengths
        width = int(lengths.max(initial=0))
        if len(self) * width == len(self.values):  # equal widths, such as ids without padding
            values = self.values.reshape(len(self), width)[rows]
            offsets = np.arange(len(rows) + 1, dtype=np.int64) * width
            return Ragged(values.reshape(-1), offsets)
        sizes = lengths[rows]
        places = ranges(self.offsets[rows], sizes)
        return Ragged(self.values.take(places), offsets_of(sizes))

    def __repr__(self) -> str:
        return f"Ragged(rows={len(self)}, tokens={len(self.values)})"


def int64_ids(ids: npt.NDArray[Any]) -> Int64:
    """Return integers of any width as int64; ValueError if one does not fit."""
    refuse_mask(ids)
    if ids.dtype.kind not in "iu" and ids.size:
        raise ArgumentTypeError(f"holds {ids.dtype}", "integers")
    if ids.dtype == np.uint64 and ids.size and ids.max() > np.iinfo(np.int64).max:
        raise ArgumentError(
            f"holds the id {ids.max()}", advice="ids above 2**63 - 1 are not supported"
        )
    return ids.astype(np.int64, copy=False)


def _checked_lengths(lengths: npt.NDArray[Any], rows: int, width: int) -> Int64:
    """Check lengths against the width of a padded array."""
    lengths = int64_ids(lengths)
    if lengths.shape != (rows,):
        raise ArgumentError(f"has shape {lengths.shape} but ids has {rows} rows")
    outside = np.flatnonzero((lengths < 0) | (lengths > width))
    if outside.size:
        row = int(outside[0])
        found = f"is {lengths[row]} but the rows of ids are {width} wide"
        raise ArgumentError(found, index=(row,))
    return lengths

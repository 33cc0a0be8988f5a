"""Sufficient statistics of BLEU: a table with a row a segment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Int64
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.statistics.columns import (
    MOST,
    check_possible,
    join_columns,
    possible_columns,
    row_slices,
    sum_lengths,
    whole_columns,
)
from vecbleu.core.statistics.signature import UNKNOWN, Signature, are_alike, check_alike


@public("vecbleu")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Statistics:
    """What BLEU is computed from: lengths, clipped matches and totals of each segment.

    A table of S rows: it has a length, is sliced and masked like an array, and adds up. The
    arrays are what their names say, and BLEU of any selection of segments is
    ``vecbleu.bleu(stats[selection].sum())``.

    Parameters
    ----------
    hyp_len : int64 array (segments,)
        Tokens of the hypothesis.
    ref_len : int64 array (segments,)
        Tokens of the reference that the length is compared with (float64 for the average of
        several).
    matches : int64 array (segments, orders)
        N-grams of the hypothesis found in its references, clipped (Papineni et al. 2002, 2.1).
    totals : int64 array (segments, orders)
        N-grams of the hypothesis.
    signature : Signature
        How they were counted, as far as it is known. Tables that were counted in different ways
        are neither joined nor compared.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat sat", "a dog"], ["the cat sat down", "the dog"])
    >>> stats
    Statistics(segments=2, max_order=4, hyp_len=5, ref_len=6)
    >>> stats.matches.tolist()
    [[3, 2, 1, 0], [1, 0, 0, 0]]
    >>> stats[:1].sum().to_array().tolist()
    [3, 4, 3, 2, 1, 0, 3, 2, 1, 0]

    References
    ----------
    Papineni, Roukos, Ward and Zhu (2002), "BLEU: a method for automatic evaluation of machine
    translation", ACL.
    """

    hyp_len: Int64
    ref_len: Counts
    matches: Int64
    totals: Int64
    signature: Signature = UNKNOWN

    def __post_init__(self) -> None:
        for name in ("hyp_len", "ref_len", "matches", "totals"):
            column = getattr(self, name)
            if not isinstance(column, np.ndarray) or column.dtype.kind not in "iuf":
                raise TypeError(f"{name} is {type(column).__name__}, expected an array of numbers")
        shape = self.matches.shape
        if self.totals.shape != shape or {self.hyp_len.shape, self.ref_len.shape} != {shape[:-1]}:
            raise ValueError(
                "shapes do not fit: matches and totals are (segments, orders), the lengths "
                f"(segments,); hyp_len has {self.hyp_len.shape}, ref_len {self.ref_len.shape}, "
                f"matches {shape}, totals {self.totals.shape}"
            )
        if not isinstance(self.signature, Signature):
            raise TypeError(f"signature is {type(self.signature).__name__}, expected a Signature")
        if self.signature.max_order not in (None, self.max_order):
            raise ValueError(
                f"signature has max_order {self.signature.max_order} but matches has "
                f"{self.max_order} orders"
            )

    @property
    def max_order(self) -> int:
        """The longest n-gram counted, N."""
        return int(self.matches.shape[-1])

    @property
    def _columns(self) -> tuple[Counts, Counts, Counts, Counts]:
        """The arrays, in the order of the class' parameters."""
        return self.hyp_len, self.ref_len, self.matches, self.totals

    @classmethod
    def _from_columns(cls, columns: Iterable[Counts], signature: Signature) -> Statistics:
        """Statistics of four arrays, in that order."""
        hyp_len, ref_len, matches, totals = map(np.asarray, columns)
        return cls(hyp_len, ref_len, matches, totals, signature)

    def to_array(self) -> Counts:
        """All columns in sacreBLEU's order.

        Returns
        -------
        int64 array (segments, 2 + 2N)
            hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N; float64 where
            `ref_len` is.

        Examples
        --------
        >>> import vecbleu
        >>> vecbleu.statistics(["a b"], ["a c"], max_order=2).to_array().tolist()
        [[2, 2, 1, 0, 2, 1]]
        """
        return join_columns(*self._columns)

    @classmethod
    def from_array(cls, array: npt.ArrayLike) -> Statistics:
        """Read what `to_array` wrote, or sacreBLEU's rows of statistics.

        Parameters
        ----------
        array : array (segments, 2 + 2N), or (2 + 2N,) for a sum
            Counts; integers, or floats that hold integers.

        Returns
        -------
        Statistics

        Raises
        ------
        TypeError
            The array does not hold numbers.
        ValueError
            The number of columns is not 2 + 2N, a count is negative or not whole, there are more
            matches than n-grams, or no text has such counts.

        Examples
        --------
        >>> from vecbleu import Statistics
        >>> Statistics.from_array([[2, 2, 1, 0, 2, 1]]).totals.tolist()
        [[2, 1]]
        """
        given = np.asanyarray(array)  # masked arrays are refused below
        blocks = (given[rows] for rows in row_slices(given.shape[:-1]))
        return cls(*possible_columns(blocks, given.shape, given.dtype))

    @classmethod
    def concatenate(cls, parts: Iterable[Statistics]) -> Statistics:
        """Put the rows of several tables, or single rows, one after the other.

        Raises
        ------
        TypeError
            Something else is among them.
        ValueError
            There are none, they count n-grams up to different orders, or they were counted with
            different options.

        Examples
        --------
        >>> import vecbleu
        >>> part = vecbleu.statistics(["a"], ["a"])
        >>> len(vecbleu.Statistics.concatenate([part, part, part]))
        3
        """
        tables = [*parts]
        if not tables:
            raise ValueError("parts is empty: there are no statistics to concatenate")
        for index, part in enumerate(tables):
            if not isinstance(part, Statistics):
                raise TypeError(f"parts[{index}] is {type(part).__name__}, expected Statistics")
            if part.max_order != tables[0].max_order:
                raise ValueError(
                    f"parts[{index}] has max_order {part.max_order} "
                    f"but parts[0] has {tables[0].max_order}"
                )
        signatures = ((f"parts[{index}]", part.signature) for index, part in enumerate(tables))
        signature = check_alike(signatures)
        rows = (part if part.hyp_len.ndim else part[None] for part in tables)
        columns = zip(*(one._columns for one in rows), strict=True)
        return cls._from_columns(map(np.concatenate, columns), signature)

    def sum(self) -> Statistics:
        """Add up all rows: the statistics of the corpus, arrays of shape () and (N,).

        Raises
        ------
        OverflowError
            There are 2**63 tokens or more.
        """
        return Statistics(
            sum_lengths(self.hyp_len),  # which no order's count exceeds
            sum_lengths(self.ref_len),
            self.matches.sum(axis=tuple(range(self.matches.ndim - 1))),
            self.totals.sum(axis=tuple(range(self.totals.ndim - 1))),
            self.signature,
        )

    def __add__(self, other: Statistics) -> Statistics:
        """Add row by row; sums of shards add up to the sum of the whole."""
        if not isinstance(other, Statistics):
            return NotImplemented
        if self.matches.shape != other.matches.shape:
            raise ValueError(
                f"statistics of shape {self.matches.shape} and {other.matches.shape} "
                "(segments, orders) do not add; concatenate() joins tables"
            )
        sides = [("the left side", self.signature), ("the right side", other.signature)]
        signature = check_alike(sides)
        total = self._from_columns(map(np.add, self._columns, other._columns), signature)
        for name in ("hyp_len", "ref_len"):
            if getattr(total, name).min(initial=0) < 0:  # two counts of 63 bits fill 64
                raise OverflowError(f"{name} adds up to more than {MOST}, the most of int64")
        return total

    def __radd__(self, other: object) -> Statistics:
        """Let the built-in `sum` start from its 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getitem__(self, rows: Any) -> Statistics:
        """Select rows as in a 1-D array: a slice, a mask, indices, or one row."""
        return self._from_columns((column[rows] for column in self._columns), self.signature)

    def __len__(self) -> int:
        if self.hyp_len.ndim == 0:
            raise TypeError("these statistics are a single row and have no length")
        return len(self.hyp_len)

    def __iter__(self) -> Iterator[Statistics]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        is_alike = are_alike(self.signature, other.signature)
        return is_alike and all(map(np.array_equal, self._columns, other._columns))

    __hash__ = None  # type: ignore[assignment]  # it holds arrays, which can be written to

    def __repr__(self) -> str:
        return describe(len(self) if self.hyp_len.ndim else "summed", self)

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write to a .npz file (at exactly this path, or to an open file), signature included.

        A file that is there is replaced when the new one is complete: an error leaves it as it is.

        Raises
        ------
        ValueError
            There are counts that no text has.
        OSError
            The file can't be written.

        Examples
        --------
        >>> import io, vecbleu
        >>> file = io.BytesIO()
        >>> vecbleu.statistics(["a b"], ["a c"]).save(file)
        >>> _ = file.seek(0)
        >>> vecbleu.Statistics.load(file)
        Statistics(segments=1, max_order=4, hyp_len=2, ref_len=2)
        """
        from vecbleu.core.output import replaced_file
        from vecbleu.core.statistics.archive import write_archive  # loads json

        if isinstance(path, (str, os.PathLike)):
            with replaced_file(path) as file:
                self.save(file)
            return
        shape = *self.hyp_len.shape, 2 + 2 * self.max_order
        dtype = np.result_type(*self._columns)
        write_archive(path, self._possible_blocks(), shape, dtype, self.signature)

    def _possible_blocks(self) -> Iterator[Counts]:
        """Rows in blocks; ValueError for counts that no text has, which `load` would refuse."""
        first = 0
        for rows in row_slices(self.hyp_len.shape):
            block = self[rows].to_array()
            check_possible(whole_columns(block, first), first)
            first += len(block)
            yield block

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BinaryIO) -> Statistics:
        """Read what `save` wrote, with this version or an older one.

        Raises
        ------
        ValueError
            The file holds something else, counts that no text has, or a newer format.
        OSError
            The file can't be read.
        MemoryError
            There is too little memory for it.
        """
        from vecbleu.core.statistics.archive import read_archive

        columns, signature = read_archive(path)
        try:
            return cls(*columns, signature)
        except ValueError as error:
            raise ValueError(f"{path}: damaged statistics: {error}") from error


def describe(segments: int | str, table: Statistics) -> str:
    """A table, or a sum of so many segments, in a line."""
    return (
        f"Statistics(segments={segments}, max_order={table.max_order}, "
        f"hyp_len={table.hyp_len.sum()}, ref_len={table.ref_len.sum()})"
    )

"""Sufficient statistics of BLEU: a table with a row a segment."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Int64
from vecbleu.core.public import public
from vecbleu.core.statistics.archive import read_archive, write_archive
from vecbleu.core.statistics.columns import checked_counts, join_columns, raise_at, split_columns
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
            The number of columns is not 2 + 2N, a count is negative or not whole, or there are
            more matches than n-grams.

        Examples
        --------
        >>> from vecbleu import Statistics
        >>> Statistics.from_array([[2, 2, 1, 0, 2, 1]]).totals.tolist()
        [[2, 1]]
        """
        hyp_len, ref_len, matches, totals = split_columns(checked_counts(array))
        for name, counts in (("hyp_len", hyp_len), ("matches", matches), ("totals", totals)):
            raise_at(counts != np.trunc(counts), counts, name, "expected a whole number")
        whole = np.array_equal(ref_len, np.trunc(ref_len))
        return cls(
            hyp_len.astype(np.int64),
            ref_len.astype(np.int64 if whole else np.float64),
            matches.astype(np.int64),
            totals.astype(np.int64),
        )

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
        """Add up all rows: the statistics of the corpus, arrays of shape () and (N,)."""
        return Statistics(
            np.asarray(self.hyp_len.sum()),
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
        return self._from_columns(map(np.add, self._columns, other._columns), check_alike(sides))

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
        return is_alike and np.array_equal(self.to_array(), other.to_array())

    __hash__ = None  # type: ignore[assignment]  # it holds arrays, which can be written to

    def __repr__(self) -> str:
        segments = len(self) if self.hyp_len.ndim else "summed"
        return (
            f"Statistics(segments={segments}, max_order={self.max_order}, "
            f"hyp_len={self.hyp_len.sum()}, ref_len={self.ref_len.sum()})"
        )

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write to a .npz file (at exactly this path, or to an open file), signature included.

        Examples
        --------
        >>> import io, vecbleu
        >>> file = io.BytesIO()
        >>> vecbleu.statistics(["a b"], ["a c"]).save(file)
        >>> _ = file.seek(0)
        >>> vecbleu.Statistics.load(file)
        Statistics(segments=1, max_order=4, hyp_len=2, ref_len=2)
        """
        if isinstance(path, (str, os.PathLike)):
            try:
                with open(path, "wb") as file:
                    self.save(file)
            except OSError as error:  # a full disk has no name
                raise OSError(error.errno, error.strerror, os.fspath(path)) from error
            return
        write_archive(path, self.to_array(), self.signature)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BinaryIO) -> Statistics:
        """Read what `save` wrote, with this version or an older one.

        Raises
        ------
        ValueError
            The file holds something else, or was written in a newer format.
        OSError
            The file can't be read.
        """
        array, signature = read_archive(path)
        try:
            return replace(cls.from_array(array), signature=signature)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: damaged statistics: {error}") from error


def sum_lengths(lengths: Counts) -> Counts:
    """Add up lengths (segments,) to (), exactly: averages too, in whatever parts they come."""
    if lengths.dtype.kind != "f":
        return np.asarray(lengths.sum())
    return np.asarray(math.fsum(lengths.reshape(-1).tolist()))

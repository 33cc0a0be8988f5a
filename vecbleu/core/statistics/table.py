"""Sufficient statistics of BLEU: a table with a row a segment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, overload

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.options import ScoreOptions, Smoothing, Weights, WeightSet
from vecbleu.core.public import public
from vecbleu.core.records import dataclass, set_fields
from vecbleu.core.scoring.formula import brevity_penalty as brevity_penalties
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics.columns import (
    MOST,
    check_possible,
    checked_counts,
    column_names,
    join_columns,
    possible_columns,
    row_slices,
    split_columns,
    sum_lengths,
    whole_columns,
)
from vecbleu.core.statistics.scores import corpus_score, percent_precisions
from vecbleu.core.statistics.signature import UNKNOWN, Signature, are_alike, check_alike

_COLUMNS = ("hyp_len", "ref_len", "matches", "totals")

# Rows that a notebook shows unasked.
_MOST_SHOWN = 10


@public("vecbleu")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Statistics:
    """What BLEU is computed from: lengths, clipped matches and totals of each segment.

    A table of S rows: it has a length, is sliced and masked like an array, and adds up. The
    arrays are what their names say, read-only views of what was passed, and BLEU of any selection
    of segments is ``stats[selection].score()``. ``np.asarray(stats)`` is `to_array`; data frames
    of pandas and Polars are made of `to_dict`.

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
    >>> stats.score(effective_order=True)
    BLEU = 0.6640 0.8000/0.6667/1.0000/0.0000 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)

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
        for name in _COLUMNS:
            column = getattr(self, name)
            if not isinstance(column, np.ndarray) or column.dtype.kind not in "iuf":
                raise TypeError(f"{name} is {type(column).__name__}, expected an array of numbers")
            if column.flags.writeable:
                self._protect(name, column)
        shape = self.matches.shape
        lead = shape[:-1]
        if not (self.totals.shape == shape and self.hyp_len.shape == lead == self.ref_len.shape):
            raise ValueError(
                "shapes do not fit: matches and totals are (segments, orders), the lengths "
                f"(segments,); hyp_len has {self.hyp_len.shape}, ref_len {self.ref_len.shape}, "
                f"matches {shape}, totals {self.totals.shape}"
            )
        if not isinstance(self.signature, Signature):
            raise TypeError(f"signature is {type(self.signature).__name__}, expected a Signature")
        if self.signature.max_order not in (None, shape[-1]):
            raise ValueError(
                f"signature has max_order {self.signature.max_order} but matches has "
                f"{self.max_order} orders"
            )

    def _protect(self, name: str, column: Counts) -> None:
        """Make a column read-only: a view of what was passed, whose own flag stays."""
        view = column.view()
        view.setflags(write=False)
        object.__setattr__(self, name, view)

    def __setstate__(self, state: list[Any]) -> None:
        set_fields(self, state)
        for name in _COLUMNS:  # arrays that were pickled can be written to
            self._protect(name, getattr(self, name))

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
        """Statistics of four arrays or numbers of no one else's, in that order."""
        arrays = [*map(np.asarray, columns)]
        for array in arrays:
            array.setflags(write=False)  # a view of each takes 0.4 us more
        hyp_len, ref_len, matches, totals = arrays
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

    def to_dict(self) -> dict[str, Any]:
        """All columns by name, each 1-D: what data frames are made of.

        Returns
        -------
        dict
            hyp_len, ref_len, matches_1 to matches_N, totals_1 to totals_N: arrays (segments,), or
            numbers of a single row or a sum. The arrays are read-only views.

        Raises
        ------
        ValueError
            The statistics have more dimensions than segments and orders.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a b", "c"], ["a c", "c"], max_order=2)
        >>> {name: column.tolist() for name, column in stats.to_dict().items()}
        ... # doctest: +NORMALIZE_WHITESPACE
        {'hyp_len': [2, 1], 'ref_len': [2, 1], 'matches_1': [1, 1], 'matches_2': [0, 0],
         'totals_1': [2, 1], 'totals_2': [1, 0]}
        >>> stats.sum().to_dict()["matches_1"]
        2
        """
        if self.hyp_len.ndim > 1:
            raise ValueError(
                f"statistics of shape {self.matches.shape} are no table of columns; select one "
                "first, such as statistics[0]"
            )
        counts = (
            column[..., order]
            for column in (self.matches, self.totals)
            for order in range(self.max_order)
        )
        values = self.hyp_len, self.ref_len, *counts
        columns = dict(zip(column_names(self.max_order), values, strict=True))
        return columns if self.hyp_len.ndim else {n: one.item() for n, one in columns.items()}

    # NumPy's operators would add up columns, and lose how they were counted.
    __array_ufunc__ = None

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Counts:
        """`to_array`, for ``np.asarray(stats)``."""
        if copy is False:
            raise ValueError(
                "the columns of Statistics are arrays of their own, so an array of all of them is "
                "a copy; use np.asarray(statistics)"
            )
        array = self.to_array()
        if dtype is None:
            return array
        found = array.astype(dtype, copy=False)
        if found.dtype.kind not in "fc" and not np.array_equal(found, array):
            raise ValueError(f"dtype is {found.dtype}, which cannot hold these statistics")
        return found

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
        return cls._from_columns(possible_columns(blocks, given.shape, given.dtype), UNKNOWN)

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
        rows = tuple(range(self.matches.ndim - 1))
        sums = (
            sum_lengths(self.hyp_len),  # which no order's count exceeds
            sum_lengths(self.ref_len),
            self.matches.sum(axis=rows),
            self.totals.sum(axis=rows),
        )
        return self._from_columns(sums, self.signature)

    @overload
    def score(
        self,
        *,
        weights: WeightSet | None = ...,
        smoothing: Smoothing = ...,
        smoothing_value: float | None = ...,
        effective_order: bool = ...,
    ) -> BleuScore: ...

    @overload
    def score(
        self,
        *,
        weights: Sequence[Sequence[float]],
        smoothing: Smoothing = ...,
        smoothing_value: float | None = ...,
        effective_order: bool = ...,
    ) -> tuple[BleuScore, ...]: ...

    def score(
        self,
        *,
        weights: Weights | None = None,
        smoothing: Smoothing = "none",
        smoothing_value: float | None = None,
        effective_order: bool = False,
    ) -> BleuScore | tuple[BleuScore, ...]:
        """Score all rows together: BLEU of the corpus that they are.

        Parameters
        ----------
        weights, smoothing, smoothing_value, effective_order
            As for `vecbleu.corpus_bleu`.

        Returns
        -------
        BleuScore, or a tuple of them
            One for each of several sets of weights; that of no rows is 0. (`vecbleu.bleu` scores
            each row by itself.)

        Raises
        ------
        TypeError, ValueError
            An option is of another type or unknown; impossible counts.
        OverflowError
            There are 2**63 tokens or more.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a cat sat", "a dog"], ["a cat sat", "the dog"])
        >>> round(stats.score(weights=[0.5, 0.5]), 4), round(stats[1:].score(weights=[1]), 4)
        (0.7303, 0.5)
        """
        given = weights, smoothing, smoothing_value, effective_order
        options = ScoreOptions.checked(self.max_order, *given)
        return corpus_score(self._checked_sum(), options)

    def _checked_sum(self) -> Statistics:
        """The sum of all rows, if they are counts."""
        total = self.sum() if self.hyp_len.ndim else self
        return Statistics(*whole_columns(total.to_array()), self.signature)

    def precisions(
        self, *, smoothing: Smoothing = "none", smoothing_value: float | None = None
    ) -> Float64:
        """The modified n-gram precisions of each row, after smoothing.

        Parameters
        ----------
        smoothing, smoothing_value
            As for `vecbleu.corpus_bleu`.

        Returns
        -------
        float64 array (segments, N), or (N,) of a sum
            On 0 to 1; 0 for all orders of a row where nothing matches, which scores 0.

        Raises
        ------
        TypeError, ValueError
            An option is of another type or unknown; impossible counts.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a b c", "a"], ["a b d", "a"], max_order=2)
        >>> stats.precisions().round(3).tolist()
        [[0.667, 0.5], [1.0, 0.0]]
        >>> stats.sum().precisions(smoothing="add-k").tolist()
        [0.75, 0.6666666666666667]

        References
        ----------
        Papineni et al. (2002), section 2.1; smoothing: Chen and Cherry (2014).
        """
        options = ScoreOptions.checked(self.max_order, None, smoothing, smoothing_value)
        _, _, matches, totals = split_columns(checked_counts(self.to_array()))
        return percent_precisions(matches, totals, options) / 100

    @property
    def brevity_penalty(self) -> Float64:
        """The brevity penalty of each row (segments,), or of a sum ().

        1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for an empty hypothesis.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a b", "a b", ""], ["a", "a b c d", "a"])
        >>> stats.brevity_penalty.round(4).tolist()
        [1.0, 0.3679, 0.0]

        References
        ----------
        Papineni et al. (2002), section 2.2.2.
        """
        penalties: Float64 = brevity_penalties(self.hyp_len, self.ref_len)[()]
        return penalties

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

    __hash__ = None  # type: ignore[assignment]  # a table without a signature equals tables that differ

    def __repr__(self) -> str:
        return describe(len(self) if self.hyp_len.ndim else "summed", self)

    def _repr_html_(self) -> str:
        """The first rows and the sum of all, for notebooks."""
        from vecbleu.core.statistics.shown import page

        return page(self, _MOST_SHOWN)

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

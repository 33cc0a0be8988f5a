"""Define `CountTable`: counts of segments in one array, whatever metric is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    Place,
    argument,
    named_as,
)
from vecbleu.core.agreement import AgreementCurve
from vecbleu.core.counts import MOST, exact_sums, refuse_fractions, sum_counts, widened
from vecbleu.core.references import added_hashes, summed_hash
from vecbleu.core.score import Score
from vecbleu.core.signature import UNKNOWN, Signature, common
from vecbleu.kernel.arrays import Counts, Float, Float64, Int64
from vecbleu.text.references import UNKNOWN_REFERENCES


@named_as("Statistics")
class CountTable:
    """Counts of segments: an array with one row a segment, or one row, such as a sum.

    Subclasses belong to a metric. They name it and its columns, check counts, and score them.
    """

    __slots__ = ("_array", "_reference_hashes", "_resampled_type", "_signature")

    metric: ClassVar[str]
    higher_is_better: ClassVar[bool] = True

    # Curves of `vecbleu.significance.human_agreement`, by name.
    agreement: ClassVar[Mapping[str, AgreementCurve]] = {}

    # What sacreBLEU scores resampled segments in.
    sacrebleu_type: ClassVar[npt.DTypeLike] = "float64"

    def __init__(self, array: npt.ArrayLike, signature: Signature = UNKNOWN) -> None:
        if not isinstance(signature, Signature):
            found = f"is {type(signature).__name__}"
            raise ArgumentTypeError(found, "a Signature", argument="signature")
        hashes = None
        if isinstance(array, CountTable):
            hashes = array.reference_hashes
            signature = array.signature if signature == UNKNOWN else signature
        with argument("array"):
            counts = self._checked(array, signature)
        self._set(np.array(counts), signature, hashes)  # a copy: the user may change the array

    @classmethod
    def of(cls, array: Int64, signature: Signature, reference_hashes: Int64 | None = None) -> Self:
        """Make a table of counts that are known to be valid, without checking them."""
        table = cls.__new__(cls)
        table._set(array, signature, reference_hashes)
        return table

    def _set(self, array: Int64, signature: Signature, hashes: Int64 | None) -> None:
        if hashes is None:
            hashes = np.full(array.shape[:-1], UNKNOWN_REFERENCES)
        self._resampled_type: npt.DTypeLike = "float64"
        self._signature = signature
        self._array = _read_only(array)
        self._reference_hashes = _read_only(np.asarray(hashes))

    @classmethod
    def _checked(cls, array: npt.ArrayLike, signature: Signature) -> Int64:
        """Return counts as int64; ValueError if no text has such counts."""
        counts = cls.numbers(array)
        if counts.ndim not in (1, 2):
            expected = "(segments, columns), or (columns,) for a sum"
            raise ArgumentError(f"has {counts.ndim} dimensions", expected)
        refuse_fractions(counts)
        cls._check(counts, signature)
        return counts.astype(np.int64, copy=False)

    @classmethod
    def numbers(cls, array: npt.ArrayLike) -> Counts:
        """Return counts as int64 or float64; TypeError for a table of another metric."""
        if isinstance(array, CountTable) and array.metric != cls.metric:
            raise ArgumentTypeError(f"has counts of {array.metric}", f"counts of {cls.metric}")
        return widened(array)

    @classmethod
    def _check(cls, counts: Counts, signature: Signature) -> None:
        """Raise ValueError if no text has such counts."""

    def score(self, *args: Any, **options: Any) -> Any:
        """Return the score of all rows together."""
        raise NotImplementedError

    def scores(self, *args: Any, **options: Any) -> Float64:
        """Return the score of each row."""
        return self.percents(self._array, *args, **options) / 100

    def percents(self, counts: Counts, *args: Any, **options: Any) -> npt.NDArray[Any]:
        """Return the scores, times 100, of counts (..., columns) with these columns."""
        raise NotImplementedError

    def row_scores(self, *args: Any, **options: Any) -> Iterator[Score]:
        """Yield the score of each row, with its parts."""
        return (row.score(*args, **options) for row in self)

    def resampled_percents(self, sums: Counts, **options: object) -> Float:
        """Score sums of resampled segments."""
        return self.percents(sums.astype(self._resampled_type, copy=False), **options)

    def resampled_as_sacrebleu(self) -> Self:
        """Return the table with resampled scores of the digits that sacreBLEU prints."""
        table = self.of(self._array, self._signature, self._reference_hashes)
        table._resampled_type = self.sacrebleu_type
        return table

    def _columns(self) -> Mapping[str, int | slice]:
        """Return the indices of the columns, by name."""
        return {"counts": slice(None)}

    @property
    def name(self) -> str:
        """The name of the score, such as BLEU or chrF2++."""
        return self.metric

    @property
    def ref_len(self) -> Int64 | Float64 | None:
        """Words of the references of each segment (segments,); None if they are not counted."""
        return None

    @property
    def array(self) -> Int64:
        """All counts, one row a segment, or a single row; read-only."""
        return self._array

    @property
    def signature(self) -> Signature:
        """The options that the segments were counted with, as far as they are known."""
        return self._signature

    @property
    def reference_hashes(self) -> Int64:
        """A hash of the references of each segment (segments,); 0 if they are not known.

        Tables can be compared if their segments have the same references. References passed as text
        and as tokens have different hashes.
        """
        return self._reference_hashes

    @property
    def is_sum(self) -> bool:
        """Whether it is a single row or a sum, not a table."""
        return self._array.ndim == 1

    def sum(self) -> Self:
        """Return the sum of all rows: the counts of the corpus.

        Raises
        ------
        OverflowError
            A sum is 2**63 or more.
        """
        if self.is_sum:
            return self
        total = sum_counts(self._array)
        return self.of(total, self._signature, summed_hash(self._reference_hashes))

    @classmethod
    def concatenate(cls, parts: Iterable[Self]) -> Self:
        """Join the rows of several tables, or single rows.

        The signature has the options that are known for all of them.

        Raises
        ------
        TypeError
            A part is not such a table.
        ValueError
            There are no parts, or they were counted with different options.

        Examples
        --------
        >>> import vecbleu
        >>> part = vecbleu.statistics(["a"], ["a"])
        >>> len(vecbleu.Statistics.concatenate([part, part, part]))
        3
        """
        tables = list(parts)
        if not tables:
            found = "is empty: there are no statistics to concatenate"
            raise ArgumentError(found, argument="parts")
        for index, table in enumerate(tables):
            with argument("parts", index):
                if not isinstance(table, cls):
                    raise ArgumentTypeError(f"is {type(table).__name__}", cls.__name__)
                columns, expected = table.array.shape[-1], tables[0].array.shape[-1]
                if columns != expected:
                    found = f"has {columns} columns but parts[0] has {expected}: they were counted "
                    raise ArgumentError(f"{found}with different orders")
        signature = _joined((("parts", index), table) for index, table in enumerate(tables))
        rows = np.concatenate([np.atleast_2d(table._array) for table in tables])
        hashes = np.concatenate([np.atleast_1d(table._reference_hashes) for table in tables])
        return cls.of(rows, signature, hashes)

    def __add__(self, other: Self) -> Self:
        """Add row by row. The sums of all shards add up to the sum of the corpus."""
        if type(other) is not type(self):
            return NotImplemented
        if self._array.shape != other._array.shape:
            raise ValueError(
                f"statistics of shape {self._array.shape} and {other._array.shape} can't be added; "
                f"{type(self).__name__}.concatenate() joins tables"
            )
        signature = _joined([(("the left side",), self), (("the right side",), other)])
        total = self._array + other._array
        if total.min(initial=0) < 0:  # int64 has overflowed
            raise OverflowError(f"counts add up to more than {MOST}, the largest int64")
        hashes = added_hashes(self._reference_hashes, other._reference_hashes)
        return self.of(total, signature, hashes)

    def __radd__(self, other: object) -> Self:
        """Add to 0, the start of the built-in `sum`."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getitem__(self, rows: Any) -> Self:
        """Select rows as in a 1-D array: a slice, a mask, indices, or one row."""
        if self.is_sum:
            raise TypeError("these statistics are a single row, which has no rows to select")
        selected = self._array[rows]
        if isinstance(rows, tuple) or rows is None or rows is Ellipsis or selected.ndim > 2:
            raise IndexError(
                f"rows is {rows!r:.80}, expected one dimension; for columns or several selections "
                "use stats.array"
            )
        return self.of(selected, self._signature, self._reference_hashes[rows])

    def __len__(self) -> int:
        if self.is_sum:
            raise TypeError("these statistics are a single row and have no length")
        return len(self._array)

    def __bool__(self) -> bool:
        return self.is_sum or len(self._array) > 0

    def __iter__(self) -> Iterator[Self]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._signature == other._signature and np.array_equal(self._array, other._array)

    __hash__ = None  # type: ignore[assignment]  # they are equal by value, and hold an array

    def __repr__(self) -> str:
        total = exact_sums(np.atleast_2d(self._array))
        parts = [f"{name}={total[index]}" for name, index in self._columns().items()]
        size = [] if self.is_sum else [f"segments={len(self)}"]
        return f"{type(self).__name__}({', '.join([*size, *parts])})"

    def __reduce__(self) -> tuple[object, ...]:
        return self.of, (self._array, self._signature, self._reference_hashes)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns by name, ready for a data frame.

        Returns
        -------
        dict
            Read-only arrays (segments,), or numbers for a single row or a sum. If there is one
            column for each order n, ``_n`` is added to its name.

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
        columns = self._array.tolist() if self.is_sum else self._array.T
        named: dict[str, Any] = {}
        for name, index in self._columns().items():
            if isinstance(index, int):
                named[name] = columns[index]
            else:
                named |= {f"{name}_{n}": column for n, column in enumerate(columns[index], 1)}
        return named

    # Refuse NumPy's operators, which would return plain arrays without a signature.
    __array_ufunc__ = None

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Any:
        """Return `array`, for ``np.asarray(stats)``."""
        return np.array(self._array, dtype=dtype, copy=copy)


def _read_only(array: Int64) -> Int64:
    view = array.view()
    view.setflags(write=False)
    return view


def _joined(parts: Iterable[tuple[Place, CountTable]]) -> Signature:
    """Return the options that are known for all parts; ignore parts without counts."""
    tables = list(parts)
    counted = [(where, table) for where, table in tables if table.array.any()] or tables
    return common(((where, table.signature) for where, table in counted), joined=True)

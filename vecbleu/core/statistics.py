"""Define `Statistics`, the sufficient statistics of BLEU: an array with one row a segment."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import Any, BinaryIO, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.counts import MOST, possible_counts, split_columns, sum_counts
from vecbleu.core.options import ScoreArgs, ScoreOptions, takes
from vecbleu.core.scoring.formula import array_bleu, bleu_and_percent
from vecbleu.core.scoring.score import BleuScore
from vecbleu.show.signature import UNKNOWN, Signature, common, read_signature

# The format of files. 1 had no signature; 2 wrote -1 for different numbers of references.
_FORMAT = 3


class Statistics:
    """Lengths, clipped matches and totals of each segment: the counts that BLEU is computed from.

    They are one array (segments, 2 + 2N) with the columns of sacreBLEU. Select segments by a slice,
    a mask or indices; ``stats[selection].score()`` is the BLEU of any selection. Statistics can be
    summed, added and saved. A single row, or a sum, is an array (2 + 2N,).

    Parameters
    ----------
    array : array (segments, 2 + 2N), or (2 + 2N,)
        hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N; integers, or floats with
        integer values.
    signature : Signature, optional
        The options that they were counted with, as far as known. Statistics that were counted with
        different options can't be joined or compared.

    Raises
    ------
    TypeError
        The array does not hold numbers.
    ValueError
        The number of columns is not 2 + 2N, a count is negative or not an integer, there are more
        matches than totals, or no text has such counts.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat sat", "a dog"], ["the cat sat down", "the dog"])
    >>> stats
    Statistics(segments=2, max_order=4, hyp_len=5, ref_len=6)
    >>> stats.matches.tolist()
    [[3, 2, 1, 0], [1, 0, 0, 0]]
    >>> stats[:1].sum().array.tolist()
    [3, 4, 3, 2, 1, 0, 3, 2, 1, 0]
    >>> stats.score(effective_order=True)
    BLEU = 0.6640 0.8000/0.6667/1.0000/0.0000 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)
    >>> stats.scores().round(4).tolist()
    [0.7165, 0.5]

    References
    ----------
    Papineni, Roukos, Ward and Zhu (2002), "BLEU: a method for automatic evaluation of machine
    translation", ACL.
    """

    __module__ = "vecbleu"
    __slots__ = ("_array", "_signature")

    metric: ClassVar[str] = "BLEU"

    def __init__(self, array: npt.ArrayLike, signature: Signature = UNKNOWN) -> None:
        if not isinstance(signature, Signature):
            raise TypeError(f"signature is {type(signature).__name__}, expected a Signature")
        if isinstance(array, Statistics) and signature == UNKNOWN:
            signature = array.signature
        counts = np.array(possible_counts(array))  # a copy: the user may change the array
        orders = counts.shape[-1] // 2 - 1
        if signature.max_order not in (None, orders):
            raise ValueError(
                f"signature has max_order {signature.max_order} but the array has {orders} orders"
            )
        self._set(counts, signature)

    @classmethod
    def of(cls, array: Int64, signature: Signature) -> Statistics:
        """Make statistics of counts that are known to be valid, without checking them."""
        made = cls.__new__(cls)
        made._set(array, signature)
        return made

    def _set(self, array: Int64, signature: Signature) -> None:
        view = array.view()
        view.setflags(write=False)
        self._array, self._signature = view, signature

    @property
    def array(self) -> Int64:
        """All counts (segments, 2 + 2N), or (2 + 2N,); read-only."""
        return self._array

    @property
    def signature(self) -> Signature:
        """The options that the segments were counted with, as far as they are known."""
        return self._signature

    @property
    def hyp_len(self) -> Int64:
        """Number of tokens in each hypothesis (segments,)."""
        return self._array[..., 0]

    @property
    def ref_len(self) -> Int64:
        """Reference length of each segment, as `ref_length` chooses it (segments,)."""
        return self._array[..., 1]

    @property
    def matches(self) -> Int64:
        """Clipped matches of each segment and order (segments, N)."""
        return split_columns(self._array)[2]

    @property
    def totals(self) -> Int64:
        """Number of n-grams in each hypothesis, for each order (segments, N)."""
        return split_columns(self._array)[3]

    @property
    def max_order(self) -> int:
        """The longest n-gram counted, N."""
        return int(self._array.shape[-1]) // 2 - 1

    @property
    def is_sum(self) -> bool:
        """Whether it is a single row or a sum, not a table."""
        return self._array.ndim == 1

    @takes(ScoreArgs)
    def score(self, **options: Unpack[ScoreArgs]) -> BleuScore:
        """Return the BLEU of all rows together, as `vecbleu.corpus_bleu` does.

        Parameters
        ----------
        **options
            weights, smoothing, smoothing_value and effective_order, as for `vecbleu.corpus_bleu`.

        Returns
        -------
        BleuScore
            0 if there are no rows.

        Raises
        ------
        TypeError, ValueError
            An option is unknown, or its value is not valid.
        OverflowError
            There are 2**63 tokens or more.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a cat sat", "a dog"], ["a cat sat", "the dog"])
        >>> round(stats.score(weights=[0.5, 0.5]), 4), round(stats[1:].score(weights=[1]), 4)
        (0.7303, 0.5)
        """
        scoring = ScoreOptions.checked(self.max_order, **options)
        return BleuScore.of(self.sum().array.tolist(), scoring, self._signature)

    @takes(ScoreArgs, effective_order=True)
    def scores(self, **options: Unpack[ScoreArgs]) -> Float64:
        """Return the BLEU of each row, as `vecbleu.sentence_bleu` does.

        Parameters
        ----------
        **options
            weights, smoothing, smoothing_value and effective_order, as for
            `vecbleu.sentence_bleu`.

        Returns
        -------
        float64 array (segments,)
            Between 0 and 1.

        Raises
        ------
        TypeError, ValueError
            An option is unknown, or its value is not valid.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a cat sat", "a dog"], ["a cat sat", "the dog"])
        >>> stats.scores().round(4).tolist(), stats.scores(smoothing="none").round(4).tolist()
        ([1.0, 0.5], [1.0, 0.0])
        """
        return array_bleu(self._array, ScoreOptions.checked(self.max_order, **options))

    def percents(self, counts: Counts, **options: Unpack[ScoreArgs]) -> Float64:
        """Score counts (..., 2 + 2N) of the same columns as these, between 0 and 100."""
        return bleu_and_percent(counts, ScoreOptions.checked(self.max_order, **options))[1]

    def sum(self) -> Statistics:
        """Return the sum of all rows: the statistics of the corpus.

        Raises
        ------
        OverflowError
            There are 2**63 tokens or more.
        """
        return self if self.is_sum else Statistics.of(sum_counts(self._array), self._signature)

    @classmethod
    def concatenate(cls, parts: Iterable[Statistics]) -> Statistics:
        """Join the rows of several tables, or single rows.

        The signature has the options that are known for all of them.

        Raises
        ------
        TypeError
            A part is not a `Statistics`.
        ValueError
            There are no parts, or they were counted with different options.

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
        signature = _joined((f"parts[{place}]", part) for place, part in enumerate(tables))
        rows = [np.atleast_2d(part._array) for part in tables]
        return cls.of(np.concatenate(rows), signature)

    def __add__(self, other: Statistics) -> Statistics:
        """Add row by row. The sums of all shards add up to the sum of the corpus."""
        if not isinstance(other, Statistics):
            return NotImplemented
        if self._array.shape != other._array.shape:
            raise ValueError(
                f"statistics of shape {self._array.shape} and {other._array.shape} can't be added; "
                "Statistics.concatenate() joins tables"
            )
        signature = _joined([("the left side", self), ("the right side", other)])
        total = self._array + other._array
        if total.min(initial=0) < 0:  # int64 has overflowed
            raise OverflowError(f"lengths add up to more than {MOST}, the largest int64")
        return Statistics.of(total, signature)

    def __radd__(self, other: object) -> Statistics:
        """Add to 0, the start of the built-in `sum`."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getitem__(self, rows: Any) -> Statistics:
        """Select rows as in a 1-D array: a slice, a mask, indices, or one row."""
        if self.is_sum:
            raise TypeError("these statistics are a single row, which has no rows to select")
        selected = self._array[rows]
        if isinstance(rows, tuple) or rows is None or rows is Ellipsis or selected.ndim > 2:
            raise IndexError(
                f"rows is {rows!r:.80}, expected one dimension; for columns or several selections "
                "use stats.array"
            )
        return Statistics.of(selected, self._signature)

    def __len__(self) -> int:
        if self.is_sum:
            raise TypeError("these statistics are a single row and have no length")
        return len(self._array)

    def __bool__(self) -> bool:
        return self.is_sum or len(self._array) > 0

    def __iter__(self) -> Iterator[Statistics]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        return self._signature == other._signature and np.array_equal(self._array, other._array)

    __hash__ = None  # type: ignore[assignment]  # they are equal by value, and hold an array

    def __repr__(self) -> str:
        sums = f"hyp_len={self.hyp_len.sum()}, ref_len={self.ref_len.sum()}"
        if self.is_sum:
            counts = f"matches={self.matches.tolist()}, totals={self.totals.tolist()}"
            return f"Statistics({sums}, {counts})"
        return f"Statistics(segments={len(self)}, max_order={self.max_order}, {sums})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Statistics.of, (self._array, self._signature)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns by name, ready for a data frame.

        Returns
        -------
        dict
            hyp_len, ref_len, matches_1 to matches_N, totals_1 to totals_N: read-only arrays
            (segments,); numbers for a single row or a sum.

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
        orders = range(1, self.max_order + 1)
        counts = [f"{name}_{order}" for name in ("matches", "totals") for order in orders]
        columns = self._array.tolist() if self.is_sum else self._array.T
        return dict(zip(["hyp_len", "ref_len", *counts], columns, strict=True))

    # Refuse NumPy's operators, which would return plain arrays without a signature.
    __array_ufunc__ = None

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Any:
        """Return `array`, for ``np.asarray(stats)``."""
        return np.array(self._array, dtype=dtype, copy=copy)

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the counts and the signature as .npz, to exactly this path or to an open file.

        An existing file is replaced when the new one is complete. An error leaves it unchanged.

        Raises
        ------
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
        from vecbleu.show.output import replaced_file

        with (
            replaced_file(path) if isinstance(path, (str, os.PathLike)) else nullcontext(path)
        ) as file:
            np.savez_compressed(
                file,
                format=np.int64(_FORMAT),
                signature=np.asarray(json.dumps(self._signature.to_dict())),
                statistics=self._array,
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BinaryIO) -> Statistics:
        """Read a file written by `save`, of this version or an older one.

        Raises
        ------
        ValueError
            The file is damaged, has a newer format, or holds something else.
        OSError
            The file can't be read.
        MemoryError
            The statistics do not fit in memory.
        """
        try:
            with np.load(path, allow_pickle=False) as archive:
                version = int(archive["format"])
                if not 1 <= version <= _FORMAT:
                    raise ValueError(f"format {version}, this version reads up to {_FORMAT}")
                signature = UNKNOWN
                if version > 1:
                    signature = read_signature(json.loads(archive["signature"].item()))
                return cls(archive["statistics"], signature)
        except MemoryError as error:
            raise MemoryError(f"{path}: too little memory for its statistics ({error})") from error
        except Exception as error:  # of zipfile, zlib, NumPy or json
            if isinstance(error, OSError) and error.filename is not None:
                raise  # it can't be opened
            raise ValueError(f"{path}: no statistics, or damaged: {error}") from error


def _joined(parts: Iterable[tuple[str, Statistics]]) -> Signature:
    """Return the options that are known for all parts; ignore parts without tokens."""
    named = [*parts]
    counted = [one for one in named if one[1].array[..., :2].any()] or named
    return common(((name, part.signature) for name, part in counted), joined=True)

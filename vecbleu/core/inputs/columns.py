"""Columns of other libraries: in Arrow's layout where they can be, else as lists.

Arrow arrays, pandas and Polars series, columns of Hugging Face datasets and NumPy's `StringDType`
are recognized by the names and attributes of their types; no library is imported for that. Without
Arrow, and where they hold something else than strings or lists of ids, they are made into lists.

Arrow reads NumPy's strings, too. NumPy itself hands out their bytes only by way of arrays as wide
as the longest of them, which takes two and a half times as long as scoring a list.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus.columns import ColumnCorpus, StringColumn
from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.inputs.values import are_plain, are_strings, no_reference
from vecbleu.core.kernel.ragged import Ragged

if TYPE_CHECKING:
    from vecbleu.core.inputs.arrow import Side

# Columns that need not have Arrow's own protocol.
_SERIES, _DATASET_COLUMN = ("pandas", "Series"), ("datasets", "Column")
_STREAMED_COLUMN = ("datasets", "IterableColumn")


def is_column(value: Any) -> bool:
    """Whether a value is a column of another library."""
    if isinstance(value, np.ndarray):
        return isinstance(value.dtype, np.dtypes.StringDType) and value.ndim > 0
    kind = type(value)
    if kind in (list, tuple):  # a tenth of a call of one segment
        return False
    if hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__"):
        return True
    return any(_is_a(value, one) for one in (_SERIES, _DATASET_COLUMN, _STREAMED_COLUMN))


def _is_a(value: Any, kind: tuple[str, str]) -> bool:
    """Whether a value is of a library's class, or of one that is made from it."""
    parents = type(value).__mro__
    return kind in [(one.__module__.partition(".")[0], one.__name__) for one in parents]


def align_columns(hypotheses: Any, references: Any) -> ColumnCorpus | IdCorpus | None:
    """Two columns as a corpus, none of whose rows becomes a Python object; None if they must."""
    first, second = _side(hypotheses, "hypotheses"), _side(references, "references")
    if first is None or second is None or first.reference_offsets is not None:
        return None
    reference_offsets = second.reference_offsets
    if reference_offsets is None:
        reference_offsets = np.arange(len(second.units) + 1)
    if len(reference_offsets) != len(first.units) + 1:
        return None  # lists are told apart from transposed ones
    _check_reference_offsets(reference_offsets)
    if isinstance(first.units, StringColumn) and isinstance(second.units, StringColumn):
        return ColumnCorpus(first.units, second.units, reference_offsets)
    if isinstance(first.units, Ragged) and isinstance(second.units, Ragged):
        return IdCorpus(first.units, second.units, reference_offsets)
    return None


def column_units(column: Any, name: str) -> StringColumn | Ragged | None:
    """A column of strings or ids, one a row; None if it has to be made into a list."""
    side = _side(column, name, alone=True)
    return None if side is None or side.reference_offsets is not None else side.units


def unit_rows(column: Any, name: str) -> list[Any] | Ragged:
    """A column of units, such as hypotheses, as a list, or as ids; nothing in it is missing."""
    side = _side(column, name, alone=True)
    if side is not None and isinstance(side.units, Ragged) and side.reference_offsets is None:
        return side.units
    rows = complete_values(column, name, alone=True)
    for row, value in enumerate([] if _are_of_strings(rows) else rows):
        if _holds_null(value):
            raise ValueError(f"{name}[{row}] has a null among its tokens")
    return rows


def reference_rows(column: Any, of_text: bool) -> list[Any] | Ragged:
    """A column of references as a list, or as ids.

    A null in a list of references is a reference that is missing; among tokens it is an error.
    """
    side = _side(column, "references")
    if side is not None and isinstance(side.units, Ragged):
        if side.reference_offsets is None:
            return side.units
        _check_reference_offsets(side.reference_offsets)
        units = [*side.units]
        return [units[start:stop] for start, stop in pairwise(side.reference_offsets.tolist())]
    rows = complete_values(column, "references")
    if _are_of_strings(rows):
        return rows
    has_several = of_text or any(any(map(_is_list, entry)) for entry in rows if _is_list(entry))
    return [_without_missing(entry, row, has_several) for row, entry in enumerate(rows)]


def _without_missing(entry: Any, row: int, has_several: bool) -> Any:
    """The references of a row, or its only one."""
    if not _is_list(entry):
        return entry
    if has_several:
        entry = [one for one in entry if one is not None]
    if _holds_null(entry) or any(map(_holds_null, entry)):
        raise ValueError(f"references[{row}] has a null among its tokens")
    return entry


def _are_of_strings(rows: list[Any]) -> bool:
    """Whether all rows are strings, or all are lists of strings: then nothing is missing."""
    return are_strings(rows) or (are_plain(rows) and are_strings(chain.from_iterable(rows)))


def _is_list(value: Any) -> bool:
    """Whether an entry of a column is a list."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _holds_null(value: Any) -> bool:
    """Whether an entry of a column is a list with a null."""
    return _is_list(value) and any(one is None for one in value)


def complete_values(column: Any, name: str, alone: bool = False) -> list[Any]:
    """A column as a list without missing rows, which hold a unit each if they stand alone."""
    rows = values_of(column, name)
    if type(None) in set(map(type, rows)):
        raise _missing([*map(type, rows)].index(type(None)), name, alone)
    return rows


def values_of(column: Any, name: str) -> list[Any]:
    """A column as a list, with None for missing values."""
    if isinstance(column, np.ndarray):
        return _with_none(column, getattr(column.dtype, "na_object", column))
    if _is_a(column, _SERIES):
        with suppress(NotImplementedError):  # of types that Arrow has and pandas has not
            rows = column.astype(object).where(column.notna(), None).tolist()
            return [_without_nan(row) for row in rows]
    elif hasattr(column, "to_list"):
        return list(column.to_list())
    if _is_a(column, _DATASET_COLUMN):
        return list(column[:])
    from vecbleu.core.inputs.arrow import chunked

    array = chunked(column, name)
    return [*column] if array is None else _listed(array, name)


def _with_none(strings: Any, missing: Any) -> list[Any]:
    """An array of NumPy's strings as nested lists."""
    if isinstance(missing, str):  # which NumPy takes for any other string
        return list(strings.tolist())
    known = np.frompyfunc(lambda one: None if one is missing else one, 1, 1)
    return list(known(strings.astype(object)).tolist())


def _without_nan(row: Any) -> Any:
    """A row of a series, where what pandas takes for missing in a list is None."""
    if not _is_list(row):
        return row
    is_missing = import_module("pandas").isna
    return [None if is_missing(one) is True else one for one in row]


def _listed(array: Any, name: str) -> list[Any]:
    """An Arrow array as a list; an error names the first row that can't be read."""
    try:
        return list(array.to_pylist())
    except UnicodeDecodeError:
        for row, value in enumerate(array):
            try:
                value.as_py()
            except UnicodeDecodeError as error:
                raise ValueError(f"{name}[{row}] is not UTF-8: {error.reason}") from None
        raise


def _side(column: Any, name: str, alone: bool = False) -> Side | None:
    """The strings or ids of a column; None where it has to be made into a list."""
    from vecbleu.core.inputs.arrow import chunked, read_side

    if _is_a(column, _STREAMED_COLUMN):
        return None
    array = chunked(_dataset_array(column) if _is_a(column, _DATASET_COLUMN) else column, name)
    if array is None:
        return None
    if array.null_count:
        raise _missing(int(np.flatnonzero(array.is_null().to_numpy())[0]), name, alone)
    try:
        return read_side(array, name)
    except NotImplementedError:  # Arrow can't drop nulls of all kinds of lists
        return None


def _dataset_array(column: Any) -> Any:
    """A column of a dataset in the dataset's own memory; None if it shows something else."""
    source = column.source
    if not hasattr(source, "select_columns") or source.format["type"] == "custom":
        return None
    return source.select_columns([column.column_name]).with_format("arrow")[:][column.column_name]


def _check_reference_offsets(reference_offsets: Int64) -> None:
    """At least one reference of each segment."""
    for segment in np.flatnonzero(np.diff(reference_offsets) == 0)[:1]:
        raise no_reference(int(segment), "empty")


def _missing(row: int, name: str, alone: bool) -> ValueError:
    """A row that is null."""
    if name == "references" and not alone:
        return no_reference(row, "null")
    unit = "a reference" if name == "references" else "a hypothesis"
    return ValueError(f"{name}[{row}] is null; {unit} can't be missing")

"""Read columns of other libraries: through Arrow if it can read them, else as lists.

Columns are Arrow arrays, pandas and Polars series, columns of Hugging Face datasets, and arrays of
NumPy's `StringDType`. They are recognized by the names and attributes of their types, so no library
is imported. A column becomes a list if Arrow is missing, or if it holds neither strings nor lists
of ids.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError
from vecbleu.core.corpus import IdCorpus, TextCorpus
from vecbleu.inputs.ids import Arrays
from vecbleu.inputs.mistakes import are_strings, is_sequence, no_reference
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import Ragged, int64_ids, offsets_of, row_with

# Columns that may lack Arrow's protocol.
_SERIES, _DATASET_COLUMN = ("pandas", "Series"), ("datasets", "Column")


def accepts(value: object) -> bool:
    """Return whether a value is a column of another library."""
    if isinstance(value, np.ndarray):
        return isinstance(value.dtype, np.dtypes.StringDType) and value.ndim > 0
    kind = type(value)
    if kind in (list, tuple):  # before the checks below, which take long for one segment
        return False
    if hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__"):
        return True
    return _is_a(value, _SERIES) or _is_a(value, _DATASET_COLUMN)


def _is_a(value: object, kind: tuple[str, str]) -> bool:
    """Return whether a value is of a class, or a subclass, given by library and name."""
    parents = type(value).__mro__
    return kind in [(parent.__module__.partition(".")[0], parent.__name__) for parent in parents]


def read(column: object, alone: bool) -> Arrays | None:
    """Return a column of strings, ids, or lists of these as arrays; None for other columns.

    `alone`: each row is one unit. A null in a list of references is a missing reference, which is
    left out. Any other null is an error.
    """
    array = _chunked(_dataset_array(column) if _is_a(column, _DATASET_COLUMN) else column)
    if array is None:
        return None
    if array.null_count:
        is_null = array.is_null().to_numpy()
        raise _missing(int(is_null.argmax()), alone)
    offsets: Int64 = np.arange(len(array) + 1)
    if _is_list(array.type) and not _holds_ids(array.type) and not alone:
        array, offsets = _flattened(array)
        offsets = offsets_of(array.is_valid().to_numpy())[offsets]
    if _holds_strings(array.type):
        return Arrays(TextCorpus, [text for text in array.to_pylist() if text is not None], offsets)
    if _holds_ids(array.type):
        return Arrays(IdCorpus, _rows_of_ids(array.drop_null(), offsets), offsets)
    return None


def _chunked(column: object) -> Any:
    """Return a column as a `pyarrow.ChunkedArray`; None if Arrow is missing or can't read it."""
    try:
        arrow = import_module("pyarrow")
        if hasattr(column, "__arrow_c_stream__"):
            array = arrow.chunked_array(column)
        else:
            array = arrow.array(column)
            if isinstance(array, arrow.Array):  # large columns are in chunks already
                array = arrow.chunked_array([array])
    except (ImportError, TypeError, ValueError, NotImplementedError, OverflowError):
        return None  # such as a series of objects, which are checked one by one
    if arrow.types.is_struct(array.type):
        found = f"is a table ({type(column).__name__})"
        raise ArgumentTypeError(found, advice="pass one of its columns")
    if len(getattr(array.type, "shape", ())) > 1:
        found = "is a column of tensors"
        raise ArgumentTypeError(found, advice="pass their to_numpy_ndarray()")
    try:
        array.validate(full=True)
    except ValueError as error:  # its message names the row
        raise ArgumentError(f"is not valid: {error}") from None
    return array


def _dataset_array(column: Any) -> object:
    """Return a dataset's column as Arrow holds it; None if the dataset transforms its rows."""
    source = column.source
    if not hasattr(source, "select_columns") or source.format["type"] == "custom":
        return None
    return source.select_columns([column.column_name]).with_format("arrow")[:][column.column_name]


def _holds_strings(kind: object) -> bool:
    """Return whether an Arrow type is one of strings."""
    return str(kind) in ("string", "large_string", "string_view")


def _is_list(kind: object) -> bool:
    """Return whether an Arrow type holds lists: list, large_list, fixed_size_list, list_view."""
    return "list" in str(kind).partition("<")[0]


def _holds_ids(kind: Any) -> bool:
    """Return whether an Arrow type holds lists of integers."""
    return _is_list(kind) and bool(import_module("pyarrow").types.is_integer(kind.value_type))


def _flattened(array: Any) -> tuple[Any, Int64]:
    """Return the elements of lists, and their offsets (rows + 1,)."""
    chunks = [chunk.flatten() for chunk in array.chunks]
    elements = import_module("pyarrow").chunked_array(chunks, array.type.value_type)
    lengths = import_module("pyarrow.compute").list_value_length(array)
    return elements, offsets_of(lengths.to_numpy())


def _rows_of_ids(array: Any, segments: Int64) -> Ragged:
    """Return lists of integers as rows; `segments` are offsets to name a segment in errors."""
    flat, offsets = _flattened(array)
    missing = np.flatnonzero(flat.is_null().to_numpy())
    if missing.size:
        segment = row_with(segments, row_with(offsets, missing[0]))
        raise ArgumentError("has a null among its ids", index=(segment,))
    return Ragged(int64_ids(flat.to_numpy()), offsets)


def listed_units(column: object) -> list[object]:
    """Return a column of units as a list; ValueError if anything is missing."""
    rows = complete_values(column, alone=True)
    if not are_strings(rows):
        _check_tokens(rows)
    return rows


def reference_rows(column: object, of_text: bool) -> list[Any]:
    """Return a column of references as a list; leave out missing references."""
    rows = complete_values(column)
    units = list(chain.from_iterable(filter(is_sequence, rows)))
    if set(map(type, units)) <= {str}:
        return rows
    if of_text or any(map(is_sequence, units)):  # each row is a list of references
        rows = list(map(_without_null, rows))
    _check_tokens(rows)
    return rows


def _without_null(row: object) -> object:
    """Return the references of a row that are not missing."""
    if not is_sequence(row):
        return row
    return [unit for unit in row if unit is not None]


def _check_tokens(rows: list[Any]) -> None:
    """Raise ValueError for the first row with a null in it, or in one of its lists."""
    for number, row in enumerate(rows):
        if not is_sequence(row):
            continue
        lists = [row, *filter(is_sequence, row)]
        if any(token is None for tokens in lists for token in tokens):
            raise ArgumentError("has a null among its tokens", index=(number,))


def complete_values(column: object, alone: bool = False) -> list[Any]:
    """Return a column as a list; ValueError if a row is missing. `alone`: a row is one unit."""
    rows = values_of(column)
    if type(None) in set(map(type, rows)):
        kinds = list(map(type, rows))
        raise _missing(kinds.index(type(None)), alone)
    return rows


def values_of(column: Any) -> list[object]:
    """Return a column as a list, with None for missing values."""
    if isinstance(column, np.ndarray):
        missing = getattr(column.dtype, "na_object", column)
        if isinstance(missing, str):  # NumPy shows it in place of a missing value
            return list(column.tolist())
        known = np.frompyfunc(lambda value: None if value is missing else value, 1, 1)
        return list(known(column.astype(object)).tolist())
    if _is_a(column, _SERIES):
        with suppress(NotImplementedError):  # for types of Arrow that pandas lacks
            rows = column.astype(object).where(column.notna(), None).tolist()
            return [_without_nan(row) for row in rows]
    elif hasattr(column, "to_list"):
        return list(column.to_list())
    if _is_a(column, _DATASET_COLUMN):
        return list(column[:])
    array = _chunked(column)
    return list(column) if array is None else list(array.to_pylist())


def _without_nan(row: object) -> object:
    """Return a row of a series; if it is a list, replace pandas' missing values in it by None."""
    if not is_sequence(row):
        return row
    is_missing = import_module("pandas").isna
    return [None if is_missing(token) is True else token for token in row]


def _missing(row: int, alone: bool) -> ArgumentError:
    """Return the error for a row that is null."""
    if not alone:
        return no_reference(row, "null")
    return ArgumentError("is null", advice="a unit can't be missing", index=(row,))

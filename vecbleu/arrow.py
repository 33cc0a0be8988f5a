"""Columns of other libraries, read where they lie: Arrow's layout of strings is `Strings`.

Arrow arrays, pandas and Polars series, columns of Hugging Face datasets and NumPy's `StringDType`
are told by the names and attributes of their types: nothing is imported for anybody else. Without
Arrow, and where they hold something else than strings or lists of ids, they are made into lists.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from vecbleu.corpus import IdCorpus
from vecbleu.ragged import Int64, Ragged, int64_ids, offsets_of
from vecbleu.strings import StringCorpus, Strings
from vecbleu.text import Bytes

# Columns that need not have Arrow's own protocol.
_SERIES, _DATASET_COLUMN = ("pandas", "Series"), ("datasets", "Column")


class _Side(NamedTuple):
    """The units of a column, and where it is one of lists, which unit each list begins with."""

    units: Strings | Ragged
    owners: Int64 | None = None  # (rows + 1,)


def is_column(value: Any) -> bool:
    """Whether a value is a column of another library."""
    if isinstance(value, np.ndarray):
        return isinstance(value.dtype, np.dtypes.StringDType)
    kind = type(value)
    if _name(value) in (_SERIES, _DATASET_COLUMN):
        return True
    return hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")


def _name(value: Any) -> tuple[str, str]:
    """The library of a value's type, and what it is called there."""
    return type(value).__module__.partition(".")[0], type(value).__name__


def align_columns(hypotheses: Any, references: Any) -> StringCorpus | IdCorpus | None:
    """Two columns as a corpus, none of whose rows becomes a Python object; None if they must."""
    first, second = _read(hypotheses, "hypotheses"), _read(references, "references")
    if first is None or second is None or first.owners is not None:
        return None
    owners = np.arange(len(second.units) + 1) if second.owners is None else second.owners
    if len(owners) != len(first.units) + 1:
        return None  # lists are told apart from transposed ones
    for segment in np.flatnonzero(np.diff(owners) == 0)[:1]:
        raise _no_reference(int(segment), "empty")
    if isinstance(first.units, Strings) and isinstance(second.units, Strings):
        return StringCorpus(first.units, second.units, owners)
    if isinstance(first.units, Ragged) and isinstance(second.units, Ragged):
        return IdCorpus(first.units, second.units, owners)
    return None


def _no_reference(segment: int, found: str) -> ValueError:
    """A segment all of whose references are missing."""
    return ValueError(f"references[{segment}] is {found}: segment {segment} has 0 references")


def rows_of(column: Any, name: str) -> list[Any]:
    """A column as a list without missing rows."""
    rows = values_of(column, name)
    for row, value in enumerate(rows):
        if value is None:
            raise _missing(row, name)
    return rows


def values_of(column: Any, name: str) -> list[Any]:
    """A column as a list, with None for what is missing."""
    if isinstance(column, np.ndarray):
        missing = getattr(column.dtype, "na_object", column)
        rows = [None if row is missing else row for row in column.tolist()]
    elif _name(column) == _SERIES:
        rows = column.astype(object).where(column.notna(), None).tolist()
    elif _name(column) == _DATASET_COLUMN:
        rows = column[:]
    elif hasattr(column, "to_pylist") or hasattr(column, "to_list"):
        rows = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    else:
        array = _chunked(column, name)
        rows = [*column] if array is None else array.to_pylist()
    return list(rows)


def _missing(row: int, name: str) -> ValueError:
    """A row that is null."""
    if name == "references":
        return _no_reference(row, "null")
    return ValueError(f"{name}[{row}] is null; a hypothesis can't be missing")


def _read(column: Any, name: str) -> _Side | None:
    """The strings or ids of a column; None where it has to be made into a list."""
    if isinstance(column, np.ndarray):
        # NumPy hands out the bytes of its strings only by way of arrays as wide as the longest of
        # them, which takes two and a half times as long as scoring a list.
        return None
    array = _chunked(column, name)
    if array is None:
        return None
    if array.null_count:
        raise _missing(int(np.flatnonzero(array.is_null().to_numpy())[0]), name)
    if _holds_strings(array.type):
        return _Side(_strings(array))
    types = import_module("pyarrow").types
    if not _is_list(array.type):
        return None
    if types.is_integer(array.type.value_type):
        return _Side(_rows_of_ids(array, name))
    units, owners = _flattened(array)
    if _holds_strings(units.type):
        return _Side(_strings(units), owners)
    if _is_list(units.type) and types.is_integer(units.type.value_type):
        return _Side(_rows_of_ids(units, name), owners)
    return None


def _chunked(column: Any, name: str) -> Any:
    """A column as a `pyarrow.ChunkedArray`; None without Arrow, or if it can't be one."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        return None
    if _name(column) == _DATASET_COLUMN:
        column = _dataset_array(column)
    try:
        if hasattr(column, "__arrow_c_stream__"):
            array = arrow.chunked_array(column)
        elif column is None or isinstance(column, list):
            return None
        else:
            array = arrow.chunked_array([arrow.array(column)])
    except (TypeError, ValueError, NotImplementedError):  # Arrow's own errors are some of these
        return None  # a series of objects, which are looked at one by one
    if arrow.types.is_struct(array.type):
        raise TypeError(f"{name} is a table ({type(column).__name__}); pass one of its columns")
    return array


def _dataset_array(column: Any) -> Any:
    """A column of a dataset in the dataset's own memory; None if it is none of a table."""
    source = column.source
    if not hasattr(source, "select_columns"):
        return None
    return source.select_columns([column.column_name]).with_format("arrow")[:][column.column_name]


def _holds_strings(kind: Any) -> bool:
    """Whether a type is one of strings, in any layout."""
    types = import_module("pyarrow").types
    if types.is_dictionary(kind):
        kind = kind.value_type
    is_view = getattr(types, "is_string_view", bool)(kind) is True
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view)


def _is_list(kind: Any) -> bool:
    """Whether a type is one of lists."""
    types = import_module("pyarrow").types
    return any(
        test(kind) for test in (types.is_list, types.is_large_list, types.is_fixed_size_list)
    )


def _strings(array: Any) -> Strings:
    """The bytes of a chunked array without nulls, and the offsets between them."""
    arrow = import_module("pyarrow")
    array = _in_plain_layout(array)
    width = np.int32 if arrow.types.is_string(array.type) else np.int64
    pieces: list[Bytes] = []
    lengths: list[Int64] = [np.empty(0, np.int64)]
    for chunk in array.chunks:
        if len(chunk):
            _, ends, data = chunk.buffers()
            ends = np.frombuffer(ends, width)[chunk.offset : chunk.offset + len(chunk) + 1]
            lengths.append(np.diff(ends).astype(np.int64))
            if ends[0] < ends[-1]:
                pieces.append(np.frombuffer(data, np.uint8)[ends[0] : ends[-1]])
    return Strings(pieces, offsets_of(np.concatenate(lengths)))


def _in_plain_layout(array: Any) -> Any:
    """Strings end to end, which views and dictionaries are not."""
    arrow = import_module("pyarrow")
    if arrow.types.is_string(array.type) or arrow.types.is_large_string(array.type):
        return array
    return array.cast(arrow.large_string())


def _flattened(array: Any) -> tuple[Any, Int64]:
    """The elements of lists but for those that are null, and which each list begins with."""
    arrow = import_module("pyarrow")
    units = arrow.chunked_array([one.flatten() for one in array.chunks], array.type.value_type)
    owners = offsets_of(_lengths(array))
    if not units.null_count:
        return units, owners
    owners = offsets_of(units.is_valid().to_numpy())[owners]
    # Arrow cannot drop nulls of views.
    return (_in_plain_layout(units) if _holds_strings(units.type) else units).drop_null(), owners


def _lengths(array: Any) -> Int64:
    """Number of elements of each list (rows,)."""
    lengths: Int64 = import_module("pyarrow.compute").list_value_length(array).to_numpy()
    return lengths.astype(np.int64)


def _rows_of_ids(array: Any, name: str) -> Ragged:
    """Lists of integers as rows."""
    arrow = import_module("pyarrow")
    flat = arrow.chunked_array([one.flatten() for one in array.chunks], array.type.value_type)
    offsets = offsets_of(_lengths(array))
    if flat.null_count:
        place = int(np.flatnonzero(flat.is_null().to_numpy())[0])
        row = int(np.searchsorted(offsets, place, side="right")) - 1
        raise ValueError(f"{name} has a null among the ids of row {row}")
    return Ragged(int64_ids(flat.to_numpy(), name), offsets)

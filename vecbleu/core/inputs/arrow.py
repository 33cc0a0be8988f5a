"""Arrow's layout of strings and lists, read where it lies."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from vecbleu.core.arrays import Bytes, Int64
from vecbleu.core.corpus.columns import StringColumn
from vecbleu.core.kernel.ragged import Ragged, int64_ids, offsets_of


class Side(NamedTuple):
    """The units of a column, and where it is one of lists, which unit each list begins with."""

    units: StringColumn | Ragged
    reference_offsets: Int64 | None = None  # (rows + 1,)


def chunked(column: Any, name: str) -> Any:
    """A column as a `pyarrow.ChunkedArray`; None without Arrow, or if it can't be one."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        return None
    try:
        if hasattr(column, "__arrow_c_stream__"):
            array = arrow.chunked_array(column)
        elif column is None or isinstance(column, list):
            return None
        else:
            array = arrow.array(column)
            if not isinstance(array, arrow.ChunkedArray):  # which large columns become
                array = arrow.chunked_array([array])
    except (TypeError, ValueError, NotImplementedError, OverflowError):  # Arrow's are some of these
        return None  # a series of objects, which are looked at one by one
    if arrow.types.is_struct(array.type):
        raise TypeError(f"{name} is a table ({type(column).__name__}); pass one of its columns")
    if len(getattr(array.type, "shape", ())) > 1:
        raise TypeError(f"{name} is a column of tensors; pass their to_numpy_ndarray()")
    return _in_plain_layout(array) if _holds_strings(array.type) else array


def read_side(array: Any, name: str) -> Side | None:
    """The strings or ids of a chunked array without nulls; None if it holds something else."""
    if _holds_strings(array.type):
        return Side(_strings(array))
    if not _is_list(array.type):
        return None
    if _are_ids(array):
        return Side(_rows_of_ids(array, name))
    units, reference_offsets = _flattened(array)
    if _holds_strings(units.type):
        return Side(_strings(units), reference_offsets)
    if _is_list(units.type) and _are_ids(units):
        return Side(_rows_of_ids(units, name, reference_offsets), reference_offsets)
    return None


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
    names = ["list", "large_list", "fixed_size_list", "list_view", "large_list_view"]
    tests = (getattr(types, f"is_{name}", bool) for name in names)  # older Arrows have no views
    return any(test(kind) is True for test in tests)


def _are_ids(array: Any) -> bool:
    """Whether lists hold integers of 64 bits with a sign, or nothing at all."""
    types = import_module("pyarrow").types
    kind = array.type.value_type
    if types.is_null(kind):
        return not _lengths(array).any()
    if types.is_uint64(kind):  # tokens that are no ids
        most = import_module("pyarrow.compute").max(_elements(array)).as_py()
        return most is None or most < 2**63
    return bool(types.is_integer(kind))


def _strings(array: Any) -> StringColumn:
    """The bytes of a chunked array without nulls, and the offsets between them."""
    width = np.int32 if import_module("pyarrow").types.is_string(array.type) else np.int64
    pieces: list[Bytes] = []
    lengths: list[Int64] = [np.empty(0, np.int64)]
    for chunk in array.chunks:
        if len(chunk):
            _, ends, data = chunk.buffers()
            ends = np.frombuffer(ends, width)[chunk.offset : chunk.offset + len(chunk) + 1]
            lengths.append(np.diff(ends).astype(np.int64))
            if ends[0] < ends[-1]:
                pieces.append(np.frombuffer(data, np.uint8)[ends[0] : ends[-1]])
    return StringColumn(pieces, offsets_of(np.concatenate(lengths)))


def _in_plain_layout(array: Any) -> Any:
    """Strings end to end, which views and dictionaries are not."""
    arrow = import_module("pyarrow")
    if arrow.types.is_string(array.type) or arrow.types.is_large_string(array.type):
        return array
    return arrow.chunked_array([*map(_plain_strings, array.chunks)], arrow.large_string())


def _plain_strings(chunk: Any) -> Any:
    """One array of strings end to end."""
    arrow = import_module("pyarrow")
    if arrow.types.is_dictionary(chunk.type):
        # Arrow's own cast of the whole takes neither dictionaries of views nor more than 2 GB.
        return _plain_strings(chunk.dictionary).take(chunk.indices)
    try:
        return chunk.cast(arrow.large_string())
    except NotImplementedError:  # Arrow before 18 can't cast views, which Polars' strings are
        return arrow.array(chunk.to_pylist(), arrow.large_string())


def _elements(array: Any) -> Any:
    """The elements of lists, end to end."""
    arrow = import_module("pyarrow")
    return arrow.chunked_array([one.flatten() for one in array.chunks], array.type.value_type)


def _flattened(array: Any) -> tuple[Any, Int64]:
    """The elements of lists but for those that are null, and which each list begins with."""
    units, reference_offsets = _elements(array), offsets_of(_lengths(array))
    if _holds_strings(units.type):
        units = _in_plain_layout(units)
    if not units.null_count:
        return units, reference_offsets
    return units.drop_null(), offsets_of(units.is_valid().to_numpy())[reference_offsets]


def _lengths(array: Any) -> Int64:
    """Number of elements of each list (rows,)."""
    lengths: Int64 = import_module("pyarrow.compute").list_value_length(array).to_numpy()
    return lengths.astype(np.int64)


def _rows_of_ids(array: Any, name: str, reference_offsets: Int64 | None = None) -> Ragged:
    """Lists of integers as rows, of which some may belong together."""
    flat, offsets = _elements(array), offsets_of(_lengths(array))
    if flat.null_count:
        place = int(np.flatnonzero(flat.is_null().to_numpy())[0])
        row = int(np.searchsorted(offsets, place, side="right")) - 1
        where = f"{name}[{row}]"
        if reference_offsets is not None:
            segment = int(np.searchsorted(reference_offsets, row, side="right")) - 1
            where = f"{name}[{segment}], reference {row - reference_offsets[segment]}"
        raise ValueError(f"{where} has a null among its ids")
    return Ragged(int64_ids(flat.to_numpy(), name), offsets)

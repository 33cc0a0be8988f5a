"""Refuse tables and lazy frames, and give advice on common mistakes.

Advice is looked for only when something is wrong, and is added to the message of the error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, NoReturn, TypeGuard

import numpy as np

from vecbleu.arguments.checks import refuse_mask
from vecbleu.arguments.errors import ArgumentError, ArgumentFields, ArgumentTypeError
from vecbleu.core.count_table import CountTable


def are_strings(values: Iterable[object]) -> bool:
    """Return whether all values are strings."""
    return all(issubclass(kind, str) for kind in set(map(type, values)))


def are_rows(values: Sequence[object]) -> bool:
    """Return whether all values are lists or tuples, or all are 1-D NumPy arrays."""
    kinds = set(map(type, values))
    if kinds == {np.ndarray}:
        return set(map(attrgetter("ndim"), values)) == {1}
    return kinds <= {list, tuple}


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether a value is a sequence of tokens or references; strings and bytes are not."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    is_string = isinstance(value, (str, bytes, bytearray, memoryview))  # common types first
    return not is_string and isinstance(value, Sequence)


def no_reference(segment: int, state: str) -> ArgumentError:
    """Return the error for a segment without references."""
    found = f"is {state}: segment {segment} has 0 references"
    return ArgumentError(found, argument="references", index=(segment,))


def describe(value: object) -> str:
    """Return the type of a value, and its `repr` if that is short."""
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 30 else type(value).__name__


def is_foreign(value: object) -> bool:
    """Return whether a value is an array or a number of a library other than NumPy."""
    if isinstance(value, (np.ndarray, np.generic, CountTable)):
        return False
    return hasattr(value, "__dlpack__") or hasattr(value, "__array__")


def as_array(value: Any) -> Any:
    """Convert an array of another library; an error if NumPy can't read it or it has a null.

    Prefer `__array__`: torch marks some tensors as negated, and its `__dlpack__` returns their
    memory without the sign.
    """
    is_null = getattr(value, "is_null", None) or getattr(value, "isna", None)
    if callable(is_null):  # an array of a data-frame library
        missing = np.flatnonzero(np.asarray(is_null()))
        if missing.size:
            raise ArgumentError("is null", index=(int(missing[0]),))
    try:
        has_array = callable(getattr(value, "__array__", None))
        return np.asanyarray(value) if has_array else np.from_dlpack(value)
    except Exception as error:  # whatever the library raises
        found = f"is {type(value).__name__}, which NumPy can't read ({error})"
        raise ArgumentTypeError(found) from error


def check_array(array: object, alone: bool = False) -> None:
    """Raise TypeError for a masked array, or for floats in two or more dimensions.

    `alone`: each row is one unit.
    """
    refuse_mask(array)
    if isinstance(array, np.ndarray) and array.ndim > 1 and array.dtype.kind in "fcV":
        is_of_logits = alone and array.ndim > 2
        advice = "if these are logits, pass {argument}.argmax(-1)" if is_of_logits else ""
        raise ArgumentTypeError(f"is an array of {array.dtype}", "integers", advice)


# Methods that compute a lazy frame (of Spark, Ibis, DuckDB, Polars, Arrow), the best first, and
# methods that only lazy frames and database cursors have.
_COMPUTING = ["toPandas", "to_pandas", "to_arrow_table", "fetch_arrow_table", "df", "collect"]
_COMPUTING += ["read_all"]
_LAZY = ["collect", "execute", "fetchall", "read_all"]


def refuse_frame(argument: Any) -> None:
    """Raise TypeError for a table, a lazy frame or a cursor.

    They are recognized by the methods of their classes. Iterating over them would yield names of
    columns, or compute the whole frame.
    """
    if isinstance(argument, (list, tuple, np.ndarray, Sequence)):  # the usual types, in less time
        return
    kind = type(argument)
    is_dask = hasattr(kind, "__dask_graph__") and argument.__dask_graph__() is not None
    is_lazy = is_dask or any(hasattr(kind, method) for method in _LAZY)
    columns = getattr(kind, "columns", getattr(kind, "column_names", len))
    # There are no columns if `columns` is a method, or the default. A series has one dimension.
    is_table = not callable(columns) and getattr(argument, "ndim", 2) != 1
    is_table = is_table or hasattr(kind, "fetchall") or hasattr(kind, "read_all")
    column = '["column"]' if is_table else ""
    calls = [f".{method}(){column}" for method in _COMPUTING if hasattr(kind, method)]
    call = f"{column}.compute()" if is_dask else next(iter(calls), "")
    found = f"is {kind.__module__.partition('.')[0].lstrip('_')}'s {kind.__name__}"
    if is_lazy and call:
        advice = f"pass {{argument}}{call}"
        raise ArgumentTypeError(f"{found}, which is still to be computed", advice=advice)
    if is_lazy:
        advice = "pass [row[0] for row in {argument}]"
        raise ArgumentTypeError(f"{found}, whose rows are tuples", advice=advice)
    if is_table:
        advice = f"pass one of its columns: {{argument}}{column}"
        raise ArgumentTypeError(f"is a table ({kind.__name__})", advice=advice)


# A list with more or longer strings is not taken for the tokens of one segment: long strings may
# be segments in a script without spaces.
_MOST_TOKENS, _LONGEST_TOKEN = 200, 30

_ONE_SEGMENT = "if hypotheses is one segment, pass [hypotheses], [references]"
_SWAPPED = "if references came first, as in NLTK, swap the two: pass"
_TRANSPOSED = (
    "references looks transposed ([reference][segment], sacreBLEU's streams): "
    "pass list(zip(*references))"
)


def is_listed_text(value: Any) -> bool:
    """Return whether a list, a tuple, an array or a series has a single string of several words."""
    is_single = isinstance(value, (list, tuple)) and len(value) == 1
    if not is_single and getattr(value, "shape", ()) != (1,):
        return False
    (text,) = value
    return isinstance(text, str) and len(text.split()) > 1


def raise_with_advice(error: Exception, sides: Mapping[str, object]) -> NoReturn:
    """Raise an error again; for a common mistake, add the call to write instead.

    `sides` are what the user passed, by the names in errors.
    """
    if not isinstance(error, ArgumentFields) or error.advice:
        raise error
    with suppress(Exception):  # some values can't be examined, such as Spark's columns
        if len(sides) == 2:
            error.advice = _of_both(*sides.values())
    with suppress(Exception):
        if isinstance(error, TypeError) and not error.advice and error.argument in sides:
            error.advice = _of_one(sides[error.argument])
    raise error


def _of_both(h: object, r: object) -> str:
    """Return advice on both sides; the last two rules are for sides of different lengths."""
    if _is_path(h) or _any(h, _is_path) or _is_path(r):
        return "for files call file_statistics(hypotheses, references)"
    if isinstance(h, Iterator) or isinstance(r, Iterator):
        return "an iterator is read once: make a list first"
    if isinstance(h, str):
        return f"pass [hypotheses], {'[references]' if _depth(r) < 2 else 'references'}"
    if isinstance(r, str) and is_sequence(h):
        return f"{_SWAPPED} [references], [hypotheses]; else pass [references] * len(hypotheses)"
    if not is_sequence(h) or not is_sequence(r):
        return ""
    if _are_streams(h, r):
        are_tokens = _is_segment(h) and _is_segment(r[0])
        return f"{_ONE_SEGMENT}; {_TRANSPOSED}" if are_tokens else _TRANSPOSED
    if _is_segment(h) and len(h) != len(r) and _depth(r) < 3:
        return _ONE_SEGMENT
    if _any(h, is_listed_text) and set(map(len, h)) == {1} and isinstance(r[0], str):
        rows = "if each entry of hypotheses is a row, pass [row[0] for row in hypotheses]"
        return rows if isinstance(h[0], tuple) else f"{rows}; {_SWAPPED} references, hypotheses"
    if _any(h, _is_segment) and isinstance(r[0], str) and not _is_token(r[0]):
        return "pass [one.split() for one in references]"
    if _depth(h) == 1 + _depth(r):
        if _is_segment(r):
            return f"{_SWAPPED} [references], [hypotheses]"
        return f"{_SWAPPED} references, hypotheses"
    if len(h) == 1 < len(r):
        return "if all references are of this segment, pass [references]"
    if 0 < len(r) < len(h):
        return "if all segments share these references, pass vecbleu.SharedReferences(references)"
    return ""


def _of_one(side: object) -> str:
    """Return advice on one side."""
    if _any(side, lambda row: row is None or row != row):
        return 'leave such a segment out on both sides, or pass ""'
    if _any(side, lambda row: isinstance(row, bytes)):
        return "pass [one.decode() for one in {argument}]"
    if _any(side, lambda row: isinstance(row, Iterator)):
        return "pass [[*one] for one in {argument}]"
    return "if it is one segment, pass [{argument}]" if _is_segment(side) else ""


def _any(value: object, holds: Callable[[object], bool]) -> bool:
    return is_sequence(value) and any(map(holds, value))


def _is_path(value: object) -> bool:
    return isinstance(value, os.PathLike) or (isinstance(value, str) and os.path.isfile(value))


def _is_token(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_TOKEN and len(value.split()) < 2
    return isinstance(value, (int, np.integer))


def _is_segment(value: object) -> bool:
    """Return whether a value looks like the tokens or ids of one segment."""
    if not is_sequence(value):
        return False
    return 0 < len(value) <= _MOST_TOKENS and all(map(_is_token, value))


def _depth(value: object) -> int:
    """Return how deep sequences nest, as their first elements show it."""
    depth = 0
    while is_sequence(value):
        depth += 1
        value = value[0] if len(value) else None
    return depth


def _are_streams(hypotheses: Sequence[object], references: Sequence[object]) -> bool:
    """Return whether references hold a list for each stream, not for each segment."""
    segments = len(hypotheses)
    if len(references) == segments or _depth(references) != 1 + _depth(hypotheses):
        return False
    return all(is_sequence(stream) and len(stream) == segments for stream in references)

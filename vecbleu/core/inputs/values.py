"""Recognize kinds of values, and describe them in errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from vecbleu.core.checks import refuse_mask


def are_strings(values: Iterable[Any]) -> bool:
    """Return whether all values are strings."""
    kinds = {*map(type, values)}
    return kinds <= {str} or all(issubclass(kind, str) for kind in kinds)


def are_rows(values: Sequence[Any]) -> bool:
    """Return whether all values are lists or tuples, or all are 1-D NumPy arrays."""
    kinds = {*map(type, values)}
    if kinds == {np.ndarray}:
        return {*map(attrgetter("ndim"), values)} == {1}
    return kinds <= {list, tuple}


def is_sequence(value: Any) -> bool:
    """Return whether a value is a sequence of tokens or references; strings and bytes are not."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    is_string = isinstance(value, (str, bytes, bytearray, memoryview))  # common types first
    return not is_string and isinstance(value, Sequence)


def no_reference(segment: int, state: str) -> ValueError:
    """Return the error for a segment without references."""
    return ValueError(f"references[{segment}] is {state}: segment {segment} has 0 references")


def describe(value: Any) -> str:
    """Return the type of a value, and its `repr` if that is short."""
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 30 else type(value).__name__


def is_foreign(value: Any) -> bool:
    """Return whether a value is an array or a number of a library other than NumPy."""
    if isinstance(value, (np.ndarray, np.generic)):
        return False
    return hasattr(value, "__dlpack__") or hasattr(value, "__array__")


def as_array(value: Any, name: str) -> Any:
    """Convert an array of another library; an error if NumPy can't read it or it has a null.

    Prefer `__array__`: torch marks some tensors as negated, and its `__dlpack__` returns their
    memory without the sign.
    """
    is_null = getattr(value, "is_null", None) or getattr(value, "isna", None)
    if callable(is_null):  # an array of a data-frame library
        for index in np.flatnonzero(np.asarray(is_null()))[:1]:
            raise ValueError(f"{name}[{index}] is null")
    try:
        has_array = callable(getattr(value, "__array__", None))
        array = np.asanyarray(value) if has_array else np.from_dlpack(value)
    except Exception as error:  # whatever the library raises
        kind = type(value).__name__
        raise TypeError(f"{name} is {kind}, which NumPy can't read ({error})") from error
    return array


def check_array(array: Any, name: str) -> None:
    """Raise TypeError for a masked array, or for floats in two or more dimensions."""
    refuse_mask(array, name)
    if isinstance(array, np.ndarray) and array.ndim > 1 and array.dtype.kind in "fcV":
        is_of_logits = name == "hypotheses" and array.ndim > 2
        call = "; if these are logits, pass hypotheses.argmax(-1)" if is_of_logits else ""
        raise TypeError(f"{name} is an array of {array.dtype}, expected integers{call}")

"""Recognize kinds of values that users pass, and name them in errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np


def are_strings(values: Iterable[Any]) -> bool:
    """Return whether all are str; asking for the set of types costs a third of asking each."""
    kinds = {*map(type, values)}
    return kinds <= {str} or all(issubclass(kind, str) for kind in kinds)


def are_rows(values: Sequence[Any]) -> bool:
    """Return whether all are lists or tuples, or else all NumPy's arrays of one dimension."""
    kinds = {*map(type, values)}
    if kinds == {np.ndarray}:
        return {*map(attrgetter("ndim"), values)} == {1}
    return kinds <= {list, tuple}


def is_sequence(value: Any) -> bool:
    """Return whether a value can be a sequence of tokens or references; no string or bytes."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    is_string = isinstance(value, (str, bytes, bytearray, memoryview))  # the common ones first
    return not is_string and isinstance(value, Sequence)


def no_reference(segment: int, found: str) -> ValueError:
    """Return the error of a segment all of whose references are missing."""
    return ValueError(f"references[{segment}] is {found}: segment {segment} has 0 references")


def describe(value: Any) -> str:
    """Return a value's type, and its content if that is short."""
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 30 else type(value).__name__


def is_foreign(value: Any) -> bool:
    """Return whether a value is an array, or a number, of another library than NumPy."""
    if isinstance(value, (np.ndarray, np.generic)):
        return False
    return hasattr(value, "__dlpack__") or hasattr(value, "__array__")


def as_array(value: Any, name: str) -> Any:
    """Return a foreign array as NumPy's; an error if NumPy can't read it or something is missing.

    By `__array__` where there is one: torch gives out the memory of a tensor that is to be negated
    by `__dlpack__`, and no word about that.
    """
    is_null = getattr(value, "is_null", None) or getattr(value, "isna", None)
    if callable(is_null):  # an array of a data frame's library
        for place in np.flatnonzero(np.asarray(is_null()))[:1]:
            raise ValueError(f"{name}[{place}] is null")
    try:
        has_array = callable(getattr(value, "__array__", None))
        array = np.asanyarray(value) if has_array else np.from_dlpack(value)
    except Exception as error:  # whatever the library raises
        kind = type(value).__name__
        raise TypeError(f"{name} is {kind}, which NumPy can't read ({error})") from error
    return array


def refuse_mask(array: Any, name: str) -> None:
    """Raise TypeError for an array of which some ids are masked out."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost; use ignore_ids")

"""What a value that the user passed can be, and what errors call it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np


def are_strings(values: Iterable[Any]) -> bool:
    """Whether all are str; asking for the set of types costs a third of asking every value."""
    return are_string_types(set(map(type, values)))


def are_string_types(kinds: set[type]) -> bool:
    """Whether all values of these types are str."""
    return all(issubclass(kind, str) for kind in kinds)


def are_plain(values: Iterable[Any]) -> bool:
    """Whether all are lists or tuples, which need no further check."""
    return set(map(type, values)) <= {list, tuple}


def are_rows(values: Sequence[Any]) -> bool:
    """Whether all are lists or tuples, or else all NumPy's arrays of one dimension."""
    kinds = set(map(type, values))
    if kinds == {np.ndarray}:
        return set(map(attrgetter("ndim"), values)) == {1}
    return kinds <= {list, tuple}


def is_sequence(value: Any) -> bool:
    """Whether a value can be a sequence of tokens or references; strings and bytes are not."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(
        value, (str, bytes, bytearray, memoryview)
    )


def check_some(entry: Sequence[Any], index: int) -> None:
    """At least one reference."""
    if not len(entry):
        raise no_reference(index, "empty")


def no_reference(segment: int, found: str) -> ValueError:
    """The error of a segment all of whose references are missing."""
    return ValueError(f"references[{segment}] is {found}: segment {segment} has 0 references")


def describe(value: Any) -> str:
    """A value's type, and its content if that is short."""
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 30 else type(value).__name__

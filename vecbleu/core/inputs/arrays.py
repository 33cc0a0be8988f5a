"""Arrays of other libraries as NumPy's, without a copy where they lie in the CPU's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.core.inputs.frames import refuse_tables


def is_foreign(value: Any) -> bool:
    """Whether a value is an array, or a number, of another library than NumPy."""
    if isinstance(value, (np.ndarray, np.generic)):
        return False
    return hasattr(value, "__dlpack__") or hasattr(value, "__array__")


def as_array(value: Any, name: str) -> Any:
    """A foreign array as NumPy's; an error if NumPy can't read it, or something is missing.

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
    refuse_mask(array, name)
    return array


def refuse_mask(array: Any, name: str) -> None:
    """TypeError for an array of which some ids are masked out."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost; use ignore_ids")


def with_arrays(value: Any, name: str) -> Any:
    """A row whose arrays of other libraries, itself or in a list, are NumPy's; numbers stay."""
    if is_foreign(value):
        refuse_tables(value, name)
        return as_array(value, name)
    if not isinstance(value, (list, tuple)):
        return value
    if not any(is_foreign(one) and getattr(one, "ndim", 0) for one in value):
        return value
    return [
        as_array(one, f"{name}[{place}]") if is_foreign(one) else one
        for place, one in enumerate(value)
    ]

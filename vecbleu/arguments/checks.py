"""Check single arguments, and import optional packages."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from numbers import Real
from operator import index
from typing import Any

import numpy as np

from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    InputWarning,
    checked_each,
)

BYTE_ORDER_MARK = "\ufeff"

# Limits of weights and smoothing values: no product or quotient of these overflows.
LEAST, _MOST = 1e-100, 1e100

_INT64 = -(2**63), 2**63 - 1


def checked_bool(value: object) -> bool:
    """Return True, False, 0, 1 or NumPy's bools as a bool; TypeError for anything else."""
    if not (isinstance(value, (int, np.bool_)) and value in (0, 1)):
        raise ArgumentTypeError(f"is {value!r}", "True or False")
    return bool(value)


def is_of_integers(kind: type) -> bool:
    """Return whether a type is one of integers; bool and timedelta64 are not."""
    return issubclass(kind, (int, np.integer)) and not issubclass(kind, (bool, np.timedelta64))


def checked_integer(
    value: Any, least: float = -math.inf, most: float = math.inf, or_else: str = ""
) -> int:
    """Return an integer between `least` and `most` as an int; refuse bools.

    `or_else` says what the caller takes beside integers.
    """
    if not is_of_integers(type(value)):
        raise ArgumentTypeError(f"is {value!r}", f"an integer{or_else}")
    number = int(value)
    if not least <= number <= most:
        limits = f"at least {least}" if most == math.inf else f"{least} to {most}"
        raise ArgumentError(f"is {number}", limits)
    return number


def checked_number(value: object, least: float = 0) -> float:
    """Return a number as a float, if it is 0 or between `least` and 1e100; refuse strings."""
    if not isinstance(value, Real):
        raise ArgumentTypeError(f"is {value!r}", "a number")
    number = float(value)
    if number and not least <= number <= _MOST:
        limits = f"0, or {least:g}" if least else "0"
        raise ArgumentError(f"is {number}", f"{limits} to {_MOST:g}")
    return number


def checked_share(value: object) -> float:
    """Return a number strictly between 0 and 1 as a float."""
    if not isinstance(value, Real):
        raise ArgumentTypeError(f"is {value!r}", "a number")
    share = float(value)
    if not 0 < share < 1:
        raise ArgumentError(f"is {value}", "a number between 0 and 1")
    return share


def checked_name(value: object, known: Collection[str], advice: str = "") -> Any:
    """Return a value that is one of the known names."""
    if not isinstance(value, str) or value not in known:
        raise ArgumentError(f"is {value!r}", f"one of {', '.join(known)}", advice)
    return value


def check_names(names: Iterable[object]) -> None:
    """Raise ValueError for a name that is blank as text."""
    if not all(str(name).strip() for name in names):
        raise ArgumentError("has a blank name")


def checked_id(value: Any) -> int:
    """Return an id as an int; integers of other libraries are ids, too."""
    if not isinstance(value, (int, np.generic)):
        with suppress(TypeError):  # it is no integer, or an array of several values
            value = index(value)
    return checked_integer(value, *_INT64)


def checked_ids(ids: object) -> tuple[int, ...]:
    """Check one id or several; return them sorted, without duplicates."""
    if isinstance(ids, (str, bytes, Mapping)):
        raise ArgumentTypeError(f"is {type(ids).__name__} {ids!r}", "an integer or several")
    if not isinstance(ids, Iterable) or getattr(ids, "ndim", 1) == 0:
        return (checked_id(ids),)
    return tuple(sorted(set(checked_each(checked_id, ids))))


def refuse_mask(array: object) -> None:
    """Raise TypeError for a masked array."""
    if isinstance(array, np.ma.MaskedArray):
        found = "is a masked array and would lose its mask"
        raise ArgumentTypeError(found, advice="for ids use ignore_ids")


def warn_caller(message: str | Warning, category: type[Warning] = InputWarning) -> None:
    """Warn, and point to the line outside this package that made the call."""
    frame = sys._getframe(1)
    level = 2
    inside = "vecbleu", "contextlib"
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


class MarkWarning(InputWarning):
    """Text in memory (an argument), or a file (without one), begins with a byte order mark."""

    def __init__(self, file: str = "", *, argument: str = "") -> None:
        found = f"{file} begins with U+FEFF, which becomes a part of its first token".lstrip()
        advice = "remove it, or read the file with encoding='utf-8-sig'"
        super().__init__(found, advice=advice, argument=argument)


def import_extra(user: str, extra: str, *modules: str) -> list[Any]:
    """Import the modules that an extra installs; ImportError says how to install it."""
    try:
        return list(map(import_module, modules))
    except ImportError as error:
        raise ImportError(
            f'{user} the extra {extra!r}: pip install "vecbleu[{extra}]" ({error})'
        ) from None

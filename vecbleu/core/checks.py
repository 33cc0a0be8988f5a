"""Checks of single arguments that several modules share."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection
from numbers import Real
from typing import Any

import numpy as np


def checked_bool(value: Any, name: str) -> bool:
    """Return a bool, given as one, NumPy's, 0 or 1."""
    if not (isinstance(value, (int, np.bool_)) and value in (0, 1)):
        raise TypeError(f"{name} is {value!r}, expected True or False")
    return bool(value)


def checked_integer(
    value: Any, name: str, least: int | None = None, most: int | None = None, expected: str = ""
) -> int:
    """Return an integer in its range as an int; a bool is none."""
    # A length of time is an integer to NumPy.
    if not isinstance(value, (int, np.integer)) or isinstance(value, (bool, np.timedelta64)):
        raise TypeError(f"{name} is {value!r}, expected an integer{expected}")
    number = int(value)
    if (least is not None and number < least) or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"{least} to {most}"
        raise ValueError(f"{name} is {number}, expected {limits}")
    return number


def check_name(value: Any, option: str, known: Collection[str], advice: str = "") -> None:
    """Raise ValueError unless an option has one of its values."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{option} is {value!r}, expected one of {', '.join(known)}{advice}")


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the line outside of this package that a call came from."""
    frame, level = sys._getframe(1), 2
    inside = "vecbleu", "contextlib"
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def checked_share(value: Any, name: str) -> float:
    """Return a number between 0 and 1 as a float."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}, expected a number")
    if not 0 < float(value) < 1:
        raise ValueError(f"{name} is {value}, expected a number between 0 and 1")
    return float(value)

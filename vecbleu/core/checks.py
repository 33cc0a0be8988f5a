"""Check single arguments, and import optional packages."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Collection, Iterable
from importlib import import_module
from numbers import Real
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

AnyClass = TypeVar("AnyClass", bound=type)

BYTE_ORDER_MARK = "\ufeff"


def checked_bool(value: Any, name: str) -> bool:
    """Return True, False, 0, 1 or NumPy's bools as a bool; TypeError for anything else."""
    if not (isinstance(value, (int, np.bool_)) and value in (0, 1)):
        raise TypeError(f"{name} is {value!r}, expected True or False")
    return bool(value)


def checked_integer(
    value: Any, name: str, least: int | None = None, most: int | None = None, expected: str = ""
) -> int:
    """Return an integer between `least` and `most` as an int; refuse bools."""
    # `np.timedelta64` is a subclass of `np.integer`.
    if not isinstance(value, (int, np.integer)) or isinstance(value, (bool, np.timedelta64)):
        raise TypeError(f"{name} is {value!r}, expected an integer{expected}")
    number = int(value)
    if (least is not None and number < least) or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"{least} to {most}"
        raise ValueError(f"{name} is {number}, expected {limits}")
    return number


def check_name(value: Any, option: str, known: Collection[str], advice: str = "") -> None:
    """Raise ValueError unless a value is one of the known names of an option."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{option} is {value!r}, expected one of {', '.join(known)}{advice}")


def check_names(names: Iterable[Any], argument: str) -> None:
    """Raise ValueError for a name that is blank as text."""
    if not all(str(name).strip() for name in names):
        raise ValueError(f"{argument} has a blank name")


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and point to the line outside this package that made the call."""
    frame, level = sys._getframe(1), 2
    inside = "vecbleu", "contextlib"
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def of_mark(name: str) -> str:
    """Return the warning for text that begins with a byte order mark."""
    advice = "remove it, or read the file with encoding='utf-8-sig'"
    return f"{name} begins with U+FEFF, which becomes a part of its first token; {advice}"


def named_as(public: str) -> Callable[[AnyClass], AnyClass]:
    """Let Python's errors name the methods of an internal base class as those of a public one."""

    def decorate(kind: AnyClass) -> AnyClass:
        for name, member in vars(kind).items():
            function = getattr(member, "__func__", member)  # of a class method
            if isinstance(function, FunctionType):
                function.__qualname__ = f"{public}.{name}"
        return kind

    return decorate


def checked_share(value: Any, name: str) -> float:
    """Return a number strictly between 0 and 1 as a float."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}, expected a number")
    if not 0 < float(value) < 1:
        raise ValueError(f"{name} is {value}, expected a number between 0 and 1")
    return float(value)


def refuse_mask(array: Any, name: str) -> None:
    """Raise TypeError for a masked array."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array and would lose its mask; for ids use ignore_ids")


def import_extra(user: str, extra: str, *modules: str) -> list[Any]:
    """Import the modules that an extra installs; ImportError says how to install it."""
    try:
        return list(map(import_module, modules))
    except ImportError as error:
        raise ImportError(
            f'{user} the extra {extra!r}: pip install "vecbleu[{extra}]" ({error})'
        ) from None

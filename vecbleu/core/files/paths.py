"""Paths as the user passed them; text in their place is recognized before it is looked for."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence, Set
from typing import Any

from vecbleu.core.files.sources import Path

_CALL_FOR_TEXT = "for text call vecbleu.statistics(hypotheses, references)"


def checked_paths(paths: Any, name: str) -> Sequence[Path]:
    """One path or several."""
    if not isinstance(paths, (list, tuple)):
        return [checked_path(paths, name, " or a list of paths")]
    return [checked_path(path, f"{name}[{place}]") for place, path in enumerate(paths)]


def _call(value: Any, name: str) -> str:
    """What to call, or to pass, where a value is no path."""
    if isinstance(getattr(value, "name", None), str):  # an open file
        return f"pass {name}.name"
    if isinstance(value, (Iterator, Set)):
        return f"pass [*{name}]"
    return _CALL_FOR_TEXT


def checked_path(path: Any, name: str, or_else: str = "") -> Any:
    """A path; FileNotFoundError for one that is no file, and looks like text."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        kind = type(path).__name__
        raise TypeError(f"{name} is {kind}, expected a path{or_else}; {_call(path, name)}")
    looks_like_text = isinstance(path, str) and (len(path.split()) > 1 or "\0" in path)
    if looks_like_text and not os.path.exists(path):
        reason = f"{name} is no path of a file; {_CALL_FOR_TEXT}"
        raise FileNotFoundError(errno.ENOENT, reason, path)
    return path

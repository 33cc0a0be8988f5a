"""A bar that shows how far long work has come, by tqdm where it is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from vecbleu.core.terminal import escaped_name

Advance = Callable[[int], Any]

# Seconds before a bar is shown that was not asked for: most work ends before.
_PATIENCE = 1.0


def checked_progress(progress: bool | None) -> bool | None:
    """Whether to show a bar; None where standard error is a terminal and tqdm is installed."""
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is {progress!r}, expected True, False or None")
    if progress:
        _tqdm()
    return progress


@contextmanager
def progress_bar(
    progress: bool | None, total: int, unit: str, task: str | None = None
) -> Iterator[Advance]:
    """Show a bar, if it is to be shown, that goes ahead by what its function is called with."""
    if progress is False or sys.stderr is None or (progress is None and not _can_show()):
        yield lambda _: None
        return
    options = {"total": total or None, "unit": f" {unit}", "unit_scale": True, "file": sys.stderr}
    options["desc"] = task and escaped_name(task)
    if not progress:
        options |= {"delay": _PATIENCE, "leave": False}
    with _tqdm()(**options) as bar:
        # Beyond a total, which may lack a file's last newline, tqdm would forget it.
        yield lambda size: bar.update(min(size, total - bar.n) if total else size)


def _can_show() -> bool:
    """Whether standard error is a terminal and tqdm is installed."""
    try:
        return bool(sys.stderr.isatty() and _tqdm())
    except (AttributeError, ValueError, ImportError):  # no stream, a closed one, or no tqdm
        return False


def _tqdm() -> Any:
    """The class of bars."""
    try:
        return import_module("tqdm").tqdm
    except ImportError as error:
        message = 'progress needs the package tqdm: pip install "vecbleu[progress]"'
        raise ImportError(message) from error

"""Show a progress bar for long work, with tqdm if it is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from time import monotonic
from typing import Any

from vecbleu.core.extras import import_extra
from vecbleu.show.terminal import escaped_name

Advance = Callable[[int], Any]

# Seconds to wait before showing a bar that nobody asked for: most calls end earlier.
_PATIENCE = 1.0

# Seconds of work after which a line says how to get a bar.
_LONG = 10.0


@contextmanager
def progress_bar(
    progress: bool | None, total: int, unit: str, task: str | None = None
) -> Iterator[Advance]:
    """Show a bar if wanted; yield a function that advances it, or does nothing."""
    if progress is False or sys.stderr is None or (progress is None and not _is_terminal()):
        yield lambda _: None
        return
    if progress is None and find_spec("tqdm") is None:
        yield _hint()
        return
    options = {"total": total or None, "unit": f" {unit}", "unit_scale": True, "file": sys.stderr}
    options["desc"] = task and escaped_name(task)
    if not progress:
        options |= {"delay": _PATIENCE, "leave": False}
    (tqdm,) = import_extra("progress needs", "progress", "tqdm")
    with tqdm.tqdm(**options) as bar:
        # tqdm drops a total that is exceeded. Sizes may count a last newline that a file lacks.
        yield lambda size: bar.update(min(size, total - bar.n) if total else size)


def _is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # no stream, or a closed one
        return False


def _hint() -> Advance:
    """Return a function that prints once, after long work, how to get a bar."""
    end = monotonic() + _LONG

    def advance(_: int) -> None:
        nonlocal end
        if monotonic() > end:
            end = float("inf")
            print('vecbleu: for a progress bar, pip install "vecbleu[progress]"', file=sys.stderr)

    return advance

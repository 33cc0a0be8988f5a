"""Show progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from vecbleu.arguments.checks import import_extra

Advance = Callable[[int], object]

# Seconds to wait before showing a bar that nobody asked for: most calls end earlier.
_PATIENCE = 1.0


@contextmanager
def progress_bar(
    progress: bool | None, total: int, unit: str, task: str | None = None
) -> Iterator[Advance]:
    """Show a bar if wanted; yield a function that advances it, or does nothing."""
    is_possible = progress is None and _is_terminal() and find_spec("tqdm") is not None
    if sys.stderr is None or not (progress or is_possible):
        yield lambda _: None
        return
    options = {"total": total or None, "unit": f" {unit}", "unit_scale": True, "file": sys.stderr}
    options["desc"] = task
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

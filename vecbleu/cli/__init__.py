"""The command line: ``vecbleu`` scores, and has commands beside that (`program.py`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, 2 after an error, or 128 and a signal."""
    if arguments is None:  # this process runs nothing else
        _keep_to_one_thread()
    try:
        # Imported here, where Ctrl-C is quiet: nearly all of the start is spent in it.
        from vecbleu.cli.program import run

        return run([*sys.argv[1:]] if arguments is None else [*arguments])
    except KeyboardInterrupt:
        return 130


def _keep_to_one_thread() -> None:
    """Have NumPy's BLAS start no threads in this process, unless the user has said how many.

    They would take time to start, and wait for each other where other programs keep cores busy.
    """
    names = [f"{library}_NUM_THREADS" for library in ("OPENBLAS", "MKL", "BLIS", "OMP")]
    if not any(map(os.environ.get, names)):
        os.environ |= dict.fromkeys(names, "1")

"""The command line: ``vecbleu`` scores, and has commands beside that."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, 2 after an error, or 128 and a signal."""
    if arguments is None:
        # Threads of NumPy's BLAS, which nothing here uses, would take time to start.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        # Imported here, where Ctrl-C is quiet: nearly all of the start is spent in it.
        from vecbleu.cli.program import run

        return run([*sys.argv[1:]] if arguments is None else [*arguments])
    except KeyboardInterrupt:
        return 130

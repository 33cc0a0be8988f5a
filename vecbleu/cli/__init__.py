"""The command line, ``vecbleu``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 0, 2 for an error, 128 + a signal's number."""
    if arguments is None:
        # No command needs the threads of NumPy's BLAS, which take time to start.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        # Imported here, where Ctrl-C is caught: most of the start is spent in this import.
        from vecbleu.cli.program import run

        return run([*sys.argv[1:]] if arguments is None else [*arguments])
    except KeyboardInterrupt:
        return 130

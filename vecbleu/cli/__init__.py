"""The command line, ``vecbleu``."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Sequence

__all__ = ["main"]


def _clean_up_after_signals() -> None:
    """Let signals that ask the program to end raise SystemExit, so that it removes its files."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 0, 2 for an error, 128 + a signal's number."""
    if arguments is None:
        # No command needs the threads of NumPy's BLAS, which take time to start.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Few objects of a command are garbage before it ends, and looking for it takes time.
        gc.set_threshold(100_000)
        atexit.register(gc.freeze)
        _clean_up_after_signals()
    try:
        # Imported here, where Ctrl-C is caught: most of the start is spent in this import.
        from vecbleu.cli.program import run

        return run(list(sys.argv[1:]) if arguments is None else list(arguments))
    except KeyboardInterrupt:
        return 130

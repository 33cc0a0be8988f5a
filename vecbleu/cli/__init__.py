"""The command line: ``vecbleu`` scores, and has the commands `stats`, `compare` and `plot`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, 2 after an error, or 128 and a signal."""
    try:
        # Imported here, where Ctrl-C is quiet: nearly all of the start is spent in it.
        from vecbleu.cli.program import run

        return run([*sys.argv[1:]] if arguments is None else [*arguments])
    except KeyboardInterrupt:
        return 130

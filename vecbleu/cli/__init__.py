"""The command line: ``vecbleu`` scores, and has the commands `stats`, `compare` and `plot`."""

from __future__ import annotations

from vecbleu.cli.program import main

__all__ = ["main"]

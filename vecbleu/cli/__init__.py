"""The command line: ``vecbleu``, and commands of their own for what is not scoring."""

from __future__ import annotations

from vecbleu.cli.program import main

__all__ = ["main"]

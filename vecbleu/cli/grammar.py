"""References first, systems behind -i: what files are called, and what to write."""

from __future__ import annotations

import argparse

from vecbleu.cli.names import display_names

STATISTICS_SUFFIX = ".npz"


def is_statistics_file(path: str) -> bool:
    """Whether a file holds statistics instead of text."""
    return path.endswith(STATISTICS_SUFFIX)


def system_names(options: argparse.Namespace) -> list[str]:
    """What the systems behind -i are called."""
    given: list[str] | None = options.names
    paths: list[str] = options.input
    return given or (display_names(paths) if options.shortens_names else paths)


def usage(options: argparse.Namespace) -> str:
    """How a command is called: references, then systems behind -i."""
    kind = f" {options.kind}" if options.kind else ""  # of a picture
    return f"{options.program}{kind} REF [REF ...] -i SYS [SYS ...]"


def check_order(options: argparse.Namespace) -> None:
    """ValueError unless systems stand behind -i."""
    if options.ref is not None or not options.input:
        raise ValueError(f"references come first, and systems stand behind -i: {usage(options)}")

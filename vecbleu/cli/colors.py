"""Colors of words on terminals: the only escape codes that are printed, none of them from data."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import IO

from vecbleu.core.terminal import escaped

# Bold, for who can't tell the colors apart.
_CODES = {"better": "1;32", "worse": "1;31"}


class Marked(str):
    """A line of which a terminal shows some pieces in colors; elsewhere it is plain text."""

    __slots__ = ("pieces",)

    pieces: tuple[tuple[str, str], ...]

    def __new__(cls, pieces: Iterable[tuple[str, str]]) -> Marked:
        """A line of pieces, each with "better", "worse" or nothing."""
        pairs = tuple(pieces)
        line = super().__new__(cls, "".join(text for text, _ in pairs))
        line.pieces = pairs
        return line


def shown(line: str, stream: IO[str]) -> str:
    """A line as it is printed: escaped, piece by piece if it has colors there."""
    if not isinstance(line, Marked) or not has_colors(stream):
        return escaped(line)
    return "".join(_colored(escaped(text), mark) for text, mark in line.pieces)


def has_colors(stream: IO[str]) -> bool:
    """Whether colors are for this output: a terminal, and the user has not said no.

    NO_COLOR is a convention of many programs: https://no-color.org.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    # Windows' old console prints the codes.
    return not sys.platform.startswith("win") or "WT_SESSION" in os.environ


def _colored(text: str, mark: str) -> str:
    """Escaped text between codes."""
    return f"\x1b[{_CODES[mark]}m{text}\x1b[0m" if mark else text

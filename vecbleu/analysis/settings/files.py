"""Change the lines of files, and say how a shell makes the same change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args
from unicodedata import normalize

from vecbleu.text.edits import Normalize

# Pieces of words, and spaces beside punctuation, as Python and sed write them; and what is left.
_TOKENIZED = r"@@( |$)| ([].,:;!?%)])|(\() "
_JOINED = r"\2\3"
_JOIN = f"s/{_TOKENIZED}/{_JOINED}/g"

# Scripts of sed, with the first line that is left, and the end.
_LEFT: dict[str, tuple[int | None, int | None]] = {
    "1d": (1, None),
    "$d": (None, -1),
    "100q": (None, 100),
    "500q": (None, 500),
    "1000q": (None, 1000),
    "2000q": (None, 2000),
    _JOIN: (None, None),
}

# Scripts for the system, and for the references.
_SCRIPTS = [
    ("$d", "1d"),
    ("1d", "$d"),
    ("1d", "1d"),
    ("$d", "$d"),
    ("100q", "100q"),
    ("500q", "500q"),
    ("1000q", "1000q"),
    ("2000q", "2000q"),
    (_JOIN, _JOIN),
]


class File(NamedTuple):
    """A file: how a shell names it, its lines, and how a command reads it."""

    name: str
    lines: Sequence[str]
    encoding: str = "utf-8"
    normalize: Normalize | None = None
    reader: str = ""  # a command that prints the lines, if gzip can't

    @property
    def stream(self) -> str:
        """A command that prints the lines, in UTF-8."""
        return self.reader or f"gzip -cdf {self.name}"

    def edited(self, script: str) -> File:
        """Return what a script of sed makes of the lines."""
        start, end = _LEFT[script]
        lines = self.lines[start:end]
        if script == _JOIN:
            lines = [re.sub(_TOKENIZED, _JOINED, line) for line in lines]
        return File(f"<({self.stream} | sed -E '{script}')", lines)


def words_of(files: list[File]) -> str:
    """Return how a command names the files."""
    system, *references = files
    names = ""
    for file in references:
        names += f"{file.name} "
    words = f"{names}-i {system.name}"
    if system.normalize:
        words += f" --normalize {system.normalize}"
    return f"{words} -e {system.encoding}".removesuffix(" -e utf-8")


def changed_files(files: list[File]) -> Iterator[list[File]]:
    """Yield files that may have been scored instead of these, if their lines are different."""
    system, *references = files
    others = [pair for file in references for pair in ([system, file], [file, system])]
    for own, other in _SCRIPTS:
        others.append([system.edited(own), *(file.edited(other) for file in references)])
    for form in get_args(Normalize):
        normalized = [
            file._replace(lines=[normalize(form, line) for line in file.lines], normalize=form)
            for file in files
        ]
        others.append(normalized)
    seen = [[file.lines for file in files]]
    for changed in others:
        lines = [file.lines for file in changed]
        if all(lines) and lines not in seen:
            seen.append(lines)
            yield changed

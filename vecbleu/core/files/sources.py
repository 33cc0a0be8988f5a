"""Open text files: plain, gzip or standard input, in any encoding."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

Path = str | os.PathLike[str]

STANDARD_INPUT = "-"

_CALL_FOR_TEXT = "for text call vecbleu.statistics(hypotheses, references)"


class Source(NamedTuple):
    """A file with one segment a line, or several separated by tabs."""

    path: Path
    columns: int = 1  # 0: as many as the first line has
    encoding: str = "utf-8"


def expected_bytes(source: Source) -> int:
    """Estimate the bytes of a file's text: three times the size of a gzip file; 0 if unknown."""
    if source.path == STANDARD_INPUT:
        return 0
    try:
        size = os.stat(source.path).st_size
    except OSError:  # opening it will raise the error
        return 0
    return 3 * size if _is_compressed(os.fsdecode(source.path)) else size


def is_plain(source: Source) -> bool:
    """Return whether a file is uncompressed text in UTF-8."""
    return not _is_compressed(os.fsdecode(source.path)) and decoder_of(source.encoding) is None


def _is_compressed(name: str) -> bool:
    return name.endswith(".gz")


def open_stream(name: str) -> BinaryIO:
    """Open a file, a gzip file (by its ending), or standard input."""
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return sys.stdin.buffer
    if _is_compressed(name):
        import gzip  # takes 2 ms

        return gzip.open(name, "rb")  # type: ignore[return-value]
    return open(name, "rb", buffering=0)  # closed by its reader


def decoder_of(encoding: str) -> codecs.IncrementalDecoder | None:
    """Return an incremental decoder; None for UTF-8, which needs none."""
    try:
        "".encode(encoding)  # LookupError for unknown codecs and those of bytes, such as "hex"
        if codecs.lookup(encoding).name == "utf-8":
            return None
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, UnicodeError):
        raise ValueError(f"encoding is {encoding!r}, which Python can't decode") from None


def checked_paths(paths: Any, name: str) -> Sequence[Path]:
    """Return one path or several as a list."""
    if not isinstance(paths, (list, tuple)):
        return [checked_path(paths, name, " or a list of paths")]
    return [checked_path(path, f"{name}[{place}]") for place, path in enumerate(paths)]


def checked_path(path: Any, name: str, or_else: str = "") -> Any:
    """Return a path; FileNotFoundError with advice for a string that looks like text."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        advice = _CALL_FOR_TEXT
        if isinstance(getattr(path, "name", None), str):  # an open file
            advice = f"pass {name}.name"
        kind = type(path).__name__
        raise TypeError(f"{name} is {kind}, expected a path{or_else}; {advice}")
    looks_like_text = isinstance(path, str) and (len(path.split()) > 1 or "\0" in path)
    if looks_like_text and not os.path.exists(path):
        reason = f"{name} is not the path of a file; {_CALL_FOR_TEXT}"
        raise FileNotFoundError(errno.ENOENT, reason, path)
    return path

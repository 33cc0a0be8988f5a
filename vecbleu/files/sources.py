"""Open text files: plain, gzip or standard input, in any encoding."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, NamedTuple

from vecbleu.arguments.errors import ArgumentError, ArgumentFields, ArgumentTypeError, checked_each

Path = str | os.PathLike[str]

STANDARD_INPUT = "-"

_CALL_FOR_TEXT = "for text call statistics(hypotheses, references)"


class NotUtf8Error(ValueError):
    """Text is not UTF-8, the encoding that is expected."""


class NoPathError(ArgumentFields, FileNotFoundError):
    """There is no file of this name, which looks like text."""


class Source(NamedTuple):
    """A file with one segment a line, or several separated by tabs."""

    path: Path
    columns: int = 1  # 0: as many as the first line has
    encoding: str = "utf-8"
    is_stripped: bool = False  # of white space at the end of lines


def expected_bytes(source: Source) -> int:
    """Estimate the bytes of a file's text: three times those of a compressed file; 0 if unknown."""
    if source.path == STANDARD_INPUT:
        return 0
    try:
        size = os.stat(source.path).st_size
    except OSError:  # opening it will raise the error
        return 0
    return 3 * size if ending_of(source.path) in OPENERS else size


def stream_of(path: Path) -> tuple[int, int] | str | None:
    """Return what identifies a stream, such as a pipe; None for a file, which can be read twice."""
    try:
        status = os.fstat(0) if path == STANDARD_INPUT else os.stat(path)
    except OSError:  # opening it will raise the error
        return STANDARD_INPUT if path == STANDARD_INPUT else None
    is_file = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return None if is_file and path != STANDARD_INPUT else (status.st_dev, status.st_ino)


def check_reads(paths: Iterable[Path]) -> None:
    """Raise ValueError for a stream that is needed more than once; `paths` has each read."""
    streams: dict[object, list[str]] = {}
    for path in paths:
        if (stream := stream_of(path)) is not None:
            streams.setdefault(stream, []).append(label_of(os.fsdecode(path)))
    for labels in streams.values():
        if len(labels) > 1:
            raise ValueError(
                f"{', '.join(dict.fromkeys(labels))} is needed {len(labels)} times but can be read "
                "only once; write it to a file"
            )


def label_of(name: str) -> str:
    """Return the name of a file or stream in messages."""
    return "standard input" if name == STANDARD_INPUT else name


def _open_gzip(path: str) -> BinaryIO:
    import gzip  # which most files don't need

    return gzip.open(path, "rb")  # type: ignore[return-value]


# Opens compressed files, by their endings.
OPENERS = {".gz": _open_gzip}


def is_plain(source: Source) -> bool:
    """Return whether a file is uncompressed text in UTF-8."""
    return ending_of(source.path) not in OPENERS and decoder_of(source.encoding) is None


def ending_of(path: Path) -> str:
    """Return the ending of a file's name, such as ".gz"."""
    return os.path.splitext(os.fsdecode(path))[1]


def open_stream(name: str) -> BinaryIO:
    """Open a file, by its ending, or standard input."""
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return sys.stdin.buffer
    opener = OPENERS.get(ending_of(name))
    return open(name, "rb", buffering=0) if opener is None else opener(name)


def decoder_of(encoding: str) -> codecs.IncrementalDecoder | None:
    """Return an incremental decoder; None for UTF-8, which needs none."""
    try:
        "".encode(encoding)  # LookupError for unknown codecs and those of bytes, such as "hex"
        if codecs.lookup(encoding).name == "utf-8":
            return None
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, UnicodeError):
        found = f"is {encoding!r}, which Python can't decode"
        raise ArgumentError(found, argument="encoding") from None


def checked_paths(paths: Any) -> Sequence[Path]:
    """Return one path or several as a list."""
    if not isinstance(paths, (list, tuple)):
        return [checked_path(paths, " or a list of paths")]
    return checked_each(checked_path, paths)


def checked_path(path: Any, or_else: str = "") -> Any:
    """Return a path; FileNotFoundError with advice for a string that looks like text."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        advice = _CALL_FOR_TEXT
        if isinstance(getattr(path, "name", None), str):  # an open file
            advice = "pass {argument}.name"
        raise ArgumentTypeError(f"is {type(path).__name__}", f"a path{or_else}", advice)
    looks_like_text = isinstance(path, str) and (len(path.split()) > 1 or "\0" in path)
    if looks_like_text and not os.path.exists(path):
        raise NoPathError(f"is {path!r}, not the path of a file", advice=_CALL_FOR_TEXT)
    return path

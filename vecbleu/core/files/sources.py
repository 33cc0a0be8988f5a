"""What text is read from: plain and gzip files and standard input, of any encoding and size."""

from __future__ import annotations

import codecs
import os
import sys
from typing import BinaryIO

from vecbleu.core.records import dataclass

Path = str | os.PathLike[str]

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """A file and what each line of it holds: a segment, or several with tabs between."""

    path: Path
    columns: int = 1  # 0: as many as the first line has
    encoding: str = "utf-8"


def expected_bytes(source: Source) -> int:
    """The size of a file's text, about three times that of a gzip file; 0 if it is not known."""
    if source.path == STANDARD_INPUT:
        return 0
    try:
        size = os.stat(source.path).st_size
    except OSError:  # reading it will tell
        return 0
    return 3 * size if _is_compressed(os.fsdecode(source.path)) else size


def is_plain(source: Source) -> bool:
    """Whether a file's bytes are the text."""
    return not _is_compressed(os.fsdecode(source.path)) and decoder_of(source.encoding) is None


def _is_compressed(name: str) -> bool:
    """Whether a file is one of gzip."""
    return name.endswith(".gz")


def open_stream(name: str) -> BinaryIO:
    """Open a file, a gzip file (by its ending), or standard input."""
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return sys.stdin.buffer
    if _is_compressed(name):
        import gzip  # 2 ms, which other files need not wait for

        return gzip.open(name, "rb")  # type: ignore[return-value]
    return open(name, "rb", buffering=0)  # closed by its reader


def decoder_of(encoding: str) -> codecs.IncrementalDecoder | None:
    """What turns an encoding into text; nothing is to be done for UTF-8."""
    try:
        "".encode(encoding)  # LookupError for codecs from bytes to bytes as well
        if codecs.lookup(encoding).name == "utf-8":
            return None
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, UnicodeError):
        raise ValueError(f"encoding is {encoding!r}, which Python can't decode text by") from None

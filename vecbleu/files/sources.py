"""Name columns of tables, and open files: plain, gzip or standard input, in any encoding."""

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


# Formats of tables by the ending of a file: the module in `tables/` that reads each.
FORMATS = {
    "csv": "csv",
    "tsv": "csv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "arrow",
    "arrow": "arrow",
    "feather": "arrow",
    "xlsx": "xlsx",
    "xml": "xml",
    "sgm": "sgml",
    "sgml": "sgml",
}


class Source(NamedTuple):
    """A file with one segment a line, or several separated by tabs; or a column of a table."""

    path: Path
    columns: int = 1  # 0: as many as the first line has
    encoding: str = "utf-8"
    is_stripped: bool = False  # of white space at the end of lines
    table_format: str = ""  # of a table whose name has the ending of none
    has_labels: bool = False

    @property
    def file(self) -> str:
        """The path without the column."""
        return split_path(self.path)[0]

    @property
    def column(self) -> str:
        """The name of the column; empty if none is named."""
        return split_path(self.path)[1]

    @property
    def format(self) -> str:
        """The format of the table, one of `FORMATS`; empty for a file of text."""
        found = format_of(self.file)
        if self.column:
            return found or self._named_format()
        takes_tabs = self.has_labels or self.columns != 1
        return "" if found == "tsv" and takes_tabs else found

    def _named_format(self) -> str:
        """Return the given format of a table that may have any name."""
        if not self.table_format:
            found = f"{label_of(self.file)} has the ending of no table ({', '.join(FORMATS)})"
            raise ValueError(f"{os.fsdecode(self.path)}: {found}; write --table-format")
        return self.table_format


def format_of(file: str) -> str:
    """Return the format of a table, by its ending; empty for a file of text."""
    ending = ending_of(file.lower().removesuffix(".gz"))[1:]
    return ending if ending in FORMATS else ""


def split_path(path: Path | bytes) -> tuple[str, str]:
    """Return the file and the column of ``FILE#COLUMN``; a file of this very name has no column."""
    name = os.fsdecode(path)
    if os.path.exists(name):
        return name, ""
    file = name
    while "#" in file:
        file, _, _ = file.rpartition("#")
        if file == STANDARD_INPUT or os.path.exists(file):
            return file, name[len(file) + 1 :]
    return name, ""


def expected_bytes(source: Source) -> int:
    """Estimate the bytes of a file's text: three times those of a compressed file; 0 if unknown."""
    try:
        size = os.stat(source.file).st_size
    except OSError:  # opening it will raise the error
        return 0
    return 3 * size if ending_of(source.file) in OPENERS else size


def stream_of(path: Path) -> tuple[int, int] | str | None:
    """Return what identifies a stream, such as a pipe; None for a file, which can be read twice."""
    file, _ = split_path(path)
    is_input = file == STANDARD_INPUT
    try:
        status = os.stat(0 if is_input else file)
    except OSError:  # opening it will raise the error
        return STANDARD_INPUT if is_input else None
    is_file = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return None if is_file and not is_input else (status.st_dev, status.st_ino)


def files_read(paths: Iterable[Path]) -> list[str]:
    """Return the file of each path; a table once, since its columns are read together."""
    split = list(map(split_path, paths))
    tables = {file: column for file, column in split if column}
    return [*(file for file, column in split if not column), *tables]


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
    is_compressed = ending_of(source.file) in OPENERS
    return not (source.format or is_compressed or decoder_of(source.encoding))


def ending_of(file: str) -> str:
    """Return the ending of a file's name in lower case, such as ".gz"."""
    return os.path.splitext(file)[1].lower()


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
    file, _ = split_path(path)
    looks_like_text = len(file.split()) > 1 or "\0" in file
    if looks_like_text and not os.path.exists(file):
        raise NoPathError(f"is {path!r}, not the path of a file", advice=_CALL_FOR_TEXT)
    return path

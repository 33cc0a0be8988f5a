"""Read files of systems and references side by side, in blocks of whole lines."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np

from vecbleu.arguments.checks import BYTE_ORDER_MARK, MarkWarning, warn_caller
from vecbleu.arguments.errors import Line, Place
from vecbleu.files.sources import (
    STANDARD_INPUT,
    NotUtf8Error,
    Source,
    check_reads,
    decoder_of,
    label_of,
    open_stream,
)
from vecbleu.text.text import NEWLINE

# Files that are not text, by their first three bytes.
_FORMATS = {b"PAR": "Parquet", b"\xfd7z": "xz", b"(\xb5/": "zstd", b"BZh": "bzip2"}
_FORMATS |= {b"\x1f\x8b\x08": "gzip", b"PK\x03": "zip"}


# Bytes read from each file at a time; two files make a block as large as one of strings.
FILE_BLOCK_BYTES = 1 << 19


class FileColumn(NamedTuple):
    """Lines of a file, or one tab-separated field of each line."""

    name: str
    lines: bytes  # each ends with a newline


class LineBlock(NamedTuple):
    """Columns of lines from all files: line 7 of one file is beside line 7 of the others."""

    columns: list[FileColumn]
    lines: int  # of each column
    first: int  # number of the first line, from 1
    size: int  # bytes of these lines in the files

    def locate(self, unit: int) -> Place:
        """Return the file and line of a unit, for an error."""
        column, line = divmod(unit, self.lines)
        return self.columns[column].name, Line(self.first + line)


def read_lines(sources: Sequence[Source]) -> Generator[LineBlock]:
    """Yield blocks of lines, the same number of lines of each file; nothing without files.

    The last line of a file may lack its newline. ValueError if files have different numbers of
    lines, a line has a wrong number of columns, or a file is not text.
    """
    check_reads(source.path for source in sources)
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(contextlib.closing(_Lines(source))) for source in sources]
        bytes_before = 0
        while count := min((reader.available() for reader in readers), default=0):
            first = readers[0].taken + 1
            columns = [column for reader in readers for column in reader.take(count)]
            taken_bytes = sum(reader.taken_bytes for reader in readers)
            yield LineBlock(columns, count, first, taken_bytes - bytes_before)
            bytes_before = taken_bytes
        if any(reader.available() for reader in readers):
            counts = {reader.label: reader.count_all() for reader in readers}
            raise LineNumbersError(counts)


class LineNumbersError(ValueError):
    """Files that are read side by side have different numbers of lines; `counts` by file."""

    def __init__(self, counts: dict[str, int]) -> None:
        super().__init__(counts)
        self.counts = counts

    def __str__(self) -> str:
        totals = ", ".join(f"{label} has {count}" for label, count in self.counts.items())
        return f"different numbers of lines: {totals}"


class _Lines:
    """The lines of one file that have been read but not taken."""

    def __init__(self, source: Source) -> None:
        self.name = os.fsdecode(source.path)
        self.label = label_of(self.name)
        self.taken = 0  # lines
        self.taken_bytes = 0
        self._source = source
        self._columns = source.columns
        self._decoder = decoder_of(source.encoding)
        self._buffer = b""  # whole lines
        self._unfinished = b""  # the beginning of the next line
        self._buffered = 0  # lines in the buffer
        self._ended = False
        self._stream = open_stream(self.name)

    def close(self) -> None:
        """Close the file."""
        if self.name != STANDARD_INPUT:
            self._stream.close()

    def available(self) -> int:
        """Return how many lines can be taken now; 0 only at the end of the file.

        Read on until the buffer holds more than half a block. Files run out of lines at different
        times, and would otherwise be cut into blocks of a few lines.
        """
        while len(self._buffer) <= FILE_BLOCK_BYTES // 2 and not self._ended:
            self._read()
        return self._buffered

    def take(self, count: int) -> list[FileColumn]:
        """Take the next lines; return their columns, checked to be UTF-8."""
        if count == self._buffered:
            lines, self._buffer = self._buffer, b""
        else:
            newlines = np.flatnonzero(np.frombuffer(self._buffer, np.uint8) == NEWLINE)
            end = int(newlines[count - 1]) + 1
            lines, self._buffer = self._buffer[:end], self._buffer[end:]
        self._check_utf8(lines)
        source = self._source
        if not self.taken and lines.startswith(BYTE_ORDER_MARK.encode()):
            warn_caller(MarkWarning(self.label))
        splits = self._columns != 1 or source.is_stripped or (not source.columns and b"\t" in lines)
        columns = self._fields(lines) if splits else [lines]
        self._buffered -= count
        self.taken += count
        self.taken_bytes += len(lines)
        return [FileColumn(self.name, column) for column in columns]

    def count_all(self) -> int:
        """Read the file to its end, and return its number of lines."""
        while self.available():
            self.taken += self._buffered
            self._buffered = 0
            self._buffer = b""
        return self.taken

    def _fields(self, lines: bytes) -> list[bytes]:
        """Strip lines on the right and split them at tabs, as sacreBLEU does."""
        # If the number of fields is given, the last field keeps its tabs, as in sacreBLEU.
        most = self._source.columns - 1 if self._source.columns else -1
        rows = [line.rstrip().split("\t", most) for line in lines.decode().split("\n")[:-1]]
        if not self._source.columns:  # sacreBLEU strips the fields of all lines but the first
            first = not self.taken
            rows[first:] = [list(map(str.rstrip, row)) for row in rows[first:]]
        self._columns = self._columns or len(rows[0])
        for number, row in enumerate(rows, self.taken + 1):
            if len(row) != self._columns:
                raise ValueError(
                    f"{self.name}: line {number} has {len(row)} tab-separated fields, expected "
                    f"{self._columns}"
                )
        columns = zip(*rows, strict=True)
        return ["".join(f"{field}\n" for field in column).encode() for column in columns]

    def _read(self) -> None:
        """Read until there is another whole line or the file ends."""
        chunks = [self._unfinished]  # only the last one has newlines
        has_newline = False
        while not self._ended and not has_newline:
            encoded = self._next_chunk()
            chunk = self._recode(encoded)
            chunks.append(chunk)
            has_newline = b"\n" in chunk
            self._ended = not encoded
        data = b"".join(chunks)
        if self._ended:
            self._check_end(data)
            # A decoder may return a newline at the very end.
            if data and not data.endswith(b"\n"):
                data += b"\n"
        end = data.rfind(b"\n") + 1
        self._unfinished = data[end:]
        lines = data[:end]
        # Five times as fast as `bytes.count`.
        self._buffered += int(np.count_nonzero(np.frombuffer(lines, np.uint8) == NEWLINE))
        self._buffer += lines

    def _next_chunk(self) -> bytes:
        """Read the next bytes; an error names the file."""
        try:
            return self._stream.read(FILE_BLOCK_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise OSError(error.errno, error.strerror, self.name) from error
            line = self.taken + self._buffered + 1
            raise ValueError(
                f"{self.name}: damaged gzip data at or after line {line}: {error}"
            ) from error

    def _recode(self, data: bytes) -> bytes:
        """Convert bytes from the file's encoding to UTF-8; no bytes mean the end of the file."""
        if self._decoder is None:
            return data
        try:
            decoded = self._decoder.decode(data, final=not data)
        except UnicodeError as error:
            start, reason = getattr(error, "start", 0), getattr(error, "reason", error)
            decoded_data = getattr(error, "object", data)  # without a BOM
            line = self.taken + self._buffered + decoded_data.count(b"\n", 0, start) + 1
            raise ValueError(
                f"{self.name}: not {self._source.encoding} at or before line {line}: {reason}"
            ) from error
        return decoded.encode("utf-8", "surrogatepass")

    def _check_end(self, last: bytes) -> None:
        r"""Raise ValueError for a file whose lines end with \r alone: it would be a single line.

        A single \r may be part of a line. In a file with a newline, only newlines end lines.
        """
        returns = last.count(b"\r")
        has_newline = self.taken or self._buffered or b"\n" in last
        if returns > 1 and not has_newline:
            raise ValueError(
                f"{self.name}: {returns} carriage returns but no newline, so the file is one line; "
                "end its lines with newlines, such as by: tr '\\r' '\\n'"
            )

    def _check_utf8(self, lines: bytes) -> None:
        """Raise ValueError with path and line unless the bytes are UTF-8."""
        if lines.isascii():
            return
        try:
            lines.decode()
        except UnicodeDecodeError as error:
            kind = "" if self.taken else _FORMATS.get(lines[:3], "")
            if kind:
                advice = "expected text, or gzip in a file ending in .gz"
                raise ValueError(f"{self.name}: looks like {kind}; {advice}") from error
            line = self.taken + lines.count(b"\n", 0, error.start) + 1
            column = error.start - lines.rfind(b"\n", 0, error.start)
            raise NotUtf8Error(
                f"{self.name}: line {line} is not UTF-8 (0x{lines[error.start]:02x} at byte "
                f"{column} of the line); convert the file to UTF-8"
            ) from error

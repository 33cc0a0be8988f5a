"""Files read side by side, in blocks of whole lines, with constant memory."""

from __future__ import annotations

import contextlib
import gzip
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vecbleu.places import Place, find_place
from vecbleu.sources import STANDARD_INPUT, Source, decoder_of, is_plain, open_stream
from vecbleu.text import NEWLINE, Text


@dataclass(frozen=True, slots=True)
class Column:
    """Lines of a file, or one field of each.

    Another process gets their place instead, wherever there is one, and then reads them.
    """

    name: str
    lines: bytes
    place: Place | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.place is None:
            return Column, (self.name, self.lines)
        return _read_column, (self.name, self.place, len(self.lines))


def _read_column(name: str, place: Place, size: int) -> Column:
    """The same column in another process."""
    return Column(name, place.read(size), place)


@dataclass(frozen=True, slots=True)
class FileBlock:
    """The same lines of all files: column after column of file after file."""

    columns: list[Column]
    lines: int
    first: int  # number of the first line, from 1
    size: int  # bytes of the files that hold them

    def text(self) -> Text:
        """All lines of all columns as segments (columns * lines,)."""
        return Text.from_lines(b"".join([column.lines for column in self.columns]))

    def locate(self, unit: int) -> str:
        """Name a segment of the text, for an error."""
        column, line = divmod(unit, self.lines)
        return f"{self.columns[column].name}: line {self.first + line}"


def read_blocks(sources: Sequence[Source], block_bytes: int) -> Iterator[FileBlock]:
    """Yield the next lines of every file, as many of each.

    A file's last line may lack its newline. ValueError if the files differ in their numbers of
    lines, a line has another number of columns, or there is anything but text.
    """
    if (reads := [os.fsdecode(source.path) for source in sources].count(STANDARD_INPUT)) > 1:
        raise ValueError(f"standard input is needed {reads} times but can be read once")
    with contextlib.ExitStack() as stack:
        files = [
            stack.enter_context(contextlib.closing(_Lines(source, block_bytes)))
            for source in sources
        ]
        while count := min(file.available() for file in files):
            first, before = files[0].taken + 1, sum(file.start for file in files)
            columns = [column for file in files for column in file.take(count)]
            yield FileBlock(columns, count, first, sum(file.start for file in files) - before)
        if any(file.available() for file in files):
            raise ValueError(_describe_counts(files))


def _describe_counts(files: Sequence[_Lines]) -> str:
    """Name every file's number of lines, and the first line that misses its partners."""
    taken = files[0].taken
    longest = next(file for file in files if file.available())
    totals = ", ".join(f"{file.name} has {file.count_all()}" for file in files)
    return (
        f"different numbers of lines: {totals}; line {taken + 1} of {longest.name} has no partner"
    )


class _Lines:
    """The lines of one file that are read and not yet taken."""

    def __init__(self, source: Source, block_bytes: int) -> None:
        self.name = os.fsdecode(source.path)
        self.taken = 0
        self._columns = source.columns
        self._guessed = not source.columns
        self._encoding = source.encoding
        self._decoder = decoder_of(source.encoding)
        self._is_plain = is_plain(source)
        self._block_bytes = block_bytes
        self._buffer = b""  # whole lines
        self._rest = b""  # the line begun after them
        self._lines = 0  # in the buffer
        self._ended = False
        self.start = 0  # of the buffer in the text
        self._stream = open_stream(self.name)
        self._place = self._find_place()

    def _find_place(self) -> Place | None:
        """The beginning of the file, if its bytes are the text."""
        if not self._is_plain or self.name == STANDARD_INPUT:
            return None
        return find_place(self.name, self._stream.fileno())

    def close(self) -> None:
        """Close the file."""
        if self.name != STANDARD_INPUT:
            self._stream.close()

    def available(self) -> int:
        """Number of lines that can be taken now; 0 at the end of the file only.

        At least half a block is kept, so that files of different line lengths, which never run
        out of lines together, do not end up in blocks of a few lines.
        """
        while len(self._buffer) <= self._block_bytes // 2 and not self._ended:
            self._read()
        return self._lines

    def take(self, count: int) -> list[Column]:
        """The columns of the next lines, checked to be UTF-8."""
        if count == self._lines:
            lines, self._buffer = self._buffer, b""
        else:
            end = _end_of_line(self._buffer, count)
            lines, self._buffer = self._buffer[:end], self._buffer[end:]
        self._check(lines)
        if self._columns == 1 and not (self._guessed and b"\t" in lines):
            place = self._place and replace(self._place, start=self.start)
            columns = [Column(self.name, lines, place)]
        else:
            columns = [Column(self.name, column) for column in self._split(lines)]
        self._lines -= count
        self.taken += count
        self.start += len(lines)
        return columns

    def _split(self, lines: bytes) -> list[bytes]:
        """Split lines, less their trailing white space as sacreBLEU has it, at the tabs."""
        most = -1 if self._guessed else self._columns - 1  # the rest is one field, as sacreBLEU's
        rows = [line.rstrip().split("\t", most) for line in lines.decode().split("\n")[:-1]]
        self._columns = self._columns or len(rows[0])
        for number, row in enumerate(rows, self.taken + 1):
            if len(row) != self._columns:
                raise ValueError(
                    f"{self.name}: line {number} has {len(row)} fields with tabs between, expected "
                    f"{self._columns}"
                )
        columns = zip(*rows, strict=True)
        return ["".join(f"{field}\n" for field in column).encode() for column in columns]

    def count_all(self) -> int:
        """Number of lines of the whole file; reads it to its end."""
        while self.available():
            self.taken += self._lines
            self._lines, self._buffer = 0, b""
        return self.taken

    def _read(self) -> None:
        """Read blocks until there is another whole line or the file ends."""
        chunks = [self._next_chunk()]
        while chunks[-1] and b"\n" not in chunks[-1]:
            chunks.append(self._next_chunk())
        data = b"".join([self._rest, *chunks])
        self._ended = not chunks[-1]
        if self._ended and self._place is not None:
            self._place.check(self._stream.fileno())
        if self._ended and data:
            data += b"\n"
        end = data.rfind(b"\n") + 1
        self._buffer, self._rest = self._buffer + data[:end], data[end:]
        self._lines += data.count(b"\n")

    def _next_chunk(self) -> bytes:
        """Read the next bytes, as UTF-8; an error of the compressed stream names the file."""
        try:
            return self._recode(self._stream.read(self._block_bytes))
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            line = self.taken + self._lines + 1
            raise ValueError(
                f"{self.name}: damaged gzip data at or after line {line}: {error}"
            ) from error

        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from error

    def _recode(self, data: bytes) -> bytes:
        """Bytes of the file's encoding as UTF-8; nothing only at the end of the file."""
        if self._decoder is None:
            return data
        try:
            decoded = self._decoder.decode(data, final=not data)
            while data and not decoded:  # a few bytes of a longer character
                data = self._stream.read(self._block_bytes)
                decoded = self._decoder.decode(data, final=not data)
        except UnicodeError as error:
            start, reason = getattr(error, "start", 0), getattr(error, "reason", error)
            line = self.taken + self._lines + data.count(b"\n", 0, start) + 1
            raise ValueError(
                f"{self.name}: not {self._encoding} at or before line {line}: {reason}"
            ) from error
        return decoded.encode("utf-8", "surrogatepass")

    def _check(self, lines: bytes) -> None:
        """Raise ValueError with path and line unless the bytes are UTF-8."""
        if lines.isascii():
            return
        try:
            lines.decode()
        except UnicodeDecodeError as error:
            line = self.taken + lines.count(b"\n", 0, error.start) + 1
            column = error.start - lines.rfind(b"\n", 0, error.start)
            raise ValueError(
                f"{self.name}: line {line} is not UTF-8: {error.reason} "
                f"(0x{lines[error.start]:02x} at byte {column} of the line)"
            ) from error


def _end_of_line(data: bytes, count: int) -> int:
    """Where the given number of lines ends."""
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == NEWLINE)
    return int(newlines[count - 1]) + 1

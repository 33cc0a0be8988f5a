"""Files read side by side, in blocks of whole lines, with constant memory."""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np

from vecbleu.text import NEWLINE, Text

Path = str | os.PathLike[str]

STANDARD_INPUT = "-"


def read_blocks(paths: Sequence[Path], block_bytes: int) -> Iterator[Text]:
    """Yield the next lines of every file, as many of each, as one text: file after file.

    A file's last line may lack its newline. ValueError if the files differ in their numbers of
    lines or hold anything but UTF-8.
    """
    if (reads := [os.fsdecode(path) for path in paths].count(STANDARD_INPUT)) > 1:
        raise ValueError(f"standard input is needed {reads} times but can be read once")
    with contextlib.ExitStack() as stack:
        files = [
            stack.enter_context(contextlib.closing(_Lines(path, block_bytes))) for path in paths
        ]
        while True:
            count = min(file.available() for file in files)
            if not count:
                break
            yield Text.from_lines(b"".join([file.take(count) for file in files]))
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

    def __init__(self, path: Path, block_bytes: int) -> None:
        self.name = os.fsdecode(path)
        self.taken = 0
        self._block_bytes = block_bytes
        self._buffer = b""  # whole lines
        self._rest = b""  # the line begun after them
        self._lines = 0  # in the buffer
        self._ended = False
        self._stream = _open(self.name)

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

    def take(self, count: int) -> bytes:
        """The next lines, checked to be UTF-8."""
        if count == self._lines:
            lines, self._buffer = self._buffer, b""
        else:
            end = _end_of_line(self._buffer, count)
            lines, self._buffer = self._buffer[:end], self._buffer[end:]
        self._check(lines)
        self._lines -= count
        self.taken += count
        return lines

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
        if self._ended and data:
            data += b"\n"
        end = data.rfind(b"\n") + 1
        self._buffer, self._rest = self._buffer + data[:end], data[end:]
        self._lines += data.count(b"\n")

    def _next_chunk(self) -> bytes:
        """Read the next bytes; an error of the compressed stream names the file."""
        try:
            return self._stream.read(self._block_bytes)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            line = self.taken + self._lines + 1
            raise ValueError(
                f"{self.name}: damaged gzip data at or after line {line}: {error}"
            ) from error

        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from error

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


def _open(name: str) -> BinaryIO:
    """Open a file, a gzip file (by its ending), or standard input."""
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return sys.stdin.buffer
    if name.endswith(".gz"):
        return gzip.open(name, "rb")  # type: ignore[return-value]
    return open(name, "rb", buffering=0)  # closed by read_blocks


def _end_of_line(data: bytes, count: int) -> int:
    """Where the given number of lines ends."""
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == NEWLINE)
    return int(newlines[count - 1]) + 1

"""Read files of systems and references side by side, in blocks of whole lines."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from vecbleu.arguments.checks import BYTE_ORDER_MARK, MarkWarning, warn_caller
from vecbleu.arguments.errors import Line, Place
from vecbleu.files import text
from vecbleu.files.cells import read_cells
from vecbleu.files.sources import (
    STANDARD_INPUT,
    Source,
    check_reads,
    files_read,
    label_of,
    open_stream,
)
from vecbleu.text.text import NEWLINE


class FileColumn(NamedTuple):
    """Lines of a file, one tab-separated field of each line, or cells of a table."""

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
    check_reads(files_read(source.path for source in sources))
    with contextlib.ExitStack() as stack:
        files = map(contextlib.closing, map(_Lines, _by_file(sources)))
        readers = list(map(stack.enter_context, files))
        first = 1
        while count := min((reader.available() for reader in readers), default=0):
            taken: dict[int, list[FileColumn]] = {}
            for reader in readers:
                taken |= reader.take(count)
            columns = [column for index in sorted(taken) for column in taken[index]]
            size = sum(len(column.lines) for column in columns)
            yield LineBlock(columns, count, first, size)
            first += count
        if any(reader.available() for reader in readers):
            counts = {reader.label: reader.count_all() for reader in readers}
            raise LineNumbersError(counts)


def _by_file(sources: Sequence[Source]) -> Iterable[dict[int, Source]]:
    """Return the sources of each file, by their indices: columns of a table are read at once."""
    files: dict[object, dict[int, Source]] = {}
    for index, source in enumerate(sources):
        files.setdefault(source.file if source.format else index, {})[index] = source
    return files.values()


class LineNumbersError(ValueError):
    """Files that are read side by side have different numbers of lines; `counts` by file."""

    def __init__(self, counts: dict[str, int]) -> None:
        super().__init__(counts)
        self.counts = counts

    def __str__(self) -> str:
        totals = ", ".join(f"{label} has {count}" for label, count in self.counts.items())
        return f"different numbers of lines: {totals}"


class _Lines:
    """The lines of one file that have been read but not taken, or those of columns of a table."""

    def __init__(self, sources: dict[int, Source]) -> None:
        source, *_ = sources.values()
        self.label = label_of(source.file)
        self._columns = {index: _Column(source) for index, source in sources.items()}
        self._taken = 0
        self._buffered = 0
        self._stream = open_stream(source.file)
        if source.format:
            self._blocks = read_cells(self._stream, list(sources.values()))
        else:
            self._blocks = text.read_text(self._stream, source)

    def close(self) -> None:
        """Close the file."""
        if self.label != label_of(STANDARD_INPUT):
            self._stream.close()

    def available(self) -> int:
        """Return how many lines can be taken now; 0 only at the end of the file.

        Read on until the buffers hold more than half a block. Files run out of lines at different
        times, and would otherwise be cut into blocks of a few lines.
        """
        columns = self._columns.values()
        enough = text.FILE_BLOCK_BYTES // 2 * len(columns)
        while sum(len(column.buffer) for column in columns) <= enough:
            block = next(self._blocks, None)
            if block is None:
                break
            count, lines = block
            self._buffered += count
            for column, more in zip(columns, lines, strict=True):
                column.buffer += more
        return self._buffered

    def take(self, count: int) -> dict[int, list[FileColumn]]:
        """Take the next lines; return the columns of each source, by its index."""
        takes_all = count == self._buffered
        self._buffered -= count
        self._taken += count
        return {index: column.take(count, takes_all) for index, column in self._columns.items()}

    def count_all(self) -> int:
        """Read the file to its end, and return its number of lines."""
        while count := self.available():
            self.take(count)
        return self._taken


class _Column:
    """The lines of a source that have been read but not taken; cut at tabs when they are taken."""

    def __init__(self, source: Source) -> None:
        self.buffer = b""  # whole lines
        self._name = os.fsdecode(source.path)
        self._source = source
        self._fields = source.columns  # of each line
        self._taken = 0

    def take(self, count: int, is_all: bool) -> list[FileColumn]:
        """Take the next lines, or all; return their columns."""
        end = len(self.buffer)
        if not is_all:
            newlines = np.flatnonzero(np.frombuffer(self.buffer, np.uint8) == NEWLINE)
            end = int(newlines[count - 1]) + 1
        lines = self.buffer[:end]
        self.buffer = self.buffer[end:]
        source = self._source
        if not (lines.isascii() or source.format):
            text.decoded(lines, self._name, self._taken)
        if not self._taken and lines.startswith(BYTE_ORDER_MARK.encode()):
            warn_caller(MarkWarning(label_of(self._name)))
        splits = self._fields != 1 or source.is_stripped or (not source.columns and b"\t" in lines)
        columns = self._cut(lines) if splits else [lines]
        self._taken += count
        return [FileColumn(self._name, column) for column in columns]

    def _cut(self, lines: bytes) -> list[bytes]:
        """Strip lines on the right and split them at tabs, as sacreBLEU does."""
        # If the number of fields is given, the last field keeps its tabs, as in sacreBLEU.
        most = self._source.columns - 1 if self._source.columns else -1
        listed = lines.decode().split("\n")[:-1]
        if self._source.format:  # the last of several cells may be empty
            rows = [list(map(str.rstrip, line.split("\t", most))) for line in listed]
        else:
            rows = [line.rstrip().split("\t", most) for line in listed]
        if not self._source.columns:  # sacreBLEU strips the fields of all lines but the first
            first = not self._taken
            rows[first:] = [list(map(str.rstrip, row)) for row in rows[first:]]
        self._fields = self._fields or len(rows[0])
        for number, row in enumerate(rows, self._taken + 1):
            if len(row) != self._fields:
                raise ValueError(
                    f"{self._name}: line {number} has {len(row)} tab-separated fields, expected "
                    f"{self._fields}"
                )
        columns = zip(*rows, strict=True)
        return ["".join(f"{field}\n" for field in column).encode() for column in columns]

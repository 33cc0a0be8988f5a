"""Join the lines of each document, to score whole documents."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Sequence
from itertools import pairwise

from vecbleu.arguments.errors import ArgumentError, Line
from vecbleu.files.lines import FileColumn, LineBlock
from vecbleu.inputs.documents import first_segments


def joined_lines(blocks: Iterable[LineBlock]) -> Generator[LineBlock]:
    """Join lines of the same document by spaces; the last column has the document of each line."""
    ended: set[Hashable] = set()
    columns: list[FileColumn] = []  # the lines of the last document, which may go on
    joined, size = 0, 0
    for block in blocks:
        size += block.size
        if columns:
            pairs = zip(columns, block.columns, strict=True)
            columns = [FileColumn(old.name, old.lines + new.lines) for old, new in pairs]
        else:
            columns = block.columns
        path, lines = columns[-1]
        documents = lines.decode().split("\n")[:-1]
        first = block.first + block.lines - len(documents)
        try:
            starts = first_segments(documents, ended)
        except ArgumentError as error:
            error.index = (Line(first + error.index[0]),)
            error.add_name(path)
            raise
        count = len(starts) - 1  # documents that have ended
        if count:
            whole = [_joined(column, starts) for column in columns[:-1]]
            yield LineBlock(whole, count, joined + 1, size)
            joined += count
            size = 0
            columns = [_rest(column, starts[-1]) for column in columns]
    if columns:
        whole = [_joined(column, [0, None]) for column in columns[:-1]]
        yield LineBlock(whole, 1, joined + 1, size)


def _joined(column: FileColumn, bounds: Sequence[int | None]) -> FileColumn:
    """Join the lines between each two bounds."""
    lines = column.lines.split(b"\n")[:-1]
    parts = [b" ".join(lines[slice(*pair)]) + b"\n" for pair in pairwise(bounds)]
    return column._replace(lines=b"".join(parts))


def _rest(column: FileColumn, first: int) -> FileColumn:
    """Leave out the lines before this one."""
    return column._replace(lines=column.lines.split(b"\n", first)[-1])

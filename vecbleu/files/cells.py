"""Read columns of a table, of any format, as lines: one a cell."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain, islice
from operator import itemgetter
from textwrap import shorten
from typing import Any, BinaryIO

from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import InputWarning
from vecbleu.files.sources import FORMATS, Source, open_stream, stream_of

# What looks like the name of a column.
_NAME = re.compile(r"(\w+([ _.:-]\w+)?)?")

# Rows of a block, as many as have so many cells.
_CELLS = 4096


def read_cells(stream: BinaryIO, sources: Sequence[Source]) -> Generator[tuple[int, list[bytes]]]:
    """Yield the next cells of the columns that the sources name, each as a line of UTF-8.

    Before them stands the number of rows. A module in `tables/` reads each format: its function
    `read` yields blocks of cells, a list for each column.
    """
    first = 1  # number of the first row of a block
    for block in _blocks(stream, sources):
        rows = len(block[0])
        yield rows, [_lines(*column, first) for column in zip(sources, block, strict=True)]
        first += rows


def with_texts(source: Source) -> Source:
    """Return a source with as many columns as the first cell of its table has texts."""
    if source.columns == 1 and source.format and not stream_of(source.path):
        with open_stream(source.file) as stream:
            ((first, *_),) = next(_blocks(stream, [source]), [[""]])
        if isinstance(first, list):
            return source._replace(columns=max(1, len(first) - first.count(None)))
    return source


def _blocks(stream: BinaryIO, sources: Sequence[Source]) -> Iterator[list[list[Any]]]:
    """Read the columns of a table that the sources name, by the module of its format."""
    source = sources[0]
    module: Any = import_module(f"vecbleu.files.tables.{FORMATS[source.format]}")
    blocks: Iterator[list[list[Any]]]
    blocks = module.read(stream, source, [source.column for source in sources])
    return blocks


def seekable(stream: BinaryIO) -> BinaryIO:
    """Return a stream, such as a pipe, as a file in which a reader can go back."""
    if stream.seekable():
        return stream
    from shutil import copyfileobj  # these take milliseconds, which every program would wait
    from tempfile import TemporaryFile

    spool = TemporaryFile()  # noqa: SIM115  # closed, and gone, when nothing refers to it
    copyfileobj(stream, spool)
    spool.seek(0)
    return spool


def check_columns(names: Sequence[str], columns: Iterable[str], file: str) -> None:
    """Raise ValueError unless each column is one of the names; it lists them."""
    for column in columns:
        count = names.count(column)
        if count != 1 or not column:
            found = f"has {count} columns {column!r}" if column else "is a table"
            listed = shorten(str(names), 1000, placeholder=" ...")
            raise ValueError(f"{file} {found}; write '{file}#COLUMN' with one of {listed}")


def cells_of_rows(
    rows: Iterator[list[str]], source: Source, columns: Sequence[str]
) -> Generator[list[list[str]]]:
    """Yield blocks of a table of rows, of which the first has the names of columns.

    If all columns are numbers, and not all of them names, then the first row has cells, too.
    Blank rows are left out; in a table of one column, they are empty texts.
    """
    first_rows: list[list[str]] = []
    for row in rows:
        first_rows.append(row)
        if row:
            break
    names = first_rows[-1] if first_rows else []
    size = len(names)
    if all(map(str.isdecimal, columns)) and not set(columns) <= set(names):
        if all(map(_NAME.fullmatch, names)):
            found = f"is read without names, since columns are numbers: its first row is {names}"
            warn_caller(InputWarning(f"{source.file} {found}", advice="write names instead"))
        rows = chain(first_rows, rows)
        names = list(map(str, range(1, size + 1)))
    check_columns(names, columns, source.file)
    chosen = [itemgetter(names.index(column)) for column in columns]
    first = 1  # number of the first row of a block
    while block := list(islice(rows, max(1, _CELLS // size))):
        block = [row or [""] for row in block if row or size == 1]
        for number, row in enumerate(block, first):
            if len(row) != size:
                found = f"data row {number} has {len(row)} cells, expected {size}"
                raise ValueError(f"{source.file}: {found}")
        if block:
            yield [list(map(column, block)) for column in chosen]
        first += len(block)


def cells_of_records(
    blocks: Iterable[list[dict[str, Any]]], source: Source, columns: Sequence[str]
) -> Generator[list[list[Any]]]:
    """Yield blocks of a table of records, of which the first has the names of columns."""
    names: list[str] = []
    for records in filter(None, blocks):
        names = names or list(records[0])
        check_columns(names, columns, source.file)
        yield [[record.get(column) for record in records] for column in columns]


def _lines(source: Source, cells: Sequence[Any], first: int) -> bytes:
    """Return a line for each cell; line breaks in a cell become spaces."""
    try:
        text = "\n".join([*cells, ""])
    except TypeError:  # some are no strings
        texts = [_text_of(source, cell, row) for row, cell in enumerate(cells, first)]
        return _lines(source, texts, first)
    if text.count("\n") != len(cells):
        text = "".join(cell.replace("\n", " ") + "\n" for cell in cells)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        row = first + text.count("\n", 0, error.start)
        raise _cell_error(source, row, f"has {text[error.start]!r}, half a character") from None


def _text_of(source: Source, cell: object, row: int) -> str:
    """Return the text of a cell, or its references, with tabs between them."""
    if not isinstance(cell, list):
        return _plain(source, cell, row)
    texts = [_plain(source, text, row).replace("\t", " ") for text in cell if text is not None]
    if len(texts) != source.columns:
        raise _cell_error(source, row, f"has {len(texts)} texts, expected {source.columns} (-nr)")
    return "\t".join(texts)


def _plain(source: Source, value: object, row: int) -> str:
    """Return a text, or a number as text; NaN is none."""
    if isinstance(value, (str, int, float)) and value == value and not isinstance(value, bool):
        return str(value)
    found = "null or missing" if value is None else f"{value!r}, expected text"
    raise _cell_error(source, row, f"is {found}")


def _cell_error(source: Source, row: int, found: str) -> ValueError:
    """Return the error of a cell; rows are counted from 1, without a header."""
    return ValueError(f"{source.file}: data row {row}, column {source.column!r} {found}")

"""Read the first sheet of a workbook; values of formulas are those that were saved."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, BinaryIO

from vecbleu.arguments.checks import import_extra
from vecbleu.files.cells import cells_of_rows, seekable
from vecbleu.files.sources import Source


def read(stream: BinaryIO, source: Source, columns: Sequence[str]) -> Generator[list[list[Any]]]:
    """Yield the cells of columns, block by block."""
    return cells_of_rows(_rows(stream, source), source, columns)


def _rows(stream: BinaryIO, source: Source) -> Generator[list[str]]:
    """Yield the cells of each row as strings; none of a blank row."""
    (openpyxl,) = import_extra("spreadsheets need", "tables", "openpyxl")
    try:
        stream = seekable(stream)
        sheet = openpyxl.load_workbook(stream, read_only=True, data_only=True).worksheets[0]
        for cells in sheet.iter_rows(values_only=True):
            row = ["" if cell is None else str(cell) for cell in cells]
            yield row if any(row) else []
    except Exception as error:  # of zipfile, zlib, openpyxl or its parser of XML
        raise ValueError(f"{source.file} is damaged, or not xlsx: {error!r}") from None

"""Read CSV and TSV by Python's csv module; quotes that it would guess about are errors."""

from __future__ import annotations

import csv
from collections.abc import Generator, Sequence
from io import StringIO
from typing import Any, BinaryIO

from vecbleu.files.cells import cells_of_rows
from vecbleu.files.sources import Source
from vecbleu.files.text import read_unmarked

_DELIMITERS = {"csv": ",", "tsv": "\t"}


def read(stream: BinaryIO, source: Source, columns: Sequence[str]) -> Generator[list[list[Any]]]:
    """Yield the cells of columns, block by block."""
    chunks = read_unmarked(stream, source)
    lines = (line for text in chunks for line in StringIO(text, newline=""))
    rows = csv.reader(lines, delimiter=_DELIMITERS[source.format], strict=True)
    try:
        yield from cells_of_rows(rows, source, columns)
    except csv.Error as error:
        raise ValueError(f"{source.file}: line {rows.line_num}: {error}") from None

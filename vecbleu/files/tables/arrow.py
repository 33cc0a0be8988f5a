"""Read Parquet, and files and streams of Arrow; dots lead to fields of structs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, BinaryIO

from vecbleu.arguments.checks import import_extra
from vecbleu.files.cells import check_columns, seekable
from vecbleu.files.sources import Source

# Rows of a block.
_ROWS = 1024


def read(stream: BinaryIO, source: Source, columns: list[str]) -> Generator[list[list[Any]]]:
    """Yield the cells of columns, block by block."""
    for table in _tables(stream, source, columns):
        check_columns(table.column_names, columns, source.file)
        for rows in table.select(columns).to_batches(_ROWS):
            yield [column.to_pylist() for column in rows.columns]


def _tables(stream: BinaryIO, source: Source, columns: list[str]) -> Generator[Any]:
    """Yield an empty table with all columns, then tables with at least these columns."""
    modules = "pyarrow", "pyarrow.ipc", "pyarrow.parquet"
    arrow, ipc, parquet = import_extra("Parquet and Arrow need", "tables", *modules)
    batches: Iterable[Any]
    stream = seekable(stream)
    try:
        if source.format == "parquet":
            file = parquet.ParquetFile(stream, pre_buffer=False)  # or it holds a whole row group
            schema = file.schema_arrow
            batches = file.iter_batches(_ROWS, columns=columns)
        else:
            is_file = stream.read(6) == b"ARROW1"
            stream.seek(0)
            reader = ipc.open_file(stream) if is_file else ipc.open_stream(stream)
            schema = reader.schema
            batches = map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader
        yield schema.empty_table().flatten()
        for batch in batches:
            yield arrow.Table.from_batches([batch]).flatten()
    except (arrow.ArrowException, OSError) as error:
        raise ValueError(f"{source.file} is damaged, or not {source.format}: {error}") from None

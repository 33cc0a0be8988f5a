"""Read JSON Lines: an object a line, in which dots lead to fields of objects inside."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from typing import Any, BinaryIO, NoReturn

from vecbleu.files.cells import cells_of_records
from vecbleu.files.sources import Source
from vecbleu.files.text import read_unmarked


def _unlike(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object; ValueError for a name that it has twice."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"it has {name!r} {names.count(name)} times")
    return dict(pairs)


# Numbers are texts as they are written.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_fields, parse_float=str, parse_int=str, parse_constant=_unlike
)


def read(stream: BinaryIO, source: Source, columns: Sequence[str]) -> Generator[list[list[Any]]]:
    """Yield the cells of columns, block by block."""
    return cells_of_records(_records(stream, source), source, columns)


def _records(stream: BinaryIO, source: Source) -> Generator[list[dict[str, Any]]]:
    first = 1  # number of the first line of a block
    for lines in read_unmarked(stream, source):
        records: list[dict[str, Any]] = []
        for line in lines.split("\n")[:-1]:
            try:
                records.append(_flat(_DECODER.decode(line)))
            except (ValueError, RecursionError, AttributeError) as error:
                row = first + len(records)
                raise ValueError(
                    f"{source.file}: line {row} is no object of JSON: {error}"
                ) from None
        yield records
        first += len(records)


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return all fields by the names that lead to them, with dots between these."""
    fields: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            inside = _flat(value).items()
            fields |= {f"{name}.{within}": cell for within, cell in inside}
        else:
            fields[name] = value
    return fields

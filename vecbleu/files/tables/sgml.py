"""Read WMT's older SGML: columns seg and doc, of all segments in their order."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from html import unescape
from typing import Any, BinaryIO

from vecbleu.files.cells import cells_of_records
from vecbleu.files.sources import Source
from vecbleu.files.text import read_unmarked

# The beginning of a document, with its name; or a segment.
_PARTS = re.compile(
    r"""<doc\b(?:[^>]*\bdocid\s*=\s*["']?([^"'>]*))?[^>]*>|<seg\b[^>]*>(.*?)</seg\s*>""",
    re.IGNORECASE | re.DOTALL,
)
_ENTITY = re.compile(r"&#?\w+;")


def read(stream: BinaryIO, source: Source, columns: Sequence[str]) -> Generator[list[list[Any]]]:
    """Yield the cells of columns, block by block."""
    return cells_of_records(_records(stream, source), source, columns)


def _records(stream: BinaryIO, source: Source) -> Generator[list[dict[str, Any]]]:
    rest = ""  # which has no end of a segment
    document = None
    for text in read_unmarked(stream, source):
        data = rest + text
        end = 0
        records = []
        for part in _PARTS.finditer(data):
            end = part.end()
            name, segment = part.groups()
            if segment is None:
                document = name
            else:
                plain = _ENTITY.sub(lambda entity: unescape(entity[0]), segment.strip())
                records.append({"seg": plain, "doc": document})
        rest = data[end:]
        yield records
    if "<seg" in rest.lower():
        raise ValueError(f"{source.file} ends within a segment")

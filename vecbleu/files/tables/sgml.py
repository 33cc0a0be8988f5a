"""Read WMT's older SGML: columns seg and doc, of all segments in their order."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from html import unescape
from typing import Any, BinaryIO

from vecbleu.files.cells import cells_of_records
from vecbleu.files.sources import Source
from vecbleu.files.text import read_unmarked

# A comment; the beginning of a document, with its name; or a segment, which may be empty.
_PARTS = re.compile(
    r"<!--.*?-->"
    r"""|<doc\b(?:[^<>]*\bdocid\s*=\s*["']?([^"'<>]*))?[^<>]*>"""
    r"|<seg\b(?:[^<>]*/>|[^<>]*>(.*?)</seg\s*>)",
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
        comment = data.rfind("<!--")
        whole = comment if data.find("-->", comment) < 0 <= comment else len(data)
        for part in _PARTS.finditer(data, 0, whole):
            end = part.end()
            if part[0].startswith("<!"):
                continue
            if part[0][:4].lower() == "<doc":
                document = part[1]
                continue
            segment = (part[2] or "").strip()
            if "<seg" in segment.lower():
                found = f"a segment of document {document!r} has no end: {segment:.40}"
                raise ValueError(f"{source.file}: {found}")
            plain = _ENTITY.sub(lambda entity: unescape(entity[0]), segment)
            records.append({"seg": plain, "doc": document})
        rest = data[end:]
        yield records
    if "<seg" in rest.lower():
        raise ValueError(f"{source.file} ends within a segment")

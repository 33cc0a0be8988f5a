"""Read WMT's XML: columns src, ref:A, hyp:SYSTEM, doc, and all attributes of documents."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, BinaryIO
from xml.etree import ElementTree

from vecbleu.files.cells import cells_of_records
from vecbleu.files.sources import Source
from vecbleu.files.text import read_unmarked


def read(stream: BinaryIO, source: Source, columns: Sequence[str]) -> Generator[list[list[Any]]]:
    """Yield the cells of columns, block by block."""
    return cells_of_records(_records(stream, source), source, columns)


def _records(stream: BinaryIO, source: Source) -> Generator[list[dict[str, Any]]]:
    """Yield the segments of each document."""
    parser: Any = ElementTree.XMLPullParser(["end"])
    try:
        for text in read_unmarked(stream, source):
            if "<!DOCTYPE" in text:  # only there, entities can be declared
                raise ValueError(f"{source.file} has a DOCTYPE, which is not read")
            parser.feed(text)
            for _, element in parser.read_events():
                if element.tag == "doc":
                    yield _segments(element, source.file)
                    element.clear()
        parser.close()
    except ElementTree.ParseError as error:
        raise ValueError(f"{source.file} is not XML: {error}") from None


def _segments(document: ElementTree.Element, file: str) -> list[dict[str, Any]]:
    """Return the segments of a document, with a text of each side."""
    name = document.get("id")
    segments: dict[str | None, dict[str, Any]] = {}
    for side in document:
        maker = side.get("translator") or side.get("system")
        column = f"{side.tag}:{maker}" if maker else side.tag
        for segment in side.iter("seg"):
            number = segment.get("id")
            texts = segments.setdefault(number, {**document.attrib, "doc": name})
            if column in texts:
                raise ValueError(
                    f"{file}: document {name!r} has segment {number} of {column} twice"
                )
            texts[column] = "".join(segment.itertext()).strip()
    return list(segments.values())

"""Lines of files as text: columns that stand beside each other."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import ClassVar

from vecbleu.core.corpus import sizes
from vecbleu.core.corpus.blocks import WorkEstimate
from vecbleu.core.corpus.lines import FileBlock, FileCorpus
from vecbleu.core.files.reader import LineBlock, read_blocks
from vecbleu.core.files.sources import Source


def source_of(options: argparse.Namespace, path: str, columns: int = 1) -> Source:
    """A file of the given number of columns, in the encoding of all files."""
    return Source(path, columns, options.encoding)


def reference_sources(options: argparse.Namespace) -> list[Source]:
    """The files of references."""
    return [source_of(options, path, options.num_refs) for path in options.references]


def read_lines(sources: Sequence[Source]) -> Generator[LineBlock]:
    """The lines of files side by side, block by block."""
    return read_blocks(sources, sizes.FILE_BLOCK_BYTES)


def count_lines(sources: Sequence[Source]) -> int:
    """The number of lines; ValueError unless all files have as many."""
    return sum(block.count for block in read_lines(sources))


def columns_of(block: LineBlock) -> list[list[str]]:
    r"""The lines of each column, of which nothing but \n is an end."""
    return [column.lines.decode().split("\n")[:-1] for column in block.columns]  # each is closed


def read_columns(sources: Sequence[Source]) -> list[list[str]]:
    """All lines of each column, file after file; ValueError unless they are equally many."""
    columns: list[list[str]] = [[] for source in sources for _ in range(source.columns)]
    with closing(read_lines(sources)) as blocks:
        for block in blocks:
            for column, lines in zip(columns, columns_of(block), strict=True):
                column += lines
    return columns


def read_column(options: argparse.Namespace, path: str) -> list[str]:
    """All lines of a file."""
    (lines,) = read_columns([source_of(options, path)])
    return lines


def read_line(sources: Sequence[Source], number: int) -> list[str]:
    """A line of each column, counted from 1; reads no further than to there."""
    count = 0
    with closing(read_lines(sources)) as blocks:
        for block in blocks:
            count += block.count
            if count >= number:
                return [lines[number - block.first] for lines in columns_of(block)]
    raise ValueError(f"line is {number} but {sources[0].path!s} has {count} lines")


def read_labels(options: argparse.Namespace, size: int) -> list[str]:
    """The label of each segment."""
    return [label.strip() for label in _read_beside(options, options.labels, size)]


def read_source(options: argparse.Namespace, size: int) -> list[str]:
    """The source text of each segment."""
    return _read_beside(options, options.source, size)


def _read_beside(options: argparse.Namespace, path: str, size: int) -> list[str]:
    """The lines of a file, as many as there are segments; ValueError of others."""
    lines = read_column(options, path)
    if len(lines) != size:
        raise ValueError(
            f"{path} has {len(lines)} lines but {options.input[0]} has {size} segments"
        )
    return lines


class KeptLines:
    """Files that are counted, whose lines are kept: standard input can be read only once."""

    is_text: ClassVar[bool] = True

    def __init__(self, corpus: FileCorpus) -> None:
        self._corpus = corpus
        self.columns: list[list[str]] = []  # systems, then references

    def estimate(self) -> WorkEstimate:
        """How much there is to count."""
        return self._corpus.estimate()

    def blocks(self) -> Generator[FileBlock]:
        """Read the files side by side."""
        for block in self._corpus.blocks():
            columns = columns_of(block.lines)
            self.columns = self.columns or [[] for _ in columns]  # known of the first line only
            for column, lines in zip(self.columns, columns, strict=True):
                column += lines
            yield block

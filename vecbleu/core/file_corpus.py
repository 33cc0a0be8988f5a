"""Files, one segment a line: systems, and the references of all of them."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from typing import ClassVar

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import CHARACTERS_A_TOKEN, Block, Place, WorkEstimate, encoded_text
from vecbleu.core.files.reader import LineBlock, read_blocks, text_of
from vecbleu.core.files.sources import Source, expected_bytes, is_plain
from vecbleu.core.options import CountOptions
from vecbleu.core.text.text import UnitError

# Bytes read from each file at a time: of two files, as much as a block of strings.
FILE_BLOCK_BYTES = 1 << 19


class FileCorpus:
    """Files of systems, of which every column is one, and of references."""

    is_text: ClassVar[bool] = True

    def __init__(self, systems: Sequence[Source], references: Sequence[Source]) -> None:
        self.systems, self.references = systems, references

    def estimate(self) -> WorkEstimate:
        """Estimate how much there is to count, by the sizes of the files."""
        sources = [*self.systems, *self.references]
        of_files = [*map(expected_bytes, sources)]
        is_known = all(of_files) and all(map(is_plain, sources))  # but for newlines that files lack
        size = sum(of_files)
        return WorkEstimate(size / CHARACTERS_A_TOKEN, size if is_known else 0, "B")

    def sample(self) -> list[str]:
        """Return the beginning of the first reference, where it is a plain file."""
        path = self.references[0].path
        if not is_plain(self.references[0]) or not os.path.isfile(path):
            return []
        with suppress(OSError), open(path, "rb") as file:  # the reader's error says more
            return [file.read(1 << 12).decode(errors="replace")]
        return []

    def blocks(self, options: CountOptions) -> Generator[tuple[Block, Place]]:
        """Read the files side by side."""
        references = sum(source.columns for source in self.references)
        for lines in read_lines([*self.systems, *self.references]):
            systems = len(lines.columns) - references
            try:
                units, encode = encoded_text(lines.columns, options, text_of)
            except UnitError as error:
                raise TypeError(f"{lines.locate(error.unit)}: {error}") from None
            order, segments = column_by_column(lines.count, systems, references)
            yield Block(units, encode, order, segments, systems), Place(lines.size, lines.locate)


def read_lines(sources: Sequence[Source]) -> Iterable[LineBlock]:
    """Read the lines of files side by side, block by block."""
    return read_blocks(sources, FILE_BLOCK_BYTES) if sources else ()


def column_by_column(lines: int, systems: int, references: int) -> tuple[Int64, Int64]:
    """Return `order` and `segments` of a block of columns: systems, and then their references.

    Each line of each system is a segment: those of the first system precede those of the second.
    """
    columns = np.empty((systems, 1 + references), np.int64)
    columns[:, 0] = np.arange(systems)
    columns[:, 1:] = np.arange(systems, systems + references)
    order = columns[:, None, :] * lines + np.arange(lines)[:, None]
    segments = np.arange(systems * lines + 1) * (1 + references)
    return order.reshape(-1), segments

"""Count files with one segment a line: systems, and references that they share."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import CHARACTERS_A_TOKEN, Block, Encoder, WorkEstimate
from vecbleu.core.files.reader import FileColumn, LineBlock, read_lines, text_of
from vecbleu.core.files.sources import Source, expected_bytes, is_plain


class FileCorpus:
    """Files of systems and of references. A file may hold several of them, separated by tabs."""

    is_text: ClassVar[bool] = True

    def __init__(self, systems: Sequence[Source], references: Sequence[Source]) -> None:
        self.systems, self.references = systems, references
        self.first = LineBlock([], 0, 1, 0)  # block, once it was read

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting from the sizes of the files."""
        sources = [*self.systems, *self.references]
        sizes = [*map(expected_bytes, sources)]
        is_known = all(sizes) and all(map(is_plain, sources))  # except for missing last newlines
        size = sum(sizes)
        return WorkEstimate(size / CHARACTERS_A_TOKEN, size if is_known else 0, "B")

    def references_each(self) -> int:
        """Return the number of references of each segment."""
        return sum(source.columns for source in self.references)

    def sample(self) -> list[str]:
        """Return the beginning of the first reference file, if it is plain text.

        References are known to be in the language that is to be scored; a system may fail.
        """
        path = self.references[0].path
        if not is_plain(self.references[0]) or not os.path.isfile(path):
            return []
        with suppress(OSError), open(path, "rb") as file:  # the reader raises a better error
            return [file.read(1 << 12).decode(errors="replace")]
        return []

    def blocks(self, encode: Encoder) -> Generator[Block]:
        """Yield blocks of lines, read from all files side by side."""
        references = self.references_each()
        encode_columns = partial(_encode_columns, encode)
        for block in read_lines([*self.systems, *self.references]):
            self.first = self.first if self.first.lines else block
            systems = len(block.columns) - references
            unit_order, segments = column_by_column(block.lines, systems, references)
            yield Block(
                block.columns, encode_columns, unit_order, segments, block.size, block.locate
            )


def _encode_columns(encode: Encoder, columns: list[FileColumn]) -> Any:
    return encode(text_of(columns))


def column_by_column(lines: int, systems: int, references: int) -> tuple[Int64, Int64]:
    """Return `unit_order` and `segments` of a block of columns, systems before references.

    Each line of each system is a segment. All segments of a system precede those of the next one.
    """
    columns = np.empty((systems, 1 + references), np.int64)
    columns[:, 0] = np.arange(systems)
    columns[:, 1:] = np.arange(systems, systems + references)
    unit_order = columns[:, None, :] * lines + np.arange(lines)[:, None]
    segments = np.arange(systems * lines + 1) * (1 + references)
    return unit_order.reshape(-1), segments

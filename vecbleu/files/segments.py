"""Make segments of text files: one a line, or several that tabs separate."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, ClassVar

import numpy as np

from vecbleu.arguments.checks import BYTE_ORDER_MARK
from vecbleu.arguments.errors import ArgumentError, argument
from vecbleu.core.block import Block, WorkEstimate
from vecbleu.core.corpus import MEAN_CHARACTERS, TextCorpus
from vecbleu.core.metric import AnyMetric
from vecbleu.files.cells import with_texts
from vecbleu.files.documents import joined_lines
from vecbleu.files.lines import FileColumn, LineBlock, read_lines
from vecbleu.files.sources import (
    Source,
    checked_path,
    checked_paths,
    expected_bytes,
    is_plain,
    label_of,
)
from vecbleu.inputs.doubts import warn_of_texts
from vecbleu.kernel.arrays import Int64
from vecbleu.text.references import reference_hashes
from vecbleu.text.text import PADDING, Text

# Bytes of a file that are looked at, to warn of text.
_BYTES_TO_CHECK = 1 << 15


class FileCorpus:
    """Files of systems and of references. A file may hold several of them, separated by tabs."""

    is_text: ClassVar[bool] = True

    def __init__(
        self,
        systems: Sequence[Source],
        references: Sequence[Source],
        tokenize: str = "",
        normalize: str | None = None,
        documents: Source | None = None,
    ) -> None:
        self.systems = systems
        self.references = references
        self.documents = documents  # of the lines, which are joined
        self.tokenize = tokenize  # names the tokenizer, if the metric has one
        self.normalize = normalize  # the normal form that text is put into
        self.samples: list[tuple[str, TextCorpus]] = []  # the first lines of each system, once read

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting from the sizes of the files."""
        sources = [*self.systems, *self.references]
        sizes = list(map(expected_bytes, sources))
        size = sum(sizes)  # if known, exact except for missing last newlines
        is_known = all(sizes) and all(map(is_plain, sources))
        return WorkEstimate(size / MEAN_CHARACTERS, size if is_known else 0, "B")

    def metric_for(self, metric: AnyMetric) -> AnyMetric:
        """Return the metric itself."""
        return metric

    def references_each(self) -> int:
        """Return the number of references of each segment."""
        return sum(source.columns for source in self.references)

    def blocks(self) -> Generator[Block]:
        """Yield blocks of lines, read from all files side by side."""
        for lines in self.line_blocks():
            yield self.block(lines)

    def line_blocks(self) -> Generator[LineBlock]:
        """Yield the lines of each block; warn of the first lines that are hardly meant."""
        blocks = read_lines([*self.systems, *self.references, *filter(None, [self.documents])])
        for block in joined_lines(blocks) if self.documents else blocks:
            if block.first == 1:
                self._warn(block)
            yield block

    def _warn(self, block: LineBlock) -> None:
        """Warn of the first lines of each system, and of the references."""
        sides = [(label_of(column.name), _first_lines(column)) for column in block.columns]
        systems = len(sides) - self.references_each()
        first_reference = sides[systems][1]
        for name, lines in sides[:systems]:
            both = [(name, lines), *sides[systems:]]
            warn_of_texts(both, self.tokenize, normalize=self.normalize)
            size = min(len(lines), len(first_reference))
            sample = TextCorpus(lines[:size], first_reference[:size], np.arange(size + 1))
            self.samples.append((name, sample))

    def block(self, block: LineBlock) -> Block:
        """Make a block of the lines of systems and references."""
        references = self.references_each()
        systems = len(block.columns) - references
        places, segments = column_by_column(block.lines, systems, references)
        text = _joined_columns(block.columns)
        return Block(text, segments, block.size, places, locate=block.locate)


def _first_lines(column: FileColumn) -> list[str]:
    r"""Return the lines that begin in the first bytes of a column; all end in \n."""
    end = column.lines.find(b"\n", _BYTES_TO_CHECK)
    lines = column.lines[:end].decode().removeprefix(BYTE_ORDER_MARK)  # lines are warned of it
    return lines.split("\n")


def corpus_of_files(
    hypothesis_path: Any, reference_paths: Any, tokenize: str = "", normalize: str | None = None
) -> FileCorpus:
    """Check the paths of a system and its references, as the user passed them."""
    with argument("hypothesis_path"):
        hypotheses = Source(checked_path(hypothesis_path))
    with argument("reference_paths"):
        references = list(map(with_texts, map(Source, checked_paths(reference_paths))))
    if not references:
        raise ArgumentError("is empty: there are 0 reference files", argument="reference_paths")
    return FileCorpus([hypotheses], references, tokenize, normalize)


def hashes_of_files(sources: Sequence[Source]) -> Int64:
    """Hash the references of each line of files (lines,)."""
    hashes = [np.zeros(0, np.int64)]
    for block in read_lines(sources):
        size = len(block.columns), block.lines
        references = np.arange(size[0] * size[1]).reshape(size).T.reshape(-1)  # line by line
        text = _joined_columns(block.columns)
        hashes.append(reference_hashes(text, references, np.full(block.lines, size[0])))
    return np.concatenate(hashes)


def _joined_columns(columns: list[FileColumn]) -> Text:
    """Return all lines of all columns as units, column by column."""
    lines = b"".join([*(column.lines for column in columns), PADDING])
    return Text.from_padded(np.frombuffer(lines, np.uint8))


def column_by_column(lines: int, systems: int, references: int) -> tuple[Int64, Int64]:
    """Return `places` and `segments` of a block of columns, systems before references.

    Each line of each system is a segment. All segments of a system precede those of the next one.
    """
    columns = np.empty((systems, 1 + references), np.int64)
    columns[:, 0] = np.arange(systems)
    columns[:, 1:] = np.arange(systems, systems + references)
    places = columns[:, None, :] * lines + np.arange(lines)[:, None]
    segments = np.arange(systems * lines + 1) * (1 + references)
    return places.reshape(-1), segments

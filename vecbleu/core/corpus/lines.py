"""Files, one segment a line: systems, and the references of all of them."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import ClassVar

from vecbleu.core.corpus import sizes
from vecbleu.core.corpus.blocks import IdUnits, PackedSegments, TextUnits, WorkEstimate
from vecbleu.core.corpus.layouts import ColumnByColumn
from vecbleu.core.files.reader import LineBlock, read_blocks
from vecbleu.core.files.sources import Source, expected_bytes, is_plain
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import CountOptions
from vecbleu.core.records import dataclass
from vecbleu.core.text.tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class LineUnits:
    """Lines of files, which another process reads itself where it can."""

    lines: LineBlock
    tokenize: Tokenizer
    lowercase: bool

    def as_text(self) -> TextUnits:
        """All lines as segments of one text."""
        return TextUnits(self.lines.text(), self.tokenize, self.lowercase)

    def ids(self) -> Ragged:
        """Tokenize, and hash the tokens."""
        return self.as_text().ids()


@dataclass(frozen=True, slots=True)
class FileBlock:
    """The same lines of all files."""

    lines: LineBlock
    references: int  # columns; the others are systems

    @property
    def size(self) -> int:
        """Bytes of the files."""
        return self.lines.size

    def locate(self, unit: int) -> str:
        """Name a file and a line."""
        return self.lines.locate(unit)

    def pack(self, options: CountOptions) -> PackedSegments:
        """Leave the lines where they are, unless they have to be tokenized here."""
        systems = len(self.lines.columns) - self.references
        layout = ColumnByColumn(self.lines.count, systems, self.references)
        units = LineUnits(self.lines, options.tokenize, options.lowercase)
        portable = units if options.tokenize.is_portable else IdUnits(units.ids())
        return PackedSegments(portable, layout)


@dataclass(frozen=True, slots=True)
class FileCorpus:
    """Files of systems, of which every column is one, and of references."""

    is_text: ClassVar[bool] = True

    systems: Sequence[Source]
    references: Sequence[Source]

    def estimate(self) -> WorkEstimate:
        """How much there is to count."""
        sources = [*self.systems, *self.references]
        of_files = [*map(expected_bytes, sources)]
        is_known = all(of_files) and all(map(is_plain, sources))  # but for newlines that files lack
        size = sum(of_files)
        return WorkEstimate(size / sizes.CHARACTERS_A_TOKEN, size if is_known else 0, "B")

    def sample(self) -> list[str]:
        """Return the beginning of the first reference, where it is a plain file."""
        path = self.references[0].path
        if not is_plain(self.references[0]) or not os.path.isfile(path):
            return []
        with suppress(OSError), open(path, "rb") as file:  # the reader's error says more
            return [file.read(1 << 12).decode(errors="replace")]
        return []

    def blocks(self) -> Generator[FileBlock]:
        """Read the files side by side."""
        references = sum(source.columns for source in self.references)
        for lines in read_blocks([*self.systems, *self.references], sizes.FILE_BLOCK_BYTES):
            yield FileBlock(lines, references)

"""The story: blocks of segments -> token ids -> n-gram matches -> statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vecbleu.corpus import Block, Corpus, IdCorpus
from vecbleu.files import FileBlock, Source, read_blocks
from vecbleu.lengths import REF_LENGTHS, reference_lengths
from vecbleu.ngrams import clipped_matches
from vecbleu.ragged import CodePoints, Int64, Ragged
from vecbleu.statistics import Statistics
from vecbleu.text import Text
from vecbleu.tokenizers import UnitError, find_tokenizer
from vecbleu.tokens import hashed, ranked, sequence_ids, span_ids

Tokenize = str | Callable[[str], Sequence[str]]

# Every segment has two columns of counts for each order.
_MOST_ORDERS = 10_000

# glibc hands freed memory back to the system, and takes it again at a page fault for every 4 KB (a
# fifth of the time of the whole), until the program has freed an array larger than those it uses.
# This is one. It is never touched, so it costs no memory.
np.empty(1 << 24, np.uint8)

# Bytes read from each file at a time.
_FILE_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Counting:
    """The checked options of counting: everything that the statistics depend on."""

    tokenize: Tokenize = "13a"
    lowercase: bool = False
    max_order: int = 4
    ref_length: str = "closest"

    def __post_init__(self) -> None:
        if isinstance(self.tokenize, str):
            find_tokenizer(self.tokenize)
        elif not callable(self.tokenize):
            raise ValueError(
                f"tokenize is {self.tokenize!r}, expected the name of a tokenizer, or a callable "
                "from str to a list of str"
            )
        if not isinstance(self.lowercase, (bool, np.bool_)):
            raise TypeError(f"lowercase is {self.lowercase!r}, expected True or False")
        if not isinstance(self.ref_length, str) or self.ref_length not in REF_LENGTHS:
            raise ValueError(
                f"ref_length is {self.ref_length!r}, expected one of {', '.join(REF_LENGTHS)}"
            )
        if not isinstance(self.max_order, (int, np.integer)) or isinstance(self.max_order, bool):
            raise TypeError(f"max_order is {self.max_order!r}, expected an integer")
        if not 1 <= self.max_order <= _MOST_ORDERS:
            raise ValueError(f"max_order is {self.max_order}, expected 1 to {_MOST_ORDERS}")
        object.__setattr__(self, "max_order", int(self.max_order))  # no arithmetic in int8

    def text_ids(self, text: Text) -> Ragged:
        """Tokenize a text and turn its tokens into ids."""
        if self.lowercase:
            text = text.lower()
        if callable(self.tokenize):
            return sequence_ids([*map(self._call, range(len(text)), text.strings())])
        return span_ids(find_tokenizer(self.tokenize)(text))

    def _call(self, unit: int, string: str) -> Sequence[str]:
        """Run the user's tokenizer on one unit."""
        assert callable(self.tokenize)
        tokens = self.tokenize(string)
        if not isinstance(tokens, (list, tuple)):
            raise UnitError(unit, f"tokenize returned {type(tokens).__name__}, expected a list")
        for token in tokens:
            if not isinstance(token, str):
                raise UnitError(unit, f"tokenize returned the token {token!r}, expected strings")
        return tokens

    def block_ids(self, block: Block) -> Ragged:
        """The ids of a block of any kind."""
        if isinstance(block.units, Ragged):
            return Ragged(hashed(np.ascontiguousarray(block.units.values)), block.units.offsets)
        try:
            if block.kind == "text":
                return self.text_ids(Text.from_strings(block.units))
            return sequence_ids(block.units, block.offsets)
        except UnitError as error:
            raise TypeError(f"{block.locate(error.unit)}: {error}") from None

    def count(self, units: Ragged, segments: Int64) -> Statistics:
        """Statistics of segments whose units are each a hypothesis and its references."""
        lengths = units.lengths
        is_hypothesis = np.zeros(len(lengths), bool)
        is_hypothesis[segments[:-1]] = True
        hyp_len = lengths[is_hypothesis]
        ref_len = reference_lengths(
            hyp_len, lengths[~is_hypothesis], np.diff(segments) - 1, self.ref_length
        )
        totals = np.maximum(hyp_len[:, None] - np.arange(self.max_order), 0)  # (segments, orders)
        alphabet = None
        if isinstance(units, CodePoints):
            units, alphabet = ranked(units)
        matches = clipped_matches(units, segments, self.max_order, alphabet)
        return Statistics(hyp_len, ref_len, matches, totals)

    def gather(self, blocks: Iterable[Statistics]) -> Statistics:
        """The rows of all blocks; none of them are rows too."""
        return Statistics.concatenate(
            [*blocks] or [self.count(Ragged.from_arrays([]), np.zeros(1, np.int64))]
        )


def count_corpus(corpus: Corpus | IdCorpus, counting: Counting) -> Statistics:
    """Statistics of aligned segments, block by block."""
    return counting.gather(
        counting.count(counting.block_ids(block), block.segments) for block in corpus.blocks()
    )


def count_files(
    hypotheses: Sequence[Source],
    references: Sequence[Source],
    counting: Counting,
    watch: Callable[[FileBlock], None] | None = None,
) -> Iterator[list[Statistics]]:
    """Statistics of the lines of every system, block by block; references are tokenized once.

    Every column of the files of hypotheses is a system. `watch` sees each block of text.
    """
    for block in read_blocks([*hypotheses, *references], _FILE_BLOCK):
        if watch is not None:
            watch(block)
        try:
            ids = counting.text_ids(block.text)
        except UnitError as error:
            column, line = divmod(error.unit, block.lines)
            raise TypeError(f"{block.names[column]}: line {block.first + line}: {error}") from None
        systems = len(block.names) - sum(source.columns for source in references)
        streams = np.arange(systems, len(block.names))
        yield [_count_columns(ids, block.lines, [k, *streams], counting) for k in range(systems)]


def _count_columns(
    ids: Ragged, lines: int, columns: Sequence[int], counting: Counting
) -> Statistics:
    """Statistics of one column against others, all of them `lines` long."""
    by_segment = np.array(columns) * lines + np.arange(lines)[:, None]  # (lines, columns)
    segments = np.arange(lines + 1) * len(columns)
    return counting.count(ids.take(by_segment.reshape(-1)), segments)

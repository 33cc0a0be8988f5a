"""The story: blocks of segments -> token ids -> n-gram matches -> statistics."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from vecbleu.corpus import Block, Corpus, IdCorpus, hypotheses_first
from vecbleu.files import FileBlock, read_blocks
from vecbleu.lengths import REF_LENGTHS, reference_lengths
from vecbleu.ngrams import clipped_matches
from vecbleu.parallel import Extent, Labor, LostError, map_blocks
from vecbleu.progress import watched
from vecbleu.ragged import CodePoints, Int64, Ragged
from vecbleu.signatures import Signature
from vecbleu.sources import Source, expected_bytes, known_bytes
from vecbleu.statistics import Statistics, sum_lengths
from vecbleu.strings import StringBlock, StringCorpus
from vecbleu.text import Text
from vecbleu.tokenizers import UnitError, find_tokenizer, pin_tokenizer, tokenizer_signature
from vecbleu.tokens import Joined, Numbered, pack_sequences, sequence_ids, span_ids

Tokenize = str | Callable[[str], Sequence[str]]
Units = Text | Joined | Numbered | Ragged
Packed = tuple[Units, Int64]  # with the segments' offsets into the units
Result = TypeVar("Result")

# Every segment has two columns of counts for each order.
_MOST_ORDERS = 10_000

# glibc hands freed memory back to the system, and takes it again at a page fault for every 4 KB (a
# fifth of the time of the whole), until the program has freed an array larger than those it uses.
# This is one. It is never touched, so it costs no memory.
np.empty(1 << 24, np.uint8)

_BYTES_A_TOKEN = 6

_BY_DEFAULT = Labor()

# Bytes read from each file at a time.
_FILE_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Counting:
    """The checked options of counting: everything that the statistics depend on."""

    tokenize: Tokenize = "13a"
    lowercase: bool = False
    max_order: int = 4
    ref_length: str = "closest"
    digest: str = ""  # of what the tokenizer reads, where others may find something else

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

    def signature(self, references: int | None = None) -> Signature:
        """What is written down of them, for text with a number of references a segment."""
        # Functions have no names that tell them apart: every lambda is called <lambda>.
        tokenize = None if callable(self.tokenize) else tokenizer_signature(self.tokenize)
        lowercase = bool(self.lowercase)
        return Signature(tokenize, lowercase, self.max_order, self.ref_length, references)

    def text_ids(self, text: Text) -> Ragged:
        """Tokenize a text and turn its tokens into ids."""
        if self.lowercase:
            text = text.lower()
        if callable(self.tokenize):
            return sequence_ids([*map(self._call, range(len(text)), text.strings())])
        return span_ids(find_tokenizer(self.tokenize, self.digest)(text))

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

    def pack(self, block: Block) -> Packed:
        """Turn a block into arrays, which is all that Python's objects are needed for."""
        units = block.units
        if isinstance(units, Ragged):
            return Numbered(units), block.segments
        if block.kind == "tokens":
            return pack_sequences(units, block.offsets), block.segments
        return self.pack_text(Text.from_strings(units)), block.segments

    def pack_text(self, text: Text) -> Units:
        """Apply what can't go to other processes."""
        return self.text_ids(text) if callable(self.tokenize) else text

    def for_packed(self, is_text: bool = True) -> Counting:
        """The same for what is packed, and can go to other processes: no function of the user's."""
        if callable(self.tokenize):
            return replace(self, tokenize="none")
        return self.pinned() if is_text else self  # tokens are counted where no model is

    def pinned(self) -> Counting:
        """The same, with a model that is this one or an error, whoever looks for it."""
        tokenize, digest = ("", "") if callable(self.tokenize) else pin_tokenizer(self.tokenize)
        return replace(self, tokenize=tokenize, digest=digest) if digest else self

    def count_packed(self, packed: Packed) -> Statistics:
        """Statistics of a block of any kind."""
        units, segments = packed
        return self.count(self.ids(units), segments)

    def count_apart(self, packed: Packed) -> Statistics:
        """The same where all hypotheses stand before all references."""
        units, segments = packed
        return self.count(self.ids(units).take(hypotheses_first(segments)), segments)

    def ids(self, units: Units) -> Ragged:
        """The ids of packed units."""
        if isinstance(units, (Joined, Numbered)):
            return units.ids()
        return self.text_ids(units) if isinstance(units, Text) else units

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
            alphabet = int(units.values.max(initial=0)) + 1
        matches = clipped_matches(units, segments, self.max_order, alphabet)
        return Statistics(hyp_len, ref_len, matches, totals)

    def gather(self, blocks: Generator[Statistics]) -> Statistics:
        """The rows of all blocks; none of them are rows too."""
        with closing(blocks):
            parts = [*blocks] or [self.nothing()]
        return parts[0] if len(parts) == 1 else Statistics.concatenate(parts)

    def total(self, blocks: Generator[Statistics]) -> Statistics:
        """The sum of all blocks, of which one at a time is kept.

        Averages of reference lengths are kept all: no sum of sums is that of all, to the last bit.
        """
        total, lengths = self.nothing().sum(), []
        with closing(blocks):
            for block in blocks:
                total += block.sum()
                if self.ref_length == "average":
                    lengths.append(block.ref_len)
        return replace(total, ref_len=sum_lengths(np.concatenate(lengths))) if lengths else total

    def nothing(self) -> Statistics:
        """Statistics of no segments."""
        return self.count(Ragged.from_arrays([]), np.zeros(1, np.int64))


def count_corpus(
    corpus: Corpus | IdCorpus | StringCorpus,
    counting: Counting,
    labor: Labor = _BY_DEFAULT,
    check: Callable[[Block], None] | None = None,
) -> Generator[Statistics]:
    """Statistics of aligned segments, block by block; `check` may refuse one."""

    def pack(block: Block) -> Packed:
        if check is not None:
            check(block)
        return counting.pack(block)

    def pack_strings(block: StringBlock) -> Packed:
        return counting.pack_text(block.text), block.segments

    extent = Extent(corpus.expected_tokens(), len(corpus), "segments", len)
    packed = counting.for_packed(corpus.kind == "text")
    if isinstance(corpus, StringCorpus):
        return map_located(packed.count_apart, pack_strings, corpus.blocks(), labor, extent)
    return map_located(packed.count_packed, pack, corpus.blocks(), labor, extent)


def count_files(
    hypotheses: Sequence[Source],
    references: Sequence[Source],
    counting: Counting,
    labor: Labor = _BY_DEFAULT,
    observe: Callable[[FileBlock, Text], Any] | None = None,
) -> Generator[tuple[list[Statistics], Any]]:
    """Statistics of the lines of every system, block by block; references are tokenized once.

    Every column of the files of hypotheses is a system. What `observe` finds in each block comes
    with its statistics.
    """
    sources = [*hypotheses, *references]
    streams = sum(source.columns for source in references)
    pinned = counting.pinned()
    count = partial(_count_file_block, streams=streams, counting=pinned, observe=observe)
    tokens = expected_bytes(sources) / _BYTES_A_TOKEN
    extent = Extent(tokens, known_bytes(sources), "B", attrgetter("size"))
    if callable(counting.tokenize):  # it may not be for other processes
        labor = replace(labor, workers=1, executor=None)
    blocks = read_blocks(sources, _FILE_BLOCK)
    return map_located(count, lambda block: block, blocks, labor, extent)


def map_located(
    function: Callable[[Any], Result],
    pack: Callable[[Any], Any],
    blocks: Iterable[Any],
    labor: Labor,
    extent: Extent,
) -> Generator[Result]:
    """Results for packed blocks, in order; where a unit has none, an error names it."""
    begun: deque[Any] = deque()

    def packed() -> Iterator[Any]:
        for block in blocks:
            begun.append(block)
            yield pack(block)

    with (
        watched(labor.progress, extent.total, extent.unit) as advance,
        closing(map_blocks(function, packed(), labor, extent.tokens)) as results,
    ):
        while True:
            try:
                result = next(results)
            except StopIteration:
                return
            except UnitError as error:
                raise TypeError(f"{begun[0].locate(error.unit)}: {error}") from None
            except LostError as loss:
                message = f"the executor lost the block that begins with {begun[0].locate(0)}"
                raise ChildProcessError(f"{message} ({loss})") from loss.__cause__
            advance(extent.size(begun.popleft()))
            yield result


def _count_file_block(
    block: FileBlock,
    streams: int,
    counting: Counting,
    observe: Callable[[FileBlock, Text], Any] | None,
) -> tuple[list[Statistics], Any]:
    """Statistics of every system against the last columns, the streams of references."""
    text = block.text()
    ids = counting.text_ids(text)
    systems = len(block.columns) - streams
    references = np.arange(systems, len(block.columns))
    rows = [_count_columns(ids, block.lines, [k, *references], counting) for k in range(systems)]
    return rows, observe(block, text) if observe is not None else None


def _count_columns(
    ids: Ragged, lines: int, columns: Sequence[int], counting: Counting
) -> Statistics:
    """Statistics of one column against others, all of them `lines` long."""
    by_segment = np.array(columns) * lines + np.arange(lines)[:, None]  # (lines, columns)
    segments = np.arange(lines + 1) * len(columns)
    return counting.count(ids.take(by_segment.reshape(-1)), segments)

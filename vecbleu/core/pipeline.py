"""Count a corpus: segments -> blocks -> token ids -> n-gram matches -> rows of statistics."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import TypeVar

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import Block, Corpus, Countable, Encoder
from vecbleu.core.counts import count_units, sum_counts
from vecbleu.core.options import DEFAULT_RUN, CountOptions, RefLength, RunOptions
from vecbleu.core.small import count_if_few
from vecbleu.text.text import UnitError

Result = TypeVar("Result")

# About the time in which one process tokenizes (with 13a) and counts a token.
_SECONDS_A_TOKEN = 1e-7


def count_rows(corpus: Countable, counting: CountOptions, run: RunOptions = DEFAULT_RUN) -> Int64:
    """Count a corpus; return one row a segment (S, 2 + 2N)."""
    rows, corpus = count_if_few(corpus, counting, run)
    if rows is not None:
        return np.array(rows, np.int64)
    with closing(_tables(corpus, counting, run)) as tables:
        return np.concatenate([no_rows(counting), *tables])


def count_table(
    corpus: Countable, counting: CountOptions, run: RunOptions = DEFAULT_RUN
) -> tuple[Int64, Int64]:
    """Count a corpus; return one row a segment, and the hash of its references (S,)."""
    rows, left = count_if_few(corpus, counting, run)
    if isinstance(corpus, Corpus) and (rows is not None or left is not corpus):
        few = count_rows(left, counting, run) if rows is None else np.array(rows, np.int64)
        return few, corpus.reference_hashes()
    function, encode = _row_function(corpus, counting)
    return rows_with_references(function, no_rows(counting), corpus, encode, run)


def rows_with_references(
    function: Callable[[Block], Int64],
    no_rows: Int64,
    corpus: Countable,
    encode: Encoder,
    run: RunOptions,
) -> tuple[Int64, Int64]:
    """Count all blocks; return one row a segment, and the hash of its references (S,)."""
    rows, hashes = [no_rows], [np.zeros(0, np.int64)]
    count = partial(_with_references, function)
    with closing(map_corpus(count, corpus, encode, run)) as blocks:
        for block_rows, block_hashes in blocks:
            rows.append(block_rows)
            hashes.append(block_hashes)
    joined = np.concatenate(hashes)
    if corpus.shared_hash is not None:
        joined[:] = corpus.shared_hash
    return np.concatenate(rows), joined


def _with_references(function: Callable[[Block], Int64], block: Block) -> tuple[Int64, Int64]:
    """Count a block; also return the hashes of its references."""
    encoded, hashes = block.with_hashes()
    return function(encoded), hashes


def count_total(
    corpus: Countable, counting: CountOptions, run: RunOptions = DEFAULT_RUN
) -> list[int]:
    """Count a corpus; return the sum of all rows (2 + 2N,), without keeping the rows."""
    rows, corpus = count_if_few(corpus, counting, run)
    if rows is not None:
        return [*map(sum, zip(*rows, strict=True))]
    with closing(_tables(corpus, counting, run, is_total=True)) as sums:
        total: list[int] = sum(sums, no_rows(counting).sum(axis=0)).tolist()
    return total


def map_corpus(
    function: Callable[[Block], Result], corpus: Countable, encode: Encoder, run: RunOptions
) -> Generator[Result]:
    """Apply a function to each block of a corpus; yield the results in order.

    `encode` turns text into what the function counts. Both are called in any process. An error
    names the unit that caused it.
    """
    # Imported here, since calls with few segments do not get here.
    from vecbleu.parallel.mapping import map_blocks

    encode = encode.pinned() if corpus.is_text else encode
    blocks = corpus.blocks(encode)
    if corpus.is_text and not encode.is_portable:
        blocks = (block.encoded_here() for block in blocks)
    estimate = corpus.estimate()
    if not estimate.is_portable:  # use neither workers nor the executor
        run = RunOptions(1, run.progress)
    return map_blocks(
        function,
        blocks,
        _SECONDS_A_TOKEN * estimate.tokens * (encode.cost if corpus.is_text else 1.0),
        run,
        explain=_error_to_raise,
        size=attrgetter("size"),
        total=estimate.total,
        unit=estimate.unit,
    )


def _error_to_raise(block: Block, error: Exception) -> Exception:
    """Return the error to raise; it names the unit, or the first unit of the block."""
    from vecbleu.parallel.worker import LostBlockError

    if isinstance(error, UnitError):
        return error.named(block.locate)
    if isinstance(error, LostBlockError):
        return ChildProcessError(f"lost the block that begins with {block.locate(0)}: {error}")
    return error


def sum_of(function: Callable[[Block], Int64], block: Block) -> Int64:
    """Return the sum of the rows of a block, so that processes exchange one row."""
    return sum_counts(function(block))


def _tables(
    corpus: Countable, counting: CountOptions, run: RunOptions, is_total: bool = False
) -> Generator[Int64]:
    """Count each block: its rows, or their sum."""
    function, encode = _row_function(corpus, counting)
    return map_corpus(partial(sum_of, function) if is_total else function, corpus, encode, run)


def _row_function(
    corpus: Countable, counting: CountOptions
) -> tuple[Callable[[Block], Int64], Encoder]:
    """Return the function that counts a block, and the encoder of its text.

    A corpus with shared references has a function of its own, see `sets.shared`; its ids are
    not of one block.
    """
    count_function = getattr(corpus, "count_function", None)
    if count_function:
        return count_function(counting), counting.encoder()
    # Not all options: a tokenizer function can't be sent to other processes.
    function = partial(bleu_rows, counting.max_order, counting.ref_length)
    return function, counting.encoder(in_block=True)


def bleu_rows(max_order: int, ref_length: RefLength, block: Block) -> Int64:
    """Count the segments of a block; return rows (S, 2 + 2N)."""
    units = block.encoded()
    units = units if block.unit_order is None else units.take(block.unit_order)
    return count_units(units, block.segments, max_order, ref_length)


def no_rows(counting: CountOptions) -> Int64:
    """Return the rows of no segments (0, 2 + 2N)."""
    return np.zeros((0, 2 + 2 * counting.max_order), np.int64)

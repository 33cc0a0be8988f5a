"""Count a corpus: segments -> blocks -> token ids -> n-gram matches -> rows of statistics."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import Block, Countable, Encoder
from vecbleu.core.counts import count_units, sum_counts
from vecbleu.core.options import DEFAULT_RUN, CountOptions, RefLength, RunOptions
from vecbleu.core.small import count_if_few
from vecbleu.core.text.text import UnitError

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
    from vecbleu.core.parallel.mapping import map_blocks

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
    from vecbleu.core.parallel.worker import LostBlockError

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
    """Count each block: its rows, or their sum.

    A corpus with shared references has a function of its own, see `pairwise.shared`; its ids are
    not of one block.
    """
    # Not all options: a tokenizer function can't be sent to other processes.
    function: Any = partial(bleu_rows, counting.max_order, counting.ref_length)
    count_function = getattr(corpus, "count_function", None)
    function = count_function(counting) if count_function else function
    encode = counting.encoder(in_block=count_function is None)
    return map_corpus(partial(sum_of, function) if is_total else function, corpus, encode, run)


def bleu_rows(max_order: int, ref_length: RefLength, block: Block) -> Int64:
    """Count the segments of a block; return rows (S, 2 + 2N)."""
    units = block.encoded()
    units = units if block.unit_order is None else units.take(block.unit_order)
    return count_units(units, block.segments, max_order, ref_length)


def no_rows(counting: CountOptions) -> Int64:
    """Return the rows of no segments (0, 2 + 2N)."""
    return np.zeros((0, 2 + 2 * counting.max_order), np.int64)

"""Count a corpus: segments -> blocks -> token ids -> n-gram matches -> rows of statistics."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from operator import itemgetter
from typing import TypeVar

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import Block, Countable, Place
from vecbleu.core.counts import sum_counts
from vecbleu.core.options import DEFAULT_RUN, CountOptions, RefLength, RunOptions
from vecbleu.core.small import few_rows
from vecbleu.core.text.text import UnitError

Result = TypeVar("Result")

# About the time in which one process tokenizes (with 13a) and counts a token.
_SECONDS_A_TOKEN = 1e-7


def count_rows(corpus: Countable, options: CountOptions, run: RunOptions = DEFAULT_RUN) -> Int64:
    """Count a corpus; return one row a segment (S, 2 + 2N)."""
    corpus, few = few_rows(corpus, options, run)
    if few:
        return np.array(few, np.int64)
    with closing(map_corpus(rows_of, corpus, options, run)) as blocks:
        parts = [*blocks] or [no_rows(options)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def count_total(
    corpus: Countable, options: CountOptions, run: RunOptions = DEFAULT_RUN
) -> list[int]:
    """Count a corpus; return the sum of all rows (2 + 2N,), without keeping the rows."""
    corpus, few = few_rows(corpus, options, run)
    if few:
        return [*map(sum, zip(*few, strict=True))]
    total = no_rows(options).sum(axis=0)
    with closing(map_corpus(sum_of, corpus, options, run)) as blocks:
        for block in blocks:
            total += block
    row: list[int] = total.tolist()
    return row


def map_corpus(
    function: Callable[[int, RefLength, Block], Result],
    corpus: Countable,
    options: CountOptions,
    run: RunOptions,
) -> Generator[Result]:
    """Apply a function to each block of a corpus; yield the results in order.

    The function is called with max_order, ref_length and a block, in any process. An error names
    the unit that caused it.
    """
    # The import takes 1 ms; calls with few segments do not get here.
    from vecbleu.core.parallel.mapping import map_blocks

    if corpus.is_text:
        options = options.pinned()
    estimate = corpus.estimate()
    if not estimate.is_portable:  # use neither workers nor the executor
        run = RunOptions(1, run.progress)
    cost = options.tokenize.cost if corpus.is_text else 1.0
    return map_blocks(
        partial(function, options.max_order, options.ref_length),
        corpus.blocks(options),
        _SECONDS_A_TOKEN * estimate.tokens * cost,
        run,
        pack=itemgetter(0),
        explain=_explain,
        size=lambda pair: pair[1].size,
        total=estimate.total,
        unit=estimate.unit,
    )


def _explain(pair: tuple[Block, Place], error: Exception) -> Exception:
    """Return the error to raise; it names the unit, or the first unit of the block."""
    from vecbleu.core.parallel.worker import LostBlockError

    locate = pair[1].locate
    if isinstance(error, UnitError):
        return TypeError(f"{locate(error.unit)}: {error}")
    if isinstance(error, LostBlockError):
        return ChildProcessError(f"lost the block that begins with {locate(0)} {error}")
    return error


def rows_of(max_order: int, ref_length: RefLength, block: Block) -> Int64:
    """Count a block; return its rows."""
    return block.rows(max_order, ref_length)


def sum_of(max_order: int, ref_length: RefLength, block: Block) -> Int64:
    """Count a block; return the sum of its rows, so that processes exchange one row."""
    return sum_counts(block.rows(max_order, ref_length))


def no_rows(options: CountOptions) -> Int64:
    """Return the rows of no segments (0, 2 + 2N)."""
    return np.zeros((0, 2 + 2 * options.max_order), np.int64)

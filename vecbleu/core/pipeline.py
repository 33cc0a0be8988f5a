"""The story: blocks -> arrays -> ids -> n-gram matches -> rows of statistics."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

import numpy as np

from vecbleu.core import objects
from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import sizes
from vecbleu.core.corpus.blocks import Block, Corpus, Packed, Reach
from vecbleu.core.counts import sum_counts
from vecbleu.core.options import DEFAULT_RUN, CountOptions, RefLength, RunOptions
from vecbleu.core.text.text import UnitError

Result = TypeVar("Result")


def count_rows(corpus: Corpus, options: CountOptions, run: RunOptions = DEFAULT_RUN) -> Int64:
    """Count a corpus: a row a segment (S, 2 + 2N)."""
    corpus = objects.with_users_tokens(corpus, options, run)
    few = few_rows(corpus, options, run)
    if few:
        return np.array(few, np.int64)
    with closing(map_packed(rows_of, corpus, options, run)) as blocks:
        parts = [*blocks] or [no_rows(options)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def count_total(corpus: Corpus, options: CountOptions, run: RunOptions = DEFAULT_RUN) -> list[int]:
    """Count the sum of all rows (2 + 2N,), of which a block at a time is in memory."""
    corpus = objects.with_users_tokens(corpus, options, run)
    few = few_rows(corpus, options, run)
    if few:
        return objects.sum_rows(few)
    total = no_rows(options).sum(axis=0)
    with closing(map_packed(sum_of, corpus, options, run)) as blocks:
        for block in blocks:
            total += block
    row: list[int] = total.tolist()
    return row


def few_rows(corpus: Corpus, options: CountOptions, run: RunOptions) -> list[list[int]]:
    """Rows of a small corpus; none where arrays count it, which is decided here for all calls."""
    segments = objects.few_segments(corpus, options, run)
    if not segments:
        return []
    return objects.count_segments(segments, options.max_order, options.ref_length)


def map_packed(
    function: Callable[[int, RefLength, Any], Result],
    corpus: Corpus,
    options: CountOptions,
    run: RunOptions,
) -> Generator[Result]:
    """Results for the blocks of a corpus, in order; an error names the unit that it is about.

    The function gets max_order, ref_length and a packed block, in any process.
    """
    # 1 ms, which calls of few segments need not wait for.
    from vecbleu.core.parallel.mapping import map_blocks

    if corpus.is_text:
        options = options.pinned()
    estimate = corpus.estimate()
    run = _within_reach(run, estimate.reach)
    cost = options.tokenize.cost if corpus.is_text else 1.0
    return map_blocks(
        partial(function, options.max_order, options.ref_length),
        corpus.blocks(),
        sizes.SECONDS_A_TOKEN * estimate.tokens * cost,
        run,
        pack=lambda block: block.pack(options),
        explain=_explain,
        size=lambda block: block.size,
        total=estimate.total,
        unit=estimate.unit,
    )


def _explain(block: Block, error: Exception) -> Exception:
    """Return the error for the user, which names what it is about."""
    from vecbleu.core.parallel.worker import LostBlockError

    if isinstance(error, UnitError):
        return TypeError(f"{block.locate(error.unit)}: {error}")
    if isinstance(error, LostBlockError):
        return ChildProcessError(f"lost the block that begins with {block.locate(0)} {error}")
    return error


def _within_reach(run: RunOptions, reach: Reach) -> RunOptions:
    """The processes that may count."""
    if reach == "this process" or (reach == "workers" and run.executor is not None):
        return RunOptions(1, run.progress)
    return run


def rows_of(max_order: int, ref_length: RefLength, packed: Packed) -> Int64:
    """Count a packed block."""
    return packed.rows(max_order, ref_length)


def sum_of(max_order: int, ref_length: RefLength, packed: Packed) -> Int64:
    """Count a packed block and add it up: one row to move between processes."""
    return sum_counts(packed.rows(max_order, ref_length))


def no_rows(options: CountOptions) -> Int64:
    """Statistics of no segments."""
    return np.zeros((0, 2 + 2 * options.max_order), np.int64)

"""Count segments for a metric: plainly if there are few, else block by block, in any process."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import TypeVar

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.block import Block, Encoder
from vecbleu.core.corpus import Corpus, Countable
from vecbleu.core.count_table import CountTable
from vecbleu.core.counts import sum_counts
from vecbleu.core.metric import AnyMetric, Metric
from vecbleu.core.options import DEFAULT_RUN, RunOptions
from vecbleu.text.text import UnitError

Result = TypeVar("Result")
Table = TypeVar("Table", bound=CountTable)

# About the time in which one process tokenizes (with 13a) and counts a token.
_SECONDS_A_TOKEN = 1e-7


def count_rows(segments: Countable, metric: AnyMetric, run: RunOptions = DEFAULT_RUN) -> Int64:
    """Return one row of counts a segment (S, columns)."""
    plain = _plain_rows(segments, metric, run)
    if plain is not None:
        return np.array(plain, np.int64)
    function, encode = segments.counter(metric)
    with closing(map_blocks_of(function, segments, encode, run)) as rows:
        return np.concatenate([_no_rows(metric), *rows])


def count_total(segments: Countable, metric: AnyMetric, run: RunOptions = DEFAULT_RUN) -> list[int]:
    """Return the sum of all rows (columns,), without keeping the rows."""
    plain = _plain_rows(segments, metric, run)
    if plain is not None:
        return list(map(sum, zip(*plain, strict=True)))
    function, encode = segments.counter(metric)
    with closing(map_blocks_of(partial(_sum_of, function), segments, encode, run)) as sums:
        total: list[int] = sum(sums, np.zeros(metric.columns, np.int64)).tolist()
    return total


def count_table(segments: Countable, metric: Metric[Table], run: RunOptions = DEFAULT_RUN) -> Table:
    """Return the table of the segments' counts, with the signature and hashes of references."""
    signature = metric.signature(segments.is_text, segments.references_each())
    plain = _plain_rows(segments, metric, run)
    if plain is not None and isinstance(segments, Corpus):
        rows = np.array(plain, np.int64)
        return metric.table.of(rows, signature, segments.reference_hashes())
    function, encode = segments.counter(metric)
    blocks, hashes = [_no_rows(metric)], [np.zeros(0, np.int64)]
    count = partial(_with_references, function)
    with closing(map_blocks_of(count, segments, encode, run)) as counted:
        for rows, of_references in counted:
            blocks.append(rows)
            hashes.append(of_references)
    joined = np.concatenate(hashes)
    if segments.shared_hash is not None:
        joined[:] = segments.shared_hash
    return metric.table.of(np.concatenate(blocks), signature, joined)


def _plain_rows(segments: Countable, metric: AnyMetric, run: RunOptions) -> list[list[int]] | None:
    """Count a few segments in plain Python; None if arrays are faster, or do what `run` asks."""
    if not isinstance(segments, Corpus) or run.executor is not None or run.progress:
        return None
    units = segments.plain_units(metric.most_plain(segments.is_text))
    if units is None:
        return None
    try:
        return metric.count_plain(units, segments.offsets.tolist(), segments.is_text)
    except UnitError as error:
        size = len(segments)
        raise error.named(lambda unit: segments.locate(0, size, unit)) from None


def _no_rows(metric: AnyMetric) -> Int64:
    return np.zeros((0, metric.columns), np.int64)


def _sum_of(function: Callable[[Block], Int64], block: Block) -> Int64:
    """Return the sum of the rows of a block, so that processes exchange one row."""
    return sum_counts(function(block))


def _with_references(function: Callable[[Block], Int64], block: Block) -> tuple[Int64, Int64]:
    """Count a block; also return the hashes of its references."""
    encoded, hashes = block.with_hashes()
    return function(encoded), hashes


def map_blocks_of(
    function: Callable[[Block], Result], segments: Countable, encode: Encoder, run: RunOptions
) -> Generator[Result]:
    """Apply a function to each block of segments; yield the results in order.

    `encode` turns text into what the function counts. Both are called in any process. An error
    names the unit that caused it.
    """
    # Imported here, since calls with few segments do not get here.
    from vecbleu.parallel.mapping import map_blocks

    encode = encode.pinned() if segments.is_text else encode
    blocks = segments.blocks(encode)
    if segments.is_text and not encode.is_portable:
        blocks = (block.encoded_here() for block in blocks)
    estimate = segments.estimate()
    if not estimate.is_portable:  # use neither workers nor the executor
        run = RunOptions(1, run.progress)
    return map_blocks(
        function,
        blocks,
        _SECONDS_A_TOKEN * estimate.tokens * (encode.cost if segments.is_text else 1.0),
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

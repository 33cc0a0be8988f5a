"""Count segments for a metric: plainly if there are few, else block by block, in any process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import TypeVar

import numpy as np

from vecbleu.arguments.errors import ArgumentTypeError, place_text
from vecbleu.arguments.options import DEFAULT_RUN, RunOptions
from vecbleu.core.block import Block
from vecbleu.core.corpus import Corpus, Countable
from vecbleu.core.count_table import CountTable
from vecbleu.core.counts import sum_counts
from vecbleu.core.metric import AnyMetric, Metric
from vecbleu.kernel.arrays import Int64

Result = TypeVar("Result")
Table = TypeVar("Table", bound=CountTable)

# About the time in which one process tokenizes (with 13a) and counts a token.
_SECONDS_A_TOKEN = 1e-7


def count_rows(segments: Countable, metric: AnyMetric, run: RunOptions = DEFAULT_RUN) -> Int64:
    """Return one row of counts a segment (S, columns)."""
    plain = _plain_rows(segments, metric, run)
    if plain is not None:
        return np.array(plain, np.int64)
    with closing(map_metric(_rows_of, segments, metric, run)) as rows:
        return np.concatenate([_no_rows(metric), *rows])


def count_total(segments: Countable, metric: AnyMetric, run: RunOptions = DEFAULT_RUN) -> list[int]:
    """Return the sum of all rows (columns,), without keeping the rows."""
    plain = _plain_rows(segments, metric, run)
    if plain is not None:
        return list(map(sum, zip(*plain, strict=True)))
    with closing(map_metric(_sum_of, segments, metric, run)) as sums:
        total: list[int] = sum(sums, np.zeros(metric.columns, np.int64)).tolist()
    return total


def count_table(segments: Countable, metric: Metric[Table], run: RunOptions = DEFAULT_RUN) -> Table:
    """Return the table of the segments' counts, with the signature and hashes of references."""
    signature = metric.signature(segments.is_text, segments.references_each())
    plain = _plain_rows(segments, metric, run)
    if plain is not None and isinstance(segments, Corpus):
        rows = np.array(plain, np.int64)
        return metric.table.of(rows, signature, segments.reference_hashes())
    blocks, hashes = [_no_rows(metric)], [np.zeros(0, np.int64)]
    with closing(map_metric(_rows_and_hashes, segments, metric, run)) as counted:
        for rows, of_references in counted:
            blocks.append(rows)
            hashes.append(of_references)
    return metric.table.of(np.concatenate(blocks), signature, np.concatenate(hashes))


def _plain_rows(segments: Countable, metric: AnyMetric, run: RunOptions) -> list[list[int]] | None:
    """Count a few segments in plain Python; None if arrays are faster, or if `run` needs blocks."""
    if not isinstance(segments, Corpus) or run.executor is not None or run.progress:
        return None
    units = segments.plain_units(metric.most_plain(segments.is_text))
    if units is None:
        return None
    try:
        return metric.count_plain(units, segments.offsets.tolist(), segments.is_text)
    except ArgumentTypeError as error:
        error.name_unit(segments.locate)
        raise


def _no_rows(metric: AnyMetric) -> Int64:
    return np.zeros((0, metric.columns), np.int64)


def _rows_of(metric: AnyMetric, block: Block) -> Int64:
    """Return the rows of a block."""
    return metric.count(block)


def _sum_of(metric: AnyMetric, block: Block) -> Int64:
    """Return the sum of the rows of a block, so that processes exchange one row."""
    return sum_counts(metric.count(block))


def _rows_and_hashes(metric: AnyMetric, block: Block) -> tuple[Int64, Int64]:
    """Return the rows of a block, and the hashes of its references."""
    block, hashes = block.with_hashes()  # before the text leaves the cache
    return metric.count(block), hashes


def map_metric(
    function: Callable[[AnyMetric, Block], Result],
    segments: Countable,
    metric: AnyMetric,
    run: RunOptions,
) -> Generator[Result]:
    """Apply a function of a metric and a block to each block; yield the results in order."""
    metric, blocks = segments.metric_for(metric), segments.blocks()
    if segments.is_text:
        if not metric.is_portable:
            blocks = _encoded(blocks, metric)
        metric = metric.pinned()
    return map_blocks_of(partial(function, metric), segments, blocks, metric.cost, run)


def _encoded(blocks: Iterable[Block], metric: AnyMetric) -> Generator[Block]:
    """Encode the text of blocks here, if other processes can't do that."""
    for block in blocks:
        with_text, hashes = block.with_hashes()
        try:
            yield with_text._replace(units=metric.encode(with_text.units), reference_hashes=hashes)
        except ArgumentTypeError as error:
            error.name_unit(block.locate)
            raise


def map_blocks_of(
    function: Callable[[Block], Result],
    segments: Countable,
    blocks: Iterable[Block],
    cost: float,
    run: RunOptions,
) -> Generator[Result]:
    """Apply a function to each block of segments, in any process; yield the results in order.

    `cost` is that of a metric. An error names the unit that caused it.
    """
    # Imported here, since calls with few segments do not get here.
    from vecbleu.parallel.mapping import map_blocks

    estimate = segments.estimate()
    if not estimate.can_be_sent:  # use neither workers nor the executor
        run = RunOptions(1, run.progress)
    return map_blocks(
        function,
        blocks,
        _SECONDS_A_TOKEN * estimate.tokens * (cost if segments.is_text else 1.0),
        run,
        error_for=_error_to_raise,
        size=attrgetter("size"),
        total=estimate.total,
        unit=estimate.unit,
    )


def _error_to_raise(block: Block, error: Exception) -> Exception:
    """Return the error to raise; it names the unit, or the first unit of the block."""
    from vecbleu.parallel.worker import LostBlockError

    if isinstance(error, LostBlockError):
        first = place_text(block.locate(0))
        return ChildProcessError(f"lost the block that begins with {first}: {error}")
    if isinstance(error, ArgumentTypeError):
        error.name_unit(block.locate)
    return error

"""A function applied to blocks by one process or several, whatever the blocks hold."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from vecbleu.core.options import RunOptions
from vecbleu.core.parallel.worker import LostBlockError, Outcome, outcome_of
from vecbleu.core.progress import progress_bar

if TYPE_CHECKING:
    from vecbleu.core.parallel.pool import Task, UserExecutor, WorkerPool

    Pool = WorkerPool | UserExecutor

Block = TypeVar("Block")
Result = TypeVar("Result")

# Workers (0.15 s to start) pay from so much work on, and one for each half of it.
_WORTH_SHARING = 0.42  # seconds

# Version 2 has one tree of groups.
_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUP = Path("/proc/self/cgroup")


def map_blocks(
    function: Callable[[Any], Result],
    blocks: Iterable[Block],
    seconds: float,
    run: RunOptions,
    *,
    pack: Callable[[Block], Any] = lambda block: block,
    explain: Callable[[Block, Exception], Exception] | None = None,
    size: Callable[[Block], int] = len,  # type: ignore[assignment]
    total: int = 0,
    unit: str = "segments",
) -> Generator[Result]:
    """Apply a function to all blocks; yield the results, or raise the first error, in order.

    Some blocks are read ahead, so memory does not grow with their number.

    Parameters
    ----------
    function
        Gets a packed block, in any process.
    seconds
        What one process takes for all blocks, about.
    run
        Which processes count, and whether a progress bar is shown.
    pack
        Called here, makes of a block what is sent to other processes.
    explain
        Makes of a block and its error the error for the user. A `LostBlockError` is of a block
        that the user's executor has lost.
    size, total, unit
        What the progress bar shows: `size(block)` is how far a block moves it.

    """
    with (
        progress_bar(run.progress, total, unit) as advance,
        _open(run, seconds) as pool,
        closing(_outcomes(function, blocks, pack, pool)) as outcomes,
    ):
        for block, (result, error) in outcomes:
            if isinstance(error, LostBlockError) and explain is None:
                error = ChildProcessError(f"lost {size(block):,} {unit} {error}")
            elif error is not None and explain is not None and block is not None:
                error = explain(block, error)
            if error is not None:
                raise error from error.__cause__
            advance(size(block))
            yield result


def _open(run: RunOptions, seconds: float) -> AbstractContextManager[Pool | None]:
    """Open what shares the work; None where this process does all."""
    if run.executor is None and number_of_processes(run.workers, seconds) == 1:
        return nullcontext()
    from vecbleu.core.parallel.pool import UserExecutor, open_pool  # loads subprocess, 6 ms

    if run.executor is not None:
        return nullcontext(UserExecutor(run.executor))
    return open_pool(number_of_processes(run.workers, seconds), run.workers is not None)


def _outcomes(
    function: Callable[[Any], Any],
    blocks: Iterable[Block],
    pack: Callable[[Block], Any],
    pool: Pool | None,
) -> Generator[tuple[Any, Outcome]]:
    """Yield each block with what came of it."""
    if pool is None:
        for block in blocks:
            yield block, outcome_of(lambda block: function(pack(block)), block)
        return
    pending: deque[tuple[Any, Task]] = deque()
    try:
        for entry in _submitted(function, blocks, pack, pool):
            pending.append(entry)
            while pending and (pending[0][1].future.done() or len(pending) >= pool.most_pending):
                yield _first_result(pending, pool)
        while pending:
            yield _first_result(pending, pool)
    finally:
        for _, task in pending:
            task.future.cancel()


def _first_result(pending: deque[tuple[Any, Task]], pool: Pool) -> tuple[Any, Outcome]:
    """Wait for the first block; it stays pending until then, to be cancelled if the wait ends."""
    block, task = pending[0]
    outcome = pool.result(task)
    pending.popleft()
    return block, outcome


def _submitted(
    function: Callable[[Any], Any],
    blocks: Iterable[Block],
    pack: Callable[[Block], Any],
    pool: Pool,
) -> Generator[tuple[Any, Task]]:
    """Submit blocks; an error of the iterator comes behind the block before it, or None."""
    from vecbleu.core.parallel.pool import Task

    block = None
    try:
        for block in blocks:
            yield block, pool.submit(function, pack(block))
    except Exception as error:
        yield block, Task.failed(error)


def number_of_processes(workers: int | None, seconds: float) -> int:
    """Return how many processes do so much work, this one included: `workers` if given."""
    if workers is not None:
        return workers
    # A process of a pool has its share of the cores. Importing multiprocessing takes 10 ms.
    process = sys.modules.get("multiprocessing.process")
    is_in_a_pool = process is not None and process.parent_process() is not None
    if is_in_a_pool or seconds < _WORTH_SHARING:
        return 1
    return min(available_cores(), int(seconds // (_WORTH_SHARING / 2)))


def available_cores() -> int:
    """Return how many cores this process may use, by affinity and quotas of control groups."""
    cores: float = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    with suppress(OSError):  # not Linux
        own = _CONTROL_GROUPS / _OWN_GROUP.read_text().rpartition("0::/")[2].strip()
        cores = min(cores, *map(_quota_of, (own, *own.parents)))
    return max(1, int(cores))


def _quota_of(group: Path) -> float:
    """Return how many cores' worth of time one control group has."""
    with suppress(OSError, ValueError):  # there is none, or it is "max"
        quota, period = (group / "cpu.max").read_text().split()
        return float(quota) / float(period)
    return float("inf")

"""Apply a function to blocks, in one process or several."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from vecbleu.arguments.options import RunOptions
from vecbleu.parallel.progress import progress_bar
from vecbleu.parallel.worker import Outcome, outcome_of

if TYPE_CHECKING:
    from vecbleu.parallel.pool import Task, UserExecutor, WorkerPool

    Pool = WorkerPool | UserExecutor

Block = TypeVar("Block")
Result = TypeVar("Result")

# Use a second process, which takes time to start, for at least this much work, in seconds, and one
# more for each further half of it.
_WORTH_SHARING = 0.42


def map_blocks(
    function: Callable[[Block], Result],
    blocks: Iterable[Block],
    seconds: float,
    run: RunOptions,
    *,
    error_for: Callable[[Block, Exception], Exception] = lambda _, error: error,
    size: Callable[[Block], int] = len,  # type: ignore[assignment]
    total: int = 0,
    unit: str = "segments",
) -> Generator[Result]:
    """Apply a function to all blocks; yield the results in order, and raise the first error.

    A limited number of blocks is read ahead, so memory does not grow with their number.

    Parameters
    ----------
    function
        Called with a block, in any process.
    seconds
        Estimated time that one process takes for all blocks.
    run
        Options for worker processes and the progress bar.
    error_for
        Called with a block and its error; returns the error to raise. A `LostBlockError` means that
        the user's executor has lost the block.
    size, total, unit
        For the progress bar: `size(block)` is what a block adds, `total` the sum of all blocks.

    """
    with (
        progress_bar(run.progress, total, unit) as advance,
        _open(run, seconds) as pool,
        closing(_outcomes(function, blocks, pool)) as outcomes,
    ):
        for block, (result, error) in outcomes:
            if error is not None:
                raise error_for(block, error)
            advance(size(block))
            yield result


def _open(run: RunOptions, seconds: float) -> AbstractContextManager[Pool | None]:
    """Open a pool, or wrap the user's executor; None if this process does all the work."""
    processes = number_of_processes(run.processes, seconds)
    if run.executor is None and processes == 1:
        return nullcontext()
    from vecbleu.parallel.pool import UserExecutor, open_pool  # loads subprocess

    if run.executor is not None:
        return nullcontext(UserExecutor(run.executor))
    return open_pool(processes, run.processes is not None)


def _outcomes(
    function: Callable[[Block], object], blocks: Iterable[Block], pool: Pool | None
) -> Generator[tuple[Block, Outcome]]:
    """Yield each block with its outcome; raise an error of making or sending a block."""
    if pool is None:
        for block in blocks:
            yield block, outcome_of(function, block)
        return
    pending: deque[tuple[Block, Task]] = deque()
    failure: Exception | None = None
    try:
        try:
            for block in blocks:
                pending.append((block, pool.submit(function, block)))
                while pending and (
                    pending[0][1].future.done() or len(pending) >= pool.most_pending
                ):
                    yield _first_result(pending, pool)
        except Exception as error:  # blocks before this one come first
            failure = error
        while pending:
            yield _first_result(pending, pool)
        if failure is not None:
            raise failure
    finally:
        for _, task in pending:
            task.future.cancel()


def _first_result(pending: deque[tuple[Block, Task]], pool: Pool) -> tuple[Block, Outcome]:
    """Wait for the first block. It stays pending until then, so that Ctrl-C cancels it."""
    block, task = pending[0]
    outcome = pool.result(task)
    pending.popleft()
    return block, outcome


def number_of_processes(workers: int | None, seconds: float) -> int:
    """Return the number of processes for an estimated workload, including this one."""
    if workers is not None:
        return workers
    # In a worker of another pool, use one process. Don't import the module just to ask.
    process = sys.modules.get("multiprocessing.process")
    is_in_a_pool = process is not None and process.parent_process() is not None
    if is_in_a_pool or seconds < _WORTH_SHARING:
        return 1
    return min(available_cores(), int(seconds // (_WORTH_SHARING / 2)))


def available_cores(root: Path = Path("/")) -> int:
    """Return how many cores this process may use: its affinity and control groups limit them.

    Control groups of version 2, a single tree, are read below `root`.
    """
    cores: float = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    with suppress(OSError):  # not Linux
        name = (root / "proc/self/cgroup").read_text().rpartition("0::/")[2].strip()
        group = root / "sys/fs/cgroup" / name
        cores = min(cores, *map(_quota_of, (group, *group.parents)))
    return max(1, int(cores))


def _quota_of(group: Path) -> float:
    """Return the quota of one control group, in cores; infinity if it has none."""
    with suppress(OSError, ValueError):  # no file, or the quota is "max"
        quota, period = (group / "cpu.max").read_text().split()
        return float(quota) / float(period)
    return float("inf")

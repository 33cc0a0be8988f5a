"""What does the work: this process, worker processes beside it, or an executor of the user's.

All three have the shape of a `concurrent.futures.Executor`: `submit` takes a function and a block,
and returns a future of what came of it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from vecbleu.core.parallel.cores import number_of_processes, threads_run_at_once, warn_of_fewer
from vecbleu.core.parallel.futures import (
    BlockExecutor,
    Future,
    NotBegunError,
    Outcome,
    PendingResult,
)
from vecbleu.core.parallel.messages import portable

if TYPE_CHECKING:
    from vecbleu.core.parallel.threads import WorkerThread
    from vecbleu.core.parallel.worker import WorkerProcess

# Blocks that a worker has at hand, the one that it works on included.
_AT_HAND = 3

# Blocks, of a megabyte each, that an executor of unknown size has at a time.
_AT_ONCE = 64


@contextmanager
def open_executor(
    executor: Any,
    workers: int | None,
    seconds: float,
    environment: Mapping[str, str],
) -> Iterator[BlockExecutor]:
    """The user's executor, or as many processes as are asked for or pay for so much work.

    `environment` is what worker processes have in theirs beside this process' own.
    """
    if executor is not None:
        yield UserExecutor(executor, workers)
        return
    most_workers = number_of_processes(workers, seconds) - 1
    pool = WorkerPool(most_workers, environment, workers)
    try:
        yield pool
        pool.release()
    finally:
        pool.stop()


class WorkerPool:
    """Worker processes, and this one, which does what keeps none of them waiting.

    Threads do not serve where Python has a lock: NumPy's operations on a block that stays in the
    cache take 2 to 20 us, and handing the lock over takes as long; two threads gained 5%, two
    processes 80%. Where it has none, two threads gained 58 to 82% and two processes 46 to 67%: they
    take their place.
    """

    def __init__(
        self, most_workers: int, environment: Mapping[str, str], asked: int | None = None
    ) -> None:
        self.most_pending = 4 * _AT_HAND * most_workers + 1
        self._most_workers = most_workers
        self._environment = environment
        self._asked = asked
        self._workers: list[WorkerProcess | WorkerThread] = []
        self._has_begun = False

    def submit(self, function: Callable[[Any], Any], block: Any) -> Future:
        """Give a block to the worker that has the fewest, unless all have enough.

        The first block is done here: a single one needs no worker.
        """
        worker = self._next_worker()
        if worker is not None and worker.unfinished() < _AT_HAND:
            return worker.submit(function, block)
        try:
            return PendingResult((function(block), None))
        except Exception as error:  # it waits for its turn
            return PendingResult((None, error))

    def resubmit(self, function: Callable[[Any], Any], block: Any) -> Future:
        """Give it to a worker however many that has: it may end this process as it did another."""
        worker = self._next_worker()
        return worker.submit(function, block) if worker else self.submit(function, block)

    def _next_worker(self) -> WorkerProcess | WorkerThread | None:
        """The worker that has the fewest blocks: another one if all have some, and it may start."""
        self._remove_ended()
        worker = min(self._workers, key=lambda one: one.unfinished(), default=None)
        can_add = self._has_begun and len(self._workers) < self._most_workers
        if can_add and (worker is None or worker.unfinished()):
            worker = self._add() or worker
        self._has_begun = True
        return worker

    def _add(self) -> WorkerProcess | WorkerThread | None:
        """A new worker, or one that waits for a call; None if its threads can't be started."""
        try:
            if threads_run_at_once():
                from vecbleu.core.parallel.threads import lease_thread

                return lease_thread(self._workers)
            from vecbleu.core.parallel.worker import lease_worker  # loads subprocess, 6 ms

            return lease_worker(self._workers, self._environment)
        except RuntimeError as error:
            self._workers[-1].failure = NotBegunError(error)
            self._remove_ended()
            return None

    def _remove_ended(self) -> None:
        """Remove workers that have failed; start no more if one of them could not be started."""
        ended = [worker for worker in self._workers if worker.failure is not None]
        if not ended:
            return
        from vecbleu.core.parallel.worker import stop_workers

        stop_workers(ended)
        self._workers[:] = [worker for worker in self._workers if worker not in ended]
        not_begun = [one.failure for one in ended if isinstance(one.failure, NotBegunError)]
        if not_begun:
            self._most_workers = len(self._workers)
            warn_of_fewer(self._asked, not_begun[0])
            self._asked = None  # once

    def release(self) -> None:
        """Let the workers, all of which have finished, wait for the next call."""
        for worker in self._workers:
            worker.release()

    def stop(self) -> None:
        """End the workers that have not been released."""
        if unreleased := [one for one in self._workers if one.lease is self._workers]:
            from vecbleu.core.parallel.worker import stop_workers

            stop_workers(unreleased)


class UserExecutor:
    """An executor of the user's: a pool, a cluster."""

    def __init__(self, executor: Any, workers: int | None) -> None:
        self.most_pending = _AT_ONCE if workers is None else _AT_HAND * workers
        self._executor = executor
        self._resubmitted = 0

    def submit(self, function: Callable[[Any], Any], block: Any) -> Future:
        """Submit a pickled block: a pool whose process can't unpickle its task breaks for good."""
        try:
            task = pickle.dumps((function, block), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            return PendingResult((None, error))
        future: Future = self._executor.submit(run_pickled, task, self._resubmitted)
        return future

    def resubmit(self, function: Callable[[Any], Any], block: Any) -> Future:
        """Submit it as another task: Dask takes those with equal arguments for the same one."""
        self._resubmitted += 1
        return self.submit(function, block)


def run_pickled(task: bytes, _: int = 0) -> Outcome:
    """Apply a function to a block in the executor's process."""
    try:
        function, block = pickle.loads(task)
        return function(block), None
    except Exception as error:
        return None, portable(error)

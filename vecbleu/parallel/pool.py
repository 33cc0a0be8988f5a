"""Run tasks in worker processes and this one, or in the user's executor.

A worker is another process of the same Python; a thread of this process sends it tasks. Workers are
started with `subprocess`, not `multiprocessing`: they neither import the user's main module again
nor inherit locks that other threads hold. A worker ends when its pipe is closed, however this
process ends.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import IO, NamedTuple

from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import ArgumentFields
from vecbleu.arguments.options import Executor
from vecbleu.parallel.worker import (
    READY,
    Function,
    LostBlockError,
    Outcome,
    outcome_of,
    run_pickled,
)

# Blocks sent to a worker at a time: the one that it counts, and the next.
_AT_HAND = 2

# If the queue has more blocks than this for each worker, this process counts one. With 1, workers
# would wait for blocks.
_IN_QUEUE = 3

# Blocks (about 1 MB each) that may be pending: for each process, or at the user's executor.
_PENDING = 4
_PENDING_AT_EXECUTOR = 64

# A worker waits this long for the next call, since a start takes long.
_IDLE_SECONDS = 10.0

# The longest wait for the threads of a closed pool.
_CLOSE_SECONDS = 5.0

# The longest wait for a future at a time: on Windows, Ctrl-C does not end a wait.
_WAIT_SECONDS = 0.5

# Only this process must get Ctrl-C; it ends the workers. Windows needs a process group.
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)

_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; from vecbleu.parallel.worker import serve; serve()"
)


class Task(NamedTuple):
    """A function, its block, and a future of the outcome."""

    function: Function
    block: object
    future: Future[Outcome]

    @classmethod
    def failed(cls, error: Exception) -> Task:
        """Return a task that has ended with an error."""
        future: Future[Outcome] = Future()
        future.set_result((None, error))
        return cls(repr, None, future)

    def run(self) -> None:
        """Run the task in this process."""
        self.future.set_result(outcome_of(self.function, self.block))


class WorkerPool:
    """Worker processes that share a queue of tasks with this process.

    This process runs tasks while all workers are busy or starting. If a worker dies, this process
    runs the tasks that it had, and starts no other worker.

    On a free-threaded Python, workers are threads.
    """

    def __init__(self) -> None:
        self.most_pending = 0  # blocks; beyond that, wait for the first result
        self.failure: BaseException | None = None  # the error of a worker
        self._most_workers = 0
        self._has_submitted = False
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False
        _POOLS.add(self)

    def begin(self, most_workers: int) -> bool:
        """Get ready for another call; return False if the call needs a new pool."""
        self._most_workers = most_workers
        self._has_submitted = False
        self.most_pending = _PENDING * (most_workers + 1)
        is_alive = all(process.poll() is None for process in list(self._processes))
        return is_alive and len(self._threads) <= most_workers

    def submit(self, function: Function, block: object) -> Task:
        """Queue a task. If the workers are busy, start another one, or run the oldest task here.

        This limits the number of blocks that are read ahead. The first task starts no worker, since
        it may be the only one.
        """
        task = Task(function, block, Future())
        self._tasks.put(task)
        waiting = self._tasks.qsize()
        if self._has_submitted and waiting > len(self._threads):
            self._add_worker()
        if waiting > _IN_QUEUE * len(self._threads):
            self._help()
        self._has_submitted = True
        return task

    def result(self, task: Task) -> Outcome:
        """Return the outcome of a task; run others while it is not ready."""
        while not task.future.done() and self._help():
            pass
        _wait_for(task.future)
        try:
            return task.future.result()
        except ChildProcessError:  # its worker died
            return outcome_of(task.function, task.block)

    def close(self) -> None:
        """End all workers."""
        _POOLS.discard(self)
        self._is_closed = True
        for process in list(self._processes):
            process.kill()
        threads = [thread for thread in list(self._threads) if thread.is_alive()]
        for _ in threads:
            self._tasks.put(None)
        for thread in threads:
            thread.join(_CLOSE_SECONDS)

    def _add_worker(self) -> None:
        """Start another worker, unless there are enough, or none can be started."""
        if self.failure or len(self._threads) >= self._most_workers:
            return
        thread = threading.Thread(target=self._work, daemon=True)
        self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError as error:  # too many threads
            self.failure = error
            self._threads.discard(thread)

    def _help(self) -> bool:
        """Run the oldest task in the queue here; return False if there is none."""
        task = self._next_task(0)
        if task is not None:
            task.run()
        return task is not None

    def _next_task(self, seconds: float) -> Task | None:
        """Take the oldest task from the queue; return None if none comes in `seconds`."""
        while not self._is_closed:
            try:
                task = self._tasks.get(timeout=seconds)
            except Empty:
                break
            if task is not None and task.future.set_running_or_notify_cancel():
                return task
        return None

    def _work(self) -> None:
        """Run tasks, in this thread or in a process, until none comes for a while."""
        try:
            if threads_run_at_once():
                while task := self._next_task(_IDLE_SECONDS):
                    task.run()
            else:
                self._run_process()
        except BaseException as error:
            self.failure = error
        finally:
            self._threads.discard(threading.current_thread())

    def _run_process(self) -> None:
        """Start a process, let it run tasks, and end it."""
        if getattr(sys, "frozen", False):
            raise RuntimeError("the program is frozen")  # `sys.executable` is the program itself
        paths = _import_paths()
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        with subprocess.Popen(
            [sys.executable, *flags, "-P", "-c", _PROGRAM, *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},  # for `sitecustomize`
            start_new_session=True,
            creationflags=_NEW_GROUP,
        ) as process:
            assert process.stdin  # it is a pipe
            assert process.stdout
            self._processes.add(process)
            try:
                self._feed(process.stdin, process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                with suppress(OSError):  # flushing what was not sent fails again
                    process.stdin.close()
                status = process.wait()
                raise ChildProcessError(f"a worker process ended with status {status}") from error
            finally:
                process.kill()
                self._processes.discard(process)

    def _feed(self, tasks: IO[bytes], results: IO[bytes]) -> None:
        """Send tasks to a process and read its outcomes; tasks that are lost get an error."""
        while (line := results.readline()) != READY:
            if not line:
                raise EOFError
        sent: deque[Task] = deque()
        try:
            while True:
                while len(sent) < _AT_HAND and (
                    task := self._next_task(0 if sent else _IDLE_SECONDS)
                ):
                    sent.append(task)
                    message = pickle.dumps((task.function, task.block), pickle.HIGHEST_PROTOCOL)
                    pickle.dump(message, tasks)  # bytes, so that the stream can always be read
                    tasks.flush()
                if not sent:
                    return
                outcome = pickle.load(results)
                sent.popleft().future.set_result(outcome)
        finally:
            for task in sent:
                task.future.set_exception(ChildProcessError())


def _import_paths() -> list[str]:
    """Return the directories that workers import from: the absolute ones of `sys.path`.

    The current directory is left out: after `os.chdir` it may hold other modules.
    """
    paths = [path for path in sys.path if isinstance(path, str) and os.path.isabs(path)]
    for package in ("numpy", "vecbleu"):  # may have been found through a relative path
        folder = os.path.dirname(sys.modules[package].__path__[0])
        paths[:0] = [] if folder in paths else [folder]
    return paths


# Pools to be closed when the program ends; pools that wait for the next call.
_POOLS: set[WorkerPool] = set()
_FREE: list[WorkerPool] = []


def _free_pool() -> WorkerPool:
    """Take a pool that waits, or make one; other threads may take the last one meanwhile."""
    try:
        return _FREE.pop()
    except IndexError:
        return WorkerPool()


class LostWorkerWarning(ArgumentFields, RuntimeWarning):
    """A call used fewer processes than it was asked to."""


@contextmanager
def open_pool(processes: int, warns: bool) -> Iterator[WorkerPool]:
    """Lend a pool of up to `processes` processes, including this one.

    Its workers are kept for the next call, unless this one fails. If a worker failed and the user
    asked for this number, warn (`warns`).
    """
    while not (pool := _free_pool()).begin(processes - 1):
        pool.close()
    try:
        yield pool
    except BaseException:
        pool.close()
        raise
    if pool.failure is None:
        _FREE.append(pool)
        return
    pool.close()
    if warns:
        reason = f"{type(pool.failure).__name__}: {pool.failure}"
        lost = "a worker process ended or can't be started"
        warn_caller(LostWorkerWarning(f"is {processes}, but {lost}: {reason}", argument="workers"))


@atexit.register
def close_pools() -> None:
    """End all workers: threads that still wait for them could crash Python when it ends."""
    _FREE.clear()
    for pool in list(_POOLS):
        pool.close()


class UserExecutor:
    """The user's executor, such as a pool or a cluster, with the methods of `WorkerPool`."""

    most_pending = _PENDING_AT_EXECUTOR

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._numbers = count()  # Dask merges tasks with equal arguments

    def submit(self, function: Function, block: object) -> Task:
        """Pickle a task and submit it.

        If a pool unpickles tasks itself and fails, it breaks for good; `run_pickled` returns the
        error instead.
        """
        message = pickle.dumps((function, block), pickle.HIGHEST_PROTOCOL)
        try:
            future = self._executor.submit(run_pickled, message, next(self._numbers))
            if not isinstance(future, Future):
                kind = type(future).__name__
                raise TypeError(f"submit() of workers returned {kind}, expected a future")
        except Exception as error:
            note = "and the executor takes no more tasks: call again with a new one"
            return Task.failed(LostBlockError(error, note))
        return Task(function, block, future)

    def result(self, task: Task, is_last: bool = False) -> Outcome:
        """Return the outcome of a task; submit it once more if it was lost."""
        _wait_for(task.future)
        try:
            outcome = task.future.result()
            if not isinstance(outcome, tuple) or len(outcome) != 2:
                raise TypeError(f"a future returned {type(outcome).__name__}, not its result")
            return outcome
        except Exception as error:
            if is_last:
                return None, LostBlockError(error, "tries: 2")
        return self.result(self.submit(task.function, task.block), is_last=True)


def _wait_for(future: Future[Outcome]) -> None:
    while not future.done():
        wait([future], _WAIT_SECONDS)


def threads_run_at_once() -> bool:
    """Return whether this is a free-threaded Python without the GIL."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()

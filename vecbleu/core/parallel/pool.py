"""What does the work: worker processes and this one, or an executor of the user's.

Worker processes are this interpreter started again, with a thread here for each.
Workers are started with `subprocess`, not `multiprocessing`: they neither import the user's main
module again nor inherit locks that another thread holds. They end with the pipe, however this
process ends. Threads would not do: where Python has a lock, two of them gain 5%, two processes 80%.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from vecbleu.core.parallel.cores import warn_of_fewer
from vecbleu.core.parallel.worker import (
    READY,
    LostBlockError,
    Outcome,
    in_words,
    outcome_of,
    run_pickled,
)

_Function = Callable[[Any], Any]

# Blocks that a worker has at a time: the one that it counts, and the next.
_AT_HAND = 2

# Blocks for each process that may be pending at a time.
_PENDING = 4

# A start takes 0.15 s, as long as counting 2 million tokens, so a worker waits for the next call.
_IDLE_SECONDS = 10.0

# Blocks, of a megabyte each, that the user's executor has at a time.
_AT_ONCE = 64

# How long a future is waited for at a time: on Windows, Ctrl-C does not end a wait.
_WAIT_SECONDS = 0.5

# How long the threads of a pool that is closed are waited for.
_CLOSE_SECONDS = 5.0

# Ctrl-C is for this process, which then ends the workers. Windows has groups of processes for that.
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)

_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from vecbleu.core.parallel.worker import serve; serve()"
)


class Start(NamedTuple):
    """What workers are started with."""

    command: list[str]
    path: list[str]  # where they import from
    environment: dict[str, str]
    folder: str  # paths of models may be relative


def describe_start(environment: Mapping[str, str]) -> Start:
    """Describe a start of this interpreter; `environment` is added to this process' own.

    Workers import from the absolute directories that this process imports from, and never from
    the current directory, which may be another one by now.
    """
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    path = [path for path in sys.path if isinstance(path, str) and os.path.isabs(path)]
    for package in ("numpy", "vecbleu"):  # which may have been found elsewhere
        folder = os.path.dirname(sys.modules[package].__path__[0])
        path[:0] = [folder] if folder not in path else []
    inherited = {**os.environ, **environment}
    inherited.pop("PYTHONINSPECT", None)  # a worker that fails would wait for input
    if "PYTHONPATH" in inherited:  # a start imports `sitecustomize` from there
        entries = inherited["PYTHONPATH"].split(os.pathsep)
        inherited["PYTHONPATH"] = os.pathsep.join(filter(os.path.isabs, entries))
    try:
        folder = os.getcwd()
    except OSError:  # it has been deleted
        folder = ""
    return Start([sys.executable, *flags, "-P", "-c", _PROGRAM], path, inherited, folder)


class _Task(NamedTuple):
    function: _Function
    block: Any
    future: Future[Outcome]

    def run(self) -> None:
        self.future.set_result(outcome_of(self.function, self.block))


class WorkerPool:
    """Worker processes, and this one, which counts what they do not get to.

    All take blocks from one queue. A worker takes them once it has been started; a block that is
    lost with its worker is counted here, and no other worker is started in its place.
    """

    def __init__(self, most_workers: int, start: Start | None) -> None:
        """`start` is None where threads do the work of processes."""
        self.most_workers = most_workers
        self.start = start
        self.failure: BaseException | None = None  # of a worker
        self.owner = os.getpid()
        self.has_begun = False
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False
        _POOLS.add(self)

    @property
    def most_pending(self) -> int:
        """Number of blocks that are submitted before the first result is waited for."""
        return _PENDING * (self.most_workers + 1)

    def submit(self, function: _Function, block: Any) -> Future[Outcome]:
        """Have a function applied to a block.

        The first block is done here: a single one needs no worker.
        """
        task = _Task(function, block, Future())
        self._tasks.put(task)
        if self._tasks.qsize() > len(self._threads) and not (self.has_begun and self._add_worker()):
            self._help()
        self.has_begun = True
        return task.future

    def result(self, future: Future[Outcome], function: _Function, block: Any) -> Outcome:
        """Return what came of a block, and do others while it is not there."""
        while not future.done() and self._help():
            pass
        wait_for(future)
        try:
            return future.result()
        except Exception:  # it was lost with its worker
            return outcome_of(function, block)

    def close(self) -> None:
        """End all workers."""
        if self.owner != os.getpid():  # in a fork, they are its parent's
            return
        self._is_closed = True
        for process in [*self._processes]:
            process.kill()
        threads = [thread for thread in [*self._threads] if thread.is_alive()]
        for _ in threads:
            self._tasks.put(None)
        for thread in threads:
            thread.join(_CLOSE_SECONDS)
        _POOLS.discard(self)

    def fits(self, most_workers: int, start: Start | None) -> bool:
        """Whether it can serve a call that asks for so many workers, started like this."""
        is_alike = (self.owner, self.start) == (os.getpid(), start)
        is_alive = all(process.poll() is None for process in [*self._processes])
        return is_alike and is_alive and len(self._threads) <= most_workers

    def _add_worker(self) -> bool:
        """Start another worker; False if there can be no more."""
        if self.failure or len(self._threads) >= self.most_workers:
            return False
        thread = threading.Thread(target=self._work, daemon=True)
        self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError as error:  # there are too many
            self.failure = error
            self._threads.discard(thread)
        return self.failure is None

    def _help(self) -> bool:
        """Do the oldest block that no worker has taken; False if there is none."""
        task = self._next_task(0)
        if task is not None:
            task.run()
        return task is not None

    def _next_task(self, seconds: float) -> _Task | None:
        """Take a task, for which so many seconds are waited."""
        while not self._is_closed:
            try:
                task = self._tasks.get(timeout=seconds)
            except Empty:
                break
            if task is not None and task.future.set_running_or_notify_cancel():
                return task
        return None

    def _work(self) -> None:
        """Do tasks in a thread, by a process of its own where Python has a lock."""
        try:
            if self.start is not None:
                self._open_process(self.start)
            else:
                while task := self._next_task(_IDLE_SECONDS):
                    task.run()
        except BaseException as error:
            self.failure = error
        finally:
            self._threads.discard(threading.current_thread())

    def _open_process(self, start: Start) -> None:
        """Start a process, and end it when there has been no task for a while."""
        with subprocess.Popen(
            start.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=start.environment,
            start_new_session=True,
            creationflags=_NEW_GROUP,
        ) as process:
            self._processes.add(process)
            try:
                self._feed(process, start.path)
            except (EOFError, OSError) as error:
                status = process.wait()
                raise ChildProcessError(f"a worker process ended with status {status}") from error
            finally:
                process.kill()
                self._processes.discard(process)

    def _feed(self, process: subprocess.Popen[bytes], path: list[str]) -> None:
        """Send tasks to a process, and take the results."""
        tasks, results = process.stdin, process.stdout
        assert tasks
        assert results
        pickle.dump(path, tasks)
        tasks.flush()
        while (line := results.readline()) != READY:
            if not line:
                raise EOFError
        sent: deque[_Task] = deque()
        try:
            while True:
                while len(sent) < _AT_HAND and (
                    task := self._next_task(0 if sent else _IDLE_SECONDS)
                ):
                    sent.append(task)
                    message = pickle.dumps((task.function, task.block), pickle.HIGHEST_PROTOCOL)
                    pickle.dump(message, tasks)
                    tasks.flush()
                if not sent:
                    return
                outcome = pickle.loads(pickle.load(results))
                sent.popleft().future.set_result(outcome)
        finally:
            for task in sent:
                task.future.set_exception(ChildProcessError("a worker process was lost"))


class UserExecutor:
    """An executor of the user's: a pool, a cluster."""

    most_pending = _AT_ONCE

    def __init__(self, executor: Any) -> None:
        self._executor = executor
        self._numbers = count()  # Dask takes tasks with equal arguments for the same one

    def submit(self, function: _Function, block: Any) -> Future[Outcome]:
        """Submit a pickled block: a pool whose process can't unpickle its task breaks for good."""
        task = pickle.dumps((function, block), pickle.HIGHEST_PROTOCOL)
        try:
            future = self._executor.submit(run_pickled, task, next(self._numbers))
            if not isinstance(future, Future):
                kind = type(future).__name__
                raise TypeError(f"submit() of workers returned {kind}, expected a future")
        except Exception as error:
            note = "and the executor takes no more tasks: call again with a new one"
            raise LostBlockError(error, note) from error
        return future

    def result(self, future: Future[Outcome], function: _Function, block: Any) -> Outcome:
        """Return what came of a block, which is submitted once again if it was lost."""
        wait_for(future)
        with suppress(Exception):
            return future.result()
        future = self.submit(function, block)
        wait_for(future)
        try:
            return future.result()
        except Exception as error:
            raise LostBlockError(error, "tries: 2") from error


def wait_for(future: Future[Any]) -> None:
    """Wait until a future is done; Ctrl-C ends the wait, on Windows too."""
    while not future.done():
        wait([future], _WAIT_SECONDS)


# Those that may have workers, for the end of the program; the one that waits for the next call.
_POOLS: set[WorkerPool] = set()
_KEPT: list[WorkerPool] = []


@contextmanager
def open_pool(
    processes: int, environment: Mapping[str, str] | None, is_asked: bool
) -> Iterator[WorkerPool]:
    """Lend out a pool of so many processes, this one included; of threads without environment.

    Its workers are kept for the next call, unless this one fails. If fewer than were asked for
    could be started, there is a warning.
    """
    start = None if environment is None else describe_start(environment)
    pool = _lease(processes - 1, start)
    is_kept = False
    try:
        yield pool
        if is_asked and pool.failure is not None:
            warn_of_fewer(processes, in_words(pool.failure))
        is_kept = start is not None and pool.failure is None and not _KEPT
    finally:
        if is_kept:
            _KEPT.append(pool)
        else:
            pool.close()


def _lease(most_workers: int, start: Start | None) -> WorkerPool:
    """Take the pool that has been kept, if it fits, or a new one."""
    with suppress(IndexError):
        pool = _KEPT.pop()
        if pool.fits(most_workers, start):
            pool.most_workers, pool.has_begun = most_workers, False
            return pool
        pool.close()
    return WorkerPool(most_workers, start)


@atexit.register
def close_pools() -> None:
    """End all workers: threads that wait for them would abort the end of the interpreter."""
    for pool in [*_POOLS]:
        pool.close()
    _KEPT.clear()

"""Do blocks by worker processes and this one, or by an executor of the user's.

Worker processes are this interpreter started again, with a thread here for each of them. They are
started with `subprocess`, not `multiprocessing`: they neither import the user's main module again
nor inherit locks that another thread holds. They end with the pipe, however this process ends.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from vecbleu.core.checks import warn_caller
from vecbleu.core.parallel.worker import (
    READY,
    LostBlockError,
    Outcome,
    outcome_of,
    receive,
    run_pickled,
    send,
)

_Function = Callable[[Any], Any]

# Blocks that a worker has at a time: the one that it counts, and the next.
_AT_HAND = 2

# Blocks, of a megabyte each, that may be pending: for each process, or at the user's executor.
_PENDING = 4
_PENDING_AT_EXECUTOR = 64

# What Linux allows everybody.
_PIPE_BYTES = 1 << 20

# A start takes 0.15 s, as long as counting 2 million tokens, so a worker waits for the next call.
_IDLE_SECONDS = 10.0

# How long the threads of a pool that is closed are waited for.
_CLOSE_SECONDS = 5.0

# How long a future is waited for at a time: on Windows, Ctrl-C does not end a wait.
_WAIT_SECONDS = 0.5

# Ctrl-C is for this process, which then ends the workers. Windows has groups of processes for that.
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)

_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from vecbleu.core.parallel.worker import serve; serve()"
)


class Task(NamedTuple):
    """A function, the block that it gets, and what comes of it."""

    function: _Function
    block: Any
    future: Future[Outcome]

    @classmethod
    def failed(cls, error: Exception) -> Task:
        """Return a task that has ended with an error."""
        future: Future[Outcome] = Future()
        future.set_result((None, error))
        return cls(id, None, future)

    def run(self) -> None:
        """Do it in this process."""
        self.future.set_result(outcome_of(self.function, self.block))


class WorkerPool:
    """Workers, and this process, which counts what they do not get to.

    All take blocks from one queue. A worker takes them once it has been started; a block that is
    lost with its worker is counted here, and no other worker is started in its place.

    Workers are processes. They are threads only where Python has no lock: with one, two threads
    gain 5%, two processes 80%.
    """

    def __init__(self) -> None:
        self.most_pending = 0  # blocks; before more are submitted, the first result is waited for
        self.failure: BaseException | None = None  # of a worker
        self._most_workers = 0
        self._has_begun = False
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False
        _POOLS.add(self)

    def begin(self, most_workers: int) -> bool:
        """Serve another call; False if that needs a new pool."""
        self._most_workers, self._has_begun = most_workers, False
        self.most_pending = _PENDING * (most_workers + 1)
        is_alive = all(process.poll() is None for process in [*self._processes])
        return is_alive and len(self._threads) <= most_workers

    def submit(self, function: _Function, block: Any) -> Task:
        """Queue a block. Do the oldest one here if more are queued than workers can take.

        So no more are read ahead, and this process is one of the workers. A first block alone needs
        no other.
        """
        task = Task(function, block, Future())
        self._tasks.put(task)
        is_backlogged = self._tasks.qsize() > len(self._threads)
        if is_backlogged and not (self._has_begun and self._add_worker()):
            self._help()
        self._has_begun = True
        return task

    def result(self, task: Task) -> Outcome:
        """Return what came of a block, and do others while it is not there."""
        while not task.future.done() and self._help():
            pass
        _wait_for(task.future)
        try:
            return task.future.result()
        except ChildProcessError:  # it was lost with its worker
            return outcome_of(task.function, task.block)

    def close(self) -> None:
        """End all workers."""
        _POOLS.discard(self)
        self._is_closed = True
        for process in [*self._processes]:
            process.kill()
        threads = [thread for thread in [*self._threads] if thread.is_alive()]
        for _ in threads:
            self._tasks.put(None)
        for thread in threads:
            thread.join(_CLOSE_SECONDS)

    def _add_worker(self) -> bool:
        """Start another worker; False if there can be no more."""
        if self.failure or len(self._threads) >= self._most_workers:
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

    def _next_task(self, seconds: float) -> Task | None:
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
        """Do tasks, in this thread or a process of its own, until there are none for a while."""
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
        """Start a process, have it do tasks, and end it."""
        if getattr(sys, "frozen", False):
            raise RuntimeError("the program is frozen")  # it would be started again
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
            self._processes.add(process)
            _widen(process.stdin)
            _widen(process.stdout)
            try:
                self._feed(process.stdin, process.stdout)
            except (EOFError, OSError) as error:
                status = process.wait()
                raise ChildProcessError(f"a worker process ended with status {status}") from error
            finally:
                process.kill()
                self._processes.discard(process)

    def _feed(self, tasks: Any, results: Any) -> None:
        """Write tasks to a process, and read its results; what is lost has an error."""
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
                    send(message, tasks)
                if not sent:
                    return
                outcome = pickle.loads(receive(results))
                sent.popleft().future.set_result(outcome)
        finally:
            for task in sent:
                task.future.set_exception(ChildProcessError())


def _widen(pipe: Any) -> None:
    """Have a pipe hold a block, where the system can: two processes are 10% faster."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _import_paths() -> list[str]:
    """Return the absolute directories that this process imports from, where workers do, too.

    That is never the current directory: after `os.chdir` it holds other modules.
    """
    paths = [path for path in sys.path if isinstance(path, str) and os.path.isabs(path)]
    for package in ("numpy", "vecbleu"):  # which may have been found elsewhere
        folder = os.path.dirname(sys.modules[package].__path__[0])
        paths[:0] = [] if folder in paths else [folder]
    return paths


# Those that may have workers, for the end of the program; those that wait for the next call.
_POOLS: set[WorkerPool] = set()
_FREE: list[WorkerPool] = []


@contextmanager
def open_pool(processes: int, is_asked: bool) -> Iterator[WorkerPool]:
    """Lend out a pool of so many processes, this one included.

    Its workers are kept for the next call, unless this one fails. If fewer than were asked for
    could be started, there is a warning.
    """
    while not (pool := _FREE.pop() if _FREE else WorkerPool()).begin(processes - 1):
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
    if is_asked:
        reason = f"{type(pool.failure).__name__}: {pool.failure}"
        message = f"workers is {processes}, but no more worker processes can be started: {reason}"
        warn_caller(message, RuntimeWarning)


@atexit.register
def close_pools() -> None:
    """End all workers: threads that wait for them would abort the end of the interpreter."""
    _FREE.clear()
    for pool in [*_POOLS]:
        pool.close()


class UserExecutor:
    """An executor of the user's: a pool, a cluster."""

    most_pending = _PENDING_AT_EXECUTOR

    def __init__(self, executor: Any) -> None:
        self._executor = executor
        self._numbers = count()  # Dask takes tasks with equal arguments for the same one

    def submit(self, function: _Function, block: Any) -> Task:
        """Submit a pickled block: a pool whose process can't unpickle its task breaks for good."""
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
        """Return what came of a block, which is submitted once again if it was lost."""
        _wait_for(task.future)
        try:
            return task.future.result()
        except Exception as error:
            if is_last:
                return None, LostBlockError(error, "tries: 2")
        return self.result(self.submit(task.function, task.block), is_last=True)


def _wait_for(future: Future[Any]) -> None:
    while not future.done():
        wait([future], _WAIT_SECONDS)


def threads_run_at_once() -> bool:
    """Whether Python has no lock."""
    has_lock = getattr(sys, "_is_gil_enabled", None)
    return has_lock is not None and not has_lock()

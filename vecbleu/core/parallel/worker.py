"""Worker processes: other Python processes that apply functions to blocks.

Workers are started with `subprocess`, not `multiprocessing`: they neither import the user's main
module again nor inherit locks that another thread holds. Between calls they wait for some seconds.
They end with the pipe, however the caller ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import IO, Any

from vecbleu.core.parallel.futures import NotBegunError, PendingResult
from vecbleu.core.parallel.interpreter import describe_start
from vecbleu.core.parallel.messages import READY, pack, receive, send, unpack
from vecbleu.core.parallel.tasks import Task, Worker
from vecbleu.core.parallel.threads import WorkerThread

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# What Linux allows everybody.
_PIPE_BYTES = 1 << 20

# A start takes 0.15 s, as long as counting 2 million tokens, so a worker waits for the next call.
_IDLE_SECONDS = 10.0

# Ctrl-C is for the caller, who then stops the workers. Windows has groups of processes for that.
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


class WorkerProcess(Worker):
    """Another process, and the two threads here that talk to it.

    One writes and one reads, so that a block is on its way while the one before is being done. The
    one that writes also starts the process and ends it: the main thread can be interrupted at any
    moment, and a process that it has just started would be lost.
    """

    def __init__(self, lease: list[Any], environment: Mapping[str, str]) -> None:
        super().__init__(lease)
        self._lease_lock = threading.Lock()
        self._start = describe_start(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes: tuple[IO[bytes], ...] = ()  # what is written to, and what is read
        self._sent: SimpleQueue[PendingResult | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start the process."""
        _RUNNING.add(self)
        self._thread.start()

    def release(self) -> None:
        """Have it wait for the next call; all its blocks are finished."""
        self._unfinished = []
        self.lease = None

    def try_lease(self, lease: list[Any]) -> bool:
        """Take it for a call if it is free; only one of several threads gets it."""
        with self._lease_lock:
            if self.lease is not None:
                return False
            self.lease = lease
            return True

    def is_up_to_date(self, environment: Mapping[str, str]) -> bool:
        """Whether it is alive, and a new one would have the same program and environment."""
        is_alive = self._process is not None and self._process.poll() is None
        return is_alive and self._start == describe_start(environment)

    def close_inherited_pipes(self) -> None:
        """In a fork: keep the process' pipes open no longer than its owner does."""
        nothing = os.open(os.devnull, os.O_RDWR)
        for pipe in self._pipes:
            with contextlib.suppress(ValueError):  # it is closed
                os.dup2(nothing, pipe.fileno(), inheritable=False)
        os.close(nothing)

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._is_ending = True
        self._tasks.put(None)
        if self._process is not None:
            self._process.kill()

    def join(self) -> None:
        """Wait for its end."""
        if self._thread.ident is not None:  # it has been started
            self._thread.join()
        _RUNNING.discard(self)

    def _run(self) -> None:
        """Start the process, send it tasks, and end it; whatever fails, every task has a result."""
        # Where a program has set SIGPIPE to its default, a worker's death would be its own.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
        try:
            with self._open() as process:
                self._feed(process)
        except BaseException as error:  # closing the pipe of a dead process is one, too
            self.failure = self.failure or NotBegunError(error)
            for *_, pending in self._next_tasks():
                pending.give(NotBegunError(self.failure))
        while not self._tasks.empty():
            if (task := self._tasks.get()) is not None:
                task[-1].give(NotBegunError(self.failure or InterruptedError()))
        _RUNNING.discard(self)

    def _open(self) -> subprocess.Popen[bytes]:
        """Start the process."""
        return subprocess.Popen(
            self._start.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=_standard_error(),
            env=self._start.environment,
            start_new_session=True,
            creationflags=_NEW_GROUP,
        )

    def _feed(self, process: subprocess.Popen[bytes]) -> None:
        """Send the process its tasks, and end it."""
        assert process.stdin
        assert process.stdout
        self._process, self._pipes = process, (process.stdin, process.stdout)
        reader = threading.Thread(target=self._read, args=[process], daemon=True)
        try:
            for pipe in self._pipes:
                _widen(pipe)
            reader.start()
            with contextlib.suppress(OSError):  # it has died, which `_read` finds as well
                process.stdin.write(self._start.imports)
                process.stdin.flush()
            for task in self._next_tasks():
                self._send(*task)
                del task
        finally:
            process.kill()
            self._sent.put(None)
            if reader.ident is not None:
                reader.join()

    def _next_tasks(self) -> Iterator[Task]:
        """The tasks in order, until it is to end or has been idle for too long."""
        while not self._is_ending:
            try:
                task = self._tasks.get(timeout=_IDLE_SECONDS)
            except Empty:
                if self.try_lease([]):
                    return
                continue
            if task is None:
                return
            yield task
            del task  # a block need not live until the next one

    def _send(self, function: Callable[[Any], Any], block: Any, pending: PendingResult) -> None:
        """Send a block with its function, and have the result waited for."""
        try:
            message = pack((function, block))
        except Exception as error:
            pending.give((None, error))
            return
        self._sent.put(pending)
        with contextlib.suppress(OSError):  # it has died, which `_read` finds as well
            send(self._pipes[0], message)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Take the results; nobody waits for a thread that has failed."""
        try:
            self._read_results(process)
        except BaseException as error:
            self.failure = self.failure or ChildProcessError(f"a thread failed: {error!r}")
            process.kill()
            while (pending := self._sent.get()) is not None:
                pending.give(self.failure)

    def _read_results(self, process: subprocess.Popen[bytes]) -> None:
        """Take the results in the order of the blocks."""
        _, stream = self._pipes
        while (line := stream.readline()) not in (READY, b""):  # b"": it has died
            pass
        while (pending := self._sent.get()) is not None:
            try:
                message = receive(stream)
            except (EOFError, OSError):
                pending.give(self._end(process, has_begun=line == READY))
                continue
            except MemoryError as error:  # what is left of the message can't be told from others
                self.failure = error
                process.kill()
                pending.give((None, error))
                continue
            except Exception as error:  # such as of a library that has replaced threads
                self.failure = ChildProcessError(f"a thread failed: {error!r}")
                process.kill()
                pending.give(self.failure)
                continue
            try:
                pending.give(unpack(message))
            except Exception as error:
                pending.give((None, error))

    def _end(self, process: subprocess.Popen[bytes], has_begun: bool) -> Exception:
        """Why there is no result: the process was doing the first such block, and no other."""
        if self.failure is not None:
            return NotBegunError(self.failure)
        error = ChildProcessError(f"a worker process ended with status {process.wait()}")
        self.failure = error if has_begun else NotBegunError(error)
        return self.failure


# Those that run, for the end of the program: an error's traceback may keep an abandoned call.
_RUNNING: set[WorkerProcess] = set()


def lease_worker(workers: list[Any], environment: Mapping[str, str]) -> WorkerProcess:
    """Add a free worker or a new one to those of a call; it is among them from the first."""
    for worker in [*_RUNNING]:
        if worker.lease is not None or worker.owner != os.getpid():
            continue
        workers.append(worker)  # first, to be stopped after an interrupt
        if worker.try_lease(workers):
            if worker.is_up_to_date(environment):
                return worker
            stop_workers([worker])
        workers.pop()
    workers.append(WorkerProcess(workers, environment))
    workers[-1].start()
    started: WorkerProcess = workers[-1]
    return started


def stop_workers(workers: Iterable[WorkerProcess | WorkerThread]) -> None:
    """End all of them, and only then be interrupted; a fork leaves its parent's alone."""
    own = [worker for worker in workers if worker.owner == os.getpid()]
    steps = [*(worker.kill for worker in own), *(worker.join for worker in own)]
    interrupt = None
    while steps:
        try:
            steps[0]()
            del steps[0]
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


@atexit.register
def _stop_all() -> None:
    """Threads that wait for a worker abort the interpreter's end."""
    with contextlib.suppress(KeyboardInterrupt):  # of which Python would print the traceback
        stop_workers([*_RUNNING])


def _forget_all() -> None:
    """A fork has no workers yet."""
    for worker in [*_RUNNING]:
        worker.close_inherited_pipes()
    _RUNNING.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _standard_error() -> int | None:
    """A worker's standard error: this process', or none that a pipe could be taken for."""
    try:
        os.fstat(2)
    except OSError:  # it is closed
        return subprocess.DEVNULL
    return None


def _widen(pipe: IO[bytes]) -> None:
    """Have a pipe hold a block, where the system can, so that neither side waits for the other."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

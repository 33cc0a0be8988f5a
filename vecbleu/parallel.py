"""Blocks of work on several processes, their results in order.

The caller's process counts too, and feeds helpers: other Python processes that get pickled blocks
through a pipe. Threads do not serve: NumPy's operations on a block that stays in the cache take 2
to 20 us, and handing Python's lock over takes as long; two threads gained 5%, two processes 90%.

Helpers are started with `subprocess`, not `multiprocessing`: they neither import the user's main
module again nor inherit locks that another thread holds. They end with the pipe, however the
caller ends.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import IO, Any, TypeVar

import numpy as np

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Block = TypeVar("Block")
Result = TypeVar("Result")

# Below this many tokens, about 0.4 s of work, starting helpers (0.15 s each) does not pay.
_MANY_TOKENS = 1 << 22

# Blocks that a helper has at hand, the one that it works on included.
_AT_HAND = 3

# What Linux allows everybody.
_PIPE_BYTES = 1 << 20


def checked_workers(workers: int | None) -> int | None:
    """A number of processes, or None for as many as there are cores where there is much to do."""
    if workers is None:
        return None
    if not isinstance(workers, (int, np.integer)) or isinstance(workers, bool):
        raise TypeError(f"workers is {workers!r}, expected an integer or None")
    if workers < 1:
        raise ValueError(f"workers is {workers}, expected at least 1")
    return int(workers)


def map_blocks(
    function: Callable[[Block], Result],
    blocks: Iterable[Block],
    workers: int | None,
    tokens: float,
) -> Iterator[Result]:
    """Apply a function to every block; results, and the first error, in the order of blocks.

    `tokens` is about how many there are in all. Function and blocks must be picklable.
    """
    if workers is None:
        alone = tokens < _MANY_TOKENS or _is_worker() or not sys.executable
        workers = 1 if alone else _cores()
    if workers == 1:
        return map(function, blocks)
    return _share(function, blocks, workers - 1)


def _is_worker() -> bool:
    """Whether this is a process of somebody's pool, which has given the cores out already."""
    process = sys.modules.get("multiprocessing.process")  # importing it takes 10 ms
    return process is not None and process.parent_process() is not None


def _cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _share(
    function: Callable[[Block], Result], blocks: Iterable[Block], helpers: int
) -> Iterator[Result]:
    """Give helpers as many blocks as keep them busy, and do the others here."""
    pending: deque[Future[Result]] = deque()
    team = [_Helper(function) for _ in range(helpers)]
    try:
        for block in _until_error(blocks, pending):
            helper = min(team, key=_Helper.unfinished)
            if helper.unfinished() < _AT_HAND:
                pending.append(helper.submit(block))
            else:
                pending.append(_apply(function, block))
            while pending and (pending[0].done() or len(pending) > 4 * _AT_HAND * len(team)):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for helper in team:
            helper.stop()


def _until_error(blocks: Iterable[Block], pending: deque[Future[Any]]) -> Iterator[Block]:
    """All blocks; an error on the way to them stands in line behind the blocks before it."""
    try:
        yield from blocks
    except Exception as error:
        pending.append(Future())
        pending[-1].set_exception(error)


def _apply(function: Callable[[Block], Result], block: Block) -> Future[Result]:
    """Do a block here; an error waits for its turn."""
    future: Future[Result] = Future()
    try:
        future.set_result(function(block))
    except Exception as error:
        future.set_exception(error)
    return future


class _Helper:
    """Another process, and the two threads here that talk to it.

    One writes and one reads, so that a block is on its way while the one before is being done.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        head = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{_SERVE}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the caller, who then stops the helpers
        )
        self._blocks: SimpleQueue[tuple[Any, Future[Any]] | None] = SimpleQueue()
        self._sent: SimpleQueue[Future[Any] | None] = SimpleQueue()
        self._submitted = self._finished = 0
        self._threads = [
            threading.Thread(target=self._write, args=(head,), daemon=True),
            threading.Thread(target=self._read, daemon=True),
        ]
        for pipe, thread in zip(self._pipes(), self._threads, strict=True):
            _widen(pipe)
            thread.start()

    def unfinished(self) -> int:
        """Number of blocks that it has been given and not finished."""
        return self._submitted - self._finished

    def submit(self, block: Any) -> Future[Any]:
        """Have a block done."""
        future: Future[Any] = Future()
        self._submitted += 1
        self._blocks.put((block, future))
        return future

    def stop(self) -> None:
        """End at once, whatever it is doing."""
        self._process.kill()
        writer, reader = self._threads
        self._blocks.put(None)
        writer.join()
        self._sent.put(None)
        reader.join()
        for pipe in self._pipes():
            with contextlib.suppress(BrokenPipeError):  # bytes that it has not taken
                pipe.close()
        self._process.wait()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """The one that is written to, and the one that is read."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _write(self, head: bytes) -> None:
        """Send the pickled function, then blocks."""
        stream = self._pipes()[0]
        while (entry := self._blocks.get()) is not None:
            block, future = entry
            try:
                data = head + pickle.dumps(block, pickle.HIGHEST_PROTOCOL)
            except Exception as error:
                self._finish(future, False, error)
                continue
            self._sent.put(future)
            with contextlib.suppress(OSError):  # it has died, which `_read` finds as well
                stream.write(data)
                stream.flush()
            head = b""

    def _read(self) -> None:
        """Take the results in the order of the blocks."""
        while (future := self._sent.get()) is not None:
            try:
                is_result, value = pickle.load(self._pipes()[1])
            except (OSError, EOFError, pickle.UnpicklingError):
                status = self._process.wait()
                is_result = False
                value = RuntimeError(f"a worker process ended with status {status} at its work")
            self._finish(future, is_result, value)

    def _finish(self, future: Future[Any], is_result: bool, value: Any) -> None:
        """Hand over a result, or the error in its place."""
        self._finished += 1
        if is_result:
            future.set_result(value)
        else:
            future.set_exception(value)


def _widen(pipe: IO[bytes]) -> None:
    """Have a pipe hold a block, where the system can, so that neither side waits for the other."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


_SERVE = "from vecbleu.parallel import serve; serve()"


def serve() -> None:
    """Be a helper: apply the function that comes first to the blocks that follow."""
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints does not get among the replies
    try:
        function = pickle.load(requests)
        while True:
            pickle.dump(_reply(function, pickle.load(requests)), replies, pickle.HIGHEST_PROTOCOL)
            replies.flush()
    except (EOFError, BrokenPipeError):  # there is no more work
        os._exit(0)


def _reply(function: Callable[[Any], Any], block: Any) -> tuple[bool, Any]:
    """A result, or the error in its place."""
    try:
        return True, function(block)
    except Exception as error:
        try:
            return False, pickle.loads(pickle.dumps(error))
        except Exception:  # errors that want other arguments than their message
            return False, RuntimeError(f"{type(error).__name__}: {error}")

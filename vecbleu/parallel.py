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
from typing import Any, TypeVar

import numpy as np

Block = TypeVar("Block")
Result = TypeVar("Result")

# Below this many tokens, about 0.4 s of work, starting helpers (0.15 s each) does not pay.
_MANY_TOKENS = 1 << 22

# Blocks that a helper has at hand, the one that it works on included.
_AT_HAND = 2


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
    """Another process, and the thread here that talks to it."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{_SERVE}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the caller, who then stops the helpers
        )
        self._queue: SimpleQueue[tuple[Any, Future[Any]] | None] = SimpleQueue()
        self._submitted = self._finished = 0
        self._thread = threading.Thread(target=self._talk, args=(function,), daemon=True)
        self._thread.start()

    def unfinished(self) -> int:
        """Number of blocks that it has not finished."""
        return self._submitted - self._finished

    def submit(self, block: Any) -> Future[Any]:
        """Have a block done."""
        future: Future[Any] = Future()
        self._submitted += 1
        self._queue.put((block, future))
        return future

    def stop(self) -> None:
        """End at once, whatever it is doing."""
        self._process.kill()
        self._queue.put(None)
        self._thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):  # bytes that it has not taken
                pipe.close()  # type: ignore[union-attr]
        self._process.wait()

    def _talk(self, function: Callable[[Any], Any]) -> None:
        """Send blocks and take their results, one after the other."""
        request: Any = function
        while (entry := self._queue.get()) is not None:
            block, future = entry
            try:
                if request is function:
                    self._send(function)
                    request = None
                self._send(block)
                is_result, value = pickle.load(self._process.stdout)  # type: ignore[arg-type]
            except (OSError, EOFError, pickle.UnpicklingError):
                status = self._process.wait()
                is_result = False
                value = RuntimeError(f"a worker process ended with status {status} at its work")
            except BaseException as error:  # a block that can't be pickled
                is_result, value = False, error
            self._finished += 1
            if is_result:
                future.set_result(value)
            else:
                future.set_exception(value)

    def _send(self, value: Any) -> None:
        """Write one pickled value."""
        stream = self._process.stdin
        assert stream is not None
        pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
        stream.flush()


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

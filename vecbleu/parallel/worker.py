"""Run tasks in another process: a worker of ours, or one of the user's executor."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

# What a function returned for a block, or the error that it raised.
Outcome = tuple[Any, Exception | None]
Function = Callable[[Any], object]

# The first line that a worker writes. Others, such as `sitecustomize`, may print lines before it.
READY = b"vecbleu worker: ready\n"


class LostBlockError(ChildProcessError):
    """The user's executor failed to run a task; the cause is the executor's error."""

    def __init__(self, cause: Exception, note: str) -> None:
        super().__init__(f"the executor failed ({type(cause).__name__}: {cause}), {note}")
        self.__cause__ = cause


def outcome_of(function: Function, block: object) -> Outcome:
    """Apply a function to a block; return its result, or its error."""
    try:
        return function(block), None
    except Exception as error:
        return None, error


def run_pickled(task: bytes, _number: int = 0) -> Outcome:
    """Unpickle a task and run it; if it can't be unpickled, the outcome is that error."""

    def run(task: bytes) -> object:
        function, block = pickle.loads(task)
        return function(block)

    return outcome_of(run, task)


def serve() -> None:
    """Run tasks from standard input until it is closed."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps prints of imported modules out of the results
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=[tasks], daemon=True).start()
    results.write(b"\n" + READY)
    results.flush()
    while True:
        pickle.dump(run_pickled(tasks.get()), results, pickle.HIGHEST_PROTOCOL)
        results.flush()


def _read(tasks: SimpleQueue[bytes]) -> None:
    """Read tasks ahead, so that the sender need not wait; exit when the input ends."""
    try:
        while True:
            tasks.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)

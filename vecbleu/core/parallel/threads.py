"""Worker threads: for Pythons without the lock that has one thread run at a time.

There, two threads share blocks better than two processes do: nothing is started or pickled.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from vecbleu.core.parallel.futures import PendingResult


class WorkerThread:
    """A thread that applies functions to blocks, with what a call uses of `WorkerProcess`."""

    failure: Exception | None = None  # why it could not be started

    def __init__(self, lease: list[Any]) -> None:
        self.owner = os.getpid()
        self.lease: list[Any] | None = lease  # the workers of a call
        self._tasks: SimpleQueue[tuple[Callable[[Any], Any], Any, PendingResult] | None]
        self._tasks = SimpleQueue()
        self._unfinished: list[PendingResult] = []
        self._is_ending = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start it."""
        self._thread.start()

    def release(self) -> None:
        """End it: another one is started in no time."""
        self.lease = None
        self._tasks.put(None)

    def unfinished(self) -> int:
        """Number of blocks that it has been given and not finished."""
        self._unfinished = [pending for pending in self._unfinished if not pending.done()]
        return len(self._unfinished)

    def submit(self, function: Callable[[Any], Any], block: Any) -> PendingResult:
        """Have a function applied to a block."""
        pending = PendingResult()
        self._unfinished.append(pending)
        self._tasks.put((function, block, pending))
        return pending

    def kill(self) -> None:
        """End it behind the block that it is doing; nobody waits for the others any more."""
        self._is_ending = True
        self._tasks.put(None)

    def join(self) -> None:
        """Wait for its end."""
        if self._thread.ident is not None:  # it has been started
            self._thread.join()

    def _run(self) -> None:
        """Do the blocks in order."""
        while (task := self._tasks.get()) is not None and not self._is_ending:
            function, block, pending = task
            try:
                pending.give((function(block), None))
            except Exception as error:
                pending.give((None, error))
            del task, block  # a block need not live until the next one


def lease_thread(workers: list[Any]) -> WorkerThread:
    """Add a new thread to the workers of a call; it is among them from the first."""
    workers.append(WorkerThread(workers))
    workers[-1].start()
    started: WorkerThread = workers[-1]
    return started

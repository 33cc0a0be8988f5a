"""Worker threads: for Pythons without the lock that has one thread run at a time.

There, two threads share blocks better than two processes do: nothing is started or pickled.
"""

from __future__ import annotations

import threading
from typing import Any

from vecbleu.core.parallel.tasks import Worker


class WorkerThread(Worker):
    """A thread that applies functions to blocks, for one call."""

    def __init__(self, lease: list[Any]) -> None:
        super().__init__(lease)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start it."""
        self._thread.start()

    def release(self) -> None:
        """End it: another one is started in no time."""
        self.lease = None
        self._tasks.put(None)

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
    worker = WorkerThread(workers)
    workers.append(worker)
    worker.start()
    return worker

"""What worker processes and worker threads have in common: a line of blocks to be done."""

from __future__ import annotations

import os
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from vecbleu.core.parallel.futures import PendingResult

# A function, the block to apply it to, and the pending result.
Task = tuple[Callable[[Any], Any], Any, PendingResult]


class Worker:
    """Takes blocks in order."""

    def __init__(self, lease: list[Any]) -> None:
        self.owner = os.getpid()
        self.lease: list[Any] | None = lease  # the workers of a call; None between calls
        self.failure: Exception | None = None  # why it does nothing any more
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._unfinished: list[PendingResult] = []
        self._is_ending = False

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

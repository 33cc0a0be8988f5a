"""Futures of blocks: results that are not there yet, and how they are taken in order."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol, TypeVar

Block = TypeVar("Block")
Result = TypeVar("Result")

# What a function returned for a block, or the error that it raised.
Outcome = tuple[Any, BaseException | None]


class Future(Protocol):
    """The part of `concurrent.futures.Future` that is used."""

    def done(self) -> bool:
        """Whether the outcome, or an error of the executor's, is there."""
        ...

    def result(self) -> Outcome:
        """Wait for the outcome, or raise the error."""
        ...

    def cancel(self) -> bool:
        """Give the work up, if it has not begun."""
        ...


class BlockExecutor(Protocol):
    """Applies functions to blocks."""

    most_pending: int  # blocks; before more are submitted, the first result is waited for

    def submit(self, function: Callable[[Any], Any], block: Any) -> Future:
        """Have a function applied to a block; a future that fails is a lost block."""
        ...


class PendingResult:
    """A future that is safe from interrupts.

    Ctrl-C just behind the lock of the condition in `concurrent.futures.Future` leaves it locked,
    and all waiting for it.
    """

    def __init__(self, outcome: Outcome | None = None) -> None:
        self._result: Outcome | Exception = (None, None)
        self._is_open = threading.Lock()
        self._is_open.acquire()
        if outcome is not None:
            self.give(outcome)

    def give(self, result: Outcome | Exception) -> None:
        """Have it succeed with an outcome, or fail with an error."""
        self._result = result
        self._is_open.release()

    def done(self) -> bool:
        """Whether it has done either."""
        return not self._is_open.locked()

    def result(self) -> Outcome:
        """Wait for the outcome, or raise the error."""
        with self._is_open:
            pass
        if isinstance(self._result, Exception):
            raise self._result
        return self._result

    def cancel(self) -> bool:
        """Do nothing: a call that is given up ends its workers."""
        return False


class LostBlockError(Exception):
    """An executor has not done a block, whatever is in it; the cause is its own error."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")


def map_blocks(
    function: Callable[[Block], Result], blocks: Iterable[Block], executor: BlockExecutor
) -> Generator[Result]:
    """Apply a function to every block; results, and the first error, in the order of blocks.

    Function and blocks must be picklable. Some blocks are done at once, so that memory does not
    grow with their number.
    """

    def submit(block: Block) -> Future:
        try:
            return executor.submit(function, block)
        except Exception as error:
            raise LostBlockError(error) from error

    pending: deque[Future] = deque()
    submitted = map(submit, blocks)  # in a loop, a block would live until there is the next one
    try:
        while True:
            try:
                pending.append(next(submitted))
            except StopIteration:
                break
            except LostBlockError:
                while pending and pending[0].done():  # the others may never be
                    yield _take(pending)
                raise
            except Exception as error:  # its turn is behind the blocks that have begun
                pending.append(PendingResult((None, error)))
                break
            while pending and (pending[0].done() or len(pending) >= executor.most_pending):
                yield _take(pending)
        while pending:
            yield _take(pending)
    finally:
        for future in pending:
            future.cancel()


def _take(pending: deque[Future]) -> Any:
    """The first result, which leaves the line when it is there: until then it can be cancelled."""
    try:
        value, failure = pending[0].result()
    except Exception as error:
        raise LostBlockError(error) from error
    pending.popleft()
    if failure is not None:
        raise failure
    return value

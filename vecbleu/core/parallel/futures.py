"""Futures of blocks: results that are not there yet, and how they are taken in order."""

from __future__ import annotations

import _thread
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol, TypeVar, cast

Block = TypeVar("Block")
Result = TypeVar("Result")

# What a function returned for a block, or the error that it raised.
Outcome = tuple[Any, BaseException | None]

# How long a lock is waited for at a time; on Windows, Ctrl-C does not interrupt a wait without end.
_MOST_SECONDS = 0.5 if os.name == "nt" else None


class Future(Protocol):
    """The part of `concurrent.futures.Future` that is used."""

    def done(self) -> bool:
        """Whether the outcome, or an error of the executor's, is there."""
        ...

    def result(self, timeout: float | None = None) -> Outcome:
        """Wait for the outcome, or raise the error; TimeoutError after so many seconds."""
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

    def resubmit(self, function: Callable[[Any], Any], block: Any) -> Future:
        """The same for a block that has been lost."""
        ...


class PendingResult:
    """A future that is safe from interrupts.

    Ctrl-C just behind the lock of the condition in `concurrent.futures.Future` leaves it locked,
    and all waiting for it.
    """

    def __init__(self, outcome: Outcome | None = None) -> None:
        self._result: Outcome | Exception = (None, None)
        self._is_open = _thread.allocate_lock()  # `threading` takes 1 ms to load
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

    def result(self, timeout: float | None = None) -> Outcome:
        """Wait for the outcome, or raise the error; TimeoutError after so many seconds."""
        if not self._is_open.acquire(timeout=-1 if timeout is None else timeout):
            raise TimeoutError
        self._is_open.release()
        if isinstance(self._result, Exception):
            raise self._result
        return self._result

    def cancel(self) -> bool:
        """Do nothing: a call that is given up ends its workers."""
        return False


class LostBlockError(Exception):
    """An executor has not done a block, whatever is in it; the cause is its own error."""

    def __init__(self, cause: Exception, note: str) -> None:
        super().__init__(f"({_in_words(cause)}), {note}")


class NotBegunError(Exception):
    """A block has not been begun, because what was to do it could not be started."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(_in_words(cause))


class MovedBlockError(ValueError):
    """A process does not find what a block tells it to read; the sender has read it already."""


def _in_words(error: BaseException) -> str:
    """An error as tracebacks end with it."""
    return f"{type(error).__name__}: {error}"


def map_blocks(
    function: Callable[[Block], Result],
    blocks: Iterable[Block],
    executor: BlockExecutor,
    retries: int = 0,
) -> Generator[Result]:
    """Apply a function to every block; results, and the first error, in the order of blocks.

    Function and blocks must be picklable. Some blocks are done at once, so that memory does not
    grow with their number. A block that is lost is submitted again, `retries` times at most.
    """

    def submit(block: Block) -> tuple[Future, Block]:
        return _submit(executor.submit, function, block), block

    pending: deque[tuple[Future, Any]] = deque()
    submitted = map(submit, blocks)  # in a loop, a block would live until there is the next one
    try:
        while True:
            try:
                pending.append(next(submitted))
            except StopIteration:
                break
            except LostBlockError:
                while pending and pending[0][0].done():  # the others may never be
                    yield _take(pending, function, executor, retries)
                raise
            except Exception as error:  # its turn is behind the blocks that have begun
                pending.append((PendingResult((None, error)), None))
                break
            while pending and (pending[0][0].done() or len(pending) >= executor.most_pending):
                yield _take(pending, function, executor, retries)
        while pending:
            yield _take(pending, function, executor, retries)
    finally:
        for future, _ in pending:
            future.cancel()


def _take(
    pending: deque[tuple[Future, Block]],
    function: Callable[[Block], Result],
    executor: BlockExecutor,
    retries: int,
) -> Result:
    """The first result, which leaves the line when it is there: until then it can be cancelled."""
    future, block = pending[0]
    outcome, lost = None, 0
    while outcome is None:
        _wait(future)
        try:
            outcome = future.result()
        except NotBegunError:
            future = _submit(executor.submit, function, block)
        except Exception as error:
            lost += 1
            if lost > retries:
                raise LostBlockError(error, f"tries: {lost}") from error
            future = _submit(executor.resubmit, function, block)
        pending[0] = future, block
    pending.popleft()
    value, failure = outcome
    if isinstance(failure, MovedBlockError):
        return function(block)
    if failure is not None:
        raise failure
    return cast(Result, value)


def _submit(submit: Callable[..., Future], function: Callable[..., Any], block: Any) -> Future:
    """Submit a block; LostBlockError if that fails, as it then does for all others."""
    try:
        future = submit(function, block)
        if not callable(getattr(future, "result", None)):
            kind = type(future).__name__
            raise TypeError(f"submit() of workers returned {kind}, expected a future")
        return future
    except Warning:  # which is an error if the user says so
        raise
    except Exception as error:
        note = "and the executor takes no more tasks: call again with a new one"
        raise LostBlockError(error, note) from error


def _wait(future: Future) -> None:
    """Wait until it is done, so that Ctrl-C and what other signals' handlers raise get through."""
    while not future.done():
        try:
            future.result(_MOST_SECONDS)
        except Exception:  # its own, a timeout, or a handler's
            if _MOST_SECONDS is None and not future.done():
                raise

"""Results that are not there yet."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar, cast

Value = TypeVar("Value")


class Reply(Generic[Value]):
    """What a block will have come to: `concurrent.futures.Future`, safe from interrupts.

    Ctrl-C just behind the lock of a future's condition leaves it locked, and all waiting for it.
    """

    def __init__(self) -> None:
        self._value: Value | None = None
        self._error: BaseException | None = None
        self._is_open = threading.Lock()
        self._is_open.acquire()

    def give(self, value: Value) -> None:
        """Have it succeed."""
        self._value = value
        self._is_open.release()

    def fail(self, error: BaseException) -> None:
        """Have it fail."""
        self._error = error
        self._is_open.release()

    def done(self) -> bool:
        """Whether it has done either."""
        return not self._is_open.locked()

    def result(self) -> Value:
        """Wait for the value, or raise the error."""
        with self._is_open:
            pass
        if self._error is not None:
            raise self._error
        return cast(Value, self._value)

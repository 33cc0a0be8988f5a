"""Define the options that all metrics share: their types, defaults and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, NamedTuple, Protocol

from vecbleu.core.checks import checked_integer, import_extra
from vecbleu.kernel.ragged import checked_ids

Ids = int | Iterable[int]


class Executor(Protocol):
    """The part of `concurrent.futures.Executor` that is used; Dask and mpi4py have it, too."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Schedule a call, and return a future of its result."""


# A limit, since each order adds two counts to every segment and takes time.
MOST_ORDERS = 100

# Limits of weights and smoothing values: no product or quotient of these overflows.
LEAST, _MOST = 1e-100, 1e100


def checked_number(value: Any, name: str, least: float = 0) -> float:
    """Return a number as a float, if it is 0 or between `least` and 1e100; refuse strings."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}, expected a number")
    number = float(value)
    if number and not least <= number <= _MOST:
        limits = f"0, or {least:g}" if least else "0"
        raise ValueError(f"{name} is {number}, expected {limits} to {_MOST:g}")
    return number


class SpecialIds(NamedTuple):
    """Ids to ignore, and end-of-sequence ids; sorted, without duplicates."""

    ignore_ids: tuple[int, ...] = ()
    eos_ids: tuple[int, ...] = ()

    @classmethod
    def checked(cls, ignore_ids: Any = (), eos_id: Any = None) -> SpecialIds:
        """Check ids as the user passed them."""
        ends = () if eos_id is None else checked_ids(eos_id, "eos_id")
        return cls(checked_ids(ignore_ids, "ignore_ids"), ends)

    def __bool__(self) -> bool:
        return bool(self.ignore_ids or self.eos_ids)


NO_SPECIAL_IDS = SpecialIds()


class RunOptions(NamedTuple):
    """Options for worker processes and the progress bar."""

    workers: int | None = None  # None: chosen by the work and the number of cores
    progress: bool | None = False  # see `checked_progress`
    executor: Executor | None = None  # the user's, which replaces our worker processes

    def __reduce__(self) -> tuple[Any, ...]:
        return RunOptions, (self.workers, self.progress)  # few executors can be pickled

    @classmethod
    def checked(cls, workers: Any = None, progress: Any = False) -> RunOptions:
        """Check options as the user passed them."""
        checked_progress(progress)
        if callable(getattr(workers, "submit", None)) and not isinstance(workers, type):
            return cls(None, progress, workers)
        if workers is not None:
            expected = ", a concurrent.futures.Executor or None"
            workers = checked_integer(workers, "workers", 1, expected=expected)
        return cls(workers, progress)


DEFAULT_RUN = RunOptions()


def checked_progress(progress: Any) -> bool | None:
    """Check `progress`; None shows a bar on a terminal if tqdm is installed."""
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is {progress!r}, expected True, False or None")
    if progress:
        import_extra("progress needs", "progress", "tqdm")
    return progress

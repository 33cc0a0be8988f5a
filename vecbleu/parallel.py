"""Blocks of work on several processes, their results in order.

The caller's process counts too, and feeds helpers: other Python processes that get pickled blocks
through a pipe. Threads do not serve: NumPy's operations on a block that stays in the cache take 2
to 20 us, and handing Python's lock over takes as long; two threads gained 5%, two processes 80%.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from vecbleu.helper import Helper, hire, stop_team
from vecbleu.messages import portable
from vecbleu.progress import checked_progress
from vecbleu.replies import Reply

if TYPE_CHECKING:
    from concurrent.futures import Executor

Block = TypeVar("Block")
Result = TypeVar("Result")

# Below this many tokens, about 0.4 s of work, starting helpers (0.15 s each) does not pay; nor does
# one for each half of it.
_MANY_TOKENS = 1 << 22

# Blocks that a helper has at hand, the one that it works on included.
_AT_HAND = 3

# Blocks, of half a megabyte each, that an executor has whose size nobody has told.
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Labor:
    """Who does the work, and whether they are watched."""

    workers: int | None = None  # None: as many as there are cores where there is much to do
    progress: bool | None = False  # as in `checked_progress`
    executor: Executor | None = None  # does it all, where there is one

    def __post_init__(self) -> None:
        workers, executor = self.workers, self.executor
        checked_progress(self.progress)
        is_class = isinstance(executor, type)
        if is_class or not (executor is None or callable(getattr(executor, "submit", None))):
            found = executor if is_class else type(executor).__name__
            raise TypeError(f"executor is {found}, expected a concurrent.futures.Executor")
        if workers is None:
            return
        if not isinstance(workers, (int, np.integer)) or isinstance(workers, bool):
            raise TypeError(f"workers is {workers!r}, expected an integer or None")
        if workers < 1:
            raise ValueError(f"workers is {workers}, expected at least 1")


@dataclass(frozen=True, slots=True)
class Extent:
    """How much work there is, about."""

    tokens: float
    total: int  # of what `size` counts; 0 where nobody knows
    unit: str
    size: Callable[[Any], int]  # of a block


class LostError(Exception):
    """An executor has not done a block, whatever is in it; the cause is its own error."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.__cause__ = cause


def map_blocks(
    function: Callable[[Block], Result], blocks: Iterable[Block], labor: Labor, tokens: float
) -> Generator[Result]:
    """Apply a function to every block; results, and the first error, in the order of blocks.

    `tokens` is about how many there are in all. Function and blocks must be picklable.
    """
    workers = labor.workers
    if labor.executor is not None:
        at_once = _AT_ONCE if workers is None else _AT_HAND * workers
        return _delegate(labor.executor, function, blocks, at_once)
    if not _can_start_helpers():
        workers = 1
    if workers is None:
        alone = tokens < _MANY_TOKENS or _is_worker()
        workers = 1 if alone else min(_cores(), int(tokens // (_MANY_TOKENS // 2)))
    if workers == 1:
        return (function(block) for block in blocks)
    return _share(function, blocks, workers - 1)


def _can_start_helpers() -> bool:
    """Whether there is an interpreter to start; in frozen programs it would be the program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


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
    function: Callable[[Block], Result], blocks: Iterable[Block], most_helpers: int
) -> Generator[Result]:
    """Give helpers as many blocks as keep them busy, and do the others here."""
    pending: deque[Reply[Result]] = deque()
    team: list[Helper] = []
    try:
        for block, is_last in _look_ahead(blocks, pending):
            helper = min(team, key=lambda one: one.unfinished(), default=None)
            if len(team) < most_helpers and not is_last and (not helper or helper.unfinished()):
                helper = hire(team)
                helper.begin(function)
            if helper is not None and helper.unfinished() < _AT_HAND:
                pending.append(helper.submit(block))
            else:
                pending.append(_apply(function, block))
            while pending and (pending[0].done() or len(pending) > 4 * _AT_HAND * most_helpers):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
        for helper in team:
            helper.rest()
    finally:
        stop_team(team)


def _delegate(
    executor: Executor,
    function: Callable[[Block], Result],
    blocks: Iterable[Block],
    at_once: int,
) -> Generator[Result]:
    """Have an executor do all blocks, some of them at once, so that memory does not grow."""
    pending: deque[Any] = deque()
    try:
        for block, _ in _look_ahead(blocks, pending):
            # Pickled here: a pool whose process can't unpickle its task breaks for good.
            task = pickle.dumps((function, block), pickle.HIGHEST_PROTOCOL)
            try:
                pending.append(executor.submit(_run, task))
            except Exception as error:
                while pending and pending[0].done():  # the others may never be
                    yield _take(pending)
                raise LostError(error) from error
            while pending and (pending[0].done() or len(pending) >= at_once):
                yield _take(pending)
        while pending:
            yield _take(pending)
    finally:
        for future in pending:
            if not isinstance(future, Reply):
                future.cancel()


def _run(task: bytes) -> tuple[Any, Exception | None]:
    """Apply a function to a block in the executor's process: a result, or the function's error."""
    try:
        function, block = pickle.loads(task)
        return function(block), None
    except Exception as error:
        return None, portable(error)


def _take(pending: deque[Any]) -> Any:
    """The first result, which leaves the line when it is there: until then it can be cancelled."""
    first = pending[0]
    if isinstance(first, Reply):
        return pending.popleft().result()
    try:
        value, failure = first.result()
    except Exception as error:
        raise LostError(error) from error
    pending.popleft()
    if failure is not None:
        raise failure
    return value


def _look_ahead(blocks: Iterable[Block], pending: deque[Any]) -> Iterator[tuple[Block, bool]]:
    """Each block, and whether it is the last; an error on the way stands in line behind them."""
    held: list[Block] = []
    failed: Reply[Any] = Reply()
    try:
        for block in blocks:
            if held:
                yield held.pop(), False
            held.append(block)
    except Exception as error:
        failed.fail(error)
    if held:
        yield held.pop(), True
    if failed.done():
        pending.append(failed)


def _apply(function: Callable[[Block], Result], block: Block) -> Reply[Result]:
    """Do a block here; an error waits for its turn."""
    reply: Reply[Result] = Reply()
    try:
        reply.give(function(block))
    except Exception as error:
        reply.fail(error)
    return reply

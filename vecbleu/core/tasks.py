"""Parts of the work, done in this process or shared among several."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import Any, TypeVar

from vecbleu.core.options import RunOptions
from vecbleu.core.parallel.executors import open_executor
from vecbleu.core.parallel.futures import LostBlockError, map_blocks
from vecbleu.core.parallel.progress import progress_bar
from vecbleu.core.pipeline import ENVIRONMENT, RETRIES

Part = TypeVar("Part")
Result = TypeVar("Result")


def map_tasks(
    function: Callable[[Part], Result],
    parts: Iterable[Part],
    seconds: float,
    run: RunOptions,
    *,
    total: int = 0,
    size: Callable[[Any], int] = len,
    unit: str = "segments",
    name: str | None = None,
) -> Generator[Result]:
    """Results for all parts, in order; `seconds` is what one process takes for the whole.

    A progress bar of the given name goes from 0 to the total of the parts' sizes.
    """
    sizes: deque[int] = deque()

    def begun() -> Iterator[Part]:
        for part in parts:
            sizes.append(size(part))
            yield part

    with (
        open_executor(run.executor, run.workers, seconds, ENVIRONMENT) as executor,
        progress_bar(run.progress, total, unit, name) as advance,
        closing(map_blocks(function, begun(), executor, RETRIES)) as results,
    ):
        try:
            for result in results:
                advance(sizes.popleft())
                yield result
        except LostBlockError as error:
            lost = f"lost {sizes[0]:,} {unit}" if sizes else f"lost {unit}"
            raise ChildProcessError(f"{lost} {error}") from error.__cause__

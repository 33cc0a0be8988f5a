"""Parts of the work, done in this process or shared among several."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence, Sized
from contextlib import closing
from typing import TypeVar

from vecbleu.core.options import RunOptions
from vecbleu.core.parallel.executors import open_executor
from vecbleu.core.parallel.futures import map_blocks
from vecbleu.core.parallel.progress import progress_bar
from vecbleu.core.pipeline import ENVIRONMENT

Part = TypeVar("Part", bound=Sized)
Result = TypeVar("Result")


def map_tasks(
    function: Callable[[Part], Result], parts: Sequence[Part], seconds: float, run: RunOptions
) -> Generator[Result]:
    """Results for all parts, in order; `seconds` is what one process takes for the whole."""
    with (
        open_executor(run.executor, run.workers, seconds, ENVIRONMENT) as executor,
        progress_bar(run.progress, sum(map(len, parts)), "segments") as advance,
        closing(map_blocks(function, parts, executor, run.retries)) as results,
    ):
        for part, result in zip(parts, results, strict=True):
            advance(len(part))
            yield result

"""Runs the parts of the fuzzing: numbered batches of cases, each drawn from a seed of its own.

A part is a module of this package with

- `CASES`, how many there are at scale 1, and `BATCH`, how many of them a batch has;
- `check(random, size)`, which draws so many cases and yields a `Found` for each mismatch.
"""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from random import Random
from typing import Any

PARTS = ["tokenizers", "kernel", "differences", "commands", "pictures"]

# A case that did not pass: its number in the batch (-1: the whole batch), and what is wrong.
Found = tuple[int, str]


@dataclass
class Report:
    """What became of a part: `following` is the batch to go on with, if time ran out."""

    part: str
    cases: int = 0
    mismatches: list[tuple[int, int, str]] = field(default_factory=list)  # batch, case, text
    seconds: float = 0.0
    following: int | None = None


def run_batch(part: str, seed: int, batch: int) -> list[Found]:
    """Check a batch; an exception that the part does not expect is a mismatch."""
    module = import_module(f"fuzz.{part}")
    found: list[Found] = []
    try:
        found.extend(module.check(Random(f"{part} {seed} {batch}"), module.BATCH))
    except Exception:
        found.append((-1, traceback.format_exc()))
    return found


def run_part(
    part: str,
    seed: int = 1,
    *,
    scale: float = 1.0,
    first: int = 0,
    seconds: float = float("inf"),
    processes: int = 0,
) -> Report:
    """Run the batches of a part from the first on, until all are done or time is over."""
    module = import_module(f"fuzz.{part}")
    batches = range(first, max(1, -(-round(module.CASES * scale) // module.BATCH)))
    report, start = Report(part), time.perf_counter()
    with _executor(processes) as executor:
        for batch, found in _results(executor, 2 * processes, part, seed, batches, start + seconds):
            if found is None:
                report.following = batch
                break
            report.cases += module.BATCH
            report.mismatches += [(batch, case, text) for case, text in found]
    report.seconds = time.perf_counter() - start
    return report


def _executor(processes: int) -> Any:
    """Worker processes that share nothing with this one; None for no processes."""
    return ProcessPoolExecutor(processes, get_context("spawn")) if processes else nullcontext()


def _results(
    executor: ProcessPoolExecutor | None,
    ahead: int,
    part: str,
    seed: int,
    batches: range,
    end: float,
) -> Iterator[tuple[int, list[Found] | None]]:
    """What is found in each batch, in order; None for the first that there is no time for."""
    begun: deque[tuple[int, Callable[[], list[Found]]]] = deque()
    for batch in batches:
        if len(begun) > ahead or not executor:
            yield from _finished(begun, 1)
        if time.perf_counter() > end:
            yield from _finished(begun, len(begun))
            yield batch, None
            return
        if executor:
            future: Future[list[Found]] = executor.submit(run_batch, part, seed, batch)
            begun.append((batch, future.result))
        else:
            yield batch, run_batch(part, seed, batch)
    yield from _finished(begun, len(begun))


def _finished(
    begun: deque[tuple[int, Callable[[], list[Found]]]], count: int
) -> Iterator[tuple[int, list[Found]]]:
    """Wait for the oldest batches; that a process died is a mismatch as well."""
    for _ in range(min(count, len(begun))):
        batch, result = begun.popleft()
        try:
            yield batch, result()
        except BrokenProcessPool:
            batches = ", ".join(str(number) for number, _ in [(batch, None), *begun])
            raise SystemExit(f"a process died in one of the batches {batches}") from None

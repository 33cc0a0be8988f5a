"""Runs the parts of the fuzzing: numbered batches of cases, each drawn from a seed of its own.

A part is a module of this package with

- `CASES`, how many there are, and `BATCH`, how many of them a batch has;
- `check(random, size)`, which draws so many cases and yields a `Found` for each mismatch.
"""

from __future__ import annotations

import argparse
import os
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from random import Random

PARTS = ["tokenizers", "kernel", "characters", "commands"]

_SHOWN = 5  # mismatches of a part

# A case that did not pass: its number in the batch (-1: the whole batch), and what is wrong.
Found = tuple[int, str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts; the exit status is 1 if there is a mismatch."""
    options = _parse(arguments)
    failed = False
    print(f"{'part':<12}{'cases':>12}{'mismatches':>12}{'seconds':>9}", flush=True)
    for part in options.parts or PARTS:
        failed |= _run_part(part, options)
    return int(failed)


def run_batch(part: str, seed: int, batch: int) -> list[Found]:
    """Check a batch; an exception that the part does not expect is a mismatch."""
    module = import_module(f"fuzz.{part}")
    found: list[Found] = []
    try:
        found.extend(module.check(Random(f"{part} {seed} {batch}"), module.BATCH))
    except Exception:
        found.append((-1, traceback.format_exc()))
    return found


def _run_part(part: str, options: argparse.Namespace) -> bool:
    """Run a part, print its first mismatches and how to repeat them; whether there are any."""
    module, start = import_module(f"fuzz.{part}"), time.perf_counter()
    batches = range(options.first, module.CASES // module.BATCH)
    if options.batch is not None:
        batches = range(options.batch, options.batch + 1)
    end = start + 60 * options.minutes
    results = [*_results(part, options.seed, batches, end, options.processes)]
    mismatches = [(batch, case, text) for batch, found in results for case, text in found]
    cases, seconds = module.BATCH * len(results), time.perf_counter() - start
    print(f"{part:<12}{cases:>12,}{len(mismatches):>12,}{seconds:>9.0f}")
    command = f"python -m tests.fuzz {part} --seed {options.seed}"
    for batch, case, text in mismatches[:_SHOWN]:
        print(f"  {command} --batch {batch}   # case {case}", *text.splitlines(), sep="\n    ")
    if len(results) < len(batches):
        print(f"  out of time; go on with {command} --from {batches[len(results)]}")
    return bool(mismatches)


def _results(
    part: str, seed: int, batches: range, end: float, processes: int
) -> Iterator[tuple[int, list[Found]]]:
    """What is found in each batch, in order, until there is no more time."""
    run = partial(run_batch, part, seed)
    if len(batches) == 1:
        yield batches[0], run(batches[0])
        return
    together = 4 * processes
    with ProcessPoolExecutor(processes, get_context("spawn")) as executor:
        for first in range(0, len(batches), together):
            if time.perf_counter() > end:
                return
            some = batches[first : first + together]
            yield from zip(some, executor.map(run, some), strict=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Check random cases against oracles."
    )
    add = parser.add_argument
    add("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    add("--minutes", type=float, default=10, help="time for each part (default: %(default)s)")
    add("--seed", type=int, default=1, help="what cases are drawn from (default: %(default)s)")
    add("--from", dest="first", type=int, default=0, metavar="BATCH", help="the first batch to run")
    add("--batch", type=int, help="run this batch alone, in this process")
    add("--processes", type=int, default=os.cpu_count() or 1, help="default: %(default)s")
    options = parser.parse_args(arguments)
    if unknown := {*options.parts} - {*PARTS}:
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    return options

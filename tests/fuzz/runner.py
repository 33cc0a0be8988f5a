"""Run the parts of the fuzzing: numbered batches of cases, each drawn from a seed of its own."""

from __future__ import annotations

import argparse
import os
import time
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from random import Random

from fuzz import commands, counts, edits

# A batch's number of cases, and what draws so many from a `Random`; it yields a number in the batch
# (-1: the whole of it) and a text for each case that doesn't pass.
PARTS = {
    "tokenizers": (2_000, counts.check_tokenizers),
    "kernel": (1_000, partial(counts.check_segments, counts.TOKENS)),
    "characters": (1_000, partial(counts.check_segments, counts.CHARACTERS)),
    "edits": (1_000, edits.check_edits),
    "commands": (10, commands.check_commands),
}
SHOWN = 5  # mismatches of a part


def main(arguments=None):
    """Run the parts; the exit status is 1 if there is a mismatch."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Check random cases against oracles."
    )
    add = parser.add_argument
    add("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    add("--minutes", type=float, default=10, help="time for each part (default: %(default)s)")
    add("--seed", type=int, default=1, help="what cases are drawn from (default: %(default)s)")
    add("--batch", type=int, help="run this batch alone, in this process")
    add("--processes", type=int, default=os.cpu_count() or 1, help="default: %(default)s")
    options = parser.parse_args(arguments)
    if unknown := {*options.parts} - {*PARTS}:
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    return int(sum(run_part(part, options) for part in options.parts or PARTS) > 0)


def run_part(part, options):
    """Run a part, print its first mismatches and how to repeat them; return their number."""
    start, cases, mismatches = time.perf_counter(), 0, 0
    for batch, found in batches_of(part, options):
        cases += PARTS[part][0]
        for case, text in found[: max(0, SHOWN - mismatches)]:
            print(f"python -m tests.fuzz {part} --seed {options.seed} --batch {batch}", end="")
            print(f"  # case {case}", *text.splitlines(), sep="\n    ")
        mismatches += len(found)
    seconds = time.perf_counter() - start
    print(f"{part}: {cases:,} cases, {mismatches:,} mismatches, {seconds:.0f} s", flush=True)
    return mismatches


def batches_of(part, options):
    """Yield the number and mismatches of each batch, in order, until there is no more time."""
    run, end = partial(run_batch, part, options.seed), time.perf_counter() + 60 * options.minutes
    if options.batch is not None:
        yield options.batch, run(options.batch)
        return
    together = 4 * options.processes
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as executor:
        for first in count(0, together):
            batches = range(first, first + together)
            yield from zip(batches, executor.map(run, batches), strict=True)
            if time.perf_counter() > end:
                return


def run_batch(part, seed, batch):
    """Check a batch; an exception that the part does not expect is a mismatch."""
    (size, check), found = PARTS[part], []
    try:
        with warnings.catch_warnings(action="ignore"):  # of such text
            found.extend(check(Random(f"{part} {seed} {batch}"), size))
    except Exception:
        found.append((-1, traceback.format_exc()))
    return found

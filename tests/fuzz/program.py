"""The command line of the fuzzing: runs parts, prints cases and mismatches."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from fuzz.runner import PARTS, Report, run_batch, run_part

_SHOWN = 5  # mismatches of a part


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts; the exit status is 1 if there is a mismatch."""
    options = _parse(arguments)
    failed = False
    print(f"{'part':<12}{'cases':>12}{'mismatches':>12}{'seconds':>9}", flush=True)
    for part in options.parts or PARTS:
        if options.batch is None:
            report = run_part(
                part, options.seed, scale=options.scale, first=options.first,
                seconds=60 * options.minutes, processes=options.processes,
            )  # fmt: skip
        else:
            found = run_batch(part, options.seed, options.batch)
            mismatches = [(options.batch, case, text) for case, text in found]
            report = Report(part, import_module(f"fuzz.{part}").BATCH, mismatches)
        failed |= bool(report.mismatches)
        _print(report, options.seed)
    return int(failed)


def _print(report: Report, seed: int) -> None:
    """A line about the part, its first mismatches, and how to repeat them or to go on."""
    line = (
        f"{report.part:<12}{report.cases:>12,}{len(report.mismatches):>12,}{report.seconds:>9.0f}"
    )
    print(line, flush=True)
    command = f"python -m tests.fuzz {report.part} --seed {seed}"
    for batch, case, text in report.mismatches[:_SHOWN]:
        print(f"  {command} --batch {batch}   # case {case}", *text.splitlines(), sep="\n    ")
    if len(report.mismatches) > _SHOWN:
        print(f"  and {len(report.mismatches) - _SHOWN} more")
    if report.following is not None:
        print(f"  out of time; go on with {command} --from {report.following}")
    sys.stdout.flush()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Check random cases against oracles."
    )
    add = parser.add_argument
    add("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    add("--minutes", type=float, default=10, help="time for each part (default: %(default)s)")
    add("--seed", type=int, default=1, help="what cases are drawn from (default: %(default)s)")
    add("--scale", type=float, default=1, help="share of the cases (default: %(default)s)")
    add("--from", dest="first", type=int, default=0, metavar="BATCH", help="the first batch to run")
    add("--batch", type=int, help="run this batch alone, in this process")
    add("--processes", type=int, default=os.cpu_count() or 1,
        help="worker processes (default: %(default)s)")  # fmt: skip
    options = parser.parse_args(arguments)
    if unknown := {*options.parts} - {*PARTS}:
        parser.error(
            f"no part is called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}"
        )
    return options

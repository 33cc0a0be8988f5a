"""The command line against ``wc -w`` on the same two files.

python benchmarks/wc.py [SEGMENTS ...]      200,000 by default

Whole processes take turns. The first ratio is of the time on the clock, which is what a user waits
for and which other work on the machine disturbs; the second one of the time of all cores, which
that disturbs less. Both are medians of the rounds' ratios. `wc` gets the locale C.UTF-8, in which
that of coreutils 9.1 takes two thirds of its time in C.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from growth import write_corpus

ROUNDS = 7
ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # every process would compile the package


def seconds(command: list[str], folder: str) -> tuple[float, float]:
    """Time of a process on the clock, and that of its cores, with the processes that it starts."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT, cwd=folder)
    clock, after = time.perf_counter() - start, os.times()
    cores = after.children_user + after.children_system
    return clock, cores - before.children_user - before.children_system


def commands(hypothesis: str, reference: str) -> dict[str, list[str]]:
    """What takes turns; `wc` is the first."""
    score = [sys.executable, "-m", "vecbleu", reference, "-i", hypothesis, "-b"]
    of_workers = {"1 process": ["--workers", "1"], "2 processes": ["--workers", "2"], "default": []}
    return {"wc": ["wc", "-w", hypothesis, reference]} | {
        f"{tokenize}, {name}": [*score, "-tok", tokenize, *options]
        for tokenize in ("none", "13a")
        for name, options in of_workers.items()
    }


def main(sizes: list[int]) -> None:
    """Print the ratios of all sizes."""
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            turns = commands(*write_corpus(Path(folder), size))
            rounds = [
                {name: seconds(command, folder) for name, command in turns.items()}
                for _ in range(ROUNDS)
            ]
            print(f"{size:,} segments; wc: {_median([one['wc'][0] for one in rounds])} s")
            for name in [*turns][1:]:
                clock, cores = (
                    _median([one[name][kind] / one["wc"][kind] for one in rounds])
                    for kind in (0, 1)
                )
                print(f"  {name:18} clock {clock}  cores {cores}")
            for tokenize in ("none", "13a"):
                one, two = f"{tokenize}, 1 process", f"{tokenize}, 2 processes"
                gain = _median([turn[one][0] / turn[two][0] for turn in rounds])
                print(f"  {tokenize}: 2 processes gain {gain}")


def _median(values: list[float]) -> str:
    return f"{statistics.median(values):.2f}"


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [200_000])

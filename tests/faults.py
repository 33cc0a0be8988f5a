"""Plant faults in a copy of the project, one after the other: each has to be found by a test.

``python -m tests.faults [NUMBER ...]`` runs the first suite, then the slow one, on every fault.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Fault(NamedTuple):
    """A text of a file, which stands there once, and what to put in its place."""

    what: str
    path: str  # below vecbleu/
    before: str
    after: str


FAULTS: list[Fault] = []


def plant(fault: Fault, copy: Path) -> None:
    """Write the fault into a copy of the project."""
    path = copy / "vecbleu" / fault.path
    text = path.read_text(encoding="utf-8")
    if text.count(fault.before) != 1:
        raise ValueError(f"{fault.path} has {text.count(fault.before)} times {fault.before!r}")
    path.write_text(text.replace(fault.before, fault.after), encoding="utf-8")


def found_by(fault: Fault) -> str:
    """Return the first test that fails, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*cache"))
        plant(fault, copy)
        for marked in ([], ["-m", "slow"]):
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-x",
                "-p",
                "no:cacheprovider",
                *marked,
            ]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
            if done.returncode == 1:
                return re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, flags=re.M)[1]
            if done.returncode != 0:
                return f"exit status {done.returncode}: {done.stdout[-200:]}"
    return ""


def main(numbers: list[int]) -> int:
    """Run the faults of these numbers, by default all, two at a time."""
    chosen = [(number, FAULTS[number]) for number in numbers or range(len(FAULTS))]
    missed = 0
    with ThreadPoolExecutor(2) as pool:
        for (number, fault), test in zip(
            chosen, pool.map(lambda one: found_by(one[1]), chosen), strict=True
        ):
            missed += not test
            print(f"{number:2}  {fault.what:50}  {test or 'NOT FOUND'}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]))

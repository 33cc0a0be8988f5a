"""Compare the speed of two commits, which run in turns; print ratios.

python benchmarks/compare.py OLD [NEW] [--size SEGMENTS] [--work NAME] [--limit RATIO]

Without NEW, the working tree is compared. The `works.py` of NEW times both. The exit status is 1 if
the result of a work differs, or if NEW is slower: in the median more than --limit times, and in
three rounds of four. The last line sums up the median ratios of all works.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from works import WORKS

ROOT = Path(__file__).resolve().parent.parent


class Side:
    """A process that times works with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        # Threads of BLAS wait for each other: significance tests vary by a factor of ten.
        environment["OPENBLAS_NUM_THREADS"] = "1"
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("works.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        package = Path(self._answer())
        if package != checkout / "vecbleu":
            raise SystemExit(f"{package} was imported in place of {checkout / 'vecbleu'}")

    def time(self, work: str, size: int, number: int) -> tuple[float | None, str]:
        """Time a work on some segments: seconds a call, and a digest of the result."""
        print(json.dumps([work, size, number]), file=self._process.stdin, flush=True)
        seconds, digest = self._answer()
        return seconds, digest

    def _answer(self) -> Any:
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a side ended with status {self._process.wait()}")
        return json.loads(line)


@contextmanager
def checkout(revision: str | None) -> Iterator[Path]:
    """Give a folder with a commit checked out; for None, the working tree itself."""
    if revision is None:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "checkout"
        git = ["git", "-C", str(ROOT), "worktree"]
        add = [*git, "add", "--quiet", "--detach", str(path), revision]
        if subprocess.run(add, check=False).returncode:
            raise SystemExit(f"{revision} can't be checked out")
        try:
            yield path
        finally:
            subprocess.run([*git, "remove", "--force", str(path)], check=True)


def compare(
    old: Side, new: Side, work: str, options: argparse.Namespace
) -> tuple[float, bool] | None:
    """Print a line of the table; return the median ratio, and whether nothing is wrong.

    Return None if a side lacks the function that the work calls.
    """
    times: dict[Side, list[float]] = {old: [], new: []}
    digests: dict[Side, list[str]] = {old: [], new: []}
    for number in range(options.rounds):
        for side in (old, new) if number % 2 else (new, old):
            seconds, digest = side.time(work, options.size, number)
            if seconds is None:
                print(f"{work:38} not in {'OLD' if side is old else 'NEW'}", flush=True)
                return None
            times[side].append(seconds)
            digests[side].append(digest)
    ratios = [b / a for a, b in zip(times[old], times[new], strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    before, after = (statistics.median(times[side]) * 1e3 for side in (old, new))
    notes = ["SLOWER"] * (middle > options.limit and low > 1)
    notes += ["RESULTS DIFFER"] * (digests[old] != digests[new])
    ratio = f"{middle:7.3f} ({low:.3f} to {high:.3f})"
    print(f"{work:38} {before:10.2f} {after:10.2f} {ratio}", *notes, flush=True)
    return middle, not notes


def main() -> int:
    """Print the table and its summary; return 0 if nothing has become slower than allowed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", nargs="?", help="another one; by default the working tree")
    parser.add_argument("--size", type=int, default=20_000, help="segments (20,000)")
    parser.add_argument("--rounds", type=int, default=9, help="of each side, 3 or more (9)")
    parser.add_argument("--work", default="", help="only works whose names contain this")
    parser.add_argument("--limit", type=float, default=1.1, help="of a median ratio (1.1)")
    options = parser.parse_args()
    chosen = [name for name in WORKS if options.work in name]
    if not chosen or options.rounds < 3:
        parser.error(f"expected 3 rounds or more, and a part of a name: {', '.join(WORKS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # removes the checkouts
    with checkout(options.old) as old_path, checkout(options.new) as new_path:
        old, new = Side(old_path), Side(new_path)
        print(f"{'':38} {'old, ms':>10} {'new, ms':>10} {'ratio':>7} (quartiles)")
        results = [(work, compare(old, new, work, options)) for work in chosen]
    compared = {work: result for work, result in results if result}
    medians = [ratio for ratio, _ in compared.values()]
    outside = [f"{work} {one:.3f}" for work, (one, _) in compared.items() if abs(one - 1) > 0.05]
    mean = statistics.geometric_mean(medians)
    print(
        f"{len(medians)} works: {min(medians):.3f} to {max(medians):.3f}, mean {mean:.3f};", end=" "
    )
    print("outside 0.95 to 1.05:", "; ".join(outside) or "none")
    return 0 if all(is_good for _, is_good in compared.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())

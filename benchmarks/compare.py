"""Compare the speed of two commits: both run in turns on one machine, and ratios are printed.

python benchmarks/compare.py OLD            OLD against the working tree
python benchmarks/compare.py OLD NEW        one commit against another
python benchmarks/compare.py OLD --size 200000 --work 13a --limit 1.05

The exit status is 1 if a work takes more than --limit times as long in NEW in the median, and
longer in three rounds of four; or if its result differs. Both commits are timed by the working
tree's `works.py`. The last line sums up the median ratios of all works.
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

from works import MOST_SEGMENTS, WORKS

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent


class Side:
    """A process that times works with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(FOLDER / "works.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=_environment(checkout),
        )
        package = Path(self._answer())
        if package != checkout / "vecbleu":
            raise SystemExit(f"{package} was imported in place of {checkout / 'vecbleu'}")

    def time(self, work: str, size: int) -> tuple[float, str]:
        """Time a work: seconds a call, and a digest of the result."""
        print(json.dumps([work, size]), file=self._process.stdin, flush=True)
        seconds, digest = self._answer()
        return seconds, digest

    def stop(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> Any:
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a side ended with status {self._process.wait()}")
        return json.loads(line)


def _environment(checkout: Path) -> dict[str, str]:
    """The environment of a process that imports the package of a checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    # Several BLAS threads wait for each other where another process takes a core: times of
    # significance tests then vary by a factor of ten.
    environment["OPENBLAS_NUM_THREADS"] = "1"
    # With it, every new process would compile the package, which takes longer than what is timed.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


@contextmanager
def checkout(revision: str | None) -> Iterator[Path]:
    """A folder with a commit checked out; for None, the working tree itself."""
    if revision is None:
        yield ROOT
        return
    verify = ["git", "-C", str(ROOT), "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    if subprocess.run(verify, stdout=subprocess.DEVNULL, check=False).returncode:
        raise SystemExit(f"{revision} is no commit")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "checkout"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(path), revision], check=True)
        try:
            yield path
        finally:
            subprocess.run([*git, "remove", "--force", str(path)], check=True)


def compare(
    old: Side, new: Side, work: str, size: int, options: argparse.Namespace
) -> tuple[float, bool]:
    """Print a line of the table; the median ratio, and whether nothing is wrong."""
    times: dict[Side, list[float]] = {old: [], new: []}
    digests = set()
    for number in range(options.rounds):
        for side in (old, new) if number % 2 else (new, old):
            seconds, digest = side.time(work, size)
            times[side].append(seconds)
            digests.add(digest)
    ratios = [b / a for a, b in zip(times[old], times[new], strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    before, after = (statistics.median(times[side]) * 1e3 for side in (old, new))
    notes = ["SLOWER"] * (middle > options.limit and low > 1)
    notes += ["RESULTS DIFFER"] * (len(digests) > 1)
    ratio = f"{middle:7.3f} ({low:.3f} to {high:.3f})"
    print(f"{work:46} {before:10.2f} {after:10.2f} {ratio}", *notes, flush=True)
    return middle, not notes


def summary(medians: dict[str, float]) -> str:
    """One line about the median ratios of all works."""
    outside = [f"{work} {ratio:.3f}" for work, ratio in medians.items() if abs(ratio - 1) > 0.05]
    return (
        f"{len(medians)} works: medians {min(medians.values()):.3f} to "
        f"{max(medians.values()):.3f}, geometric mean "
        f"{statistics.geometric_mean(medians.values()):.3f}; outside 0.95 to 1.05: "
        f"{'; '.join(outside) or 'none'}"
    )


def _rounds(text: str) -> int:
    """A number of rounds; quartiles need three at least."""
    if int(text) < 3:
        raise argparse.ArgumentTypeError(f"{text} rounds, expected at least 3")
    return int(text)


def main() -> int:
    """Print the table and its summary; 0 if nothing has become slower than allowed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", nargs="?", help="another one; by default the working tree")
    parser.add_argument("--size", type=int, default=20_000, help="segments (20,000)")
    parser.add_argument("--rounds", type=_rounds, default=9, help="of each side and work (9)")
    parser.add_argument("--work", default="", help="only works whose names contain this")
    parser.add_argument("--limit", type=float, default=1.1, help="of a median ratio (1.1)")
    options = parser.parse_args()
    chosen = [name for name in WORKS if options.work in name]
    if not chosen:
        parser.error(f"no work's name contains {options.work!r}; there are {', '.join(WORKS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # removes the checkouts
    with checkout(options.old) as old_path, checkout(options.new) as new_path:
        old, new = Side(old_path), Side(new_path)
        print(f"{'':46} {'old, ms':>10} {'new, ms':>10} {'ratio':>7} (quartiles)")
        medians: dict[str, float] = {}
        good = True
        for work in chosen:
            size = min(options.size, MOST_SEGMENTS.get(work, options.size))
            medians[work], is_good = compare(old, new, work, size, options)
            good = good and is_good
        old.stop()
        new.stop()
    print(summary(medians))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())

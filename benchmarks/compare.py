"""Compare the speed of two commits by ratio, in turns on the same machine.

python benchmarks/compare.py OLD            OLD against the working tree
python benchmarks/compare.py OLD NEW        one commit against another
python benchmarks/compare.py OLD --size 200000 --work 13a --limit 1.05

The exit status is 1 if some work takes more than --limit times as long in NEW in the median, and
longer in three rounds of four; or if its result differs. What is timed is the working tree's
`works.py` on either side.
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

from works import MOST_SEGMENTS, OURS

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
            env=os.environ | {"PYTHONPATH": str(checkout)},
        )
        package = Path(self._answer())
        if package != checkout / "vecbleu":
            raise SystemExit(f"{package} was imported in place of {checkout / 'vecbleu'}")

    def time(self, work: str, size: int) -> tuple[float, str]:
        """Seconds a call, and a digest of the result."""
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


@contextmanager
def checkout(revision: str | None) -> Iterator[Path]:
    """Check a commit out beside the working tree, which stands for None."""
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


def compare(old: Side, new: Side, work: str, size: int, options: argparse.Namespace) -> bool:
    """Print a line of the table; whether nothing is wrong."""
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
    print(f"{work:40} {before:10.2f} {after:10.2f} {ratio}", *notes, flush=True)
    return not notes


def _rounds(text: str) -> int:
    """At least as many as have quartiles."""
    if int(text) < 3:
        raise argparse.ArgumentTypeError(f"{text} rounds, expected at least 3")
    return int(text)


def main() -> int:
    """Print the table; 0 if nothing has become slower than allowed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", nargs="?", help="another one; by default the working tree")
    parser.add_argument("--size", type=int, default=20_000, help="segments (20,000)")
    parser.add_argument("--rounds", type=_rounds, default=9, help="of each side and work (9)")
    parser.add_argument("--work", default="", help="only works whose names contain this")
    parser.add_argument("--limit", type=float, default=1.1, help="of a median ratio (1.1)")
    options = parser.parse_args()
    chosen = [name for name in OURS if options.work in name]
    if not chosen:
        parser.error(f"no work's name contains {options.work!r}; there are {', '.join(OURS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the checkouts are removed on the way
    with checkout(options.old) as old_path, checkout(options.new) as new_path:
        old, new = Side(old_path), Side(new_path)
        print(f"{'':40} {'old, ms':>10} {'new, ms':>10} {'ratio':>7} (quartiles)")
        good = True
        for work in chosen:
            size = min(options.size, MOST_SEGMENTS.get(work, options.size))
            good = compare(old, new, work, size, options) and good
        old.stop()
        new.stop()
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())

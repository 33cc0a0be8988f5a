"""Time of significance tests against sacreBLEU's, both from the same statistics.

Also while other programs keep all cores busy, and on a table of a million rows. Run as
``python benchmarks/significance.py``; two or three minutes, and half a gigabyte for sacreBLEU's
copy of the drawn rows. Linux only.
"""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from sacrebleu import significance as peer

import vecbleu
from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization, rank

SEGMENTS = 3000


class Counted(sacrebleu.BLEU):  # type: ignore[misc]
    """sacreBLEU's metric, given statistics that are counted already in place of text."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return STATISTICS[hypotheses[0]][: len(hypotheses)]


STATISTICS: dict[str, list[list[int]]] = {}


def systems_of(number: int, segments: int) -> list[vecbleu.Statistics]:
    """Random statistics of systems of slightly different quality."""
    rng = np.random.default_rng(number)
    found = []
    for system in range(number):
        lengths = rng.integers(5, 50, size=segments)
        totals = np.maximum(lengths[:, None] - np.arange(4), 0)
        shares = np.array([0.6, 0.35, 0.2, 0.12]) + system / (50 * number)
        matches = np.minimum.accumulate(rng.binomial(totals, shares), axis=1)
        columns = lengths[:, None], lengths[:, None] + rng.integers(-3, 4, (segments, 1))
        rows = np.concatenate([columns[0], np.maximum(columns[1], 1), matches, totals], axis=1)
        found.append(vecbleu.Statistics(rows))
    return found


def seconds_of(call: Callable[[], Any]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def medians(*calls: Callable[[], Any], rounds: int) -> list[float]:
    """Median seconds of calls that take turns."""
    times = [[seconds_of(call) for call in calls] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def report(title: str, own: float, other: float) -> None:
    """Print both times and their ratio."""
    print(f"{title}: {own * 1e3:.0f} ms, sacreBLEU {other * 1e3:.0f} ms: {other / own:.1f} times")


def compare_with_peer() -> None:
    """Print a line for each test, and check that the results are equal."""
    systems = systems_of(16, SEGMENTS)
    names = [f"system {number}" for number in range(16)]
    for name, table in zip(names, systems, strict=True):
        STATISTICS[name] = table.array.tolist()
    named = [(name, [name] * SEGMENTS) for name in names]
    metric = Counted(force=True, references=[["x"] * SEGMENTS])

    def paired(kind: str, count: int, number: int) -> list[float | None]:
        test = peer.PairedTest(named[:number], {"BLEU": metric}, None, kind, count)
        return [one.p_value for one in test()[1]["BLEU"][1:]]

    exp = {"smoothing": "exp"}
    works = [
        (
            "interval, 1,000 resamples of 3,000 segments",
            lambda: bootstrap(systems[0], **exp).mean,
            lambda: peer._bootstrap_resample(STATISTICS[names[0]], metric, 1000),
        ),
        (
            "paired bootstrap, 16 systems, 1,000 resamples",
            lambda: paired_bootstrap(systems, sides=1, **exp).p_values[1:].tolist(),
            lambda: paired("bs", 1000, 16),
        ),
        (
            "randomization, 16 systems, 10,000 trials",
            lambda: paired_randomization(systems, **exp).p_values[1:].tolist(),
            lambda: paired("ar", 10000, 16),
        ),
    ]
    for title, ours, theirs in works:
        if "interval" in title:  # sacreBLEU's first call takes two to three times as long
            report(f"{title}, first call", *medians(ours, theirs, rounds=1))
            report(f"{title}, later calls", *medians(ours, theirs, rounds=9))
            continue
        assert ours() == theirs(), title
        own, other = medians(ours, theirs, rounds=1)
        report(title, own, other)


@contextmanager
def busy_loops() -> Iterator[Callable[[bool], None]]:
    """A switch for as many programs as there are cores, each of which keeps one busy."""
    loop = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(loop) for _ in range(os.cpu_count() or 1)]

    def switch(on: bool) -> None:
        for one in running:
            one.send_signal(signal.SIGCONT if on else signal.SIGSTOP)
        time.sleep(0.1)  # threads of BLAS fall asleep, too

    try:
        yield switch
    finally:
        for one in running:
            one.kill()
            one.wait()


def compare_busy_with_quiet(segments: int) -> None:
    """Print how much longer a paired bootstrap takes where all cores are busy; runs in turns."""
    systems = systems_of(16, segments)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    others = 0.0  # processor time of other threads than this one
    with busy_loops() as switch:
        for is_busy in [False, True] * 8:
            switch(is_busy)
            before = time.process_time() - time.thread_time()
            seconds[is_busy].append(seconds_of(lambda: paired_bootstrap(systems, smoothing="exp")))
            others = max(others, time.process_time() - time.thread_time() - before)
    quiet, busy = (statistics.median(seconds[kind][1:]) for kind in (False, True))
    title = f"paired bootstrap, 16 systems of {segments:,} segments"
    print(
        f"{title}: quiet {quiet * 1e3:.0f} ms, all cores busy {busy * 1e3:.0f} ms: "
        f"{busy / quiet:.1f} times; other threads at most {others * 1e3:.1f} ms"
    )


def compare_archive(segments: int, resamples: int) -> None:
    """Print how an interval from a file of rows compares with sacreBLEU's of the same rows."""
    table = systems_of(1, segments)[0]
    rows = STATISTICS["archive"] = table.array.tolist()
    metric = Counted(force=True, references=[["x"] * segments])
    with tempfile.TemporaryDirectory() as folder:
        table.save(path := Path(folder, "rows.npz"))
        load = vecbleu.Statistics.load
        own, other = medians(
            lambda: bootstrap(load(path), n_resamples=resamples, smoothing="exp"),
            lambda: peer._bootstrap_resample(rows, metric, resamples),
            rounds=3,
        )
    title = f"interval, {resamples} resamples of {segments:,} rows"
    report(f"{title}, loaded from .npz each time", own, other)


def print_memory(segments: int) -> None:
    """Print the peak memory of a process that loads rows and tests them."""
    work = """
import resource, sys, vecbleu
from vecbleu.significance import bootstrap, paired_bootstrap
one, two = map(vecbleu.Statistics.load, sys.argv[1:])
bootstrap(one, n_resamples=16)
paired_bootstrap([one, two], n_resamples=16)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder, f"{number}.npz")) for number in range(2)]
        for path, table in zip(paths, systems_of(2, segments), strict=True):
            table.save(path)
        command = [sys.executable, "-c", work, *paths]
        kilobytes = int(subprocess.run(command, check=True, capture_output=True).stdout)
    title = f"interval, and paired bootstrap of two systems, {segments:,} rows"
    print(f"{title}: {kilobytes / 1024:.0f} MB at most")


def print_many() -> None:
    """Print time and peak memory of the most tests that one call makes here."""
    many = systems_of(100, 2000)
    seconds = seconds_of(lambda: rank(many, smoothing="exp"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"all pairs of 100 systems, 2,000 segments, 1,000 resamples: {seconds:.1f} s, {peak:.0f} MB"
    )


def main() -> None:
    """Print all lines."""
    compare_with_peer()
    print_many()
    for segments in (557, 2000):
        compare_busy_with_quiet(segments)
    compare_archive(100_000, 100)
    print_memory(1_000_000)


if __name__ == "__main__":
    sys.exit(main())

"""Time of significance tests against sacreBLEU's, both from the same statistics.

Run as ``python benchmarks/significance.py``; a minute or two.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sacrebleu
from sacrebleu import significance as peer

import vecbleu
from vecbleu.significance import all_pairs, bootstrap, paired_bootstrap, paired_randomization

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
        found.append(vecbleu.Statistics.from_array(rows))
    return found


def median(call: Callable[[], Any], rounds: int) -> float:
    """Median seconds of a call."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def report(title: str, own: float, other: float) -> None:
    """Print both times and their ratio."""
    print(f"{title}: {own * 1e3:.0f} ms, sacreBLEU {other * 1e3:.0f} ms: {other / own:.1f} times")


def main() -> None:
    """Print a line for each test, and check that the results are equal."""
    systems = systems_of(16, SEGMENTS)
    names = [f"system {number}" for number in range(16)]
    for name, table in zip(names, systems, strict=True):
        STATISTICS[name] = table.to_array().tolist()
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
            lambda: paired_bootstrap(systems, **exp).p_values[1:].tolist(),
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
            report(f"{title}, first call", median(ours, 1), median(theirs, 1))
            report(f"{title}, later calls", median(ours, 21), median(theirs, 5))
            continue
        own, other = median(ours, 5), median(theirs, 1)
        assert ours() == theirs(), title
        report(title, own, other)
    many = systems_of(100, 2000)
    seconds = median(lambda: all_pairs(many, **exp), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"all pairs of 100 systems, 2,000 segments, 1,000 resamples: {seconds:.1f} s, {peak:.0f} MB"
    )


if __name__ == "__main__":
    sys.exit(main())

"""The analysis of whole corpora: ``python benchmarks/analysis.py [SEGMENTS]``; 30 seconds.

Two systems and a reference each, 28 words a segment by Zipf's law: seconds, including tokenization,
and how much this process grows. One process works.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from corpus import zipf_corpus

import vecbleu
from vecbleu import analysis

SEGMENTS = 200_000

Lines = list[str]


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(name: str, call: Callable[[], Any]) -> None:
    """Print the seconds of a call, and by how much the most memory grows."""
    before, start = peak_megabytes(), time.perf_counter()
    call()
    seconds = time.perf_counter() - start
    print(f"{name:24} {seconds:6.2f} s {peak_megabytes() - before:8.0f} MB more")


def main() -> None:
    """Measure each function."""
    segments = int(sys.argv[1]) if len(sys.argv) > 1 else SEGMENTS
    one, references = zipf_corpus(segments)
    words = [line.split() for line in one]
    two = [
        " ".join(own[:-2] if number % 3 else [*own[:-3], *words[number - 1][:2]])
        for number, own in enumerate(words)
    ]
    del words
    systems = {"one": one, "two": two}
    print(f"{segments:,} segments, two systems; {peak_megabytes():.0f} MB")
    ngrams = partial(analysis.ngram_differences, systems, references, workers=1)
    measure("ngram_differences", ngrams)
    tables = {
        name: vecbleu.statistics(lines, references, workers=1) for name, lines in systems.items()
    }
    measure("score_buckets", lambda: analysis.score_buckets(tables))
    measure("segment_differences", lambda: analysis.segment_differences(tables))


if __name__ == "__main__":
    main()

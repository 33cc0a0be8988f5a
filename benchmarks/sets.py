"""Sets against sets, in one process: ``python benchmarks/sets.py``; about three minutes.

Each row is the ratio of a peer's time to vecbleu's, medians of calls in turns on sentences that
neither has seen: fast-bleu's (C++, given tokens; ``pip install fast-bleu`` compiles it), or that of
a loop over sacreBLEU's `BLEU.sentence_score`, of which some hundred pairs are timed and scaled.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sacrebleu
from corpus import zipf_corpus

import vecbleu

try:
    import fast_bleu
except ImportError:
    fast_bleu = None

Lines = list[str]
Call = Callable[[], Any]

ROUNDS = 5
FOUR = {"four": (0.25,) * 4}
NO_SMOOTHING: dict[str, Any] = {"smoothing": "none", "effective_order": False, "workers": 1}
FLOOR: dict[str, Any] = NO_SMOOTHING | {"smoothing": "floor", "tokenize": "none"}
PAIRS = 300  # of a loop that are timed


def seconds_of(call: Call) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def pair_seconds(hypotheses: Lines, references: Lines) -> float:
    """Seconds of one pair in a loop over sacreBLEU."""
    metric = sacrebleu.BLEU(effective_order=True)
    pairs = [(hypotheses[i % len(hypotheses)], references[-1 - i]) for i in range(PAIRS)]
    return seconds_of(lambda: [metric.sentence_score(one, [other]) for one, other in pairs]) / PAIRS


def candidates(lines: Lines, sources: int, number: int, seed: int) -> list[Lines]:
    """Noisy copies of some lines: samples that a system could have drawn for a source."""
    rng = np.random.default_rng(seed)
    words = " ".join(lines).split()
    found = []
    for line in lines[:sources]:
        base = np.array(line.split(), object)
        noisy = rng.random((number, len(base))) < 0.15
        drawn = np.array(words, object)[rng.integers(0, len(words), noisy.shape)]
        found.append([" ".join(row) for row in np.where(noisy, drawn, base)])
    return found


def timed(rounds: int, make: Callable[[int], list[Call]]) -> list[float]:
    """Median seconds of calls that take turns, made anew for each round."""
    times = [[seconds_of(call) for call in make(number)] for number in range(rounds)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def self_bleu(size: int) -> tuple[float, float]:
    """Self-BLEU, against fast-bleu."""

    def make(number: int) -> list[Call]:
        lines, _ = zipf_corpus(size, seed=number)
        tokens = [line.split() for line in lines]
        return [
            lambda: vecbleu.self_bleu(lines, **FLOOR),
            lambda: fast_bleu.SelfBLEU(tokens, FOUR).get_score(),
        ]

    own, peer = timed(ROUNDS, make)
    return own, peer


def shared(size: int) -> tuple[float, float]:
    """Hypotheses with 100 references that all share, against fast-bleu."""

    def shared_by(references: Lines) -> vecbleu.SharedReferences:
        return vecbleu.SharedReferences(references, tokenize="none")

    def make(number: int) -> list[Call]:
        lines, references = zipf_corpus(max(size, 100), seed=number)
        some, references = lines[:size], references[:100]
        tokens, others = ([line.split() for line in side] for side in (some, references))
        return [
            lambda: vecbleu.sentence_bleu(some, shared_by(references), **FLOOR),
            lambda: fast_bleu.BLEU(others, FOUR).get_score(tokens),
        ]

    own, peer = timed(ROUNDS, make)
    return own, peer


def matrix(rows: int, columns: int) -> tuple[float, float]:
    """A matrix of all pairs, against a loop over sacreBLEU."""

    def make(number: int) -> list[Call]:
        lines, references = zipf_corpus(columns, seed=number)
        some = lines[:rows]
        loops.append(pair_seconds(some, references))
        return [lambda: vecbleu.pairwise_bleu(some, references, workers=1)]

    loops: list[float] = []
    (own,) = timed(3, make)
    return own, statistics.median(loops) * rows * columns


def enumeration(rows: int, columns: int) -> tuple[float, float]:
    """A matrix of all pairs, against `sentence_bleu` of some of them."""

    def make(number: int) -> list[Call]:
        lines, references = zipf_corpus(columns, seed=number)
        some = lines[:rows]
        return [
            lambda: vecbleu.pairwise_bleu(some, references, workers=1),
            lambda: vecbleu.sentence_bleu(some, references[:rows], workers=1),
        ]

    own, pairs = timed(3, make)
    return own, pairs * columns


def expected(sources: int, number: int) -> tuple[float, float]:
    """Expected BLEU of candidates, against a loop over sacreBLEU."""

    def make(seed: int) -> list[Call]:
        lines, _ = zipf_corpus(sources, seed=seed)
        drawn = candidates(lines, sources, number, seed)
        loops.append(pair_seconds(drawn[0], drawn[1] * (1 + PAIRS // number)))
        return [lambda: vecbleu.expected_bleu(drawn, workers=1)]

    loops: list[float] = []
    (own,) = timed(ROUNDS, make)
    return own, statistics.median(loops) * sources * number**2


def nearest(rows: int, columns: int) -> tuple[float, float]:
    """The five nearest of so many; the peer's time is that of the loop over all pairs."""
    lines, references = zipf_corpus(columns, seed=1)
    loop = pair_seconds(lines[:rows], references)
    own = seconds_of(
        lambda: vecbleu.nearest(lines[:rows], references, k=5, tokenize="none", **NO_SMOOTHING)
    )
    return own, loop * rows * columns


def rows() -> Iterator[str]:
    """A line for each measurement."""
    loop = "sacreBLEU's sentence_score"
    measured: list[tuple[str, str, Callable[[], tuple[float, float]]]] = [
        ("matrix, 2,000 x 8,000", loop, lambda: matrix(2000, 8000)),
        ("matrix, 2,000 x 8,000", "vecbleu.sentence_bleu", lambda: enumeration(2000, 8000)),
        ("20 sources x 200 candidates", loop, lambda: expected(20, 200)),
        ("nearest, 2,000 in 200,000", loop, lambda: nearest(2000, 200_000)),
    ]
    if fast_bleu is not None:
        measured += [
            ("Self-BLEU of 1,000", "fast-bleu", lambda: self_bleu(1000)),
            ("Self-BLEU of 3,000", "fast-bleu", lambda: self_bleu(3000)),
            ("100 hypotheses, 100 shared references", "fast-bleu", lambda: shared(100)),
            ("1,000 hypotheses, 100 shared references", "fast-bleu", lambda: shared(1000)),
            ("10,000 hypotheses, 100 shared references", "fast-bleu", lambda: shared(10_000)),
        ]
    for name, peer, measure in measured:
        own, other = measure()
        yield f"{name} / {peer}: {other / own:.1f} ({own:.3f} s)"


if __name__ == "__main__":
    vecbleu.self_bleu(["a b", "b a"])  # imports
    for line in rows():
        print(line, flush=True)

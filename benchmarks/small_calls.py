"""Ratios of speed of calls with few segments: ``python benchmarks/small_calls.py``.

Each row compares a call with the peer's on the layout that the peer's users have; above 1 vecbleu
is faster. Both run in turns, on segments that neither has seen before, and the ratio is that of the
medians. ``--paths`` compares counting objects with counting arrays instead: where both take the
same time is `vecbleu.core.small.MOST_NGRAMS`.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import bleuscore
import nltk.translate.bleu_score as nltk_bleu
import sacrebleu
from corpus import zipf_corpus

import vecbleu
import vecbleu.nltk
import vecbleu.sacrebleu
from vecbleu.core import small

Lines = list[str]
Call = Callable[[Any, Any], Any]

ROUNDS = 101


def bleuscore_layout(hypotheses: Lines, references: Lines) -> tuple[Any, Any]:
    """A list of references a segment."""
    return hypotheses, [[line] for line in references]


def token_layout(hypotheses: Lines, references: Lines) -> tuple[Any, Any]:
    """NLTK's: tokens, and a list of references a segment."""
    return [line.split() for line in hypotheses], [[line.split()] for line in references]


def flat_layout(hypotheses: Lines, references: Lines) -> tuple[Any, Any]:
    """A reference a segment."""
    return hypotheses, references


_OURS, _PEER = vecbleu.sacrebleu.BLEU(effective_order=True), sacrebleu.BLEU(effective_order=True)

# Name, segments, layout, vecbleu's call, the peer's.
ROWS: list[tuple[str, list[int], Callable[[Lines, Lines], tuple[Any, Any]], Call, Call]] = [
    (
        "BLEU.sentence_score / sacreBLEU's",
        [1],
        flat_layout,
        lambda h, r: _OURS.sentence_score(h[0], r),
        lambda h, r: _PEER.sentence_score(h[0], r),
    ),
    (
        "sentence_bleu / sacreBLEU's",
        [1],
        flat_layout,
        vecbleu.sentence_bleu,
        lambda h, r: sacrebleu.sentence_bleu(h[0], r),
    ),
    (
        "corpus_bleu / sacreBLEU's",
        [1, 3, 10, 30, 100],
        flat_layout,
        vecbleu.corpus_bleu,
        lambda h, r: sacrebleu.corpus_bleu(h, [r]),
    ),
    (
        "sacrebleu.corpus_bleu / sacreBLEU's",
        [1, 3, 10],
        flat_layout,
        lambda h, r: vecbleu.sacrebleu.corpus_bleu(h, [r]),
        lambda h, r: sacrebleu.corpus_bleu(h, [r]),
    ),
    (
        "nltk.sentence_bleu / NLTK's",
        [1],
        token_layout,
        lambda h, r: vecbleu.nltk.sentence_bleu(r[0], h[0]),
        lambda h, r: nltk_bleu.sentence_bleu(r[0], h[0]),
    ),
    (
        "nltk.sentence_bleu_batch / a loop of NLTK's",
        [10, 100],
        token_layout,
        lambda h, r: vecbleu.nltk.sentence_bleu_batch(r, h),
        lambda h, r: [*map(nltk_bleu.sentence_bleu, r, h)],
    ),
    (
        "corpus_bleu, nested / bleuscore",
        [1, 10, 50, 100, 1000],
        bleuscore_layout,
        lambda h, r: vecbleu.corpus_bleu(h, r, smoothing="none"),
        lambda h, r: bleuscore.compute(references=r, predictions=h),
    ),
    (
        "corpus_bleu, nested / flat",
        [1, 10, 100, 1000],
        flat_layout,
        lambda h, r: vecbleu.corpus_bleu(h, r),
        vecbleu.corpus_bleu,
    ),
]


def fresh_segments() -> Iterator[tuple[str, str]]:
    """Segments without end, no two alike."""
    for seed in itertools.count():
        yield from zip(*zipf_corpus(20_000, seed), strict=True)


def ratio(calls: list[Call], size: int, prepare: Any, segments: Iterator[Any]) -> float:
    """How many times the first call is as fast as the second."""
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(max(11, ROUNDS // size)):
        for place in (0, 1) if turn % 2 else (1, 0):
            drawn = [*itertools.islice(segments, size)]
            given = prepare[place](*map(list, zip(*drawn, strict=True)))
            start = time.perf_counter()
            calls[place](*given)
            times[place].append(time.perf_counter() - start)
    ours, peers = map(statistics.median, times)
    return peers / ours


def compare_with_peers(segments: Iterator[Any]) -> None:
    """Print a line for each row and size."""
    for name, sizes, layout, ours, peers in ROWS:
        layouts = [bleuscore_layout if name.endswith("flat") else layout, layout]
        for size in sizes:
            found = ratio([ours, peers], size, layouts, segments)
            print(f"{name:45} {size:6} segments {found:8.2f}", flush=True)


def compare_paths(segments: Iterator[Any]) -> None:
    """Print how fast objects are counted where arrays take one."""

    def on(most: int) -> Call:
        def call(hypotheses: Any, references: Any) -> Any:
            with mock.patch.multiple(small, MOST_NGRAMS=most, _MOST_CHARACTERS=most):
                return vecbleu.corpus_bleu(hypotheses, references)

        return call

    for layout in (flat_layout, token_layout):
        for size in (1, 2, 4, 6, 8, 10, 12, 16):
            found = ratio([on(1 << 40), on(-1)], size, [layout] * 2, segments)
            print(f"objects / arrays, {layout.__name__:20} {size:6} segments {found:8.2f}")


def main() -> None:
    """Read the arguments and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paths", action="store_true", help="objects against arrays")
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    segments = fresh_segments()
    (compare_paths if parser.parse_args().paths else compare_with_peers)(segments)


if __name__ == "__main__":
    main()

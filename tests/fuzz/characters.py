"""Characters: both kernels and the dictionaries count what a plain oracle counts, for both metrics.

BLEU with `char` clips matches at the reference that has most of an n-gram. chrF has one reference:
of several, it takes the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import oracle

import vecbleu
from fuzz.kernel import Segment, draw_segments, small_groups
from fuzz.runner import Found
from vecbleu import chrf
from vecbleu.core.arrays import Int64
from vecbleu.core.kernel.matches import clipped_matches
from vecbleu.core.small import segment_matches
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokens import characters

CASES = 10_000_000
BATCH = 2_000


def check(random: Random, size: int) -> Iterator[Found]:
    """Count segments by one of the metrics, in one process."""
    vocabulary = random.choice([1, 2, 3, 5, 10, 30, 94, 256])
    max_order = random.choice([4, 4, 4, 6, 6, 6, 1, 2, 9, 17])
    metric = random.choice(["char", "chrF"])
    segments = draw_segments(random, vocabulary, size)
    if metric == "chrF":
        segments = [segment[:2] for segment in segments]
    alphabet = _draw_characters(random, vocabulary)
    strings = [["".join([alphabet[b] for b in unit]) for unit in units] for units in segments]
    with small_groups(random):
        packed = _packed(metric, strings, max_order).tolist()
        hashed = _hashed(strings, max_order).tolist()
    for case, (segment, (hyp, *refs)) in enumerate(zip(segments, strings, strict=True)):
        small = segment_matches(hyp, refs, max_order)
        expected = _expected(segment, max_order)
        if not packed[case] == hashed[case] == small == expected:
            ways = f"packed {packed[case]}\nhashed {hashed[case]}\ndictionaries {small}"
            yield case, f"{metric}, order {max_order}: {hyp!a}, {refs!a}\n{ways}\noracle {expected}"


def _packed(metric: str, strings: list[list[str]], max_order: int) -> Int64:
    """Count the matches of many segments as the metric does."""
    sides = [hyp for hyp, *_ in strings], [refs for _, *refs in strings]
    if metric == "chrF":
        options = {"char_order": max_order, "whitespace": True}
        return chrf.statistics(*sides, workers=1, **options).array[:, 2::3]
    options = {"max_order": max_order, "tokenize": "char"}
    return vecbleu.statistics(*sides, workers=1, **options).matches


def _hashed(strings: list[list[str]], max_order: int) -> Int64:
    """Count the matches of the same characters by hashed keys."""
    symbols = characters(Text.from_strings([string for units in strings for string in units]))
    return clipped_matches(symbols.hashed_rows(), np.cumsum([0, *map(len, strings)]), max_order)


def _expected(segment: Segment, max_order: int) -> list[int]:
    return [oracle.clipped(segment[0], segment[1:], order) for order in range(1, max_order + 1)]


def _draw_characters(random: Random, count: int) -> list[str]:
    """Return characters that follow each other, none of them white space."""
    start = random.choice([0x100, 0x3001, 0x10000] + [0x21] * (count <= 94))
    return [chr(start + index) for index in random.sample(range(max(count, 94)), count)]

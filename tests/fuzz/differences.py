"""n-grams in which two systems differ: rows are those of dictionaries, for blocks of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any
from unittest import mock

from ngram_oracle import KINDS, expected, rows_of

from fuzz.runner import Found
from vecbleu.analysis import ngram_counts, ngram_differences

CASES = 5_000
BATCH = 100

Tokens = list[list[int]]


def check(random: Random, size: int) -> Iterator[Found]:
    """Compare two systems of few words, which then are equal often."""
    for case in range(size):
        sides, references = _draw_corpus(random)
        options = _draw_options(random)
        with _small_blocks(random):
            rows = rows_of(ngram_differences(sides, references, workers=1, **options))
        if rows != (wanted := expected(sides, references, **options)):
            yield case, f"{options}: {sides} {references}\nours   {rows}\noracle {wanted}"


def _draw_corpus(random: Random) -> tuple[list[Tokens], list[Tokens]]:
    """Segments of two systems, and one or more references of each."""
    words = random.choice([1, 2, 3, 8, 40])
    segments, longest = random.choice([1, 1, 2, 5, 20]), random.choice([1, 3, 8, 8, 20])
    most = random.choice([1, 1, 2, 4])

    def unit() -> list[int]:
        return random.choices(range(words), k=random.randint(0, longest))

    references = [[unit() for _ in range(random.randint(1, most))] for _ in range(segments)]
    sides = [
        [_like(random, random.choice(several), words) for several in references] for _ in range(2)
    ]
    return sides, references


def _like(random: Random, unit: list[int], words: int) -> list[int]:
    """The same, or with some other words, or some left out."""
    changed = random.choice([0, 0.1, 0.5])
    kept = [random.randrange(words) if random.random() < changed else word for word in unit]
    return [word for word in kept if random.random() >= changed / 2]


def _draw_options(random: Random) -> dict[str, Any]:
    """Options of the call."""
    return {
        "kinds": random.choice([[kind] for kind in KINDS]),
        "top": random.choice([1, 2, 5, 1000]),
        "examples": random.randint(0, 3),
        "max_order": random.randint(1, 6),
    }


def _small_blocks(random: Random) -> ExitStack:
    """Now and then a block of few segments, and few n-grams that are ranked at first."""
    stack = ExitStack()
    if random.random() < 0.3:
        for name, most in [("_SEGMENTS", 5), ("_CELLS", 100), ("_RANKED", 4)]:
            number = random.randint(2, most)
            stack.enter_context(mock.patch.object(ngram_counts, name, number))
    return stack

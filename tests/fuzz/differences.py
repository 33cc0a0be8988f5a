"""n-grams in which two systems differ: rows are those of dictionaries, for shares of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any
from unittest import mock

from ngram_oracle import expected, rows_of

from fuzz.runner import Found
from vecbleu.analysis import ngram_differences
from vecbleu.core.kernel import numbering, occurrences

CASES = 5_000
BATCH = 100

Tokens = list[list[int]]


def check(random: Random, size: int) -> Iterator[Found]:
    """Compare two systems of few words, which then are equal often."""
    for case in range(size):
        sides, references = _draw_corpus(random)
        options = _draw_options(random)
        orders = range(options["min_order"], options["max_order"] + 1)
        with _small_shares(random):
            rows = rows_of(ngram_differences(sides, references, **options))
        kept = {name: options[name] for name in ("by", "alpha", "top", "examples")}
        if rows != (wanted := expected(sides, references, orders=orders, **kept)):
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
    least = random.randint(1, 3)
    return {
        "by": random.choice(["score", "count"]),
        "alpha": random.choice([0, 0.5, 1, 3, 100.0]),
        "top": random.choice([1, 2, 5, 1000]),
        "examples": random.randint(0, 3),
        "min_order": least,
        "max_order": least + random.randint(0, 3),
        "workers": 1,
    }


def _small_shares(random: Random) -> ExitStack:
    """Places that are looked at, shared out, kept and numbered together: as usual, or few."""
    stack = ExitStack()
    if random.random() < 0.7:
        sizes = [(occurrences, "_SHARE"), (occurrences, "_PIECE"), (occurrences, "_KEPT")]
        for module, name in [*sizes, (numbering, "_PIECE")]:
            stack.enter_context(mock.patch.object(module, name, random.choice([1, 3, 10, 1000])))
    return stack

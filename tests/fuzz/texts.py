"""Ugly strings in volume."""

from __future__ import annotations

import functools
import sys
import unicodedata
from itertools import islice
from random import Random

from strategies import PIECES


@functools.cache
def code_points() -> str:
    """All characters that Python knows, lone surrogates and private ones among them.

    Not the unassigned ones: "character classes for `intl`" in docs/from-sacrebleu.md.
    """
    return "".join(
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character) != "Cn"
    )


def draw_alphabet(random: Random) -> list[str]:
    """At least four pieces of some kinds, few enough to meet often; and any characters."""
    kinds = random.sample(PIECES, random.randint(1, 5))
    pieces = [piece for kind in kinds for piece in random.choices(kind, k=random.randint(1, 8))]
    if random.random() < 0.4:
        pieces += random.choices(code_points(), k=random.choice([1, 4, 100]))
    while len({*pieces}) < 4:
        pieces.append(random.choice(random.choice(PIECES)))
    return pieces


def draw_strings(random: Random, alphabet: list[str], count: int, longest: int) -> list[str]:
    """Different strings of up to so many pieces, longer where there are too few of those."""
    strings: dict[str, None] = {}
    while len(strings) < count:
        lengths = random.choices(range(longest + 1), k=count)
        pieces = iter(random.choices(alphabet, k=sum(lengths)))
        strings |= dict.fromkeys("".join(islice(pieces, length)) for length in lengths)
        longest += longest // 2 + 1
    return [*islice(strings, count)]

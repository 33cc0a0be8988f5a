"""Segments: lengths, clipped matches and totals are those of a plain Python oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any
from unittest import mock

import oracle

import vecbleu
from fuzz.runner import Found
from fuzz.texts import draw_alphabet, draw_strings
from vecbleu.core import corpus
from vecbleu.core.kernel import ngrams, packed

CASES = 10_000_000
BATCH = 1_000

# A hypothesis and its references. A token is a byte, which the oracle counts fast; what stands for
# it in the library's input is drawn for each batch.
Segment = list[bytes]


def check(random: Random, size: int) -> Iterator[Found]:
    """Count a corpus in one of the forms that tokens come in, in one process."""
    vocabulary = random.choice([1, 2, 3, 5, 10, 30, 256])
    max_order = random.choice([4, 4, 4, 4, 1, 2, 3, 5, 6, 9, 17])
    ref_length = random.choice(["closest", "closest", "closest", "shortest", "longest"])
    segments = draw_segments(random, vocabulary, size)
    form = random.choice([*FORMS])
    draw_tokens, unit_of, tokenize = FORMS[form]
    tokens = draw_tokens(random, vocabulary)
    options = {"max_order": max_order, "ref_length": ref_length}
    units = [[unit_of([tokens[t] for t in unit]) for unit in segment] for segment in segments]
    sides = [own for own, *_ in units], [others for _, *others in units]
    with small_groups(random):
        counted = vecbleu.statistics(*sides, workers=1, tokenize=tokenize, **options)
    rows = counted.array.tolist()
    for case, (segment, row) in enumerate(zip(segments, rows, strict=True)):
        expected = oracle.row(segment[0], segment[1:], max_order, ref_length)
        if row != expected:
            yield case, f"{form}, {options}: {segment}\nours   {row}\noracle {expected}"


def draw_segments(random: Random, vocabulary: int, size: int) -> list[Segment]:
    """Units of random tokens; references may be like their hypothesis, and some are long."""
    most = random.choice([1, 1, 1, 2, 3, 4, 9])
    longest = random.choice([3, 6, 12, 12, 20])
    source = bytes(random.choices(range(vocabulary), k=4000))
    segments = []
    for _ in range(size):
        units = 2 + int(random.random() * most)
        lengths = [int(random.random() * (longest + 1)) for _ in range(units)]
        segment = [_unit(random, source, length) for length in lengths]
        if random.random() < 0.5:  # pieces of one text match more than chance has it
            place = int(random.random() * 3000)
            segment = [source[place : place + length] for length in lengths]
        segments.append(segment)
    if random.random() < 0.3:
        long = [_unit(random, source, random.randrange(600)) for _ in range(1 + most)]
        segments[random.randrange(size)] = long
    return segments


def _unit(random: Random, source: bytes, length: int) -> bytes:
    """Tokens from a random place, with every second one from another."""
    one, other = int(random.random() * 3000), int(random.random() * 3000)
    unit = bytearray(source[one : one + length])
    unit[::2] = source[other : other + length : 2]
    return bytes(unit)


def small_groups(random: Random) -> ExitStack:
    """Now and then blocks and the kernel's groups of few segments, so that many meet their ends."""
    stack = ExitStack()
    if random.random() < 0.3:
        for name in ("BLOCK_CHARACTERS", "BLOCK_TOKENS"):
            stack.enter_context(mock.patch.object(corpus, name, random.randint(50, 5000)))
    if random.random() < 0.3:
        group = random.choice([1, 10, 400, 2500])
        stack.enter_context(mock.patch.object(ngrams, "GROUP_KEYS", group))
        stack.enter_context(mock.patch.object(packed, "_GROUP_SYMBOLS", group))
        stack.enter_context(mock.patch.object(ngrams, "_SLACK", random.choice([1, 8, 1000])))
    return stack


def _numbers(random: Random, count: int) -> list[int]:
    return [random.getrandbits(64) - 2**63 for _ in range(count)]


def _any_strings(random: Random, count: int) -> list[str]:
    return draw_strings(random, [*draw_alphabet(random), "a", "b"], count, 5)


def _words(random: Random, count: int) -> list[str]:
    alphabet = ["".join(piece.split()) for piece in draw_alphabet(random)]
    return [*filter(None, draw_strings(random, [*alphabet, "a", "b"], count + 1, 5))][:count]


# How tokens are drawn and made into a unit, and their tokenizer.
FORMS: dict[str, tuple[Callable[[Random, int], list[Any]], Callable[[list[Any]], Any], str]] = {
    "integers": (_numbers, list, "13a"),
    "strings": (_any_strings, list, "13a"),
    "words": (_words, " ".join, "none"),
}

"""What parts share: strings and segments drawn at random, and the comparison of results."""

from __future__ import annotations

import sys
import unicodedata
from itertools import islice

from strategies import PIECES


def draw_alphabet(random):
    """At least four pieces of some kinds, few enough to meet often; and any characters.

    Not the unassigned ones: "character classes for `intl`" in docs/from-sacrebleu.md.
    """
    kinds = random.sample(PIECES, random.randint(1, 5))
    pieces = [piece for kind in kinds for piece in random.choices(kind, k=random.randint(1, 8))]
    if random.random() < 0.4:
        points = map(chr, random.choices(range(sys.maxunicode + 1), k=random.choice([4, 16, 400])))
        pieces += [point for point in points if unicodedata.category(point) != "Cn"]
    while len({*pieces}) < 4:
        pieces.append(random.choice(random.choice(PIECES)))
    return pieces


def draw_strings(random, alphabet, count, longest):
    """Different strings of up to so many pieces, longer where there are too few of those."""
    strings: dict[str, None] = {}
    while len(strings) < count:
        lengths = random.choices(range(longest + 1), k=count)
        pieces = iter(random.choices(alphabet, k=sum(lengths)))
        strings |= dict.fromkeys("".join(islice(pieces, length)) for length in lengths)
        longest += longest // 2 + 1
    return [*islice(strings, count)]


def draw_segments(random, vocabulary, size):
    """Hypotheses and their references, in some of which much matches; some are long.

    A token is a byte, which the oracle counts fast; what stands for it is drawn for each batch.
    """
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


def _unit(random, source, length):
    """Tokens from a random place, with every second one from another."""
    one, other = int(random.random() * 3000), int(random.random() * 3000)
    unit = bytearray(source[one : one + length])
    unit[::2] = source[other : other + length : 2]
    return bytes(unit)


def differences(what, cases, **results):
    """Yield number and text of the cases of which results, by what gave them, are not the same."""
    for number, (case, *values) in enumerate(zip(cases, *results.values(), strict=True)):
        if any(value != values[0] for value in values):
            pairs = zip(results, values, strict=True)
            lines = (f"{name:13}{value!a}" for name, value in pairs)
            yield number, "\n".join([f"{what}: {case!a}", *lines])

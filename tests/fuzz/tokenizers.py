"""Strings: tokens are those of sacreBLEU's tokenizers, and their ids tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
from peers import TOKENIZE, tokens_of

from fuzz.runner import Found
from fuzz.texts import draw_alphabet, draw_strings
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers import resolve_tokenizer

CASES = 10_000_000
BATCH = 2_000


def check(random: Random, size: int) -> Iterator[Found]:
    """Every string goes through every tokenizer, in one text with the others."""
    strings = draw_strings(random, draw_alphabet(random), size, random.choice([4, 6, 10]))
    lowers = random.random() < 0.1
    for name in TOKENIZE:
        yield from _check_tokens(name, strings, lowers)


def _check_tokens(name: str, strings: list[str], lowers: bool) -> Iterator[Found]:
    """Compare all tokens, and look for those that differ only if some do."""
    text = Text.from_strings(strings)
    text = text.lower() if lowers else text
    theirs = [TOKENIZE[name](string.lower() if lowers else string) for string in strings]
    ours, ids = tokens_of(name, text), resolve_tokenizer(name).ids(text)
    for case, (string, own, other) in enumerate(zip(strings, ours, theirs, strict=True)):
        if own != other:
            yield case, f"{name}, lowercase={lowers}: {string!a}\nours   {own!a}\ntheirs {other!a}"
    assert np.diff(ids.offsets).tolist() == [*map(len, ours)]
    flat, numbers = [token for tokens in ours for token in tokens], ids.values.tolist()
    if not len({*zip(flat, numbers, strict=True)}) == len({*flat}) == len({*numbers}):
        yield -1, f"{name}: {len({*flat})} different tokens have {len({*numbers})} ids"

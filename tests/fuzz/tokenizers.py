"""Strings: tokens are those of sacreBLEU's tokenizers, and their ids tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import numpy as np
from peers import TOKENIZE

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
    """Compare all tokens as bytes, and look for those that differ only if some do."""
    peer = TOKENIZE[name]
    theirs = [peer(string.lower() if lowers else string) for string in strings]
    text = Text.from_strings(strings)
    ours, ids = _tokens(name, text.lower() if lowers else text)
    flat = [token.encode("utf-8", "surrogatepass") for tokens in theirs for token in tokens]
    if [*map(len, ours)] == [*map(len, theirs)] and [t for tokens in ours for t in tokens] == flat:
        if not len({*zip(flat, ids, strict=True)}) == len({*flat}) == len({*ids}):
            yield -1, f"{name}: {len({*flat})} different tokens have {len({*ids})} ids"
        return
    for case, (string, own, other) in enumerate(zip(strings, ours, theirs, strict=True)):
        if own != [token.encode("utf-8", "surrogatepass") for token in other]:
            yield case, f"{name}, lowercase={lowers}: {string!a}\nours   {own}\ntheirs {other!a}"


def _tokens(name: str, text: Text) -> tuple[list[list[bytes]], list[int]]:
    """The tokens of each segment, and the ids of all of them."""
    tokenizer = resolve_tokenizer(name)
    spans = tokenizer.spans(text)
    data = spans.data.tobytes()
    ends = zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)
    tokens = [data[start:end] for start, end in ends]
    ids = tokenizer.ids(text)
    assert np.array_equal(ids.offsets, spans.offsets)
    return [tokens[a:b] for a, b in pairwise(spans.offsets.tolist())], ids.values.tolist()

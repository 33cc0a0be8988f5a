"""Tokens are those of sacreBLEU's tokenizers; counts of segments those of a plain oracle."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

import numpy as np
import oracle
from conftest import blocks_of
from peers import TOKENIZE, tokens_of

import vecbleu
from fuzz.cases import differences, draw_alphabet, draw_segments, draw_strings
from vecbleu import chrf
from vecbleu.text.text import Text
from vecbleu.text.tokenizers import resolve_tokenizer


def check_tokenizers(random, size):
    """Every string goes through every tokenizer, and ids tell its tokens apart."""
    strings = draw_strings(random, draw_alphabet(random), size, random.choice([4, 6, 10]))
    text = Text.from_strings(strings)
    for name, tokenize in TOKENIZE.items():
        ours, ids = tokens_of(name, text), resolve_tokenizer(name).ids(text)
        yield from differences(name, strings, sacreBLEU=map(tokenize, strings), ours=ours)
        assert np.diff(ids.offsets).tolist() == [*map(len, ours)]
        flat, numbers = [token for tokens in ours for token in tokens], ids.values.tolist()
        if not len({*zip(flat, numbers, strict=True)}) == len({*flat}) == len({*numbers}):
            yield -1, f"{name}: {len({*flat})} different tokens have {len({*numbers})} ids"


def check_segments(forms, random, size):
    """Many segments, counted as arrays, and each alone, counted as objects."""
    vocabulary = random.choice([1, 2, 3, 5, 10, 30, 94, 256])
    max_order = random.choice([4, 4, 4, 4, 1, 2, 3, 5, 6, 6, 9, 17])
    ref_length = random.choice(["closest", "closest", "closest", "shortest", "longest"])
    segments = draw_segments(random, vocabulary, size)
    draw_tokens, unit_of, tokenize = random.choice(forms)
    if tokenize == "chrF":  # of several references, it takes the best
        segments = [segment[:2] for segment in segments]
        expected = [chrf_row(*segment, max_order) for segment in segments]
        count = partial(chrf.statistics, char_order=max_order, whitespace=True)
    else:
        expected = [oracle.row(hyp, refs, max_order, ref_length) for hyp, *refs in segments]
        options = {"max_order": max_order, "ref_length": ref_length}
        count = partial(vecbleu.statistics, tokenize=tokenize, **options)
    tokens = draw_tokens(random, vocabulary)
    units = [[unit_of([tokens[t] for t in unit]) for unit in segment] for segment in segments]
    size = random.choice([1, 10, 50, 400, 2500, 5000])
    with blocks_of(size) if random.random() < 0.5 else nullcontext():  # many meet their ends
        arrays = count([hyp for hyp, *_ in units], [refs for _, *refs in units], workers=1)
    objects = [count([hyp], [refs]).array[0].tolist() for hyp, *refs in units]
    results = {"oracle": expected, "arrays": arrays.array.tolist(), "objects": objects}
    yield from differences(count, units, **results)


def chrf_row(hypothesis, reference, max_order):
    """The n-grams of both sides, and matches, as sacreBLEU orders them."""
    row = []
    for order in range(1, max_order + 1):
        hyp, ref = (max(0, len(unit) - order + 1) for unit in (hypothesis, reference))
        row += [hyp if ref else 0, ref, oracle.clipped(hypothesis, [reference], order)]
    return row


def numbers(random, count):
    return [random.getrandbits(64) - 2**63 for _ in range(count)]


def any_strings(random, count):
    return draw_strings(random, [*draw_alphabet(random), "a", "b"], count, 5)


def words(random, count):
    alphabet = ["".join(piece.split()) for piece in draw_alphabet(random)]
    return [*filter(None, draw_strings(random, [*alphabet, "a", "b"], count + 1, 5))][:count]


def characters(random, count):
    """Characters that follow each other, none of them white space."""
    start = random.choice([0x100, 0x3001, 0x10000] + [0x21] * (count <= 94))
    return [chr(start + index) for index in random.sample(range(max(count, 94)), count)]


# How tokens are drawn and made into a unit, and what splits the unit.
TOKENS = [(numbers, list, "13a"), (any_strings, list, "13a"), (words, " ".join, "none")]
CHARACTERS = [(characters, "".join, "char"), (characters, "".join, "chrF")]

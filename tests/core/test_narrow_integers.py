"""Platforms whose own integers have 32 bits: what NumPy makes and takes there, emulated."""

from __future__ import annotations

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from corpora import random_lines

import vecbleu
import vecbleu.huggingface
from vecbleu.core.kernel import ngrams, ragged
from vecbleu.significance import bootstrap

PLACES = ["argsort", "bincount", "flatnonzero", "searchsorted"]  # NumPy's own integers always
VALUES = ["arange", "cumsum", "full"]  # where nothing has, or asks for, a type


def narrow(function):
    """A function of NumPy's where the integers that it gives have 32 bits."""

    @functools.wraps(function)
    def narrowed(*arguments, **options):
        found = function(*arguments, **options)
        given = [*arguments, *options.values()]
        typed = any(one is np.int64 or getattr(one, "dtype", None) == np.int64 for one in given)
        if found.dtype != np.int64 or (typed and function.__name__ in VALUES):
            return found
        return found.astype(np.int32)

    return narrowed


def check_index(values):
    dtype = np.asarray(values).dtype
    if not np.can_cast(dtype, np.int32, "safe"):
        raise TypeError(f"cannot cast {dtype} to int32 according to the rule 'safe'")


class NarrowUfunc:
    """A ufunc whose `reduceat` takes no int64."""

    def __init__(self, ufunc):
        self.ufunc = ufunc

    def __call__(self, *arguments, **options):
        return self.ufunc(*arguments, **options)

    def __getattr__(self, name):
        return getattr(self.ufunc, name)

    def reduceat(self, array, indices):
        check_index(indices)
        return self.ufunc.reduceat(array, indices)


@pytest.fixture
def narrow_numpy(monkeypatch):
    repeat, bincount = np.repeat, np.bincount

    def narrow_repeat(values, repeats):
        check_index(repeats)
        return repeat(values, repeats)

    def narrow_bincount(values, *arguments, **options):
        check_index(values)
        return bincount(values, *arguments, **options)

    monkeypatch.setattr(np, "bincount", narrow_bincount)
    for name in PLACES + VALUES:
        monkeypatch.setattr(np, name, narrow(getattr(np, name)))
    for name in ("add", "maximum", "minimum"):
        monkeypatch.setattr(np, name, NarrowUfunc(getattr(np, name)))
    monkeypatch.setattr(np, "repeat", narrow_repeat)
    monkeypatch.setattr(np, "intp", np.int32)
    return monkeypatch


HYPOTHESES, STREAM = (
    [f"{line} the-longest-word-of-all the-longest-word-of-all 中文" for line in random_lines(n, 40)]
    for n in (1, 2)
)
REFERENCES = [[line, *HYPOTHESES[: place % 3]] for place, line in enumerate(STREAM)]
TOKENS = [line.split() for line in HYPOTHESES], [[*map(str.split, some)] for some in REFERENCES]
IDS = np.random.default_rng(5).integers(0, 9, (2, 30, 12))
SCORES = {
    **{
        f"{name}, {ref_length}": lambda name=name, ref_length=ref_length: vecbleu.statistics(
            HYPOTHESES, REFERENCES, tokenize=name, ref_length=ref_length
        )
        for name in ("13a", "char", "intl", "none", "zh")
        for ref_length in ("closest", "shortest", "average", "longest")
    },
    "one reference": lambda: vecbleu.statistics(HYPOTHESES, STREAM, tokenize="char"),
    "ranked characters": lambda: vecbleu.statistics(
        HYPOTHESES, STREAM, max_order=9, tokenize="char"
    ),
    "tokens": lambda: vecbleu.statistics(*TOKENS),
    "numbered tokens": lambda: vecbleu.statistics([[1, "a"] * 3], [[[1, "a"], ["a", 1, "a"]]]),
    "ids": lambda: vecbleu.statistics(*IDS, eos_id=0, ignore_ids=[3]),
    "some rows": lambda: vecbleu.statistics(
        *(vecbleu.Ragged.from_padded(one, pad_id=1)[::2] for one in IDS)
    ),
    "whole rows": lambda: vecbleu.statistics(
        *(vecbleu.Ragged.from_padded(one)[::-1] for one in IDS)
    ),
    "bootstrap": lambda: bootstrap(vecbleu.statistics(HYPOTHESES, STREAM), resamples=50),
    "google_bleu": lambda: vecbleu.huggingface.google_bleu(
        predictions=HYPOTHESES, references=REFERENCES
    ),
    "matrix": lambda: vecbleu.pairwise_bleu(HYPOTHESES, STREAM, smoothing="exp").tolist(),
    "self_bleu": lambda: vecbleu.self_bleu(HYPOTHESES + STREAM).tolist(),
    "nearest": lambda: [one.tolist() for one in vecbleu.nearest(HYPOTHESES, STREAM, k=3)],
    "expected_bleu": lambda: [
        one.tolist() for one in vecbleu.expected_bleu([HYPOTHESES, STREAM, HYPOTHESES[:1] * 3])
    ],
    "shared references": lambda: vecbleu.statistics(
        HYPOTHESES, vecbleu.SharedReferences(STREAM), ref_length="average"
    ),
}


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("widest_row", [ngrams._WIDEST_ROW, 10])
def test_scores_are_the_same_in_narrow_integers(narrow_numpy, score, widest_row):
    narrow_numpy.setattr(ngrams, "_WIDEST_ROW", widest_row)
    found = score()
    narrow_numpy.undo()
    expected = score()
    assert found == expected
    if isinstance(found, vecbleu.Statistics):
        assert found.to_array().dtype == expected.to_array().dtype


def test_views_that_would_be_too_large_are_not_made(monkeypatch):
    corpora = (HYPOTHESES, REFERENCES), (["a " * 99], ["a " * 98])  # and one n-gram many times
    expected = [vecbleu.statistics(*corpus) for corpus in corpora]
    monkeypatch.setattr(ragged, "_MOST_BYTES", 0)
    monkeypatch.setattr(ragged, "np", SimpleNamespace(**vars(np) | {"ndarray": None}))
    assert expected == [vecbleu.statistics(*corpus) for corpus in corpora]

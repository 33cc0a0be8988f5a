"""The same corpus in every format, counted by any process, gives identical statistics."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import product
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from conftest import blocks_of
from corpora import COLUMNS, WORDS, in_pieces, random_lines, transposed, write_lines
from processes import process_pool, two_processes

import vecbleu
from vecbleu import chrf, sacrebleu
from vecbleu.core.corpus import TextCorpus
from vecbleu.inputs import alignment
from vecbleu.inputs.ids import Arrays

SIZE = 700
HYPOTHESES, FIRST, SECOND = (random_lines(seed, SIZE) for seed in (1, 2, 3))
REFERENCES = transposed([FIRST, SECOND])
EXPECTED = vecbleu.statistics(HYPOTHESES, REFERENCES, tokenize=str.split, workers=1).array.tolist()
PLACES = {word: place for place, word in enumerate(WORDS.tolist())}


def count(hypotheses, references, tokenize="none", **run):
    return vecbleu.statistics(hypotheses, references, tokenize=tokenize, **run)


def files(folder, tokenize="none", **run):
    texts = {"h": HYPOTHESES, "r1": FIRST, "r2": SECOND}
    first, *others = (write_lines(folder / name, text) for name, text in texts.items())
    return vecbleu.file_statistics(first, others, tokenize=tokenize, **run)


def segments_of(made):
    """Segments that are made of lists of words."""
    sides = [[made(line.split()) for line in text] for text in (HYPOTHESES, FIRST, SECOND)]
    return lambda folder, **run: vecbleu.statistics(sides[0], transposed(sides[1:]), **run)


def column(made):
    return lambda folder, **run: count(made(HYPOTHESES), made(REFERENCES), **run)


# A function that can't be pickled stays here; only what it returns goes elsewhere.
HERE = {"tokenize": lambda line: line.split()}
FORMATS = {
    "lists": column(list),
    "lists and a function": lambda folder, **run: count(HYPOTHESES, REFERENCES, **HERE, **run),
    "files": files,
    "files and a function": lambda folder, **run: files(folder, **HERE, **run),
    "Arrow": column(COLUMNS["array"]),
    "Arrow in pieces": column(in_pieces),
    "Polars": column(COLUMNS["Polars"]),
    "tokens": segments_of(list),
    "ids": segments_of(lambda words: np.array([PLACES[word] for word in words], np.int32)),
}
RUNS = {
    "1 worker": lambda: nullcontext(1),
    "2 workers": lambda: nullcontext(2),
    "threads": lambda: ThreadPoolExecutor(2),
    "processes": process_pool,
    "Dask": two_processes,
}


class Lines:
    """A format of text that nothing in the package knows."""

    def __init__(self, *columns):
        self.columns = columns


def read_lines(side, alone):
    units = [line for row in zip(*side.columns, strict=True) for line in row]
    each = len(side.columns)
    return Arrays(TextCorpus, units, np.arange(len(units) // each + 1) * each)


def test_a_new_format_is_a_reader(monkeypatch):
    """On either side, beside every other format, and in every layer."""
    reader = SimpleNamespace(accepts=lambda side: isinstance(side, Lines), read=read_lines)
    monkeypatch.setattr(alignment, "READERS", (*alignment.READERS, reader))
    one, two = Lines(HYPOTHESES), Lines(FIRST, SECOND)
    sides = product([HYPOTHESES, one, COLUMNS["array"](HYPOTHESES)], [REFERENCES, two])
    for hypotheses, references in sides:
        assert count(hypotheses, references, workers=1).array.tolist() == EXPECTED
    for hypotheses, references in product([HYPOTHESES, one], [FIRST, Lines(FIRST)]):
        assert count(hypotheses, references) == count(HYPOTHESES, FIRST)
        expected = chrf.corpus_chrf(HYPOTHESES, FIRST)
        assert chrf.corpus_chrf(hypotheses, references) == expected
        assert sacrebleu.CHRF().corpus_score(hypotheses, [references]).score == expected.percent
    with pytest.raises(ValueError, match="700 segments but references has 699"):
        count(one, Lines(FIRST[1:]))
    with pytest.raises(TypeError, match="references is Lines"):
        count([line.split() for line in HYPOTHESES], Lines(FIRST))


@pytest.fixture(
    scope="module",
    params=["1 worker", *(pytest.param(name, marks=pytest.mark.slow) for name in [*RUNS][1:])],
)
def run(request):
    """Options of a call that has several blocks counted somewhere."""
    with blocks_of(4000), RUNS[request.param]() as workers:
        yield {"workers": workers}


# Dask's.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.mark.parametrize("name", FORMATS)
def test_every_input_format_gives_the_same_statistics(name, tmp_path, run):
    workers, counted = run["workers"], nullcontext(mock.Mock(call_count=2))
    if not isinstance(workers, int):
        counted = mock.patch.object(workers, "submit", side_effect=workers.submit)
    with counted as submitted:
        assert FORMATS[name](tmp_path, **run).array.tolist() == EXPECTED
    assert submitted.call_count > 1


def test_errors_name_their_place(tmp_path, run):
    wrong = [*HYPOTHESES[:650], None, *HYPOTHESES[651:]]
    with pytest.raises(TypeError, match=r"hypotheses\[650\]"):
        vecbleu.statistics(wrong, HYPOTHESES, **run)
    good = write_lines(tmp_path / "good", FIRST)
    (tmp_path / "bad").write_bytes(b"a b\n" * 680 + b"\xff\n" * 20)
    with pytest.raises(ValueError, match="bad: line 681 "):
        vecbleu.file_statistics(tmp_path / "bad", good, **run)

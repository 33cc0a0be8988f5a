"""From what the user passes to statistics: every kind of input, against the oracle."""

from __future__ import annotations

import tracemalloc
from contextlib import nullcontext
from fractions import Fraction
from itertools import product
from typing import get_args

import numpy as np
import oracle
import pytest
from conftest import ON_BOTH_PATHS, blocks_of
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters
from strategies import odd_tokens, string_tokens, text_corpora, token_corpora

import vecbleu
import vecbleu.cli

pytestmark = ON_BOTH_PATHS
ref_lengths = st.sampled_from(get_args(vecbleu.typing.RefLength))


def expected(hypotheses, references, max_order=4, choice="closest"):
    pairs = zip(hypotheses, references, strict=True)
    return [oracle.row(h, refs, max_order, choice) for h, refs in pairs]


def rows(*sides, **options):
    return vecbleu.statistics(*sides, **options).array.tolist()


@pytest.mark.parametrize("tokens", [None, odd_tokens, string_tokens], ids=["words", "odd", "any"])
@given(data=st.data(), max_order=st.integers(1, 16), choice=ref_lengths)
def test_token_sequences_count_as_by_the_oracle(tokens, data, max_order, choice):
    corpus = data.draw(token_corpora(tokens))
    counted = rows(*corpus, max_order=max_order, ref_length=choice)
    assert counted == expected(*corpus, max_order, choice)


@pytest.mark.parametrize("tokenize", [*TOKENIZE, list])
@given(pairs=text_corpora, lowercase=st.booleans())
def test_strings_count_as_by_the_oracle(tokenize, pairs, lowercase):
    newer, options = newer_characters(), {"tokenize": tokenize, "lowercase": lowercase}
    hypotheses = [hypothesis.translate(newer) for hypothesis, _ in pairs]
    references = [[reference.translate(newer) for reference in refs] for _, refs in pairs]

    def split(string):
        return TOKENIZE.get(tokenize, list)(string.lower() if lowercase else string)

    tokens = [split(h) for h in hypotheses], [[split(r) for r in refs] for refs in references]
    assert rows(hypotheses, references, **options) == expected(*tokens)


@given(
    token_corpora(st.integers(-2, 2) | st.sampled_from([2**62, -(2**63)])),
    st.integers(1, 200),
    st.sampled_from([np.int64, object]),
)
def test_integers_count_alike_in_every_container_and_in_blocks_of_any_size(corpus, size, kind):
    hypotheses, references = corpus
    arrays = [np.array(h, kind) for h in hypotheses]
    reference_arrays = [[np.array(r, kind) for r in refs] for refs in references]
    tuples = tuple(map(tuple, hypotheses)), tuple(tuple(map(tuple, r)) for r in references)
    counted = expected(*corpus)
    for sides in (*product((hypotheses, arrays), (references, reference_arrays)), tuples):
        assert rows(*sides) == counted
        with blocks_of(size):
            assert rows(*sides) == counted


PAIR = (1, "a"), (2, "b")
BIG = np.array([2**63, 2**64 - 1], np.uint64)  # beyond int64
GRID = np.array([["a", "b"], ["c", "d"]])


@pytest.mark.parametrize(
    ("hypotheses", "references", "matches"),
    [
        # Tuples are tokens where the hypotheses have tuples for tokens.
        ([PAIR], [PAIR], [[2, 1]]),
        ([["x", (1, 2)]], [[(1, 2), "x"]], [[2, 0]]),
        ([["a", "b"]], [(("a", "b"), ("a",))], [[2, 1]]),
        ([[Fraction(1, 2)]], [((Fraction(1, 2),), ("a",))], [[1, 0]]),
        ([["a"]], [[("a", 1), "a"]], [[1, 0]]),
        # Sequences, and tokens that are equal, of other types.
        ([range(3)], [[range(2)]], [[2, 1]]),
        ([[Fraction(1, 2)]], [[[0.5]]], [[1, 0]]),
        (GRID, GRID, [[2, 1], [2, 1]]),
        (["a b"], [GRID[0]], [[2, 0]]),
        (["a b", "c"], np.array(["a b", "c"], object), [[2, 1], [1, 0]]),
        ([BIG, np.array([-1])], [[BIG], [BIG]], [[2, 1], [0, 0]]),
    ],
)
def test_tokens_of_any_type_match_if_they_are_equal(hypotheses, references, matches):
    counted = vecbleu.statistics(hypotheses, references, max_order=2)
    assert counted.matches.tolist() == matches


@pytest.mark.parametrize("empty", [[], (), np.zeros((0, 5), int)], ids=repr)
def test_an_empty_corpus_has_no_rows(empty):
    found = vecbleu.statistics(empty, empty, max_order=3).array
    assert found.shape == (0, 8)
    assert vecbleu.bleu.scores(found).shape == vecbleu.sentence_bleu(empty, empty).shape == (0,)
    assert float(vecbleu.corpus_bleu(empty, empty)) == 0


class Caseless(str):
    """A token that compares in its own way; tokens are text, which does not."""

    __slots__ = ()

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


def test_a_tokenizer_is_called_once_for_each_string_and_returns_text():
    seen = []

    def tokenize(text):
        seen.append(text)
        return [*map(Caseless, text.split())]

    # Of few characters, or many; the last has more n-grams than are counted as objects.
    for string in ("a" * 5, "a" * 4000, "b " * 500):
        vecbleu.corpus_bleu([string], [string], tokenize=tokenize)
        assert seen == [string, string]
        seen.clear()
    assert rows(["a B"], [["c", "A b"]], tokenize=tokenize) == rows(["a B"], [["c", "A b"]])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "workers"),
    [("-tok none", 1), ("-tok 13a", 1), ("-tok char", 1), ("-tok 13a", 2), ("-m chrf -cw 2", 1)],
)
def test_files_of_any_size_take_the_same_memory(tmp_path, options, workers, capsys):
    line = "the cat, sat on 3.5 mats while a dog barked and other dogs barked too\n"

    def peak(lines):
        """Bytes that are allocated at once, NumPy's arrays among them."""
        path = tmp_path / f"{lines}"
        path.write_text(line * lines)
        tracemalloc.start()
        vecbleu.cli.main([str(path), "-i", str(path), *options.split(), "--workers", f"{workers}"])
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1_000)  # what is imported, or kept, at the first call
    with blocks_of(30_000) if workers > 1 else nullcontext():  # some are read ahead
        assert peak(60_000) < 1.5 * peak(12_000)  # 4.2 and 0.8 MB a file
    assert "100.0" in capsys.readouterr().out

"""Pieces of a text that pages mark: its tokens, where they stand, and all between them."""

from __future__ import annotations

import itertools

import hypothesis.strategies as st
import pytest
from hypothesis import given
from strategies import ugly_text

import vecbleu
from vecbleu.analysis.marks import text_pieces

TOKENIZERS = ["13a", "intl", "zh", "char", "none"]


@given(ugly_text, st.sampled_from(TOKENIZERS), st.booleans())
def test_pieces_are_the_text_and_show_every_token(text, tokenize, lowercase):
    read = text.lower() if lowercase else text
    tokens = list(vecbleu.explain(text, "x", tokenize=tokenize, lowercase=lowercase).tokens)
    pieces = text_pieces(text, tokens, lowercase)
    shown = [(piece, index) for piece, index in pieces if index is not None]
    assert [index for _, index in shown] == [*range(len(tokens))]
    whole = "".join(piece for piece, _ in pieces)
    if whole != text:
        assert whole == " ".join(tokens)
        return
    ends = [*itertools.accumulate(len(piece) for piece, _ in pieces)]
    for (piece, index), end in zip(pieces, ends, strict=True):
        if index is not None:
            assert read[end - len(piece) : end] == tokens[index]


@pytest.mark.parametrize(
    ("text", "tokens", "lowercase", "pieces"),
    [
        (
            "a<skipped>b\n",
            ["a", "b"],
            False,
            [("a", 0), ("<skipped>", None), ("b", 1), ("\n", None)],
        ),
        (" \t", [], False, [(" \t", None)]),
        ("The CAT", ["the", "cat"], True, [("The", 0), (" ", None), ("CAT", 1)]),
        ("İ a", ["i̇", "a"], True, [("i̇", 0), (" ", None), ("a", 1)]),
        ("ab", ["", "a", "", "b", ""], False, [("a", 1), ("b", 3)]),  # of a user's tokenizer
    ],
)
def test_pieces_keep_what_becomes_no_token(text, tokens, lowercase, pieces):
    assert text_pieces(text, tokens, lowercase) == pieces

"""Marks of matched tokens, against BLEU's own definition."""

from __future__ import annotations

import itertools

import hypothesis.strategies as st
import pytest
from hypothesis import given
from strategies import odd_tokens, string_tokens, ugly_text

from vecbleu.analysis.marks import matched_orders, text_pieces
from vecbleu.core.options import CountOptions

TOKENIZERS = ["13a", "intl", "zh", "char", "none"]


def definition(hypothesis, references, max_order):
    """Slowly: of each n-gram, as many copies from the left as the most in one reference."""
    orders = [0] * len(hypothesis)
    for order in range(1, max_order + 1):
        for place in range(len(hypothesis) - order + 1):
            ngram = tuple(hypothesis[place : place + order])

            def copies(tokens, ngram=ngram, order=order):
                places = range(len(tokens) - order + 1)
                return sum(tuple(tokens[at : at + order]) == ngram for at in places)

            earlier = copies(hypothesis[: place + order]) - 1
            if earlier < max((copies(one) for one in references), default=0):
                orders[place : place + order] = [order] * order
    return orders


@given(st.data(), st.integers(1, 6))
def test_marks_are_those_of_the_definition(data, max_order):
    tokens = data.draw(st.sampled_from([odd_tokens, string_tokens]))
    some = st.sampled_from(data.draw(st.lists(tokens, min_size=1, max_size=4)))
    hypothesis = data.draw(st.lists(some, max_size=14))
    references = data.draw(st.lists(st.lists(some, max_size=14), max_size=4))
    found = matched_orders(hypothesis, references, max_order)
    assert found == definition(hypothesis, references, max_order)


def test_a_long_text_equal_to_its_reference_is_marked_throughout():
    tokens = [str(number) for number in range(5000)]
    assert matched_orders(tokens, [tokens]) == [4] * 5000
    assert matched_orders([], [tokens]) == []


@given(ugly_text, st.sampled_from(TOKENIZERS), st.booleans())
def test_pieces_are_the_text_and_show_every_token(text, tokenize, lowercase):
    read = text.lower() if lowercase else text
    tokens = list(CountOptions.checked(tokenize).tokenize.split([read])[0])
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
            "  a <skipped>b\r\n",
            ["a", "b"],
            False,
            [("  ", None), ("a", 0), (" <skipped>", None), ("b", 1), ("\r\n", None)],
        ),
        ("", [], False, []),
        (" \t", [], False, [(" \t", None)]),
        ("The CAT", ["the", "cat"], True, [("The", 0), (" ", None), ("CAT", 1)]),
        ("İ a", ["i̇", "a"], True, [("i̇", 0), (" ", None), ("a", 1)]),
        ("ab", ["", "a", "", "b", ""], False, [("a", 1), ("b", 3)]),  # of a user's tokenizer
    ],
)
def test_pieces_keep_what_becomes_no_token(text, tokens, lowercase, pieces):
    assert text_pieces(text, tokens, lowercase) == pieces

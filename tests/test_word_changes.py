"""Words in which texts differ: pieces are the text, and several texts are pairs of texts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vecbleu.analysis import word_changes

LETTERS = [*"abc .,('-3\t\n\r\0é猫がก🚀", "\u0301", "\ud800", "ิ", "\U0002f800", "\u200d"]
UGLY = st.text(st.sampled_from(LETTERS))
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8)


@given(st.lists(UGLY, max_size=4) | UGLY.map(lambda text: [text] * 3))
def test_pieces_are_the_text_and_differ_if_words_do(texts):
    found = word_changes(texts)
    assert ["".join(piece for piece, _ in pieces) for pieces in found] == texts
    for pieces in found:
        assert all(piece for piece, _ in pieces)
        assert all(one[1] != other[1] for one, other in pairwise(pieces))
    is_changed = any(changed for pieces in found for _, changed in pieces)
    assert not is_changed or len({*texts}) > 1
    assert is_changed or len({"".join(text.split()) for text in texts}) <= 1


@given(WORDS, st.lists(WORDS, max_size=3))
def test_the_first_text_differs_where_any_other_does(one, others):
    first, *second = word_changes([" ".join(words) for words in (one, *others)])
    pairs = [word_changes([" ".join(one), " ".join(words)]) for words in others]
    assert second == [pair[1] for pair in pairs]
    expected = {place for own, _ in pairs for place in changed_words(own)}
    assert changed_words(first) == expected


@given(WORDS, WORDS)
def test_words_that_do_not_differ_are_a_common_subsequence(one, two):
    found = word_changes([" ".join(one), " ".join(two)])
    left, right = (
        [word for place, word in enumerate(words) if place not in changed_words(pieces)]
        for words, pieces in zip((one, two), found, strict=True)
    )
    assert left == right
    assert left or not {*one} & {*two}


def test_one_word_differs_in_a_long_repetitive_text():
    rng = np.random.default_rng(1)
    words = rng.choice(["a", "b", "c"], 10_000).tolist()
    one, two = word_changes([" ".join(words), " ".join([*words[:5000], "x", *words[5000:]])])
    assert changed_words(one) == set()
    assert changed_words(two) == {5000}


def changed_words(pieces):
    """Places of the words that differ."""
    flags = [changed for piece, changed in pieces for _ in piece.split()]
    return {place for place, changed in enumerate(flags) if changed}


@pytest.mark.parametrize(
    ("one", "two", "changed"),
    [
        ("the mat.", "the mat", [["."], []]),
        ("(don't), 3.5", "don't 3.6", [["(", "), 3.5"], ["3.6"]]),
        ("BLEUは良い", "BLEUが良い", [["は"], ["が"]]),
        ("กิน กา", "กัน กา", [["กิน"], ["กัน"]]),
        ("a b c d", "a x y d", [["b c"], ["x y"]]),
        ("a  b", "a b", [[], []]),
        (" a\tb, c", "a\n\u3000b,  c ", [[], []]),
        ("", "a b", [[], ["a b"]]),
        ("a a", "a", [["a"], []]),
        ("b a a c", "b a c", [["a"], []]),
        ("a", "a a a", [[], ["a a"]]),
    ],
)
def test_words_are_those_of_each_language(one, two, changed):
    found = word_changes([one, two])
    assert [[piece for piece, flag in pieces if flag] for pieces in found] == changed

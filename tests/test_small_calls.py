"""Few segments are counted and scored as Python objects; arrays give the same, digit for digit."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
from conftest import arrays_only
from hypothesis import given
from hypothesis import strategies as st
from strategies import odd_tokens, string_tokens, token_corpora

import vecbleu

count_options = st.fixed_dictionaries(
    {
        "max_order": st.sampled_from([4, 1, 2, 3, 6, 70]),
        "ref_length": st.sampled_from(["closest", "shortest", "longest"]),
    }
)
_weights = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 1e-90, 1e90]), min_size=1, max_size=2)
score_options = st.fixed_dictionaries(
    {
        "smoothing": st.sampled_from(["none", "floor", "add-k", "exp", "skip-zero"]),
        "smoothing_value": st.sampled_from([None, None, 0, 0.1, 1, 2.5, 1e-90]),
        "effective_order": st.booleans(),
    },
    optional={"weights": _weights},
)


def outcome(call):
    """A call's value, or its error, with its warnings, to be compared."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = call()
        except Exception as error:
            value = type(error), str(error)
    return comparable(value), [(one.category, str(one.message)) for one in caught]


def comparable(value):
    """A value as its types and digits."""
    if isinstance(value, vecbleu.Statistics):
        return comparable(value.array), value.signature
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value), str(value.dtype), value.shape, repr(value.tolist())
    if isinstance(value, vecbleu.BleuScore):
        return type(value), repr(value.to_dict())
    return type(value), repr(value)


def check_alike(call, *arguments, **options):
    """Objects, where they count, and arrays give the same."""
    found = outcome(partial(call, *arguments, **options))
    with arrays_only():
        assert found == outcome(partial(call, *arguments, **options))


@given(
    st.one_of(*map(token_corpora, (None, odd_tokens, string_tokens, st.integers(0, 3)))),
    count_options,
    score_options,
)
def test_tokens(corpus, counted, scored):
    check_alike(vecbleu.statistics, *corpus, **counted)
    for function in (vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        check_alike(function, *corpus, **counted, **scored)


counts = st.integers(0, 4)


@given(
    st.lists(st.tuples(counts, counts, *[st.tuples(counts, counts)] * 3), max_size=30),
    score_options,
)
def test_rows_of_any_counts(drawn, scored):
    """Such rows come from sums and differences; no text need have them."""
    table = [
        [hyp_len, ref_len, *map(min, orders), *map(max, orders)]
        for hyp_len, ref_len, *orders in drawn
    ]
    array = np.array(table, np.int64).reshape(-1, 8)
    check_alike(vecbleu.bleu, array, **scored)
    check_alike(vecbleu.bleu, array[:1].sum(axis=0), **scored)
    check_alike(vecbleu.bleu, array.reshape(1, -1, 8) + 0.0, **scored)


class Caseless(str):
    """A token that compares in its own way; tokens are text, which does not."""

    __slots__ = ()

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


def test_a_tokenizer_is_called_once_for_each_string_and_returns_text():
    seen = []
    strings = ["a" * size for size in (5, 4000, 30)] + ["b " * 500]  # few characters, many n-grams

    def tokenize(text):
        seen.append(text)
        return [*map(Caseless, text.split())]

    for string in strings:
        vecbleu.corpus_bleu([string], [string], tokenize=tokenize)
    assert seen == [string for string in strings for _ in range(2)]
    check_alike(vecbleu.statistics, ["a B"], [["c", "A b"]], tokenize=tokenize)

"""Few segments are counted and scored as Python objects; arrays give the same, digit for digit."""

from __future__ import annotations

import logging
import warnings
from functools import partial

import numpy as np
import pytest
from conftest import arrays_only
from hypothesis import given
from hypothesis import strategies as st
from peers import MECAB, tokenizer_of
from strategies import odd_tokens, string_tokens, text_corpora, token_corpora

import vecbleu
import vecbleu.huggingface
import vecbleu.nltk
import vecbleu.sacrebleu
from vecbleu import Accumulator, Statistics
from vecbleu.core import objects
from vecbleu.core.text.tokenizers import NAMES

TOKENIZE = ["13a", "none", "intl", "zh", "char", str.split, list]

count_options = st.fixed_dictionaries(
    {},
    optional={
        "max_order": st.sampled_from([1, 2, 3, 6, 70]),
        "ref_length": st.sampled_from(["closest", "shortest", "longest"]),
    },
)

_weights = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 1e-90, 1e90]), min_size=1, max_size=2)
_values = st.sampled_from([None, 0, 0.1, 1, 2.5, 1e-90])
score_options = st.fixed_dictionaries(
    {"smoothing": st.sampled_from(["none", "floor", "add-k", "exp", "skip-zero"])},
    optional={
        "smoothing_value": _values,
        "effective_order": st.booleans(),
        "weights": _weights,
    },
)


class Records(logging.Handler):
    """What is logged."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def outcome(call):
    """A call's value, or its error, with its warnings and log records, to be compared."""
    records = Records()
    logger = logging.getLogger("sacrebleu")
    logger.addHandler(records)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = call()
        except Exception as error:
            value = type(error), str(error)
        finally:
            logger.removeHandler(records)
    told = [(one.category, str(one.message)) for one in caught]
    return comparable(value), told, records.messages


def comparable(value):
    """A value as its types and digits."""
    if isinstance(value, Statistics):
        columns = value.hyp_len, value.ref_len, value.matches, value.totals
        return [*map(comparable, columns), value.signature]
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value), str(value.dtype), value.shape, repr(value.tolist())
    if isinstance(value, vecbleu.BleuScore):
        return type(value), repr(value.to_dict())
    return type(value), repr(value)


def check_alike(call):
    """Objects, where they count, and arrays give the same."""
    found = outcome(call)
    with arrays_only():
        assert found == outcome(call)


def sides(corpus):
    return [own for own, _ in corpus], [others for _, others in corpus]


def calls(hypotheses, references, counted, scored):
    """The public functions on a corpus."""
    functions = vecbleu.corpus_bleu, vecbleu.sentence_bleu
    yield partial(vecbleu.statistics, hypotheses, references, **counted)
    yield from (partial(one, hypotheses, references, **counted, **scored) for one in functions)

    def accumulate():
        accumulator = Accumulator(**counted, **scored)
        accumulator.update(hypotheses, references)
        accumulator.update(hypotheses, references)
        return [comparable(accumulator.compute()), accumulator.state.tolist()]

    yield accumulate


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(text_corpora, count_options, st.booleans(), score_options)
def test_strings(tokenize, corpus, counted, lowercase, scored):
    counted |= {"tokenize": tokenize, "lowercase": lowercase}
    for call in calls(*sides(corpus), counted, scored):
        check_alike(call)


@given(
    st.one_of(*map(token_corpora, (None, odd_tokens, string_tokens, st.integers(0, 3)))),
    count_options,
    score_options,
)
def test_tokens(corpus, counted, scored):
    for call in calls(*corpus, counted, scored):
        check_alike(call)


@pytest.mark.parametrize("name", MECAB)
@given(text_corpora)
def test_strings_with_mecab(name, corpus):
    tokenizer_of(name)  # skips without it
    check_alike(partial(vecbleu.statistics, *sides(corpus), tokenize=name))


streams = st.lists(st.none() | st.text("a b.,5", max_size=6), min_size=1, max_size=4)


@given(
    st.lists(st.text("a b.,5", max_size=6), max_size=3),
    st.lists(streams, min_size=1, max_size=3),
    st.sampled_from([None, "13a", "intl", "zh", "char", "none"]),
    st.sampled_from([("none", None), ("floor", 0.5), ("add-k", 2), ("add-k", None), ("exp", None)]),
    st.booleans(),
    st.booleans(),
)
def test_sacrebleu(hypotheses, references, tokenize, smooth, effective, lowercase):
    def metric():
        named = {"effective_order": effective, "lowercase": lowercase, "tokenize": tokenize}
        return vecbleu.sacrebleu.BLEU(smooth_method=smooth[0], smooth_value=smooth[1], **named)

    check_alike(lambda: metric().corpus_score(hypotheses, references))
    check_alike(lambda: metric().corpus_score(hypotheses, references, n_bootstrap=3))
    check_alike(lambda: metric().sentence_scores(hypotheses, references))
    check_alike(lambda: metric().sentence_score(hypotheses[0], references[0]))


@given(text_corpora, st.sampled_from([None, str.split]), st.sampled_from([1, 4]))
def test_huggingface(corpus, tokenizer, max_order):
    predictions, references = sides(corpus)
    given = {"predictions": predictions, "references": references, "tokenizer": tokenizer}
    options = {"max_order": max_order}
    check_alike(lambda: vecbleu.huggingface.bleu(**given, **options))
    check_alike(lambda: vecbleu.huggingface.bleu(**given, **options, smooth=True))
    check_alike(lambda: vecbleu.huggingface.google_bleu(**given, max_len=max_order))


@given(token_corpora(odd_tokens), st.sampled_from([(1,), (0.25,) * 4, [(0.5, 0.5), (1,)], (0,)]))
def test_nltk(corpus, weights):
    hypotheses, references = corpus
    check_alike(lambda: vecbleu.nltk.corpus_bleu(references, hypotheses, weights))
    check_alike(lambda: vecbleu.nltk.sentence_bleu_batch(references, hypotheses, weights))


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
    check_alike(lambda: vecbleu.bleu(array, **scored))
    check_alike(lambda: vecbleu.bleu(array[:1].sum(axis=0), **scored))
    check_alike(lambda: vecbleu.bleu(array.reshape(1, -1, 8) + 0.0, **scored))


@pytest.mark.parametrize("tokenize", [lambda text: [1], lambda text: None, lambda text: 1 / 0])
def test_errors_of_a_tokenizer_name_the_unit(tokenize):
    def by_length(text):
        return tokenize(text) if len(text) == 3 else [text]

    check_alike(partial(vecbleu.statistics, ["a", "b"], [["c"], ["d", "abc"]], tokenize=by_length))


def test_a_tokenizer_is_called_once_for_each_string():
    seen = []
    strings = ["a" * size for size in (5, 4000, 30)] + ["b " * 500]  # few characters, many n-grams

    def tokenize(text):
        seen.append(text)
        return text.split()

    for string in strings:
        vecbleu.corpus_bleu([string], [string], tokenize=tokenize)
    assert seen == [string for string in strings for _ in range(2)]


class Unhashable(str):
    """A token that is no key."""

    __slots__ = ()
    __hash__ = None


class Caseless(str):
    """A token that compares in its own way."""

    __slots__ = ()

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


@pytest.mark.parametrize("kind", [Unhashable, Caseless])
@pytest.mark.parametrize("first", [[], ["x"]])
def test_tokens_of_a_tokenizer_that_compare_in_their_own_way(kind, first):
    def tokenize(text):
        return [*first, *map(kind, text.split())]

    check_alike(partial(vecbleu.statistics, ["a B"], [["c", "A b"]], tokenize=tokenize))


def test_which_path_is_taken(monkeypatch):
    """What is compared above is two paths."""
    taken = []
    function = objects.count_segments
    monkeypatch.setattr(objects, "count_segments", lambda *args: taken.append(1) or function(*args))
    vecbleu.sentence_bleu(["a b c"], ["a b d"])
    assert taken == [1]
    with arrays_only():
        vecbleu.sentence_bleu(["a b c"], ["a b d"])
    vecbleu.sentence_bleu(["a b c"] * 1000, ["a b d"] * 1000)
    assert taken == [1]


def test_every_tokenizer_is_compared():
    others = {"spm", "flores101", "flores200", "spBLEU-1K", "ja-mecab", "ko-mecab"}
    assert {one for one in TOKENIZE if isinstance(one, str)} == NAMES - others

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
from strategies import odd_tokens, string_tokens, text_corpora, token_corpora

import vecbleu
from vecbleu import huggingface, nltk, sacrebleu

TOKENIZE = ["13a", "none", "intl", "zh", "char", str.split, list]

count_options = st.fixed_dictionaries(
    {},
    optional={
        "max_order": st.sampled_from([1, 2, 3, 6, 70]),
        "ref_length": st.sampled_from(["closest", "shortest", "longest"]),
    },
)
_weights = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 1e-90, 1e90]), min_size=1, max_size=2)
score_options = st.fixed_dictionaries(
    {"smoothing": st.sampled_from(["none", "floor", "add-k", "exp", "skip-zero"])},
    optional={
        "smoothing_value": st.sampled_from([None, 0, 0.1, 1, 2.5, 1e-90]),
        "effective_order": st.booleans(),
        "weights": _weights,
    },
)


def outcome(call):
    """A call's value, or its error, with its warnings and log records, to be compared."""
    records = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())
    logger = logging.getLogger("sacrebleu")
    logger.addHandler(handler)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = call()
        except Exception as error:
            value = type(error), str(error)
        finally:
            logger.removeHandler(handler)
    return comparable(value), [(one.category, str(one.message)) for one in caught], records


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
    call = partial(call, *arguments, **options)
    found = outcome(call)
    with arrays_only():
        assert found == outcome(call)


def sides(corpus):
    return [own for own, _ in corpus], [others for _, others in corpus]


def check_functions(hypotheses, references, counted, scored):
    """The public functions on a corpus."""
    check_alike(vecbleu.statistics, hypotheses, references, **counted)
    for function in (vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        check_alike(function, hypotheses, references, **counted, **scored)

    def accumulate():
        accumulator = vecbleu.Accumulator(**counted, **scored)
        accumulator.update(hypotheses, references)
        accumulator.update(hypotheses, references)
        return comparable(accumulator.compute()), accumulator.state.tolist()

    check_alike(accumulate)


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(text_corpora, count_options, st.booleans(), score_options)
def test_strings(tokenize, corpus, counted, lowercase, scored):
    counted |= {"tokenize": tokenize, "lowercase": lowercase}
    check_functions(*sides(corpus), counted, scored)


@given(
    st.one_of(*map(token_corpora, (None, odd_tokens, string_tokens, st.integers(0, 3)))),
    count_options,
    score_options,
)
def test_tokens(corpus, counted, scored):
    check_functions(*corpus, counted, scored)


streams = st.lists(st.none() | st.text("a b.,5", max_size=6), min_size=1, max_size=4)


@given(
    st.lists(st.text("a b.,5", max_size=6), max_size=3),
    st.lists(streams, min_size=1, max_size=3),
    st.sampled_from([("none", None), ("floor", 0.5), ("add-k", 2), ("add-k", None), ("exp", None)]),
    st.booleans(),
)
def test_sacrebleu(hypotheses, references, smooth, effective):
    metric = sacrebleu.BLEU(
        smooth_method=smooth[0], smooth_value=smooth[1], effective_order=effective
    )
    check_alike(metric.corpus_score, hypotheses, references)
    check_alike(metric.corpus_score, hypotheses, references, n_bootstrap=3)
    check_alike(metric.sentence_scores, hypotheses, references)
    check_alike(lambda: metric.sentence_score(hypotheses[0], references[0]))


@given(text_corpora, st.sampled_from([None, str.split]), st.sampled_from([1, 4]), st.booleans())
def test_huggingface(corpus, tokenizer, order, smooth):
    given = {**dict(zip(("predictions", "references"), sides(corpus), strict=True))}
    given["tokenizer"] = tokenizer
    check_alike(huggingface.bleu, **given, max_order=order, smooth=smooth)
    check_alike(huggingface.google_bleu, **given, max_len=order)


@given(token_corpora(odd_tokens), st.sampled_from([(1,), (0.25,) * 4, [(0.5, 0.5), (1,)], (0,)]))
def test_nltk(corpus, weights):
    hypotheses, references = corpus
    check_alike(nltk.corpus_bleu, references, hypotheses, weights)
    check_alike(nltk.sentence_bleu_batch, references, hypotheses, weights)


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

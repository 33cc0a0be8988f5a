"""Accumulators: batches add up to the corpus, in one process or in several."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import text_corpora

import vecbleu
from vecbleu import Accumulator, chrf, ter


def in_batches(data, corpus):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(corpus)), max_size=5)))
    for low, high in zip([0, *cuts], [*cuts, len(corpus)], strict=True):
        yield [one for one, _ in corpus[low:high]], [some for _, some in corpus[low:high]]


METRICS = [
    (Accumulator, vecbleu.corpus_bleu, vecbleu.statistics, {"max_order": 2}),
    (Accumulator, vecbleu.corpus_bleu, vecbleu.statistics, {"smoothing": "exp"}),
    (chrf.ChrfAccumulator, chrf.corpus_chrf, chrf.statistics, {"word_order": 1, "beta": 3}),
    (ter.TerAccumulator, ter.corpus_ter, ter.statistics, {"normalized": True}),
]


def parts_of(score):
    return float(score), score.table().to_dict(), str(score.signature)


@given(text_corpora, st.data(), st.sampled_from(METRICS))
def test_batches_score_as_the_corpus(corpus, data, metric):
    make, corpus_score, count, options = metric
    sides = [*map(list, zip(*corpus, strict=True))]
    counted = {} if "smoothing" in options else options
    state = [len(corpus), *count(*sides, **counted).sum().array.tolist()]
    whole, one, other = (make(**options) for _ in range(3))
    for number, batch in enumerate(in_batches(data, corpus)):
        whole.update(*batch)
        (one if number < 2 else other).update(*batch)
    reduced = pickle.loads(pickle.dumps(whole))
    reduced.reset()
    assert (len(reduced), bool(reduced)) == (0, True)
    assert parts_of(reduced.compute()) == parts_of(corpus_score([], [], **options))
    reduced.state = one.state + other.state
    one.merge(pickle.loads(pickle.dumps(other)))
    expected = parts_of(corpus_score(*sides, **options))
    for accumulator in (whole, one, reduced):
        assert parts_of(accumulator.compute())[:2] == expected[:2]
        assert len(accumulator) == len(corpus)
        assert (accumulator.state.tolist(), accumulator.state.dtype) == (state, np.int64)
    assert parts_of(one.compute()) == expected


HALF = 2**62
OPTIONS = {"smoothing": "floor", "ignore_ids": [2, 1, 2]}
OTHERS = {"tokenize": "zh", "lowercase": True, "max_order": 3, "ref_length": "shortest"}
OTHERS |= {"ignore_ids": 3, "eos_id": 3, "smoothing": "exp", "smoothing_value": 0.2}
OTHERS |= {"weights": [1], "effective_order": True}


def with_state(*state):
    accumulator = Accumulator(**OPTIONS)
    accumulator.state = [*state, *[0] * (11 - len(state))]
    return accumulator


STATES = [
    ([1, 2], ValueError, r"\(2,\), expected \(11,\)"),
    *(([wrong] + [0] * 10, ValueError, r"state\[0\]") for wrong in (-1, 0.5, np.nan, 2.0**63)),
    ([1, 1, 1, 2, *[0] * 3, 1, *[0] * 3], ValueError, r"matches\[0\] is 2"),
    ([1, 0.5] + [0] * 9, ValueError, r"^state\[1\] is 0\.5, expected a whole number"),
    (["1"] * 11, TypeError, "^state holds <U1"),
    ([1, 1, -1] + [0] * 8, ValueError, r"^state\[2\] is -1, expected a count"),
    (np.ma.array([0] * 11, mask=[1] * 11), TypeError, "masked"),
    (np.full(11, 2050, np.float16), ValueError, r"state\[0\] is 2050 in float16"),
    (np.full(11, 2**24 + 2, np.float32), ValueError, r"state\[0\] is 16777218 in float32"),
]
REFUSED = [
    ("update", [["a", "b"], ["a"]], ValueError, "hypotheses"),
    ("update", [["a", 3], ["a", "b"]], TypeError, "hypotheses"),
    ("update", [["a"]], TypeError, r"^Accumulator\.update\(\) missing"),
    ("merge", [chrf.ChrfAccumulator()], TypeError, "expected Accumulator"),
    *(
        ("merge", [Accumulator(**OPTIONS | {name: value})], ValueError, f"other has {name}")
        for name, value in OTHERS.items()
    ),
    ("merge", [with_state(HALF)], OverflowError, "more than"),
    ("merge", [with_state(1, HALF, 0, 0, 0, 0, 0, HALF)], OverflowError, "more than"),
    ("merge", [with_state(1, 0, HALF)], OverflowError, "more than"),
    *(("__setattr__", ["state", state], *error) for state, *error in STATES),
]


@pytest.mark.parametrize(("method", "arguments", "error", "named"), REFUSED)
def test_what_is_refused_adds_nothing(method, arguments, error, named):
    accumulator = with_state(HALF, HALF, HALF, 0, 0, 0, 0, HALF)
    accumulator.merge(Accumulator(smoothing="floor", ignore_ids=(1, 2)))  # the same options
    before = accumulator.state.tolist()
    with pytest.raises(error, match=named):
        getattr(accumulator, method)(*arguments)
    assert accumulator.state.tolist() == before


def test_sums_can_be_as_large_as_int64_is():
    half = [HALF, HALF, HALF, 0, 0, 0, 0, HALF]
    accumulator, rest = with_state(*half), with_state(*(count and count - 1 for count in half))
    accumulator.merge(rest)
    assert accumulator.state.tolist() == [count and 2**63 - 1 for count in [*half, 0, 0, 0]]
    assert (len(accumulator), accumulator.compute().hyp_len) == (2**63 - 1, 2**63 - 1)


def test_states_keep_what_is_known_of_the_text():
    text, ids = Accumulator(), Accumulator()
    text.update(["a b"], ["a b"])
    ids.update([[1, 2]], [[1, 2]])
    text.state = text.state.astype(np.float32)
    assert text.state.tolist() == [1, 2, 2, 2, 1, 0, 0, 2, 1, 0, 0]
    assert text.compute().signature.tokenize == "13a"
    assert text.compute().signature.references is None  # of the others, nobody knows
    text.merge(ids)
    assert text.compute().signature.tokenize is None


@pytest.mark.parametrize(("type_", "most"), [(np.float16, 2**11), (np.float32, 2**24)])
def test_states_of_floats_may_hold_all_counts_that_they_are_exact_for(type_, most):
    state = np.array([1, most, most, most - 1, most], type_)
    accumulator = Accumulator(max_order=1)
    accumulator.state = state
    assert accumulator.state.tolist() == state.tolist()


def test_copies_have_counts_of_their_own():
    with ThreadPoolExecutor(1) as workers:
        one = Accumulator(workers=workers)
        one.update(["a b"], ["a b"])
        before = one.state
        for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            other.update(["a b"], ["a b"])
            assert other.state.tolist() == (2 * before).tolist()
    one.state = buffer = one.state
    buffer *= 2
    assert one.state.tolist() == before.tolist()

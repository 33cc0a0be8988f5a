"""Accumulators: batches add up to the corpus, in one process or in several."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import counted_parts
from strategies import text_corpora

import vecbleu
from vecbleu import Accumulator


def in_batches(data, corpus):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(corpus)), max_size=5)))
    for low, high in zip([0, *cuts], [*cuts, len(corpus)], strict=True):
        yield [one for one, _ in corpus[low:high]], [some for _, some in corpus[low:high]]


@given(text_corpora, st.data(), st.sampled_from([{}, {"smoothing": "exp", "max_order": 2}]))
def test_batches_score_as_the_corpus(corpus, data, options):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    expected = vecbleu.corpus_bleu(hypotheses, references, **options)
    rows = vecbleu.statistics(hypotheses, references, max_order=options.get("max_order", 4))
    state = [len(corpus), *rows.sum().array.tolist()]
    whole, one, other = (Accumulator(**options) for _ in range(3))
    for number, batch in enumerate(in_batches(data, corpus)):
        whole.update(*batch)
        (one if number < 2 else other).update(*batch)
    reduced = pickle.loads(pickle.dumps(whole))
    reduced.reset()
    assert (len(reduced), bool(reduced)) == (0, True)
    nothing = vecbleu.corpus_bleu([], [], **options)
    assert counted_parts(reduced.compute()) == counted_parts(nothing)
    reduced.state = one.state + other.state
    one.merge(other)
    for accumulator in (whole, one, reduced):
        assert counted_parts(accumulator.compute()) == counted_parts(expected)
        assert len(accumulator) == len(corpus)
        assert accumulator.state.tolist() == state
        assert accumulator.state.dtype == np.int64
    assert str(one.compute().signature) == str(expected.signature)


def test_a_batch_that_fails_adds_nothing():
    accumulator = Accumulator()
    accumulator.update(["a b"], ["a b"])
    before = accumulator.state.tolist()
    for batch in ((["a", "b"], ["a"]), (["a", 3], ["a", "b"])):
        with pytest.raises((TypeError, ValueError), match="hypotheses"):
            accumulator.update(*batch)
    assert accumulator.state.tolist() == before


OPTIONS = {"tokenize": "zh", "lowercase": True, "max_order": 3, "ref_length": "shortest"}
OPTIONS |= {"ignore_ids": 3, "eos_id": 3, "smoothing": "exp", "smoothing_value": 0.2}
OPTIONS |= {"weights": [1], "effective_order": True}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_differs_is_not_merged(name):
    own = {"smoothing": "floor", "ignore_ids": [2, 1, 2]}
    one = Accumulator(**own)
    one.merge(Accumulator(**own | {"ignore_ids": (1, 2)}))  # which is the same
    with pytest.raises(ValueError, match=f"other has {name}"):
        one.merge(Accumulator(**own | {name: OPTIONS[name]}))


@pytest.mark.parametrize(
    ("state", "error", "named"),
    [
        ([1, 2], ValueError, r"\(2,\), expected \(11,\)"),
        *(([wrong] + [0] * 10, ValueError, r"state\[0\]") for wrong in (-1, 0.5, np.nan, 1e300)),
        ([1, 1, 1, 2, *[0] * 3, 1, *[0] * 3], ValueError, r"matches\[0\] is 2"),
        (np.ma.array([0] * 11, mask=[1] * 11), TypeError, "masked"),
        (np.full(11, 2050, np.float16), ValueError, r"state\[0\] is 2050 in float16"),
        (np.full(11, 2**24 + 2, np.float32), ValueError, r"state\[0\] is 16777218 in float32"),
    ],
)
def test_states_are_counts(state, error, named):
    accumulator = Accumulator()
    with pytest.raises(error, match=named):
        accumulator.state = state
    assert accumulator.state.tolist() == [0] * 11


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


@pytest.mark.parametrize("executor", [nullcontext(), ThreadPoolExecutor(1)])
def test_copies_have_counts_of_their_own(executor):
    with executor as workers:
        one = Accumulator(workers=workers)
        one.update(["a b"], ["a b"])
        before = one.state
        for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            other.update(["a b"], ["a b"])
            assert other.state.tolist() == (2 * before).tolist()
    one.state = buffer = one.state
    buffer *= 2
    assert one.state.tolist() == before.tolist()


@pytest.mark.parametrize(
    "state", [[1, 2**62, 0, 0, 2**62], [1, 0, 2**62, 0, 0], [2**62, 0, 0, 0, 0]]
)
def test_sums_beyond_int64_are_errors(state):
    accumulator = Accumulator(max_order=1)
    accumulator.state = state
    with pytest.raises(OverflowError):
        accumulator.merge(accumulator)
    assert accumulator.state.tolist() == state

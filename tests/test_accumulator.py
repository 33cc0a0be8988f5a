from __future__ import annotations

import pickle

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


def test_the_same_special_ids_are_merged_however_they_are_given():
    one = Accumulator(ignore_ids=[2, 1, 2])
    one.merge(Accumulator(ignore_ids=(i for i in (1, 2))))


def test_a_batch_that_fails_adds_nothing():
    accumulator = Accumulator()
    accumulator.update(["a b"], ["a b"])
    before = accumulator.state.tolist()
    with pytest.raises(ValueError, match="hypotheses has 2 segments but references has 1"):
        accumulator.update(["a", "b"], ["a"])
    with pytest.raises(TypeError, match=r"hypotheses\[1\]"):
        accumulator.update(["a", 3], ["a", "b"])
    assert accumulator.state.tolist() == before


def test_memory_does_not_grow_with_batches():
    accumulator, sizes = Accumulator(), []
    for _ in range(3):
        accumulator.update(["a b c"] * 100, ["a b d"] * 100)
        sizes.append(len(pickle.dumps(accumulator)))
    assert max(sizes) - min(sizes) < 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenize": "zh"}, "has tokenize 'zh' but this one has '13a'"),
        ({"lowercase": True}, "has lowercase True but this one has False"),
        ({"max_order": 3}, "has max_order 3 but this one has 4"),
        ({"ref_length": "shortest"}, "has ref_length 'shortest' but this one has 'closest'"),
        ({"ignore_ids": 3}, r"has ignore_ids \(3,\) but this one has \(\)"),
        ({"eos_id": 3}, r"has eos_ids \(3,\) but this one has \(\)"),
        ({"smoothing": "exp"}, "has smoothing 'exp' but this one has 'floor'"),
        ({"smoothing_value": 0.2}, "has smoothing_value 0.2 but this one has 0.1"),
        ({"weights": [1]}, r"has weights \(1.0,\) but this one has None"),
        ({"effective_order": True}, "has effective_order True but this one has False"),
    ],
)
def test_what_differs_is_not_merged(options, message):
    own = {"smoothing": "floor"}
    one, other = Accumulator(**own), Accumulator(**own | options)
    with pytest.raises(ValueError, match=f"other {message}"):
        one.merge(other)
    assert len(one) == 0


@pytest.mark.parametrize(
    ("options", "state", "error", "message"),
    [
        ({}, [1, 2], ValueError, r"state has the shape \(2,\), expected \(11,\)"),
        ({}, [-1] + [0] * 10, ValueError, r"state\[0\] is -1, expected a number of segments"),
        ({}, [0.5] + [0] * 10, ValueError, r"state\[0\] is 0.5, expected a number of segments"),
        ({}, [np.nan] + [0] * 10, ValueError, r"state\[0\] is nan, expected a number of segm"),
        ({}, [1e300] + [0] * 10, ValueError, r"state\[0\] is 1e\+300, expected a number of"),
        ({}, [np.inf] + [0] * 10, ValueError, r"state\[0\] is inf, expected a number of segm"),
        ({}, [1, 1, 1, 2, *[0] * 3, 1, *[0] * 3], ValueError, r"matches\[0\] is 2, which is more"),
        (
            {},
            [1, 2, 5.5, *[0] * 4, 2, 1, 0, 0],
            ValueError,
            r"ref_len is 5.5, expected a whole number",
        ),
        ({}, np.ma.array([0] * 11, mask=[1] * 11), TypeError, "masked array"),
    ],
)
def test_states_are_counts(options, state, error, message):
    accumulator = Accumulator(**options)
    with pytest.raises(error, match=message):
        accumulator.state = state
    assert len(accumulator) == 0


def test_what_is_no_accumulator():
    with pytest.raises(TypeError, match="other is int, expected an Accumulator"):
        Accumulator().merge(3)


def test_states_of_narrow_floats():
    """A sum of counts in them is another count, without a word."""
    segments = 1 << 20
    total = vecbleu.statistics(["a b c d"], ["a b c d"]).sum().array
    state = np.concatenate([[segments], total * segments])
    accumulator = vecbleu.Accumulator()
    for kind in (np.float32, np.float64, np.int32):
        accumulator.state = state.astype(kind)
        assert accumulator.state.tolist() == state.tolist()
    large = (state * 5).astype(np.float32)
    with pytest.raises(
        ValueError, match=r"state\[1\] is 20971520 in float32, which rounds .*int64"
    ):
        accumulator.state = large
    with pytest.raises(ValueError, match="state is float16, which rounds counts above 2048; add"):
        accumulator.state = (state // segments).astype(np.float16)


def test_counts_of_a_sum_are_named_without_a_row():
    accumulator = vecbleu.Accumulator()
    accumulator.update(["a b c d"], ["a b c d"])
    with pytest.raises(ValueError, match=r"^hyp_len is -4, expected a count$"):
        accumulator.state = -accumulator.state
    with pytest.raises(ValueError, match=r"^matches\[1\] is 9, which is more than its total$"):
        vecbleu.Statistics([4, 4, 1, 9, 4, 3])


def test_states_keep_what_is_known_of_the_text():
    text, ids = vecbleu.Accumulator(), vecbleu.Accumulator()
    text.update(["a b"], ["a b"])
    ids.update([[1, 2]], [[1, 2]])
    text.state = text.state * 2
    assert text.compute().signature.tokenize == "13a"
    assert text.compute().signature.references is None  # of the others, nobody knows
    fresh = vecbleu.Accumulator()
    fresh.state = ids.state  # which does not say whether it was text
    assert fresh.compute().signature.tokenize is None
    text.merge(ids)
    assert text.compute().signature.tokenize is None


def test_a_state_is_a_copy():
    accumulator = vecbleu.Accumulator()
    accumulator.update(["a b"], ["a b"])
    buffer = accumulator.state
    accumulator.state = buffer
    buffer *= 2
    assert accumulator.state.tolist() == (buffer // 2).tolist()

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
from vecbleu import Accumulator

corpora = st.lists(
    st.tuples(ugly_text, st.lists(ugly_text, min_size=1, max_size=3)), min_size=1, max_size=15
)


def in_batches(data, corpus):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(corpus)), max_size=5)))
    for low, high in zip([0, *cuts], [*cuts, len(corpus)], strict=True):
        yield [one for one, _ in corpus[low:high]], [some for _, some in corpus[low:high]]


@given(corpora, st.data(), st.sampled_from([{}, {"smoothing": "exp", "max_order": 2}]))
def test_batches_score_as_the_corpus(corpus, data, options):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    expected = vecbleu.corpus_bleu(hypotheses, references, **options)
    rows = vecbleu.statistics(hypotheses, references, max_order=options.get("max_order", 4))
    whole, kept = Accumulator(**options), Accumulator(**options, keep_rows=True)
    shards = [Accumulator(**options) for _ in range(2)]
    for number, batch in enumerate(in_batches(data, corpus)):
        for one in (whole, kept, shards[number % 2]):
            one.update(*batch)
    assert whole.compute() == expected
    assert len(whole) == len(corpus)
    assert kept.rows == rows
    assert whole.state.tolist() == [len(corpus), *rows.sum().to_array().tolist()]
    assert whole.state.dtype == np.int64
    reduced = pickle.loads(pickle.dumps(whole))
    reduced.reset()
    assert reduced.compute() == vecbleu.corpus_bleu([], [], **options)
    reduced.state = shards[0].state + shards[1].state
    shards[0].merge(shards[1])
    for one in (reduced, shards[0]):
        assert one.compute() == expected
        assert one.state.tolist() == whole.state.tolist()


def test_ids_and_their_options():
    ids = np.array([[5, 6, 7, 8, 1, 9], [5, 6, 0, 0, 0, 0]])
    asked = {"pad_id": 0, "eos_id": 1, "ignore_ids": [6]}
    accumulator = Accumulator(**asked)
    for row in ids:
        accumulator.update(row[None], row[None])
    assert accumulator.compute() == vecbleu.corpus_bleu(ids, ids, **asked)


def test_the_same_special_ids_are_merged_however_they_are_given():
    one = Accumulator(pad_id=0, ignore_ids=[2, 1, 2])
    one.merge(Accumulator(ignore_ids=(i for i in (0, 1, 2))))
    for wrong in ({1: 2}, b"\x01", None, np.array(1)):
        with pytest.raises(TypeError, match=r"ignore_ids is .*, expected a sequence of integers"):
            Accumulator(ignore_ids=wrong)


def test_rows_are_kept_merged_and_forgotten():
    one, other = Accumulator(keep_rows=True), Accumulator(keep_rows=True)
    one.update(["a b", "c"], ["a b", "d"])
    other.update(["e f g"], ["e f"])
    one.merge(other)
    expected = vecbleu.statistics(["a b", "c", "e f g"], ["a b", "d", "e f"])
    assert one.rows == expected
    assert one.rows.signature == expected.signature
    one.reset()
    assert len(one.rows) == len(one) == 0


def test_a_state_keeps_the_kind_of_lengths():
    averages = Accumulator(ref_length="average")
    averages.state = [1, 2, 2, 1, 0, 0, 0, 2, 1, 0, 0]
    assert averages.state.dtype == np.float64
    plain = Accumulator(smoothing="exp")
    with pytest.raises(ValueError, match=r"state\[2\] is 5.5, and reference lengths are no aver"):
        plain.state = [1, 2, 5.5, 1, 0, 0, 0, 2, 1, 0, 0]
    with pytest.raises(TypeError, match="masked array"):
        plain.state = np.ma.array([0] * 11, mask=[1] * 11)


def test_averages_of_lengths():
    accumulator = Accumulator(ref_length="average")
    references = [["a b", "a"], ["c d e", "f", "g"]]
    for hypothesis, some in zip(["a", "c d"], references, strict=True):
        accumulator.update([hypothesis], [some])
    expected = vecbleu.statistics(["a", "c d"], references, ref_length="average").sum()
    assert accumulator.state[1:] == pytest.approx(expected.to_array())


def test_a_batch_that_fails_adds_nothing():
    accumulator = Accumulator(keep_rows=True)
    accumulator.update(["a b"], ["a b"])
    before = accumulator.state.tolist()
    with pytest.raises(ValueError, match="hypotheses has 2 segments but references has 1"):
        accumulator.update(["a", "b"], ["a"])
    with pytest.raises(TypeError, match=r"hypotheses\[1\]"):
        accumulator.update(["a", 3], ["a", "b"])
    assert accumulator.state.tolist() == before
    assert len(accumulator.rows) == 1


def test_memory_does_not_grow_with_batches():
    accumulator = Accumulator()
    sizes = set()
    for _ in range(3):
        accumulator.update(["a b c"] * 100, ["a b d"] * 100)
        sizes.add(len(pickle.dumps(accumulator)))
    assert max(sizes) - min(sizes) < 10


def test_what_differs_is_not_merged():
    one = Accumulator(tokenize="13a", keep_rows=True)
    with pytest.raises(ValueError, match="other has tokenize 'zh' but this one has '13a'"):
        one.merge(Accumulator(tokenize="zh", keep_rows=True))
    for option, value, shown in (
        ("lowercase", True, "lowercase True but this one has False"),
        ("max_order", 3, "max_order 3 but this one has 4"),
        ("ref_length", "shortest", "ref_length 'shortest' but this one has 'closest'"),
        ("pad_id", 3, r"ignore_ids \(3,\) but this one has \(\)"),
        ("eos_id", 3, "eos_id 3 but this one has None"),
        ("smoothing", "exp", "smoothing 'exp' but this one has 'none'"),
        ("weights", [1], r"weights \(\(1.0,\),\) but this one has None"),
        ("effective_order", True, "effective_order True but this one has False"),
    ):
        with pytest.raises(ValueError, match=f"other has {shown}"):
            one.merge(Accumulator(**{option: value}, keep_rows=True))
    floor = Accumulator(smoothing="floor")
    with pytest.raises(ValueError, match=r"other has smoothing_value 0.2 but this one has 0.1"):
        floor.merge(Accumulator(smoothing="floor", smoothing_value=0.2))
    assert len(one) == 0
    with pytest.raises(ValueError, match="other keeps no rows but this one does"):
        one.merge(Accumulator())
    with pytest.raises(TypeError, match="other is int, expected an Accumulator"):
        one.merge(3)
    with pytest.raises(ValueError, match="rows are not kept; pass keep_rows=True"):
        Accumulator().rows  # noqa: B018


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ([1, 2], r"state has the shape \(2,\), expected \(11,\)"),
        ([-1] + [0] * 10, r"state\[0\] is -1, expected a number of segments"),
        ([0.5] + [0] * 10, r"state\[0\] is 0.5, expected a number of segments"),
        ([np.nan] + [0] * 10, r"state\[0\] is nan, expected a number of segments"),
        ([1e300] + [0.0] * 10, r"state\[0\] is 1e\+300, expected a number of segments"),
        ([np.inf] + [0] * 10, r"state\[0\] is inf, expected a number of segments"),
        ([1, 1, 1, 2, 0, 0, 0, 1, 0, 0, 0], r"matches\[0\] is 2, which is more than its total"),
    ],
)
def test_states_are_counts(state, message):
    accumulator = Accumulator()
    with pytest.raises(ValueError, match=message):
        accumulator.state = state
    assert len(accumulator) == 0
    with pytest.raises(ValueError, match="a state has no rows"):
        Accumulator(keep_rows=True).state = [0] * 11


def test_options_are_checked_at_once():
    for options, message in (
        ({"tokenize": "14a"}, "tokenize is '14a'"),
        ({"smoothing": "x"}, "smoothing is 'x'"),
        ({"weights": [(1.0,), (0.5, 0.5)]}, "weights has several sets"),
        ({"pad_id": "x"}, "pad_id is 'x'"),
        ({"workers": 0}, "workers is 0"),
        ({"keep_rows": 1}, "keep_rows is 1"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            Accumulator(**options)

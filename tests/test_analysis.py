from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu.analysis import score_buckets, segment_differences
from vecbleu.significance import jackknife

REFERENCES = ["a b c d e", "f g h", "a b c d", "", "a b c d e f g h i j k l", "x"]
ONE = ["a b c d e", "f g", "d c b a", "", "a b c d e f", "x"]
OPTIONS = [{}, {"smoothing": "add-k"}, {"effective_order": False, "weights": [0.5, 0.5]}]
LABELS = st.lists(st.sampled_from(["news", "talk", 3, None]), min_size=6, max_size=6)
TWO = ["a b c d", "f g h", "a b c d", "", "a b c d e f g x y z", "y"]


def systems():
    one, two = (vecbleu.statistics(lines, REFERENCES, tokenize="none") for lines in (ONE, TWO))
    return {"one": one, "two": two}


@given(LABELS, st.sampled_from(["none", "exp", "add-k"]))
def test_buckets_are_bleu_of_the_selected_rows(labels, smoothing):
    tables = systems()
    found = score_buckets(tables, labels, smoothing=smoothing)
    assert found.labels == tuple(dict.fromkeys(labels))
    for place, label in enumerate(found.labels):
        mask = np.array([one == label for one in labels])
        assert found.sizes[place] == mask.sum()
        for row, stats in enumerate(tables.values()):
            expected = vecbleu.bleu(stats[mask].sum(), smoothing=smoothing)
            assert found.scores[row, place] == expected
    assert found.names == ("one", "two")


@given(st.sets(st.integers(1, 20), min_size=1).map(sorted))
def test_length_buckets_hold_the_lengths_they_name(edges):
    tables = systems()
    found = score_buckets(tables, edges=edges)
    ranges = {f"< {edges[0]}": range(edges[0]), f">= {edges[-1]}": range(edges[-1], 10**6)}
    for low, high in pairwise(edges):
        ranges[f"{low}-{high - 1}" if high > low + 1 else str(low)] = range(low, high)
    lengths = [len(reference.split()) for reference in REFERENCES]
    sizes = {name: sum(length in span for length in lengths) for name, span in ranges.items()}
    expected = {name: size for name, size in sizes.items() if size}
    assert dict(zip(found.labels, found.sizes.tolist(), strict=True)) == expected
    assert found.sizes.sum() == len(REFERENCES)


def test_labels_may_be_numpys():
    found = score_buckets([systems()["one"]], np.array([2, 1, 2, 1, 1, 1]))
    assert (found.labels, found.sizes.tolist(), found.names) == ((2, 1), [2, 4], ("0",))
    assert found.to_dict()["sizes"] == [2, 4]
    assert repr(found) == "Buckets(systems=1, labels=(2, 1))"
    written = json.dumps(score_buckets(systems(), [*np.arange(6)]).to_dict())
    assert json.loads(written)["labels"] == [*range(6)]
    days = np.array(["2026-01-01", "2026-01-02", "2026-01-01"] * 2, "datetime64[ns]")
    assert score_buckets(systems(), days).labels == (days[0], days[1])


@pytest.mark.parametrize("options", OPTIONS)
def test_differences_are_those_of_sentence_scores(options):
    tables = systems()
    found = segment_differences(tables, **options)
    asked = {"smoothing": "exp", "effective_order": True, "tokenize": "none", **options}
    one, two = (vecbleu.sentence_bleu(lines, REFERENCES, **asked) for lines in (ONE, TWO))
    assert found.scores.tolist() == [one.tolist(), two.tolist()]
    assert found.differences.tolist() == (two - one).tolist()
    assert found.order.tolist() == sorted(range(6), key=lambda i: (one[i] - two[i], i))


def test_segments_without_a_label_are_one_group():
    gap = float("nan")
    for labels in (["a", gap, "a", float("nan"), gap, "a"], np.array([1, gap, 1, gap, gap, 1])):
        found = score_buckets(systems(), labels)
        assert found.sizes.tolist() == [3, 3]
        assert found.to_dict()["labels"] == [labels[0], None]
        json.dumps(found.to_dict(), allow_nan=False)


def test_averages_of_lengths_are_added_exactly():
    rng = np.random.default_rng(5)
    hypotheses = [" ".join(rng.choice([*"abcd"], size)) for size in rng.integers(5, 30, 300)]
    references = [[one, one[20:], one[30:]] for one in hypotheses[::-1]]
    table = vecbleu.statistics(hypotheses, references, ref_length="average")
    for size in range(1, 300, 7):
        expected = vecbleu.bleu(table[:size].sum())
        labels = ["in"] * size + ["out"] * (300 - size)
        assert score_buckets([table], labels).scores[0, 0] == expected
        assert jackknife(table[:size]).score == expected


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"labels": ["a", "b"]}, ValueError, "labels has 2 but systems have 6 segments"),
        ({"labels": ["a", [], *"cdef"]}, TypeError, r"labels\[1\] is list, expected a hashable"),
        ({"labels": "abcdef"}, TypeError, "labels is str, expected one for each segment"),
        ({"labels": 5}, TypeError, "labels is int, expected one"),
        ({"labels": {*range(6)}}, TypeError, "labels is set, expected one"),
        ({"labels": dict.fromkeys(range(6))}, TypeError, "labels is dict, expected one"),
        ({"labels": np.array(3)}, TypeError, "labels is ndarray, expected one"),
        ({"labels": ["a"] * 6, "edges": [3]}, ValueError, "labels and edges are both given"),
        ({"edges": []}, TypeError, r"edges is \[\], expected integers"),
        ({"edges": 5}, TypeError, "edges is 5, expected integers"),
        ({"edges": [1, 1.5]}, TypeError, r"edges\[1\] is 1.5, expected an integer"),
        ({"edges": ["3"]}, TypeError, r"edges\[0\] is '3', expected an integer"),
        ({"edges": [True]}, TypeError, r"edges\[0\] is True, expected an integer"),
        *(
            ({"edges": edges}, ValueError, "edges is .* expected lengths that increase, from 1")
            for edges in ([0], [3, 3], [5, 4], [-1, 2])
        ),
    ],
)
def test_wrong_groups_are_refused_by_name(given, error, message):
    with pytest.raises(error, match=message):
        score_buckets(systems(), **given)


def test_systems_are_two_of_the_same_segments_counted_alike():
    tables = systems()
    with pytest.raises(ValueError, match="systems has 3, expected 2"):
        segment_differences([*tables.values(), tables["one"]])
    with pytest.raises(ValueError, match="systems has 1, expected at least 2"):
        segment_differences([tables["one"]])
    with pytest.raises(ValueError, match=r"system b has 3 segments .* system a has 6"):
        segment_differences({"a": tables["one"], "b": tables["two"][:3]})
    other = vecbleu.statistics(TWO, REFERENCES)
    for compare in (segment_differences, score_buckets):
        with pytest.raises(ValueError, match="system b has tokenize '13a' but system a has 'none'"):
            compare({"a": tables["one"], "b": other})

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu.analysis import score_buckets, segment_differences, segment_influences

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
    found = segment_differences(tables, by="sentence", **options)
    asked = {"smoothing": "exp", "effective_order": True, "tokenize": "none", **options}
    one, two = (vecbleu.sentence_bleu(lines, REFERENCES, **asked) for lines in (ONE, TWO))
    assert found.scores.tolist() == [one.tolist(), two.tolist()]
    assert found.differences.tolist() == (two - one).tolist()
    assert found.order.tolist() == sorted(range(6), key=lambda i: (one[i] - two[i], i))


def swapped(lines, others, segment):
    """The lines, with the others' output of one segment."""
    return [*lines[:segment], others[segment], *lines[segment + 1 :]]


def influence(one, two, segment, options):
    """What a corpus gains from the second system's output of a segment, by counting it anew."""

    def score(lines):
        return float(vecbleu.corpus_bleu(lines, REFERENCES, tokenize="none", **options))

    gain = score(swapped(one, two, segment)) - score(one)
    return (gain + (score(two) - score(swapped(two, one, segment)))) / 2


@pytest.mark.parametrize("options", OPTIONS)
def test_influences_are_those_of_swapped_outputs(options):
    tables = systems()
    found = segment_differences(tables, **options)
    asked = {"smoothing": "exp", "effective_order": True, **options}
    expected = [influence(ONE, TWO, segment, asked) for segment in range(6)]
    assert found.influences.tolist() == pytest.approx(expected, abs=1e-15)
    assert found.influences[3] == 0  # of the same output
    own = [found.influences[segment] for segment in found.order]
    assert own == sorted(found.influences, reverse=True)
    whole = [vecbleu.bleu(table.sum(), **asked) for table in tables.values()]
    assert found.corpus_scores.tolist() == whole
    back = segment_differences({"two": tables["two"], "one": tables["one"]}, **options)
    assert back.influences.tolist() == (-found.influences).tolist()
    assert found.differences.tolist() == (-back.differences).tolist()


LINES = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join), min_size=6, max_size=6
)


@given(LINES, LINES, LINES, st.sampled_from(OPTIONS))
def test_influences_of_any_systems_are_those_of_swapped_outputs(one, two, three, options):
    outputs = [one, two, three]
    tables = [vecbleu.statistics(lines, REFERENCES, tokenize="none") for lines in outputs]
    found = segment_influences(tables, baseline=1, **options)
    asked = {"smoothing": "none", **options}
    for system, lines in enumerate(outputs):
        expected = [influence(two, lines, segment, asked) for segment in range(6)]
        assert found.influences[system].tolist() == pytest.approx(expected, abs=1e-14)
    assert found.scores.tolist() == [float(vecbleu.bleu(one.sum(), **asked)) for one in tables]
    assert (found.names, found.baseline) == (("0", "1", "2"), 1)
    assert not found.influences[1].any()


def test_influences_of_many_rows_and_averages_are_exact():
    """Of more rows than are scored at a time."""
    rng = np.random.default_rng(5)
    hypotheses = [" ".join(rng.choice([*"abcd"], size)) for size in rng.integers(1, 9, 9000)]
    references = [[one, one[4:], one[:5]] for one in hypotheses[::-1]]
    count = partial(vecbleu.statistics, references=references, ref_length="average")
    one, two = count(hypotheses), count(hypotheses[::-1])
    found = segment_influences({"one": one, "two": two}, baseline="one", smoothing="exp")
    assert segment_differences([one, one]).influences.tolist() == [0.0] * 9000
    for segment in (0, 8191, 8192, 8999):
        own, other = (table.to_array() for table in (one, two))
        total = one.sum().to_array() - own[segment] + other[segment]
        gain = vecbleu.bleu(total, smoothing="exp") - vecbleu.bleu(one.sum(), smoothing="exp")
        total = two.sum().to_array() - other[segment] + own[segment]
        gain += vecbleu.bleu(two.sum(), smoothing="exp") - vecbleu.bleu(total, smoothing="exp")
        assert found.influences[1, segment] == pytest.approx(gain / 2, abs=1e-15)


def test_names_are_shown_escaped():
    systems = {
        "a\x1b[31m": vecbleu.statistics(["a b"], ["a b"]),
        "b\n": vecbleu.statistics(["b"], ["a b"]),
    }
    assert str(segment_differences(systems)).isprintable()
    assert str(segment_influences(systems)).isprintable()


def test_short_segments_are_left_out_of_the_order():
    tables = systems()
    lengths = [len(reference.split()) for reference in REFERENCES]
    for by in ("corpus", "sentence"):
        whole = segment_differences(tables, by=by).order.tolist()
        for least in range(14):
            found = segment_differences(tables, by=by, min_length=least)
            assert found.order.tolist() == [one for one in whole if lengths[one] >= least]
            assert len(found.scores[0]) == len(found.influences) == 6
            assert found.by == by


def test_unknown_rankings_are_refused_by_name():
    tables = systems()
    with pytest.raises(ValueError, match="by is 'bleu', expected one of corpus, sentence"):
        segment_differences(tables, by="bleu")
    with pytest.raises(ValueError, match="min_length is -1, expected at least 0"):
        segment_differences(tables, min_length=-1)
    with pytest.raises(TypeError, match=r"min_length is 2\.5, expected an integer"):
        segment_differences(tables, min_length=2.5)
    with pytest.raises(ValueError, match="baseline is 'three', expected one of"):
        segment_influences(tables, baseline="three")
    with pytest.raises(ValueError, match="systems has 1, expected at least 2"):
        segment_influences([tables["one"]])


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
    with pytest.raises(ValueError, match="systems has 3, expected 2; segment_influences compares"):
        segment_differences([*tables.values(), tables["one"]])
    with pytest.raises(ValueError, match="systems has 1, expected at least 2"):
        segment_differences([tables["one"]])
    with pytest.raises(ValueError, match=r"system b has 3 segments .* system a has 6"):
        segment_differences({"a": tables["one"], "b": tables["two"][:3]})
    other = vecbleu.statistics(TWO, REFERENCES)
    for compare in (segment_differences, score_buckets):
        with pytest.raises(ValueError, match="system b has tokenize '13a' but system a has 'none'"):
            compare({"a": tables["one"], "b": other})

"""Differences of segments and groups of segments, against scores of the segments themselves."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from corpora import COLUMNS, STRING_COLUMNS
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu.analysis import LENGTH_EDGES, score_buckets, segment_differences

REFERENCES = ["a b c d e", "f g h", "a b c d", "", "a b c d e f g h i j k l", "x"]
ONE = ["a b c d e", "f g", "d c b a", "", "a b c d e f", "x"]
TWO = ["a b c d", "f g h", "a b c d", "", "a b c d e f g x y z", "y"]
OPTIONS = [{}, {"smoothing": "add-k"}, {"effective_order": False, "weights": [0.5, 0.5]}]
LABELS = st.lists(st.sampled_from(["news", "talk", 3, None]), min_size=6, max_size=6)


def systems():
    one, two = (vecbleu.statistics(lines, REFERENCES, tokenize="none") for lines in (ONE, TWO))
    return {"one": one, "two": two}


@given(LABELS, st.sampled_from(["none", "exp", "add-k"]))
def test_groups_are_bleu_of_the_selected_rows(labels, smoothing):
    tables = systems()
    found = score_buckets(tables, labels, smoothing=smoothing)
    assert (found.names, found.by) == (("one", "two"), "label")
    assert found.labels == tuple(dict.fromkeys(labels))
    for place, label in enumerate(found.labels):
        mask = np.array([one == label for one in labels])
        assert found.sizes[place] == mask.sum()
        for row, stats in enumerate(tables.values()):
            assert found.scores[row, place] == stats[mask].score(smoothing=smoothing)
    table = found.table().to_dict()
    assert [*table] == ["label", "one", "two", "segments"]
    assert table["two"] == found.scores[1].tolist()


@given(st.none() | st.sets(st.integers(1, 20), min_size=1).map(sorted))
def test_groups_of_lengths_hold_the_lengths_they_name(edges):
    found = score_buckets(systems(), edges=edges)
    edges = edges or [*LENGTH_EDGES]
    ranges = {f"< {edges[0]}": range(edges[0]), f">= {edges[-1]}": range(edges[-1], 10**6)}
    for low, high in pairwise(edges):
        ranges[f"{low}-{high - 1}" if high > low + 1 else str(low)] = range(low, high)
    lengths = [len(reference.split()) for reference in REFERENCES]
    sizes = {name: sum(length in span for length in lengths) for name, span in ranges.items()}
    expected = {name: size for name, size in sizes.items() if size}
    assert dict(zip(found.labels, found.sizes.tolist(), strict=True)) == expected
    assert found.by == "ref_len"


KINDS = COLUMNS | {"dictionary": STRING_COLUMNS["dictionary"], "list": list, "NumPy": np.array}
NAN = float("nan")


@pytest.mark.parametrize("kind", KINDS)
def test_labels_may_be_columns(kind):
    for values in (["n", "t", "n", "u", "t", "n"], [1, 2, 1, 3, 2, 1]):
        found = score_buckets(systems(), KINDS[kind](values))
        assert found.to_dict() == score_buckets(systems(), values).to_dict()
        assert [*map(type, found.labels)] == [*map(type, dict.fromkeys(values))]
    gaps = () if kind == "pandas of Arrow" else (NAN, None)  # there, a gap is pandas.NA
    for gap in gaps:  # segments without a label are a group
        found = score_buckets(systems(), KINDS[kind]([1.5, gap, 1.5, gap and -gap, gap, 1.5]))
        assert found.sizes.tolist() == [3, 3]
        assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["labels"] == [1.5, None]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("baseline", [0, "two"])
def test_differences_are_those_of_sentence_scores(options, baseline):
    found = segment_differences(systems(), baseline, **options)
    how = {"tokenize": "none", **options}
    expected = np.array([vecbleu.sentence_bleu(lines, REFERENCES, **how) for lines in (ONE, TWO)])
    base = 0 if baseline == 0 else 1
    assert (found.names, found.baseline) == (("one", "two"), base)
    assert found.scores.tolist() == expected.tolist()
    assert found.differences.tolist() == (expected - expected[base]).tolist()
    values = found.differences[1 - base].tolist()
    for sign, segments in ((1, found.gains(1 - base)), (-1, found.losses(1 - base))):
        kept = [i for i in range(6) if sign * values[i] > 0]
        assert segments.tolist() == sorted(kept, key=lambda i: (-sign * values[i], i))
    assert found.gains(baseline).tolist() == found.losses(baseline).tolist() == []


def test_differences_of_several_systems_are_a_table_from_the_largest_on():
    last = vecbleu.statistics(ONE[::-1], REFERENCES, tokenize="none")
    found = segment_differences(systems() | {"again": systems()["one"], "last": last})
    rows = [
        (segment + 1, found.names[row], found.scores[row, segment], found.scores[0, segment], value)
        for (row, segment), value in np.ndenumerate(found.differences)
        if value
    ]
    rows.sort(key=lambda row: -abs(row[-1]))
    assert sorted(zip(*found.table().to_dict().values(), strict=True)) == sorted(rows)
    assert found.table().to_dict()["difference"] == [row[-1] for row in rows]


def test_names_and_labels_may_be_of_any_kind():
    stats = vecbleu.statistics(["a b"] * 5, ["a c"] * 5)
    days = np.array(["2026-01-01", "NaT", "2026-01-01", "NaT", "2026-01-01"], "datetime64[s]")
    for labels in (days, days - days[0], [*days], COLUMNS["pandas"](days)):
        found = score_buckets({"segments": stats, "label": stats}, labels)
        assert found.sizes.tolist() == [3, 2]
        assert len(found.table().to_dict()) == 4
        json.dumps(found.to_dict())
    json.dumps(score_buckets({Path("a"): stats}, [Path("x")] * 5).to_dict())

"""Groups of segments that are each system's own: by sentence score, by difference of lengths."""

from __future__ import annotations

import json
from bisect import bisect_right
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from corpora import read_lines
from hypothesis import given
from hypothesis import strategies as st
from strategies import token_corpora

import vecbleu
from vecbleu.analysis import DIFFERENCE_EDGES, LENGTH_EDGES, SCORE_EDGES, score_buckets
from vecbleu.core.terminal import display_width

DATA = Path(__file__).parent.parent / "data"
SCORES = st.sets(st.sampled_from([0.05, 0.1, 0.25, 0.5, 0.7, 1.0]), min_size=1).map(sorted)
DIFFERENCES = st.sets(st.integers(-9, 9), min_size=1).map(sorted)


def names_of(edges):
    """Names of all ranges."""
    inner = []
    for low, high in pairwise(edges):
        if isinstance(low, float):
            inner.append(f"{low}-{high}")
        elif high == low + 1:
            inner.append(f"{low}")
        else:
            inner.append(f"{low}-{high - 1}" if low >= 0 else f"{low} to {high - 1}")
    return [f"< {edges[0]}", *inner, f">= {edges[-1]}"]


def check(tables, values, edges, found, smoothing):
    """Groups by the values (systems, segments) are those that were found."""
    groups = [[bisect_right(edges, value) for value in row] for row in values]
    occurring = sorted({group for row in groups for group in row})
    names = names_of(edges)
    assert found.labels == tuple(names[group] for group in occurring)
    for row, table in enumerate(tables):
        for place, group in enumerate(occurring):
            mask = np.array(groups[row]) == group
            assert found.sizes[row, place] == mask.sum()
            if mask.any():
                score = vecbleu.bleu(table[mask].sum(), smoothing=smoothing)
                assert found.scores[row, place] == score
                assert found.percents[row, place] == pytest.approx(100 * score)
            else:
                assert np.isnan([found.scores[row, place], found.percents[row, place]]).all()


@st.composite
def tables(draw):
    hypotheses, references = draw(token_corpora().filter(lambda corpus: corpus[0]))
    others = draw(st.permutations(hypotheses))
    ref_length = draw(st.sampled_from(["closest", "average"]))
    sides = hypotheses, others
    return [vecbleu.statistics(side, references, ref_length=ref_length) for side in sides]


@given(tables(), st.none() | SCORES, st.sampled_from(["exp", "add-k"]))
def test_groups_of_scores_are_each_systems_own(systems, edges, smoothing):
    found = score_buckets(systems, by="score", edges=edges, smoothing=smoothing)
    options = {"smoothing": "exp", "effective_order": True}
    values = [[*vecbleu.bleu(table, **options)] for table in systems]
    check(systems, values, edges or [*SCORE_EDGES], found, smoothing)
    assert found.by == "score"


@given(tables(), st.none() | DIFFERENCES)
def test_groups_of_differences_are_each_systems_own(systems, edges):
    found = score_buckets(systems, by="length_difference", edges=edges, smoothing="exp")
    values = [(table.hyp_len - table.ref_len).tolist() for table in systems]
    check(systems, values, edges or [*DIFFERENCE_EDGES], found, "exp")
    assert found.by == "length_difference"


def statistics(name, **options):
    paths = [DATA / "en" / f"{one}.en" for one in (f"sys.{name}", "ref.A")]
    return vecbleu.file_statistics(*paths, tokenize="none", **options)


def test_differences_of_the_sample_data_are_grouped_as_by_compare_mt():
    """Its differences are those of the reference to the output: the same groups from the end."""
    reference = [*map(str.split, read_lines(DATA / "en" / "ref.A.en"))]
    found = score_buckets(
        {name: statistics(name) for name in ("fair", "poor")}, by="length_difference"
    )
    for row, name in enumerate(found.names):
        system = [*map(str.split, read_lines(DATA / "en" / f"sys.{name}.en"))]
        sizes = [0] * (len(DIFFERENCE_EDGES) + 1)
        for own, other in zip(system, reference, strict=True):
            sizes[bisect_right(DIFFERENCE_EDGES, len(other) - len(own))] += 1
        wanted = dict(zip(names_of([*DIFFERENCE_EDGES]), sizes[::-1], strict=True))
        ours = dict(zip(found.labels, found.sizes[row].tolist(), strict=True))
        assert {label: size for label, size in ours.items() if size} == {
            label: size for label, size in wanted.items() if size
        }


def test_usual_groups_are_those_of_all_systems():
    systems = {name: statistics(name) for name in ("fair", "poor")}
    assert score_buckets(systems, by="ref_len") == score_buckets(systems, edges=LENGTH_EDGES)
    labels = ["a", "b"] * 60
    assert score_buckets(systems, labels, by="label") == score_buckets(systems, labels)


def test_records_of_own_groups_can_be_written():
    systems = {name: statistics(name) for name in ("fair", "poor")}
    found = score_buckets(systems, by="score", edges=[0.001, 0.5, 1])
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert np.shape(written["sizes"]) == found.scores.shape
    assert found == score_buckets(systems, by="score", edges=np.array([0.001, 0.5, 1]))
    assert found.to_latex().count("&") == 3 * len(found.labels)


def test_own_groups_become_a_data_frame():
    pytest.importorskip("pandas")
    found = score_buckets({name: statistics(name) for name in ("fair", "poor")}, by="score")
    frame = found.to_dataframe()
    assert frame["segments"].tolist() == found.sizes.ravel().tolist()


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"by": "length"}, ValueError, "by is 'length', expected one of label, ref_len, score"),
        ({"by": "label"}, ValueError, "by is 'label' but labels is None"),
        ({"by": "score", "labels": ["a"] * 120}, ValueError, "by is 'score' but labels are given"),
        ({"by": "score", "edges": [0.5, 0.5]}, ValueError, "expected scores that increase"),
        ({"by": "score", "edges": [0, 0.5]}, ValueError, "above 0 and up to 1"),
        ({"by": "score", "edges": [10, 20]}, ValueError, "above 0 and up to 1"),
        ({"by": "score", "edges": [float("nan")]}, ValueError, "above 0 and up to 1"),
        ({"by": "score", "edges": ["1"]}, TypeError, r"edges\[0\] is '1', expected a number"),
        ({"by": "score", "edges": 0.5}, TypeError, "edges is 0.5, expected numbers"),
        ({"by": "length_difference", "edges": [0.5]}, TypeError, "expected an integer"),
        ({"by": "length_difference", "edges": [1, 0]}, ValueError, "differences that increase"),
    ],
)
def test_misuse_is_named(given, error, message):
    with pytest.raises(error, match=message):
        score_buckets([statistics("fair")], **given)


def test_buckets_print_as_a_table():
    references = ["a b c d", "e f g h i", "a b c d e f"]
    systems = {
        "one\x1b": vecbleu.statistics(["a b c d", "e f g x i", "a b c d e"], references),
        "zwei": vecbleu.statistics(["a b c d", "e f g h i", "a b c d e f"], references),
    }
    lines = str(score_buckets(systems, ["x", "猫", "x"])).splitlines()
    assert [line.split() for line in lines] == [
        ["label", r"one\u001b", "zwei", "segments"],
        *(
            [label, *(f"{score:.4f}" for score in row), size]
            for label, row, size in zip(
                ["x", "猫"], score_buckets(systems, ["x", "猫", "x"]).scores.T, "21", strict=True
            )
        ),
    ]
    assert {display_width(line) for line in lines} == {len(lines[0])}
    own = str(score_buckets(systems, by="length_difference")).splitlines()
    assert [line.split()[-1] for line in own[1:]] == ["1/0", "2/3"]
    assert len(own[1].split()) == 3  # no score where there is no segment


@pytest.mark.parametrize("made", ["array", "chunked_array", "dictionary", "scalars"])
def test_labels_of_arrow_are_plain_values(made):
    pa = pytest.importorskip("pyarrow")
    rows = vecbleu.statistics(["a b c d"] * 6, ["a b c x"] * 6)

    def column(values):
        array = pa.array(values)
        array = array.dictionary_encode() if made == "dictionary" else array
        return (
            [*array]
            if made == "scalars"
            else (pa.chunked_array([array[:2], array[2:]]) if made == "chunked_array" else array)
        )

    for values in (["n", "t", "n", None, "t", "n"], [1, 2, 1, 3, 2, None], [True, False] * 3):
        found = score_buckets([rows], column(values))
        assert found == score_buckets([rows], values)
        assert [*map(type, found.labels)] == [*map(type, dict.fromkeys(values))]
        json.dumps(found.to_dict())
    nan = float("nan")
    found = score_buckets([rows], column([1.5, nan, 1.5, nan, nan, 1.5]))
    assert found.labels[0] == 1.5
    assert found.sizes.tolist() == [3, 3]


def test_tables_are_no_labels():
    pd = pytest.importorskip("pandas")
    rows = vecbleu.statistics(["a b", "c d"], ["a b", "c d"])
    with pytest.raises(
        TypeError, match=r"labels is a table \(DataFrame\); pass one of its columns"
    ):
        score_buckets([rows], pd.DataFrame({"one": [1, 2], "two": [1, 2]}))
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=r'pass one of its columns: labels\["one"\]$'):
        score_buckets([rows], pa.table({"one": [1, 2]}))

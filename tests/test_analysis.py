"""Differences of segments and groups of segments, against scores of the segments themselves."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from corpora import COLUMNS, STRING_COLUMNS
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu import chrf, ter
from vecbleu.analysis import LENGTH_EDGES, score_buckets, segment_differences
from vecbleu.significance import paired_bootstrap, paired_randomization

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


def many(segments=60, seed=0):
    """Statistics of systems with a wrong word here and there."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice([*"abcdefgh"], 8)) for _ in range(segments)]
    tables = {}
    for name, share in (("poor", 0.4), ("fair", 0.3), ("same", 0.3)):
        wrong = rng.random((segments, 8)) < share
        outputs = [
            " ".join("x" if bad else word for word, bad in zip(line.split(), row, strict=True))
            for line, row in zip(references, wrong, strict=True)
        ]
        tables[name] = vecbleu.statistics(outputs, references)
    return tables


TESTS = [
    (paired_bootstrap, {}),
    (partial(paired_bootstrap, n_resamples=99, sides=1, rng=3, confidence_level=0.9), {}),
    (partial(paired_randomization, n_resamples=99), {"smoothing": "add-k"}),
]


@pytest.mark.parametrize("documents", [None, np.arange(60) // 3])
@pytest.mark.parametrize(("test", "options"), TESTS)
def test_groups_are_tested_as_their_own_segments_are(test, options, documents):
    tables = many()
    # Of ten documents, of nine segments, of ten, and of more.
    labels = np.array(["large"] * 30 + ["small"] * 9 + ["ten"] * 10 + ["other"] * 11)
    given = {} if documents is None else {"documents": documents}
    if test is not paired_bootstrap:
        given["compare"] = test
    found = score_buckets(tables, labels, baseline="fair", **given, **options)
    assert (found.baseline, found.labels) == (1, ("large", "small", "ten", "other"))
    rows = found.records()
    for place, label in enumerate(found.labels):
        chosen = labels == label
        own = {name: table[chosen] for name, table in tables.items()}
        units = 0 if documents is None else len({*documents[chosen].tolist()})
        if (units or chosen.sum()) < 10:
            assert np.isnan(found.p_values[:, place]).all()
            shown = [row for row in rows if row["label"] == label]
            assert [(row["difference"], row["p"], row["significant"]) for row in shown] == [
                (None, None, False)
            ] * 3
            assert [row["BLEU"] for row in shown] == [
                100 * table.score(**options) for table in own.values()
            ]
            continue
        groups = None if documents is None else documents[chosen]
        expected = test(own, baseline="fair", groups=groups, **options)
        for name in ("differences", "p_values", "holm", "difference_lower", "significant"):
            values = getattr(expected, name)
            if values is not None:
                part = getattr(found, name)[:, place]
                assert np.array_equal(part, values, equal_nan=True)
        parts = ("difference", "difference_lower", "difference_upper", "p")
        for system, row in enumerate(expected.table().records()):
            record = rows[3 * place + system]
            assert [record.get(part) for part in parts] == [row.get(part) for part in parts]
            assert record["borderline"] == expected.borderline[system]
    columns = found.table().to_dict()
    assert columns["system"] == ["poor", "fair", "same"] * 4
    assert columns["label"] == [label for label in found.labels for _ in tables]
    assert columns["BLEU"] == found.scores.T.ravel().tolist()


@pytest.mark.parametrize("baseline", [None, 0])
def test_of_many_groups_the_largest_are_shown(baseline):
    tables = many(700)
    labels = [*range(61)] + [7] * 300 + [60] * 339
    found = score_buckets(tables, labels, baseline=baseline)
    assert len(found.labels) == 61
    shown = found.table()
    kept = [label for label in found.labels if label != 59]  # the last of the smallest
    assert list(dict.fromkeys(shown.columns[0].values)) == list(map(str, kept))
    assert "label: the 60 largest of 61 groups" in shown.notes
    assert len(found.records()) == 3 * 61
    if baseline == 0:
        assert np.flatnonzero(~np.isnan(found.p_values[1])).tolist() == [7, 60]
    assert not score_buckets(tables, [min(label, 59) for label in labels]).table().notes


@pytest.mark.parametrize("module", [vecbleu, chrf, ter])
def test_systems_are_in_the_order_of_their_means_by_the_size_of_groups(module):
    """One that is right on the large group is better than one that is right on most groups."""
    right, near, wrong = "a b c d e f", "a b c d x y", "u v w x y z"
    systems = {
        "on most": [near] * 10 + [right] * 2,
        "on the large": [right] * 10 + [wrong] * 2,
        "again": [right] * 10 + [wrong] * 2,
        "on none": [wrong] * 12,
    }
    tables = {name: module.statistics(lines, [right] * 12) for name, lines in systems.items()}
    found = score_buckets(tables, ["large"] * 10 + ["x", "y"])
    assert found.order.tolist() == [1, 2, 0, 3]
    assert found.higher_is_better == (module is not ter)


KINDS = COLUMNS | {"dictionary": STRING_COLUMNS["dictionary"], "list": list, "NumPy": np.array}
NAN = float("nan")


@pytest.mark.parametrize("kind", KINDS)
def test_labels_may_be_columns(kind):
    flags = [True, False, True, True, False, True]
    for values in (["n", "t", "n", "u", "t", "n"], [1, 2, 1, 3, 2, 1], flags):
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


@pytest.mark.parametrize("base", [0, 1])
def test_differences_of_several_systems_are_a_table_from_the_largest_on(base):
    last = vecbleu.statistics(ONE[::-1], REFERENCES, tokenize="none")
    found = segment_differences(systems() | {"again": systems()["one"], "last": last}, base)
    against = found.scores[base]
    rows = [
        (segment + 1, found.names[row], found.scores[row, segment], against[segment], value)
        for (row, segment), value in np.ndenumerate(found.differences)
        if value
    ]
    rows.sort(key=lambda row: -abs(row[-1]))
    assert sorted(zip(*found.table().to_dict().values(), strict=True)) == sorted(rows)
    assert found.table().to_dict()["difference"] == [row[-1] for row in rows]


def test_differences_of_errors_are_gains_if_they_are_negative():
    """The largest first, as for other metrics."""
    tables = {
        name: ter.statistics(own, REFERENCES) for name, own in zip("ab", (ONE, TWO), strict=True)
    }
    found = segment_differences(tables)
    fewer = ter.sentence_ter(ONE, REFERENCES) - ter.sentence_ter(TWO, REFERENCES)
    for sign, segments in ((1, found.gains("b")), (-1, found.losses("b"))):
        kept = [i for i in range(6) if sign * fewer[i] > 0]
        assert segments.tolist() == sorted(kept, key=lambda i: -sign * fewer[i]) != []
    assert not found.higher_is_better
    assert str(found).endswith("\nTER: lower is better")
    assert "better" not in str(segment_differences(systems()))


def test_names_and_labels_may_be_of_any_kind():
    stats = vecbleu.statistics(["a b"] * 5, ["a c"] * 5)
    days = np.array(["2026-01-01", "NaT", "2026-01-01", "NaT", "2026-01-01"], "datetime64[s]")
    for labels in (days, days - days[0], [*days], COLUMNS["pandas"](days)):
        found = score_buckets({"segments": stats, "label": stats}, labels)
        assert found.sizes.tolist() == [3, 2]
        assert len(found.table().to_dict()) == 4
        json.dumps(found.to_dict())
    json.dumps(score_buckets({Path("a"): stats}, [Path("x")] * 5).to_dict())

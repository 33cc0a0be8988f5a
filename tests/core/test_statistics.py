from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu import Statistics


def _as_sums(rows):
    """Counts that texts can have: totals fall by less and less, to the matches or above."""
    array = np.array(rows, np.int64)
    totals = (array[:, 5:] + 1).cumsum(axis=1).cumsum(axis=1)[:, ::-1]
    matches = np.minimum(np.minimum.accumulate(array[:, 2:5], axis=1), totals)
    return np.hstack([totals[:, :1], array[:, 1:2], matches, totals])


_row = st.lists(st.integers(0, 2**40), min_size=8, max_size=8)
counts = st.lists(_row, min_size=1, max_size=7).map(_as_sums)


@given(counts)
def test_array_and_columns(array):
    stats = Statistics.from_array(array)
    assert np.array_equal(stats.to_array(), array)
    assert stats.to_array().dtype == np.int64
    assert stats.max_order == 3
    columns = stats.hyp_len[:, None], stats.ref_len[:, None], stats.matches, stats.totals
    assert np.array_equal(np.hstack(columns), array)
    of_floats = Statistics.from_array(array.astype(np.float64))
    assert of_floats == stats
    assert of_floats.to_array().dtype == np.int64


@given(counts, st.data())
def test_rows_are_selected_as_from_an_array(array, data):
    stats = Statistics.from_array(array)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(array), max_size=len(array))))
    start = data.draw(st.integers(-9, 9))
    for selection in (mask, slice(start, None), slice(None, start, 2), np.flatnonzero(mask)):
        assert np.array_equal(stats[selection].to_array(), array[selection])
    assert np.array_equal(stats[0].to_array(), array[0])
    assert [row.to_array().tolist() for row in stats] == array.tolist()


@given(counts)
def test_sums_add_up_over_any_split(array):
    stats = Statistics.from_array(array)
    assert np.array_equal(stats.sum().to_array(), array.sum(axis=0))
    for cut in range(len(array) + 1):
        parts = stats[:cut], stats[cut:]
        assert Statistics.concatenate(parts) == stats
        assert parts[0].sum() + parts[1].sum() == stats.sum()
    assert Statistics.concatenate(row for row in stats) == stats
    assert sum(row for row in stats) == stats.sum()
    assert np.array_equal((stats + stats).to_array(), 2 * array)


@given(counts, st.sampled_from([0, 0.5]))
def test_files_keep_every_row(array, more):
    stats = Statistics.from_array(array)
    stats = replace(stats, ref_len=stats.ref_len + more)
    file = io.BytesIO()
    stats.save(file)
    file.seek(0)
    loaded = Statistics.load(file)
    assert loaded == stats
    assert loaded.ref_len.dtype == stats.ref_len.dtype


def test_files_stand_at_exactly_the_path_given_and_keep_the_signature(tmp_path):
    stats = vecbleu.statistics(["a b"], ["a c"], tokenize="zh", max_order=2)
    stats.save(tmp_path / "run.statistics")
    assert [path.name for path in tmp_path.iterdir()] == ["run.statistics"]
    loaded = Statistics.load(tmp_path / "run.statistics")
    assert loaded == stats
    assert loaded.signature == stats.signature


@pytest.mark.parametrize(
    ("array", "error", "message"),
    [
        (np.zeros((2, 5), int), ValueError, r"2 \+ 2 \* max_order columns, not 5"),
        (np.zeros((2, 2), int), ValueError, "columns, not 2"),
        (np.array(3), ValueError, "columns, not 0"),
        (np.array([["1"] * 4]), TypeError, "expected numbers"),
        ([[1, 1, -1, 1]], ValueError, r"matches\[0, 0\] is -1, expected a count"),
        ([[1.0, 1, 0.5, 1]], ValueError, r"matches\[0, 0\] is 0.5, expected a whole number"),
        ([[1.0, float("nan"), 1, 1]], ValueError, r"ref_len\[0\] is nan"),
        ([[float("inf"), 1, 1, 1]], ValueError, r"hyp_len\[0\] is inf"),
        ([[5, 5, 6, 5]], ValueError, r"matches\[0, 0\] is 6, which is more than its total"),
        (np.ma.masked_equal([[5, 5, 1, 5]], 1), TypeError, "masked array"),
    ],
)
def test_arrays_that_hold_no_statistics_are_refused(array, error, message):
    with pytest.raises(error, match=message):
        Statistics.from_array(array)
    if "whole" not in message:
        with pytest.raises(error, match=message):
            vecbleu.bleu(array)


TWO, FOUR = (vecbleu.statistics(["a"], ["a"], max_order=order) for order in (2, 4))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Statistics.concatenate([TWO, FOUR]), ValueError, r"parts\[1\] has max_order 4"),
        (lambda: Statistics.concatenate([]), ValueError, "no statistics to concatenate"),
        (lambda: Statistics.concatenate([TWO, 1]), TypeError, r"parts\[1\] is int, expected Stat"),
        (lambda: TWO + FOUR, ValueError, r"\(1, 2\) and \(1, 4\)"),
        (lambda: TWO + 1, TypeError, "unsupported operand"),
        (lambda: len(TWO.sum()), TypeError, "single row and have no length"),
        (lambda: replace(TWO, totals=FOUR.totals), ValueError, "shapes do not fit"),
        (lambda: replace(TWO, hyp_len=[1]), TypeError, "hyp_len is list, expected an array"),
        (lambda: replace(TWO, signature=None), TypeError, "signature is NoneType, expected a Sig"),
        (lambda: replace(TWO, signature=FOUR.signature), ValueError, "signature has max_order 4"),
        (lambda: vecbleu.Signature(references="1"), TypeError, "references is '1', expected int"),
        (lambda: hash(TWO), TypeError, "unhashable"),
    ],
)
def test_tables_that_do_not_fit_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_equality_and_repr():
    stats = vecbleu.statistics(["a b", "c"], ["a", "c"])
    assert stats == vecbleu.statistics(["a b", "c"], ["a", "c"])
    assert stats != stats[:1]
    assert stats != "statistics"
    assert repr(stats) == "Statistics(segments=2, max_order=4, hyp_len=3, ref_len=2)"
    assert repr(stats.sum()) == "Statistics(segments=summed, max_order=4, hyp_len=3, ref_len=2)"


@pytest.mark.parametrize(
    ("signature", "is_equal"),
    [
        ({}, True),
        ({"tokenize": "13a", "references": 1}, True),
        ({"tokenize": "13a", "lowercase": True}, False),
        ({"tokenize": "none"}, False),
        ({"lowercase": False, "ref_length": "shortest"}, False),
    ],
)
def test_equal_counts_differ_where_signatures_contradict_each_other(signature, is_equal):
    one = vecbleu.statistics(["a b"], ["a b"])
    other = replace(one, signature=vecbleu.Signature(**signature))
    assert (one == other) is (other == one) is is_equal
    assert (one != other) is not is_equal
    references = [replace(one, signature=vecbleu.Signature(references=n)) for n in (1, 2)]
    assert references[0] != references[1]


def test_signatures_say_how_text_was_counted(tmp_path):
    path, asked = tmp_path / "text", {"tokenize": "char", "lowercase": True, "max_order": 2}
    path.write_text("a b\n")
    of_files = vecbleu.file_statistics(path, [path] * 2, **asked)
    assert of_files.signature.to_dict() == asked | {"ref_length": "closest", "references": 2}
    of_strings = vecbleu.statistics(["a"], ["a"], tokenize=str.split, ref_length="average")
    assert of_strings.signature == vecbleu.Signature(None, False, 4, "average")
    of_tokens = vecbleu.statistics([["a"]], [["a"]])
    assert of_tokens.signature == vecbleu.Signature(max_order=4, ref_length="closest")
    assert Statistics.from_array([[1, 1, 1, 1]]).signature == vecbleu.Signature()


def test_tables_counted_in_different_ways_do_not_join():
    one = vecbleu.statistics(["a b"], ["a b"])
    assert {one[0].signature, one.sum().signature, (one + one).signature} == {one.signature}
    assert Statistics.concatenate([one, one]).signature == one.signature
    for option, message in {
        ("tokenize", "none"): "has tokenize 'none' but .* has '13a'",
        ("lowercase", True): "has lowercase True but .* has False",
        ("ref_length", "longest"): "has ref_length 'longest' but .* has 'closest'",
    }.items():
        other = vecbleu.statistics(["a b"], ["a b"], **dict([option]))
        with pytest.raises(ValueError, match=rf"parts\[1\] {message}"):
            Statistics.concatenate([one, other])
        with pytest.raises(ValueError, match=f"the right side {message}"):
            one + other
        # What nobody knows fits, and does not wash out what is known.
        unknown = Statistics.from_array(other.to_array())
        assert Statistics.concatenate([unknown, one]).signature == one.signature
        with pytest.raises(ValueError, match=message):
            (unknown + one) + other


ROWS = np.array([[2, 2, 2, 1, 2, 1]])
SIGNATURE = {"tokenize": "13a", "lowercase": False, "max_order": 2, "references": 3}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize(
    ("members", "signature"),
    [
        ({"format": np.int64(1)}, {}),
        ({"format": np.int64(2), "signature": np.array(json.dumps(SIGNATURE))}, SIGNATURE),
    ],
)
@pytest.mark.parametrize("rows", [ROWS, ROWS[0], ROWS + 0.5 * (np.arange(6) == 1)])
def test_files_of_both_formats_load(tmp_path, save, members, signature, rows):
    save(tmp_path / "kept.npz", statistics=rows, **members)
    loaded = Statistics.load(tmp_path / "kept.npz")
    assert loaded.to_array().tolist() == rows.tolist()
    assert loaded.signature == vecbleu.Signature(**signature)


@pytest.mark.parametrize(
    ("version", "signature", "message"),
    [
        (None, "{}", "not a file of statistics"),
        (99, "{}", "format 99, .* reads up to 2"),
        *((version, "{}", r"not a file .*: its format is") for version in (0, -1, 2.9, "2", [2])),
        (2, None, "damaged statistics: the signature is missing"),
        (2, '{"color": 1}', "damaged statistics: .*color"),
        *((2, signature, "damaged statistics") for signature in ("[1]", "{", "[" * 100_000)),
        (2, '{"tokenize": ["13a"]}', r"tokenize is \['13a'\], expected str or None"),
        (2, '{"lowercase": "maybe"}', "lowercase is 'maybe', expected bool or None"),
        (2, '{"max_order": 9}', "signature has max_order 9 but matches has 2 orders"),
    ],
)
def test_damaged_files_are_refused(tmp_path, version, signature, message):
    members = {"format": version, "signature": signature}
    known = {name: value for name, value in members.items() if value is not None}
    np.savez(tmp_path / "bad.npz", statistics=ROWS, **known)
    with pytest.raises(ValueError, match=rf"bad\.npz: .*{message}"):
        Statistics.load(tmp_path / "bad.npz")


def test_files_of_something_else_are_refused(tmp_path):
    (tmp_path / "text").write_text("no archive")
    np.savez(tmp_path / "values", values=ROWS)
    np.savez(tmp_path / "cube", statistics=ROWS[None], format=2, signature="{}")
    for name, error, message in (
        ("text", ValueError, "text: not a file of statistics"),
        ("values.npz", ValueError, r"values\.npz: not a file of statistics"),
        ("cube.npz", ValueError, "damaged statistics: they have 3 dimensions"),
        ("missing.npz", FileNotFoundError, r"missing\.npz"),
    ):
        with pytest.raises(error, match=message):
            Statistics.load(tmp_path / name)

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import token_corpora

import vecbleu
from vecbleu import Statistics


def _possible(rows):
    """Totals at least as large as the matches."""
    array = np.array(rows, np.int64)
    array[:, 5:] += array[:, 2:5]
    return array


counts = st.lists(
    st.lists(st.integers(0, 2**40), min_size=8, max_size=8), min_size=1, max_size=7
).map(_possible)


@given(counts)
def test_array_and_columns(array):
    stats = Statistics.from_array(array)
    assert np.array_equal(stats.to_array(), array)
    assert stats.to_array().dtype == np.int64
    assert stats.max_order == 3
    assert np.array_equal(stats.hyp_len, array[:, 0])
    assert np.array_equal(stats.ref_len, array[:, 1])
    assert np.array_equal(stats.matches, array[:, 2:5])
    assert np.array_equal(stats.totals, array[:, 5:])


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
    assert np.array_equal((stats + stats).to_array(), 2 * array)


@given(counts, st.booleans())
def test_files_keep_every_row(array, averaged):
    stats = Statistics.from_array(array)
    if averaged:
        stats = Statistics(stats.hyp_len, stats.ref_len + 0.5, stats.matches, stats.totals)
    file = io.BytesIO()
    stats.save(file)
    file.seek(0)
    loaded = Statistics.load(file)
    assert loaded == stats
    assert loaded.ref_len.dtype == stats.ref_len.dtype


def test_files_stand_at_exactly_the_path_given(tmp_path):
    stats = vecbleu.statistics(["a b"], ["a c"])
    stats.save(tmp_path / "run.statistics")
    assert [path.name for path in tmp_path.iterdir()] == ["run.statistics"]
    assert Statistics.load(tmp_path / "run.statistics") == stats


def test_files_of_something_else_are_refused(tmp_path):
    (tmp_path / "text").write_text("no archive")
    with pytest.raises(ValueError, match="text: not a file of statistics"):
        Statistics.load(tmp_path / "text")
    np.savez(tmp_path / "other.npz", values=np.arange(3))
    with pytest.raises(ValueError, match=r"other\.npz: not a file of statistics"):
        Statistics.load(tmp_path / "other.npz")
    np.savez(tmp_path / "newer.npz", format=np.int64(99), statistics=np.zeros((1, 4), np.int64))
    with pytest.raises(ValueError, match=r"newer\.npz: format 99, .* reads up to 2"):
        Statistics.load(tmp_path / "newer.npz")
    with pytest.raises(FileNotFoundError):
        Statistics.load(tmp_path / "missing.npz")


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


def test_tables_that_do_not_fit_are_refused():
    two, four = vecbleu.statistics(["a"], ["a"], max_order=2), vecbleu.statistics(["a"], ["a"])
    with pytest.raises(ValueError, match=r"parts\[1\] has max_order 4 but parts\[0\] has 2"):
        Statistics.concatenate([two, four])
    with pytest.raises(ValueError, match="no statistics to concatenate"):
        Statistics.concatenate([])
    with pytest.raises(ValueError, match=r"\(1, 2\) and \(1, 4\)"):
        two + four
    with pytest.raises(ValueError, match="shapes do not fit"):
        Statistics(two.hyp_len, two.ref_len, two.matches, four.totals)
    with pytest.raises(TypeError):
        len(two.sum())
    with pytest.raises(TypeError, match=r"parts\[1\] is int, expected Statistics"):
        Statistics.concatenate([two, 1])
    with pytest.raises(TypeError, match="hyp_len is list, expected an array"):
        Statistics([1], [1], [[1]], [[1]])
    with pytest.raises(TypeError):
        two + 1


@given(counts)
def test_single_rows_concatenate_and_add_up_by_the_builtin(array):
    stats = Statistics.from_array(array)
    assert Statistics.concatenate(row for row in stats) == stats
    assert sum(row for row in stats) == stats.sum()


def test_integers_held_by_floats_become_integers():
    stats = Statistics.from_array(np.array([[2.0, 3.0, 1.0, 2.0]]))
    assert stats.to_array().dtype == np.int64


def test_equality_and_repr():
    stats = vecbleu.statistics(["a b", "c"], ["a", "c"])
    assert stats == vecbleu.statistics(["a b", "c"], ["a", "c"])
    assert stats != stats[:1]
    assert stats != "statistics"
    assert repr(stats) == "Statistics(segments=2, max_order=4, hyp_len=3, ref_len=2)"
    assert repr(stats.sum()) == "Statistics(segments=summed, max_order=4, hyp_len=3, ref_len=2)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(stats)


@given(token_corpora(), token_corpora())
def test_statistics_of_a_then_b_are_those_of_both(a, b):
    joined = vecbleu.statistics(a[0] + b[0], a[1] + b[1])
    assert joined == Statistics.concatenate([vecbleu.statistics(*a), vecbleu.statistics(*b)])


def test_signatures_say_how_text_was_counted(tmp_path):
    for name in ("h", "r"):
        (tmp_path / name).write_text("a b\n")
    of_files = vecbleu.file_statistics(
        tmp_path / "h", [tmp_path / "r"] * 2, tokenize="char", lowercase=True, max_order=2
    )
    known = {"tokenize": "char", "lowercase": True, "max_order": 2, "ref_length": "closest"}
    assert of_files.signature.to_dict() == known | {"references": 2}
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


def test_saved_statistics_keep_their_signature(tmp_path):
    stats = vecbleu.statistics(["a b"], ["a b"], tokenize="zh", max_order=2)
    stats.save(tmp_path / "kept.npz")
    loaded = Statistics.load(tmp_path / "kept.npz")
    assert loaded == stats
    assert loaded.signature == stats.signature


def test_files_of_the_first_format_still_load(tmp_path):
    array = np.array([[2, 2, 2, 1, 2, 1]])
    np.savez_compressed(tmp_path / "old.npz", format=np.int64(1), statistics=array)
    loaded = Statistics.load(tmp_path / "old.npz")
    assert np.array_equal(loaded.to_array(), array)
    assert loaded.signature == vecbleu.Signature()


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ('{"color": 1}', "damaged statistics: .*color"),
        ("[1]", "damaged statistics"),
        ("{", "damaged statistics"),
        ("[" * 100_000, "damaged statistics"),
        ('{"tokenize": ["13a"]}', r"tokenize is \['13a'\], expected str or None"),
        ('{"lowercase": "maybe"}', "lowercase is 'maybe', expected bool or None"),
        ('{"max_order": 9}', "signature has max_order 9 but matches has 2 orders"),
    ],
)
def test_a_damaged_signature_is_an_error(tmp_path, signature, message):
    members = {"format": np.int64(2), "statistics": np.array([[2, 2, 2, 1, 2, 1]])}
    np.savez(tmp_path / "bad.npz", **members, signature=np.array(signature))
    with pytest.raises(ValueError, match=rf"bad\.npz: .*{message}"):
        Statistics.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("version", [0, -1, 2.9, "2", [2]])
def test_a_format_is_a_number_from_1_on(tmp_path, version):
    array = np.array([[2, 2, 2, 1, 2, 1]])
    np.savez(tmp_path / "bad.npz", format=version, statistics=array, signature=np.array("{}"))
    with pytest.raises(ValueError, match=r"bad\.npz: not a file of statistics \(its format is"):
        Statistics.load(tmp_path / "bad.npz")


def test_the_second_format_has_a_signature_and_rows(tmp_path):
    np.savez(tmp_path / "bad.npz", format=2, statistics=np.array([[2, 2, 2, 1, 2, 1]]))
    with pytest.raises(ValueError, match="damaged statistics: the signature is missing"):
        Statistics.load(tmp_path / "bad.npz")
    deep, text = np.array([[[2, 2, 2, 1, 2, 1]]]), np.array("{}")
    np.savez(tmp_path / "bad.npz", format=2, statistics=deep, signature=text)
    with pytest.raises(ValueError, match="damaged statistics: they have 3 dimensions"):
        Statistics.load(tmp_path / "bad.npz")


def test_a_signature_is_one():
    stats = vecbleu.statistics(["a"], ["a"])
    columns = stats.hyp_len, stats.ref_len, stats.matches, stats.totals
    with pytest.raises(TypeError, match="signature is NoneType, expected a Signature"):
        Statistics(*columns, None)
    with pytest.raises(ValueError, match="signature has max_order 2 but matches has 4 orders"):
        Statistics(*columns, vecbleu.Signature(max_order=2))
    with pytest.raises(TypeError, match="references is '1', expected int or None"):
        vecbleu.Signature(references="1")

"""What is no column of text or ids is refused, by name."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from column_doors import DOORS, pa, pandas

import vecbleu


@pytest.mark.parametrize("door", DOORS)
def test_missing_rows_are_errors(door):
    made = DOORS[door]
    full = ["a", "b", "c"]
    for hypotheses in (made(["a", None, "c"]), pa.array(["a", None, "c"])):
        with pytest.raises(ValueError, match=r"hypotheses\[1\] is null; a hypothesis can't be"):
            vecbleu.statistics(hypotheses, full)
        with pytest.raises(ValueError, match=r"hypotheses\[1\] is null; a hypothesis can't be"):
            vecbleu.statistics(hypotheses, made(full))
    for hypotheses in (full, made(full)):
        with pytest.raises(ValueError, match=r"references\[2\] is null: segment 2 has 0 ref"):
            vecbleu.statistics(hypotheses, made(["a", "b", None]))
        for lists in ([["a"], [], ["b"]], [["a"], [None], ["b"]]):
            with pytest.raises(ValueError, match=r"references\[1\] is empty: segment 1 has 0 ref"):
                vecbleu.statistics(hypotheses, made(lists))


def test_nulls_among_ids_and_tokens():
    ids = pa.array([[1], [1]])
    nulls = pa.array([[[1], [2]], [[3], [None]]])
    for hypotheses in (ids, np.array([[1], [1]]), [[1], [1]]):
        with pytest.raises(ValueError, match=r"references\[1\], reference 1 has a null"):
            vecbleu.statistics(hypotheses, nulls)
        with pytest.raises(ValueError, match=r"references\[0\] has a null among its ids"):
            vecbleu.statistics(hypotheses, pa.array([[1, None], [2]]))
    missing = pa.array([[None, [1]], [[2, 1]]])
    expected = vecbleu.statistics([[1], [1]], [[[1]], [[2, 1]]])
    for hypotheses in (ids, np.array([[1], [1]]), [[1], [1]]):
        assert vecbleu.statistics(hypotheses, missing) == expected
    tokens = pa.array([["a"], ["b"]])
    for hypotheses in (tokens, [["a"], ["b"]]):
        found = vecbleu.statistics(hypotheses, pa.array([[["a"], None], [["b"]]]))
        assert found == vecbleu.statistics([["a"], ["b"]], [[["a"]], [["b"]]])
        for wrong in ([["a"], ["b", None]], [[["a"]], [["b", None]]]):
            with pytest.raises(ValueError, match=r"references\[1\] has a null among its tokens"):
                vecbleu.statistics(hypotheses, pa.array(wrong))
    with pytest.raises(ValueError, match=r"hypotheses\[1\] has a null among its tokens"):
        vecbleu.statistics(pa.array([["a"], [None, "b"]]), tokens)


def test_tables_and_structs_are_no_references(monkeypatch):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"reference": ["a b", "a b"]}
    struct = [{"en": "a b"}, {"en": "a b"}]
    data = pytest.importorskip("datasets").Dataset.from_dict({"struct": struct})
    frames = [pd.DataFrame(columns), pl.DataFrame(columns)]
    for wrong in (pa.table(columns), pa.array(struct), pl.Series(struct), data["struct"], *frames):
        for hypotheses in (["a b"] * 2, pa.array(["a b"] * 2)):
            with pytest.raises(TypeError, match=r"references is a table .* pass one of its"):
                vecbleu.statistics(hypotheses, wrong)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for wrong in frames:
        for sides in ((wrong, ["a", "b"]), (["a", "b"], wrong), (wrong, wrong)):
            with pytest.raises(TypeError, match=r"is a table \(DataFrame\); pass one of"):
                vecbleu.statistics(*sides)
    with pytest.raises(TypeError, match=r"references\[0\] is dict"):
        vecbleu.statistics(["a b"] * 2, pl.Series(struct))


@pytest.mark.parametrize(
    ("column", "found"),
    [
        (pa.array([1, 2]), r"references\[0\] is int 1"),
        (pa.array([1.5, 2]), r"references\[0\] is float 1.5"),
        (pa.array([b"a", b"b"]), r"references\[0\] is bytes b'a'"),
        (pandas(dtype=object)(["a", 3]), r"references\[1\] is int 3"),
    ],
)
def test_references_that_are_no_text(column, found):
    for hypotheses in (["a", "b"], pa.array(["a", "b"])):
        with pytest.raises(TypeError, match=f"{found}; hypotheses holds strings, expected"):
            vecbleu.statistics(hypotheses, column)


def test_tensors_are_no_rows():
    if not hasattr(pa, "fixed_shape_tensor"):
        pytest.skip("needs an Arrow that has tensors")
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(np.array([[[1, 2], [3, 4]]]))
    with pytest.raises(TypeError, match="references is a column of tensors"):
        vecbleu.statistics(np.array([[1, 2]]), tensors)


def test_what_is_no_column_of_strings():
    table = pa.table({"a": ["x"]})
    for wrong in (table, table.to_batches()[0], pytest.importorskip("polars").DataFrame(table)):
        with pytest.raises(TypeError, match=r"hypotheses is a table .* pass one of its columns"):
            vecbleu.statistics(wrong, pa.array(["a"]))
    with pytest.raises(TypeError, match=r"hypotheses\[0\] is int 3, expected a sequence"):
        vecbleu.statistics(pa.array([3]), pa.array(["a"]))
    with pytest.raises(ValueError, match="hypotheses has 1 segments but references has 2"):
        vecbleu.statistics(pa.array(["a"]), pa.array(["a", "b"]))
    mixed = pandas(dtype=object)(["a", 3])
    with pytest.raises(TypeError, match=r"hypotheses\[1\] is int 3 but hypotheses\[0\] is a str"):
        vecbleu.statistics(mixed, mixed)
    surrogate = pandas(dtype=object)(["a\ud800"])
    assert vecbleu.statistics(surrogate, surrogate).matches[0, 0] == 1


def test_bytes_that_are_no_text_are_refused():
    ends = pa.array([0, 1, 2, 4], pa.int32()).buffers()[1]
    bad = pa.Array.from_buffers(pa.string(), 3, [None, ends, pa.py_buffer(b"ab\xc3(")])
    with pytest.raises(ValueError, match=r"hypotheses\[2\] is not UTF-8: invalid continuation"):
        vecbleu.statistics(bad, pa.array(["a", "b", "c"]))
    with pytest.raises(ValueError, match=r"references\[2\], reference 0 is not UTF-8"):
        vecbleu.statistics(pa.array(["a", "b", "c"]), bad)
    with pytest.raises(ValueError, match=r"hypotheses\[2\] is not UTF-8: invalid continuation"):
        vecbleu.statistics(bad, ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"references\[2\] is not UTF-8: invalid continuation"):
        vecbleu.statistics(["a", "b", "c"], bad)


def test_errors_of_a_tokenizer_name_the_segment(monkeypatch):
    def fails(string):
        return "wrong" if string == "bad" else string.split()

    with pytest.raises(TypeError, match=r"hypotheses\[1\]: tokenize returned str"):
        vecbleu.statistics(pa.array(["a", "bad"]), pa.array(["a", "b"]), tokenize=fails)
    lists = pa.array([["a"], ["b", "bad"]])
    with pytest.raises(TypeError, match=r"references\[1\], reference 1: tokenize returned str"):
        vecbleu.statistics(pa.array(["a", "b"]), lists, tokenize=fails)
    monkeypatch.setattr(vecbleu.corpus, "_BLOCK_SIZES", {"text": 9, "tokens": 9, "ids": 9})
    good = ["a b c"] * 9
    for place in (0, 8):
        wrong = [*good[:place], "bad", *good[place + 1 :]]
        with pytest.raises(TypeError, match=rf"hypotheses\[{place}\]: tokenize returned str"):
            vecbleu.statistics(pa.array(wrong), pa.array(good), tokenize=fails)
        with pytest.raises(TypeError, match=rf"references\[{place}\], reference 0: tokenize ret"):
            vecbleu.statistics(pa.array(good), pa.array(wrong), tokenize=fails)


def test_rows_that_are_columns_lack_nothing():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    full = [np.array([1, 2])]
    for row in (
        pa.array([1, None]),
        pa.array(["a", None]),
        pl.Series([1, None]),
        pd.Series([1, None], dtype="Int64"),
        pd.array([1, None], dtype="Int64"),
    ):
        with pytest.raises(ValueError, match=r"hypotheses\[0\]\[1\] is null"):
            vecbleu.statistics([row], full)
        with pytest.raises(ValueError, match=r"references\[0\]\[1\] is null"):
            vecbleu.statistics(full, [row])
    with pytest.raises(ValueError, match=r"hypotheses\[1\] is null"):
        vecbleu.statistics(pd.Index(["a", None]), ["a", "b"])
    rows = [pa.array([1, 2]), pl.Series([1, 3]), pd.Series([2, 2])]
    expected = vecbleu.statistics([[1, 2], [1, 3], [2, 2]], [[1, 2], [1, 3], [2, 2]])
    assert vecbleu.statistics(rows, rows) == expected


def test_segments_of_tokens_without_references():
    column = pa.array([[["a"]], [None]], pa.list_(pa.list_(pa.string())))
    for hypotheses in ([["a"], ["b"]], pa.array([["a"], ["b"]])):
        with pytest.raises(ValueError, match=r"references\[1\] is empty: segment 1 has 0 refer"):
            vecbleu.statistics(hypotheses, column)

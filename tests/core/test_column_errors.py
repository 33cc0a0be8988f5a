"""What is no column of text or ids is refused, by name."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from corpora import COLUMNS, pandas

import vecbleu

pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize("made", COLUMNS.values(), ids=COLUMNS)
def test_missing_rows_are_errors(made):
    full = ["a", "b", "c"]
    for hypotheses in (made(["a", None, "c"]), pa.array(["a", None, "c"])):
        for references in (full, made(full)):
            with pytest.raises(ValueError, match=r"hypotheses\[1\] is null; a hypothesis can't"):
                vecbleu.statistics(hypotheses, references)
    for hypotheses in (full, made(full)):
        with pytest.raises(ValueError, match=r"references\[2\] is null: segment 2 has 0 ref"):
            vecbleu.statistics(hypotheses, made(["a", "b", None]))
        for lists in ([["a"], [], ["b"]], [["a"], [None], ["b"]]):
            with pytest.raises(ValueError, match=r"references\[1\] is empty: segment 1 has 0 ref"):
                vecbleu.statistics(hypotheses, made(lists))


STRINGS, TOKENS, IDS = ["a", "b"], [["a"], ["b"]], [[1], [1]]
OBJECTS = pandas(dtype=object)
TABLE = pa.table({"a": ["x"]})
NOT_UTF8 = pa.Array.from_buffers(
    pa.string(), 2, [None, pa.array([0, 1, 3], pa.int32()).buffers()[1], pa.py_buffer(b"a\xc3(")]
)
TOKEN_LISTS = pa.list_(pa.list_(pa.string()))
IS_TABLE = "is a table .* pass one of its columns"
IS_TEXT = "; hypotheses holds strings, expected"


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        (IDS, pa.array([[[1], [2]], [[3], [None]]]), ValueError, r"\[1\], reference 1 has a null"),
        (IDS, pa.array([[1, None], [2]]), ValueError, r"references\[0\] has a null among its ids"),
        (TOKENS, pa.array([["a"], ["b", None]]), ValueError, r"references\[1\] has a null among"),
        (TOKENS, pa.array([[["a"]], [["b", None]]]), ValueError, r"references\[1\] has a null am"),
        (
            pa.array([["a"], [None, "b"]]),
            TOKENS,
            ValueError,
            r"hypotheses\[1\] has a null",
        ),
        (
            TOKENS,
            pa.array([[["a"]], [None]], TOKEN_LISTS),
            ValueError,
            "segment 1 has 0 references",
        ),
        (STRINGS, pa.array([1, 2]), TypeError, rf"references\[0\] is int 1{IS_TEXT}"),
        (STRINGS, pa.array([1.5, 2]), TypeError, rf"references\[0\] is float 1.5{IS_TEXT}"),
        (STRINGS, pa.array([b"a", b"b"]), TypeError, rf"references\[0\] is bytes b'a'{IS_TEXT}"),
        (STRINGS, OBJECTS(["a", 3]), TypeError, rf"references\[1\] is int 3{IS_TEXT}"),
        (OBJECTS(["a", 3]), STRINGS, TypeError, r"\[1\] is int 3 but hypotheses\[0\] is a str"),
        (pa.array([3]), ["a"], TypeError, r"hypotheses\[0\] is int 3, expected a sequence"),
        (pa.array(["a"]), STRINGS, ValueError, "hypotheses has 1 segments but references has 2"),
        (TABLE, ["a"], TypeError, f"hypotheses {IS_TABLE}"),
        (TABLE.to_batches()[0], ["a"], TypeError, f"hypotheses {IS_TABLE}"),
        (STRINGS, TABLE, TypeError, f"references {IS_TABLE}"),
        (STRINGS, pa.array([{"en": "a"}] * 2), TypeError, f"references {IS_TABLE}"),
        (NOT_UTF8, STRINGS, ValueError, r"hypotheses\[1\] is not UTF-8: invalid continuation"),
        (STRINGS, NOT_UTF8, ValueError, r"references\[1\](, reference 0)? is not UTF-8"),
    ],
)
def test_what_is_no_column_of_text_or_ids(hypotheses, references, error, message):
    for sides in product(*map(forms, (hypotheses, references))):
        with pytest.raises(error, match=message):
            vecbleu.statistics(*sides)


def forms(side):
    """A list of segments, and the column and array of them."""
    if not isinstance(side, list):
        return [side]
    return [side, pa.array(side), *([np.array(side)] if side is IDS else [])]


def test_tables_and_structs_are_no_references(monkeypatch):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns, struct = {"reference": ["a b", "a b"]}, [{"en": "a b"}, {"en": "a b"}]
    data = pytest.importorskip("datasets").Dataset.from_dict({"struct": struct})
    frames = [pd.DataFrame(columns), pl.DataFrame(columns)]
    for wrong in (pl.Series(struct), data["struct"], *frames):
        for hypotheses in forms(STRINGS):
            with pytest.raises(TypeError, match=f"references {IS_TABLE}"):
                vecbleu.statistics(hypotheses, wrong)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for wrong in frames:
        for sides in ((wrong, STRINGS), (STRINGS, wrong), (wrong, wrong)):
            with pytest.raises(TypeError, match=r"is a table \(DataFrame\); pass one of"):
                vecbleu.statistics(*sides)
    with pytest.raises(TypeError, match=r"references\[0\] is dict"):
        vecbleu.statistics(STRINGS, pl.Series(struct))


def test_tensors_are_no_rows():
    if not hasattr(pa, "fixed_shape_tensor"):
        pytest.skip("needs an Arrow that has tensors")
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(np.array([[[1, 2], [3, 4]]]))
    with pytest.raises(TypeError, match="references is a column of tensors"):
        vecbleu.statistics(np.array([[1, 2]]), tensors)


@pytest.mark.parametrize("place", [0, 1, 8])
def test_errors_of_a_tokenizer_name_the_segment(blocks_of, place):
    strings, lists = ["a b c"] * 9, [["a", "b"] for _ in range(9)]
    wrong = [*strings[:place], "bad", *strings[place + 1 :]]
    lists[place][1] = "bad"
    for sides, name in (
        ((wrong, strings), rf"hypotheses\[{place}\]"),
        ((strings, wrong), rf"references\[{place}\], reference 0"),
        ((strings, lists), rf"references\[{place}\], reference 1"),
    ):
        with blocks_of(9), pytest.raises(TypeError, match=f"{name}: tokenize returned str"):
            vecbleu.statistics(*map(pa.array, sides), tokenize=lambda s: s if s == "bad" else [s])


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
        vecbleu.statistics(pd.Index(["a", None]), STRINGS)
    rows, lists = [pa.array([1, 2]), pl.Series([1, 3]), pd.Series([2, 2])], [[1, 2], [1, 3], [2, 2]]
    assert vecbleu.statistics(rows, rows) == vecbleu.statistics(lists, lists)


def test_surrogates_of_objects_are_text():
    surrogate = OBJECTS(["a\ud800"])
    assert vecbleu.statistics(surrogate, surrogate).matches[0, 0] == 1

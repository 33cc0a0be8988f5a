"""Columns of other libraries: the same numbers as lists, and what is no column is refused."""

from __future__ import annotations

import sys
from itertools import product

import corpora
import numpy as np
import pytest
from corpora import HYPOTHESES, LISTS, REFERENCES, arrow, arrow_of, pandas, polars
from hypothesis import given
from hypothesis import strategies as st
from processes import output_of
from strategies import ugly_text

import vecbleu
import vecbleu.sacrebleu

pa = pytest.importorskip("pyarrow")

# Arrow's strings are UTF-8, which has no surrogates.
text = ugly_text.map(lambda s: s.encode("utf-8", "replace").decode())
segments = st.tuples(text, st.lists(text, min_size=1, max_size=4))
OPTIONS = [{}, {"tokenize": "char"}, {"tokenize": str.split, "max_order": 2}, {"lowercase": True}]


def assert_same(sides, columns, **options):
    """Columns count as the lists of their rows do, on either side and on both."""
    expected = vecbleu.statistics(*sides, **options)
    for mixed in product(*zip(sides, columns, strict=True)):
        assert vecbleu.statistics(*mixed, **options) == expected


@pytest.mark.parametrize("made", corpora.STRING_COLUMNS.values(), ids=corpora.STRING_COLUMNS)
@pytest.mark.parametrize("options", OPTIONS)
def test_strings(made, options):
    assert_same((HYPOTHESES, REFERENCES), (made(HYPOTHESES), made(REFERENCES)), **options)


@pytest.mark.parametrize("name", corpora.LIST_COLUMNS)
@pytest.mark.parametrize("options", OPTIONS)
def test_lists_of_references(name, options):
    columns = corpora.STRING_COLUMNS.get(name, arrow)(HYPOTHESES), corpora.LIST_COLUMNS[name](LISTS)
    assert_same((HYPOTHESES, LISTS), columns, **options)


@given(st.lists(segments, min_size=1, max_size=20), st.data())
def test_pieces_of_ugly_text(rows, data):
    hypotheses, lists = map(list, zip(*rows, strict=True))
    expected = vecbleu.statistics(hypotheses, lists)
    columns = []
    for values, kind in ((hypotheses, pa.string()), (lists, pa.list_(pa.large_string()))):
        whole = pa.array(values, kind)
        cuts = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=4)))
        pairs = zip([0, *cuts], [*cuts, len(values)], strict=True)
        columns.append(pa.chunked_array([whole[low:high] for low, high in pairs], kind))
    assert vecbleu.statistics(*columns) == expected


TEXT = ["a b", "c", "e"], [["a b", None], [None, "c"], ["d", None, "e"]]
WORDS = [["a", "b"], ["c"]], [[["a", "b"], None], [["c"]]]
SLICE = corpora.COLUMNS["slice"]
VIEWS = arrow_of("list_", "list_", "string_view")
NUMBERS = [[1], [1]], [[None, [1]], [[2, 1]]]


@pytest.mark.parametrize(
    ("made", "sides"), [*product([arrow, SLICE, polars], [TEXT, WORDS, NUMBERS]), (VIEWS, WORDS)]
)
def test_missing_references_are_missing(made, sides):
    hypotheses, lists = sides
    present = [[one for one in some if one is not None] for some in lists]
    expected = vecbleu.statistics(hypotheses, present)
    rows = np.array(hypotheses) if sides is NUMBERS else hypotheses
    for own in (hypotheses, pa.array(hypotheses), rows):
        assert vecbleu.statistics(own, made(lists)) == expected
    assert vecbleu.statistics(pa.array(hypotheses), made(present)) == expected


def test_integers_that_are_no_ids_are_tokens():
    unsigned = arrow([[2**63, 1], [2**63]], pa.list_(pa.uint64()))
    with pytest.raises(ValueError, match="hypotheses holds the id 9223372036854775808"):
        vecbleu.statistics(unsigned, unsigned)
    column = pandas(dtype=object)([[2**70, 1], [3]])
    rows = column.tolist()
    assert_same((rows, rows), (column, column))


def test_nulls_of_numpy_strings():
    for missing in (None, np.nan, pytest.importorskip("pandas").NA):
        strings = np.array(["a", missing], np.dtypes.StringDType(na_object=missing))
        with pytest.raises(ValueError, match=r"hypotheses\[1\] is null"):
            vecbleu.statistics(strings, ["a", "b"])
        lists = np.array([["a", missing], ["c", "d"]], strings.dtype)
        expected = vecbleu.statistics(["a", "c"], [["a"], ["c", "d"]])
        assert vecbleu.statistics(["a", "c"], lists) == expected
    named = np.array(["a", "none"], np.dtypes.StringDType(na_object="none"))
    for references in (named, ["a", "none"]):
        assert vecbleu.statistics(named, references).matches[:, 0].tolist() == [1, 1]
    with pytest.raises(TypeError, match="hypotheses is ndarray; expected a list"):
        vecbleu.statistics(np.array("abc", np.dtypes.StringDType()), ["a", "b", "c"])
    two = np.array([["a", "b"], ["c", "d"]], np.dtypes.StringDType())
    assert_same((["a", "c"], two.tolist()), (np.array(["a", "c"], two.dtype), two))


@pytest.mark.parametrize("kind", [pa.int32(), pa.uint16(), pa.int64()])
def test_ids(kind):
    hypotheses, references = [[1, 2, 3], [], [4, 5]], [[1, 2], [3], [4, 5, 6]]
    lists = [[[1, 2], [2, 3]], [[3]], [[4, 5], []]]
    column = pa.array(hypotheses, pa.list_(kind))
    assert_same((hypotheses, references), (column, pa.array(references, pa.large_list(kind))))
    several = pa.array([*lists, None], pa.list_(pa.list_(kind)))[:3]
    assert_same((hypotheses, lists), (column, several))
    padded = pa.array([[1, 2, 0], [0, 0, 0], [4, 0, 5]], pa.list_(kind, 3))
    assert vecbleu.statistics(padded, padded, ignore_ids=0).hyp_len.tolist() == [2, 0, 2]
    with pytest.raises(ValueError, match=r"hypotheses\[1\] has a null among its ids"):
        vecbleu.statistics(pa.array([[1], [None]], pa.list_(kind)), column[:2])


def test_streams_of_sacrebleu():
    streams = [REFERENCES, [None, *REFERENCES[1:]]]
    metric = vecbleu.sacrebleu.BLEU()
    expected = metric.corpus_score(HYPOTHESES, streams)
    for made in (pa.array, polars, pandas()):
        found = metric.corpus_score(made(HYPOTHESES), [*map(made, streams)])
        assert str(found) == str(expected)
        assert found.score == expected.score


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_dictionaries(kind):
    words = pa.array(["a", "b c", None], kind)
    made = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 2]), words)
    assert_same((["b c", "a"], ["b", "a"]), (made[:2], pa.array(["b", "a"])))
    assert_same((["b", "a"], ["b c", "a"]), (pa.array(["b", "a"]), made[:2]))
    for row in (2, 3):
        column = pa.chunked_array([made[:1], made[row : row + 1]])
        for other in (["b", "a"], pa.array(["b", "a"])):
            with pytest.raises(ValueError, match=r"hypotheses\[1\] is null"):
                vecbleu.statistics(column, other)
            with pytest.raises(ValueError, match=r"references\[1\] is null"):
                vecbleu.statistics(other, column)


def test_dictionaries_of_polars():
    pl = pytest.importorskip("polars")
    lists = pl.Series(LISTS, dtype=pl.List(pl.Categorical))
    assert_same((HYPOTHESES, LISTS), (pl.Series(HYPOTHESES, dtype=pl.Categorical), lists))


def test_datasets_are_read_in_their_own_memory(monkeypatch):
    def fails(*_):
        pytest.fail("rows are read as Python objects")

    made = corpora.COLUMNS["dataset"], corpora.COLUMNS["dataset in another order"]
    columns = made[0](HYPOTHESES), made[1](LISTS)
    for method in ("__getitem__", "__iter__"):
        monkeypatch.setattr(type(columns[0]), method, fails)
    assert vecbleu.statistics(*columns) == vecbleu.statistics(HYPOTHESES, LISTS)


def test_what_a_dataset_shows_is_what_counts():
    def cut(batch):
        return {name: [one[2:] for one in column] for name, column in batch.items()}

    columns = {"h": ["< a b", "< c"], "r": ["< a", "< d c"]}
    made = pytest.importorskip("datasets").Dataset.from_dict(columns)
    shown = made.with_transform(cut)
    assert_same((["a b", "c"], ["a", "d c"]), (shown["h"], shown["r"]))
    streamed = made.to_iterable_dataset()
    expected = vecbleu.statistics(columns["h"], columns["r"])
    assert vecbleu.statistics(streamed["h"], streamed["r"]) == expected


def test_series_of_other_classes():
    class Named(pytest.importorskip("pandas").Series):
        pass

    with pytest.raises(ValueError, match=r"references\[1\] is null: segment 1 has 0 references"):
        vecbleu.statistics(["a", "b"], Named(["a", None], dtype=object))


ROWS = [[1, 2, 0], [3, 0, 0]]


@pytest.mark.parametrize("made", corpora.COLUMNS.values(), ids=corpora.COLUMNS)
def test_ids_against_ids_of_any_kind(made):
    ids, column = np.array(ROWS), made(ROWS)
    assert_same((ids, ids), (column, pa.array(ROWS, pa.list_(pa.int64()))), ignore_ids=0)
    several = [[row, row[::-1]] for row in ROWS]
    arrays = [[*map(np.array, some)] for some in several]
    assert_same((ids, arrays), (column, made(several)), ignore_ids=0)
    assert_same((ids, ids), (ids, column), ignore_ids=0)


def test_views_and_nothing_are_ids():
    if hasattr(pa, "list_view"):
        views = pa.array(ROWS, pa.list_view(pa.int32()))
        assert vecbleu.statistics(views, views, ignore_ids=0).hyp_len.tolist() == [2, 1]
    nothing = pa.array([[], []])
    assert vecbleu.statistics(np.array(ROWS), nothing, ignore_ids=0).ref_len.tolist() == [0, 0]
    with pytest.raises(TypeError, match=r"references\[0\], reference 0: token 0 is str 'a'"):
        vecbleu.statistics(np.array(ROWS), pa.array([["a"], ["b"]]), ignore_ids=0)


def test_without_arrow_columns_are_lists(monkeypatch):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES)
    series = [polars(HYPOTHESES), pandas(dtype=object)(REFERENCES)]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert vecbleu.statistics(*series) == expected
    lists = pandas(dtype=object)([["a b", np.nan], [None, "c"]])
    expected = vecbleu.statistics(["a", "c"], [["a b"], ["c"]])
    assert vecbleu.statistics(["a", "c"], lists) == expected


def test_nothing_is_imported_for_lists():
    code = """
        import sys, vecbleu
        from vecbleu.huggingface import bleu, google_bleu
        for segments in (["a"], [[1]]):
            vecbleu.corpus_bleu(segments, [segments])
        for metric in (bleu, google_bleu):
            metric(predictions=["a"], references=["a"])
        names = "pyarrow pandas polars datasets tqdm evaluate nltk sacrebleu"
        print({*names.split()} & {*sys.modules})
    """
    assert output_of(code) == "set()\n"


@pytest.mark.parametrize("made", corpora.COLUMNS.values(), ids=corpora.COLUMNS)
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
NOT_UTF8 = pa.array([b"a", b"\xc3("]).view(pa.string())
TOKEN_LISTS = pa.list_(pa.list_(pa.string()))
IS_TABLE = "is a table .* pass one of its columns"
IS_TEXT = "; hypotheses holds strings, expected"


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        (IDS, pa.array([[[1], [2]], [[3], [None]]]), ValueError, r"references\[1\] has a null"),
        (IDS, pa.array([[1, None], [2]]), ValueError, r"references\[0\] has a null among its ids"),
        (TOKENS, pa.array([["a"], ["b", None]]), ValueError, r"references\[1\] has a null among"),
        (TOKENS, pa.array([[["a"]], [["b", None]]]), ValueError, r"references\[1\] has a null am"),
        (pa.array([["a"], [None, "b"]]), TOKENS, ValueError, r"hypotheses\[1\] has a null"),
        (TOKENS, pa.array([[["a"]], [None]], TOKEN_LISTS), ValueError, "segment 1 has 0 reference"),
        *(
            (STRINGS, pa.array([one, one]), TypeError, rf"references\[0\] is {said}{IS_TEXT}")
            for one, said in [(1, "int 1"), (1.5, "float 1.5"), (b"a", "bytes b'a'")]
        ),
        (STRINGS, OBJECTS(["a", 3]), TypeError, rf"references\[1\] is int 3{IS_TEXT}"),
        (OBJECTS(["a", 3]), STRINGS, TypeError, r"\[1\] is int 3 but hypotheses\[0\] is a str"),
        (pa.array([3]), ["a"], TypeError, r"hypotheses\[0\] is int 3, expected a sequence"),
        (pa.array(["a"]), STRINGS, ValueError, "hypotheses has 1 segments but references has 2"),
        (TABLE, ["a"], TypeError, f"hypotheses {IS_TABLE}"),
        (TABLE.to_batches()[0], ["a"], TypeError, f"hypotheses {IS_TABLE}"),
        (STRINGS, TABLE, TypeError, f"references {IS_TABLE}"),
        (STRINGS, pa.array([{"en": "a"}] * 2), TypeError, f"references {IS_TABLE}"),
        (NOT_UTF8, STRINGS, ValueError, "hypotheses is not valid: .* string index 1"),
        (STRINGS, NOT_UTF8, ValueError, "references is not valid: .* string index 1"),
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

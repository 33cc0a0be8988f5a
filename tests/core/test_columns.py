"""Columns of other libraries count as the lists of their rows; what is no column is refused."""

from __future__ import annotations

import sys
from itertools import pairwise, product

import corpora
import numpy as np
import pytest
from conftest import ON_ARRAYS, assert_refused, assert_same, blocks_of
from corpora import HYPOTHESES, LISTS, REFERENCES, arrow, arrow_of, pandas, polars
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu

pytestmark = ON_ARRAYS

pa = pytest.importorskip("pyarrow")

OPTIONS = [{}, {"tokenize": "char"}, {"tokenize": str.split, "max_order": 2}, {"lowercase": True}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", corpora.STRING_COLUMNS | corpora.LIST_COLUMNS)
def test_columns_of_strings_and_of_lists_count_as_lists(name, options):
    made = corpora.STRING_COLUMNS.get(name, arrow)
    if name in corpora.STRING_COLUMNS:
        assert_same((HYPOTHESES, REFERENCES), (made(HYPOTHESES), made(REFERENCES)), **options)
    if name in corpora.LIST_COLUMNS:
        columns = made(HYPOTHESES), corpora.LIST_COLUMNS[name](LISTS)
        assert_same((HYPOTHESES, LISTS), columns, **options)


# Arrow's strings are UTF-8, which has no surrogates.
text = ugly_text.map(lambda s: s.encode("utf-8", "replace").decode())
segments = st.tuples(text, st.lists(text, min_size=1, max_size=4))
LAYOUTS = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]


@given(st.lists(segments, min_size=1, max_size=20), st.lists(st.integers(0, 20), max_size=4))
@example([("a", ["b"]), ("b", ["b"])], [1])
def test_chunks_of_ugly_text_count_as_lists(rows, cuts):
    """Each chunk is a slice of an array of its own, and so has a dictionary of its own."""
    places = sorted(min(cut, len(rows)) for cut in cuts)
    edges = pairwise([0, *places, len(rows)])
    padded = [[(str(a), [str(a)]), *rows[a:b], (str(b), [str(b)])] for a, b in edges]
    expected = vecbleu.statistics(*map(list, zip(*rows, strict=True)))
    for layout in LAYOUTS:
        columns = []
        for side, kind in enumerate((layout, pa.list_(layout))):
            arrays = [pa.array([row[side] for row in chunk], kind) for chunk in padded]
            columns.append(pa.chunked_array([one[1:-1] for one in arrays]))
        assert vecbleu.statistics(*columns) == expected


TEXT = ["a b", "c", "e"], [["a b", None], [None, "c"], ["d", None, "e"]]
WORDS = [["a", "b"], ["c"]], [[["a", "b"], None], [["c"]]]
VIEWS = arrow_of("list_", "list_", "string_view")
OBJECTS = pandas(dtype=object)
NUMBERS = [[1], [1]], [[None, [1]], [[2, 1]]]


def with_nan(lists):
    """A series of lists, in which pandas calls what is missing not a number."""
    return OBJECTS([[np.nan if one is None else one for one in some] for some in lists])


@pytest.mark.parametrize(
    ("made", "sides"),
    [
        *product([arrow, corpora.COLUMNS["slice"], polars, with_nan], [TEXT, WORDS, NUMBERS]),
        (VIEWS, WORDS),
    ],
)
def test_missing_references_are_missing(made, sides):
    hypotheses, lists = sides
    present = [[one for one in some if one is not None] for some in lists]
    expected = vecbleu.statistics(hypotheses, present)
    rows = np.array(hypotheses) if sides is NUMBERS else hypotheses
    for own in (hypotheses, pa.array(hypotheses), rows):
        assert vecbleu.statistics(own, made(lists)) == expected


@pytest.mark.parametrize("name", corpora.COLUMNS)
def test_missing_rows_are_errors(name):
    made = corpora.COLUMNS[name]
    full, count = ["a", "b", "c"], vecbleu.statistics
    assert_refused(ValueError, "references[1]", vecbleu.nearest, full, made(["a", None, "c"]))
    for hypotheses, references in product(
        (made(["a", None, "c"]), pa.array(["a", None, "c"])), (full, made(full))
    ):
        assert_refused(ValueError, "hypotheses[1] is null", count, hypotheses, references)
    for hypotheses in (full, made(full)):
        assert_refused(ValueError, "references[2]", count, hypotheses, made(["a", "b", None]))
        for lists in ([["a"], [], ["b"]], [["a"], [None], ["b"]]):
            assert_refused(ValueError, "references[1]", count, hypotheses, made(lists))


@pytest.mark.parametrize("missing", [None, np.nan])
def test_nulls_of_numpy_strings_are_missing(missing):
    strings = np.array(["a", missing], np.dtypes.StringDType(na_object=missing))
    assert_refused(ValueError, "hypotheses[1] is null", vecbleu.statistics, strings, ["a", "b"])
    lists = np.array([["a", missing], ["c", "d"]], strings.dtype)
    expected = vecbleu.statistics(["a", "c"], [["a"], ["c", "d"]])
    assert vecbleu.statistics(["a", "c"], lists) == expected


def test_nulls_of_dictionaries_are_missing():
    """In the rows, or in the dictionary."""
    made = pa.DictionaryArray.from_arrays([1, 0, None, 2], ["a", "b c", None])
    assert_same((["b c", "a"], ["b", "a"]), (made[:2], pa.array(["b", "a"])))
    for row in (2, 3):
        column = pa.chunked_array([made[:1], made[row : row + 1]])
        for other in (["b", "a"], pa.array(["b", "a"])):
            assert_refused(ValueError, "hypotheses[1]", vecbleu.statistics, column, other)
            assert_refused(ValueError, "references[1]", vecbleu.statistics, other, column)


def test_what_a_dataset_shows_is_what_counts():
    columns = {"h": ["< a b", "< c"], "r": ["< a", "< d c"]}
    made = pytest.importorskip("datasets").Dataset.from_dict(columns)
    shown = made.with_transform(lambda batch: {n: [s[2:] for s in c] for n, c in batch.items()})
    assert_same((["a b", "c"], ["a", "d c"]), (shown["h"], shown["r"]))
    streamed = made.to_iterable_dataset()
    assert_same((columns["h"], columns["r"]), (streamed["h"], streamed["r"]))


@pytest.mark.parametrize("made", [OBJECTS, polars], ids=["pandas", "Polars"])
def test_without_arrow_columns_are_lists(monkeypatch, made):
    columns = made(HYPOTHESES), made(LISTS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert_same((HYPOTHESES, LISTS), columns)
    lists = made([["a b", None], [None, "c"]])
    assert vecbleu.statistics(["a", "c"], lists) == vecbleu.statistics(["a", "c"], [["a b"], ["c"]])


ROWS = [[1, 2, 0], [3, 0, 0]]
ID_COLUMNS = corpora.COLUMNS | {
    "fixed size": lambda rows: pa.array(rows, pa.list_(pa.int64(), 3)),
    "views": arrow_of("list_view", "int32"),
    "large": arrow_of("large_list", "int64"),
    "small": arrow_of("list_", "uint16"),
}


@pytest.mark.parametrize("name", ID_COLUMNS)
def test_columns_of_ids_count_as_lists(name):
    made, ids = ID_COLUMNS[name], np.array(ROWS)
    assert_same((ROWS, ROWS), (made(ROWS), made(ROWS)))
    assert_same((ids, ids), (made(ROWS), pa.array(ROWS, pa.list_(pa.int64()))), ignore_ids=0)
    if name in corpora.COLUMNS:
        several = [[row, row[::-1]] for row in ROWS]
        arrays = [[*map(np.array, some)] for some in several]
        assert_same((ids, arrays), (made(ROWS), made(several)), ignore_ids=0)


# What is refused.

A, STRINGS, TOKENS = np.array([1, 2]), ["a", "b"], [["a"], ["b"]]
TABLE = pa.table({"a": ["x"]})
NOT_UTF8 = pa.array([b"a", b"\xc3("]).view(pa.string())
UNSIGNED = arrow([[2**63, 1], [2**63]], pa.list_(pa.uint64()))
TOKEN_LISTS = pa.array([[["a"]], [None]], pa.list_(pa.list_(pa.string())))


@pytest.mark.parametrize(
    ("error", "hypotheses", "references", "named"),
    [
        *((TypeError, STRINGS, pa.array([one] * 2), "references[0] is ") for one in (1, 1.5, b"a")),
        (TypeError, STRINGS, OBJECTS(["a", 3]), "references[1] is int 3"),
        (TypeError, TABLE.to_batches()[0], ["a"], "hypotheses is a table"),
        (TypeError, STRINGS, pa.array([{"en": "a"}] * 2), "references is a table"),
        (ValueError, UNSIGNED, UNSIGNED, "hypotheses holds the id 9223372036854775808"),
        (ValueError, TOKENS, TOKEN_LISTS, "references[1]"),
        (ValueError, A[:, None], pa.array([[1], [None]]), "references[1]"),
        (ValueError, A[:, None], pa.array([[[1]], [[None]]]), "references[1]"),
        (ValueError, TOKENS, pa.array([["a"], ["b", None]]), "references[1]"),
        (ValueError, TOKENS, pa.array([[["a"]], [["b", None]]]), "references[1]"),
        (ValueError, pa.array([["a"], [None, "b"]]), TOKENS, "hypotheses[1]"),
        (ValueError, A[:, None], pa.array([[[1], [2]], [[1], [3, None]]]), "references[1]"),
        (ValueError, [pa.array([1, None, None])], [A], "hypotheses[0][1] is null"),
        (ValueError, [pandas(dtype="Int64")([1, None])], [A], "hypotheses[0][1] is null"),
        (ValueError, [A], [pa.array([1, None])], "references[0][1] is null"),
        (ValueError, pa.array(["a"]), STRINGS, "hypotheses has 1 segments"),
        (ValueError, pa.array(STRINGS), pa.array([[], []], pa.list_(pa.string())), "references[0]"),
        (ValueError, NOT_UTF8, STRINGS, "hypotheses is not valid"),
    ],
)
def test_unfit_columns_are_refused(error, hypotheses, references, named):
    assert_refused(error, named, vecbleu.statistics, hypotheses, references)


@pytest.mark.parametrize("place", [0, 1, 8])
def test_errors_of_a_tokenizer_name_the_segment(place):
    strings, lists = ["a b c"] * 9, [["a", "b"] for _ in range(9)]
    wrong = [*strings[:place], "bad", *strings[place + 1 :]]
    lists[place][1] = "bad"
    for made, returned in product((list, pa.array), ("text", [["b"]], [None], 5)):
        options = {"tokenize": lambda s, returned=returned: returned if s == "bad" else [s]}
        for sides, name in (
            ((wrong, strings), f"hypotheses[{place}]"),
            ((strings, lists), f"references[{place}][1]"),
        ):
            with blocks_of(9):
                assert_refused(TypeError, name, vecbleu.statistics, *map(made, sides), **options)

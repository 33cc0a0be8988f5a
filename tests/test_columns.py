"""Columns of other libraries: the same numbers as lists, and no reference made up or lost."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from column_doors import (
    DOORS,
    HYPOTHESES,
    LIST_DOORS,
    LISTS,
    REFERENCES,
    STRING_DOORS,
    dataset,
    dataset_in_another_order,
    in_pieces,
    pa,
    pandas,
    polars,
    sliced,
)
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
import vecbleu.sacrebleu

# Arrow's strings are UTF-8, which has no surrogates.
text = ugly_text.map(lambda s: s.encode("utf-8", "replace").decode())
OPTIONS = [{}, {"tokenize": "char"}, {"tokenize": str.split, "max_order": 2}, {"lowercase": True}]


@pytest.mark.parametrize("door", STRING_DOORS)
@pytest.mark.parametrize("options", OPTIONS)
def test_strings(door, options):
    made = STRING_DOORS[door]
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES, **options)
    for hypotheses in (made(HYPOTHESES), HYPOTHESES):
        for references in (made(REFERENCES), REFERENCES):
            assert vecbleu.statistics(hypotheses, references, **options) == expected


@pytest.mark.parametrize("door", LIST_DOORS)
@pytest.mark.parametrize("options", OPTIONS)
def test_lists_of_references(door, options):
    made = LIST_DOORS[door]
    expected = vecbleu.statistics(HYPOTHESES, LISTS, **options)
    found = vecbleu.statistics(STRING_DOORS[door if door in DOORS else "array"](HYPOTHESES),
                               made(LISTS), **options)  # fmt: skip
    assert found == expected
    assert vecbleu.statistics(HYPOTHESES, made(LISTS), **options) == expected


@given(
    st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=4)), min_size=1, max_size=20),
    st.data(),
)
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


@pytest.mark.parametrize("workers", [1, 2])
def test_blocks_of_columns(workers, monkeypatch):
    monkeypatch.setattr(vecbleu.corpus, "_BLOCK_SIZES", {"text": 40, "tokens": 9, "ids": 9})
    expected = vecbleu.statistics(HYPOTHESES, LISTS)
    found = vecbleu.statistics(in_pieces(HYPOTHESES), in_pieces(LISTS), workers=workers)
    assert found == expected


def test_missing_references_are_missing():
    column = pa.array([["a b", None], [None, "c"], ["d", None, "e"]])
    given_to_lists = [["a b"], ["c"], ["d", "e"]]
    expected = vecbleu.statistics(["a b", "c", "e"], given_to_lists)
    assert vecbleu.statistics(pa.array(["a b", "c", "e"]), column) == expected
    assert vecbleu.statistics(["a b", "c", "e"], column) == expected
    assert vecbleu.statistics(["a b", "c", "e"], sliced(column.to_pylist())) == expected


def test_missing_references_of_tokens_in_any_layout():
    tokens, lists = [["a", "b"], ["c"]], [[["a", "b"], None], [["c"]]]
    expected = vecbleu.statistics(tokens, [[["a", "b"]], [["c"]]])
    kinds = [pa.string()] + [kind() for kind in (getattr(pa, "string_view", None),) if kind]
    for kind in kinds:
        column = pa.array(lists, pa.list_(pa.list_(kind)))
        assert vecbleu.statistics(tokens, column) == expected
        assert vecbleu.statistics(pa.array(tokens), column) == expected
    assert vecbleu.statistics(tokens, polars(lists)) == expected


def test_integers_that_are_no_ids_are_tokens():
    doors = {"uint64": lambda values: pa.array(values, pa.list_(pa.uint64()))}
    doors["objects"] = pandas(dtype=object)
    for door, rows in (("uint64", [[2**63, 1], [2**63]]), ("objects", [[2**70, 1], [3]])):
        made = doors[door]
        expected = vecbleu.statistics(rows, rows[::-1])
        assert vecbleu.statistics(made(rows), rows[::-1]) == expected
        assert vecbleu.statistics(rows, made(rows[::-1])) == expected
        assert vecbleu.statistics(made(rows), made(rows[::-1])) == expected


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
    with pytest.raises(TypeError, match="hypotheses is an array without dimensions"):
        vecbleu.statistics(np.array("abc", np.dtypes.StringDType()), ["a", "b", "c"])
    two = np.array([["a", "b"], ["c", "d"]], np.dtypes.StringDType())
    expected = vecbleu.statistics(["a", "c"], two.tolist())
    assert vecbleu.statistics(np.array(["a", "c"], two.dtype), two) == expected


@pytest.mark.parametrize("kind", [pa.int32(), pa.uint16(), pa.int64()])
def test_ids(kind):
    hypotheses, references = [[1, 2, 3], [], [4, 5]], [[1, 2], [3], [4, 5, 6]]
    lists = [[[1, 2], [2, 3]], [[3]], [[4, 5], []]]
    arrays = [[np.array(one, np.int64) for one in row] for row in lists]
    column = pa.array(hypotheses, pa.list_(kind))
    own = [np.array(one, np.int64) for one in hypotheses]
    found = vecbleu.statistics(column, pa.array(references, pa.large_list(kind)))
    assert found == vecbleu.statistics(own, [np.array(one, np.int64) for one in references])
    found = vecbleu.statistics(column, pa.array([*lists, None], pa.list_(pa.list_(kind)))[:3])
    assert found == vecbleu.statistics(own, arrays)
    padded = pa.array([[1, 2, 0], [0, 0, 0], [4, 0, 5]], pa.list_(kind, 3))
    assert vecbleu.statistics(padded, padded, pad_id=0).hyp_len.tolist() == [2, 0, 2]
    with pytest.raises(ValueError, match=r"hypotheses\[1\] has a null among its ids"):
        vecbleu.statistics(pa.array([[1], [None]], pa.list_(kind)), column[:2])


def test_tokens_are_sequences():
    tokens, references = [["a", "b"], ["c d"]], [[["a"], ["b"]], [["c d"]]]
    expected = vecbleu.statistics(tokens, references)
    assert vecbleu.statistics(pa.array(tokens), pa.array(references)) == expected
    assert vecbleu.statistics(polars(tokens), polars(references)) == expected


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
    made = pa.DictionaryArray.from_arrays(
        pa.array([1, 0, None, 2]), pa.array(["a", "b c", None], kind)
    )
    expected = vecbleu.statistics(["b c", "a"], ["b", "a"])
    for references in (["b", "a"], pa.array(["b", "a"]), made[:2].take(pa.array([0, 1]))):
        found = vecbleu.statistics(made[:2], references)
        assert found.hyp_len.tolist() == expected.hyp_len.tolist()
    for row in (2, 3):
        column = pa.chunked_array([made[:1], made[row : row + 1]])
        for other in (["b", "a"], pa.array(["b", "a"])):
            with pytest.raises(ValueError, match=r"hypotheses\[1\] is null"):
                vecbleu.statistics(column, other)
            with pytest.raises(ValueError, match=r"references\[1\] is null"):
                vecbleu.statistics(other, column)


def test_dictionaries_of_polars():
    pl = pytest.importorskip("polars")
    expected = vecbleu.statistics(HYPOTHESES, LISTS)
    hypotheses = pl.Series(HYPOTHESES, dtype=pl.Categorical)
    for references in (LISTS, pl.Series(LISTS, dtype=pl.List(pl.Categorical))):
        assert vecbleu.statistics(hypotheses, references) == expected


def test_datasets_are_read_in_their_own_memory(monkeypatch):
    def fails(*_):
        pytest.fail("rows are read as Python objects")

    columns = dataset(HYPOTHESES), dataset_in_another_order(LISTS)
    for method in ("__getitem__", "__iter__"):
        monkeypatch.setattr(type(columns[0]), method, fails)
    assert vecbleu.statistics(*columns) == vecbleu.statistics(HYPOTHESES, LISTS)


def test_what_a_dataset_shows_is_what_counts():
    def cut(batch):
        return {name: [one[2:] for one in column] for name, column in batch.items()}

    columns = {"h": ["< a b", "< c"], "r": ["< a", "< d c"]}
    made = pytest.importorskip("datasets").Dataset.from_dict(columns)
    shown = made.with_transform(cut)
    expected = vecbleu.statistics(["a b", "c"], ["a", "d c"])
    assert vecbleu.statistics(shown["h"], shown["r"]) == expected
    assert vecbleu.statistics(shown["h"], ["a", "d c"]) == expected
    streamed = made.to_iterable_dataset()
    expected = vecbleu.statistics(columns["h"], columns["r"])
    assert vecbleu.statistics(streamed["h"], streamed["r"]) == expected


def test_series_of_other_classes():
    class Named(pytest.importorskip("pandas").Series):
        pass

    with pytest.raises(ValueError, match=r"references\[1\] is null: segment 1 has 0 references"):
        vecbleu.statistics(["a", "b"], Named(["a", None], dtype=object))


ROWS = [[1, 2, 0], [3, 0, 0]]


@pytest.mark.parametrize("door", DOORS)
def test_ids_against_ids_of_any_kind(door):
    ids, asked = np.array(ROWS), {"pad_id": 0}
    expected = vecbleu.statistics(ids, ids, **asked)
    made = DOORS[door](ROWS)
    assert vecbleu.statistics(ids, made, **asked) == expected
    assert vecbleu.statistics(made, ids, **asked) == expected
    assert vecbleu.statistics(made, pa.array(ROWS, pa.list_(pa.int64())), **asked) == expected
    several = [[*map(np.array, [row, row[::-1]])] for row in ROWS]
    expected = vecbleu.statistics(ids, several, **asked)
    lists = DOORS[door]([[row, row[::-1]] for row in ROWS])
    assert vecbleu.statistics(ids, lists, **asked) == expected
    assert vecbleu.statistics(made, lists, **asked) == expected
    accumulator = vecbleu.Accumulator(**asked)
    accumulator.update(ids, lists)
    assert accumulator.state[1:].tolist() == expected.sum().to_array().tolist()


def test_views_and_nothing_are_ids():
    if hasattr(pa, "list_view"):
        views = pa.array(ROWS, pa.list_view(pa.int32()))
        assert vecbleu.statistics(views, views, pad_id=0).hyp_len.tolist() == [2, 1]
    nothing = pa.array([[], []])
    assert vecbleu.statistics(np.array(ROWS), nothing, pad_id=0).ref_len.tolist() == [0, 0]
    with pytest.raises(TypeError, match="for integer arrays; references holds others"):
        vecbleu.statistics(np.array(ROWS), pa.array([["a"], ["b"]]), pad_id=0)


def test_without_arrow_columns_are_lists(monkeypatch):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES)
    series = [polars(HYPOTHESES), pandas(dtype=object)(REFERENCES)]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert vecbleu.statistics(*series) == expected
    lists = pandas(dtype=object)([["a b", np.nan], [None, "c"]])
    expected = vecbleu.statistics(["a", "c"], [["a b"], ["c"]])
    assert vecbleu.statistics(["a", "c"], lists) == expected


def test_nothing_is_imported_for_lists():
    program = (
        "import sys, vecbleu; vecbleu.corpus_bleu(['a'], [['a']])\n"
        "vecbleu.corpus_bleu([[1]], [[1]])\n"
        "print({'pyarrow', 'pandas', 'polars', 'datasets', 'tqdm'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"set()\n"

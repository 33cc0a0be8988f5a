"""Columns of other libraries: the same numbers as lists, and no reference made up or lost."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
import vecbleu.sacrebleu

pa = pytest.importorskip("pyarrow")

# Arrow's strings are UTF-8, which has no surrogates.
text = ugly_text.map(lambda s: s.encode("utf-8", "replace").decode())
HYPOTHESES = ["the cat sat", "ünï 😀 codé", "", "two\nlines here", "a b c d e"] * 3
REFERENCES = ["the cat sat down", "ünï 😁 codé", "x", "two\nlines there", "a b c d"] * 3
LISTS = [[one] if place % 2 else [one, f"{one} z"] for place, one in enumerate(REFERENCES)]


def in_pieces(values):
    whole = pa.array(values)
    return pa.chunked_array([whole[:4], whole[4:4], whole[4:]], whole.type)


def sliced(values):
    return pa.array([values[-1], *values, values[0]])[1:-1]


def pandas(**options):
    return lambda values: pytest.importorskip("pandas").Series(values, **options)


def pandas_arrow(values):
    return pandas(dtype=pytest.importorskip("pandas").ArrowDtype(pa.array(values).type))(values)


def polars(values):
    return pytest.importorskip("polars").Series(values)


def dataset(values):
    return pytest.importorskip("datasets").Dataset.from_dict({"own": values})["own"]


def dataset_in_another_order(values):
    made = pytest.importorskip("datasets").Dataset.from_dict({"own": values[::-1]})
    return made.select(range(len(values))[::-1])["own"]


DOORS = {
    "array": pa.array,
    "pieces": in_pieces,
    "slice": sliced,
    "pandas": pandas(),
    "pandas of objects": pandas(dtype=object),
    "pandas of Arrow": pandas_arrow,
    "Polars": polars,
    "dataset": dataset,
    "dataset in another order": dataset_in_another_order,
}
STRING_DOORS = DOORS | {
    "large strings": lambda values: pa.array(values, pa.large_string()),
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "NumPy": lambda values: np.array(values, np.dtypes.StringDType()),
}
LIST_DOORS = DOORS | {
    "large lists": lambda values: pa.array(values, pa.large_list(pa.large_string())),
}
if hasattr(pa, "string_view"):
    STRING_DOORS["views"] = lambda values: pa.array(values, pa.string_view())
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


def test_nulls_of_numpy_strings():
    for missing in (None, np.nan):
        strings = np.array(["a", missing], np.dtypes.StringDType(na_object=missing))
        with pytest.raises(ValueError, match=r"hypotheses\[1\] is null"):
            vecbleu.statistics(strings, ["a", "b"])
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
    with pytest.raises(ValueError, match="hypotheses has a null among the ids of row 1"):
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


def test_errors_of_a_tokenizer_name_the_segment():
    def fails(string):
        return "wrong" if string == "bad" else string.split()

    with pytest.raises(TypeError, match=r"hypotheses\[1\]: tokenize returned str"):
        vecbleu.statistics(pa.array(["a", "bad"]), pa.array(["a", "b"]), tokenize=fails)
    lists = pa.array([["a"], ["b", "bad"]])
    with pytest.raises(TypeError, match=r"references\[1\], reference 1: tokenize returned str"):
        vecbleu.statistics(pa.array(["a", "b"]), lists, tokenize=fails)


def test_without_arrow_columns_are_lists(monkeypatch):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES)
    series = [polars(HYPOTHESES), pandas(dtype=object)(REFERENCES)]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert vecbleu.statistics(*series) == expected


def test_nothing_is_imported_for_lists():
    program = (
        "import sys, vecbleu; vecbleu.corpus_bleu(['a'], [['a']])\n"
        "vecbleu.corpus_bleu([[1]], [[1]])\n"
        "print({'pyarrow', 'pandas', 'polars', 'datasets', 'tqdm'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"set()\n"

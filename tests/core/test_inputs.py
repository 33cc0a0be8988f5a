"""Ids and layouts of other kinds count as the lists of their rows; the rest is refused."""

from __future__ import annotations

import inspect
import math
import sqlite3
from concurrent.futures import Executor
from itertools import product

import numpy as np
import pytest
from conftest import ON_ARRAYS, assert_refused, assert_same
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu import Ragged

pytestmark = ON_ARRAYS

# Ids.

ids_of_rows = st.lists(st.integers(-2, 6), min_size=5, max_size=5)
id_corpora = st.lists(st.tuples(ids_of_rows, ids_of_rows, ids_of_rows), min_size=1, max_size=8)
several = st.integers(-2, 6) | st.lists(st.integers(-2, 6), max_size=3)


def tokens(row, eos_id, ignore_ids):
    """What is left of a row, in plain Python."""
    ends = [eos_id] if isinstance(eos_id, int) else eos_id or []
    stop = min((row.index(end) for end in ends if end in row), default=len(row))
    ignored = [ignore_ids] if isinstance(ignore_ids, int) else ignore_ids
    return [one for one in row[:stop] if one not in ignored]


def strings(value):
    """The same value with strings in place of integers."""
    if isinstance(value, dict):
        return {name: strings(one) for name, one in value.items()}
    if isinstance(value, list):
        return list(map(strings, value))
    return f"{value}" if isinstance(value, int) else value


@given(id_corpora, st.none() | several, several)
def test_special_ids_count_as_if_they_were_cut_out(corpus, eos_id, ignore_ids):
    asked = {"eos_id": eos_id, "ignore_ids": ignore_ids}
    ids = np.array(corpus, np.int32)
    kept = [[tokens(row, **asked) for row in segment] for segment in corpus]
    hypotheses = [own for own, *_ in kept]
    for references in (1, 2):
        expected = vecbleu.statistics(hypotheses, [some[: 1 + references][1:] for some in kept])
        sides = ids[:, 0], ids[:, 1 : 1 + references]
        in_lists = [*sides[0]], [[*rows] for rows in sides[1]]
        of_integers = [side.tolist() for side in sides]
        mixed = [sides[0][0], *of_integers[0][1:]], [*of_integers[1][:-1], [*sides[1][-1]]]
        for some in (*product(*zip(sides, of_integers, strict=True)), in_lists, mixed):
            assert vecbleu.statistics(*some, **asked) == expected
        of_strings = [strings(side) for side in of_integers]
        assert vecbleu.statistics(*of_strings, **strings(asked)) == expected
    score = vecbleu.corpus_bleu(hypotheses, [some[1:] for some in kept])
    assert vecbleu.corpus_bleu(*sides, **asked).table().to_dict() == score.table().to_dict()
    assert vecbleu.sentence_bleu(*sides, **asked).tolist() == expected.scores().tolist()
    accumulator = vecbleu.Accumulator(**asked)
    accumulator.update(*sides)
    assert accumulator.state[1:].tolist() == expected.sum().array.tolist()


NOT_IDS = ["a", 1.0, True, np.True_, None, np.timedelta64(1, "s"), 2**63, -(2**63) - 1]


@pytest.mark.parametrize("places", [(0, 1), (1, 0)])
def test_strings_among_token_lists_are_refused_and_the_first_of_each_named(places):
    string, tokens = places
    sides = [["a"]] * 3
    sides[string] = sides[2] = "a b"
    named = f"hypotheses[{tokens}] is list ['a'] but hypotheses[{string}] is a string, expected all"
    for call in (vecbleu.statistics, vecbleu.pairwise_bleu):
        assert_refused(TypeError, named, call, sides, [["b"]] * 3)
    assert_refused(TypeError, named, vecbleu.self_bleu, sides)


def test_special_tokens_are_of_the_type_of_all_tokens():
    words, mixed = [["a", "</s>"]], [["b", 3]]
    for sides, options, named in (
        ((words, mixed), {"ignore_ids": "a"}, "references[0] has 3 as token 1, expected a string"),
        ((words, words), {"eos_id": 2}, "hypotheses[0] has 'a' as token 0, expected an integer"),
        (([[1, 2]], words), {"ignore_ids": "</s>"}, "hypotheses[0] has 1 as token 0"),
        ((np.ones((1, 2), int), [[1]]), {"eos_id": "</s>"}, "as token 0, expected a string"),
        ((words, words), {"ignore_ids": "a", "eos_id": 2}, "ignore_ids and eos_id hold integers"),
        ((["a b"], ["a b"]), {"ignore_ids": "a"}, "such as those of text.split()"),
    ):
        for call in (vecbleu.statistics, vecbleu.pairwise_bleu):
            assert_refused(TypeError, named, call, *sides, **options)
    assert vecbleu.statistics([[], []], [["a"], []], eos_id="a").ref_len.tolist() == [0, 0]
    ends = {"ignore_ids": -(2**63), "eos_id": 2**63 - 1}
    assert vecbleu.statistics([[-(2**63), 4, 2**63 - 1, 5]], [[1]], **ends).hyp_len.tolist() == [1]
    for none in ([], np.zeros((0, 3), int), np.array([], np.dtypes.StringDType())):
        assert len(vecbleu.statistics(none, none, ignore_ids="a")) == 0
    prepared = vecbleu.SharedReferences(
        [["a", "b", "</s>", "x"]], ignore_ids=["b"], eos_id={"</s>"}
    )
    of_ids = vecbleu.SharedReferences([[1, 3, 7, 9]], ignore_ids=[3, 1], eos_id={9, 7})
    for ignored, ends in (((1, 3, 1), [7, 9]), (np.array([3, 1, 3]), (9, 7, 7))):
        counted = vecbleu.statistics([[5, 3]], of_ids, ignore_ids=ignored, eos_id=ends)
        assert (counted.hyp_len.tolist(), counted.ref_len.tolist()) == ([1], [0])
    given = {"ignore_ids": ("b", "b"), "eos_id": "</s>"}
    assert vecbleu.statistics([["b", "a", "</s>"]], prepared, **given).array[0, :3].tolist() == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize("value", [*NOT_IDS, np.uint64(2**64 - 1)], ids=repr)
def test_lists_that_hold_no_ids_are_refused(value):
    wrong, right = [[1], [2, value], []], [[1], [2], []]
    error = ValueError if isinstance(value, (int, np.uint64)) and value is not True else TypeError
    for sides, name in (
        ((wrong, right), "hypotheses[1] "),
        (([*map(tuple, wrong)], [np.array([1])] * 3), "hypotheses[1] "),
        ((right, wrong), "references[1] "),
        ((right, [[[1]], [[2], [2, 3], wrong[1]], [[]]]), "references[1][2] "),
    ):
        for option in ({"ignore_ids": 0}, {"eos_id": [0]}):
            assert_refused(error, name, vecbleu.statistics, *sides, **option)
    # NumPy 2.5 warns if an integer is compared with a timedelta64.
    if value is not None and not isinstance(value, np.timedelta64):
        assert vecbleu.statistics(wrong, wrong).hyp_len.tolist() == [1, 2, 0]


class ByArray:
    """What hands out an array in NumPy's way, as arrays of many libraries do."""

    def __init__(self, values):
        self.values = np.asanyarray(values)
        self.ndim = self.values.ndim

    def __array__(self, dtype=None, copy=None):
        return self.values


class ByDlpack(ByArray):
    """The same by DLPack alone."""

    __array__ = None

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class Elsewhere(ByDlpack):
    """An array on another device."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **options):
        raise BufferError("this lies on device 2")


@pytest.mark.parametrize("array", [ByArray, ByDlpack])
def test_arrays_of_other_libraries_count_as_numpys(array):
    rng = np.random.default_rng(2)
    ids, others = rng.integers(0, 9, (6, 8)), rng.integers(0, 9, (6, 3, 8))
    in_lists = [*map(array, ids)], [[*map(array, rows)] for rows in others]
    for made in ((array(ids), array(others)), in_lists):
        assert_same((ids, others), made, ignore_ids=0)
    first = others[:, 0]
    assert_same((ids.tolist(), first.tolist()), ([*map(array, ids)], [*map(array, first)]))
    assert vecbleu.statistics(ids.tolist(), array(first)) == vecbleu.statistics(ids, first)
    rows = [[array([1, 2]), [1]], [[1, 2], array([1])], [[1, 2], [1]]]
    for hypotheses, references in product(rows, [*rows, [[one] for one in rows[0]]]):
        assert vecbleu.statistics(hypotheses, references).matches[:, 0].tolist() == [2, 1]


rows_strategy = st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5), max_size=6)


def lists_of(table):
    return [row.tolist() for row in table]


@given(rows_strategy, rows_strategy, st.data())
def test_ragged_rows_are_those_of_lists(rows, others, data):
    arrays = [[np.array(row, np.int64) for row in side] for side in (rows, others)]
    table, other = map(Ragged.from_arrays, arrays)
    assert lists_of(table) == rows
    assert table.lengths.tolist() == [len(row) for row in rows]
    padded = np.array([(row + [0] * 6)[:6] for row in rows], np.int64).reshape(-1, 6)
    assert lists_of(Ragged.from_padded(padded, lengths=table.lengths)) == rows
    assert_same((rows, rows), (table, table))
    with pytest.raises(IndexError):
        table[len(rows)]
    if rows:
        index = data.draw(st.lists(st.integers(0, len(rows) - 1)))
        assert lists_of(table.take(np.array(index, np.int64))) == [rows[i] for i in index]
    start, stop = data.draw(st.integers(-8, 8)), data.draw(st.integers(-8, 8))
    for step in (None, 1, 2, -1):
        assert lists_of(table[start:stop:step]) == rows[start:stop:step]
    assert lists_of(Ragged.concatenate([table, other, table])) == rows + others + rows


def test_a_tuple_beside_a_string_is_a_token():
    assert vecbleu.statistics([["a"]], [[("a",), "b"]]).ref_len.tolist() == [2]
    assert vecbleu.statistics([["a"]], [[("a",), ("b",)]]).ref_len.tolist() == [1]


def test_padded_rows_keep_what_lists_keep():
    rows = [[5, 0, 7], [-1, -1, -1], [0, 5, -1], [7, 2**63 - 1, 0]]
    ids = np.array(rows)
    for ignored in (0, [0], {0, -1}, (7, 0, -1), [2**63 - 1, 9], []):
        left_out = [ignored] if isinstance(ignored, int) else ignored
        kept = [[token for token in row if token not in left_out] for row in rows]
        assert lists_of(Ragged.from_padded(ids, ignore_ids=ignored)) == kept
    for lengths in ([3, 0, 1, 2], np.array([0, 3, 3, 0], "u1")):
        kept = [row[:length] for row, length in zip(rows, lengths, strict=True)]
        assert lists_of(Ragged.from_padded(rows, lengths=lengths)) == kept
    largest = np.array([[2**63 - 1]], np.uint64)
    assert lists_of(Ragged.from_padded(largest)) == [[2**63 - 1]]
    assert lists_of(Ragged.from_arrays([np.array([]), [3]])) == [[], [3]]  # as `array` makes none
    assert repr(Ragged(ids[0], ids[0, :0])) == "Ragged(rows=0, tokens=3)"


# Layouts of lists.


def objects(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


LAYOUTS = {
    "flat": list,
    "lists": lambda units: [[unit] for unit in units],
    "tuples": lambda units: [(unit,) for unit in units],
    "both": lambda units: [(unit,) if n % 2 else [unit] for n, unit in enumerate(units)],
    "some in lists": lambda units: [unit if n % 2 else [unit] for n, unit in enumerate(units)],
    "an array of lists": lambda units: objects([[unit] for unit in units]),
    "lists of arrays": lambda units: [objects([unit]) for unit in units],
    "2-D objects": lambda units: objects(units)[:, None],
    "2-D strings": lambda units: np.array(units)[:, None],
    "of subclasses": lambda units: [[type("Line", (str,), {})(unit)] for unit in units],
    "tuples of tuples": lambda units: [(tuple(unit),) for unit in units],
}
OF_TEXT_ALONE = ["lists of arrays", "2-D objects", "2-D strings", "of subclasses"]
# More than are looked at at once, so that a layout can change behind the first ones.
LINES = [f"a b c {number % 7} d" for number in range(2500)]
OTHER_LINES = [line.replace("c", "b") for line in LINES]


@pytest.mark.parametrize("kind", [str, str.split, lambda line: [*map(ord, line)]])
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_counts_as_lists_do(name, kind):
    if name in (["tuples of tuples"] if kind is str else OF_TEXT_ALONE):
        pytest.skip("means something else")
    own, others = ([*map(kind, lines)] for lines in (LINES, OTHER_LINES))
    made = LAYOUTS[name](others)
    expected = vecbleu.statistics(own, [[other] for other in others])
    assert vecbleu.statistics(iter(own), made) == expected
    if kind is str:
        twice = [[line, other] for line, other in zip(others, own, strict=True)]
        rows = vecbleu.statistics(own, [*made[:1200], *twice[1200:]])
        assert rows[:1200].array.tolist() == expected[:1200].array.tolist()
        assert rows[1200:].matches.tolist() == rows[1200:].totals.tolist()


@pytest.mark.parametrize("place", [0, 1023, 1024, 2400])
@pytest.mark.parametrize("name", ["flat", "lists", "tuples", "some in lists"])
def test_errors_name_the_segment_in_every_layout(name, place):
    references = LAYOUTS[name](LINES)
    for wrong, error, named in (
        ([], ValueError, f"references[{place}]"),
        (None, TypeError, f"references[{place}] is NoneType"),
        (["a", 5], TypeError, f"references[{place}][1] is int 5"),
        (np.array("a"), TypeError, f"references[{place}] is ndarray"),
    ):
        references[place] = wrong
        assert_refused(error, named, vecbleu.statistics, LINES, references)


# What is refused.

A = np.array([1, 2])
IDS, STRINGS = np.array([[1, 2]]), ["a", "b"]
MASKED = np.ma.array([[1, 2, 0]], mask=[[0, 0, 1]])
BEYOND = np.full((1, 1), 2**63, np.uint64)

TYPES = [
    (np.array(5), ["a"], "hypotheses is ndarray"),
    (["a"], A[:1], "references[0] is int"),
    ([["a"]], [[["a"], "b"]], "references[0][1] is str 'b'"),
    ([["a"]], [["b", ["a"]]], "references[0] has the token ['a']"),
    ([["a"]], [[iter("ab"), iter("c")]], "references[0][0] is str_"),
    ([A, A], [[Ragged(A, A - 1)], [[1]]], "references[0][0] is Ragged"),
    (Ragged([1, 2], [0, 2]), [A], "hypotheses is a Ragged"),
    (Ragged(A.astype(float), np.array([0, 2])), [A], "hypotheses is a Ragged"),
    (Elsewhere(IDS), IDS, "hypotheses is Elsewhere"),
    (IDS, [[ByArray(A), Elsewhere(A)]], "references[0][1] is Elsewhere"),
    ([[ByArray(1), ByArray(2)]], [[1, 2]], "hypotheses[0] has the token"),
    (memoryview(IDS), IDS, "hypotheses is memoryview"),
    *((IDS, masked, "references") for masked in (MASKED, [MASKED[0]], [[MASKED[0]]])),
    *((masked, IDS, "hypotheses") for masked in (MASKED, [MASKED[0]], ByArray(MASKED))),
    (np.array("abc", np.dtypes.StringDType()), ["a"], "hypotheses is ndarray"),
]
VALUES = [
    ([A], [np.zeros((2, 2, 2), int)], "references[0][0] is an array of 2"),
    ([A], [np.zeros((0, 2), int)], "references[0] is empty"),
    (np.zeros((2, 3), int), np.zeros((3, 3), int), "hypotheses has 2 segments"),
    (np.zeros((2, 1, 3), int), [A, A], "hypotheses is an array of 3 dimensions, expected 2 "),
    (BEYOND, [A], "hypotheses holds the id 9223372036854775808"),
    (Ragged(A, np.array([0, 3])), [A], "hypotheses is a Ragged"),
    ([[1]], Ragged(A, A[:0]), "references is a Ragged"),
    (Ragged(A, np.array([0, 2, 1, 2])), [A] * 3, "hypotheses is a Ragged"),
]


@pytest.mark.parametrize("error", [TypeError, ValueError])
def test_unfit_sides_are_refused(error):
    for hypotheses, references, named in TYPES if error is TypeError else VALUES:
        assert_refused(error, named, vecbleu.statistics, hypotheses, references)


def stand_in(library, *methods, **members):
    """A value of a class with the methods of another library's, which is too large to install."""
    members |= dict.fromkeys(methods, pytest.fail)  # nothing is computed unasked
    return lambda: type("Value", (), {"__module__": f"{library}.core", **members})()


@pytest.fixture(scope="module", autouse=True)
def close_database():
    """Close it: Python 3.13 warns of one that is left open."""
    yield
    DATABASE.close()


DATABASE = sqlite3.connect(":memory:")

FRAMES = {
    "Spark": (stand_in("pyspark", "collect", "toPandas", columns=["a"]), '.toPandas()["column"]'),
    "DuckDB": (stand_in("duckdb", "execute", "fetchall", "df"), '.df()["column"]'),
    "Polars": (lambda: pytest.importorskip("polars").LazyFrame({"a": STRINGS}), ".collect()"),
    "Arrow": (
        lambda: pytest.importorskip("pyarrow").table({"a": ["x"]}).to_reader(),
        '.read_all()["column"]',
    ),
    "SQLite": (lambda: DATABASE.execute("values ('a')"), "[row[0] for row in "),
    "dask": (lambda: pytest.importorskip("dask").delayed(STRINGS), ".compute()"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_refused_with_the_call_to_write(name):
    made, advice = FRAMES[name]
    for sides, argument in (((made(), STRINGS), "hypotheses"), ((STRINGS, made()), "references")):
        with pytest.raises(TypeError, match=f"^{argument} is ") as caught:
            vecbleu.statistics(*sides)
        assert advice in str(caught.value)


# Options are checked in one place, before files or segments are read.
CALLS = {
    vecbleu.corpus_bleu: (STRINGS, ["a", 3]),
    vecbleu.file_statistics: ("none", "none"),
    vecbleu.Accumulator: (),
    vecbleu.bleu.scores: ([2, 2, 1, 1, 1, 1, 2, 1, 1, 1],),
}
WRONG = [
    *((TypeError, "max_order", value) for value in ("4", 1.5, True, [1, 2])),
    *((TypeError, "ignore_ids", value) for value in (1.5, True, b"12", [1, "a"], None, {1: 2})),
    *((TypeError, "eos_id", value) for value in (1.5, [1, 2.5])),
    *((TypeError, "workers", value) for value in (True, 2.0, Executor)),
    *((TypeError, "weights", value) for value in ("1111", 0.5, {1: 1.0}, ["0.5"], [0.5, (1.0,)])),
    *(
        (TypeError, name, value)
        for name in ("lowercase", "effective_order", "progress")
        for value in ("no", 2, -1, 1.0)
    ),
    *((ValueError, "tokenize", value) for value in ("14a", None, ["13a"])),
    *((ValueError, name, 2**63) for name in ("ignore_ids", "eos_id")),
    *((ValueError, name, [-(2**63) - 1]) for name in ("ignore_ids", "eos_id")),
    *((ValueError, name, 0) for name in ("max_order", "workers")),
    *((ValueError, name, ["x"]) for name in ("ref_length", "smoothing")),
    *((ValueError, "weights", value) for value in ([], [math.inf])),
]


@pytest.mark.parametrize(("error", "name", "value"), WRONG)
def test_unfit_options_are_refused(error, name, value):
    takers = [one for one in CALLS if name in inspect.signature(one).parameters]
    assert takers
    for function in takers:
        assert_refused(error, name, function, *CALLS[function], **{name: value})


def test_unfit_rows_are_refused():
    make, ids = Ragged.from_padded, np.zeros((2, 3), int)
    assert_refused(TypeError, "ids holds float64", make, ids.astype(float))
    assert_refused(TypeError, "ids holds float64", Ragged.from_arrays, [ids[0], ids[0] / 2])
    assert_refused(TypeError, "ids is a masked array", Ragged.from_arrays, [MASKED[0]])
    assert_refused(TypeError, "ids is a masked array", make, MASKED)
    assert_refused(ValueError, "ids has 1 dimensions", make, ids[0])
    assert_refused(ValueError, "9223372036854775808", make, BEYOND)
    assert_refused(ValueError, "lengths has shape (1,)", make, ids, lengths=[1])
    assert_refused(ValueError, "lengths has shape (2, 1)", make, ids, lengths=[[1], [1]])
    assert_refused(ValueError, "lengths", make, ids, lengths=[1, 1], ignore_ids=0)
    for wrong in (4, -1):
        assert_refused(ValueError, f"lengths[1] is {wrong}", make, ids, lengths=[1, wrong])
        assert_refused(ValueError, f"lengths[0] is {wrong}", make, ids, lengths=[wrong, -2])

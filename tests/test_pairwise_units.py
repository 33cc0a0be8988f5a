"""One side by itself: its errors, and ids of several sides that fit each other."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from corpora import COLUMNS, STRING_COLUMNS
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE
from processes import process_pool
from strategies import odd_tokens, string_tokens, ugly_text, words

from vecbleu import Ragged
from vecbleu.core.inputs import align_units, check_kinds
from vecbleu.core.options import CountOptions, RunOptions, SpecialIds
from vecbleu.pairwise.units import unit_ids


def ids_of(sides, tokenize="13a", lowercase=False, special_ids=(), **run):
    corpora = [align_units(side, f"side {k}", *special_ids) for k, side in enumerate(sides)]
    found = unit_ids(corpora, CountOptions.checked(tokenize, lowercase), RunOptions.checked(**run))
    assert {*map(type, found)} <= {Ragged}
    return [[unit.tolist() for unit in side] for side in found]


def check(sides, tokens, **options):
    """Ids are equal exactly where tokens are, in all sides together."""
    found = ids_of(sides, **options)
    assert [[*map(len, side)] for side in found] == [[*map(len, side)] for side in tokens]
    ids, flat = [], []
    for side, expected in zip(found, tokens, strict=True):
        ids += chain.from_iterable(side)
        flat += chain.from_iterable(expected)
    numbers: dict = {}
    assert len({*ids}) == len(Counter(flat))
    assert all(numbers.setdefault(token, one) == one for token, one in zip(flat, ids, strict=True))


def two_sides(tokens):
    unit = st.lists(tokens, max_size=9)
    return st.lists(st.lists(unit, max_size=4), min_size=2, max_size=3)


@pytest.mark.parametrize("tokens", [words, odd_tokens, string_tokens], ids=["words", "odd", "any"])
@given(data=st.data())
def test_tokens(tokens, data):
    sides = data.draw(two_sides(tokens))
    check(sides, sides)


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(sides=st.lists(st.lists(ugly_text, max_size=4), min_size=2, max_size=2), own=st.booleans())
def test_strings(tokenize, sides, own):
    if own and tokenize in ("char", "none"):
        split = list if tokenize == "char" else str.split
        return check(sides, [[*map(split, side)] for side in sides], tokenize=split)
    found = ids_of(sides, tokenize=tokenize)
    again = ids_of([[*chain.from_iterable(sides)]], tokenize=tokenize)
    assert [*chain.from_iterable(found)] == again[0]
    return None


@pytest.mark.parametrize("name", STRING_COLUMNS)
def test_columns_of_strings_meet_lists(name):
    strings = ["a b", "b ünï", "", "a\nb", "😀 a"]
    check([STRING_COLUMNS[name](strings), strings], [[*map(str.split, strings)]] * 2)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_ids_meet_lists(name):
    rows = [[1, 2], [3], [], [2, 2], [9]]
    check([COLUMNS[name](rows), rows], [rows] * 2)


def test_ids_in_every_container():
    rows = [[1, 2], [3, 1], [-1, 2**62]]
    array, ragged = np.array(rows), Ragged.from_padded(rows)
    check([array, ragged, [*map(np.array, rows)]], [rows] * 3)
    check([array, rows, [["a", 1.0], [True, None]]], [rows, rows, [["a", 1.0], [1, None]]])
    special = [SpecialIds.checked([2], 3)]
    left = [np.array(row, int) for row in ([1], [], [-1, 2**62])]
    assert ids_of([array, ragged], special_ids=special) == ids_of([left, left])


class Loose(str):
    """Strings that do not tell upper from lower case; tokens are text, which does."""

    __slots__ = ()

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


def test_a_users_tokenizer_is_called_once_for_each_string():
    seen = []

    def split(string):
        seen.append(string)
        return [*map(Loose, string.split())]

    sides = [["b A", "a B"], ["B a c"]]
    check(sides, [[one.split() for one in side] for side in sides], tokenize=split)
    assert seen == ["b A", "a B", "B a c"]


def test_workers_and_executors_find_the_same_ids():
    rng = np.random.default_rng(1)
    sides = [[" ".join(map(str, rng.integers(0, 99, 20))) for _ in range(9_000)] for _ in "ab"]
    alone = ids_of(sides)
    assert alone == ids_of(sides, workers=2)
    assert ids_of([["é a"], ["a"]], "char", workers=2) == ids_of([["é a"], ["a"]], "char")
    assert alone[0][0] == ids_of([sides[0][:1]])[0][0]


def test_an_executor_that_hashes_with_another_seed():
    sides = [["a b"], ["b"]]
    with process_pool(2) as pool:
        assert ids_of(sides, workers=pool) == ids_of(sides)


WRONG = [
    ("ab", "side 0 is a single str; expected a list"),
    (7, "side 0 is int 7; expected a list"),
    (np.arange(3), "side 0 is one 1-D integer array"),
    ([["a"], "a"], r"side 0\[0\] is list \['a'\] but side 0\[1\] is a string"),
    ([["a"], 7], r"side 0\[1\] is int 7, expected a sequence of tokens"),
    ([["a"], [["b"]]], r"side 0\[1\]: token \['b'\] can't be used"),
    (np.ma.masked_array([[1]]), "side 0 is a masked array"),
]


@pytest.mark.parametrize(("side", "message"), WRONG)
def test_errors_name_the_side(side, message):
    with pytest.raises(TypeError, match=message):
        ids_of([side])


def test_errors_name_the_side_that_they_are_about():
    with pytest.raises(TypeError, match=r"side 1\[1\]: token \['b'\] can't be used"):
        ids_of([[["a"]], [["a"], [["b"]]]])
    with pytest.raises(TypeError, match=r"side 1\[1\]: tokenize returned NoneType"):
        ids_of([["a"], ["a", "b"]], tokenize=lambda string: None if string == "b" else [string])
    with pytest.raises(TypeError, match=r"side 1\[0\]: token 0 is str 'a', expected an integer"):
        ids_of([np.ones((2, 2), int), [["a"]]], special_ids=[SpecialIds.checked(1)])
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=r"side 0\[1\] is null"):
        ids_of([pandas.Series(["a", None])])
    with pytest.raises(ValueError, match=r"references\[1\] is null; a reference can't be missing"):
        align_units(pandas.Series(["a", None]), "references")
    with pytest.raises(TypeError, match="side 0 is a table"):
        ids_of([pandas.DataFrame({"a": ["b"]})])
    column = pytest.importorskip("pyarrow").Array.from_buffers
    arrow = pytest.importorskip("pyarrow")
    buffers = [None, arrow.py_buffer(np.array([0, 1, 2], np.int32)), arrow.py_buffer(b"a\xff")]
    with pytest.raises(ValueError, match=r"side 0\[1\] is not UTF-8"):
        ids_of([column(arrow.string(), 2, buffers)])


def test_kinds():
    text, tokens, ids = (align_units(one, "one") for one in (["a"], [["a"]], np.ones((1, 1), int)))
    nothing = align_units([], "nothing")
    for first, second in [(text, text), (tokens, ids), (text, nothing), (nothing, ids)]:
        check_kinds(first, "candidates", second, "references")
    with pytest.raises(TypeError, match="candidates holds strings but references holds integer"):
        check_kinds(text, "candidates", ids, "references")
    assert ids_of([["a"], []])[1] == []
    assert ids_of([[["a"]], []])[1] == []
    assert ids_of([[], []]) == [[], []]

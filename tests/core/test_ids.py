"""Token ids as training loops have them: special ids, other libraries' arrays, ragged rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import counted_parts

import vecbleu
from vecbleu import Ragged

ids_of_rows = st.lists(st.integers(-2, 6), min_size=5, max_size=5)
corpora = st.lists(st.tuples(ids_of_rows, ids_of_rows, ids_of_rows), min_size=1, max_size=8)
several = st.integers(-2, 6) | st.lists(st.integers(-2, 6), max_size=3)


def tokens(row, eos_id, ignore_ids):
    """What is left of a row, in plain Python."""
    ends = [eos_id] if isinstance(eos_id, int) else eos_id or []
    stop = min((row.index(end) for end in ends if end in row), default=len(row))
    ignored = [ignore_ids] if isinstance(ignore_ids, int) else ignore_ids
    return [one for one in row[:stop] if one not in ignored]


@given(corpora, st.none() | several, several)
def test_special_ids(corpus, eos_id, ignore_ids):
    asked = {"eos_id": eos_id, "ignore_ids": ignore_ids}
    ids = np.array(corpus, np.int32)
    kept = [[tokens(row, **asked) for row in segment] for segment in corpus]
    hypotheses = [own for own, *_ in kept]
    for references in (1, 2):
        expected = vecbleu.statistics(hypotheses, [some[: 1 + references][1:] for some in kept])
        sides = ids[:, 0], ids[:, 1 : 1 + references]
        assert vecbleu.statistics(*sides, **asked) == expected
        in_lists = [*sides[0]], [[*rows] for rows in sides[1]]
        assert vecbleu.statistics(*in_lists, **asked) == expected
        of_integers = [side.tolist() for side in sides]
        mixed = [sides[0][0], *of_integers[0][1:]], [*of_integers[1][:-1], [*sides[1][-1]]]
        for lists in (of_integers, mixed, (sides[0], of_integers[1]), (of_integers[0], sides[1])):
            assert vecbleu.statistics(*lists, **asked) == expected
    score = vecbleu.corpus_bleu(hypotheses, [some[1:] for some in kept])
    assert counted_parts(vecbleu.corpus_bleu(*sides, **asked)) == counted_parts(score)
    assert vecbleu.sentence_bleu(*sides, **asked).tolist() == expected.scores().tolist()
    accumulator = vecbleu.Accumulator(**asked)
    accumulator.update(*sides)
    assert accumulator.state[1:].tolist() == expected.sum().array.tolist()


NOT_IDS = {
    "str 'a'": "a",
    "float 1.0": 1.0,
    "bool True": True,
    "bool np.True_|bool_ True": np.True_,
    "NoneType None": None,
    "timedelta64": np.timedelta64(1, "s"),
    "9223372036854775808, which is no 64-bit integer": 2**63,
    "-9223372036854775809, which is no 64-bit integer": -(2**63) - 1,
    "18446744073709551615, which is no 64-bit integer": np.uint64(2**64 - 1),
}


@pytest.mark.parametrize("said", NOT_IDS)
def test_lists_that_hold_no_ids(said):
    wrong, right = [[1], [2, NOT_IDS[said]], []], [[1], [2], []]
    several = [[[1]], [[2], [2, 3], wrong[1]], [[]]]
    for sides, name in (
        ((wrong, right), r"hypotheses\[1\]: token 1"),
        (([*map(tuple, wrong)], [np.array([1])] * 3), r"hypotheses\[1\]: token 1"),
        ((right, wrong), r"references\[1\], reference 0: token 1"),
        ((right, several), r"references\[1\], reference 2: token 1"),
    ):
        for option in ({"ignore_ids": 0}, {"eos_id": 0}, {"eos_id": [0]}):
            with pytest.raises((TypeError, ValueError), match=f"^{name} is ({said}).*integer ids"):
                vecbleu.statistics(*sides, **option)
    with pytest.raises((TypeError, ValueError), match=rf"^references\[1\]: token 1 is ({said})"):
        vecbleu.SharedReferences(wrong, ignore_ids=0)
    if NOT_IDS[said] is not None:
        assert vecbleu.statistics(wrong, wrong).hyp_len.tolist() == [1, 2, 0]


def test_lists_of_ids_in_every_function():
    rows = [[0, 5, 6, 7], [8, 9], [0, 0], [2**63 - 1, -(2**63), np.int8(5), np.uint64(6)]]
    kept = [np.array([one for one in row if one], np.int64) for row in rows]
    shared = vecbleu.SharedReferences(rows, ignore_ids=0)
    assert vecbleu.statistics(rows, shared, ignore_ids=0) == vecbleu.statistics(
        kept, vecbleu.SharedReferences(kept)
    )
    for function in (vecbleu.pairwise_bleu, vecbleu.self_bleu):
        assert np.array_equal(function(rows, ignore_ids=0), function(kept))
    (means,), (expected,) = (
        vecbleu.expected_bleu([rows], ignore_ids=0),
        vecbleu.expected_bleu([kept]),
    )
    assert means.tolist() == expected.tolist()
    for row, own in zip(rows, kept, strict=True):
        found = vecbleu.explain(row, rows, ignore_ids=0)
        assert found.score == vecbleu.explain(own, kept).score
    with pytest.raises(ValueError, match=r"ignore_ids is \(0,\) but references was prepared with"):
        vecbleu.statistics(rows, vecbleu.SharedReferences(rows[:2]), ignore_ids=0)


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


def torch_tensor(values):
    return pytest.importorskip("torch").tensor(np.asarray(values))


@pytest.mark.parametrize("array", [ByArray, ByDlpack, torch_tensor])
def test_arrays_of_other_libraries(array):
    rng = np.random.default_rng(2)
    ids, others = rng.integers(0, 9, (6, 8)), rng.integers(0, 9, (6, 3, 8))
    expected = vecbleu.statistics(ids, others, ignore_ids=0)
    in_lists = [*map(array, ids)], [[*map(array, rows)] for rows in others]
    for sides in ((array(ids), array(others)), in_lists, (array(ids), others)):
        assert vecbleu.statistics(*sides, ignore_ids=0) == expected
    first = others[:, 0]
    alone = vecbleu.statistics(ids, first)
    for references in ([*map(array, first)], first.tolist()):
        assert vecbleu.statistics([*map(array, ids)], references) == alone
    assert vecbleu.statistics(ids.tolist(), array(first)) == alone


IDS = np.array([[1, 2]])
MASKED = np.ma.array([[1, 2, 0]], mask=[[0, 0, 1]])
NUMBERS = [ByArray(1), ByArray(2)]
LOST = "masked array, whose mask would be lost"


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (Elsewhere(IDS), IDS, "hypotheses is Elsewhere, which NumPy can't read"),
        (IDS, [Elsewhere(IDS[0])], r"references\[0\] is Elsewhere, .*device"),
        (IDS, [[ByArray(IDS[0]), Elsewhere(IDS[0])]], r"references\[0\]\[1\] is Elsewhere"),
        ([[1, 2]], [NUMBERS], "token .* is an array; pass rows as arrays"),
        ([NUMBERS], [[1, 2]], "token .* is an array; pass rows as arrays"),
        ([[1, 2]], [[NUMBERS]], "token .* is an array; pass rows as arrays"),
        (memoryview(IDS), IDS, "hypotheses is memoryview.* expected a list, one entry"),
        *((IDS, masked, LOST) for masked in (MASKED, [MASKED[0]], [[MASKED[0]]])),
        *((masked, IDS, LOST) for masked in (MASKED, [MASKED[0]], ByArray(MASKED))),
    ],
)
def test_arrays_that_can_not_be_read(hypotheses, references, message):
    with pytest.raises(TypeError, match=message):
        vecbleu.statistics(hypotheses, references)


def test_signs_of_tensors_are_kept():
    torch = pytest.importorskip("torch")
    negative = torch.tensor([[1 + 2j, 3 + 4j]]).conj().imag
    with pytest.raises(TypeError, match=r"hypotheses is Tensor, which NumPy can't read .*neg"):
        vecbleu.statistics(negative, negative)


def test_matrices_are_arrays():
    ids = np.array([[1, 2], [3, 4]])
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.asmatrix(ids)
    assert vecbleu.statistics(matrix, matrix) == vecbleu.statistics(ids, ids)


def test_rows_of_lists_and_of_tensors_stand_side_by_side():
    row, one = ByArray([1, 2]), ByArray([1])
    for plain, mixed in (
        ([[[1, 2], [1]], [[1, 2]]], ([[[1, 2], one], [row]], [[row, [1]], [[1, 2]]])),
        ([[[1, 2]], [[1, 2]]], ([[row], [[1, 2]]], [[[1, 2]], [row]])),
    ):
        expected = vecbleu.statistics([[1, 2], [1, 2]], plain)
        for references in mixed:
            for hypotheses in ([[1, 2], [1, 2]], [[1, 2], row], [row, [1, 2]], [row, row]):
                assert vecbleu.statistics(hypotheses, references) == expected


rows_strategy = st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5), max_size=6)


def ragged(rows):
    return Ragged.from_arrays([np.array(row, np.int64) for row in rows])


def lists(table):
    return [row.tolist() for row in table]


@given(rows_strategy, st.data())
def test_rows_are_selected_as_from_a_list(rows, data):
    table = ragged(rows)
    assert lists(table) == rows
    assert table.lengths.tolist() == [len(row) for row in rows]
    with pytest.raises(IndexError):
        table[len(rows)]
    if rows:
        assert table[-1].tolist() == rows[-1]
        index = data.draw(st.lists(st.integers(0, len(rows) - 1)))
        assert lists(table.take(np.array(index, np.int64))) == [rows[i] for i in index]
    start, stop = data.draw(st.integers(-8, 8)), data.draw(st.integers(-8, 8))
    for step in (None, 1, 2, -1):
        assert lists(table[start:stop:step]) == rows[start:stop:step]


@given(st.lists(rows_strategy, min_size=1, max_size=3))
def test_concatenate_joins_rows(tables):
    joined = Ragged.concatenate([*map(ragged, tables)])
    assert lists(joined) == [row for rows in tables for row in rows]


@given(rows_strategy.map(lambda rows: [[abs(i) % 5 + 1 for i in row] for row in rows]))
def test_from_padded_drops_the_padding_wherever_it_stands(rows):
    width = max(map(len, rows), default=0) + 1
    right = [row + [0] * (width - len(row)) for row in rows]
    left = [[0] * (width - len(row)) + row for row in rows]
    shape = (len(rows), width)
    for padded in (right, left):
        array = np.array(padded, np.int32).reshape(shape)
        assert lists(Ragged.from_padded(array, ignore_ids=0)) == rows
        assert lists(Ragged.from_padded(array)) == padded
    lengths = [len(row) for row in rows]
    by_lengths = Ragged.from_padded(np.array(right, np.int16).reshape(shape), lengths=lengths)
    assert lists(by_lengths) == rows


@pytest.mark.parametrize(
    ("ids", "options", "error", "message"),
    [
        (np.zeros((2, 2)), {}, TypeError, "ids holds float64, expected integers"),
        (np.zeros(3, int), {}, ValueError, "ids has 1 dimensions"),
        (np.zeros((2, 3), int), {"lengths": [1, 4]}, ValueError, r"lengths\[1\] is 4 .* 3 wide"),
        (np.zeros((2, 3), int), {"lengths": [-1, 1]}, ValueError, r"lengths\[0\] is -1"),
        (np.zeros((2, 3), int), {"lengths": [1]}, ValueError, r"shape \(1,\) but ids has 2 rows"),
        (np.zeros((2, 3), int), {"lengths": [1, 1], "ignore_ids": 0}, ValueError, "both given"),
        (np.full((1, 1), 2**63, np.uint64), {}, ValueError, "9223372036854775808"),
    ],
)
def test_from_padded_refuses(ids, options, error, message):
    with pytest.raises(error, match=message):
        Ragged.from_padded(ids, **options)

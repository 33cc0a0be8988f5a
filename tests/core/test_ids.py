"""Token ids as training loops have them: special ids, and arrays of other libraries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vecbleu

ids_of_rows = st.lists(st.integers(-2, 6), min_size=5, max_size=5)
segments = st.tuples(ids_of_rows, ids_of_rows, ids_of_rows)
special = st.none() | st.integers(-2, 6)


def tokens(row, pad_id, eos_id, ignore_ids):
    """What is left of a row, in plain Python."""
    if eos_id in row:
        row = row[: row.index(eos_id)]
    return [one for one in row if one != pad_id and one not in ignore_ids]


@given(
    st.lists(segments, min_size=1, max_size=8),
    special,
    special,
    st.lists(st.integers(-2, 6), max_size=3),
)
def test_special_ids(corpus, pad_id, eos_id, ignore_ids):
    asked = {"pad_id": pad_id, "eos_id": eos_id, "ignore_ids": ignore_ids}
    ids = np.array(corpus, np.int32)
    kept = [[tokens(row, **asked) for row in segment] for segment in corpus]
    hypotheses = [own for own, *_ in kept]
    for references in (1, 2):
        expected = vecbleu.statistics(hypotheses, [some[: 1 + references][1:] for some in kept])
        sides = ids[:, 0], ids[:, 1 : 1 + references]
        assert vecbleu.statistics(*sides, **asked) == expected
        in_lists = [*sides[0]], [[*rows] for rows in sides[1]]
        assert vecbleu.statistics(*in_lists, **asked) == expected
    assert vecbleu.corpus_bleu(*sides, **asked) == vecbleu.corpus_bleu(
        hypotheses, [some[1:] for some in kept]
    )
    smoothed = vecbleu.sentence_bleu(*sides, smoothing="exp", **asked)
    assert smoothed.tolist() == vecbleu.bleu(expected, smoothing="exp").tolist()
    accumulator = vecbleu.Accumulator(**asked)
    accumulator.update(*sides)
    assert accumulator.state[1:].tolist() == expected.sum().to_array().tolist()


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
    expected = vecbleu.statistics(ids, others, pad_id=0)
    in_lists = [*map(array, ids)], [[*map(array, rows)] for rows in others]
    for sides in ((array(ids), array(others)), in_lists, (array(ids), others)):
        assert vecbleu.statistics(*sides, pad_id=0) == expected
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
        ([[1, 2]], [NUMBERS], r"references\[0\]\[0\] is ByArray; expected a token"),
        ([NUMBERS], [[1, 2]], "token .* is an array; pass rows as arrays"),
        ([[1, 2]], [[NUMBERS]], "token .* is an array; pass rows as arrays"),
        (memoryview(IDS), IDS, "hypotheses is memoryview.* expected a list, one entry"),
        (MASKED, IDS, LOST),
        (IDS, MASKED, LOST),
        ([MASKED[0]], IDS, LOST),
        (IDS, [MASKED[0]], LOST),
        (IDS, [[MASKED[0]]], LOST),
        (ByArray(MASKED), IDS, LOST),
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

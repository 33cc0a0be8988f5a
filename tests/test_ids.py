"""Token ids as training loops have them: special ids, and arrays of other libraries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vecbleu

rows = st.lists(st.lists(st.integers(-2, 6), min_size=5, max_size=5), min_size=1, max_size=8)


def tokens(row, pad_id, eos_id, ignore_ids):
    """What is left of a row, in plain Python."""
    if eos_id in row:
        row = row[: row.index(eos_id)]
    return [one for one in row if one != pad_id and one not in ignore_ids]


@given(
    rows,
    st.data(),
    st.none() | st.integers(-2, 6),
    st.none() | st.integers(-2, 6),
    st.lists(st.integers(-2, 6), max_size=3),
)
def test_special_ids(hypotheses, data, pad_id, eos_id, ignore_ids):
    size = len(hypotheses)
    row = st.lists(st.integers(-2, 6), min_size=5, max_size=5)
    several = data.draw(
        st.lists(st.lists(row, min_size=2, max_size=2), min_size=size, max_size=size)
    )
    asked = {"pad_id": pad_id, "eos_id": eos_id, "ignore_ids": ignore_ids}
    own = [tokens(one, **asked) for one in hypotheses]
    ids = np.array(hypotheses, np.int32)
    for references in ([one[:1] for one in several], several):
        expected = vecbleu.statistics(
            own, [[tokens(one, **asked) for one in row] for row in references]
        )
        assert vecbleu.statistics(ids, np.array(references), **asked) == expected
        arrays = [[np.array(one) for one in row] for row in references]
        assert vecbleu.statistics([*ids], arrays, **asked) == expected
    scores = vecbleu.sentence_bleu(ids, ids, smoothing="exp", **asked)
    assert scores.tolist() == vecbleu.sentence_bleu(own, [[one] for one in own],
                                                    smoothing="exp").tolist()  # fmt: skip


def test_scores_of_a_batch_take_all_options():
    ids = np.array([[5, 6, 7, 8, 1, 9], [5, 6, 0, 0, 0, 0]])
    asked = {"pad_id": 0, "eos_id": 1, "ignore_ids": [-100]}
    assert vecbleu.corpus_bleu(ids, ids, **asked).hyp_len == 6
    assert vecbleu.statistics(ids, ids, **asked).hyp_len.tolist() == [4, 2]
    scores = vecbleu.sentence_bleu(ids, ids, **asked, max_order=2, weights=(0.5, 0.5))
    assert scores.tolist() == [1.0, 1.0]


def test_blocks_of_special_ids(monkeypatch):
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 9, (50, 12))
    asked = {"pad_id": 0, "eos_id": 1, "ignore_ids": (2, 3)}
    expected = vecbleu.statistics(ids, ids[::-1], **asked)
    monkeypatch.setattr(vecbleu.corpus, "_BLOCK_SIZES", {"text": 40, "tokens": 9, "ids": 9})
    assert vecbleu.statistics(ids, ids[::-1], **asked) == expected
    assert vecbleu.statistics(ids, ids[::-1], workers=2, **asked) == expected


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"eos_id": "x"}, TypeError, "eos_id is 'x', expected an integer"),
        ({"eos_id": True}, TypeError, "eos_id is True, expected an integer"),
        ({"eos_id": 2**70}, ValueError, "eos_id is 1180591620717411303424, which is no 64-bit"),
        ({"ignore_ids": 3}, TypeError, "ignore_ids is int 3, expected a sequence of integers"),
        ({"ignore_ids": "12"}, TypeError, "ignore_ids is str '12', expected a sequence"),
        ({"ignore_ids": [1, 2.5]}, TypeError, r"ignore_ids\[1\] is 2.5, expected an integer"),
    ],
)
def test_special_ids_are_integers(options, error, message):
    ids = np.array([[1, 2]])
    for function in (vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        with pytest.raises(error, match=message):
            function(ids, ids, **options)


@pytest.mark.parametrize("option", [{"pad_id": 0}, {"eos_id": 0}, {"ignore_ids": [0]}])
def test_special_ids_are_for_arrays(option):
    for hypotheses, references in ((["a"], ["a"]), ([["a"]], [["a"]])):
        with pytest.raises(TypeError, match="pad_id, eos_id and ignore_ids are for integer arrays"):
            vecbleu.statistics(hypotheses, references, **option)


class ByArray:
    """What hands out an array in NumPy's way, as arrays of many libraries do."""

    def __init__(self, values):
        self.values = np.asarray(values)
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
    ids = rng.integers(0, 9, (6, 8))
    others = rng.integers(0, 9, (6, 3, 8))
    expected = vecbleu.statistics(ids, others, pad_id=0)
    assert vecbleu.statistics(array(ids), array(others), pad_id=0) == expected
    in_lists = [[array(one) for one in row] for row in others]
    assert vecbleu.statistics([*map(array, ids)], in_lists, pad_id=0) == expected
    assert vecbleu.statistics(array(ids), others, pad_id=0) == expected
    alone = vecbleu.statistics(ids, others[:, 0])
    assert vecbleu.statistics([*map(array, ids)], [*map(array, others[:, 0])]) == alone
    tokens = [[*map(int, row)] for row in ids]
    assert vecbleu.statistics(array(ids), [[*map(int, row)] for row in others[:, 0]]) == alone
    assert vecbleu.statistics(tokens, array(others[:, 0])) == alone


def test_arrays_that_can_not_be_read():
    ids = np.array([[1, 2]])
    with pytest.raises(TypeError, match="hypotheses is Elsewhere, which NumPy can't read"):
        vecbleu.statistics(Elsewhere(ids), ids)
    with pytest.raises(TypeError, match=r"references\[0\] is Elsewhere, .*device"):
        vecbleu.statistics(ids, [Elsewhere(ids[0])])
    with pytest.raises(TypeError, match=r"references\[0\]\[1\] is Elsewhere"):
        vecbleu.statistics(ids, [[ByArray(ids[0]), Elsewhere(ids[0])]])


def test_numbers_of_other_libraries_are_no_tokens():
    with pytest.raises(TypeError, match=r"references\[0\]\[0\] is ByArray; expected a token"):
        vecbleu.statistics([[1, 2]], [[ByArray(1), ByArray(2)]])


def test_numbers_of_tensors_are_no_tokens():
    numbers = [[ByArray(1), ByArray(2)]]
    for hypotheses, references in ((numbers, [[1, 2]]), ([[1, 2]], [numbers])):
        with pytest.raises(TypeError, match=r"token .* is an array; pass rows as arrays"):
            vecbleu.statistics(hypotheses, references)


def test_references_are_arrays_wherever_they_stand():
    row = ByArray([1, 2])
    expected = vecbleu.statistics([[1, 2], [1, 3]], [[[1, 2]], [[1, 2]]])
    for references in ([[row], [[1, 2]]], [[[1, 2]], [row]]):
        assert vecbleu.statistics([[1, 2], [1, 3]], references) == expected


def test_masks_are_refused():
    masked = np.ma.array([[1, 2, 0]], mask=[[0, 0, 1]])
    plain = np.array([[1, 2]])
    for sides in (
        (masked, plain),
        (plain, masked),
        ([masked[0]], plain),
        (plain, [masked[0]]),
        (plain, [[masked[0]]]),
        (ByMask(masked), plain),
    ):
        with pytest.raises(TypeError, match="is a masked array, whose mask would be lost"):
            vecbleu.statistics(*sides)


class ByMask:
    """What hands out an array that is masked."""

    def __init__(self, masked):
        self.masked = masked

    def __array__(self, dtype=None, copy=None):
        return self.masked


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


def test_views_of_memory_are_refused_by_name():
    view = memoryview(np.array([[1, 2]]))
    with pytest.raises(TypeError, match=r"hypotheses is memoryview.* expected a list, one entry"):
        vecbleu.statistics(view, np.array([[1, 2]]))


def test_rows_of_lists_and_of_tensors_stand_side_by_side():
    row = ByArray([1, 2])
    expected = vecbleu.statistics([[1, 2], [1, 2]], [[[1, 2], [1]], [[1, 2]]])
    for references in ([[[1, 2], ByArray([1])], [row]], [[row, [1]], [[1, 2]]]):
        for hypotheses in ([[1, 2], row], [row, [1, 2]], [row, row]):
            assert vecbleu.statistics(hypotheses, references) == expected

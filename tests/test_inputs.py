"""Every misuse of hypotheses, references and options: one clear error."""

from __future__ import annotations

import numpy as np
import pytest

import vecbleu
from vecbleu import Ragged

A = np.array([1, 2])

MISUSES = [
    # what is passed, the error, and what its message must name
    ((["a", "b"], ["a"]), ValueError, "hypotheses has 2 segments but references has 1"),
    ((["a", "b"], [["a", "b"]]), ValueError, "transposed .* pass list\\(zip"),
    (([["a"], ["b"]], [[["a"], ["b"]]]), ValueError, "transposed"),
    (("a b", "a b"), TypeError, "hypotheses is a single str"),
    ((["a"], "a"), TypeError, "references is a single str"),
    ((b"a", ["a"]), TypeError, "hypotheses is a single bytes"),
    (({"a"}, ["a"]), TypeError, "hypotheses is a single set"),
    (({"a": 1}, ["a"]), TypeError, "hypotheses is a single dict"),
    ((None, ["a"]), TypeError, "hypotheses is NoneType None"),
    ((["a"], None), TypeError, "references is NoneType None"),
    ((5, ["a"]), TypeError, "hypotheses is int 5"),
    ((np.array(5), ["a"]), TypeError, "hypotheses is an array without dimensions"),
    ((A, [A]), TypeError, "hypotheses is one 1-D integer array"),
    (([A], A[:1]), TypeError, r"references\[0\] is int64"),
    ((["a", None], ["a", "b"]), TypeError, r"hypotheses\[1\] is NoneType None but hypotheses\[0\]"),
    (([["a"], "b"], [["a"], ["b"]]), TypeError, r"hypotheses\[0\] is list .* hypotheses\[1\]"),
    ((["a", "b"], ["a", None]), TypeError, r"references\[1\] is NoneType None; hypotheses holds s"),
    ((["a"], [["b", 5]]), TypeError, r"references\[0\]\[1\] is int 5"),
    ((["a"], [[["b"]]]), TypeError, r"references\[0\]\[0\] is list"),
    ((["a", "b"], ["a", []]), ValueError, r"references\[1\] is empty: segment 1 has 0 references"),
    (([["a"], ["b"]], [[["a"]], []]), ValueError, r"references\[1\] is empty: segment 1 has 0 ref"),
    (([["a"]], ["a"]), TypeError, r"references\[0\] is str 'a', expected a sequence of tokens"),
    (([["a"]], [[["a"], "b"]]), TypeError, r"references\[0\]\[1\] is str 'b'"),
    (([["a"]], [["b", ["a"]]]), TypeError, r"references\[0\], reference 0: token \['a'\]"),
    (([["a"], [["b"]]], [["a"], ["b"]]), TypeError, r"hypotheses\[1\]: token \['b'\]"),
    (([["a"], 5], [["a"], ["b"]]), TypeError, r"hypotheses\[1\] is int 5"),
    (([b"ab"], [[[97]]]), TypeError, r"hypotheses\[0\] is bytes"),
    (([np.zeros((2, 2), int)], [A]), ValueError, r"hypotheses\[0\] is an array of 2 dimensions"),
    (([A], [np.zeros((2, 2, 2), int)]), ValueError, r"references\[0\]\[0\] is an array of 2 dim"),
    (([A], [np.zeros((0, 2), int)]), ValueError, r"references\[0\] is empty"),
    ((np.zeros((2, 3), int), np.zeros((3, 3), int)), ValueError, "has 2 segments .* has 3"),
    (
        (np.full((1, 1), 2**63, np.uint64), np.zeros((1, 1), int)),
        ValueError,
        "hypotheses holds the id 9223372036854775808",
    ),
    ((np.ma.masked_equal([[1, 0]], 0), [[1]]), TypeError, "hypotheses is a masked array"),
    (([["a"]], [[(x for x in "ab")]]), TypeError, r"references\[0\]\[0\] is generator"),
    (([["a"]], [[iter("ab"), iter("c")]]), TypeError, r"references\[0\]\[0\] is str_.*iterator"),
    (
        ([A, A], [[Ragged(A, np.array([0, 2]))], [[1]]]),
        TypeError,
        r"references\[0\]\[0\] is Ragged",
    ),
    ((["a"], [np.array("a")]), TypeError, r"references\[0\] is ndarray"),
    ((Ragged([1, 2], [0, 2]), [A]), TypeError, "other than two 1-D int64"),
    ((Ragged(A, np.array([0, 3])), [A]), ValueError, "hypotheses is a Ragged whose offsets"),
    ((Ragged(A, np.array([0, 2, 1, 2])), [A] * 3), ValueError, "do not rise from 0 to 2"),
    ((Ragged(A.astype(float), np.array([0, 2])), [A]), TypeError, "other than two 1-D int64"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), MISUSES)
@pytest.mark.parametrize(
    "function", [vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu]
)
def test_misuse(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(*arguments)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"tokenize": "14a"},
            ValueError,
            "tokenize is '14a', expected one of 13a, char",
        ),
        ({"tokenize": None}, ValueError, "tokenize is None"),
        ({"max_order": 0}, ValueError, "max_order is 0, expected 1 to 10000"),
        ({"max_order": 2.5}, TypeError, "max_order is 2.5, expected an integer"),
        ({"ref_length": "nearest"}, ValueError, "expected one of closest, shortest, average, long"),
        ({"pad_id": 0}, TypeError, "pad_id, eos_id and ignore_ids are for integer arrays"),
        ({"tokenize": str.upper}, TypeError, r"hypotheses\[0\]: tokenize returned str"),
        ({"tokenize": lambda s: [[s]]}, TypeError, r"hypotheses\[0\]: tokenize returned the tok"),
        ({"tokenize": lambda s: [None]}, TypeError, "returned the token None, expected strings"),
        ({"tokenize": ["13a"]}, ValueError, r"tokenize is \['13a'\]"),
        ({"ref_length": ["x"]}, ValueError, r"ref_length is \['x'\]"),
        ({"lowercase": "no"}, TypeError, "lowercase is 'no', expected True or False"),
        ({"max_order": True}, TypeError, "max_order is True, expected an integer"),
        ({"max_order": "4"}, TypeError, "max_order is '4', expected an integer"),
    ],
)
def test_options(options, error, message):
    for function in (vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        with pytest.raises(error, match=message):
            function(["a b"], [["a", "b"]], **options)


@pytest.mark.parametrize("pad_id", ["x", 1.5, float("nan"), [1], [1, 2, 3, 4], True])
def test_padding_ids_are_integers(pad_id):
    ids = np.array([[1, 2]])
    for call in (vecbleu.statistics, lambda h, _, pad_id: Ragged.from_padded(h, pad_id=pad_id)):
        with pytest.raises(TypeError, match=r"pad_id is .*, expected an integer"):
            call(ids, ids, pad_id=pad_id)
    with pytest.raises(ValueError, match=r"pad_id is 1180591620717411303424"):
        vecbleu.statistics(ids, ids, pad_id=2**70)


def test_orders_of_narrow_types_count_in_wide_ones():
    stats = vecbleu.statistics(["a " * 500], ["a"], max_order=np.int8(4))
    assert stats == vecbleu.statistics(["a " * 500], ["a"])
    assert vecbleu.statistics(["a b"], ["a b"], max_order=np.uint64(2)).max_order == 2


def test_a_wrong_number_of_references_is_not_taken_for_streams():
    with pytest.raises(ValueError, match=r"has 2 segments but references has 3$"):
        vecbleu.statistics([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"], ["e", "f"]])
    with pytest.raises(ValueError, match=r"has 1 segments but references has 0$"):
        vecbleu.statistics(["a"], [])


def test_lowercase_is_refused_where_there_are_no_strings():
    with pytest.raises(ValueError, match="lowercase is for strings"):
        vecbleu.statistics([["A"]], [["a"]], lowercase=True)


def test_errors_name_the_segment_of_the_corpus_not_of_a_block(monkeypatch):
    monkeypatch.setattr(vecbleu.corpus, "_BLOCK_SIZES", {"text": 4, "tokens": 4, "ids": 4})
    hypotheses = [["a", "b", "c"]] * 9 + [["a", ["b"]]]
    with pytest.raises(TypeError, match=r"hypotheses\[9\]: token"):
        vecbleu.statistics(hypotheses, [[["a"]]] * 10)
    hypotheses = [["a", "b", "c"]] * 10
    references = [[["a"], ["b"]]] * 9 + [[["a"], ["b", {}]]]
    with pytest.raises(TypeError, match=r"references\[9\], reference 1: token {}"):
        vecbleu.statistics(hypotheses, references)


def test_an_error_of_the_users_tokenizer_is_not_touched():
    class OwnError(Exception):
        pass

    def tokenize(string):
        raise OwnError(string)

    with pytest.raises(OwnError, match="a b"):
        vecbleu.statistics(["a b"], ["a"], tokenize=tokenize)

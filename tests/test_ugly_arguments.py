"""Arguments that nobody should pass: errors in words of ours, and never a bare one of another's."""

from __future__ import annotations

from collections import UserList
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import vecbleu
import vecbleu.analysis
import vecbleu.huggingface
import vecbleu.sacrebleu

HUGE = 10**400
BAD_RAGGED = vecbleu.Ragged(np.zeros(0, np.int64), np.zeros(0, np.int64))  # no offset at all


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"smoothing_value": HUGE}, ValueError, "smoothing_value is inf, expected a finite"),
        ({"smoothing_value": -HUGE}, ValueError, "smoothing_value is -inf, expected a finite"),
        ({"smoothing_value": Fraction(HUGE, 3)}, ValueError, "smoothing_value is inf, expected"),
        ({"weights": [HUGE]}, ValueError, r"weights has the set \(inf,\), expected finite"),
        ({"weights": [1, Fraction(-HUGE)]}, ValueError, r"weights has the set \(1.0, -inf\)"),
        ({"effective_order": np.zeros(2)}, TypeError, "effective_order is array.* True or False"),
        ({"effective_order": "no"}, TypeError, "effective_order is 'no', expected True or False"),
    ],
)
def test_options(options, error, message):
    given = {"smoothing": "floor"} | options
    rows = vecbleu.statistics(["a b"], ["a b"])
    for call in (
        lambda: vecbleu.corpus_bleu(["a b"], ["a b"], **given),
        lambda: vecbleu.bleu(rows, **given),
        lambda: vecbleu.analysis.score_buckets([rows], **given),
    ):
        with pytest.raises(error, match=message):
            call()


def test_values_that_a_float_can_hold_are_options():
    for value in (Fraction(1, HUGE), Fraction(HUGE, HUGE - 1), np.float32(0.5)):
        same = vecbleu.corpus_bleu(["a b"], ["a"], smoothing="floor", smoothing_value=float(value))
        given = vecbleu.corpus_bleu(["a b"], ["a"], smoothing="floor", smoothing_value=value)
        assert given == same


@pytest.mark.parametrize("kind", [list, tuple, UserList])
@pytest.mark.parametrize(
    ("tokens", "bad"),
    [
        ([Decimal(3), np.int64(3)], r"np.int64\(3\)"),
        (["a", memoryview(bytearray(b"x"))], "<memory at .*>"),
        ([3, [4]], r"\[4\]"),
    ],
)
def test_tokens_that_have_no_hash_or_can_not_be_compared(kind, tokens, bad):
    good = [kind("ab"), kind([1, 2.5])]
    for sides, name in (
        (([*good, kind(tokens)], [*good, kind("c")]), r"hypotheses\[2\]"),
        (([*good, kind("c")], [*good, [kind("d"), kind(tokens)]]), r"references\[2\], reference 1"),
    ):
        with pytest.raises(TypeError, match=f"^{name}: token {bad} can't be used: "):
            vecbleu.statistics(*sides)


def test_labels_that_are_equal_and_not_the_same():
    rows = vecbleu.statistics(["a b"] * 6, ["a b", "c d"] * 3)
    labels = [1, True, np.True_, np.int64(1), 0, False]
    found = vecbleu.analysis.score_buckets([rows], labels)
    assert [*map(repr, found.labels)] == ["1", "True", "0", "False"]
    assert found.sizes.tolist() == [2, 2, 1, 1]


@pytest.mark.parametrize(
    "value",
    [np.array(5), np.array("a"), np.ma.masked, memoryview(np.zeros((2, 2)))],
    ids=lambda value: type(value).__name__,
)
def test_what_can_not_be_iterated_over(value):
    calls = {
        "hypotheses": [
            lambda: vecbleu.statistics(value, ["a"]),
            lambda: vecbleu.sacrebleu.corpus_bleu(value, [["a"]]),
        ],
        "references": [
            lambda: vecbleu.statistics(["a"], value),
            lambda: vecbleu.sacrebleu.corpus_bleu(["a"], value),
            lambda: vecbleu.huggingface.compute(predictions=["a"], references=value),
        ],
        r"references\[0\]": [
            lambda: vecbleu.statistics(["a"], [value]),
            lambda: vecbleu.statistics([["a"]], [value]),
            lambda: vecbleu.sacrebleu.corpus_bleu(["a"], [value]),
        ],
        "predictions": [lambda: vecbleu.huggingface.compute(predictions=value, references=["a"])],
    }
    for name, some in calls.items():
        for call in some:
            with pytest.raises((TypeError, ValueError), match=f"{name}.* (is|has|holds) "):
                call()


def test_a_ragged_without_offsets():
    for sides in ((BAD_RAGGED, [[1]]), ([[1]], BAD_RAGGED)):
        with pytest.raises(ValueError, match="is a Ragged whose offsets do not rise from 0 to 0"):
            vecbleu.statistics(*sides)
    with pytest.raises(TypeError, match=r"hypotheses\[0\] is Ragged .*, expected a sequence"):
        vecbleu.statistics([BAD_RAGGED], [[1]])


def test_a_length_of_time_is_no_integer():
    day = np.timedelta64(1, "D")
    with pytest.raises(TypeError, match=r"max_order is np\.timedelta64.*, expected an integer"):
        vecbleu.corpus_bleu(["a"], ["a"], max_order=day)
    with pytest.raises(TypeError, match=r"pad_id is np\.timedelta64.*, expected an integer"):
        vecbleu.corpus_bleu([[1]], [[1]], pad_id=day)


def test_a_series_that_pandas_can_not_read():
    pa, pd = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    if not hasattr(pa, "string_view"):
        pytest.skip("needs an Arrow that has views of strings")
    views = pd.Series(pd.arrays.ArrowExtensionArray(pa.array(["a b", "c"], pa.string_view())))
    assert vecbleu.statistics(views, ["a b", "c"]).matches[:, 0].tolist() == [2, 1]
    assert vecbleu.statistics(["a b", "c"], views).matches[:, 0].tolist() == [2, 1]

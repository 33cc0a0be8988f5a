"""Every misuse of hypotheses, references and options: one clear error."""

from __future__ import annotations

import gc
import inspect
import math
import re
from concurrent.futures import Executor
from itertools import product

import numpy as np
import pytest

import vecbleu
from vecbleu import Ragged
from vecbleu.significance import bootstrap

FUNCTIONS = [vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu]
A = np.array([1, 2], np.int64)

MISUSES = [
    # what is passed, the error, and what its message must name
    ((["a", "b"], ["a"]), ValueError, "hypotheses has 2 segments but references has 1"),
    ((["a", "b"], [["a", "b"]]), ValueError, "transposed .* pass list\\(zip"),
    (([["a"], ["b"]], [[["a"], ["b"]]]), ValueError, "transposed"),
    (([["a"], ["b"]], [["a"], ["b"], ["c"]]), ValueError, "2 segments but references has 3$"),
    (([["a", "b"]] * 2, [["a", "b"]] * 3), ValueError, "2 segments but references has 3$"),
    ((["a"], []), ValueError, "has 1 segments but references has 0"),
    (("a b", "a b"), TypeError, "hypotheses is a single str"),
    ((["a"], "a"), TypeError, "references is a single str"),
    ((b"a", ["a"]), TypeError, "hypotheses is a single bytes"),
    (({"a"}, ["a"]), TypeError, "hypotheses is a single set"),
    (({"a": 1}, ["a"]), TypeError, "hypotheses is a single dict"),
    ((None, ["a"]), TypeError, "hypotheses is NoneType None"),
    ((["a"], None), TypeError, "references is NoneType None"),
    ((5, ["a"]), TypeError, "hypotheses is int 5"),
    ((np.array(5), ["a"]), TypeError, r"hypotheses is ndarray array\(5\); exp"),
    ((A, [A]), TypeError, "hypotheses is one 1-D integer array"),
    (([A], A[:1]), TypeError, r"references\[0\] is int(32|64) "),
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
    ((np.full((1, 1), 2**63, np.uint64), [A]), ValueError, "holds the id 9223372036854775808"),
    ((np.ma.masked_equal([[1, 0]], 0), [[1]]), TypeError, "hypotheses is a masked array"),
    (([["a"]], [[(x for x in "ab")]]), TypeError, r"references\[0\]\[0\] is generator"),
    (([["a"]], [[iter("ab"), iter("c")]]), TypeError, r"references\[0\]\[0\] is str_.*iterator"),
    (([A, A], [[Ragged(A, A - 1)], [[1]]]), TypeError, r"references\[0\]\[0\] is Ragged"),
    ((["a"], [np.array("a")]), TypeError, r"references\[0\] is ndarray"),
    ((Ragged([1, 2], [0, 2]), [A]), TypeError, "other than two 1-D int64"),
    ((Ragged(A, np.int64([0, 3])), [A]), ValueError, "hypotheses is a Ragged whose offsets"),
    ((Ragged(A, np.int64([0, 2, 1, 2])), [A] * 3), ValueError, "do not rise from 0 to 2"),
    ((Ragged(A.astype(float), np.array([0, 2])), [A]), TypeError, "other than two 1-D int64"),
]


STRINGS, TOKENS = (["a b"], [["a", "b"]]), ([["a"]], [["a"]])
FOR_IDS = "ignore_ids and eos_id are for integer ids"


@pytest.mark.parametrize(
    ("sides", "options", "error", "message"),
    [
        *((sides, {}, error, message) for sides, error, message in MISUSES),
        (STRINGS, {"tokenize": str.upper}, TypeError, r"hypotheses\[0\]: tokenize returned str"),
        (STRINGS, {"tokenize": lambda s: [[s]]}, TypeError, r"hypotheses\[0\]: .* the token \["),
        (STRINGS, {"tokenize": lambda s: [None]}, TypeError, "the token None, expected strings"),
        (STRINGS, {"tokenize": lambda s: 1 / 0}, ZeroDivisionError, "^division by zero"),
        (TOKENS, {"lowercase": True}, ValueError, "lowercase is for strings"),
        (STRINGS, {"ignore_ids": 0}, TypeError, FOR_IDS),
        (STRINGS, {"eos_id": 0}, TypeError, FOR_IDS),
        (TOKENS, {"ignore_ids": [0]}, TypeError, FOR_IDS),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_misuse(function, sides, options, error, message):
    with pytest.raises(error, match=message):
        function(*sides, **options)


SPECIAL = "ignore_ids", "eos_id"
# Options are checked in one place, before files or segments are read.
CALLS = dict.fromkeys(FUNCTIONS, (["a", "b"], ["a", 3])) | {
    vecbleu.file_statistics: ("none", "none"),
    vecbleu.Accumulator: (),
    vecbleu.bleu: ([2, 2, 1, 1, 1, 1, 2, 1, 1, 1],),
    Ragged.from_padded: ([[1, 2]],),
    bootstrap: (vecbleu.statistics(["a"], ["a"]),),
}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tokenize": "14a"}, ValueError, "tokenize is '14a', expected one of 13a, char"),
        ({"tokenize": None}, ValueError, "tokenize is None, expected one of 13a"),
        ({"tokenize": ["13a"]}, ValueError, r"tokenize is \['13a'\]"),
        ({"max_order": 0}, ValueError, "max_order is 0, expected 1 to 100"),
        *(
            ({name: value}, TypeError, re.escape(f"{name} is {value!r}, expected an integer"))
            for name, value in product(["max_order"], ["4", 1.5, True, [1, 2]])
        ),
        *(({name: 2**70}, ValueError, f"{name} is {2**70}, which is no 64") for name in SPECIAL),
        ({"ref_length": "nearest"}, ValueError, "expected one of closest, shortest, longest"),
        ({"ref_length": ["x"]}, ValueError, r"ref_length is \['x'\]"),
        ({"lowercase": "no"}, TypeError, "lowercase is 'no', expected True or False"),
        *(({name: value}, TypeError, name) for name, value in product(SPECIAL, [1.5, True, "12"])),
        *(({name: [1, 2.5]}, TypeError, rf"{name}\[1\] is 2.5") for name in SPECIAL),
        ({"ignore_ids": None}, TypeError, "ignore_ids is None"),
        ({"ignore_ids": {1: 2}}, TypeError, "ignore_ids is dict {1: 2}"),
        ({"workers": 0}, ValueError, "workers is 0, expected at least 1"),
        ({"workers": -1}, ValueError, "workers is -1"),
        ({"workers": True}, TypeError, "workers is True, expected an integer, a conc"),
        ({"workers": 2.0}, TypeError, r"workers is 2\.0"),
        ({"workers": Executor}, TypeError, "workers is <class .*Executor'>, expected an integer"),
        ({"progress": 1}, TypeError, "progress is 1, expected True, False or None"),
        ({"progress": "yes"}, TypeError, "progress is 'yes', expected True, False or None"),
        ({"smoothing": "x"}, ValueError, "is 'x', expected one of none, floor, add-k, exp"),
        ({"smoothing": ["exp"]}, ValueError, r"smoothing is \['exp'\]"),
        ({"smoothing": "exp", "smoothing_value": 1}, ValueError, "is 1 but smoothing 'exp'"),
        ({"smoothing": "floor", "smoothing_value": -1}, ValueError, "smoothing_value is -1"),
        ({"smoothing": "floor", "smoothing_value": math.nan}, ValueError, "smoothing_value is nan"),
        ({"smoothing": "floor", "smoothing_value": "1"}, TypeError, "smoothing_value is '1', exp"),
        ({"weights": [0.2] * 5}, ValueError, "weights has 5, expected 1 to 4"),
        ({"weights": []}, ValueError, "weights has 0"),
        ({"weights": [(1,), (0.5, 0.5)]}, TypeError, "weights has 2 sets"),
        ({"weights": [0.5, -0.5]}, ValueError, r"weights\[1\] is -0.5"),
        ({"weights": [math.inf]}, ValueError, r"weights\[0\] is inf"),
        ({"weights": "1111"}, TypeError, "weights is '1111', expected a sequence of numbers"),
        ({"weights": 0.5}, TypeError, "weights is 0.5, expected a sequence"),
        ({"weights": {1: 1.0}}, TypeError, "weights is {1: 1.0}, expected a sequence"),
        ({"weights": ["0.5", "0.5"]}, TypeError, r"weights\[0\] is '0.5', expected a number"),
        ({"weights": [0.5, (1.0,)]}, TypeError, r"weights\[1\] is \(1.0,\), expected a number"),
    ],
)
def test_options(options, error, message):
    takers = [one for one in CALLS if options.keys() <= {*inspect.signature(one).parameters}]
    assert takers
    for function in takers:
        with pytest.raises(error, match=message):
            function(*CALLS[function], **options)


def test_orders_of_narrow_types_count_in_wide_ones():
    stats = vecbleu.statistics(["a " * 500], ["a"], max_order=np.int8(4))
    assert stats == vecbleu.statistics(["a " * 500], ["a"])
    assert vecbleu.statistics(["a b"], ["a b"], max_order=np.uint64(2)).max_order == 2


def objects(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


WRAPPED = {
    "lists": lambda units: [[unit] for unit in units],
    "tuples": lambda units: [(unit,) for unit in units],
    "both": lambda units: [(unit,) if n % 2 else [unit] for n, unit in enumerate(units)],
    "an array of lists": lambda units: objects([[unit] for unit in units]),
    "lists of arrays": lambda units: [objects([unit]) for unit in units],
}
TEXT_LAYOUTS = WRAPPED | {
    "some in lists": lambda units: [unit if n % 2 else [unit] for n, unit in enumerate(units)],
    "2-D objects": lambda units: objects(units)[:, None],
    "2-D strings": lambda units: np.array(units)[:, None],
    "of subclasses": lambda units: [[type("Line", (str,), {})(unit)] for unit in units],
}
TOKEN_LAYOUTS = {name: WRAPPED[name] for name in ("lists", "tuples", "an array of lists")} | {
    "flat": list,
    "flat tuples": lambda units: [*map(tuple, units)],
    "tuples of tuples": lambda units: [(tuple(unit),) for unit in units],
}
# More than are looked at at once, so that a layout can change behind the first ones.
LINES = [f"a b c {number % 7} d" for number in range(2500)]


@pytest.mark.parametrize("name", TEXT_LAYOUTS)
def test_layouts_of_strings(name):
    references = [line.replace("c", "b") for line in LINES]
    expected = vecbleu.statistics(LINES, references)
    made = TEXT_LAYOUTS[name](references)
    assert vecbleu.statistics(LINES, made) == expected
    score = vecbleu.corpus_bleu(LINES, references)
    assert vecbleu.corpus_bleu(LINES, made).to_dict() == score.to_dict()
    twice = [[line, other] for line, other in zip(references, LINES, strict=True)]
    mixed = [*made[:1200], *twice[1200:]]
    rows = vecbleu.statistics(LINES, mixed)
    assert rows[:1200].array.tolist() == expected[:1200].array.tolist()
    assert rows[1200:].matches.tolist() == rows[1200:].totals.tolist()


@pytest.mark.parametrize("kind", [str, int])
@pytest.mark.parametrize("name", TOKEN_LAYOUTS)
def test_layouts_of_tokens(name, kind):
    numbers = {"a": 1, "b": 2, "c": 3, "d": 4}
    hypotheses = [line.split() for line in LINES]
    if kind is int:
        hypotheses = [[numbers.get(token, 5) for token in tokens] for tokens in hypotheses]
    references = [tokens[1:] for tokens in hypotheses]
    expected = vecbleu.statistics(hypotheses, [[tokens] for tokens in references])
    assert vecbleu.statistics(hypotheses, TOKEN_LAYOUTS[name](references)) == expected
    assert expected.ref_len.tolist() == [4] * len(LINES)


@pytest.mark.parametrize("place", [0, 1023, 1024, 2400])
@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ([], ValueError, r"references\[{}\] is empty"),
        (None, TypeError, r"references\[{}\] is NoneType None"),
        (["a", 5], TypeError, r"references\[{}\]\[1\] is int 5"),
        ([None], TypeError, r"references\[{}\]\[0\] is NoneType None"),
        (np.array("a"), TypeError, r"references\[{}\] is ndarray"),
    ],
)
def test_errors_name_the_segment_in_every_layout(place, wrong, error, message):
    for made in (list, *map(TEXT_LAYOUTS.get, ("lists", "tuples", "some in lists"))):
        references = made(LINES)
        references[place] = wrong
        for function in FUNCTIONS:
            with pytest.raises(error, match=message.format(place)):
                function(LINES, references)


@pytest.mark.parametrize("name", ["lists", "tuples", "an array of lists"])
def test_nothing_is_allocated_that_the_garbage_collector_follows(name):
    size = 100_000
    made = TEXT_LAYOUTS[name](["a b"] * size)
    vecbleu.statistics(["a b"], made[:1], workers=1)  # imports what it needs
    gc.collect()
    before = gc.get_stats()[0]["collections"]
    vecbleu.statistics(["a b"] * size, made, tokenize="none", workers=1)
    least = gc.get_threshold()[0]
    assert gc.get_stats()[0]["collections"] - before < size / least / 10

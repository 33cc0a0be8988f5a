"""`BleuScore`: whatever takes a float takes it as its number, and it keeps its parts."""

from __future__ import annotations

import array
import copy
import csv
import io
import json
import math
import operator
import pickle
import statistics
from decimal import Decimal
from fractions import Fraction

import numpy as np
import oracle
import pytest
import sacrebleu
from peers import same_digits

import vecbleu
from vecbleu import BleuScore

HYPOTHESES = ["the cat sat on the mat", "a dog barked"]
REFERENCES = ["the cat sat on a mat", "the dog barked"]
PEER = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], smooth_method="none")


SCORE = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES)
OTHER = vecbleu.corpus_bleu(HYPOTHESES, HYPOTHESES)
NUMBER, HIGHER = float(SCORE), float(OTHER)
_PRECISIONS = "/".join(f"{precision / 100:.4f}" for precision in PEER.precisions)
LINE = f"BLEU = {PEER.score / 100:.4f} {_PRECISIONS} {PEER._verbose.partition(' ')[2]}"


def test_the_number_is_sacrebleus():
    assert same_digits(SCORE.percent, PEER.score)
    assert SCORE == SCORE.score == SCORE.percent / 100
    assert type(NUMBER) is type(SCORE.score) is float
    rows = [
        oracle.row(one.split(), [other.split()], 4, "closest")
        for one, other in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    total = [sum(column) for column in zip(*rows, strict=True)]
    assert [SCORE.hyp_len, SCORE.ref_len, *SCORE.matches, *SCORE.totals] == total


def test_text_is_that_of_a_float_but_for_the_prompt():
    shown = repr(NUMBER)
    assert [str(SCORE), f"{SCORE}", "%s" % SCORE] == [shown] * 3  # noqa: UP031
    for spec in (".3f", ">30", ".1%", "e", "g", "+.2f", "010.4f"):
        assert format(SCORE, spec) == format(NUMBER, spec)
    assert repr(SCORE) == f"{SCORE!r}" == LINE
    file = io.StringIO()
    print(SCORE, file=file)
    assert file.getvalue() == f"{shown}\n"


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv]
OPERATORS += [operator.mod, operator.pow]


def test_arithmetic_gives_plain_floats():
    for one, other in ((SCORE, OTHER), (SCORE, 2), (3, SCORE), (SCORE, 0.5)):
        for operate in OPERATORS:
            found = operate(one, other)
            assert type(found) is float
            assert found == operate(float(one), float(other))
    for operate in (operator.neg, operator.pos, abs, float, lambda one: round(one, 2), sum_of_two):
        assert type(operate(SCORE)) is float
        assert operate(SCORE) == operate(NUMBER)
    assert round(SCORE) == round(NUMBER)
    assert type(SCORE.real) is type(SCORE.conjugate()) is float


def sum_of_two(one):
    return sum([one, one])


def test_comparisons_and_hashes_are_those_of_the_number():
    assert SCORE == NUMBER
    assert SCORE < OTHER
    assert SCORE > 0.4
    assert SCORE != OTHER
    assert hash(SCORE) == hash(NUMBER)
    assert {SCORE, NUMBER} == {NUMBER}
    assert sorted([OTHER, SCORE]) == [SCORE, OTHER]
    assert max(SCORE, OTHER) is OTHER
    assert math.isclose(SCORE, NUMBER)
    assert bool(SCORE)
    assert not vecbleu.corpus_bleu(["a"], ["b"])
    assert pytest.approx(SCORE) == NUMBER


@pytest.mark.parametrize(
    "average",
    [
        statistics.mean,
        statistics.fmean,
        statistics.stdev,
        statistics.variance,
        statistics.geometric_mean,
        math.fsum,
        np.mean,
        np.median,
        np.std,
    ],
)
def test_averages_are_those_of_the_numbers(average):
    scores, numbers = [SCORE, OTHER, SCORE, 0.25], [NUMBER, HIGHER, NUMBER, 0.25]
    assert average(scores) == average(numbers)
    assert not isinstance(average(scores), BleuScore)
    assert not isinstance(average([SCORE, SCORE]), BleuScore)


def test_what_is_chosen_keeps_its_parts():
    assert statistics.median([SCORE, OTHER, 0.0]) is SCORE
    assert statistics.median([SCORE, OTHER]) == statistics.median([NUMBER, HIGHER])


def test_a_score_without_its_parts_is_a_plain_float():
    """As `statistics` makes means of fractions."""
    for number in (0.5, Fraction(1, 2), Decimal("0.5"), np.float64(0.5)):
        assert type(BleuScore(number)) is float
        assert BleuScore(number) == 0.5
    assert BleuScore.fromhex("0x1p-1") == 0.5
    with pytest.raises(TypeError, match="precisions is None but percent is given"):
        BleuScore(0.5, 50.0)
    *parts, signature = SCORE.__reduce__()[1]
    with pytest.raises(TypeError, match="percent is None but signature is given"):
        BleuScore(0.5, signature=signature)
    with pytest.raises(TypeError, match="signature is None but percent is given"):
        BleuScore(*parts, signature=None)


def test_other_kinds_of_numbers():
    assert Decimal(SCORE) == Decimal(NUMBER)
    assert Fraction(SCORE) == Fraction(NUMBER)
    assert SCORE.as_integer_ratio() == NUMBER.as_integer_ratio()
    assert array.array("d", [SCORE]) == array.array("d", [NUMBER])
    for made in (
        np.array([SCORE, OTHER]),
        np.asarray([SCORE, 1]),
        np.full(2, SCORE),
        SCORE * np.ones(2),
    ):
        assert made.dtype == np.float64
        assert made[0] == NUMBER
    assert np.asarray(SCORE).shape == ()
    assert np.float32(SCORE) == np.float32(NUMBER)


def test_serializers_write_the_number():
    for options in ({}, {"indent": 1}, {"sort_keys": True}):
        assert json.dumps({"a": [SCORE]}, **options) == json.dumps({"a": [NUMBER]}, **options)
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
        ours, theirs = io.StringIO(), io.StringIO()
        csv.writer(ours, quoting=quoting).writerow(["a", SCORE])
        csv.writer(theirs, quoting=quoting).writerow(["a", NUMBER])
        assert ours.getvalue() == theirs.getvalue()


def test_frames_of_pandas():
    pandas = pytest.importorskip("pandas")
    for frame in (
        pandas.DataFrame({"bleu": [SCORE, OTHER]}),
        pandas.DataFrame([{"bleu": SCORE}, {"bleu": OTHER}]),
        pandas.Series([SCORE, OTHER], name="bleu").to_frame(),
    ):
        assert frame["bleu"].dtype == np.float64
        assert frame["bleu"].tolist() == [NUMBER, HIGHER]
    parts = pandas.DataFrame([SCORE.to_dict(), OTHER.to_dict()])
    assert parts["percent"].tolist() == [SCORE.percent, OTHER.percent]


def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    for frame in (
        polars.DataFrame({"bleu": [SCORE, OTHER]}),
        polars.DataFrame([{"bleu": SCORE}, {"bleu": OTHER}]),
        polars.DataFrame({"bleu": polars.Series([None, SCORE, OTHER]).drop_nulls()}),
    ):
        assert frame["bleu"].dtype == polars.Float64
        assert frame["bleu"].to_list() == [NUMBER, HIGHER]
    parts = polars.DataFrame([SCORE.to_dict()])
    assert parts["matches"].to_list() == [[*SCORE.matches]]


def test_arrays_of_pyarrow():
    pa = pytest.importorskip("pyarrow")
    assert pa.array([SCORE, OTHER]).type == pa.float64()
    assert pa.Table.from_pylist([{"bleu": SCORE}]).to_pylist() == [{"bleu": NUMBER}]


def test_yaml_takes_the_number_and_the_parts():
    """`safe_dump` takes no subclass of any type; the parts and the plain number it does."""
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(yaml.safe_dump({"bleu": float(SCORE)})) == {"bleu": NUMBER}
    assert yaml.safe_load(yaml.safe_dump(SCORE.to_dict())) == SCORE.to_dict()


def test_parts_as_plain_values():
    parts = SCORE.to_dict()
    assert json.loads(json.dumps(parts)) == parts
    assert [type(parts[name]) for name in ("score", "percent")] == [float, float]
    for name in ("percent", "brevity_penalty", "hyp_len", "ref_len", "ratio"):
        assert parts[name] == getattr(SCORE, name)
    for name in ("precisions", "percent_precisions", "matches", "totals"):
        assert parts[name] == [*getattr(SCORE, name)]
    assert parts["score"] == NUMBER
    assert parts["signature"] == str(SCORE.signature)


COPIES = [copy.copy, copy.deepcopy]
COPIES += [
    lambda score, protocol=protocol: pickle.loads(pickle.dumps(score, protocol))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
]


@pytest.mark.parametrize("copied", COPIES)
def test_copies_and_pickles_have_all_parts(copied):
    made = copied(SCORE)
    assert type(made) is BleuScore
    assert made.to_dict() == SCORE.to_dict()
    assert made.signature == SCORE.signature
    assert repr(made) == LINE


@pytest.mark.parametrize("name", ["percent", "score", "matches", "signature", "ratio", "other"])
def test_nothing_can_be_assigned(name):
    before = SCORE.to_dict()
    with pytest.raises(AttributeError, match=f"'{name}'"):
        setattr(SCORE, name, 1)
    with pytest.raises(AttributeError, match=f"'{name}'"):
        delattr(SCORE, name)
    assert not hasattr(SCORE, "__dict__")
    assert SCORE.to_dict() == before


def signature_of(score):
    return score.signature.format(version=False)


def test_signatures_of_text_are_sacrebleus():
    references = [[one, one] for one in REFERENCES]
    for smoothing, value in (("exp", None), ("floor", 0.1), ("add-k", 2), ("none", None)):
        for lowercase, effective, tokenize in ((False, False, "13a"), (True, True, "intl")):
            options = {"lowercase": lowercase, "effective_order": effective, "tokenize": tokenize}
            peer = sacrebleu.BLEU(smooth_method=smoothing, smooth_value=value, **options)
            peer.corpus_score(HYPOTHESES, [REFERENCES] * 2)
            ours = vecbleu.corpus_bleu(
                HYPOTHESES, references, smoothing=smoothing, smoothing_value=value, **options
            ).signature
            theirs = peer.get_signature()
            version = f"vecbleu-{vecbleu.__version__}"
            assert str(ours) == str(theirs).replace(sacrebleu.__version__, version)
            short = theirs.format(short=True).replace(sacrebleu.__version__, version)
            assert ours.format(short=True) == short


@pytest.mark.parametrize(
    ("given", "options", "expected"),
    [
        ((["a"], [["a", "b"]]), {}, "nrefs:2|case:mixed|eff:no|tok:13a|smooth:none"),
        ((["a", "b"], [["a", "b"], "a"]), {}, "nrefs:var|case:mixed|eff:no|tok:13a|smooth:none"),
        ((["a", "b"], [["a", "b"], ["a"]]), {}, "nrefs:var|case:mixed|eff:no|tok:13a|smooth:none"),
        (([], []), {}, "eff:no|smooth:none"),
        (([["a"]], [["a"]]), {}, "nrefs:1|eff:no|smooth:none"),
        ((np.array([[1, 2]]), np.array([[[1, 2], [2, 1]]])), {}, "nrefs:2|eff:no|smooth:none"),
        ((["a"], ["a"]), {"tokenize": str.split}, "nrefs:1|case:mixed|eff:no|smooth:none"),
        (
            (["a"], ["a"]),
            {"max_order": 2, "ref_length": "shortest"},
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:none|max_order:2|ref_length:shortest",
        ),
        (
            (["a"], ["a"]),
            {"weights": [0.75, 0.25]},
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:none|weights:0.75/0.25",
        ),
        (
            (["a"], ["a"]),
            {"smoothing": "skip-zero"},
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:skip-zero",
        ),
        (
            (["a"], vecbleu.SharedReferences(["a", "b", "c"])),
            {},
            "nrefs:3|case:mixed|eff:no|tok:13a|smooth:none",
        ),
    ],
)
def test_signatures_leave_out_what_is_not_known(given, options, expected):
    assert signature_of(vecbleu.corpus_bleu(*given, **options)) == expected


def test_signatures_of_columns():
    pa = pytest.importorskip("pyarrow")
    for references, number in (
        (REFERENCES, "1"),
        ([REFERENCES] * 2, "2"),
        ([["a"], ["a", "b"]], "var"),
    ):
        score = vecbleu.corpus_bleu(pa.array(HYPOTHESES), pa.array(references))
        assert signature_of(score).startswith(f"nrefs:{number}|case")


def test_signatures_of_statistics_and_accumulators():
    options = {"tokenize": "intl", "lowercase": True}
    rows = vecbleu.statistics(HYPOTHESES, REFERENCES, **options)
    known = "case:lc|eff:yes|tok:intl|smooth:exp"
    scored = {"smoothing": "exp", "effective_order": True}
    assert signature_of(rows.score(**scored)) == known
    accumulator = vecbleu.Accumulator(**options, **scored)
    accumulator.update(HYPOTHESES, REFERENCES)
    assert signature_of(accumulator.compute()) == known
    assert accumulator.compute().to_dict() == rows.score(**scored).to_dict()
    unknown = vecbleu.Statistics(rows.array)
    assert signature_of(unknown.score()) == "eff:no|smooth:none"
    assert signature_of(vecbleu.Statistics([[2, 2, 1, 0, 2, 1]]).score()).endswith("max_order:2")


def test_several_weights_sign_each_score():
    scores = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES, weights=[(1.0,), (0.5, 0.5)])
    assert [one.signature.weights for one in scores] == [(1.0,), (0.5, 0.5)]
    rows = vecbleu.statistics(HYPOTHESES, REFERENCES)
    again = rows.score(weights=[(1.0,), (0.5, 0.5)])
    assert [one.percent for one in again] == [one.percent for one in scores]

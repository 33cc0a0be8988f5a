"""Bad input is an error that names argument, index and numbers; common mistakes name the call."""

from __future__ import annotations

import io
import re
import sqlite3
import sys
from collections import UserDict
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import vecbleu
from vecbleu import significance

OUT = ["the cat sat on the mat", "a dog barked at me", "it rained"]
REF = ["the cat sat on a mat", "the dog barked at me", "it rained today"]
WORDS, REF_WORDS = ([line.split() for line in side] for side in (OUT, REF))
TWO = [[one, own] for one, own in zip(REF, OUT[::-1], strict=True)]
IDS, REF_IDS = [[3, 1, 4, 1, 5], [9, 2, 6]], [[3, 1, 4, 2], [9, 2, 6, 5]]
PATH = Path(__file__)
NAN = float("nan")


def used(values):
    iterator = iter(values)
    return [*iterator, iterator][-1]


# The sides of a call, the error's type and what it names; and the sides that were meant, to which
# its advice leads.
ROWS = {
    "two strings": (OUT[0], REF[0], TypeError, "hypotheses is a single str", (OUT[:1], REF[:1])),
    "a string, references": (OUT[0], REF, TypeError, "hypotheses is", (OUT[:1], [REF])),
    "a string, streams": (OUT[0], [[r] for r in REF], TypeError, "hypotheses is", (OUT[:1], [REF])),
    "a list, a string": (OUT[:1], REF[0], TypeError, "references is a", (OUT[:1], REF[:1])),
    "tokens of one segment": (WORDS[0], REF_WORDS, ValueError, "6 .* 3", (WORDS[:1], [REF_WORDS])),
    "ids of one segment": (IDS[0], REF_IDS[0], ValueError, "5 .* 4", (IDS[:1], REF_IDS[:1])),
    "an array of one segment": (np.array(IDS[0]), np.array(REF_IDS[0]), TypeError, "1-D integer",
        (IDS[:1], REF_IDS[:1])),
    "references of one segment": (OUT[:1], REF, ValueError, "1 .* 3", (OUT[:1], [REF])),
    "a stream": (OUT, [REF], ValueError, "transposed", (OUT, REF)),
    "streams": (OUT, [*zip(*TWO, strict=True)], ValueError, "transposed", (OUT, TWO)),
    "streams of tokens": (WORDS, [REF_WORDS], ValueError, "transposed", (WORDS, REF_WORDS)),
    "references end to end": (OUT, [one for some in TWO for one in some], ValueError, "3 .* 6",
        (OUT, TWO)),
    "references of all": (OUT * 2, REF, ValueError, "6 .* 3", (OUT * 2, [REF] * 6)),
    "references first": ([[one] for one in REF_WORDS], WORDS, TypeError, r"hypotheses\[0\]\[0\]",
        (WORDS, REF_WORDS)),
    "text, references first": ([[one] for one in REF], OUT, TypeError, r"references\[0\] is str",
        (OUT, REF)),
    "tokens against text": (WORDS, REF, TypeError, r"references\[0\] is str", (WORDS, REF_WORDS)),
    "bytes": ([one.encode() for one in OUT], REF, TypeError, r"hypotheses\[0\] is b", (OUT, REF)),
    "records": ([{"text": r} for r in OUT], REF, TypeError, r"hypotheses\[0\] is d", (OUT, REF)),
    "a dict": (UserDict(enumerate(OUT)), REF, TypeError, "hypotheses is a single", (OUT, REF)),
    "sets": (OUT, [{*one} for one in TWO], TypeError, r"references\[0\] is set", (OUT, TWO)),
    "generators": ([iter(one) for one in WORDS], REF_WORDS, TypeError, r"hypotheses\[0\] is",
        (WORDS, REF_WORDS)),
    "scores of tokens": (np.eye(4)[np.array([[1, 2], [3, 0]])], np.array([[1, 2], [3, 3]]),
        ValueError, "3 dimensions", ([[1, 2], [3, 0]], [[1, 2], [3, 3]])),
    "rows of a database": ([(one,) for one in OUT], REF, TypeError, r"hypotheses\[0\] is a tuple",
        (OUT, REF)),
    "a set": ({*OUT}, REF, TypeError, "a set has no order", None),
    "None": (None, REF, TypeError, "hypotheses is NoneType None", None),
    "a number": (OUT, 3.5, TypeError, "references is float 3.5", None),
    "a missing hypothesis": ([*OUT[:2], None], REF, TypeError, r"hypotheses\[2\].*leave", None),
    "a missing reference": (OUT, [*REF[:2], NAN], TypeError, r"references\[2\].*leave", None),
    "used up": (used(OUT), REF, ValueError, "0 .* 3.*read once", None),
    "no reference": (OUT, [REF[0], [], REF[2]], ValueError, r"references\[1\] .*0 refer", None),
    "one reference missing": (OUT, [[REF[0]], [REF[1], None], [REF[2]]], TypeError,
        r"references\[1\]\[1\]", None),
    "a list for a token": ([["a", []]], [["a"]], TypeError, r"hypotheses\[0\]: token", None),
    "paths": (PATH, PATH, TypeError, r"vecbleu.file_statistics\(hypotheses, references\)", None),
    "a path as a string": (str(PATH), str(PATH), TypeError, "vecbleu.file_statistics", None),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_the_error_names_its_argument(name):
    hypotheses, references, error, named, _ = ROWS[name]
    for function in (vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        with pytest.raises(error, match=named) as caught:
            function(hypotheses, references)
        assert len(str(caught.value)) < 300


def advised(message, sides):
    """Both sides as each piece of a message's advice has them."""
    if "swap the two" in message:
        yield dict(zip(sides, [*sides.values()][::-1], strict=True))
    if "list(zip(*references))" in message and "[hypotheses]" not in message:
        yield sides | {"references": list(zip(*sides["references"], strict=True))}
        return
    names = sides | {"vecbleu": vecbleu, "n": 2}
    for expression in re.findall(
        r"pass (?!one of)(?:the text of each, such as )?(.+?)(?=; |$|, or,)", message
    ):
        values = eval(f"({expression},)", names)
        if len(values) == 2:
            yield dict(zip(sides, values, strict=True))
        else:
            (name,) = [name for name in sides if re.search(rf"\b{name}\b", expression)]
            yield sides | {name: values[0]}
    if "[*hypotheses.values()]" in message:
        yield sides | {"hypotheses": [*sides["hypotheses"].values()]}


def followed(sides, steps=3):
    """The counts that each piece of advice leads to, one after the other."""
    try:
        return [vecbleu.statistics(**sides).array.tolist()]
    except (TypeError, ValueError) as error:
        if not steps:
            raise
        return [one for after in advised(str(error), sides) for one in followed(after, steps - 1)]


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row[4] is not None])
def test_what_the_error_says_works(name):
    hypotheses, references, *_, meant = ROWS[name]
    found = followed({"hypotheses": hypotheses, "references": references})
    assert vecbleu.statistics(*meant).array.tolist() in found


def test_rows_of_databases_are_no_tokens():
    """Each would be a segment of one token."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table texts (text)")
        connection.executemany("insert into texts values (?)", [[one] for one in OUT])
        connection.row_factory = sqlite3.Row
        rows = connection.execute("select text from texts").fetchall()
    expected = vecbleu.statistics(OUT, REF).array.tolist()
    assert followed({"hypotheses": rows, "references": REF}) == [expected]
    for rows in ([("a",), ("b",)], [(1,), (2,)], [["a b"], ["c d"]], [("a b",), ("c",)]):
        assert vecbleu.statistics(rows, rows).matches[:, 0].tolist() == [1, 1]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables_name_the_column_to_pass(library):
    package = pytest.importorskip(library)
    maker = getattr(package, "table" if library == "pyarrow" else "DataFrame")
    with pytest.raises(TypeError, match=r'hypotheses is a table .* pass .*hypotheses\["text"\]'):
        vecbleu.statistics(maker({"text": OUT}), REF)


@pytest.mark.parametrize(
    ("hypothesis", "references", "error", "named"),
    [
        (OUT, REF, TypeError, "hypothesis_path is list.* vecbleu.statistics"),
        (PATH, None, TypeError, "reference_paths is NoneType"),
        (PATH, [PATH, 3], TypeError, r"reference_paths\[1\] is int"),
        (OUT[0], PATH, FileNotFoundError, "hypothesis_path .* vecbleu.statistics"),
        (PATH, [PATH, "a b\nc"], FileNotFoundError, r"reference_paths\[1\]"),
        ("none", PATH, FileNotFoundError, "none"),
        (PATH, [], ValueError, "reference_paths is empty"),
    ],
)
def test_paths(hypothesis, references, error, named):
    with pytest.raises(error, match=named):
        vecbleu.file_statistics(hypothesis, references)


def test_carriage_returns_on_standard_input(tmp_path, monkeypatch):
    (tmp_path / "ref").write_text("a b\nc d\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\rc d\r")))
    with pytest.raises(ValueError, match=r"^-: 2 carriage returns and no newline make one line"):
        vecbleu.file_statistics("-", tmp_path / "ref")


class Index:
    """A number of another library, as a tensor without dimensions is."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def test_special_ids_of_other_libraries():
    expected = vecbleu.statistics(IDS, REF_IDS, eos_id=4, ignore_ids=[1, 3])
    for kind in (Index, np.array):
        options = {"eos_id": kind(4), "ignore_ids": [kind(1), kind(3)]}
        assert vecbleu.statistics(IDS, REF_IDS, **options) == expected


@pytest.mark.parametrize(
    "smoothing", [None, "method2", vecbleu.nltk.SmoothingFunction().method1, len, "add_k"]
)
def test_smoothing_of_other_packages(smoothing):
    named = "expected one of none, floor, add-k, exp, skip-zero; NLTK's method0 to method3 are the "
    rows = vecbleu.statistics(OUT, REF)
    for call in (
        lambda: vecbleu.corpus_bleu(OUT, REF, smoothing=smoothing),
        lambda: vecbleu.bleu(rows, smoothing=smoothing),
        lambda: vecbleu.Accumulator(smoothing=smoothing),
        lambda: significance.bootstrap(rows, smoothing=smoothing),
    ):
        with pytest.raises(ValueError, match=named):
            call()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: vecbleu.bleu(OUT), "vecbleu.corpus_bleu"),
        (lambda: significance.bootstrap(OUT), "statistics is list"),
        (lambda: significance.paired_bootstrap({"a": OUT}), r"systems\['a'\] is list"),
        (lambda: significance.rank(vecbleu.statistics(OUT, REF)), "systems is Statistics"),
        (lambda: vecbleu.analysis.segment_differences([OUT, REF]), r"systems\[0\] is list"),
        (lambda: vecbleu.self_bleu(OUT[0]), "hypotheses is a single str"),
        (lambda: vecbleu.SharedReferences(REF[0]), r"pass \[references\]"),
        (lambda: vecbleu.expected_bleu(OUT), r"candidates\[0\] is str"),
        (lambda: vecbleu.nearest(OUT, REF[0]), "references is a single str"),
        (lambda: vecbleu.Accumulator().update(OUT[0], REF[0]), r"pass \[hypotheses\], \[refer"),
        (lambda: vecbleu.explain(None, REF), "hypothesis is NoneType None"),
        (lambda: vecbleu.self_bleu(OUT, executor=3), "unexpected keyword argument 'executor'"),
        (lambda: vecbleu.corpus_bleu(OUT, REF, weights=[(1,), (0.5, 0.5)]), "2 sets, expected one"),
    ],
)
def test_other_functions(call, named):
    with pytest.raises(TypeError, match=named):
        call()


def test_what_is_still_to_be_computed_is_not_computed():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"still to be computed; pass hypotheses\.collect"):
        vecbleu.statistics(polars.LazyFrame({"text": OUT}), REF)


class Column:
    """An expression, as Spark's: attributes and comparisons are columns, which have no truth."""

    __hash__ = None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise ValueError("use & and |")


def test_expressions_are_no_columns():
    with pytest.raises(TypeError, match="hypotheses is Column"):
        vecbleu.corpus_bleu(Column(), REF)


def test_misspelled_packages_are_attribute_errors():
    with pytest.raises(AttributeError, match="has no attribute 'ntlk'"):
        vecbleu.ntlk  # noqa: B018


@pytest.mark.parametrize(
    ("options", "error", "named"),
    [
        ({"smoothing_value": 10**400}, ValueError, "smoothing_value is inf"),
        ({"smoothing_value": -1}, ValueError, "smoothing_value is -1"),
        ({"weights": [10**400]}, ValueError, r"weights\[0\] is inf"),
        ({"weights": [1, -1]}, ValueError, r"weights\[1\] is -1"),
        ({"weights": [1] * 5}, ValueError, "weights has 5, expected 1 to 4"),
        ({"effective_order": "no"}, TypeError, "effective_order is 'no'"),
        ({"effective_order": 2}, TypeError, "effective_order is 2"),
        ({"max_order": np.timedelta64(1, "D")}, TypeError, "max_order is"),
        ({"max_order": 101}, ValueError, "max_order is 101, expected 1 to 100"),
        ({"ref_length": "average"}, ValueError, "ref_length is 'average'"),
        ({"retries": 1}, TypeError, "retries"),
    ],
)
def test_options(options, error, named):
    with pytest.raises(error, match=named):
        vecbleu.corpus_bleu(["a b"], ["a b"], **{"smoothing": "floor"} | options)


def test_numbers_of_any_kind_are_options():
    expected = vecbleu.corpus_bleu(["a b"], ["a"], smoothing="floor", smoothing_value=0.5)
    for value in (Fraction(1, 2), np.float32(0.5)):
        found = vecbleu.corpus_bleu(
            ["a b"], ["a"], smoothing="floor", smoothing_value=value, effective_order=0
        )
        assert found == expected


def test_a_ragged_without_offsets():
    ragged = vecbleu.Ragged(np.zeros(0, np.int64), np.zeros(0, np.int64))
    for sides in ((ragged, [[1]]), ([[1]], ragged)):
        with pytest.raises(ValueError, match="is a Ragged whose offsets do not rise"):
            vecbleu.statistics(*sides)


def test_a_number_among_the_references_of_a_column():
    pandas = pytest.importorskip("pandas")
    with pytest.raises((TypeError, ValueError), match=r"references\[0\]"):
        vecbleu.corpus_bleu([["a"]], pandas.Series([np.array(3)]))

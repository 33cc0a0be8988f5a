"""What users of other packages write first: the error says what to write, and that works."""

from __future__ import annotations

import io
import re
import sqlite3
import sys
from collections import UserDict
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import vecbleu

OUT = ["the cat sat on the mat", "a dog barked at me", "it rained"]
REF = ["the cat sat on a mat", "the dog barked at me", "it rained today"]
WORDS, REF_WORDS = ([line.split() for line in side] for side in (OUT, REF))
TWO = [[one, own] for one, own in zip(REF, OUT[::-1], strict=True)]
IDS, REF_IDS = [[3, 1, 4, 1, 5], [9, 2, 6]], [[3, 1, 4, 2], [9, 2, 6, 5]]
PATH, MISSING = Path(__file__), Path("no such file")


def used(values):
    iterator = iter(values)
    return [*iterator, iterator][-1]


class Row(NamedTuple):
    """A call, and what the error says; `meant` is what the advice leads to, if there is any."""

    hypotheses: Any
    references: Any
    error: type[Exception]
    says: list[str]
    meant: tuple[Any, Any] | None = None


ONE, TEXT, TOKENS = (OUT[:1], REF[:1]), (OUT, REF), (WORDS, REF_WORDS)
SINGLE = "hypotheses is a single str; expected a list"
LENGTHS = {
    (given, others): f"hypotheses has {given} segments but references has {others}"
    for given in range(9)
    for others in range(9)
}
ROWS = {
    # One segment in place of a list of them.
    "two strings": Row(OUT[0], REF[0], TypeError, [SINGLE], ONE),
    "a string, a list": Row(OUT[0], REF[:1], TypeError, [SINGLE], ONE),
    "a string, references": Row(OUT[0], REF, TypeError, [SINGLE], (OUT[:1], [REF])),
    "a string, streams": Row(OUT[0], [[one] for one in REF], TypeError, [SINGLE], (OUT[:1], [REF])),
    "a string, [references]": Row(OUT[0], [REF], TypeError, [SINGLE], (OUT[:1], [REF])),
    "a list, a string": Row(OUT[:1], REF[0], TypeError, ["references is a single str"], ONE),
    "a tokenized segment": Row(
        WORDS[0], REF_WORDS[:1], ValueError, [LENGTHS[6, 1]], (WORDS[:1], REF_WORDS[:1])
    ),
    "tokens, flat tokens": Row(
        WORDS[0], REF_WORDS[1], ValueError, [LENGTHS[6, 5]], (WORDS[:1], REF_WORDS[1:2])
    ),
    "tokens, several": Row(
        WORDS[0], REF_WORDS, ValueError, [LENGTHS[6, 3]], (WORDS[:1], [REF_WORDS])
    ),
    "tokens, [several]": Row(
        WORDS[0], [REF_WORDS], ValueError, [LENGTHS[6, 1]], (WORDS[:1], [REF_WORDS])
    ),
    "[tokens], flat tokens": Row(
        WORDS[:1], REF_WORDS[0], ValueError, [LENGTHS[1, 6]], (WORDS[:1], REF_WORDS[:1])
    ),
    "a list of ids": Row(IDS[0], REF_IDS[0], ValueError, [LENGTHS[5, 4]], (IDS[:1], REF_IDS[:1])),
    "ids, several": Row(IDS[0], REF_IDS, ValueError, [LENGTHS[5, 2]], (IDS[:1], [REF_IDS])),
    "as many ids": Row(IDS[0], IDS[0], TypeError, ["hypotheses[0] is int 3"], (IDS[:1], IDS[:1])),
    "an array of ids": Row(
        np.array(IDS[0]),
        np.array(REF_IDS[0]),
        TypeError,
        ["hypotheses is one 1-D integer array"],
        (IDS[:1], REF_IDS[:1]),
    ),
    # References in another layout.
    "[one, other]": Row(OUT[:1], REF, ValueError, [LENGTHS[1, 3]], (OUT[:1], [REF])),
    "[tokens, tokens]": Row(
        WORDS[:1], REF_WORDS, ValueError, [LENGTHS[1, 3]], (WORDS[:1], [REF_WORDS])
    ),
    "a stream": Row(OUT, [REF], ValueError, [LENGTHS[3, 1], "transposed"], TEXT),
    "streams": Row(
        OUT, [*zip(*TWO, strict=True)], ValueError, [LENGTHS[3, 2], "transposed"], (OUT, TWO)
    ),
    "an array of streams": Row(
        OUT, np.array([REF, REF]), ValueError, [LENGTHS[3, 2], "transposed"], TEXT
    ),
    "streams of tokens": Row(WORDS, [REF_WORDS], ValueError, [LENGTHS[3, 1], "transposed"], TOKENS),
    "references end to end": Row(
        OUT, [one for some in TWO for one in some], ValueError, [LENGTHS[3, 6]], (OUT, TWO)
    ),
    "samples end to end": Row(
        [one for one in OUT for _ in range(2)],
        REF,
        ValueError,
        [LENGTHS[6, 3]],
        ([one for one in OUT for _ in range(2)], [one for one in REF for _ in range(2)]),
    ),
    "references of all": Row(OUT * 2, REF, ValueError, [LENGTHS[6, 3]], (OUT * 2, [REF] * 6)),
    "references first": Row(
        [[one] for one in REF_WORDS],
        WORDS,
        TypeError,
        ["hypotheses[0][0] is list, expected"],
        TOKENS,
    ),
    "text, references first": Row(
        [[one] for one in REF], OUT, TypeError, ["references[0] is str"], TEXT
    ),
    "NLTK's sentence": Row(
        REF_WORDS,
        WORDS[0],
        ValueError,
        [LENGTHS[3, 6], "as in NLTK"],
        (WORDS[:1], [REF_WORDS]),
    ),
    "hypotheses in lists": Row(
        [[one] for one in WORDS],
        [[one] for one in REF_WORDS],
        TypeError,
        ["hypotheses[0][0] is list, expected"],
        TOKENS,
    ),
    "tokens against text": Row(
        WORDS, REF, TypeError, ["references[0] is str", "as in hypotheses"], TOKENS
    ),
    # Something else than text.
    "bytes": Row([one.encode() for one in OUT], REF, TypeError, ["hypotheses[0] is bytes"], TEXT),
    "references in bytes": Row(
        OUT, [one.encode() for one in REF], TypeError, ["references[0] is bytes"], TEXT
    ),
    "bytes among references": Row(
        OUT, [[one.encode()] for one in REF], TypeError, ["references[0][0] is bytes"], TEXT
    ),
    "an array of bytes": Row(np.array(OUT, "S"), REF, TypeError, ["hypotheses[0] is bytes"], TEXT),
    "single bytes": Row(OUT[0].encode(), REF[:1], TypeError, ["hypotheses is a single bytes"], ONE),
    "records": Row(
        [{"id": 1, "text": one} for one in OUT], REF, TypeError, ["hypotheses[0] is dict"], TEXT
    ),
    "records of references": Row(
        OUT, [{"own": one} for one in TWO], TypeError, ["references[0] is dict"], (OUT, TWO)
    ),
    "a dict": Row(
        dict(enumerate(OUT)), REF, TypeError, ["hypotheses is a single dict; expected a list"], TEXT
    ),
    "a dict of columns": Row(
        OUT, {"id": 3, "text": REF}, TypeError, ["references is a single dict"], TEXT
    ),
    "a tokenizer's output": Row(
        UserDict({"input_ids": IDS}), REF_IDS, TypeError, ["a single UserDict"], (IDS, REF_IDS)
    ),
    "a set": Row({*OUT}, REF, TypeError, ["hypotheses is a single set", "a set has no order"]),
    "sets": Row(OUT, [{*one} for one in TWO], TypeError, ["references[0] is set"], (OUT, TWO)),
    "generators": Row(
        OUT, [iter(one) for one in TWO], TypeError, ["references[0] is list_iterator"], (OUT, TWO)
    ),
    "a generator of tokens": Row(
        [iter(one) for one in WORDS], REF_WORDS, TypeError, ["hypotheses[0] is list_it"], TOKENS
    ),
    "None": Row(None, REF, TypeError, ["hypotheses is NoneType None"]),
    "a number": Row(OUT, 3.5, TypeError, ["references is float 3.5"]),
    "None among hypotheses": Row(
        [*OUT[:2], None], REF, TypeError, ["hypotheses[2] is NoneType None", "left out on both"]
    ),
    "nan among hypotheses": Row(
        [*OUT[:2], float("nan")], REF, TypeError, ["hypotheses[2] is float nan", 'or has ""']
    ),
    "None for a reference": Row(
        OUT, [*REF[:2], None], TypeError, ["references[2] is NoneType None", "left out on both"]
    ),
    "None among references": Row(
        OUT, [[REF[0]], [REF[1], None], [REF[2]]], TypeError, ["references[1][1] is None"], TEXT
    ),
    "nan among references": Row(
        OUT,
        [[REF[0]], [float("nan"), REF[1]], [REF[2]]],
        TypeError,
        ["references[1][0] is float nan"],
        TEXT,
    ),
    "scores of tokens": Row(
        np.eye(4)[np.array([[1, 2], [3, 0]])],
        np.array([[1, 2], [3, 3]]),
        ValueError,
        ["hypotheses is an array of 3 dimensions, expected 2 (segments, width)"],
        ([[1, 2], [3, 0]], [[1, 2], [3, 3]]),
    ),
    "used up": Row(
        used(OUT), REF, ValueError, [LENGTHS[0, 3], "list_iterator hypotheses, which is read once"]
    ),
    "used up references": Row(
        OUT, used(REF), ValueError, [LENGTHS[3, 0], "list_iterator references, which is read once"]
    ),
    # Files.
    "paths": Row(PATH, PATH, TypeError, ["hypotheses is PosixPath|WindowsPath"], (PATH, PATH)),
    "lists of paths": Row(
        [MISSING], [MISSING], TypeError, ["hypotheses[0] is Posix|hypotheses[0] is Win"]
    ),
    "a path as a string": Row(str(PATH), str(PATH), TypeError, [SINGLE], (PATH, PATH)),
}
FUNCTIONS = [vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu]


def called(function, hypotheses, references):
    """The error of a call; none if it works."""
    try:
        return function(hypotheses, references)
    except (TypeError, ValueError) as error:
        return error


def advised(message, sides):
    """Both sides as each piece of a message's advice has them."""
    if swap := re.search("; if references came first.*, swap the two arguments(.*)$", message):
        swapped = [*sides.values()][::-1]
        if swap[1]:
            assert swap[1] == " and put each in a list"
            swapped = [[one] for one in swapped]
        yield dict(zip(sides, swapped, strict=True))
    for expression in re.findall(r"\bpass (.+?)(?=; |$)", message):
        values = eval(f"({expression},)", {"vecbleu": vecbleu} | sides)
        if len(values) == 2:
            yield dict(zip(sides, values, strict=True))
        else:
            (name,) = [name for name in sides if re.search(rf"\b{name}\b", expression)]
            yield sides | {name: values[0]}


def followed(function, sides, steps=3):
    """What the calls return that each advice leads to, one after the other."""
    found = called(function, **sides)
    if not isinstance(found, Exception):
        return [found]
    assert steps, found
    assert "pass " in str(found) or "swap the two" in str(found), found
    return [
        one for after in advised(str(found), sides) for one in followed(function, after, steps - 1)
    ]


@pytest.mark.parametrize("name", ROWS)
def test_the_error_says_what_to_write(name):
    row = ROWS[name]
    for function in FUNCTIONS:
        error = called(function, row.hypotheses, row.references)
        assert type(error) is row.error
        assert len(str(error)) < 420
        for part in row.says:
            assert any(one in str(error) for one in part.split("|")), error


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.meant is not None])
def test_what_the_error_says_works(name):
    row = ROWS[name]
    sides = {"hypotheses": row.hypotheses, "references": row.references}
    if row.meant[0] is PATH:
        message = str(called(vecbleu.statistics, **sides))
        assert message.endswith("; for files call vecbleu.file_statistics(hypotheses, references)")
        assert len(vecbleu.file_statistics(**dict(zip(PATHS, sides.values(), strict=True)))) > 100
        return
    assert vecbleu.statistics(*row.meant) in followed(vecbleu.statistics, sides)


PATHS = "hypothesis_path", "reference_paths"


@pytest.mark.parametrize(
    ("hypothesis", "references", "error", "message"),
    [
        (OUT, REF, TypeError, "hypothesis_path is list, expected a path; for text call vecbleu.st"),
        (PATH, None, TypeError, "reference_paths is NoneType, expected a path or a list of paths"),
        (PATH, [PATH, 3], TypeError, "reference_paths[1] is int, expected a path"),
        (OUT[0], PATH, FileNotFoundError, "hypothesis_path is no path of a file; for text call"),
        (PATH, [PATH, "a b\nc"], FileNotFoundError, "reference_paths[1] is no path of a file"),
        ("a b " * 9999, PATH, FileNotFoundError, "hypothesis_path is no path of a file; for text"),
        ("none", PATH, FileNotFoundError, "none"),
        (PATH, {PATH}, TypeError, "reference_paths is set, expected a path or a list of paths; pa"),
        (
            PATH,
            iter([PATH]),
            TypeError,
            "is list_iterator, expected a path or a list of paths; pas",
        ),
        (PATH, [], ValueError, "reference_paths is empty"),
    ],
)
def test_paths(hypothesis, references, error, message):
    with pytest.raises(error, match=re.escape(message)) as caught:
        vecbleu.file_statistics(hypothesis, references)
    for expression in re.findall(r"pass (.*)$", str(caught.value)):
        vecbleu.file_statistics(hypothesis, eval(expression, {"reference_paths": references}))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_references_of_one_segment(library):
    package = pytest.importorskip(library)
    column = getattr(package, "Series", getattr(package, "array", None))(REF)
    for hypotheses in (OUT[0], OUT[:1]):
        sides = {"hypotheses": hypotheses, "references": column}
        assert vecbleu.statistics(OUT[:1], [REF]) in followed(vecbleu.statistics, sides)


@pytest.mark.parametrize("hypotheses", [WORDS, OUT])
@pytest.mark.parametrize("made", ["array", "chunked_array"])
def test_advice_on_columns_of_arrow(made, hypotheses):
    """Iterating over them gives scalars, which are no bytes and no str."""
    pa = pytest.importorskip("pyarrow")

    def column(values):
        return pa.array(values) if made == "array" else pa.chunked_array([values])

    text = {"hypotheses": WORDS, "references": column(REF)}
    assert vecbleu.statistics(*TOKENS) in followed(vecbleu.statistics, text)
    encoded = [column([one.encode() for one in side]) for side in TEXT]
    sides = dict(zip(text, encoded, strict=True))
    assert vecbleu.statistics(*TEXT) in followed(vecbleu.statistics, sides)
    lists = column([[one.encode() for one in entry] for entry in TWO])
    sides = {"hypotheses": OUT, "references": lists}
    assert vecbleu.statistics(OUT, TWO) in followed(vecbleu.statistics, sides)
    with pytest.raises(TypeError, match=r"for one in references\.to_pylist\(\)\]$"):
        vecbleu.SharedReferences(encoded[1])


def test_batches_and_datasets_of_arrow():
    pa = pytest.importorskip("pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset").dataset
    sides = {}
    for name, texts in zip(("hypotheses", "references"), TEXT, strict=True):
        table = pa.table({"text": texts})
        sides[name] = table.to_batches(max_chunksize=2)
    assert vecbleu.statistics(*TEXT) in followed(vecbleu.statistics, sides)
    assert vecbleu.statistics(*TEXT) in followed(vecbleu.statistics, sides | {"hypotheses": OUT})
    lazy = dataset(pa.table({"text": OUT}))
    error = called(vecbleu.statistics, lazy, REF)
    assert str(error).endswith('still to be computed; pass hypotheses.to_table()["column"]')
    assert vecbleu.statistics(lazy.to_table()["text"], REF) == vecbleu.statistics(*TEXT)


def test_several_columns_of_references():
    pd = pytest.importorskip("pandas")
    sides = {"hypotheses": OUT, "references": pd.DataFrame(TWO)}
    error = str(called(vecbleu.statistics, **sides))
    assert error.endswith(", or for a column each reference references.values.tolist()")
    meant = vecbleu.statistics(OUT, sides["references"].values.tolist())
    assert meant == vecbleu.statistics(OUT, TWO)


class Index:
    """A number of another library, as a tensor without dimensions is."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def test_special_ids_of_other_libraries():
    expected = vecbleu.statistics(IDS, REF_IDS, pad_id=1, eos_id=4, ignore_ids=[3])
    found = vecbleu.statistics(
        IDS, REF_IDS, pad_id=Index(1), eos_id=Index(4), ignore_ids=[Index(3)]
    )
    assert found == expected
    assert found == vecbleu.statistics(
        IDS, REF_IDS, pad_id=np.array(1), eos_id=np.array(4), ignore_ids=np.array([3])
    )
    for wrong, message in [
        ({"pad_id": [0, -100]}, r"pad_id is \[0, -100\], expected an integer; pass ignore_ids for"),
        ({"eos_id": [2, 3]}, r"eos_id is \[2, 3\], expected an integer$"),
        ({"pad_id": np.array([1, 2])}, "pad_id is array"),
        ({"pad_id": "1"}, "pad_id is '1', expected an integer"),
        ({"pad_id": True}, "pad_id is True, expected an integer"),
    ]:
        with pytest.raises(TypeError, match=message):
            vecbleu.statistics(IDS, REF_IDS, **wrong)


class Record(tuple):
    """A row as Spark's, which is a tuple of another class."""


@pytest.mark.parametrize("kind", [tuple, Record])
def test_rows_of_a_database_are_no_tokens(kind):
    """Each would be a segment of one token, and all score 0."""
    rows, others = [[kind([one]) for one in side] for side in TEXT]
    meant = vecbleu.statistics(*TEXT)
    for references in (others, REF):
        sides = {"hypotheses": rows, "references": references}
        assert "of one string with white space" in str(called(vecbleu.statistics, **sides))
        assert meant in followed(vecbleu.statistics, sides)
    assert vecbleu.statistics(OUT, others) == meant  # references of strings, one each
    sides = {"hypotheses": WORDS, "references": others}
    assert "references[0] is" in str(called(vecbleu.statistics, **sides))
    assert vecbleu.statistics(*TOKENS) in followed(vecbleu.statistics, sides)
    with pytest.raises(TypeError, match=r"pass \[one\[0\] for one in references\]"):
        vecbleu.SharedReferences(rows)


def test_rows_of_sqlite_are_no_tokens():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table texts (text)")
        connection.executemany("insert into texts values (?)", [[one] for one in OUT])
        connection.row_factory = sqlite3.Row
        rows = connection.execute("select text from texts").fetchall()
    sides = {"hypotheses": rows, "references": REF}
    assert "is a Row of one string" in str(called(vecbleu.statistics, **sides))
    assert vecbleu.statistics(*TEXT) in followed(vecbleu.statistics, sides)


def test_one_row_of_a_database():
    row, other = (OUT[0],), (REF[0],)
    message = str(called(vecbleu.explain, row, other))
    assert message == (
        "hypothesis is a tuple of one string with white space in it; pass hypothesis[0]"
    )
    assert vecbleu.explain(row[0], other).score == vecbleu.explain(OUT[0], REF[0]).score


def test_tuples_of_one_token_are_tokens():
    """Words, what is no string, and lists, which no database returns."""
    for rows in ([("a",), ("b",)], [(1,), (2,)], [["a b"], ["c d"]], [("a b",), ("c",)]):
        assert vecbleu.statistics(rows, rows).matches[:, 0].tolist() == [1, 1]


def test_nltks_order_for_a_segment_with_one_reference():
    """Which of the two is the hypothesis can't be told."""
    sides = {"hypotheses": [REF_WORDS[0]], "references": WORDS[0]}
    found = followed(vecbleu.statistics, sides)
    assert found == [
        vecbleu.statistics([WORDS[0]], [REF_WORDS[:1]]),
        vecbleu.statistics(REF_WORDS[:1], WORDS[:1]),
    ]


def test_no_advice_that_leads_to_another_score():
    """Words would not be the ids that the hypotheses are."""
    error = called(vecbleu.statistics, IDS, REF[:2])
    assert str(error).endswith("expected a sequence of tokens as in hypotheses")


def test_no_advice_on_one_segment_where_references_are_several_segments():
    """Lists of references for two segments are no references of one."""
    for references in ([REF_IDS, REF_IDS], np.ones((2, 3, 4), int)):
        error = called(vecbleu.statistics, IDS[0], references)
        assert str(error) == LENGTHS[5, 2]
    assert str(called(vecbleu.statistics, OUT[0], TWO)) == f"{SINGLE}, one entry a segment" + (
        "; pass [hypotheses]"
    )


def test_rows_of_ids_in_place_of_candidates():
    error = called(vecbleu.expected_bleu, np.array(IDS[1:] * 2), REF_IDS)
    assert "candidates[0] is one 1-D integer array" in str(error)
    assert str(error).endswith("; pass [[one] for one in candidates]")
    sources = [[one] for one in np.array(IDS[1:] * 2)]
    assert len(vecbleu.expected_bleu(sources, [[one] for one in REF_IDS])) == 2


def test_open_files_are_no_paths():
    with PATH.open() as file, pytest.raises(TypeError, match=r"; pass hypothesis_path\.name$"):
        vecbleu.file_statistics(file, PATH)


def test_paths_may_hold_spaces(tmp_path):
    path = tmp_path / "a b\tc"
    path.write_text("a b c\n")
    assert vecbleu.file_statistics(str(path), [str(path)]).hyp_len.tolist() == [3]
    assert vecbleu.file_statistics(str(path).encode(), path).hyp_len.tolist() == [3]


class Method:
    """As a method of NLTK's has it, a name."""

    __name__ = "method4"

    def __call__(self, *_, **__):
        return []


SMOOTHING = vecbleu.nltk.SmoothingFunction()


@pytest.mark.parametrize(
    ("smoothing", "message"),
    [
        (None, 'skip-zero; pass "none"$'),
        ("method2", 'skip-zero; NLTK\'s method2 is "add-k"$'),
        (SMOOTHING.method1, 'skip-zero; NLTK\'s method1 is "floor"$'),
        (Method(), "skip-zero; functions are for smoothing_function of vecbleu.nltk.corpus_bleu$"),
        ("add_k", "expected one of none, floor, add-k, exp, skip-zero$"),
        (True, "expected one of none, floor, add-k, exp, skip-zero$"),
    ],
)
def test_smoothing_of_other_packages(smoothing, message):
    rows = vecbleu.statistics(OUT, REF)
    for call in (
        lambda: vecbleu.corpus_bleu(OUT, REF, smoothing=smoothing),
        lambda: vecbleu.bleu(rows, smoothing=smoothing),
        lambda: vecbleu.Accumulator(smoothing=smoothing),
        lambda: vecbleu.significance.bootstrap(rows, smoothing=smoothing),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize(
    ("number", "own", "orders"), [(1, "floor", 4), (2, "add-k", 4), (3, "exp", 4), (2, "add-k", 2)]
)
def test_the_smoothing_that_is_named_is_nltks(number, own, orders):
    """Where NLTK adds nothing to the totals of segments that are too short."""
    weights = (1 / orders,) * orders
    method = getattr(SMOOTHING, f"method{number}")
    expected = vecbleu.nltk.corpus_bleu(
        [[one] for one in REF_WORDS[:2]], WORDS[:2], weights, smoothing_function=method
    )
    found = vecbleu.corpus_bleu(WORDS[:2], REF_WORDS[:2], smoothing=own, weights=weights)
    assert float(found) == pytest.approx(expected, rel=1e-15)


STATISTICS = "vecbleu.statistics(hypotheses, references)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vecbleu.bleu(OUT), "numbers; for text call vecbleu.corpus_bleu(hypotheses, ref"),
        (
            lambda: vecbleu.significance.bootstrap(OUT),
            f"list, expected Statistics, such as {STATISTICS}",
        ),
        (
            lambda: vecbleu.significance.paired_bootstrap({"a": OUT}),
            f"systems['a'] is list, expected Statistics, such as {STATISTICS}",
        ),
        (
            lambda: vecbleu.significance.paired_bootstrap(vecbleu.statistics(OUT, REF)),
            "systems is Statistics, expected a dict of names or a list of Statistics, such as [",
        ),
        (
            lambda: vecbleu.analysis.segment_differences([OUT, REF]),
            f"systems[0] is list, expected Statistics, such as {STATISTICS}",
        ),
        (lambda: vecbleu.self_bleu(OUT[0]), "hypotheses is a single str; expected a list, one"),
        (lambda: vecbleu.SharedReferences(REF[0]), "one entry a segment; pass [references]"),
        (
            lambda: vecbleu.pairwise_bleu(OUT, vecbleu.SharedReferences(REF)),
            "references is SharedReferences; expected a list, one entry a segment; pass the ref",
        ),
        (lambda: vecbleu.expected_bleu(OUT), "pass [candidates] if there is one source"),
        (lambda: vecbleu.nearest(OUT, REF[0]), "references is a single str; expected a list"),
        (lambda: vecbleu.Accumulator().update(OUT[0], REF[0]), "; pass [hypotheses], [references]"),
        (lambda: vecbleu.explain(None, REF), "hypothesis is NoneType None"),
    ],
)
def test_other_functions(call, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_carriage_returns_on_standard_input(tmp_path, monkeypatch):
    (tmp_path / "ref").write_text("a b\nc d\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\rc d\r")))
    with pytest.raises(ValueError, match=r"^-: 2 carriage returns and no newline make one line"):
        vecbleu.file_statistics("-", tmp_path / "ref")


def test_packages_are_attributes():
    for name in ("nltk", "sacrebleu", "huggingface", "significance", "analysis", "plots"):
        assert getattr(vecbleu, name).__name__ == f"vecbleu.{name}"
    with pytest.raises(AttributeError, match="has no attribute 'ntlk'"):
        vecbleu.ntlk  # noqa: B018

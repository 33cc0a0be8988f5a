"""Input that would be scored, but hardly as it is meant, gets an error or a warning."""

from __future__ import annotations

import numpy as np
import pytest
from advice import followed
from command import run, write_lines

import vecbleu
import vecbleu.sacrebleu
from vecbleu.analysis import ngram_differences

OUT = ["the cat sat on the mat", "a dog barked at me", "it rained"]
REF = ["the cat sat on a mat", "the dog barked at me", "it rained today"]
WORDS, REF_WORDS = ([line.split() for line in side] for side in (OUT, REF))
TWO = [[ref, hyp] for ref, hyp in zip(REF, OUT[::-1], strict=True)]
ROWS, REF_ROWS = ([(line,) for line in side] for side in (OUT, REF))
IDS, LABELS = np.array([[3, 1, 4, 1], [9, 2, 6, 6]]), np.array([[3, 1, 4, -100], [-100, 9, 2, 6]])
LABEL_IDS = [[3, 1, 4], [9, 2, 6]]
LOGITS = np.eye(10)[IDS]
MARKED = ["\ufeff" + REF[0], *REF[1:]]


CHINESE = ["据报道该公司去年的销售额增长了百分之十五，利润也大幅上升。"] * 20
JAPANESE = ["この会社の売り上げは去年より増えたと報告されている。"] * 20
MIXED = ["The word 猫 means cat, and 犬 means dog."] * 20


class Tensor:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)


def series(values, index):
    return pytest.importorskip("pandas").Series(values, index=index)


def frames():
    """Series of which the second has the segments of the first in another order."""
    return series(OUT, [4, 7, 5]), series(REF[::-1], [5, 7, 4])


# The sides of a call, what it gives and names; and the sides that were meant, to which the advice
# leads.
CASES = {
    "rows of a database": (ROWS, REF_ROWS, UserWarning, "hypotheses is one token", (OUT, REF)),
    "lists of a text": ([[one] for one in OUT], REF_ROWS, UserWarning, "like rows", (OUT, REF)),
    "rows, two references": (ROWS, TWO, UserWarning, "hypotheses is one token", (OUT, TWO)),
    "rows as references": (WORDS, REF_ROWS, UserWarning, "references is one", (WORDS, REF_WORDS)),
    "floats": (IDS.astype(float), IDS, TypeError, "hypotheses is an array of float64", None),
    "a tensor of floats": (IDS, Tensor(IDS.astype("f2")), TypeError, "references is", None),
    "logits": (LOGITS, IDS, TypeError, "hypotheses is an array of float64", (IDS, IDS)),
    "floats of a segment": ([*IDS], [LOGITS[0], IDS[:1]], TypeError, r"references\[0\] is", None),
    "floats, two references": (IDS, np.stack([IDS, IDS], 1) / 1, TypeError, "integers$", None),
    "rows against texts": (ROWS, REF, TypeError, r"references\[0\]", (OUT, REF)),
    "rows of one word": ([("no",), *ROWS[1:]], REF, TypeError, "row", (["no", *OUT[1:]], REF)),
    "labels": (IDS, LABELS, UserWarning, "references has the id -100", (IDS, LABEL_IDS)),
    "lists of labels": (LABELS.tolist(), IDS, UserWarning, "id -100", (LABEL_IDS, IDS)),
    "rows of labels": ([*LABELS], [*IDS], UserWarning, "hypotheses has", (LABEL_IDS, IDS)),
    "labels, two references": (IDS, [[row, row] for row in LABELS], UserWarning, "references",
        (IDS, LABEL_IDS)),
    "indexes in another order": (*frames(), UserWarning, "same index", (OUT, REF)),
    "a byte order mark": (OUT, MARKED, UserWarning, r"references begins with U\+FEFF", (OUT, REF)),
    "a mark before the output": (MARKED, OUT, UserWarning, "hypotheses begins", (REF, OUT)),
    "Chinese": (CHINESE, CHINESE, UserWarning, "looks Chinese.*'zh'", None),
    "Japanese": (JAPANESE, JAPANESE, UserWarning, "looks Japanese.*'ja-mecab'", None),
    "a column": (series(CHINESE, None), series(CHINESE, None), UserWarning, "'zh'", None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_is_named_at_the_callers_line(name):
    hypotheses, references, kind, named, _ = CASES[name]
    for function in (vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        if kind is TypeError:
            with pytest.raises(kind, match=named):
                function(hypotheses, references)
            continue
        with pytest.warns(kind, match=named) as caught:
            function(hypotheses, references)
        assert [warning.filename for warning in caught] == [__file__] * len(caught)


@pytest.mark.parametrize("name", [name for name, row in CASES.items() if row[4] is not None])
def test_what_it_says_works(name):
    hypotheses, references, *_, meant = CASES[name]
    counts = followed({"hypotheses": hypotheses, "references": references})
    assert counts == [vecbleu.statistics(*meant).array.tolist()] * len(counts)


def test_functions_of_one_side():
    for call in (
        lambda: vecbleu.self_bleu(ROWS),
        lambda: vecbleu.SharedReferences(LABELS),
        lambda: vecbleu.corpus_bleu(MARKED, vecbleu.SharedReferences(REF)),
        lambda: vecbleu.expected_bleu([ROWS]),
        lambda: ngram_differences({"a": MARKED, "b": REF}, REF),
    ):
        with pytest.warns(UserWarning, match=r"database|-100|FEFF"):
            call()


def test_a_list_of_one_sentence_is_not_explained():
    for hypothesis, references, named in (
        (OUT[:1], REF[:1], r"hypothesis\[0\]"),
        ((OUT[0],), REF[0], r"hypothesis\[0\]"),
        (WORDS[0], REF[:1], r"references\[0\].split\(\)"),
        (np.array(OUT[:1]), REF[:1], r"hypothesis\[0\]"),
        (series(OUT[:1], [7]), REF[0], r"hypothesis.iloc\[0\]"),
        (WORDS[0], series(REF[:1], [7]), r"references.iloc\[0\].split\(\)"),
    ):
        with pytest.raises(TypeError, match=f"; pass {named}"):
            vecbleu.explain(hypothesis, references)
    assert vecbleu.explain(OUT[0], REF[:1]).score > 0
    assert vecbleu.explain(["mat"], ["mat"]).score.matches == (1, 0, 0, 0)


@pytest.mark.filterwarnings("always:.* begins with U")
def test_a_marked_file_is_named_once(tmp_path):
    write_lines(tmp_path, {"r": MARKED, "h": OUT, "s": MARKED})
    for command, named in {
        "explain r -i h --line 1": ["r"],
        "explain r -i s --line 1": ["r", "s"],
        "compare r -i h s": ["r", "s"],
        "report r -i h s -o page.html": ["r", "s"],
        "explain --ref a --hyp \ufeffa": ["hypotheses"],
    }.items():
        warned = run(tmp_path, *command.split()).stderr.decode().split("\n")
        marks = [line.split()[1] for line in warned if "FEFF" in line]
        assert sorted(marks) == named, command


SILENT = [
    ([("a",), ("b",)], [("a",), ("b",)]),
    ([["New York"], ["is", "big"]], [["New York"], ["is", "big"]]),
    ([["learn", "học sinh"]], [[["học sinh"], ["học", "sinh"]]]),
    ([["a", ""], []], [[""], [" "]]),
    ([[1.5, -100.0]], [[1.5]]),
    (["-100", "", "a\ufeff", "\ufeffa"], ["-100", "", "b", "a"]),  # as WMT23's outputs have it
    ([["\ufeff"]], [["\ufeff"]]),
    ([(-99, 100)], [[np.int64(100)]]),
    (series(OUT, [1, 2, 3]), series(REF, [1, 2, 3])),
    (series(OUT, [1, 2, 3]), series(REF, [3, 2, 4])),
    (series(OUT, [1, 1, 2]), series(REF, [1, 2, 1])),  # labels name no segments
    (series(OUT, [1, 2, 3]), REF),
    (MIXED, MIXED),
    (CHINESE[:1], CHINESE[:1]),
    ([[*line] for line in CHINESE], [[*line] for line in CHINESE]),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sides", SILENT, ids=repr)
def test_nothing_else_is_warned_of(sides):
    listed = vecbleu.statistics(*map(list, sides))
    assert vecbleu.statistics(*sides) == listed


def test_chinese_files_and_streams_are_warned_of_unless_13a_is_not_used(tmp_path, caplog):
    write_lines(tmp_path, {"h": CHINESE, "r": CHINESE})
    paths = tmp_path / "h", tmp_path / "r"
    with pytest.warns(UserWarning, match="'zh'") as caught:
        vecbleu.file_statistics(*paths)
    assert [warning.filename for warning in caught] == [__file__]
    vecbleu.file_statistics(*paths, tokenize="char")
    vecbleu.statistics(CHINESE, CHINESE, tokenize="char")
    with caplog.at_level("WARNING", logger="sacrebleu"):
        vecbleu.sacrebleu.corpus_bleu(CHINESE, [CHINESE])
    assert "'zh'" in caplog.text
    assert "'zh'" in run(tmp_path, "r", "-i", "h").stderr.decode()
    assert run(tmp_path, "r", "-i", "h", "--force").stderr == b""


@pytest.mark.filterwarnings("error")
def test_padding_that_is_left_out_is_no_mistake():
    for options in ({"ignore_ids": -100}, {"ignore_ids": [0, -100], "eos_id": 7}):
        assert vecbleu.explain(IDS[0], LABELS[0], **options).score.ref_len == 3
        assert vecbleu.statistics(IDS, LABELS, **options).ref_len.tolist() == [3, 3]

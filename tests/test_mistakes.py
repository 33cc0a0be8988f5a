"""Sides of a call that can hardly be meant get an error or a warning, and its advice works."""

from __future__ import annotations

import math
import re
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from advice import followed
from command import run, write_lines

import vecbleu
import vecbleu.sacrebleu
from vecbleu import huggingface
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
PATH = Path(__file__)
CHINESE = ["据报道该公司去年的销售额增长了百分之十五，利润也大幅上升。"] * 20
JAPANESE = ["この会社の売り上げは去年より増えたと報告されている。"] * 20
SEGMENTED = ["据 报道 该 公司 去年 的 销售额 增长 了 百分之十五"] * 20
MIXED = ["The word 猫 means cat, and 犬 means dog."] * 20


class Tensor:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)


def series(values, index=None):
    return pytest.importorskip("pandas").Series(values, index=index)


def made(sides):
    """The sides, of which functions make those of another package, if it is installed."""
    return [side() if callable(side) else side for side in sides]


def used(values):
    iterator = iter(values)
    return [*iterator, iterator][-1]


# Sides of calls, or functions that make them of another package; the error or warning, and
# what it names; and the sides that were meant, to which its advice leads.
CASES = {
    "two strings": (OUT[0], REF[0], TypeError, "hypotheses is str", (OUT[:1], REF[:1])),
    "a string, references": (OUT[0], REF, TypeError, "hypotheses is", (OUT[:1], [REF])),
    "a string for all": (OUT, REF[0], TypeError, "references is str", (OUT, REF[:1] * 3)),
    "tokens of one segment": (WORDS[0], REF_WORDS, ValueError, "6 .* 3", (WORDS[:1], [REF_WORDS])),
    "ids of one segment": ([3, 1, 4, 1, 5], [3, 1, 4, 2], ValueError, "5 .* 4",
        ([[3, 1, 4, 1, 5]], [[3, 1, 4, 2]])),
    "an array of one segment": (IDS[0], IDS[1], TypeError, "1-D integer", (IDS[:1], IDS[1:])),
    "references of one segment": (OUT[:1], REF, ValueError, "1 .* 3", (OUT[:1], [REF])),
    "a stream": (OUT, [REF], ValueError, "transposed", (OUT, REF)),
    "streams": (OUT, [*zip(*TWO, strict=True)], ValueError, "transposed", (OUT, TWO)),
    "references of all": (OUT * 2, REF, ValueError, "6 .* 3", (OUT * 2, [REF] * 6)),
    "references first": ([[words] for words in REF_WORDS], WORDS, TypeError,
        r"hypotheses\[0\]\[0\]", (WORDS, REF_WORDS)),
    "one segment's references first": (REF_WORDS[:1], WORDS[0], ValueError, "1 .* 6",
        (WORDS[:1], [REF_WORDS[:1]])),
    "strings, references first": ([[text] for text in REF], OUT, TypeError,
        r"references\[0\] is str", (OUT, REF)),
    "one string's references first": (REF, OUT[0], TypeError, "list of texts", (OUT[:1], [REF])),
    "tokens against text": (WORDS, REF, TypeError, r"references\[0\] is str", (WORDS, REF_WORDS)),
    "bytes": ([text.encode() for text in OUT], REF, TypeError, r"hypotheses\[0\] is b", (OUT, REF)),
    "generators": ([iter(words) for words in WORDS], REF_WORDS, TypeError, r"hypotheses\[0\] is",
        (WORDS, REF_WORDS)),
    "None": (None, REF, TypeError, "hypotheses is NoneType None", None),
    "a missing reference": (OUT, [*REF[:2], math.nan], TypeError, r"references\[2\]", None),
    "used up": (used(OUT), REF, ValueError, "0 .* 3", None),
    "one reference missing": (OUT, [[REF[0]], [REF[1], None], [REF[2]]], TypeError,
        r"references\[1\]\[1\]", None),
    "paths": (PATH, PATH, TypeError, r"call file_statistics\(hypotheses, references\)", None),
    "a path as a string": (str(PATH), str(PATH), TypeError, "for files call file_statistics", None),
    "rows of a database": (ROWS, REF_ROWS, UserWarning, "hypotheses has one token", (OUT, REF)),
    "lists of a text": ([[one] for one in OUT], REF_ROWS, UserWarning, "like rows", (OUT, REF)),
    "rows as references": (WORDS, REF_ROWS, UserWarning, "references has one", (WORDS, REF_WORDS)),
    "a tensor of floats": (IDS, Tensor(IDS.astype("f2")), TypeError, "references is", None),
    "logits": (LOGITS, IDS, TypeError, "hypotheses is an array of float64", (IDS, IDS)),
    "floats of a segment": ([*IDS], [LOGITS[0], IDS[:1]], TypeError, r"references\[0\] is", None),
    "floats, two references": (IDS, np.stack([IDS, IDS], 1) / 1, TypeError, "integers$", None),
    "rows against texts": (ROWS, REF, TypeError, r"references\[0\]", (OUT, REF)),
    "rows of one word": ([("no",), *ROWS[1:]], REF, TypeError, "row", (["no", *OUT[1:]], REF)),
    "labels": (IDS, LABELS, UserWarning, "references has the id -100", (IDS, LABEL_IDS)),
    "lists of labels": (LABELS.tolist(), IDS, UserWarning, "id -100", (LABEL_IDS, IDS)),
    "rows of labels": ([*LABELS], [*IDS], UserWarning, "hypotheses has", (LABEL_IDS, IDS)),
    "indexes in another order": (lambda: series(OUT, [4, 7, 5]),
        lambda: series(REF[::-1], [5, 7, 4]), UserWarning, "same index", (OUT, REF)),
    "a byte order mark": (OUT, MARKED, UserWarning, r"references begins with U\+FEFF", (OUT, REF)),
    "a mark before the output": (MARKED, OUT, UserWarning, "hypotheses begins", (REF, OUT)),
    "a Chinese segment": (CHINESE[:1], CHINESE[:1], UserWarning, "looks Chinese.*'zh'", None),
    "Chinese": (CHINESE, CHINESE, UserWarning, "looks Chinese.*'zh'", None),
    "Japanese": (JAPANESE, JAPANESE, UserWarning, "looks Japanese.*'ja-mecab'", None),
    "sets of texts": (TWO, [[one, one] for one in REF], UserWarning, "hypotheses have", None),
    "a list too many": ([OUT], [REF], UserWarning, "tokens of hypotheses have spaces", None),
    "texts as references": (WORDS, TWO, UserWarning, "tokens of references have spaces",
        (WORDS, [[text.split() for text in texts] for texts in TWO])),
    "a column": (lambda: series(CHINESE), lambda: series(CHINESE), UserWarning, "'zh'", None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_is_named_at_the_callers_line(name):
    hypotheses, references = made(CASES[name][:2])
    kind, named = CASES[name][2:4]
    for function in (vecbleu.statistics, vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        if kind is not UserWarning:
            with pytest.raises(kind, match=named):
                function(hypotheses, references)
            continue
        with pytest.warns(kind, match=named) as caught:
            function(hypotheses, references)
        assert [warning.filename for warning in caught] == [__file__] * len(caught)


@pytest.mark.parametrize("name", [name for name, row in CASES.items() if row[4] is not None])
def test_what_it_says_works(name):
    hypotheses, references = made(CASES[name][:2])
    counts = followed({"hypotheses": hypotheses, "references": references})
    expected = vecbleu.statistics(*CASES[name][4]).array.tolist()
    assert expected in counts
    if CASES[name][2] is UserWarning:  # an error can name several ways
        assert counts == [expected] * len(counts)


SEGMENT = "if hypotheses is one segment, pass [hypotheses], [references]"
SHARE = "if all segments share these references, pass vecbleu.SharedReferences(references)"
FILES = "for files call file_statistics(hypotheses, references)"
SPLIT = "; pass [one.split() for one in references]"
SWAP = "; if references came first, as in NLTK, swap the two: pass [references], [hypotheses]"
TEXT = "expected a string or a list of strings, as hypotheses holds strings; "
DECODE = TEXT + "pass [one.decode() for one in references]"
MISSING = TEXT + 'leave such a segment out on both sides, or pass ""'
STREAMS = "([reference][segment], sacreBLEU's streams)"
TRANSPOSED = f"references looks transposed {STREAMS}: pass list(zip(*references))"

# The end of each message: nothing follows it.
ENDS = {
    "the most tokens": (["a"] * 200, ["a"] * 3, f"200 segments but references has 3; {SEGMENT}"),
    "more tokens": (["a"] * 201, ["a"] * 3, f"201 segments but references has 3; {SHARE}"),
    "the longest token": (["b" * 30, "a"], ["a"] * 3, f"but references has 3; {SEGMENT}"),
    "a longer token": (["b" * 31, "a"], ["a"] * 3, "has 2 segments but references has 3"),
    "two references": (OUT[:1], REF[:2], "are of this segment, pass [references]"),
    "no references": (OUT, [], "hypotheses has 3 segments but references has 0"),
    "no hypotheses": ([], REF, "hypotheses has 0 segments but references has 3"),
    "a path among texts": ([*OUT[:2], PATH], REF, FILES),
    "a path as references": (OUT, PATH, FILES),
    "references used up": (OUT, used(REF), "an iterator is read once: make a list first"),
    "the longest token against tokens": ([["a"]], ["b" * 30], SWAP),
    "a text against tokens": ([["a"]], ["b" * 31], SPLIT),
    "words against tokens": ([["a"]], ["b c"], SPLIT),
    "rows of two columns": ([("no", "k"), ("a b",)], ["x y", "z"], SPLIT),
    "bytes, all shown": (OUT[:1], [b"x" * 27], f"[0] is bytes {b'x' * 27}, {DECODE}"),
    "bytes, too long to show": (OUT[:1], [b"x" * 28], f"[0] is bytes, {DECODE}"),
    "nulls": (OUT, np.array([REF[0], None, None]), f"references[1] is NoneType None, {MISSING}"),
    "logits of references": (IDS, np.ones((2, 1, 4, 9)), "an array of float64, expected integers"),
    "floats": (IDS / 1, IDS, "hypotheses is an array of float64, expected integers"),
    "not a number": (OUT, [*REF[:2], math.nan], f"references[2] is float nan, {MISSING}"),
    "lists too deep": (["a"] * 6, [[["a"]]], f"6 segments but references has 1; {SHARE}"),
    "a string, its references": (OUT[0], [REF[:1]], "list of texts; pass [hypotheses], references"),
    "words, streams of texts": (["a", "b"], [OUT[:2]], f"references has 1; {TRANSPOSED}"),
    "words, streams of words": (["a", "b"], [["a", "c"]], f"1; {SEGMENT}; {TRANSPOSED}"),
    "records": (IDS, np.zeros((2, 2), "i8,i8"), "('f1', '<i8')], expected integers"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_advice_is_given_up_to_its_limits(name):
    *sides, end = ENDS[name]
    with pytest.raises((TypeError, ValueError)) as caught:
        vecbleu.statistics(*sides)
    assert str(caught.value).endswith(end)


LAYERS = {
    "sacrebleu": lambda h, r: vecbleu.sacrebleu.corpus_bleu(h, [r]),
    "chrF of sacrebleu": lambda h, r: vecbleu.sacrebleu.corpus_chrf(h, [r]),
    "sentences of sacrebleu": lambda h, r: vecbleu.sacrebleu.TER().sentence_scores(h, [r]),
    "bleu": lambda h, r: huggingface.bleu(predictions=h, references=r),
    "google_bleu": lambda h, r: huggingface.google_bleu(predictions=h, references=r),
    "sacrebleu, prepared": lambda h, r: vecbleu.sacrebleu.BLEU(references=[r]).corpus_score(
        h, None
    ),
    "chrF, prepared": lambda h, r: vecbleu.sacrebleu.CHRF(references=[r]).corpus_score(h, None),
    "sacrebleu of Hugging Face": lambda h, r: huggingface.sacrebleu(predictions=h, references=r),
    "chrf of Hugging Face": lambda h, r: huggingface.chrf(predictions=h, references=r),
}
WARNED = [*product(LAYERS, ["a byte order mark", "a mark before the output"])]
WARNED += product([*LAYERS][:5], ["indexes in another order"])


@pytest.mark.parametrize(("layer", "name"), WARNED)
def test_layers_warn_of_texts_as_the_core_does(layer, name):
    hypotheses, references = made(CASES[name][:2])
    named = CASES[name][3]
    if layer in ("bleu", "google_bleu"):
        named = named.replace("hypotheses", "predictions")
    with pytest.warns(UserWarning, match=named) as caught:
        LAYERS[layer](hypotheses, references)
    assert [warning.filename for warning in caught] == [__file__]


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


@pytest.mark.parametrize(
    "function",
    [
        vecbleu.self_bleu,
        vecbleu.pairwise_bleu,
        vecbleu.nearest,
        vecbleu.SharedReferences,
        lambda texts: vecbleu.expected_bleu([texts]),
        lambda texts: vecbleu.corpus_bleu([["a"]] * len(texts), vecbleu.SharedReferences(texts)),
    ],
)
def test_sets_of_texts_are_not_taken_for_tokens_without_a_warning(function):
    """The call that it says makes none, and returns a result for each set."""
    with pytest.warns(UserWarning, match=r"\[function\(texts\) for texts in \w+\]$") as caught:
        function(TWO)
    assert [warning.filename for warning in caught] == [__file__]
    call = re.search(r"\[.*", str(caught[0].message))[0]
    sets = dict.fromkeys(("hypotheses", "references", "candidates"), TWO)
    if function in (vecbleu.self_bleu, vecbleu.pairwise_bleu, vecbleu.nearest):
        with warnings.catch_warnings(action="error"):
            assert len(eval(call, sets | {"function": function})) == len(TWO)


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
    ([[" the", " cat "], ["a\u00a0b", "c\u00a0d"]], [[" the", " dog "], ["a\u00a0b", "c"]]),
    ([["New York", "is"], ["Los Angeles", "too"]], [[["New York", "is"]], [["Los Angeles", "is"]]]),
    ([[1.5, -100.0]], [[1.5]]),
    (["-100", "", "a\ufeff", "\ufeffa"], ["-100", "", "b", "a"]),  # as WMT23's outputs have it
    ([["\ufeff"]], [["\ufeff"]]),
    ([(-99, 100)], [[np.int64(100)]]),
    (lambda: series(OUT, [1, 2, 3]), lambda: series(REF, [1, 2, 3])),
    (lambda: series(OUT, [1, 2, 3]), lambda: series(REF, [3, 2, 4])),
    (lambda: series(OUT, [1, 1, 2]), lambda: series(REF, [1, 2, 1])),  # labels name no segments
    (lambda: series(OUT, [1, 2, 3]), REF),
    (MIXED, MIXED),
    (SEGMENTED, SEGMENTED),
    ([[*line] for line in CHINESE], [[*line] for line in CHINESE]),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sides", SILENT)
def test_nothing_else_is_warned_of(sides):
    sides = made(sides)
    listed = vecbleu.statistics(*map(list, sides))
    assert vecbleu.statistics(*sides) == listed
    if listed.signature.tokenize is not None:
        for score in LAYERS.values():
            score(*sides)


@pytest.mark.filterwarnings("always:the text looks ")
def test_chinese_files_and_streams_are_warned_of_unless_13a_is_not_used(tmp_path, caplog):
    write_lines(tmp_path, {"h": CHINESE, "r": CHINESE})
    paths = tmp_path / "h", tmp_path / "r"
    with pytest.warns(UserWarning, match="'zh'") as caught:
        vecbleu.file_statistics(*paths)
    assert [warning.filename for warning in caught] == [__file__]
    vecbleu.file_statistics(*paths, tokenize="char")
    vecbleu.statistics(CHINESE, CHINESE, tokenize="char")
    with caplog.at_level("WARNING", logger="sacrebleu"), pytest.warns(UserWarning, match="'zh'"):
        vecbleu.sacrebleu.corpus_bleu(CHINESE, [CHINESE])
    assert "'zh'" in caplog.text
    assert "'zh'" in run(tmp_path, "r", "-i", "h").stderr.decode()
    assert run(tmp_path, "r", "-i", "h", "--force").stderr == b""


@pytest.mark.filterwarnings("error")
def test_padding_that_is_left_out_is_no_mistake():
    for options in ({"ignore_ids": -100}, {"ignore_ids": [0, -100], "eos_id": 7}):
        assert vecbleu.explain(IDS[0], LABELS[0], **options).score.ref_len == 3
        assert vecbleu.statistics(IDS, LABELS, **options).ref_len.tolist() == [3, 3]

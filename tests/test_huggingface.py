"""The metrics of Hugging Face's `evaluate` against their published definitions, bit for bit."""

from __future__ import annotations

import inspect
import json
import math
import re

import numpy as np
import oracle
import pytest
import sacrebleu
from corpora import random_lines
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu
from peers import same_digits
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import ugly_text, words

from vecbleu.huggingface import bleu, google_bleu, load
from vecbleu.huggingface import sacrebleu as sacrebleu_metric

_tokenizer_13a = Tokenizer13a()
METRICS = [bleu, google_bleu]

KEYS = ["bleu", "precisions", "brevity_penalty", "length_ratio"]
KEYS += ["translation_length", "reference_length"]


def tokenize_13a(line):
    """`evaluate`'s copy: like sacreBLEU's, but a list, and of lines that nobody strips before."""
    return _tokenizer_13a(line).split()


def nmt_bleu(predictions, references, tokenizer=tokenize_13a, max_order=4, smooth=False):
    """`_compute` of metrics/bleu/bleu.py, and nmt/scripts/bleu.py, on the counts of `oracle`."""
    rows = [
        oracle.row(tokenizer(raw), [tokenizer(r) for r in some], max_order, "shortest")
        for raw, some in zip(predictions, references, strict=True)
    ]
    translation_length, reference_length, *counts = map(sum, zip(*rows, strict=True))
    matches, possible = counts[:max_order], counts[max_order:]
    precisions = [0.0] * max_order
    for i in range(max_order):
        if smooth:
            precisions[i] = (matches[i] + 1.0) / (possible[i] + 1.0)
        elif possible[i] > 0:
            precisions[i] = float(matches[i]) / possible[i]
    geo_mean = 0
    if min(precisions) > 0:
        geo_mean = math.exp(sum((1.0 / max_order) * math.log(p) for p in precisions))
    ratio = float(translation_length) / reference_length
    bp = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
    numbers = geo_mean * bp, precisions, bp, ratio, translation_length, reference_length
    return dict(zip(KEYS, numbers, strict=True))


def nltk_gleu(predictions, references, tokenizer=tokenize_13a, **lengths):
    """`_compute` of metrics/google_bleu/google_bleu.py."""
    references = [[tokenizer(r) for r in some] for some in references]
    return {"google_bleu": corpus_gleu(references, [tokenizer(p) for p in predictions], **lengths)}


def same(ours, theirs):
    """Equal keys in the same order, equal numbers of the same types."""
    assert repr(ours) == repr(theirs)
    assert [*map(type, ours.values())] == [*map(type, theirs.values())]


def same_score(metric, predictions, references, tokenizer=None, name=None, **options):
    """The result of a metric, which is that of its published definition.

    `name` is the tokenizer's, if it is asked for by that.
    """
    published = {bleu: nmt_bleu, google_bleu: nltk_gleu}[metric]
    given = tokenizer if name is None else name
    ours = metric(predictions=predictions, references=references, tokenizer=given, **options)
    lists = [[entry] if isinstance(entry, str) else entry for entry in references]
    same(ours, published(predictions, lists, tokenizer or tokenize_13a, **options))
    return ours


tokenizers = st.sampled_from(
    [
        None,
        str.split,
        str,  # a string is a sequence of its characters
        list,
        lambda line: np.array([*map(ord, line)], np.int64),
        lambda line: tuple(map(len, line.split())),
        lambda line: line.lower().split(" "),
        lambda line: [*line.split(), None, 1.5, True],
    ]
)


@st.composite
def texts(draw):
    """(predictions, references) of text in which n-grams repeat."""
    pieces = draw(st.lists(st.one_of(words, ugly_text), min_size=1, max_size=5))
    glue = draw(st.sampled_from([" ", "", "-\n", "\n"]))
    segment = st.lists(st.sampled_from(pieces), max_size=10).map(glue.join)
    segment = st.one_of(segment, ugly_text, st.text("ab-\n 5.", max_size=12))
    size = draw(st.integers(1, 5))
    predictions = draw(st.lists(segment, min_size=size, max_size=size))
    entry = draw(st.sampled_from([segment, st.lists(segment, min_size=1, max_size=5)]))
    return predictions, draw(st.lists(entry, min_size=size, max_size=size))


@given(texts(), tokenizers, st.integers(1, 6), st.booleans())
def test_bleu_is_the_published_one(corpus, tokenizer, max_order, smooth):
    options = {"max_order": max_order, "smooth": smooth}
    try:
        same_score(bleu, *corpus, tokenizer, **options)
    except ZeroDivisionError:
        sides = {"predictions": corpus[0], "references": corpus[1]}
        ours = bleu(**sides, tokenizer=tokenizer, **options)
        assert 0 in (ours["translation_length"], ours["reference_length"])
        assert ours["brevity_penalty"] == float(ours["translation_length"] > 0)
        assert ours["length_ratio"] == 0


@given(texts(), tokenizers, st.integers(1, 4), st.integers(0, 4))
def test_google_bleu_is_nltks(corpus, tokenizer, min_len, more):
    same_score(google_bleu, *corpus, tokenizer, min_len=min_len, max_len=min_len + more)


_letters = st.text("ab ", max_size=8)


_segments = st.tuples(_letters, st.lists(_letters, min_size=1, max_size=5))


@given(st.lists(_segments, max_size=5), st.integers(1, 3))
@example([("a b", ["a", "a b c d"]), ("c", ["c"])], 1)  # 1/3 and 3/9 are the same for a segment,
@example([("a b", ["a b c d", "a"]), ("c", ["c"])], 1)  # but not for a corpus
def test_of_references_equally_good_the_first_counts(segments, min_len):
    corpus = [prediction for prediction, _ in segments], [lists for _, lists in segments]
    same_score(google_bleu, *corpus, min_len=min_len, max_len=3)


@given(ugly_text)
@example("a")
def test_13a_joins_lines_before_it_strips(line):
    for end in ("", "-\n", "-\n\n", "-\n ", "-<skipped>\n", "-\n<skipped> \n", "<skipped"):
        predictions, references = [line + end, "x"], [[line, line + end + "a"], ["x"]]
        same_score(bleu, predictions, references, smooth=True)


@pytest.mark.parametrize("tokenizer", [None, str.split])
def test_published_examples_of_bleu(tokenizer):
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]
    numbers = [1.0, [1.0, 1.0, 1.0, 1.0], 1.0, 1.1666666666666667, 7, 6]
    result = same_score(bleu, predictions, references, tokenizer)
    same(result, dict(zip(KEYS, numbers, strict=True)))


DUCK = [
    "It is a guide to action which ensures that the rubber duck always disobeys the commands of "
    "the cat",
    "he read the book because he was interested in world history",
]
GUIDE = [
    "It is the guiding principle which guarantees the rubber duck forces never being under the "
    "command of the cat",
    "It is a guide to action that ensures that the rubber duck will never heed the cat commands",
    "It is the practical guide for the rubber duck army never to heed the directions of the cat",
]
BOOK = ["he was interested in world history because he read the book"]


@pytest.mark.parametrize(
    ("references", "options", "published"),
    [
        ([GUIDE[:1], BOOK], {}, 0.44),
        ([GUIDE, BOOK], {}, 0.61),
        ([GUIDE, BOOK], {"min_len": 2}, 0.53),
        ([GUIDE, BOOK], {"min_len": 2, "max_len": 6}, 0.40),
    ],
)
def test_published_examples_of_google_bleu(references, options, published):
    ours = same_score(google_bleu, DUCK, references, **options)
    assert round(ours["google_bleu"], 2) == published


@pytest.mark.usefixtures("small_blocks")
def test_corpora_of_several_blocks():
    """References of differing numbers, and empty lines."""
    predictions = random_lines(3, 200)
    references = [random_lines(seed, 1 + seed % 3) for seed in range(200)]
    for metric in METRICS:
        same_score(metric, predictions, references)


def test_anything_that_holds_strings():
    predictions, references = ["the cat sat", "a dog"], [["the cat", "a cat"], ["a dog", "dog"]]
    expected = bleu(predictions=predictions, references=references, max_order=2)
    for one, other in [
        (tuple(predictions), tuple(map(tuple, references))),
        (np.array(predictions), np.array(references)),
        (iter(predictions), map(np.array, references)),
    ]:
        same(bleu(predictions=one, references=other, max_order=2), expected)
    assert same_score(bleu, ["a", "b"], ["a", ["b", "c"]], max_order=1)["bleu"] == 1.0


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(("predictions", "references"), [([], []), ([""], ["a b"]), ([""], [""])])
def test_no_tokens_in_the_predictions_score_zero(predictions, references, smooth):
    result = bleu(predictions=predictions, references=references, smooth=smooth)
    numbers = [0.0, [float(smooth)] * 4, 0.0, 0.0, 0, 2 if references == ["a b"] else 0]
    assert result == dict(zip(KEYS, numbers, strict=True))
    assert google_bleu(predictions=predictions, references=references) == {"google_bleu": 0.0}


def test_no_tokens_in_the_shortest_references():
    result = bleu(predictions=["a b c d"], references=[["", "a b c d"]])
    assert result == dict(zip(KEYS, [1.0, [1.0] * 4, 1.0, 0.0, 4, 0], strict=True))


@given(texts(), st.sampled_from(["intl", "zh", "char", "none"]), st.sampled_from(METRICS))
def test_tokenizers_by_name(corpus, name, metric):
    """Those of sacreBLEU, which strips segments on the right."""
    peer = sacrebleu.BLEU(tokenize=name).tokenizer
    sides = [[*side, "x"] for side in corpus]  # else `evaluate` may divide by zero
    same_score(metric, *sides, lambda line: peer(line.rstrip()).split(), name=name)


@given(st.lists(st.tuples(_letters, st.lists(_letters, max_size=3)), max_size=5))
@example([("a b", []), ("a", ["a"])])
@example([("a b", [])])
def test_google_bleu_leaves_out_predictions_without_references(segments):
    corpus = [prediction for prediction, _ in segments], [lists for _, lists in segments]
    for tokenizer in (None, str.split):
        same_score(google_bleu, *corpus, tokenizer)


def published_sacrebleu(predictions, references, tokenize=None, **options):
    """`_compute` of metrics/sacrebleu/sacrebleu.py, on the installed sacreBLEU."""
    if isinstance(references[0], str):
        references = [[reference] for reference in references]
    streams = [[entry[place] for entry in references] for place in range(len(references[0]))]
    if tokenize:
        options["tokenize"] = tokenize
    found = sacrebleu.corpus_bleu(predictions, streams, **options)
    names = "score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"
    return {name: getattr(found, name) for name in names}


def same_as_sacrebleu(ours, theirs):
    """Equal in all keys, in their order; the score to the last bit that all Pythons share."""
    assert [*ours] == [*theirs]
    assert same_digits(ours.pop("score"), theirs.pop("score"))
    assert ours == theirs
    assert [*map(type, ours.values())] == [*map(type, theirs.values())]


@st.composite
def even_texts(draw):
    """(predictions, references), as many of these for each prediction; or one string for each."""
    width = draw(st.integers(0, 3))
    segment = st.one_of(ugly_text, st.lists(words, max_size=8).map(" ".join))
    lists = st.lists(segment, min_size=width, max_size=width) if width else segment
    pairs = draw(st.lists(st.tuples(segment, lists), min_size=1, max_size=5))
    return [one for one, _ in pairs], [entry for _, entry in pairs]


@given(
    even_texts(),
    st.sampled_from([("exp", None), ("floor", None), ("floor", 0.5), ("add-k", 2), ("none", None)]),
    st.sampled_from([None, "", "13a", "intl", "zh", "char", "none"]),
    st.booleans(),
    st.booleans(),
)
def test_sacrebleu_is_sacrebleus(corpus, smoothing, tokenize, lowercase, effective_order):
    predictions, references = corpus
    options = {
        **dict(zip(("smooth_method", "smooth_value"), smoothing, strict=True)),
        "force": True,
        "lowercase": lowercase,
        "tokenize": tokenize,
        "use_effective_order": effective_order,
    }
    ours = sacrebleu_metric(predictions=predictions, references=references, **options)
    same_as_sacrebleu(ours, published_sacrebleu(predictions, references, **options))


def test_published_examples_of_sacrebleu():
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [
        ["hello there general kenobi", "hello there !"],
        ["foo bar foobar", "foo bar foobar"],
    ]
    ours = sacrebleu_metric(predictions=predictions, references=references)
    assert ours == {
        "score": 100.00000000000004,
        "counts": [7, 5, 3, 1],
        "totals": [7, 5, 3, 1],
        "precisions": [100.0] * 4,
        "bp": 1.0,
        "sys_len": 7,
        "ref_len": 7,
    }
    assert json.loads(json.dumps(ours)) == ours


def test_sacrebleu_of_arrays_and_columns():
    predictions, shared = ["a b c d e", "a b"], ["a b c d f", "b a"]
    each = [shared] * 2
    expected = sacrebleu_metric(predictions=predictions, references=each)
    assert sacrebleu_metric(predictions=iter(predictions), references=np.array(each)) == expected
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'arrow'")
    columns = {"predictions": pa.array(predictions), "references": pa.array(each)}
    assert sacrebleu_metric(**columns) == expected


def list_of_a(line):
    """Tokens that can be hashed but for those of "a"."""
    return [[line]] if line == "a" else [line]


@pytest.mark.parametrize("metric", METRICS)
def test_a_tokenizer_is_called_once_for_each_string(metric):
    seen = []
    sides = {"predictions": ["a", "b"], "references": [["c", "d"], ["e"]]}
    metric(**sides, tokenizer=lambda line: seen.append(line) or [line])
    assert sorted(seen) == ["a", "b", "c", "d", "e"]
    with pytest.raises(TypeError, match=r"references\[0\]\[1\]: token \['a'\]"):
        metric(predictions=["b"], references=[["b", "a"]], tokenizer=list_of_a)


def test_metrics_by_name():
    found = [load(name) for name in ("bleu", "google_bleu", "sacrebleu")]
    assert [one.name for one in found] == ["bleu", "google_bleu", "sacrebleu"]
    assert [one.compute for one in found] == [bleu, google_bleu, sacrebleu_metric]
    with pytest.raises(ValueError, match=r"rouge.*bleu, google_bleu, sacrebleu"):
        load("rouge")


MISTAKES = [
    (["a"], ["a", "b"], {}, ValueError, "predictions has 1 segments but references has 2"),
    (["a", 5], ["a", "b"], {}, TypeError, "predictions[1] is int 5"),
    (["a", "b"], [["a"], ["b", None]], {}, TypeError, "references[1][1] is NoneType"),
    (["a", "b"], ["a", b"b"], {}, TypeError, "references[1] is bytes"),
    ("a", ["a"], {}, TypeError, "predictions is str 'a'"),
    (["a"], {"a"}, {}, TypeError, "references is set {'a'}"),
    (None, ["a"], {}, TypeError, "predictions is NoneType"),
    (["a"], ["a"], {"tokenizer": 13}, ValueError, "tokenize is 13"),
    (["a"], ["a"], {"tokenizer": "13b"}, ValueError, "tokenize is '13b'"),
    (["a"], ["a"], {"tokenizer": len}, TypeError, "references[0][0]: tokenizer returned int"),
    (["a"], ["b"], {"tokenizer": list_of_a}, TypeError, "predictions[0]: token ['a']"),
    (["a", "b"], [["a"], []], {"smooth": False}, ValueError, "references[1] is empty"),
    (["a"], ["a"], {"max_order": 0}, ValueError, "max_order is 0"),
    (["a"], ["a"], {"max_order": 2.0}, TypeError, "max_order is 2.0"),
    (["a"], ["a"], {"smooth": "exp"}, TypeError, "smooth is 'exp'"),
    (["a"], ["a"], {"min_len": 0}, ValueError, "min_len is 0"),
    (["a"], ["a"], {"min_len": 3, "max_len": 2}, ValueError, "max_len is 2"),
    (["a"], ["a"], {"max_len": True}, TypeError, "max_len is True"),
    (["a", "b"], [["a", "b"], "c"], {"force": True}, ValueError, "references[1] has 1 references"),
    (["a", "b"], [[], []], {"force": True}, ValueError, "references[0] is empty"),
    ([], [], {"force": True}, ValueError, "predictions has 0 segments"),
    (["a"], ["a"], {"smooth_method": "ex"}, ValueError, "smooth_method is 'ex'"),
    (["a"], ["a"], {"tokenize": "13b"}, ValueError, "tokenize is '13b'"),
]


@pytest.mark.parametrize(("predictions", "references", "options", "error", "said"), MISTAKES)
def test_errors_name_what_is_wrong(predictions, references, options, error, said):
    metrics = [*METRICS, sacrebleu_metric]
    takers = [one for one in metrics if options.keys() <= {*inspect.signature(one).parameters}]
    assert takers
    for metric in takers:
        with pytest.raises(error, match=re.escape(said)):
            metric(predictions=predictions, references=references, **options)


@pytest.mark.parametrize("metric", METRICS)
def test_columns(metric):
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'arrow'")
    predictions, lists = ["the cat sat", "a dog"], [["the cat", "a cat sat"], ["the dog"]]
    single = ["the cat", "the dog"]
    for column, references in (([[*lists[0], None], lists[1]], lists), (single, single)):
        expected = metric(predictions=predictions, references=references)
        for one in (predictions, pa.array(predictions)):
            assert metric(predictions=one, references=pa.array(column)) == expected
    with pytest.raises(ValueError, match=r"predictions\[1\] is null; a hypothesis can't be"):
        metric(predictions=pa.array(["a", None]), references=["a", "b"])
    lacking = {"predictions": ["a", "b"], "references": pa.array([["a"], [None]])}
    if metric is google_bleu:
        assert metric(**lacking) == {"google_bleu": 1.0}  # of the first alone
    else:
        with pytest.raises(ValueError, match=r"references\[1\] is empty: "):
            metric(**lacking)
    for references, error, said in (
        (pa.array(["a", None]), ValueError, r"references\[1\] is null: "),
        (pa.array([1, 2]), TypeError, r"references\[0\] is int"),
        (pa.table({"a": ["a", "b"]}), TypeError, r"references is a table"),
    ):
        with pytest.raises(error, match=said):
            metric(predictions=["a", "b"], references=references)

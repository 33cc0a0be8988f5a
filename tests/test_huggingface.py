"""The metrics of Hugging Face's `evaluate` against their published definitions, bit for bit."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import ugly_text, words

from vecbleu.huggingface import compute, google_bleu
from vecbleu.huggingface.gleu import PairCounting
from vecbleu.huggingface.segments import align
from vecbleu.parallel import Labor
from vecbleu.pipeline import count_corpus

_tokenizer_13a = Tokenizer13a()


def tokenize_13a(line):
    """`evaluate`'s copy splits what sacreBLEU's joins; `BLEU` strips lines before, it does not."""
    return _tokenizer_13a(line).split()


def ngrams(segment, max_order):
    orders = range(1, max_order + 1)
    return Counter(tuple(segment[i : i + n]) for n in orders for i in range(len(segment) - n + 1))


def nmt_bleu(predictions, references, tokenizer=tokenize_13a, max_order=4, smooth=False):
    """`_compute` of metrics/bleu/bleu.py, and nmt/scripts/bleu.py."""
    matches, possible = [0] * max_order, [0] * max_order
    reference_length = translation_length = 0
    if isinstance(references[0], str):
        references = [[reference] for reference in references]
    for raw, raw_references in zip(predictions, references, strict=True):
        translation, tokenized = tokenizer(raw), [tokenizer(r) for r in raw_references]
        reference_length += min(len(r) for r in tokenized)
        translation_length += len(translation)
        merged = Counter()
        for reference in tokenized:
            merged |= ngrams(reference, max_order)
        overlap = ngrams(translation, max_order) & merged
        for ngram in overlap:
            matches[len(ngram) - 1] += overlap[ngram]
        for order in range(1, max_order + 1):
            possible[order - 1] += max(len(translation) - order + 1, 0)
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
    return {
        "bleu": geo_mean * bp,
        "precisions": precisions,
        "brevity_penalty": bp,
        "length_ratio": ratio,
        "translation_length": translation_length,
        "reference_length": reference_length,
    }


def nltk_gleu(predictions, references, tokenizer=tokenize_13a, **lengths):
    """`_compute` of metrics/google_bleu/google_bleu.py."""
    if references and isinstance(references[0], str):
        references = [[reference] for reference in references]
    references = [[tokenizer(r) for r in some] for some in references]
    return {"google_bleu": corpus_gleu(references, [tokenizer(p) for p in predictions], **lengths)}


def same(ours, theirs):
    """Equal keys in the same order, equal numbers of the same types."""
    assert repr(ours) == repr(theirs)
    assert [*map(type, ours.values())] == [*map(type, theirs.values())]


def code_points(line):
    return np.array([*map(ord, line)], np.int64)


tokenizers = st.sampled_from(
    [
        None,
        str.split,
        str,  # a string is a sequence of its characters
        list,
        code_points,
        lambda line: tuple(map(len, line.split())),
        lambda line: line.lower().split(" "),
        lambda line: [*line.split(), None, 1.5, True],
    ]
)


@st.composite
def texts(draw, most=5):
    """(predictions, references) of text in which n-grams repeat."""
    pieces = draw(st.lists(st.one_of(words, ugly_text), min_size=1, max_size=5))
    glue = draw(st.sampled_from([" ", "", "-\n", "\n"]))
    segment = st.lists(st.sampled_from(pieces), max_size=10).map(glue.join)
    segment = st.one_of(segment, ugly_text, st.text("ab-\n 5.", max_size=12))
    size = draw(st.integers(1, 5))
    predictions = draw(st.lists(segment, min_size=size, max_size=size))
    lists = st.lists(segment, min_size=1, max_size=most)
    references = draw(
        st.one_of(
            st.lists(lists, min_size=size, max_size=size),
            st.lists(segment, min_size=size, max_size=size),
        )
    )
    return predictions, references


@given(texts(), tokenizers, st.integers(1, 6), st.booleans())
def test_bleu_is_the_published_one(corpus, tokenizer, max_order, smooth):
    predictions, references = corpus
    options = {"max_order": max_order, "smooth": smooth}
    ours = compute(predictions=predictions, references=references, tokenizer=tokenizer, **options)
    try:
        theirs = nmt_bleu(predictions, references, tokenizer or tokenize_13a, **options)
    except ZeroDivisionError:
        assert 0 in (ours["translation_length"], ours["reference_length"])
        assert ours["brevity_penalty"] == float(ours["translation_length"] > 0)
        assert ours["length_ratio"] == 0
    else:
        same(ours, theirs)


@given(texts(), tokenizers, st.integers(1, 4), st.integers(0, 4))
def test_google_bleu_is_nltks(corpus, tokenizer, min_len, more):
    predictions, references = corpus
    lengths = {"min_len": min_len, "max_len": min_len + more}
    ours = google_bleu(
        predictions=predictions, references=references, tokenizer=tokenizer, **lengths
    )
    same(ours, nltk_gleu(predictions, references, tokenizer or tokenize_13a, **lengths))


@given(
    st.lists(
        st.tuples(
            st.text("ab ", max_size=8),
            st.lists(st.text("ab ", max_size=8), min_size=1, max_size=5),
        ),
        max_size=5,
    ),
    st.integers(1, 3),
)
def test_of_references_equally_good_the_first_counts(segments, min_len):
    predictions = [prediction for prediction, _ in segments]
    references = [some for _, some in segments]
    ours = google_bleu(predictions=predictions, references=references, min_len=min_len, max_len=3)
    same(ours, nltk_gleu(predictions, references, min_len=min_len, max_len=3))


def test_first_of_two_equal_quotients():
    """1/2 and 2/4 are the same for a segment, but not for a corpus."""
    predictions, twice = ["a b", "c"], [["a", "a b c d"], ["c"]]
    for references in (twice, [twice[0][::-1], twice[1]]):
        options = {"min_len": 1, "max_len": 1}
        ours = google_bleu(predictions=predictions, references=references, **options)
        same(ours, nltk_gleu(predictions, references, **options))
    assert ours == {"google_bleu": 3 / 5}


@given(ugly_text)
def test_13a_is_not_preceded_by_stripping(line):
    for end in ("", "-\n", "-\n ", "-\n<skipped>", "-\n<skipped> \n", "<skipped", "-<skipped>\n"):
        ours = compute(predictions=[line + end], references=["x"], max_order=1)
        assert ours["translation_length"] == len(tokenize_13a(line + end))


def test_published_examples_of_bleu():
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]
    expected = {
        "bleu": 1.0,
        "precisions": [1.0, 1.0, 1.0, 1.0],
        "brevity_penalty": 1.0,
        "length_ratio": 1.1666666666666667,
        "translation_length": 7,
        "reference_length": 6,
    }
    same(compute(predictions=predictions, references=references), expected)
    same(nmt_bleu(predictions, references), expected)
    split = compute(predictions=predictions, references=references, tokenizer=str.split)
    same(split, expected)
    single = ["hello there general kenobi", "foo bar foobar"]
    same(compute(predictions=predictions, references=single), nmt_bleu(predictions, single))


DUCK = [
    "It is a guide to action which ensures that the rubber duck always disobeys the commands of "
    "the cat",
    "he read the book because he was interested in world history",
]
ONE = [
    [
        "It is the guiding principle which guarantees the rubber duck forces never being under "
        "the command of the cat"
    ],
    ["he was interested in world history because he read the book"],
]
SEVERAL = [
    [
        *ONE[0],
        "It is a guide to action that ensures that the rubber duck will never heed the cat "
        "commands",
        "It is the practical guide for the rubber duck army never to heed the directions of the "
        "cat",
    ],
    ONE[1],
]


@pytest.mark.parametrize(
    ("references", "options", "published"),
    [
        (ONE, {}, 0.44),
        (SEVERAL, {}, 0.61),
        (SEVERAL, {"min_len": 2}, 0.53),
        (SEVERAL, {"min_len": 2, "max_len": 6}, 0.40),
    ],
)
def test_published_examples_of_google_bleu(references, options, published):
    ours = google_bleu(predictions=DUCK, references=references, **options)
    assert round(ours["google_bleu"], 2) == published
    same(ours, nltk_gleu(DUCK, references, **options))


def test_blocks_of_many_segments():
    """More than a block, with references of differing numbers."""
    rng = np.random.default_rng(3)

    def line():
        return " ".join(rng.choice(["a", "b", "c", "d,", "e-"], rng.integers(0, 60)).tolist())

    predictions = [line() for _ in range(6000)]
    references = [[line() for _ in range(1 + i % 3)] for i in range(6000)]
    some = compute(predictions=predictions, references=references)
    same(some, nmt_bleu(predictions, references))
    same(
        google_bleu(predictions=predictions, references=references),
        nltk_gleu(predictions, references),
    )


def test_pairs_are_counted_in_other_processes_alike():
    predictions = [f"a b c{i % 7} d" for i in range(40_000)]
    references = [[f"a b c{i % 5} d"] * (1 + i % 3) for i in range(40_000)]
    corpus, counts = align(predictions, references, None)
    counting = PairCounting()
    one, two = (
        counting.gather(count_corpus(corpus, counting, Labor(workers))) for workers in (1, 2)
    )
    assert len(one) == counts.sum()
    assert one == two


def test_anything_that_holds_strings():
    predictions, references = ["the cat sat", "a dog"], [["the cat", "a cat"], ["a dog", "dog"]]
    expected = compute(predictions=predictions, references=references, max_order=2)
    for one, other in [
        (tuple(predictions), tuple(map(tuple, references))),
        (np.array(predictions), np.array(references)),
        (iter(predictions), map(np.array, references)),
    ]:
        same(compute(predictions=one, references=other, max_order=2), expected)
    mixed = compute(predictions=["a", "b"], references=["a", ["b", "c"]], max_order=1)
    assert mixed["bleu"] == 1.0


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(("predictions", "references"), [([], []), ([""], ["a b"]), ([""], [""])])
def test_no_tokens_in_the_predictions_score_zero(predictions, references, smooth):
    result = compute(predictions=predictions, references=references, smooth=smooth)
    assert result == {
        "bleu": 0.0,
        "precisions": [float(smooth)] * 4,
        "brevity_penalty": 0.0,
        "length_ratio": 0.0,
        "translation_length": 0,
        "reference_length": 2 if references == ["a b"] else 0,
    }
    assert google_bleu(predictions=predictions, references=references) == {"google_bleu": 0.0}


def test_no_tokens_in_the_shortest_references():
    result = compute(predictions=["a b c d"], references=[["", "a b c d"]])
    assert (result["bleu"], result["brevity_penalty"], result["length_ratio"]) == (1.0, 1.0, 0.0)
    assert result["reference_length"] == 0


@pytest.mark.parametrize("metric", [compute, google_bleu])
@pytest.mark.parametrize(
    ("predictions", "references", "options", "error", "said"),
    [
        (["a"], ["a", "b"], {}, ValueError, "predictions has 1 segments but references has 2"),
        (["a", 5], ["a", "b"], {}, TypeError, "predictions[1] is int, expected a string"),
        (["a", ["b"]], ["a", "b"], {}, TypeError, "predictions[1] is list, expected a string"),
        (["a", "b"], [["a"], []], {}, ValueError, "prediction 1 has 0 references"),
        (["a", "b"], [["a"], ["b", None]], {}, TypeError, "references[1][1] is NoneType"),
        (["a", "b"], ["a", None], {}, TypeError, "references[1] is NoneType"),
        (["a", "b"], ["a", b"b"], {}, TypeError, "references[1] is bytes"),
        ("a", ["a"], {}, TypeError, "predictions is a single str"),
        (["a"], "a", {}, TypeError, "references is a single str"),
        (["a"], {"a"}, {}, TypeError, "references is a single set"),
        (None, ["a"], {}, TypeError, "predictions is NoneType"),
        (["a"], ["a"], {"tokenizer": "13a"}, TypeError, "tokenizer is '13a'"),
        (["a"], ["a"], {"tokenizer": len}, TypeError, "references[0][0]: tokenizer returned int"),
        (["a"], ["a"], {"tokenizer": iter}, TypeError, "tokenizer returned str_"),
        (
            ["a"],
            ["b"],
            {"tokenizer": lambda line: [[line]] if line == "a" else [line]},
            TypeError,
            "predictions[0]: token ['a'] can't be used",
        ),
    ],
)
def test_errors_name_what_is_wrong(metric, predictions, references, options, error, said):
    with pytest.raises(error, match=re.escape(said)):
        metric(predictions=predictions, references=references, **options)


@pytest.mark.parametrize(
    ("metric", "options", "error", "said"),
    [
        (compute, {"max_order": 0}, ValueError, "max_order is 0"),
        (compute, {"max_order": 2.0}, TypeError, "max_order is 2.0"),
        (compute, {"smooth": "exp"}, TypeError, "smooth is 'exp'"),
        (google_bleu, {"min_len": 0}, ValueError, "min_len is 0 and max_len is 4"),
        (google_bleu, {"min_len": 3, "max_len": 2}, ValueError, "min_len is 3 and max_len is 2"),
        (google_bleu, {"max_len": True}, TypeError, "max_len is True"),
        (google_bleu, {"min_len": 1.0}, TypeError, "min_len is 1.0"),
    ],
)
def test_errors_name_the_option(metric, options, error, said):
    with pytest.raises(error, match=re.escape(said)):
        metric(predictions=["a"], references=["a"], **options)


def test_evaluate_is_not_imported():
    code = (
        "import sys, vecbleu.huggingface as face\n"
        "face.compute(predictions=['a'], references=['a'])\n"
        "face.google_bleu(predictions=['a'], references=['a'])\n"
        "assert not {'evaluate', 'datasets', 'nltk', 'sacrebleu'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_columns():
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'arrow'")
    predictions, lists = ["the cat sat", "a dog"], [["the cat", "a cat sat"], ["the dog"]]
    for metric in (compute, google_bleu):
        expected = metric(predictions=predictions, references=lists)
        column = pa.array([[*lists[0], None], lists[1]])
        for one in (predictions, pa.array(predictions)):
            assert metric(predictions=one, references=column) == expected
        expected = metric(predictions=predictions, references=["the cat", "the dog"])
        found = metric(predictions=predictions, references=pa.array(["the cat", "the dog"]))
        assert found == expected
        with pytest.raises(ValueError, match=r"predictions\[1\] is null; a hypothesis can't be"):
            metric(predictions=pa.array(["a", None]), references=["a", "b"])
        for missing, found in ((["a", None], "null"), ([["a"], [None]], "empty")):
            with pytest.raises(ValueError, match=rf"references\[1\] is {found}: "):
                metric(predictions=["a", "b"], references=pa.array(missing))
        with pytest.raises(TypeError, match=r"references\[0\] is int"):
            metric(predictions=["a", "b"], references=pa.array([1, 2]))
        with pytest.raises(TypeError, match=r"references is a table"):
            metric(predictions=["a", "b"], references=pa.table({"a": ["a", "b"]}))

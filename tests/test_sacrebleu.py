"""The sacreBLEU face against sacreBLEU itself: scores, attributes, texts, signatures, warnings."""

from __future__ import annotations

import copy
import json
import logging

import numpy as np
import pytest
import sacrebleu as peer
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters, same_digits
from strategies import ugly_text, words

import vecbleu
import vecbleu.sacrebleu as face
from vecbleu.sacrebleu.metrics import BLEU

sentences = st.lists(words, max_size=12).map(" ".join)
segments = st.one_of(sentences, ugly_text.map(lambda text: text.translate(newer_characters())))


@st.composite
def corpora(draw, most=4):
    """(hypotheses, streams): some references are None, none of a segment's all are."""
    size, streams = draw(st.integers(1, 5)), draw(st.integers(1, most))
    hypotheses = draw(st.lists(segments, min_size=size, max_size=size))
    of_segments = [
        draw(st.lists(st.none() | segments, min_size=streams, max_size=streams).filter(any_text))
        for _ in range(size)
    ]
    return hypotheses, [list(stream) for stream in zip(*of_segments, strict=True)]


def any_text(references):
    return any(reference is not None for reference in references)


metric_options = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from([None, *TOKENIZE]),
        "smooth_method": st.sampled_from(["none", "floor", "add-k", "exp"]),
        "smooth_value": st.sampled_from([None, 0.1, 1, 2.5, 0, 0.0]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
        "trg_lang": st.sampled_from(["", "en", "zh"]),
    },
)
formats = st.fixed_dictionaries(
    {},
    optional={"width": st.integers(0, 12), "score_only": st.booleans(), "is_json": st.booleans()},
)


def assert_same(ours, theirs):
    assert same_digits(ours.score, theirs.score)
    for name in ("name", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert [*map(type, ours.counts)] == [*map(type, theirs.counts)]
    assert (ours.prec_str, str(ours)) == (theirs.prec_str, str(theirs))


def without_version(text):
    return text.replace(f"vecbleu-{vecbleu.__version__}", peer.__version__)


def signature_like(theirs, options, short=False):
    """Their signature with the one field that only ours have."""
    order = options.get("max_ngram_order", 4)
    head, version, number = theirs.format(short).rpartition("|v:" if short else "|version:")
    field = ("" if order == 4 else f"|n:{order}") if short else f"|max_order:{order}"
    return head + ("" if order == 4 else field) + version + number


@given(corpora(), metric_options, formats, st.booleans())
def test_corpora(corpus, options, form, kept):
    hypotheses, streams = corpus
    metrics = [module.BLEU(**options) for module in (face, peer)]
    if kept:
        metrics = [module.BLEU(**options, references=streams) for module in (face, peer)]
    before = copy.deepcopy(corpus)
    scores = [metric.corpus_score(hypotheses, None if kept else streams) for metric in metrics]
    assert corpus == before
    assert_same(*scores)
    ours, theirs = (metric.get_signature() for metric in metrics)
    for short in (False, True):
        expected = signature_like(theirs, options, short)
        assert without_version(ours.format(short)) == expected
        texts = [score.format(**form, signature=expected) for score in scores]
        assert texts[0] == texts[1]
    assert str(ours) == repr(ours) == ours.format()


@given(corpora(most=3), metric_options)
def test_sentences_one_by_one_and_at_once(corpus, options):
    hypotheses, streams = corpus
    ours, theirs = face.BLEU(**options), peer.BLEU(**options)
    scores = [
        (ours.sentence_score(hypothesis, references), theirs.sentence_score(hypothesis, references))
        for hypothesis, *references in zip(hypotheses, *streams, strict=True)
        if None not in references  # see below
    ]
    for pair in scores:
        assert_same(*pair)
    at_once = ours.sentence_scores(hypotheses, streams)
    loop = [
        ours.sentence_score(hypothesis, [r for r in references if r is not None]).score
        for hypothesis, *references in zip(hypotheses, *streams, strict=True)
    ]
    assert at_once.tolist() == loop


@given(
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
    st.integers(0, 20),
    st.integers(0, 20),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
    st.sampled_from([None, 0.5, 3]),
    st.booleans(),
)
def test_compute_bleu(correct, more, sys_len, ref_len, method, value, effective_order):
    total = [a + b for a, b in zip(correct, more, strict=True)]
    if not total[0]:
        correct[0] = total[0] = 1  # elsewhere the peer's loop stops before it has begun
    options = {
        "smooth_method": method,
        "smooth_value": value,
        "effective_order": effective_order,
    }
    before = list(correct), list(total)
    ours = face.BLEU.compute_bleu(correct, total, sys_len, ref_len, **options)
    assert (correct, total) == before
    assert_same(ours, peer.BLEU.compute_bleu(correct, total, sys_len, ref_len, **options))


@given(corpora(), st.booleans(), st.sampled_from(["exp", "floor", "add-k", "none"]))
def test_functions(corpus, flag, method):
    hypotheses, streams = corpus
    options = {"smooth_method": method, "lowercase": flag, "use_effective_order": flag}
    ours, theirs = (m.corpus_bleu(hypotheses, streams, **options) for m in (face, peer))
    assert_same(ours, theirs)
    assert_same(*(m.raw_corpus_bleu(hypotheses, streams) for m in (face, peer)))
    references = [stream[0] for stream in streams if stream[0] is not None]
    assert_same(*(m.sentence_bleu(hypotheses[0], references, **options) for m in (face, peer)))


def test_kept_references_serve_many_systems():
    metric = BLEU(references=[["a b c d", "x y"], ["a b c", None]])
    for hypotheses in (["a b c d", "x y"], ["a b", "y"], ["", "x"]):
        fresh = BLEU().corpus_score(hypotheses, [["a b c d", "x y"], ["a b c", None]])
        assert str(metric.corpus_score(hypotheses, None)) == str(fresh)
    assert str(metric.get_signature()).startswith("nrefs:var|")


def test_many_blocks_of_kept_references(monkeypatch):
    rng = np.random.default_rng(1)
    lines = [" ".join(map(str, rng.integers(0, 9, size=rng.integers(0, 30)))) for _ in range(500)]
    streams = [lines[100:] + lines[:100], [None, *lines[:499]]]
    whole = BLEU(tokenize="none").corpus_score(lines, streams)
    monkeypatch.setitem(vecbleu.corpus._BLOCK_SIZES, "text", 300)
    blocks = BLEU(tokenize="none").corpus_score(lines, streams)
    assert str(blocks) == str(whole) == str(peer.BLEU(tokenize="none").corpus_score(lines, streams))


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        ("a", [["a"]], TypeError, "hypotheses is str, expected a list of strings"),
        (["a", 1], [["a", "b"]], TypeError, r"hypotheses\[1\] is int, expected a string"),
        (["a", None], [["a", "b"]], TypeError, r"hypotheses\[1\] is NoneType"),
        ([], [[]], ValueError, "hypotheses has 0 segments"),
        (["a"], "a", TypeError, "references is str, expected streams"),
        (["a"], ["a"], TypeError, r"references\[0\] is a single str; .*pass \[references\]"),
        (["a"], [["a"], 3], TypeError, r"references\[1\] is int, expected a stream"),
        (["a"], [["a"], [b"a"]], TypeError, r"references\[1\]\[0\] is bytes, expected a string or"),
        (["a"], [], ValueError, "references has 0 streams"),
        (["a", "b"], [["a"]], ValueError, "hypotheses has 2 segments but .* streams of 1$"),
        (
            ["a"],
            [["a", "b"]],
            ValueError,
            "has 1 segments but .* streams of 2; it looks",
        ),
        (["a"] * 3, [["a"]] * 3, ValueError, r"transposed .*pass list\(zip\(\*references\)\)"),
        (["a"] * 2, [["a", "b"], ["a"]], ValueError, r"references\[1\] has 1 segments but ref"),
        ({"a"}, [["a"]], TypeError, "hypotheses is set"),
        (["a"], {"a": 1}, TypeError, "references is dict"),
        (["a"], [{"a"}], TypeError, r"references\[0\] is set"),
        (
            ["a"] * 2,
            [["a", None], ["", None]],
            ValueError,
            "no reference of segment 1: all are",
        ),
    ],
)
def test_misuse_is_named(hypotheses, references, error, message):
    with pytest.raises(error, match=message):
        BLEU().corpus_score(hypotheses, references)


def test_misused_options_and_sentences():
    with pytest.raises(ValueError, match="smooth_method is 'x', expected one of none, floor"):
        BLEU(smooth_method="x")
    with pytest.raises(ValueError, match="tokenize is 'x', expected one of 13a"):
        BLEU(tokenize="x")
    with pytest.raises(ValueError, match="max_ngram_order is 0"):
        BLEU(max_ngram_order=0)
    with pytest.raises(RuntimeError, match="No references provided and the cache is empty"):
        BLEU().corpus_score(["a"], None)
    with pytest.raises(ValueError, match="Number of references unknown"):
        BLEU().get_signature()
    with pytest.raises(TypeError, match="references is a single string"):
        face.sentence_bleu("a", "a")
    with pytest.raises(ValueError, match="max_ngram_order is 0"):
        BLEU.compute_bleu([1], [1], 1, 1, max_ngram_order=0)
    with pytest.raises(ValueError, match=r"smooth_value is -0\.5, expected a finite number"):
        BLEU(smooth_method="floor", smooth_value=-0.5)
    with pytest.raises(ValueError, match=r"ref_len is 6\.5, expected a whole number"):
        BLEU.compute_bleu([5, 3, 2, 1], [6, 5, 4, 3], 6, 6.5)
    with pytest.raises(TypeError, match="tokenize is <built-in function len>"):
        BLEU(tokenize=len)
    with pytest.raises(TypeError, match="trg_lang is"):
        BLEU(trg_lang=["zh"])
    with pytest.raises(TypeError, match=r"references\[1\] is int, expected a string or None"):
        BLEU(effective_order=True).sentence_score("a", ["b", 5])
    with pytest.raises(TypeError, match="references is NoneType"):
        BLEU(effective_order=True).sentence_score("a", None)
    with pytest.raises(TypeError, match=r"n_bootstrap is 2\.5"):
        BLEU().corpus_score(["a"], [["a"]], 2.5)
    with pytest.raises(TypeError, match="hypothesis is list"):
        face.sentence_bleu(["a"], ["a"])
    with pytest.raises(ValueError, match="have 3 and 4 orders but max_ngram_order is 4"):
        BLEU.compute_bleu([1, 1, 1], [1, 1, 1, 1], 1, 1)


def test_attributes_can_be_changed():
    for changes in (
        {"effective_order": True},
        {"lowercase": True, "smooth_method": "none", "max_ngram_order": 2},
    ):
        metrics = [m.BLEU() for m in (face, peer)]
        for metric in metrics:
            for name, value in changes.items():
                setattr(metric, name, value)
        assert_same(*(m.corpus_score(["A b c"], [["a b d"]]) for m in metrics))


def test_a_seed_that_is_none(monkeypatch):
    for seed in ("abc", "-1", "1.5"):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        with pytest.raises(ValueError, match=f"SACREBLEU_SEED is '{seed}', expected a number"):
            BLEU().corpus_score(["a"], [["a"]], n_bootstrap=2)


def test_metrics_carry_a_tokenizer():
    line = "Hello, “world” 2.5 中文!"
    for name in TOKENIZE:
        ours, theirs = (m.BLEU(tokenize=name).tokenizer for m in (face, peer))
        assert ours(line).split() == theirs(line).split()
        assert ours.signature() == theirs.signature()
    assert face.metrics.BLEU is face.BLEU
    assert face.__version__ == vecbleu.__version__


def said(caplog, action):
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        action()
    return [record.getMessage() for record in caplog.records]


def test_warnings_are_sacrebleus(caplog):
    tokenized = ["a b ."] * 100
    actions = [
        lambda m: m.BLEU().corpus_score(tokenized, [tokenized]),
        lambda m: m.BLEU().corpus_score([*tokenized[:99], "a. "], [tokenized]),
        lambda m: m.BLEU(force=True).corpus_score(tokenized, [tokenized]),
        lambda m: m.BLEU().sentence_score("a", ["a"]),
        lambda m: m.BLEU(effective_order=True).sentence_score("a", ["a"]),
        *(
            lambda m, language=language: m.BLEU(tokenize="13a", trg_lang=language)
            for language in ("zh", "ja", "ko", "en")
        ),
    ]
    for action in actions:
        assert said(caplog, lambda: action(face)) == said(caplog, lambda: action(peer))  # noqa: B023


def test_languages_choose_tokenizers():
    for language in ("zh", "ja", "ko", "de"):
        signatures = [m.BLEU(trg_lang=language).tokenizer_signature for m in (face, peer)]
        assert signatures[0] == signatures[1]


def corpus_of(size):
    rng = np.random.default_rng(size)
    lines = [" ".join(map(str, rng.integers(0, 9, size=rng.integers(1, 20)))) for _ in range(size)]
    return lines, [lines[1:] + lines[:1]]


@pytest.mark.parametrize("size", [1, 2, 77, 400])
def test_bootstrap_draws_what_sacrebleu_draws(size, monkeypatch):
    hypotheses, streams = corpus_of(size)
    for seed in ("7", "0", None):
        if seed is not None:
            monkeypatch.setenv("SACREBLEU_SEED", seed)
        else:
            monkeypatch.delenv("SACREBLEU_SEED")
        ours, theirs = face.BLEU(max_ngram_order=2), peer.BLEU(max_ngram_order=2)
        scores = [m.corpus_score(hypotheses, streams, n_bootstrap=250) for m in (ours, theirs)]
        # sacreBLEU computes resampled precisions in float32.
        assert scores[0]._mean == pytest.approx(scores[1]._mean, rel=1e-6)
        assert scores[0]._ci == pytest.approx(scores[1]._ci, rel=1e-5, abs=1e-4)
        assert scores[0].format(3) == scores[1].format(3)
        signature = without_version(str(ours.get_signature()))
        assert signature == signature_like(theirs.get_signature(), {"max_ngram_order": 2})
        assert json.loads(scores[0].format(is_json=True, signature="a:b"))["confidence"]


def test_an_interval_without_a_seed_is_drawn_anew(monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    hypotheses, streams = corpus_of(50)
    metric = face.BLEU(max_ngram_order=1)
    means = {metric.corpus_score(hypotheses, streams, 50)._mean for _ in range(3)}
    assert len(means) > 1
    assert "|seed:none|" in str(metric.get_signature())


def test_estimate_ci_takes_score_objects():
    ours, theirs = (m.BLEU().corpus_score(["a b c d e"], [["a b c d f"]]) for m in (face, peer))
    for score in (ours, theirs):
        some = [copy.copy(score) for _ in range(100)]
        for number, one in enumerate(some):
            one.score = float(number**2 % 89)
        score.estimate_ci(some)
    assert ours.format(6) == theirs.format(6)

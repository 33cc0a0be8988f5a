"""The sacreBLEU layer against sacreBLEU: scores, attributes, formats, signatures, warnings."""

from __future__ import annotations

import copy
import inspect
import json
import logging
import pickle
import warnings
from itertools import chain
from unittest import mock

import numpy as np
import pytest
import sacrebleu as peer
from corpora import noisy_systems
from hypothesis import example, given
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters, same_digits, with_our_version
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import ugly_text, words

import vecbleu.sacrebleu as layer

BOTH = layer, peer

sentences = st.lists(words, max_size=12).map(" ".join)
segments = st.one_of(sentences, ugly_text.map(lambda text: text.translate(newer_characters())))


@st.composite
def corpora(draw, most=4):
    """(hypotheses, streams): some references are None, none of a segment's all are."""
    size, streams = draw(st.integers(1, 5)), draw(st.integers(1, most))
    hypotheses = draw(st.lists(segments, min_size=size, max_size=size))
    some = st.lists(st.none() | segments, min_size=streams, max_size=streams)
    lists = [draw(some.filter(lambda one: {*one} != {None})) for _ in range(size)]
    return hypotheses, [list(stream) for stream in zip(*lists, strict=True)]


metric_options = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from([None, *TOKENIZE]),
        "smooth_method": st.sampled_from(["none", "floor", "add-k", "exp"]),
        "smooth_value": st.sampled_from([None, 0.1, 1, 2.5, 0, 0.0]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
        "trg_lang": st.sampled_from(["", None, "en", "zh"]),
    },
)
formats = st.builds(dict, width=st.integers(0, 12), score_only=st.booleans(), is_json=st.booleans())


def assert_same(ours, theirs):
    assert same_digits(ours.score, theirs.score)
    for name in ("name", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio"):
        # The same numbers, of the same types.
        assert repr(getattr(ours, name)) == repr(getattr(theirs, name)), name
    assert (ours.prec_str, str(ours)) == (theirs.prec_str, str(theirs))


def signature_like(theirs, options, short=False):
    """Their signature with the one field that only ours have."""
    order = options.get("max_ngram_order", 4)
    head, version, number = theirs.format(short).rpartition("|v:" if short else "|version:")
    field = ("" if order == 4 else f"|n:{order}") if short else f"|max_order:{order}"
    return with_our_version(head + ("" if order == 4 else field) + version + number)


class Marked(Tokenizer13a):
    def __call__(self, line):
        return super().__call__(line).replace(" ", "_ ")


# Assigned to the attribute; by default, the tokenizer that the options name.
assigned = st.sampled_from([None, lambda line: line.replace("_", " "), " ".join, Marked()])


@given(corpora(), metric_options, assigned, formats, st.booleans())
@example(([" a b"], [["a b"]]), {}, lambda line: line.replace(" ", "_"), {}, False)
def test_corpora_score_as_by_sacrebleu(corpus, options, tokenizer, form, cached):
    hypotheses, streams = corpus
    before = copy.deepcopy(corpus)
    metrics = [module.BLEU(**options) for module in BOTH]
    for metric in metrics:
        metric.tokenizer = tokenizer or metric.tokenizer
        metric._ref_cache = metric._cache_references(streams) if cached else None
    scores = [metric.corpus_score(hypotheses, None if cached else streams) for metric in metrics]
    assert corpus == before
    assert_same(*scores)
    for short in (False, True) if tokenizer is None else ():
        ours, theirs = (metric.get_signature() for metric in metrics)
        expected = signature_like(theirs, options, short)
        assert ours.format(short) == expected
        texts = [score.format(**form, signature=expected) for score in scores]
        assert texts[0] == texts[1]
        assert str(ours) == repr(ours) == ours.format()


ADD_NOTHING = {"smooth_method": "add-k", "smooth_value": 0.0, "effective_order": True}


@given(corpora(most=3), metric_options)
@example((["a b"], [["a"]]), ADD_NOTHING)  # nothing is added to the orders behind an empty one
def test_sentences_score_alike_one_by_one_and_at_once(corpus, options):
    hypotheses, streams = corpus
    at_first = {name: options[name] for name in options.keys() & {"tokenize", "trg_lang"}}
    metrics = [module.BLEU(**at_first) for module in BOTH]
    for metric in metrics:
        vars(metric).update({name: options[name] for name in options.keys() - at_first})
    scores = []
    for hypothesis, *references in zip(hypotheses, *streams, strict=True):
        present = [one for one in references if one is not None]
        ours, theirs = (metric.sentence_score(hypothesis, present) for metric in metrics)
        assert_same(ours, theirs)
        scores.append(ours.score)
    assert metrics[0].sentence_scores(hypotheses, streams).tolist() == scores


def test_defaults_are_sacrebleus():
    names = [name for name in layer.__all__ if callable(getattr(peer, name, None))]
    for name in names:
        ours, theirs = (inspect.signature(getattr(module, name)).parameters for module in BOTH)
        both = ours.keys() & theirs.keys()
        assert {one: ours[one].default for one in both} == {
            one: theirs[one].default for one in both
        }


@pytest.mark.parametrize("metric", [layer.BLEU, layer.CHRF, layer.TER])
def test_all_segments_are_scored_with_prepared_references_as_with_others(metric):
    hypotheses = ["the cat sat on the mat", "a dog barked", "it rained"] * 20
    streams = [["the cat sat on a mat", "the dog barked", "it rained today"] * 20] * 2
    expected = metric().sentence_scores(hypotheses, streams).tolist()
    assert metric(references=streams).sentence_scores(hypotheses, None).tolist() == expected


@pytest.mark.parametrize("metric", [layer.BLEU, layer.CHRF, layer.TER])
def test_all_segments_at_once_are_checked_as_a_corpus_is(metric):
    for call in (metric().corpus_score, metric().sentence_scores):
        with pytest.raises(TypeError, match=r"^hypotheses is str"):
            call("ab", [["a", "b"]])
        with pytest.raises(TypeError, match=r"^hypotheses\[1\] is int"):
            call(["a", 5], [["a", "b"]])
        with pytest.raises(ValueError, match=r"^hypotheses has 0 segments"):
            call([], [[]])


@given(corpora(), st.booleans(), st.sampled_from(["exp", "floor", "add-k", "none"]))
@example((["A b"], [["a b"]]), False, "exp")  # shorter than the longest n-gram
def test_functions_score_as_sacrebleus(corpus, flag, method):
    hypotheses, streams = corpus
    options = {"smooth_method": method, "lowercase": flag, "use_effective_order": flag}
    assert_same(*(m.raw_corpus_bleu(hypotheses, streams) for m in BOTH))
    references = [stream[0] for stream in streams if stream[0] is not None]
    for asked in ({}, options):
        assert_same(*(m.corpus_bleu(hypotheses, streams, **asked) for m in BOTH))
        assert_same(*(m.sentence_bleu(hypotheses[0], references, **asked) for m in BOTH))


FUNCTIONS = [
    f"{size}_{metric}" for size in ("corpus", "sentence") for metric in ("bleu", "chrf", "ter")
]
# A value of each keyword that changes the score of these sides, with what it needs.
HYPOTHESIS, REFERENCE = "The cat, sat &amp; 猫犬", "the cat , sat 犬猫 &amp; ran"
GIVEN = {
    "smooth_method": {"smooth_method": "floor"},
    "smooth_value": {"smooth_method": "floor", "smooth_value": 0.5},
    "lowercase": {"lowercase": True},
    "tokenize": {"tokenize": "zh"},
    "use_effective_order": {"use_effective_order": True},
    "char_order": {"char_order": 2},
    "word_order": {"word_order": 1},
    "beta": {"beta": 3},
    "remove_whitespace": {"remove_whitespace": False},
    "eps_smoothing": {"eps_smoothing": True},
    "normalized": {"normalized": True},
    "no_punct": {"no_punct": True},
    "asian_support": {"normalized": True, "asian_support": True},
    "case_sensitive": {"case_sensitive": True},
}


@pytest.mark.parametrize("name", [*FUNCTIONS, "raw_corpus_bleu"])
def test_each_keyword_of_a_function_has_sacrebleus_effect(name):
    keywords = inspect.signature(getattr(peer, name)).parameters
    for keyword in list(keywords)[2:]:
        if keyword == "force":  # changes a warning
            continue
        short = slice(2 if keyword == "use_effective_order" else None)  # no 4-grams
        sides = [" ".join(text.split()[short]) for text in (HYPOTHESIS, REFERENCE)]
        sides = (sides[0], [sides[1]]) if "sentence" in name else ([sides[0]], [[sides[1]]])
        given = {one: value for one, value in GIVEN[keyword].items() if one in keywords}
        if given.get("use_effective_order") is keywords[keyword].default:
            given["use_effective_order"] = False
        ours, theirs = (getattr(m, name)(*sides, **given) for m in BOTH)
        assert same_digits(ours.score, theirs.score)
        assert str(ours) == str(theirs)
        without = {one: value for one, value in given.items() if one != keyword}
        assert ours.score != getattr(layer, name)(*sides, **without).score, keyword


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("tokenizer", [None, Marked()])
def test_corpora_of_many_blocks_score_as_by_sacrebleu(tokenizer):
    """With references of the call, of the metric, and of a copy of the metric."""
    systems, (one, other) = noisy_systems(500, (0.2, 0.4))
    streams = [one, [None, *other[1:]]]
    ours, cached, theirs = (m.BLEU(tokenize="none", lowercase=True) for m in (layer, layer, peer))
    for metric in (ours, cached, theirs):
        metric.tokenizer = tokenizer or metric.tokenizer
    cached._ref_cache = cached._cache_references(streams)
    for lines in (systems, other):
        expected = str(theirs.corpus_score(lines, streams))
        assert str(ours.corpus_score(lines, streams)) == expected
        for metric in (cached, copy.deepcopy(cached), pickle.loads(pickle.dumps(cached))):
            assert str(metric.corpus_score(lines, None)) == expected


@given(corpora(), metric_options)
def test_statistics_are_sacrebleus(corpus, options):
    ours, theirs = (m.BLEU(**options) for m in BOTH)
    rows, expected = (metric._extract_corpus_statistics(*corpus) for metric in (ours, theirs))
    assert rows == expected
    assert {type(number) for row in rows for number in row} == {int}
    assert_same(ours._aggregate_and_compute(rows), theirs._aggregate_and_compute(expected))
    twice = ours._aggregate_and_compute(rows + rows)  # as of two processes
    assert_same(twice, theirs._aggregate_and_compute(expected + expected))
    row = [*map(sum, zip(*rows, strict=True))]
    whole = theirs._compute_score_from_stats([*row])
    for form in (list, np.array):
        assert_same(ours._compute_score_from_stats(form(row)), whole)
    for form in (np.float64, np.float32):  # which sacreBLEU's intervals have
        score = ours._compute_score_from_stats(np.array(row, form)).score
        assert same_digits(score, whole.score)
    half, names = len(row) // 2 + 1, ("smooth_method", "smooth_value", "effective_order")
    asked = {name: options[name] for name in options.keys() & names}
    counts = row[2:half], row[half:], *row[:2]  # which sacreBLEU changes, and nobody before it
    assert_same(*(m.BLEU.compute_bleu(*counts, **asked, max_ngram_order=half - 2) for m in BOTH))
    assert ours.num_refs == theirs.num_refs
    for line in corpus[0]:  # a line by itself keeps white space, of which nothing is counted
        assert ours._preprocess_segment(line).split() == theirs._preprocess_segment(line).split()


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32])
def test_counts_of_numpy_have_the_score_of_integers(kind):
    counts = [5, 3, 2, 1], [6, 5, 4, 3], 6, 7
    expected = layer.BLEU.compute_bleu(*counts)
    matches, totals, *lengths = counts
    sides = [*map(kind, matches)], [*map(kind, totals)], *map(kind, lengths)
    found = layer.BLEU.compute_bleu(*sides)
    assert (found.score, found.precisions, found.bp) == (
        expected.score,
        expected.precisions,
        expected.bp,
    )


def test_json_has_the_fields_of_the_signature_up_to_their_first_colon():
    score = layer.BLEU.compute_bleu([1], [2], 2, 2, max_ngram_order=1)
    fields = json.loads(score.format(signature="nrefs:1|tok:C:/a:b|c", is_json=True))
    assert (fields["nrefs"], fields["tok"], "c" in fields) == ("1", "C:/a:b", False)


TOKENIZED = ["a b ."] * 100


@pytest.mark.filterwarnings("ignore::vecbleu.InputWarning")
@pytest.mark.parametrize(
    ("action", "named"),
    [
        (lambda m: m.BLEU().corpus_score(TOKENIZED, [TOKENIZED]), "period"),
        (lambda m: m.BLEU().corpus_score([*TOKENIZED[:99], "a. "], [["a b."] * 100]), ""),
        (lambda m: m.BLEU(force=True).corpus_score(TOKENIZED, [TOKENIZED]), ""),
        (lambda m: m.BLEU().sentence_score("a", ["a"]), "effective_order"),
        (lambda m: m.BLEU(effective_order=True).sentence_score("a", ["a"]), ""),
        (lambda m: m.CHRF().sentence_score("a", ["a"]), ""),
        (lambda m: m.BLEU(tokenize="13a", trg_lang="zh"), "'zh'"),
        (lambda m: m.BLEU(tokenize="13a", trg_lang="en"), ""),
    ],
)
def test_warnings_are_logged_where_sacrebleus_are(caplog, action, named):
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    logged = []
    for module in (peer, layer):
        caplog.clear()
        action(module)
        logged.append({(record.name, record.levelno) for record in caplog.records})
    assert logged[0] == logged[1]
    assert bool(logged[0]) == bool(named)
    assert named in caplog.text


@pytest.mark.parametrize(
    "metric", [layer.BLEU(), layer.BLEU(effective_order=True), layer.CHRF(), layer.TER()]
)
def test_of_all_segments_at_once_is_logged_what_is_of_one(caplog, metric):
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    for call in (
        lambda: metric.sentence_scores(["a"], [["a"]]),
        lambda: metric.sentence_score("a", ["a"]),
    ):
        caplog.clear()
        call()
        assert len(caplog.records) == (not metric.effective_order)
        assert ("effective_order" in caplog.text) == (not metric.effective_order)


@pytest.mark.parametrize("name", ["", "14a"])
def test_a_name_that_is_of_no_tokenizer_is_refused(name):
    for options in ({}, {"trg_lang": "zh"}):
        with pytest.raises(ValueError, match=f"is '{name}', expected one of 13a, "):
            layer.BLEU(tokenize=name, **options)


def test_the_old_name_of_a_tokenizer_is_warned_of(tmp_path, monkeypatch):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))  # without its model
    for name, count in (("spm", 1), ("flores101", 0)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pytest.raises((FileNotFoundError, ImportError)):
                layer.BLEU(tokenize=name)
        assert [warning.filename for warning in caught] == [__file__] * count
        assert all("'flores101' under an old name" in str(one.message) for one in caught)


@pytest.mark.parametrize("size", [1, 77])
@pytest.mark.parametrize("seed", [{}, {"SACREBLEU_SEED": "7"}])
def test_bootstrap_draws_what_sacrebleu_draws(size, seed):
    hypotheses, streams = noisy_systems(size, [0.5])
    options = {"max_ngram_order": 2}
    ours, theirs = (module.BLEU(**options) for module in BOTH)
    with mock.patch.dict("os.environ", seed):
        score, expected = (m.corpus_score(hypotheses, streams, 250) for m in (ours, theirs))
    # sacreBLEU computes resampled precisions in float32.
    assert score._mean == pytest.approx(expected._mean, rel=1e-6)
    assert score._ci == pytest.approx(expected._ci, rel=1e-5, abs=1e-4)
    assert score.format(3) == expected.format(3)
    assert str(ours.get_signature()) == signature_like(theirs.get_signature(), options)
    resampled = [theirs.sentence_score(line, hypotheses) for line in streams[0]]
    for one in (score, expected):
        one.estimate_ci(resampled)
    assert score.format(6) == expected.format(6)


# What is asked of one metric, step by step.
STEPS = [
    lambda m, own, refs, more: m.corpus_score(own, [refs, more]),
    lambda m, own, refs, more: m.corpus_score(own, [refs, [None, *more[1:]]]),
    lambda m, own, refs, more: m.corpus_score(own, [refs], 60),
    lambda m, own, refs, more: m.sentence_score(own[0], [refs[0], more[0], own[0][:9]]),
    lambda m, own, refs, more: setattr(m, "lowercase", True),
    lambda m, own, refs, more: m.corpus_score(own, [refs]),
    lambda m, own, refs, more: m.corpus_score(own, [refs, more], 2),
    lambda m, own, refs, more: setattr(m, "lowercase", False),
]


@pytest.mark.parametrize(
    "make",
    [
        lambda m, refs: m.BLEU(effective_order=True, references=refs),
        lambda m, refs: m.CHRF(word_order=1, references=refs),
        lambda m, refs: m.TER(case_sensitive=True, references=refs),
    ],
)
def test_a_metric_that_is_used_again_scores_and_signs_as_sacrebleus(make):
    refs, (own, more) = noisy_systems(20, (0.4, 0.3))
    texts = [line.title() for line in own], refs, more
    ours, theirs = (make(module, [more, refs, own]) for module in BOTH)
    for step in STEPS:
        scores = [step(metric, *texts) for metric in (ours, theirs)]
        assert str(scores[0]) == str(scores[1])
        for short in (False, True):
            found, expected = (metric.get_signature().format(short) for metric in (ours, theirs))
            assert found == with_our_version(expected)
    assert len({str(metric.corpus_score(texts[0], None)) for metric in (ours, theirs)}) == 1
    assert str(ours.get_signature()).startswith("nrefs:3|")  # there, still as of the call before


@pytest.mark.parametrize("options", [{}, {"width": 4, "score_only": True}, {"is_json": True}])
def test_an_interval_around_0_is_shown_as_by_sacrebleu(options):
    sides = ["a b"] * 12, [["c d"] * 12]
    scores = [module.BLEU(smooth_method="none").corpus_score(*sides, 20) for module in BOTH]
    shown = [score.format(**options, signature="nrefs:1") for score in scores]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("metric", [layer.BLEU(), layer.CHRF(), layer.TER()])
@pytest.mark.filterwarnings("error")
def test_intervals_of_few_segments_are_warned_of(metric):
    references, (system,) = noisy_systems(10, [0.5])
    with pytest.warns(UserWarning, match="^9 segments are too few for the bootstrap") as caught:
        metric.corpus_score(system[:9], [references[:9]], 20)
    assert [warning.filename for warning in caught] == [__file__]
    metric.corpus_score(system[:9], [references[:9]])
    metric.corpus_score(system, [references], 20)


def test_seeds_that_are_no_number_are_refused(monkeypatch):
    """But with "None", every interval is drawn anew."""
    metric, corpus = layer.BLEU(max_ngram_order=1), noisy_systems(50, [0.5])
    for seed in ("abc", "-1", "1.5"):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        with pytest.raises(ValueError, match=f"SACREBLEU_SEED .*'{seed}'"):
            metric.corpus_score(*corpus, 50)
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    assert len({metric.corpus_score(*corpus, 50)._mean for _ in range(3)}) > 1
    assert "|seed:none|" in str(metric.get_signature())


# Paired tests and intervals of sacreBLEU with our BLEU.

REFERENCES, OUTPUTS = noisy_systems(60, (0.3, 0.35, 0.6))
SYSTEMS = [*zip(("one", "two", "three"), OUTPUTS, strict=True)]
STREAMS = [REFERENCES, [None, *REFERENCES[:0:-1]]]


@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("streams", [STREAMS, None], ids=["passed", "cached"])
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_paired_tests_have_sacrebleus_numbers(test, streams, jobs, monkeypatch):
    cache = {} if streams else {"references": STREAMS}
    for seed, confidence in (("12345", 50), ("007", -1)):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        printed, results = [], []
        for module in BOTH:
            metrics = {"BLEU": module.BLEU(**cache), "chrF": module.CHRF(**cache)}
            metrics["BLEU+1"] = module.BLEU(**cache, smooth_method="add-k", lowercase=True)
            samples = 199, confidence, jobs
            signatures, scores = PairedTest(SYSTEMS, metrics, streams, test, *samples)()
            named = {name: str(one).split("|version")[0] for name, one in signatures.items()}
            printed.append((named, scores.pop("System"), [*scores]))
            results.append([*chain.from_iterable(scores.values())])
        assert printed[0] == printed[1]
        for result, expected in zip(*results, strict=True):
            assert same_digits(result.score, expected.score)
            assert result.p_value == expected.p_value
            # Resampled float32 sums are scored in float32 by sacreBLEU.
            for resampled, rounded in (result.mean, expected.mean), (result.ci, expected.ci):
                assert resampled == (rounded and pytest.approx(rounded, rel=1e-5, abs=1e-4))

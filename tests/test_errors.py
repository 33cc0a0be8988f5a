"""Bad input is an error that names argument, index and numbers; common mistakes name the call."""

from __future__ import annotations

import math
import os
import pickle
import re
from fractions import Fraction
from functools import partial
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from corpora import pandas

import vecbleu
import vecbleu.sacrebleu
from vecbleu import SharedReferences, huggingface, report, significance
from vecbleu.analysis import ngram_differences, score_buckets, segment_differences

OUT = ["the cat sat on the mat", "a dog barked at me", "it rained"]
REF = ["the cat sat on a mat", "the dog barked at me", "it rained today"]
WORDS, REF_WORDS = ([line.split() for line in side] for side in (OUT, REF))
IDS, REF_IDS = [[3, 1, 4, 1, 5], [9, 2, 6]], [[3, 1, 4, 2], [9, 2, 6, 5]]
PATH = Path(__file__)
STATS = vecbleu.statistics(OUT, REF)
OTHER = vecbleu.statistics(OUT, REF, tokenize="none")
SYSTEMS = {"a": STATS, "b": STATS}
SIDES = {"x": OUT, "y": OUT}
BLEU = vecbleu.sacrebleu.BLEU
METRIC = BLEU(effective_order=True)
SHARED = SharedReferences(REF)
SHARED_IDS = SharedReferences([[1]], ignore_ids=0)
MASKED = np.ma.masked_array([1, 2], [0, 1])
P_VALUES = [[1, 0.5], [0.5, 1]]


# Functions of arguments that make a call to be made later.
option = partial(partial, vecbleu.corpus_bleu, OUT, REF, smoothing="floor")
buckets = partial(partial, score_buckets, SYSTEMS)
compare = partial(partial, significance.paired_bootstrap)
differences = partial(partial, ngram_differences)
expected = partial(partial, vecbleu.expected_bleu)
explain = partial(partial, vecbleu.explain)
streams = partial(partial, BLEU().corpus_score)


def metric(predictions, references, name="bleu", **options):
    sides = {"predictions": predictions, "references": references}
    return partial(huggingface.load(name).compute, **sides, **options)


def to_shared(hypotheses, references=SHARED, **options):
    return partial(vecbleu.statistics, hypotheses, references, **options)


def list_for_b(text):
    """Tokens that can be hashed but for those of "b"."""
    return [[text]] if text == "b" else [text]


def stops_at_b(text):
    """A user's tokenizer that forgets what `next` raises, and with it segments."""
    return [next(iter(()))] if text == "b" else text.split()


STOPS = {"tokenize": stops_at_b}
LONG = [*"aaaa" * 5000, "b"], ["a"] * 20_001

# Calls, and what their errors name.
TYPES = [
    (option(weights=[(1,), (0.5, 0.5)]), "weights"),
    (option(ignore_ids=0), "hypotheses"),
    (
        lambda: vecbleu.statistics([*OUT[:2], None], REF),
        "hypotheses[2]",
        "leave such a segment out",
    ),
    (lambda: vecbleu.statistics(OUT, [math.nan, *OUT[1:]]), "references", "leave such a segment"),
    (option(workers=2.0), "workers is 2.0", "concurrent.futures.Executor"),
    (option(tokenize=lambda text: text if text == REF[1] else [text]), "references[1]"),
    (lambda: vecbleu.bleu.scores(OUT), "vecbleu.corpus_bleu"),
    (lambda: vecbleu.Accumulator().merge(3), "other is int"),
    (lambda: vecbleu.file_statistics(OUT, REF), "hypothesis_path is list"),
    (lambda: vecbleu.file_statistics(PATH, 3), "reference_paths is int", "or a list of paths"),
    (lambda: vecbleu.file_statistics(PATH, [PATH, 3]), "reference_paths[1] is int"),
    (lambda: significance.bootstrap(OUT), "statistics is list"),
    (compare(5), "systems is int"),
    (compare({"a": STATS, "b": 5}), "systems['b'] is int"),
    (compare(SYSTEMS, baseline=1.0), "baseline is 1.0"),
    (buckets(labels=["a", [], "b"]), "labels[1]"),
    (buckets(baseline=0, documents=["a", [], "b"]), "documents[1]"),
    (compare(SYSTEMS, groups=["a", [], "b"]), "groups[1]"),
    *(
        (buckets(labels=labels), f"labels is {type(labels).__name__}, expected one for each")
        for labels in ("abc", b"abc", dict.fromkeys("abc"), set("abc"), np.ones((3, 1), int), 3)
    ),
    (buckets(edges=[1, 1.5]), "edges[1] is 1.5"),
    (differences(SYSTEMS, REF_WORDS), "systems['a'] is Statistics, expected a list of texts"),
    (differences([WORDS, [["a"], [{}], []]], REF_WORDS), "systems[1][1]"),
    (lambda: vecbleu.self_bleu(OUT, executor=3), "executor"),
    (lambda: vecbleu.pairwise_bleu(["a"], [["a"]]), "hypotheses", "references"),
    (expected(OUT), "candidates[0] is str", "a list for each source"),
    (expected([[np.arange(3), MASKED]]), "candidates[0][1]"),
    (expected([[], []], [[], [b"a"]]), "references[1][0] is bytes"),
    (lambda: SharedReferences(SHARED), "references is SharedReferences"),
    (to_shared(OUT, [SHARED] * 3), "references[0] is SharedReferences"),
    (to_shared([["a"], [["b"]]], SharedReferences([[1]])), "hypotheses[1]"),
    (to_shared([["a"]], SHARED_IDS, ignore_ids=0), "hypotheses[0]", "token 0"),
    (lambda: vecbleu.statistics(*LONG, **STOPS), "hypotheses[20000]", "StopIteration"),
    (lambda: vecbleu.expected_bleu([["a"], ["a", "b"]], **STOPS), "candidates[1][1]"),
    (explain(3, "a"), "hypothesis is int 3"),
    (explain("a", [["a"]]), "references[0] is list"),
    (explain([1], [[1], [1, True]], eos_id=0), "references[1]"),
    (explain(["a"], [["a"], ["b"], [{}]]), "references[2]"),
    (explain([{}], [["a"]]), "hypothesis"),
    (explain(OUT[:1], REF[:1]), "; pass hypothesis[0]"),
    (explain(WORDS[0], REF[:1]), "; pass references[0].split()"),
    (lambda: vecbleu.explain(pandas()(OUT[:1]), REF[0]), "; pass hypothesis.iloc[0]"),
    (lambda: explain(WORDS[0], pandas()(REF)[:1])(), "; pass references.iloc[0].split()"),
    (lambda: vecbleu.sacrebleu.sentence_bleu("a", "b"), "references is str 'b', expected a list"),
    (streams(["a"], ["a"]), "references[0] is a single string"),
    (lambda: BLEU(trg_lang=["zh"]), "trg_lang is ['zh']"),
    (lambda: METRIC.sentence_score("a", ["", 5]), "references[1] is int"),
    (lambda: vecbleu.nltk.corpus_bleu(SHARED, [["a"]]), "strings"),
    (lambda: vecbleu.nltk.sentence_bleu(["a"], "a", [1], "x"), "smoothing_function is 'x'"),
    (lambda: report.write(SIDES, REF, "x.html"), "path is dict"),
    (lambda: setattr(BLEU(), "tokenizer", "13a"), "tokenizer is '13a'"),
    (
        lambda: significance.rank(SYSTEMS, n_resample=5),
        "rank()",
        "'n_resample'; known: systems, test",
    ),
    (lambda: significance.bootstrap(STATS, seed=5), "bootstrap()", "'seed'"),
    (compare(SYSTEMS, level=0.1), "paired_bootstrap()", "'level'", "rng"),
    (buckets(label="x"), "score_buckets()", "'label'; known: systems, labels"),
    (buckets(baseline=0, compare="bootstrap"), "compare is 'bootstrap'", "paired_bootstrap"),
    (lambda: STATS.score(weight=[1]), "Statistics.score()", "'weight'"),
    (lambda: huggingface.load("bleu", lowercase=True), "lowercase", "compute(lowercase="),
    (metric(None, ["a"]), "predictions is None"),
    (metric(["a", 5], ["a", "b"]), "predictions[1] is int 5"),
    (metric(["a", "b"], [["a"], ["b", None]]), "references[1][1] is NoneType"),
    (metric(["a"], ["a"], tokenizer=len), "references[0][0]", "int"),
    (metric(["b"], ["a"], "google_bleu", tokenizer=list_for_b), "predictions[0]"),
    (
        metric(["a", "b"], [["a", "a"], ["a"]], "google_bleu", tokenizer=list_for_b),
        "predictions[1] has",
    ),
    (
        metric(["a", "a"], [["a", "a"], ["a", "b"]], "google_bleu", tokenizer=list_for_b),
        "references[1][1] has",
    ),
]
VALUES = [
    (lambda: significance.holm([0.5, 1.2]), "p_values[1] is 1.2", "between 0 and 1"),
    (lambda: significance.clusters([2, 1], [[1, 0], [1.5, 1]]), "p_values[1][0] is 1.5"),
    *((compare(SYSTEMS, baseline=at), f"baseline is {at}", "expected 0 to 1") for at in (-1, 2)),
    (differences([OUT, REF], REF, top=0), "top is 0"),
    (differences([OUT, REF], REF, examples=-1), "examples is -1"),
    (differences([OUT, REF], SHARED, lowercase=True), "lowercase is True", "with False"),
    (buckets(compare=significance.paired_randomization), "baseline is None", "compare"),
    (option(smoothing_value=1e300), "smoothing_value is 1e+300"),
    (option(smoothing=vecbleu.nltk.SmoothingFunction().method1), "method0", "skip-zero"),
    (option(weights=[1, -1]), "weights[1] is -1"),
    (option(weights=[1] * 5), "weights has 5", "4"),
    (lambda: vecbleu.file_statistics(PATH, []), "reference_paths is empty"),
    (lambda: significance.bootstrap(STATS.sum()), "statistics"),
    (lambda: vecbleu.Statistics.load(PATH), "no statistics of BLEU"),
    (
        lambda: vecbleu.Statistics.concatenate(
            [vecbleu.Statistics([[1, 1, 1, 1]]), vecbleu.Statistics([[1, 1, 1, 0, 1, 0]])]
        ),
        "parts[1] has 6 columns",
        "parts[0] has 4",
    ),
    (lambda: significance.bootstrap(STATS[:0]), "statistics has 0 segments", "at least 1"),
    (lambda: significance.bootstrap(STATS, confidence_level=1), "confidence_level is 1"),
    (
        lambda: significance.bootstrap(STATS, confidence_level=1.25),
        "confidence_level is 1.25, expected a number between 0 and 1",
    ),
    (lambda: significance.rank(SYSTEMS, test="t"), "test is 't'"),
    (lambda: significance.holm([0.5, 1.5]), "p_values[1] is 1.5"),
    (lambda: significance.holm(P_VALUES), "p_values has 2 dimensions, expected 1"),
    (lambda: significance.clusters([2, 1], [[1, 1]]), "scores", "p_values", "(1, 2)"),
    (lambda: significance.clusters([2, math.nan], P_VALUES), "scores[1] is NaN"),
    (lambda: significance.clusters([2, 1], P_VALUES, level=0), "level is 0"),
    (compare(SYSTEMS, sides=0), "sides is 0"),
    (compare([STATS, STATS[:2]]), "systems[1] has 2 segments", "systems[0] has 3"),
    (compare({"a": STATS, "b": OTHER}), "systems['b'] has tokenize 'none'", "'13a'"),
    (compare({"a": STATS, "\u2003": STATS}), "systems has a blank name"),
    (lambda: segment_differences(SYSTEMS).gains("c"), "system is 'c'"),
    (buckets(labels=["a", "b"]), "labels has 2", "3 segments"),
    (buckets(labels=["a"] * 3, edges=[3]), "labels and edges"),
    (buckets(documents=["a"] * 3), "baseline is None", "compare or documents"),
    (buckets(labels=["a"] * 3, baseline=0, documents=["a"]), "documents has 1", "3 segments"),
    *((buckets(edges=edges), "edges") for edges in ([], [0], [3, 3], [5, 4])),
    (lambda: segment_differences([STATS]), "systems has 1"),
    (differences([OUT, OUT[:1]], REF), "systems[1] has 1 segments but systems[0] has 3"),
    (differences(SIDES, REF, kinds=["matches"]), "kinds is 'matches'"),
    (differences(SIDES, SHARED, max_order=5), "max_order is 5", "4"),
    (lambda: vecbleu.self_bleu(["a"]), "hypotheses has 1 segment"),
    (lambda: vecbleu.nearest(["a"], ["a", "b"], k=3), "k is 3", "2 segments"),
    (lambda: vecbleu.nearest(["a", "a"], k=2), "k is 2", "hypotheses has 2 segments"),
    (lambda: vecbleu.nearest(["a"], ["b"], min_score=-0.5), "min_score is -0.5", " 0"),
    (lambda: vecbleu.pairwise_bleu([], [["a"]], lowercase=True), "lowercase", "references"),
    (lambda: SharedReferences([["a"]], lowercase=True), "lowercase", "references"),
    (expected([["a"], ["b"]], [["a"]]), "candidates has 2 sources", "1"),
    (expected([["a"], ["b"]], [["a"], []]), "references[1] is empty"),
    (lambda: SharedReferences([]), "references is empty"),
    (
        to_shared(OUT, tokenize="none"),
        "tokenize is 'none' but references were prepared with '13a'",
        "pass tokenize='13a', or SharedReferences(..., tokenize='none')",
    ),
    (to_shared(OUT, max_order=5), "max_order is 5", "4"),
    (explain("a", SHARED, tokenize="none"), "tokenize is 'none'", "'13a'"),
    (to_shared(np.ones((1, 1), int), SHARED_IDS, eos_id=2), "ignore_ids is ()", "(0,)"),
    (to_shared([[1]], SHARED_IDS, ignore_ids=0, eos_id=2), "eos_id is (2,)"),
    (streams([], [[]]), "hypotheses has 0 segments"),
    (streams(["a"], []), "references has 0 streams"),
    (streams(["a", "b"], [["a"]]), "hypotheses has 2 segments", "each stream of references has 1"),
    (streams(["a"] * 3, [["a"]] * 3), "list(zip(*references))"),
    (streams(["a"], [["a", "b"]]), "list(zip(*references))"),
    (streams(["a"] * 2, [["a", "b"], ["a"]]), "references[1] has 1 segments"),
    (streams(["a"] * 2, [["a", None], ["", None]]), "segment 1"),
    (lambda: BLEU(smooth_method="x"), "smooth_method is 'x'"),
    (lambda: BLEU().get_signature(), "number of references"),
    (lambda: BLEU.compute_bleu([1] * 3, [1] * 4, 1, 1), "3 and 4", "max_ngram_order is 4"),
    (metric(["a"], ["a", "b"]), "predictions has 1 segments", "references has 2"),
    (metric(["a", "b"], [["a"], []]), "references[1] is empty"),
    (metric([], [], "sacrebleu"), "predictions has 0 segments"),
    (metric([], SHARED, "sacrebleu"), "predictions has 0 segments"),
    (metric(["a"], ["a"], "google_bleu", min_len=3, max_len=2), "max_len is 2", "3"),
    (metric(["a", "b"], [["a", "b"], "c"], "sacrebleu"), "references[1] has 1 ", "2"),
    (lambda: huggingface.load("rouge"), "rouge", "google_bleu"),
]
CALLS = [(TypeError, *row) for row in TYPES] + [(ValueError, *row) for row in VALUES]
CALLS += [
    (FileNotFoundError, lambda: vecbleu.file_statistics(OUT[0], PATH), "hypothesis_path"),
    (FileNotFoundError, lambda: vecbleu.file_statistics(PATH, [PATH, "a b"]), "reference_paths[1]"),
    (RuntimeError, lambda: METRIC.corpus_score(["a"], None), "references is None"),
    (AttributeError, lambda: vecbleu.ntlk, "ntlk"),
]


@pytest.mark.parametrize("row", CALLS, ids=lambda row: f"{row[0].__name__}: {row[2]}")
def test_what_is_wrong_is_named(row):
    error, call, *named = row
    with pytest.raises(error) as caught:
        call()
    assert not str(caught.value).endswith("; ")  # without advice
    for name in named:
        assert name in str(caught.value)


@pytest.mark.parametrize(
    ("call", "first", "second"),
    [
        (vecbleu.pairwise_bleu, "hypotheses", "references"),
        (lambda h, r: vecbleu.corpus_bleu(h, SharedReferences(r)), "hypotheses", "references"),
        (lambda h, r: vecbleu.expected_bleu([h], [r]), "candidates", "references"),
        (lambda h, r: ngram_differences([h, r], h), "systems[1]", "systems[0]"),
    ],
)
def test_text_beside_tokens_is_told_of_the_side_that_has_it(call, first, second):
    sides = {"strings": ["a b", "c"], "token sequences": [["a"], ["b"]]}
    for kinds in permutations(sides):
        own, other = kinds[::-1] if first == "systems[1]" else kinds
        with pytest.raises(TypeError) as caught:
            call(*map(sides.get, kinds))
        assert str(caught.value).startswith(f"{first} holds {own} but {second} holds {other}, ")


HUGE, NAN = 1e100, math.nan
BLEU_OF = partial(vecbleu.corpus_bleu, OUT, REF)
CHRF_OF = partial(vecbleu.chrf.corpus_chrf, OUT, REF)
GLEU_OF = partial(huggingface.google_bleu, predictions=OUT, references=REF)

# Calls, a keyword, values that are just taken, and values that are just not.
LIMITS = [
    (BLEU_OF, "max_order", [1, 100], [0, 101]),
    (partial(BLEU_OF, smoothing="floor"), "smoothing_value", [0, HUGE], [-1e-9, 1.01 * HUGE, NAN]),
    (BLEU_OF, "weights", [[0, 1], [1e-100, 1], [HUGE]], [[-1e-100, 1], [9e-101], [1.01 * HUGE]]),
    (BLEU_OF, "weights", [[1], [0.25] * 4], [[], [0.2] * 5, [NAN, 1]]),
    (BLEU_OF, "workers", [1], [0]),
    (CHRF_OF, "char_order", [1, 100], [0, 101]),
    (CHRF_OF, "word_order", [0, 100], [-1, 101]),
    (CHRF_OF, "beta", [0, HUGE], [-1e-9, 1.01 * HUGE, NAN]),
    (GLEU_OF, "min_len", [1, 4], [0]),
    (GLEU_OF, "max_len", [1, 100], [0]),
    (partial(vecbleu.nearest, OUT, REF), "k", [1, 3], [0, 4]),
    (partial(vecbleu.nearest, OUT), "k", [1, 2], [0, 3]),
    (partial(vecbleu.nearest, OUT, REF), "min_score", [0, 1], [-1e-9, 1 + 1e-9, NAN]),
    (partial(ngram_differences, SIDES, REF), "top", [1], [0]),
    (partial(ngram_differences, SIDES, REF), "examples", [0], [-1]),
    (partial(score_buckets, SYSTEMS), "edges", [[1], [1, 2]], [[0], [1, 1]]),
    (partial(significance.bootstrap, STATS), "n_resamples", [1], [0, 2**31 + 1]),
    (partial(significance.bootstrap, STATS, n_resamples=1), "rng", [0, None], [-1]),
    (partial(significance.bootstrap, STATS), "confidence_level", [1e-9, 1 - 1e-9], [0, 1, NAN]),
    (partial(significance.rank, SYSTEMS, n_resamples=9), "level", [1e-9, 1 - 1e-9], [0, 1, NAN]),
    (partial(significance.rank, SYSTEMS, n_resamples=9), "sides", [1, 2], [0, 3]),
    (partial(significance.paired_bootstrap, SYSTEMS, n_resamples=9), "baseline", [0, 1], [-1, 2]),
]


@pytest.mark.parametrize(("call", "keyword", "taken", "refused"), LIMITS)
@pytest.mark.filterwarnings("ignore::vecbleu.InputWarning")
def test_limits_are_where_errors_say(call, keyword, taken, refused):
    for value in taken:
        call(**{keyword: value})
    for value in refused:
        with pytest.raises(ValueError, match=keyword) as caught:
            call(**{keyword: value})
        assert caught.value.argument == keyword


METRICS = vecbleu.bleu, vecbleu.chrf, vecbleu.ter


@pytest.mark.parametrize("module", METRICS)
def test_functions_that_score_counts_name_them(module):
    others = [other.statistics(OUT, REF) for other in METRICS if other is not module]
    for wrong in (["x"], MASKED, 3, [[1.0, 2.0]], *others):
        with pytest.raises((TypeError, ValueError), match=r"^statistics ") as caught:
            module.scores(wrong)
        assert caught.value.argument == "statistics"


def test_errors_keep_what_they_know_between_processes():
    for call, argument, index in (
        (option(weights=[1, -1]), "weights", (1,)),
        (expected([[np.arange(3), MASKED]]), "candidates", (0, 1)),
        (to_shared(OUT, [*REF[:2], ["a", 5]]), "references", (2, 1)),
        (option(tokenize=lambda text: text if text == REF[1] else [text]), "references", (1,)),
        (differences({"a": WORDS, "b": [["a"], [{}], []]}, REF_WORDS), "systems", ("b", 1)),
        (differences({"a": OUT, "b": OUT[:1]}, REF), "systems", ("b",)),
        (differences({"a": OUT, "b": [None] * 3}, REF), "systems", ("b", 0)),
        (compare({"a": STATS, "b": OTHER}), "systems", ("b",)),
        (compare([STATS, vecbleu.statistics(REF, OUT)]), "systems", (1, 0)),
        (expected([["a"], ["a", "b"]], **STOPS), "candidates", (1, 1)),
        (lambda: vecbleu.Statistics([[1, 1, -1, 1]]), "matches", (0, 0)),
        (lambda: vecbleu.bleu.scores([1]), "statistics", ()),
        (lambda: vecbleu.file_statistics(PATH, PATH, tokenize=str), os.fspath(PATH), (1,)),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            call()
        error = pickle.loads(pickle.dumps(caught.value))
        assert type(error) is type(caught.value)
        assert (error.argument, error.index) == (argument, index)
        assert str(error) == str(caught.value)
        assert error.expected in str(error)


def test_advice_names_the_value_that_it_is_about():
    call = differences({"a": OUT, "b": [b"a"] * 3}, REF)
    with pytest.raises(TypeError, match=r"\[one.decode\(\) for one in systems\['b'\]\]"):
        call()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables_are_no_columns(library):
    package = pytest.importorskip(library)
    table = getattr(package, "table" if library == "pyarrow" else "DataFrame")({"text": OUT})
    for name, call in {
        "hypotheses": lambda: vecbleu.statistics(table, REF),
        "references": lambda: vecbleu.nearest(OUT, table),
        "predictions": metric(table, REF),
        "candidates[1]": lambda: vecbleu.expected_bleu([OUT, table]),
    }.items():
        named = re.escape(name)
        with pytest.raises(TypeError, match=rf"^{named} is a table .* its columns: {named}\["):
            call()


def test_explain_gives_no_advice_on_lists_of_segments():
    for call in (explain(["a", "cat"], "a cat"), explain("a", "a", ignore_ids=3), explain("a", 3)):
        with pytest.raises(TypeError, match=r"^(?!.*pass )"):
            call()


def test_a_tokenizer_s_own_errors_stay_theirs(tmp_path):
    path = tmp_path / "lines"
    path.write_text("a\nb\n")
    with pytest.raises(TypeError, match=r"line 2 .*StopIteration"):
        vecbleu.file_statistics(path, path, tokenize=stops_at_b)
    for call in (vecbleu.pairwise_bleu, lambda one, **how: vecbleu.explain("a", one, **how)):
        with pytest.raises(KeyError):
            call(["a", "b c"], tokenize={"a": ["a"]}.__getitem__)


def test_numbers_of_any_kind_are_options():
    asked = {"smoothing": "floor", "effective_order": 0}
    found = [
        vecbleu.corpus_bleu(["a b"], ["a"], smoothing_value=value, **asked)
        for value in (0.5, Fraction(1, 2), np.float32(0.5))
    ]
    assert found == [found[0]] * 3
    expected = vecbleu.statistics(IDS, REF_IDS, eos_id=4, ignore_ids=[1, 3])
    options = {"eos_id": np.array(4), "ignore_ids": [np.array(1), np.array(3)]}
    assert vecbleu.statistics(IDS, REF_IDS, **options) == expected


def test_a_reference_is_named_by_its_stream():
    """Also if an earlier stream lacks the segment."""
    metric = BLEU()
    metric.tokenizer = lambda text: next(iter(())) if text == "z" else text
    with pytest.raises(TypeError, match=r"references\[1\]\[1\]"):
        metric.corpus_score(["a"] * 2, [["a", None], ["a", "z"]])

"""The metrics of Hugging Face's `evaluate` against their published definitions, bit for bit."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections import Counter
from contextlib import nullcontext

import numpy as np
import oracle
import pytest
import sacrebleu
from corpora import arrow, random_lines
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu
from peers import TOKENIZE, same_digits
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import ugly_text, words

import vecbleu
from vecbleu.huggingface import bleu, chrf, combine, google_bleu, load, ter
from vecbleu.huggingface import sacrebleu as sacrebleu_metric

METRICS = [bleu, chrf, google_bleu, sacrebleu_metric, ter]

# By name, those of sacreBLEU; by default, a copy of its 13a, of lines that nobody strips before.
_tokenizer_13a = Tokenizer13a()
TOKENIZERS = TOKENIZE | {None: lambda line: _tokenizer_13a(line).split()}


@pytest.mark.parametrize(
    ("function", "theirs", "names"),
    [
        (chrf, sacrebleu.CHRF, {}),
        (ter, sacrebleu.TER, {"no_punct": "ignore_punct", "asian_support": "support_zh_ja_chars"}),
    ],
)
def test_defaults_are_sacrebleus(function, theirs, names):
    ours, peers = (inspect.signature(one).parameters for one in (function, theirs))
    found = {name: ours[names.get(name, name)].default for name in peers if name != "references"}
    assert found == {name: peers[name].default for name in found}


def nmt_bleu(predictions, references, tokenizer, max_order=4, smooth=False):
    """`_compute` of metrics/bleu/bleu.py, and nmt/scripts/bleu.py, on the counts of `oracle`."""
    rows = [
        oracle.row(tokenizer(raw), [tokenizer(r) for r in some], max_order, "shortest")
        for raw, some in zip(predictions, references, strict=True)
    ]
    translation_length, reference_length, *counts = map(sum, zip(*rows, strict=True))
    pairs, added = zip(counts[:max_order], counts[max_order:], strict=True), float(smooth)
    precisions = [(m + added) / (n + added) if n + added else 0.0 for m, n in pairs]
    geo_mean = 0
    if min(precisions) > 0:
        geo_mean = math.exp(sum((1.0 / max_order) * math.log(p) for p in precisions))
    if translation_length and reference_length:
        ratio = float(translation_length) / reference_length
        bp = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
    else:  # where `evaluate` divides by zero
        ratio, bp = 0.0, float(translation_length > 0)
    return {
        "bleu": geo_mean * bp,
        "precisions": precisions,
        "brevity_penalty": bp,
        "length_ratio": ratio,
        "translation_length": translation_length,
        "reference_length": reference_length,
    }


def nltk_gleu(predictions, references, tokenizer, **lengths):
    """`_compute` of metrics/google_bleu/google_bleu.py."""
    references = [[tokenizer(r) for r in some] for some in references]
    return {"google_bleu": corpus_gleu(references, [tokenizer(p) for p in predictions], **lengths)}


def assert_published(metric, predictions, references, tokenizer, **options):
    """The result of a metric is that of its published definition."""
    published = {bleu: nmt_bleu, google_bleu: nltk_gleu}[metric]
    ours = metric(predictions=predictions, references=references, tokenizer=tokenizer, **options)
    lists = [[entry] if isinstance(entry, str) else entry for entry in references]
    theirs = published(predictions, lists, TOKENIZERS.get(tokenizer, tokenizer), **options)
    assert repr(ours) == repr(theirs)  # keys in the same order, numbers of the same types


tokenizers = st.sampled_from([*TOKENIZERS]) | st.sampled_from(
    [
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
def texts(draw, is_even=False):
    """(predictions, references): a string or a list for each, as many for each if it is even."""
    pieces = draw(st.lists(st.one_of(words, ugly_text), min_size=1, max_size=5))
    glue = draw(st.sampled_from([" ", "", "-\n", "\n"]))
    segment = st.lists(st.sampled_from(pieces), max_size=10).map(glue.join)
    segment = st.one_of(segment, ugly_text, st.text("ab-\n 5.", max_size=12))
    size = draw(st.integers(1, 5))
    predictions = draw(st.lists(segment, min_size=size, max_size=size))
    most = draw(st.integers(1, 5))
    lists = st.lists(segment, min_size=most if is_even else 1, max_size=most)
    entry = draw(st.sampled_from([segment, lists]))
    return predictions, draw(st.lists(entry, min_size=size, max_size=size))


@given(texts(), tokenizers, st.integers(1, 6), st.booleans())
@example((["a-\n"], ["a-"]), None, 1, False)  # a line by itself would be stripped first
def test_bleu_is_the_published_one(corpus, tokenizer, max_order, smooth):
    assert_published(bleu, *corpus, tokenizer, max_order=max_order, smooth=smooth)


@given(texts(), tokenizers, st.integers(1, 4), st.integers(0, 4))
def test_google_bleu_is_nltks(corpus, tokenizer, min_len, more):
    assert_published(google_bleu, *corpus, tokenizer, min_len=min_len, max_len=min_len + more)


_letters = st.text("ab ", max_size=8)


@given(st.lists(st.tuples(_letters, st.lists(_letters, max_size=5)), max_size=5), st.integers(1, 3))
@example([("a b", ["a", "a b c d"]), ("c", ["c"])], 1)  # 1/3 and 3/9 are the same for a segment,
@example([("a b", ["a b c d", "a"]), ("c", ["c"])], 1)  # but not for a corpus
@example([("a b", []), ("a", ["a"])], 1)  # the first is left out
@example([("a b", [])], 1)
@example([("", [""])], 1)
@example([("", ["", "a"]), ("a", ["a"])], 1)  # without n-grams on both sides, a reference is none
def test_of_references_equally_good_the_first_counts(segments, min_len):
    corpus = [prediction for prediction, _ in segments], [lists for _, lists in segments]
    for tokenizer in (None, str.split):
        assert_published(google_bleu, *corpus, tokenizer, min_len=min_len, max_len=3)


options_of_sacrebleu = st.fixed_dictionaries(
    {
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0.5, 2]),
        "force": st.just(True),
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["", *TOKENIZERS]),
        "use_effective_order": st.booleans(),
    }
)


SHORT = {"smooth_method": "exp", "smooth_value": None, "force": True, "lowercase": False}
SHORT |= {"tokenize": "", "use_effective_order": True}


@given(texts(is_even=True), options_of_sacrebleu)
@example((["The cat"], [["the cat"]]), SHORT)  # each option matters
@example((["The cat sat"], [["the cat sat"]]), SHORT | {"lowercase": True})
def test_sacrebleu_is_sacrebleus(corpus, options):
    """As `_compute` of metrics/sacrebleu/sacrebleu.py calls the installed sacreBLEU."""
    predictions, references = corpus
    ours = sacrebleu_metric(predictions=predictions, references=references, **options)
    lists = [[entry] if isinstance(entry, str) else entry for entry in references]
    options["tokenize"] = options["tokenize"] or "13a"
    score = sacrebleu.corpus_bleu(predictions, [*zip(*lists, strict=True)], **options)
    names = "score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"
    theirs = {name: getattr(score, name) for name in names}
    assert json.loads(json.dumps(ours)) == ours
    assert same_digits(ours["score"], theirs["score"])
    assert repr(ours | {"score": theirs["score"]}) == repr(theirs)  # keys in the same order


@pytest.mark.parametrize("force", [False, True])
def test_text_that_looks_tokenized_is_warned_of_unless_forced(caplog, force):
    caplog.set_level("WARNING", logger="sacrebleu")
    lines = ["a b c ."] * 120
    with nullcontext() if force else pytest.warns(vecbleu.InputWarning, match="looks tokenized"):
        sacrebleu_metric(predictions=lines, references=lines, force=force)
    assert ("tokenized" in caplog.text) != force


@pytest.mark.parametrize("metric", METRICS)
def test_loaded_metrics_score_batches_that_were_added(metric):
    """Batches that were added are scored once, with those that are passed."""
    found = load(metric.__name__, num_process=1, process_id=0, cache_dir=".", seed=3)
    predictions, references = random_lines(1, 9), [[line] for line in random_lines(2, 9)]
    parts = [slice(0, 4), slice(5, 8)]
    for part in parts:
        found.add_batch(predictions=predictions[part], references=references[part])
        found.add(prediction=predictions[part.stop], reference=references[part.stop])
    with pytest.raises(ValueError, match="predictions has 1 segments"):
        found.add_batch(predictions=["a"], references=[])
    with pytest.raises(TypeError, match="foo"):
        found.compute(predictions=["a"], references=["a"], foo=1)
    everything = metric(predictions=predictions, references=references)
    assert (found.name, found.compute()) == (metric.__name__, everything)
    sides = {"predictions": predictions[4:], "references": references[4:]}
    assert found.compute(**sides) == metric(**sides)
    found.add_batch(predictions=predictions[:4], references=references[:4])
    assert found.compute(**sides) == everything
    with pytest.raises(ValueError, match="predictions"):  # nothing was added since
        found.compute()


@pytest.mark.parametrize("metric", METRICS)
def test_what_chooses_another_computation_is_refused(metric):
    """With the call that adds up processes, whose score is the metric's."""
    predictions, references = random_lines(1, 9), random_lines(2, 9)
    chosen = {"num_process": 2, "process_id": 1, "revision": "v1", "config_name": "a"}
    for option, value in (chosen | {"module_type": "comparison"}).items():
        with pytest.raises(ValueError, match=f"^{option} is '?{value}"):
            load(metric.__name__, **{option: value})
    with pytest.raises(ValueError, match="num_process is 0, expected 1"):
        load(metric.__name__, num_process=0)
    with pytest.raises(ValueError, match="Accumulator") as raised:
        load(metric.__name__, num_process=2)
    if metric is not google_bleu:
        call = re.search(r"vecbleu\S*Accumulator\(.*?\)", str(raised.value))[0]
        accumulator = eval(call, {"vecbleu": vecbleu})
        for part in slice(0, 4), slice(4, 9):
            accumulator.update(predictions[part], references[part])
        expected = metric(predictions=predictions, references=references)
        score = expected["bleu"] if metric is bleu else expected["score"] / 100
        assert accumulator.compute() == pytest.approx(score, rel=1e-12)


def test_the_names_of_arguments_are_in_the_errors_for_others():
    one = {"predictions": ["a"], "references": ["a"]}
    for metric in METRICS:
        known = inspect.signature(metric).parameters
        for call in (metric, load(metric.__name__).compute):
            with pytest.raises(TypeError) as raised:
                call(**one, foo=1)
            assert {"foo", *known} <= {*re.findall(r"\w+", str(raised.value))}
        found = load(metric.__name__)
        for call in (metric, found.compute, found.add_batch):
            with pytest.raises(TypeError, match="predictions=, references="):
                call(["a"], ["a"])
        with pytest.raises(TypeError, match="prediction=, reference="):
            found.add("a", "a")


@pytest.mark.parametrize("metric", METRICS)
def test_anything_that_holds_strings_is_scored_alike(metric):
    predictions, references = ["the cat sat", "a dog"], [["the cat", "a cat sat"], ["a dog", "dog"]]
    for lists in (references, ["the cat", "the dog"]):
        expected = metric(predictions=predictions, references=lists)
        for one in (tuple, np.array, iter, arrow):
            assert metric(predictions=one(predictions), references=one(lists)) == expected
    if metric is not sacrebleu_metric:  # which wants as many references of each
        gaps = arrow([["the cat", None], ["a dog"]])
        found = metric(predictions=predictions, references=gaps)
        assert found == metric(predictions=predictions, references=[["the cat"], ["a dog"]])


def merged(names, results, force_prefix):
    """`_merge_results` of `CombinedEvaluations` in evaluate/module.py."""
    keys = [key for result in results for key in result]
    repeated_keys = {key for key, count in Counter(keys).items() if count > 1}
    numbers = {name: 0 for name, count in Counter(names).items() if count > 1}
    found = {}
    for name, result in zip(names, results, strict=True):
        for key, value in result.items():
            if key not in repeated_keys and not force_prefix:
                found[key] = value
            elif name in numbers:
                found[f"{name}_{numbers[name]}_{key}"] = value
            else:
                found[f"{name}_{key}"] = value
        if name in numbers:
            numbers[name] += 1
    return found


TEXTS = {
    "predictions": ["the cat sat", "a dog"],
    "references": [["a cat sat", "cats"], ["a dog", "dogs"]],
}


@pytest.mark.parametrize("force_prefix", [False, True])
@pytest.mark.parametrize(
    "names", ["bleu chrf", "chrf ter", "ter chrf ter sacrebleu ter", "ter", ""]
)
def test_combined_metrics_have_evaluates_keys(names, force_prefix):
    names = names.split()
    results = [load(name).compute(**TEXTS) for name in names]
    expected = merged(names, results, force_prefix)
    for chosen in (names, tuple(names), [*map(load, names)]):
        both = combine(chosen, force_prefix)
        for _ in range(2):  # what was scored is forgotten
            assert repr(both.compute(**TEXTS)) == repr(expected)
    both.add(prediction=TEXTS["predictions"][0], reference=TEXTS["references"][0])
    both.add_batch(predictions=TEXTS["predictions"][1:], references=TEXTS["references"][1:])
    assert repr(both.compute()) == repr(expected)


def test_keys_of_a_dict_name_combined_metrics():
    plain, strict = load("ter"), load("chrf")
    both = combine({"edits": plain, "F": strict, "edits2": "ter"})
    expected = merged(
        ["edits", "F", "edits2"], [m.compute(**TEXTS) for m in (plain, strict, plain)], 0
    )
    assert repr(both.compute(**TEXTS)) == repr(expected)


def test_options_are_passed_to_all_combined_metrics():
    both = combine(["bleu", "google_bleu"])
    found = both.compute(**TEXTS, tokenizer=str.split)
    assert found["bleu"] == load("bleu").compute(**TEXTS, tokenizer=str.split)["bleu"]
    with pytest.raises(TypeError, match="google_bleu takes no max_order; it takes "):
        both.compute(**TEXTS, max_order=2)
    with pytest.raises(TypeError, match=r"evaluations is 'bleu', expected a list or a dict"):
        combine("bleu")
    with pytest.raises(ValueError, match="'blue', expected one of bleu, "):
        combine(["bleu", "blue"])


def test_iterators_are_read_once_for_all_combined_metrics():
    both = combine(["chrf", "ter"])
    texts = ["the cat sat", "a dog"], [["a cat sat"], ["a dog"]]
    listed = both.compute(predictions=texts[0], references=texts[1])
    assert both.compute(predictions=iter(texts[0]), references=iter(texts[1])) == listed

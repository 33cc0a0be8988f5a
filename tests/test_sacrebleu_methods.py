"""What programs assign to, add to and call of sacreBLEU's BLEU, against sacreBLEU."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sacrebleu as peer
import sacrebleu.metrics.helpers as peer_ngrams
from hypothesis import given
from hypothesis import strategies as st
from peers import same_digits
from processes import output_of
from strategies import ugly_text, words
from test_sacrebleu import assert_same, corpora, metric_options

import vecbleu
import vecbleu.sacrebleu as layer

BOTH = layer, peer


def underscored(line):
    return line.replace("_", " ")


@pytest.mark.parametrize("tokenizer", [underscored, str.upper, lambda line: " ".join(line)])
@given(corpus=corpora(), options=metric_options, cached=st.booleans())
def test_a_callable_is_a_tokenizer(tokenizer, corpus, options, cached):
    hypotheses, streams = corpus
    scores = []
    for m in BOTH:
        metric = m.BLEU(**options)
        metric.tokenizer = tokenizer
        if cached:
            metric._ref_cache = metric._cache_references(streams)
        scores.append(metric.corpus_score(hypotheses, None if cached else streams))
    assert_same(*scores)


def test_signatures_say_by_which_tokenizer():
    metric = layer.BLEU(references=[["a"]])
    metric.tokenizer = underscored
    assert "|tok:" not in str(metric.get_signature())
    metric.tokenizer_signature = "mine"
    assert "|tok:mine|" in str(metric.get_signature())
    metric.tokenizer = layer.tokenizers.tokenizer_char.TokenizerChar()
    assert "|tok:char|" in str(metric.get_signature())


def test_tokenizers_that_are_none():
    metric = layer.BLEU()
    with pytest.raises(TypeError, match="tokenizer is '13a'"):
        metric.tokenizer = "13a"
    metric.tokenizer = str.split
    with pytest.raises(TypeError, match="returned list"):
        metric.corpus_score(["a b"], [["a b"]])


def test_cached_references_in_another_process():
    metric = layer.BLEU(references=[["a1 b_c d e", "f g"], ["a1 b", None]])
    expected = str(metric.corpus_score(["a1 b_c d f", "g"], None))
    again = pickle.loads(pickle.dumps(metric))
    assert str(again.corpus_score(["a1 b_c d f", "g"], None)) == expected
    code = """
        import pickle, sys
        metric = pickle.loads(bytes.fromhex(sys.argv[1]))
        print(metric.corpus_score(["a1 b_c d f", "g"], None))
    """
    printed = output_of(code, pickle.dumps(metric).hex(), VECBLEU_HASH_SEED="7")
    assert printed.strip() == expected


def test_references_that_all_hypotheses_share():
    references = ["a b c d", "a b d c e"]
    hypotheses, streams = ["a b d", "d c b"], [[one] * 2 for one in references]
    shared = vecbleu.SharedReferences(references)
    for method in ("corpus_score", "sentence_scores"):
        found, expected = (
            getattr(layer.BLEU(), method)(hypotheses, some) for some in (shared, streams)
        )
        assert str(found) == str(expected)


def own_signature(module):
    class OwnSignature(module.metrics.bleu.BLEUSignature):
        def __init__(self, args):
            super().__init__(args)
            self.info["own"] = f"{args['tokenizer'].signature()}-{args['trg_lang']}"

    return {"_SIGNATURE_TYPE": OwnSignature}


@pytest.mark.parametrize(
    "members",
    [own_signature, lambda _: {"TOKENIZER_DEFAULT": "char", "_TOKENIZER_MAP": {"de": "intl"}}],
)
@pytest.mark.parametrize("options", [{}, {"trg_lang": "de"}, {"trg_lang": "zh"}])
def test_subclasses_that_add_something(members, options):
    results = []
    for m in BOTH:
        metric = type("Own", (m.BLEU,), members(m))(**options)
        score = metric.corpus_score(["a b. c"], [["a b. d"]])
        results.append((str(score), str(metric.get_signature()).partition("|version")[0]))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "name",
    [
        *("_preprocess_segment", "_get_closest_ref_len", "_extract_reference_info"),
        *("_compute_segment_statistics", "_cache_references", "_extract_corpus_statistics"),
        *("_aggregate_and_compute", "_compute_score_from_stats", "_check_corpus_score_args"),
        *("_check_sentence_score_args", "compute_bleu", "tokenizer"),
    ],
)
def test_subclasses_that_count_otherwise_are_refused(name):
    hook = type("Hook", (), {name: lambda self, *arguments: None})
    with pytest.raises(TypeError, match=f"Own.{name} .*derive from the installed"):
        type("Own", (hook, layer.BLEU), {})
    if name != "tokenizer":
        assert hasattr(peer.BLEU, name)


def rows_of(metric, corpus):
    return metric._extract_corpus_statistics(*corpus)


@given(corpora(), metric_options)
def test_statistics(corpus, options):
    ours, theirs = (m.BLEU(**options) for m in BOTH)
    rows, expected = (rows_of(metric, corpus) for metric in (ours, theirs))
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
        assert type(score) is type(whole.score)
        assert same_digits(score, whole.score)
    assert_same(ours._aggregate_and_compute(np.array(rows)), ours._aggregate_and_compute(rows))
    assert ours.num_refs == theirs.num_refs
    for line in corpus[0]:  # a line by itself keeps white space, of which nothing is counted
        assert ours._preprocess_segment(line).split() == theirs._preprocess_segment(line).split()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda m: m._aggregate_and_compute([]), "stats has the shape"),
        (lambda m: m._aggregate_and_compute([1, 2]), "stats has the shape"),
        (lambda m: m._compute_score_from_stats([1, 1, 1, 1]), "correct and total have 2 and 0"),
    ],
)
def test_statistics_of_another_shape(action, message):
    with pytest.raises(ValueError, match=message):
        action(layer.BLEU())


lines = st.one_of(st.lists(words, max_size=8).map(" ".join), ugly_text)


@given(lines, st.integers(1, 4), st.integers(0, 3), st.booleans())
def test_ngrams_of_lines(line, order, more, whole):
    for name, arguments in [
        ("extract_all_word_ngrams", (line, order, order + more)),
        ("extract_word_ngrams", (line.split(), order)),
        ("extract_char_ngrams", (line, order, whole)),
        ("extract_all_char_ngrams", (line, order, whole)),
    ]:
        expected = getattr(peer_ngrams, name)(*arguments)
        assert getattr(layer.metrics.helpers, name)(*arguments) == expected

"""What programs override, assign and call of sacreBLEU's BLEU, against sacreBLEU."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import sacrebleu as peer
import sacrebleu.metrics.base as peer_base
import sacrebleu.metrics.helpers as peer_ngrams
import sacrebleu.utils as peer_utils
from corpora import noisy_systems
from hypothesis import given
from hypothesis import strategies as st
from peers import same_digits
from strategies import ugly_text, words
from test_sacrebleu import assert_same, corpora, metric_options

import vecbleu.sacrebleu as layer
import vecbleu.sacrebleu.metrics.helpers as own_ngrams
from vecbleu.sacrebleu import streams
from vecbleu.sacrebleu.metrics import base

BOTH = layer, peer


class NoDigits:
    def _preprocess_segment(self, sent):
        return super()._preprocess_segment("".join(filter(str.isalpha, sent.replace(" ", "x"))))


class LongestReference:
    def _get_closest_ref_len(self, hyp_len, ref_lens):
        return max(ref_lens)


class NoStopWords:
    def _extract_reference_info(self, refs):
        info = super()._extract_reference_info(refs)
        for ngram in [one for one in info["ref_ngrams"] if one == ("a",)]:
            del info["ref_ngrams"][ngram]
        return info


class CountedTwice:
    def _compute_segment_statistics(self, hypothesis, ref_kwargs):
        return [2 * one for one in super()._compute_segment_statistics(hypothesis, ref_kwargs)]


class OwnCache:
    def _cache_references(self, references):
        return super()._cache_references([[one or "" for one in stream] for stream in references])


class OwnStatistics:
    def _extract_corpus_statistics(self, hypotheses, references):
        return super()._extract_corpus_statistics(hypotheses, references)[:1]


class HalfScores:
    def _compute_score_from_stats(self, stats):
        score = super()._compute_score_from_stats(stats)
        score.score /= 2
        return score


class NoPenalty:
    @staticmethod
    def compute_bleu(correct, total, sys_len, ref_len, **options):
        return peer.BLEU.compute_bleu(list(correct), list(total), sys_len, 0, **options)


class LastSegments:
    def _aggregate_and_compute(self, stats):
        return super()._aggregate_and_compute(stats[-1:])


HOOKS = [
    *(NoDigits, LongestReference, NoStopWords, CountedTwice, OwnCache, OwnStatistics),
    *(HalfScores, NoPenalty, LastSegments),
]


@pytest.mark.parametrize("hook", HOOKS)
@given(corpus=corpora(), options=metric_options, cached=st.booleans())
def test_overridden_methods_decide(hook, corpus, options, cached):
    hypotheses, streams = corpus
    cache, given = (streams, None) if cached else (None, streams)
    metrics = [type("M", (hook, m.BLEU), {})(**options, references=cache) for m in BOTH]
    scores = [metric.corpus_score(hypotheses, given) for metric in metrics]
    assert_same(*scores)
    first = [stream[0] for stream in streams if stream[0] is not None]
    assert_same(*(metric.sentence_score(hypotheses[0], first) for metric in metrics))
    rows = [metric._extract_corpus_statistics(hypotheses, given) for metric in metrics]
    assert rows[0] == rows[1]


@given(corpora(), metric_options)
def test_sentences_at_once_by_overridden_methods(corpus, options):
    hypotheses, streams = corpus
    for hook in (NoDigits, LongestReference, HalfScores):
        ours, theirs = (type("M", (hook, m.BLEU), {})(**options) for m in BOTH)
        expected = [
            theirs.sentence_score(one, [ref for ref in refs if ref is not None]).score
            for one, *refs in zip(hypotheses, *streams, strict=True)
        ]
        found = ours.sentence_scores(hypotheses, streams)
        assert all(map(same_digits, found, expected))


def test_methods_of_an_object_decide():
    for m in BOTH:
        metric = m.BLEU()
        metric._get_closest_ref_len = lambda hyp_len, ref_lens: 99
        assert metric.corpus_score(["a b c d"], [["a b c d"]]).ref_len == 99


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


@pytest.mark.usefixtures("small_blocks")
def test_a_callable_in_many_blocks():
    hypotheses, streams = noisy_systems(300, (0.2, 0.4))
    for cached in (False, True):
        ours, theirs = (m.BLEU(tokenize="none", lowercase=True) for m in BOTH)
        for metric in (ours, theirs):
            metric.tokenizer = lambda line: line.replace("1", " 1 ")
        if cached:
            ours._ref_cache = ours._cache_references(streams)
        found = ours.corpus_score(hypotheses, None if cached else streams)
        assert_same(found, theirs.corpus_score(hypotheses, streams))


def test_signatures_of_a_programs_own_have_attributes_by_the_peers_names():
    def signature_of(peer):
        class OwnSignature(peer.metrics.bleu.BLEUSignature):
            def __init__(self, args):
                super().__init__(args)
                self.info["own"] = args["tokenizer"].signature()
                self.args = set(args)

        metric = type("Own", (peer.BLEU,), {"_SIGNATURE_TYPE": OwnSignature})(tokenize="char")
        metric.corpus_score(["a b"], [["a c"]])
        return metric.get_signature()

    ours, theirs = map(signature_of, BOTH)
    assert ours.info["own"] == theirs.info["own"] == "char"
    assert theirs.args <= ours.args


def test_signatures_say_by_which_tokenizer():
    metric = layer.BLEU(references=[["a"]])
    metric.tokenizer = underscored
    assert "|tok:" not in str(metric.get_signature())
    metric.tokenizer_signature = "mine"
    assert "|tok:mine|" in str(metric.get_signature())
    metric.tokenizer = layer.tokenizers.tokenizer_char.TokenizerChar()
    assert "|tok:char|" in str(metric.get_signature())


class NoDigitsBLEU(NoDigits, layer.BLEU):
    pass


def test_cached_references_in_another_process(monkeypatch):
    subclassed, assigned = NoDigitsBLEU(references=[["a1 b_c"]]), layer.BLEU()
    assigned.tokenizer = underscored
    assigned._ref_cache = assigned._cache_references([["a1 b_c"]])
    pickled = [pickle.dumps(metric) for metric in (subclassed, assigned)]
    monkeypatch.setattr(streams, "SEED", "another")  # of hashes
    for metric, one in zip((subclassed, assigned), pickled, strict=True):
        assert_same(
            pickle.loads(one).corpus_score(["a2 b c"], None), metric.corpus_score(["a2 b c"], None)
        )


class Spaced(layer.tokenizers.BaseTokenizer):
    def signature(self):
        return "spaced"

    def __call__(self, line):
        return " ".join(line)


class ByProperty:
    @property
    def tokenizer(self):
        return Spaced()

    @tokenizer.setter
    def tokenizer(self, tokenizer):
        pass


class ByAttribute:
    tokenizer = Spaced()  # of which an instance's own, which is made with it, takes the place


@pytest.mark.parametrize("own", [ByProperty, ByAttribute])
def test_tokenizers_of_subclasses(own):
    results = []
    for m in BOTH:
        metric = type("Own", (own, m.BLEU), {})(references=[["a cat, sat"], ["the cat (sat)"]])
        score = metric.corpus_score(["a cat. sat"], None)
        signature = str(metric.get_signature()).partition("|version")[0]
        results.append((str(score), signature))
    assert results[0] == results[1]


class ByDefault:
    TOKENIZER_DEFAULT = "char"
    _TOKENIZER_MAP = {"de": "intl"}  # noqa: RUF012


@pytest.mark.parametrize("options", [{}, {"trg_lang": "de"}, {"trg_lang": "zh"}])
def test_default_tokenizers_of_subclasses(options):
    made = [type("Own", (ByDefault, m.BLEU), {})(**options) for m in BOTH]
    assert made[0].tokenizer_signature == made[1].tokenizer_signature != "13a"


class CheckedTwice:
    def _check_sentence_score_args(self, hyp, refs):
        super()._check_sentence_score_args(hyp, refs)
        if hyp == "no":
            raise KeyError(hyp)

    def _check_corpus_score_args(self, hyps, refs):
        super()._check_corpus_score_args(hyps, refs)
        if hyps == ["no"]:
            raise KeyError(hyps)


@pytest.mark.parametrize("more", [(), (LongestReference,)])
@pytest.mark.parametrize(("hypothesis", "error"), [("no", KeyError), (1, TypeError)])
def test_checks_of_subclasses(more, hypothesis, error):
    for m in BOTH:
        metric = type("Checked", (CheckedTwice, *more, m.BLEU), {})()
        assert metric.corpus_score(["yes"], [["yes"]]).sys_len == 1
        with pytest.raises(error):
            metric.sentence_score(hypothesis, ["yes"])
        with pytest.raises(error):
            metric.corpus_score([hypothesis] if error is KeyError else hypothesis, [["yes"]])


def test_tokenizers_that_are_none():
    metric = layer.BLEU()
    with pytest.raises(TypeError, match="tokenizer is '13a', expected a callable"):
        metric.tokenizer = "13a"
    metric.tokenizer = str.split
    with pytest.raises(TypeError, match="the tokenizer returned list, expected a string"):
        metric.corpus_score(["a b"], [["a b"]])


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
    for form in (list, np.array, lambda one: np.array(one, np.float64)):
        found = ours._compute_score_from_stats(form(row))
        assert_same(found, theirs._compute_score_from_stats([*row]))
    assert_same(ours._aggregate_and_compute(np.array(rows)), ours._aggregate_and_compute(rows))
    assert ours.num_refs == theirs.num_refs


@given(corpora(), metric_options)
def test_what_is_kept_of_references(corpus, options):
    hypotheses, streams = corpus
    ours, theirs = (m.BLEU(**options) for m in BOTH)
    for one, *refs in zip(hypotheses, *streams, strict=True):
        prepared = [ours._preprocess_segment(ref) for ref in refs if ref is not None]
        # Called with a line, a tokenizer keeps white space that none of them counts.
        found, expected = (metric._extract_reference_info(prepared) for metric in (ours, theirs))
        assert found == expected
        line = theirs._preprocess_segment(one)
        assert ours._preprocess_segment(one).split() == line.split()
        row = theirs._compute_segment_statistics(line, expected)
        assert ours._compute_segment_statistics(line, found) == row


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda m: m._aggregate_and_compute([]), r"stats has the shape \(0,\), expected \(segm"),
        (lambda m: m._aggregate_and_compute([1, 2]), r"stats has the shape \(2,\)"),
        (lambda m: m._compute_score_from_stats([1, 1, 1, 1]), "correct and total have 2 and 0"),
        (lambda m: m._compute_score_from_stats([1, 2, *[3] * 4, *[2] * 4]), "more than its total"),
        (lambda m: m._compute_score_from_stats([1, 2.5, *[0] * 8]), "ref_len is 2.5, expected a"),
        (lambda m: m._compute_score_from_stats([1, -2, *[0] * 8]), r"ref_len\[0\] is -2"),
        (lambda m: m._compute_score_from_stats([1, 2, np.nan, *[0] * 7]), "expected a count"),
    ],
)
def test_impossible_statistics(action, message):
    with pytest.raises(ValueError, match=message):
        action(layer.BLEU())


def overlap_metric(module, name):
    """A metric of a user's, by the base classes of a package."""

    class Signature(module.Signature):
        def __init__(self, args):
            super().__init__(args)
            self._abbr["case"] = "c"
            self.info["case"] = "mixed"

    class Overlap(module.Metric):
        _SIGNATURE_TYPE = Signature

        def _preprocess_segment(self, sent):
            return sent.strip()

        def _extract_reference_info(self, refs):
            return {"words": {word for ref in refs for word in ref.split()}}

        def _compute_segment_statistics(self, hypothesis, ref_kwargs):
            own = hypothesis.split()
            return [len(own), sum(word in ref_kwargs["words"] for word in own)]

        def _aggregate_and_compute(self, stats):
            return self._compute_score_from_stats(np.sum(stats, axis=0))

        def _compute_score_from_stats(self, stats):
            words, found = stats
            score = module.Score(name, 100 * float(found) / max(float(words), 1.0))
            score._verbose = f"({int(words)} words)"
            return score

    return Overlap()


@given(corpora())
def test_metrics_of_users_derive_from_the_base_classes(corpus):
    hypotheses, streams = corpus
    ours, theirs = (overlap_metric(module, "Overlap") for module in (base, peer_base))
    assert rows_of(ours, corpus) == rows_of(theirs, corpus)
    scores = [m.corpus_score(hypotheses, streams, n_bootstrap=20) for m in (ours, theirs)]
    signatures = [str(m.get_signature()).partition("|version")[0] for m in (ours, theirs)]
    assert signatures[0] == signatures[1]
    shorts = [m.get_signature().format(short=True).partition("|v:")[0] for m in (ours, theirs)]
    assert shorts[0] == shorts[1]
    for form in ({}, {"width": 4}, {"score_only": True}, {"is_json": True}):
        texts = [score.format(**form, signature=signatures[0]) for score in scores]
        assert texts[0] == texts[1]
    ours._ref_cache, theirs._ref_cache = (m._cache_references(streams) for m in (ours, theirs))
    cached = [m.corpus_score(hypotheses, None) for m in (ours, theirs)]
    assert str(cached[0]) == str(cached[1])
    first = [stream[0] for stream in streams if stream[0] is not None]
    texts = [str(m.sentence_score(hypotheses[0], first)) for m in (ours, theirs)]
    assert texts[0] == texts[1]


def test_misused_metrics_of_users():
    metric = overlap_metric(base, "Overlap")
    with pytest.raises(ValueError, match="the number of references is not known"):
        metric.get_signature()
    with pytest.raises(RuntimeError, match="references is None, and the class was given none"):
        metric.corpus_score(["a"], None)
    metric._ref_cache = metric._cache_references([["a", "b"]])
    with pytest.raises(ValueError, match="hypotheses has 1 segments but references has 2"):
        metric.corpus_score(["a"], None)
    with pytest.raises(TypeError, match="hypothesis is int"):
        metric.sentence_score(1, ["a"])
    with pytest.raises(TypeError, match="abstract"):
        base.Metric()


lines = st.one_of(st.lists(words, max_size=8).map(" ".join), ugly_text)


@given(lines, st.integers(1, 4), st.integers(0, 3), st.booleans())
def test_ngrams_of_lines(line, order, more, whole):
    orders = order, order + more
    for name, arguments in [
        ("extract_all_word_ngrams", (line, *orders)),
        ("extract_word_ngrams", (line.split(), order)),
        ("extract_char_ngrams", (line, order, whole)),
        ("extract_all_char_ngrams", (line, order, whole)),
    ]:
        expected = getattr(peer_ngrams, name)(*arguments)
        assert getattr(own_ngrams, name)(*arguments) == expected


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_sums_of_lists(rows):
    for lists in (rows, [[one / 8 for one in row] for row in rows]):
        found, expected = (m.sum_of_lists(copy.deepcopy(lists)) for m in (layer.utils, peer_utils))
        assert found == expected
        assert [*map(type, found)] == [*map(type, expected)]


@given(st.floats(0, 1e300))
def test_logarithms(number):
    assert layer.utils.my_log(number) == peer_utils.my_log(number)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_files(name, tmp_path):
    path, text = str(tmp_path / name), "ä\r\nb\u2028c\n"
    with layer.smart_open(path, "wt") as file:
        file.write(text)
    for m in BOTH:
        with m.smart_open(path) as file:
            assert [*file] == ["ä\r\n", "b\u2028c\n"]

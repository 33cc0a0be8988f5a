"""TER of the sacreBLEU layer, and of Hugging Face's, against sacreBLEU."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest
import sacrebleu as peer
from corpora import noisy_systems
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest
from strategies import text_corpora, words

import vecbleu.huggingface
import vecbleu.sacrebleu as layer

BOTH = layer, peer
OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")

sentences = st.lists(words | st.just("The"), max_size=12).map(" ".join)
corpora = text_corpora | st.lists(
    st.tuples(sentences, st.lists(sentences, min_size=1, max_size=4)), min_size=1, max_size=5
)
options_of_ter = st.fixed_dictionaries(dict.fromkeys(OPTIONS, st.booleans()))


def signatures(metric):
    """Both forms of the signature, without versions."""
    texts = (metric.get_signature().format(short) for short in (False, True))
    return [text[: text.index("|v")] for text in texts]


@given(corpora, options_of_ter, st.booleans())
@example([("a b", ["", "a", "b c"]), ("a", ["b"])], dict.fromkeys(OPTIONS, False), True)
@example([("", [""])], dict.fromkeys(OPTIONS, False), False)
@example([("a", [""])], dict.fromkeys(OPTIONS, False), False)
def test_layers_have_sacrebleus_numbers(corpus, options, cached):
    hypotheses, lists = zip(*corpus, strict=True)
    streams = [*zip_longest(*lists)]  # None where a segment has fewer references
    cache, given = (streams, None) if cached else (None, streams)
    ours, theirs = (module.TER(**options, references=cache) for module in BOTH)
    score, expected = (metric.corpus_score(hypotheses, given) for metric in (ours, theirs))
    # sacreBLEU adds means of three references that are rounded.
    rounded = {name: pytest.approx(vars(expected)[name]) for name in ("score", "ref_length")}
    if all(len(references) in (1, 2, 4) for references in lists):
        rounded = {}
    assert {name: getattr(score, name) for name in vars(expected)} == vars(expected) | rounded
    assert type(score.num_edits) is int
    assert signatures(ours) == signatures(theirs)
    for shown in ({}, {"width": 7, "score_only": True}, {"is_json": True}):
        assert score.format(**shown, signature="nc:6") == expected.format(**shown, signature="nc:6")
    rows = theirs._extract_corpus_statistics(hypotheses, given)
    assert ours._extract_corpus_statistics(hypotheses, given) == rows
    for form in (list, np.array):
        summed = (metric._aggregate_and_compute(form(rows)) for metric in (ours, theirs))
        assert {*map(str, summed)} == {str(expected)}
    alone = [theirs.sentence_score(hyp, refs).score for hyp, refs in corpus]
    assert ours.sentence_scores(hypotheses, given).tolist() == alone
    assert [ours.sentence_score(hyp, [*refs, None]).score for hyp, refs in corpus] == alone
    assert str(layer.corpus_ter(hypotheses, streams, **options)) == str(expected)
    assert layer.sentence_ter(*corpus[0], **options).score == alone[0]
    names = {"no_punct": "ignore_punct", "asian_support": "support_zh_ja_chars"}
    asked = {names.get(name, name): value for name, value in options.items()}
    published = {name: getattr(score, name) for name in ("score", "num_edits", "ref_length")}
    found = vecbleu.huggingface.ter(predictions=hypotheses, references=lists, **asked)
    assert repr(found) == repr(published)


def test_scores_made_of_floats_have_whole_edits():
    ours, theirs = (module.metrics.ter.TERScore(12.5, 2.0, 16) for module in BOTH)
    assert repr(ours.num_edits) == repr(theirs.num_edits)
    assert ours.format() == theirs.format()


@pytest.mark.parametrize("size", [30, 77])
@pytest.mark.parametrize("options", [{}, {"no_punct": True, "case_sensitive": True}])
def test_resampled_scores_are_sacrebleus(size, options, monkeypatch):
    references, outputs = noisy_systems(size, [0.3, 0.35, 0.5])
    systems, streams = [*zip("ab", outputs, strict=False)], [references, outputs[2]]
    for seed in ("12345", "7"):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        printed, results = [], []
        for module in BOTH:
            metric = module.TER(**options)
            score = metric.corpus_score(outputs[0], streams, n_bootstrap=250)
            printed.append((score._mean, score._ci, score.format(7), signatures(metric)))
            for test in ("ar", "bs"):
                tested = PairedTest(systems, {"TER": metric}, streams, test, 199, 50)()
                _, found = tested[1].values()
                results.append([vars(result) for result in found])
        assert printed[0] == printed[1]
        assert results[:2] == results[2:]


def test_options_are_those_of_the_attributes():
    metric = layer.TER()
    assert metric.sentence_score("A b.", ["a b"]).num_edits == 1
    metric.no_punct = True
    assert metric.sentence_score("A b.", ["a b"]).num_edits == 0
    metric.case_sensitive = True
    assert metric.sentence_score("A b.", ["a b"]).num_edits == 1
    expected = layer.TER(no_punct=True, case_sensitive=True, references=[["a"]]).get_signature()
    assert str(metric.get_signature()) == str(expected)


def test_options_that_are_no_bools_are_refused_by_their_names():
    for name in OPTIONS:
        with pytest.raises(TypeError, match=f"^{name} is 'yes'"):
            layer.TER(**{name: "yes"})
    for name in ("normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive"):
        with pytest.raises(TypeError, match=f"^{name} is 'yes'"):
            vecbleu.huggingface.ter(predictions=["a"], references=["a"], **{name: "yes"})

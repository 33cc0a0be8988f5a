"""What programs assign to, add to, derive from and import of sacreBLEU, against sacreBLEU."""

from __future__ import annotations

import inspect
from functools import partial
from unittest import mock

import pytest
import sacrebleu as peer
from hypothesis import example, given
from peers import MECAB, TOKENIZE, newer_characters, tokenizer_of
from processes import output_of
from strategies import ugly_text

import vecbleu.sacrebleu as layer

BOTH = layer, peer


def test_an_assigned_tokenizer_is_used_and_signed():
    metric = layer.BLEU(references=[["a"]])
    metric.tokenizer = str.upper
    assert "|tok:" not in str(metric.get_signature())
    metric.tokenizer_signature = "mine"
    assert "|tok:mine|" in str(metric.get_signature())
    metric.tokenizer = layer.BLEU(tokenize="char").tokenizer
    expected, lines = layer.BLEU(tokenize="char"), (["Straße 5.", "b c"], [["Strasse 5", "c b"]])
    assert str(metric.corpus_score(*lines)) == str(expected.corpus_score(*lines))
    assert str(metric.get_signature()) == str(expected.get_signature())
    metric.tokenizer = lambda line: next(iter(())) if line == "b" else line
    for call in (partial(metric.corpus_score, ["a", "a"]), metric._cache_references):
        with pytest.raises(TypeError, match=r"references\[1\]\[0\]"):
            call([[None, "a"], ["b", "c"]])


@pytest.mark.parametrize("name", MECAB)
def test_japanese_and_korean_have_sacrebleus_tokenizer(name):
    tokenizer_of(name)
    ours, theirs = (m.BLEU(trg_lang=name[:2]).tokenizer_signature for m in BOTH)
    assert ours == theirs


LINES = "In 2023. ", "a-\n", " a \n &amp;lt; b\u2028", "", "日本語 の文。 한국어 문장. "
CHARACTERS = "x".join([*map(chr, range(0x11000)), "\U00020000", "\U0002f800", "\U0010ffff"])


@pytest.mark.parametrize("name", TOKENIZE)
@given(text=ugly_text)
@example(text=CHARACTERS)
def test_tokenizers_split_lines_as_sacrebleus(name, text):
    ours, theirs = (m.BLEU(tokenize=name).tokenizer for m in BOTH)
    assert ours.signature() == theirs.signature()
    for line in (*LINES, text.translate(newer_characters())):
        assert ours(line) == theirs(line)


class Named:
    def __init_subclass__(cls, named):
        cls.named = named


def subclass_of(module):
    class OwnSignature(module.metrics.bleu.BLEUSignature):
        def __init__(self, args):
            super().__init__(args)
            self.info["own"] = f"{args['tokenizer'].signature()}-{args['trg_lang']}"

    members = {"TOKENIZER_DEFAULT": "char", "_TOKENIZER_MAP": {"de": "intl"}}
    members["_SIGNATURE_TYPE"] = OwnSignature
    return type("Own", (module.BLEU, Named), members, named="mine")


@pytest.mark.parametrize("language", ["", "de", "zh"])
def test_subclasses_may_add_something(language):
    results = []
    for module in BOTH:
        metric = subclass_of(module)(trg_lang=language)
        score = metric.corpus_score(["a b. c"], [["a b. d"]])
        signature = str(metric.get_signature()).partition("|version")[0]
        results.append((str(score), signature, metric.named))
    assert results[0] == results[1]


HOOKS = [("BLEU", name) for name in ("_preprocess_segment", "compute_bleu", "tokenizer")]
HOOKS += [("CHRF", "_remove_punctuation"), ("TER", "_compute_score_from_stats")]


@pytest.mark.parametrize(("metric", "name"), HOOKS)
def test_subclasses_that_count_otherwise_are_refused(metric, name):
    hook = type("Hook", (), {name: lambda self, *arguments: None})
    with pytest.raises(TypeError, match=f"Own.{name} .*import {metric}`"):
        type("Own", (hook, getattr(layer, metric)), {})


def test_other_names_are_those_of_sacrebleu():
    assert all(hasattr(layer, name) for name in peer.__all__)
    for name in ("DATASETS", "extract_word_ngrams"):
        assert getattr(layer, name) is getattr(peer, name)
    ours = {"BLEU": layer.BLEU, "CHRF": layer.CHRF, "TER": layer.TER}
    assert peer.metrics.METRICS | ours == layer.metrics.METRICS
    assert layer.metrics.METRICS is layer.metrics.METRICS  # programs add their own
    for module in (layer, layer.metrics):
        assert not any(hasattr(module, name) for name in ("BLUE", "bleu_"))
    assert "def compute_bleu" in inspect.getsource(layer.metrics.BLEU)
    assert layer.compat.corpus_bleu is layer.corpus_bleu
    with mock.patch("vecbleu.sacrebleu.metrics.BLEU") as double:
        assert layer.metrics.BLEU is double
    assert layer.metrics.BLEU is layer.BLEU is layer.metrics.bleu.BLEU


def test_the_layer_works_without_sacrebleu():
    code = """
        import sys
        found = [*sys.meta_path]
        sys.modules["sacrebleu"] = None  # as if it were not installed
        import vecbleu.sacrebleu as sacrebleu
        print(sacrebleu.compat.corpus_bleu(["a b c d"] * 9, [["a b c d"] * 9]).score)
        print(sacrebleu.metrics.BLEU().corpus_score(["a b c d"], [["a b c d"]], 9).score)
        assert sys.meta_path == found and not hasattr(sacrebleu, "__wrapped__")
        print(sacrebleu.metrics.CHRF().corpus_score(["a b c d"], [["a b c d"]], 9).score)
        print(sacrebleu.metrics.TER().corpus_score(["a b c d"], [["b c d a"]], 9).score)
        metrics = sacrebleu.metrics
        for call in (lambda: sacrebleu.DATASETS, sacrebleu.install, lambda: metrics.METRICS):
            try:
                call()
            except ImportError as error:
                print(error)
    """
    *scores, attribute, install, metric = output_of(code).splitlines()
    assert scores == [*["100.00000000000004"] * 2, "100.0", "25.0"]
    names = "DATASETS", "install", "metrics.METRICS"
    for printed, name in zip((attribute, install, metric), names, strict=True):
        assert f"{name} needs the extra 'sacrebleu'" in printed


def test_install_moves_a_program_over():
    """A program, and sacreBLEU itself, get vecbleu's names where they import sacreBLEU's."""
    code = """
        import vecbleu.sacrebleu as layer
        layer.install()
        import sacrebleu
        from sacrebleu import compat, metrics
        from sacrebleu.metrics import bleu
        from sacrebleu.sacrebleu import METRICS
        assert sacrebleu.BLEU is metrics.BLEU is bleu.BLEU is compat.BLEU is layer.BLEU
        assert METRICS["BLEU"] is layer.metrics.METRICS["BLEU"] is layer.BLEU
        assert METRICS["CHRF"] is layer.CHRF is sacrebleu.CHRF is metrics.chrf.CHRF
        assert METRICS["TER"] is layer.TER is sacrebleu.TER is metrics.ter.TER
        assert metrics.CHRFScore is layer.CHRFScore and metrics.TERScore is layer.TERScore
        names = "corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "corpus_chrf", "sentence_chrf"
        names += "corpus_ter", "sentence_ter"
        for name in names:
            assert getattr(sacrebleu, name) is getattr(compat, name) is getattr(layer, name)
        score = sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]])
        assert type(score) is bleu.BLEUScore is metrics.BLEUScore is layer.BLEUScore
        print(sacrebleu.BLEU.__module__, sacrebleu.CHRF.__module__, score.score)
    """
    modules = "vecbleu.sacrebleu.metrics.bleu vecbleu.sacrebleu.metrics.chrf"
    assert output_of(code) == f"{modules} 100.00000000000004\n"

"""Tokenizers by sacreBLEU's names, called on a line: sacreBLEU's own strings."""

from __future__ import annotations

from importlib import import_module

import pytest
import sacrebleu.metrics.bleu as peer_bleu
from hypothesis import example, given
from peers import MECAB, newer_characters, tokenizer_of
from strategies import ugly_text

import vecbleu.sacrebleu as layer

KINDS = [
    *("tokenizer_13a.Tokenizer13a", "tokenizer_char.TokenizerChar", "tokenizer_zh.TokenizerZh"),
    *("tokenizer_none.NoneTokenizer", "tokenizer_re.TokenizerRegexp"),
    "tokenizer_intl.TokenizerV14International",
]
LANGUAGES = {
    "tokenizer_ja_mecab.TokenizerJaMecab": "ja-mecab",
    "tokenizer_ko_mecab.TokenizerKoMecab": "ko-mecab",
}


def both(kind):
    module, name = kind.split(".")
    return (
        getattr(import_module(f"{package}.tokenizers.{module}"), name)()
        for package in ("vecbleu.sacrebleu", "sacrebleu")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_lines(kind):
    ours, theirs = both(kind)

    @given(ugly_text)
    @example("In 2023. ")
    @example("a-\n")
    @example(" a \n &amp;lt; b\u2028")
    @example("")
    def compare(line):
        line = line.translate(newer_characters())
        assert ours(line) == theirs(line)

    compare()
    assert ours.signature() == theirs.signature()


@pytest.mark.parametrize("kind", LANGUAGES)
def test_lines_of_languages(kind):
    tokenizer_of(LANGUAGES[kind])  # skips without its packages
    ours, theirs = both(kind)
    for line in ("日本語 の文。  ", " 한국어 문장입니다. ", "a b-c\n", "", " "):
        assert ours(line) == theirs(line)
    assert ours.signature() == theirs.signature()


def test_characters_that_stand_alone_in_chinese():
    ours, theirs = both("tokenizer_zh.TokenizerZh")
    characters = [*map(chr, range(0x11000)), "\U00020000", "\U0002f800", "\U0010ffff"]
    line = "x".join(characters)
    assert ours(line) == theirs(line)


def test_names_of_classes():
    assert layer.metrics.bleu._TOKENIZERS == peer_bleu._TOKENIZERS
    for name in peer_bleu._TOKENIZERS:
        ours, theirs = (m._get_tokenizer(name) for m in (layer.metrics.bleu, peer_bleu))
        assert ours.__name__ == theirs.__name__
        assert ours.__module__ == f"vecbleu.{theirs.__module__}"
        if name not in MECAB and "tokenizer_spm" not in ours.__module__:
            assert type(layer.BLEU(tokenize=name).tokenizer) is ours


def test_an_assigned_tokenizer_of_vecbleus_counts_as_its_name():
    metric = layer.BLEU()
    metric.tokenizer = layer.tokenizers.tokenizer_char.TokenizerChar()
    expected = layer.BLEU(tokenize="char")
    lines = ["Straße 5.", "b c"], [["Strasse 5", "c b"]]
    assert str(metric.corpus_score(*lines)) == str(expected.corpus_score(*lines))
    assert str(metric.get_signature()) == str(expected.get_signature())


def test_subclasses_are_called():
    class Marked(layer.tokenizers.tokenizer_13a.Tokenizer13a):
        def __call__(self, line):
            return super().__call__(line).replace("b", "B B")

    metric = layer.BLEU()
    metric.tokenizer = Marked()
    assert metric.corpus_score(["a b"], [["a b"]]).sys_len == 3

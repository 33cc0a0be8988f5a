"""Tokenizers that other packages do the work for: MeCab and SentencePiece."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sacrebleu.tokenizers.tokenizer_spm as peer_spm
from conftest import ON_ARRAYS
from corpora import write_lines
from hypothesis import given
from hypothesis import strategies as st
from peers import MECAB, tokenizer_of
from processes import process_pool
from strategies import ugly_text

import vecbleu
from vecbleu.sacrebleu import BLEU
from vecbleu.text import external
from vecbleu.text.tokenizers import resolve_tokenizer

pytestmark = ON_ARRAYS

SENTENCES = {
    "ja-mecab": ["東京都に住んでいる。", " これは２０２３年です！ ", "", "abc 漢字\n二行目"],
    "ko-mecab": ["안녕하세요 세계!", "저는 학생입니다.", "", " 2023년 "],
}
readable = ugly_text.map(lambda text: re.sub("[\0\ud800-\udfff]", "", text))


@pytest.mark.parametrize("name", MECAB)
@given(strings=st.lists(readable, max_size=6))
def test_mecab_splits_generated_text_as_sacrebleus(name, strings):
    strings = strings + SENTENCES[name]
    assert [*map(tokenizer_of(name), strings)] == resolve_tokenizer(name).split(strings)


@pytest.mark.parametrize("wrong", ["a\0b", "a\ud800"])
@pytest.mark.parametrize("name", MECAB)
def test_what_mecab_can_not_read_is_named(name, wrong):
    tokenizer_of(name)
    with pytest.raises(ValueError, match=f"{name}.* 1 words"):
        external.load_mecab(name, external.DICTIONARIES[name]._replace(words=1))
    with pytest.raises(TypeError, match=r"^references\[1\] has "):
        vecbleu.statistics(["a", "b"], ["a", wrong], tokenize=name)


EXTRAS = [("ipadic", "ja-mecab", "ja"), ("mecab_ko", "ko-mecab", "ko")]
EXTRAS += [("sentencepiece", "flores200", "spm")]


@pytest.mark.parametrize(("package", "name", "extra"), EXTRAS)
def test_a_missing_package_names_the_extra(monkeypatch, package, name, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with ThreadPoolExecutor(1) as thread:  # which has loaded nothing yet
        missing = thread.submit(vecbleu.corpus_bleu, ["a"], ["a"], tokenize=name)
        with pytest.raises(ImportError, match=rf"vecbleu\[{extra}\]"):
            missing.result()


def train(folder, size):
    trainer = pytest.importorskip("sentencepiece").SentencePieceTrainer
    lines = [f"the cat {i} sat on {i * 7} mats, naïve 中文 {chr(97 + i % 26)}" for i in range(99)]
    write_lines(folder / "text", lines)
    names = {"input": str(folder / "text"), "model_prefix": str(folder / "trained")}
    trainer.train(**names, vocab_size=size, minloglevel=2)
    return (folder / "trained.model").read_bytes()


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder as sacreBLEU keeps it, with a tiny model in the place of the published ones."""
    folder = tmp_path_factory.mktemp("home") / ".sacrebleu"
    (folder / "models").mkdir(parents=True)
    model = train(folder, 90)
    (folder / "tiny.model").write_bytes(model)
    for published in peer_spm.SPM_MODELS.values():
        (folder / "models" / os.path.basename(published["url"])).write_bytes(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder.parent))  # where sacreBLEU looks without `SACREBLEU`
        patch.setattr(peer_spm, "SACREBLEU_DIR", str(folder))
        yield folder


@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # the peer's
@pytest.mark.parametrize("name", peer_spm.SPM_MODELS)
def test_sentencepiece_is_sacrebleus(models, name):
    peer, called = peer_spm.TokenizerSPM(name), BLEU(tokenize=name).tokenizer

    @given(st.lists(readable, max_size=6))
    def compare(strings):
        strings = [*strings, "the cat  sat on 7 mats ", " ▁x", ""]
        expected = [peer(string.rstrip()).split() for string in strings]
        assert resolve_tokenizer(name).split(strings) == expected
        assert [*map(called, strings)] == [*map(peer, strings)]

    compare()
    signature = vecbleu.statistics(["a"], ["a"], tokenize=name).signature
    assert signature.tokenize == peer.signature() == called.signature()


def test_a_model_by_its_path_counts_as_by_its_name(models, monkeypatch):
    segments = ["the cat sat", "on mats"], ["the cat sat on", "on mats 7"]
    by_name = vecbleu.statistics(*segments, tokenize="flores200")
    digest = hashlib.sha256((models / "tiny.model").read_bytes()).hexdigest()
    monkeypatch.chdir(models)
    for path in (str(models / "tiny.model"), "./tiny.model"):
        by_path = vecbleu.statistics(*segments, tokenize=path)
        assert by_path.array.tolist() == by_name.array.tolist()
        assert by_path.signature.tokenize == f"tiny.model-{digest[:8]}"
    with pytest.raises(ValueError, match="text is no SentencePiece model"):
        vecbleu.statistics(*segments, tokenize=str(models / "text"))
    with pytest.raises(TypeError, match=r"hypotheses\[1\] has "):
        vecbleu.statistics(["a", "\udfff"], ["a", "b"], tokenize="flores200")


def stand_elsewhere(folder, home):
    """Have a worker start in another folder, with another place for named models."""
    os.chdir(folder)
    os.environ["SACREBLEU"] = home


ELSEWHERE = [("tiny.model", None, None), ("flores200", "same", None)]
ELSEWHERE += [("flores200", None, FileNotFoundError), ("flores200", "another", ValueError)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "there", "error"), ELSEWHERE)
def test_workers_elsewhere_use_the_same_model(models, tmp_path, monkeypatch, name, there, error):
    """A model by its path goes to the workers; one by its name is theirs, if it is the same."""
    monkeypatch.chdir(models)
    if there:
        (tmp_path / "models").mkdir()
        model = train(tmp_path, 120) if there == "another" else Path("tiny.model").read_bytes()
        (tmp_path / "models/flores200sacrebleuspm").write_bytes(model)
    segments = ["number 77 sat naïve", "on mats"] * 20
    expected = vecbleu.statistics(segments, segments, tokenize=name)
    with (
        process_pool(1, stand_elsewhere, (tmp_path, str(tmp_path))) as pool,
        pytest.raises(error, match="flores200") if error else nullcontext(),
    ):
        assert vecbleu.statistics(segments, segments, tokenize=name, workers=pool) == expected


@pytest.mark.parametrize("name", ["spBLEU-1K", "no/such.model"])
def test_a_missing_model_is_named_and_tokens_take_none(tmp_path, monkeypatch, name):
    pytest.importorskip("sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    place = tmp_path / "models" / "spbleu-1k_tokenizer_spm.model"
    for call in (partial(vecbleu.statistics, ["a"], ["a"]), BLEU):
        with pytest.raises(FileNotFoundError) as caught:
            call(tokenize=name)
        assert caught.value.filename == (str(place) if name == "spBLEU-1K" else name)
    for segments in ([["a", "b", "c", "d"]], np.array([[1, 2, 3, 4]])):
        with pytest.raises(ValueError, match="tokenize"):
            vecbleu.corpus_bleu(segments, segments, tokenize=name)

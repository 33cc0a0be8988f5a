"""Tokenizers that other packages do the work for: MeCab and SentencePiece."""

from __future__ import annotations

import hashlib
import os
import re
import threading

import numpy as np
import pytest
import sacrebleu.tokenizers.tokenizer_spm as peer_spm
from corpora import write_lines
from hypothesis import given
from hypothesis import strategies as st
from oracle import counted_parts
from peers import MECAB, tokenizer_of
from processes import output_of, process_pool
from strategies import ugly_text
from test_tokenizers import tokens_of

import vecbleu
from vecbleu.core.text import external
from vecbleu.core.text.tokenizers import resolve_tokenizer
from vecbleu.sacrebleu import BLEU, tokenizers

SENTENCES = {
    "ja-mecab": ["東京都に住んでいる。", " これは２０２３年です！ ", "", "abc 漢字\n二行目"],
    "ko-mecab": ["안녕하세요 세계!", "저는 학생입니다.", "", " 2023년 "],
}
readable = ugly_text.map(lambda text: re.sub("[\0\ud800-\udfff]", "", text))


@pytest.mark.parametrize("name", MECAB)
@given(strings=st.lists(readable, max_size=6))
def test_mecab_on_generated_text(name, strings):
    strings = strings + SENTENCES[name]
    assert [*map(tokenizer_of(name), strings)] == tokens_of(name, strings)


def test_mecab_on_real_text(wmt23):
    peer = tokenizer_of("ja-mecab")
    for path in sorted(wmt23.glob("*/*.ja"))[:3]:
        lines = path.read_text(encoding="utf-8").split("\n")
        assert tokens_of("ja-mecab", lines) == [*map(peer, lines)]


@pytest.mark.parametrize("name", MECAB)
def test_what_mecab_can_not_read(name):
    tokenizer_of(name)
    for text, message in (("a\0b", "NUL character"), ("a\ud800", "surrogate")):
        with pytest.raises(TypeError, match=rf"^references\[1\], reference 0: MeCab .*{message}"):
            vecbleu.statistics(["a", "b"], ["a", text], tokenize=name)


@pytest.mark.parametrize("kept", [False, True])
def test_streams_are_named_in_errors(kept):
    def score(last, third):
        streams = [["a", None, "c", "d"], ["a", "b", None, last], [None, None, "c", "d"]]
        metric = BLEU(tokenize="ja-mecab", references=streams if kept else None)
        metric.corpus_score(["a", "b", third, "d"], None if kept else streams)

    tokenizer_of("ja-mecab")
    with pytest.raises(TypeError, match=r"^references\[1\]\[3\]: MeCab can't read beyond the NUL"):
        score("d\0", "c")
    with pytest.raises(TypeError, match=r"^hypotheses\[2\]: MeCab can't read the surrogate"):
        score("d", "\ud800")


def test_a_missing_package_names_the_extra():
    code = """
        import sys
        for name in ("MeCab", "ipadic", "mecab_ko", "sentencepiece"):
            sys.modules[name] = None
        import vecbleu
        for name in ("ja-mecab", "ko-mecab", "flores200"):
            try:
                vecbleu.corpus_bleu(["a"], ["a"], tokenize=name)
            except ImportError as error:
                print(error)
    """
    for line, extra in zip(output_of(code).splitlines(), ("ja", "ko", "spm"), strict=True):
        assert f'pip install "vecbleu[{extra}]"' in line


def test_another_dictionary_is_refused():
    tokenizer_of("ja-mecab")
    wrong = external.DICTIONARIES["ja-mecab"]._replace(words=7)
    with pytest.raises(ValueError, match=r"ipadic of 7 words alone; .* one of 392126"):
        external.load_mecab("ja-mecab", wrong)


def train(folder, size):
    trainer = pytest.importorskip("sentencepiece").SentencePieceTrainer
    lines = [
        f"the cat number {i} sat on mat {i * 7}, naïve 中文 {chr(97 + i % 26)}" for i in range(99)
    ]
    write_lines(folder / "text", lines)
    names = {"input": str(folder / "text"), "model_prefix": str(folder / "trained")}
    trainer.train(**names, vocab_size=size, minloglevel=2)
    return (folder / "trained.model").read_bytes()


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder as sacreBLEU keeps it, with a tiny model in the place of the published ones."""
    folder = tmp_path_factory.mktemp("sacrebleu")
    (folder / "models").mkdir()
    names = "models/flores200sacrebleuspm", "models/sacrebleu_tokenizer_spm.model", "tiny.model"
    model = train(folder, 90)
    for name in names:
        (folder / name).write_bytes(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU", str(folder))
        patch.setattr(peer_spm, "SACREBLEU_DIR", str(folder))
        yield folder


@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # the peer's
@pytest.mark.parametrize("name", ["spm", "flores101", "flores200"])
def test_sentencepiece_is_sacrebleus(models, name):
    peer = peer_spm.TokenizerSPM(name)

    @given(st.lists(readable, max_size=6))
    def compare(strings):
        strings = [*strings, "the cat  sat on 7 mats ", " ▁x", ""]
        expected = [peer(string.rstrip()).split() for string in strings]
        assert tokens_of(name, strings) == expected
        assert [*map(called, strings)] == [*map(peer, strings)]

    called = tokenizers.tokenizer_spm.TokenizerSPM(name)
    compare()
    assert resolve_tokenizer(name).signature() == peer.signature() == called.signature()


def test_a_model_by_its_path(models, monkeypatch, tmp_path):
    path = str(models / "tiny.model")
    segments = ["the cat sat", "on mats"], ["the cat sat on", "on mats 7"]
    by_path = vecbleu.statistics(*segments, tokenize=path)
    by_name = vecbleu.statistics(*segments, tokenize="flores200")
    assert by_path.array.tolist() == by_name.array.tolist()
    digest = hashlib.sha256((models / "tiny.model").read_bytes()).hexdigest()
    monkeypatch.chdir(models)
    for one in (path, "./tiny.model"):
        assert resolve_tokenizer(one).signature() == f"tiny.model-{digest[:8]}"
    monkeypatch.chdir(tmp_path)
    for missing in ("./tiny.model", str(models / "none.model")):
        with pytest.raises(FileNotFoundError, match="no such SentencePiece model"):
            vecbleu.statistics(*segments, tokenize=missing)
    with pytest.raises(ValueError, match="text is no SentencePiece model"):
        vecbleu.statistics(*segments, tokenize=str(models / "text"))
    with pytest.raises(TypeError, match=r"hypotheses\[1\]: SentencePiece can't read the surrogate"):
        vecbleu.statistics(["a", "\udfff"], ["a", "b"], tokenize=path)


def test_a_missing_model_says_where_to_put_it(models, monkeypatch, tmp_path):
    address = re.escape("https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model")
    place = re.escape(str(models / "models" / "spbleu-1k_tokenizer_spm.model"))
    with pytest.raises(FileNotFoundError, match=f"download {address} to this path: '{place}'"):
        vecbleu.corpus_bleu(["a"], ["a"], tokenize="spBLEU-1K")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="the model of tokenizer 'flores101' is missing"):
        vecbleu.corpus_bleu(["a"], ["a"], tokenize="flores101")


def stand_elsewhere(folder, home):
    """Have a worker start in another folder, with another place for named models."""
    os.chdir(folder)
    os.environ["SACREBLEU"] = home


@pytest.mark.parametrize("others", [None, "another", "same"])
@pytest.mark.parametrize("name", ["tiny.model", "flores200"])
def test_workers_elsewhere_count_with_the_same_model(models, tmp_path, monkeypatch, name, others):
    monkeypatch.chdir(models)
    if others is not None:
        trained = (models / "tiny.model").read_bytes()
        (tmp_path / "models").mkdir()
        model = trained if others == "same" else train(tmp_path, 120)
        for place in ("tiny.model", "models/flores200sacrebleuspm"):
            (tmp_path / place).write_bytes(model)
    segments, asked = ["number 77 sat naïve", "on mats"] * 20, {"tokenize": name}
    write_lines(models / "h", segments)
    expected = vecbleu.file_statistics("h", "h", **asked)
    with process_pool(1, stand_elsewhere, (tmp_path, str(tmp_path))) as pool:
        for count, sides in ((vecbleu.file_statistics, "h"), (vecbleu.statistics, segments)):
            if name == "tiny.model" or others == "same":
                counted = count(sides, sides, workers=pool, **asked)
                assert counted.array.tolist() == expected.array.tolist()
                continue
            error = FileNotFoundError if others is None else ValueError
            reason = "flores200' is missing" if others is None else "is another than the caller's"
            with pytest.raises(error, match=reason):
                count(sides, sides, workers=pool, **asked)


@pytest.mark.parametrize("name", ["ja-mecab", "flores200", "no/such.model"])
def test_tokens_and_ids_need_no_tokenizer(monkeypatch, name):
    def fails(*_):
        raise AssertionError("the tokenizer is loaded")

    for function in ("load_mecab", "load_model"):
        monkeypatch.setattr(external, function, fails)
    monkeypatch.setattr(external, "_LOADED", threading.local())
    with pytest.raises(AssertionError, match="is loaded"):
        vecbleu.statistics(["a"], ["a"], tokenize=name)
    for segments in ([["a", "b", "c", "d"]], np.array([[1, 2, 3, 4]])):
        accumulator = vecbleu.Accumulator(tokenize=name)
        accumulator.update(segments, segments)
        score = accumulator.compute()
        assert score.matches == (4, 3, 2, 1)
        again = vecbleu.corpus_bleu(segments, segments, tokenize=name)
        assert counted_parts(again) == counted_parts(score)
        assert vecbleu.sentence_bleu(segments, segments, tokenize=name).tolist() == [score.score]
        rows = vecbleu.statistics(segments, segments, tokenize=name)
        assert rows.signature == vecbleu.Signature(max_order=4, ref_length="closest", references=1)

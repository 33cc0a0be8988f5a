"""Warnings of text that 13a is not made for."""

from __future__ import annotations

import warnings

import pytest
from command import run, write_lines
from corpora import COLUMNS

import vecbleu
import vecbleu.sacrebleu

CHINESE = ["据报道该公司去年的销售额增长了百分之十五，利润也大幅上升。"] * 20
JAPANESE = ["この会社の売り上げは去年より増えたと報告されている。"] * 20
MIXED = ["The word 猫 means cat, and 犬 means dog."] * 20


@pytest.mark.parametrize(("lines", "advice"), [(CHINESE, "zh"), (JAPANESE, "ja-mecab")])
def test_text_without_spaces_is_warned_of(tmp_path, caplog, lines, advice):
    write_lines(tmp_path, {"h": lines, "r": lines})
    for call in (
        lambda **options: vecbleu.corpus_bleu(lines, lines, **options),
        lambda **options: vecbleu.file_statistics(tmp_path / "h", tmp_path / "r", **options),
    ):
        with pytest.warns(UserWarning, match=f"'{advice}'") as caught:
            call()
        assert [one.filename for one in caught] == [__file__]
        call(tokenize="char")
    with caplog.at_level("WARNING", logger="sacrebleu"):
        vecbleu.sacrebleu.corpus_bleu(lines, [lines])
    assert f"'{advice}'" in caplog.text
    done = run(tmp_path, "r", "-i", "h")
    assert advice in done.stderr.decode()
    assert run(tmp_path, "r", "-i", "h", "--force").stderr == b""


@pytest.mark.parametrize("kind", ["array", "pandas", "Polars"])
def test_columns_are_looked_at(kind):
    column = COLUMNS[kind](CHINESE)
    with pytest.warns(UserWarning, match="'zh'"):
        vecbleu.statistics(column, column)


def test_other_text_is_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vecbleu.corpus_bleu(MIXED, MIXED)
        vecbleu.corpus_bleu(CHINESE[:1], CHINESE[:1])
        vecbleu.corpus_bleu([list(one) for one in CHINESE], [list(one) for one in CHINESE])

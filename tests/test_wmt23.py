"""Real outputs: published scores of WMT 2023 and the course lab, tests of significance."""

from __future__ import annotations

import csv
import json

import pytest
import sacrebleu
from hypothesis import settings
from peers import MECAB, TOKENIZE
from sacrebleu.significance import PairedTest

import vecbleu
import vecbleu.nltk
from vecbleu import significance
from vecbleu.results import corpus_score
from vecbleu.scores import resolve_formula


@pytest.fixture(scope="module")
def rows(wmt23):
    with open(wmt23 / "scores.tsv", encoding="utf-8", newline="\n") as file:
        return [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


@pytest.fixture(scope="module")
def read(wmt23):
    cache = {}

    def read_lines(name):
        if name not in cache:
            cache[name] = (wmt23 / name).read_text(encoding="utf-8").split("\n")[:-1]
        return cache[name]

    return read_lines


def assert_published(score, row):
    assert score.percent == float(row["sacrebleu_2_6_0"])
    if row["published_bleu"]:
        assert score.percent == float(row["published_bleu"])
    assert list(score.matches) == json.loads(row["matches"])
    assert list(score.totals) == json.loads(row["totals"])
    assert score.brevity_penalty == float(row["brevity_penalty"])
    assert (score.hyp_len, score.ref_len) == (int(row["hyp_len"]), int(row["ref_len"]))


def score_of(statistics):
    return corpus_score(statistics.sum(), resolve_formula(4, None, "exp", None, False))


def test_the_table_has_the_rows_that_are_promised(rows):
    assert len(rows) == 154
    assert sum(bool(row["published_bleu"]) for row in rows) == 83


def test_from_files(rows, wmt23):
    for row in rows:
        references = [wmt23 / name for name in row["references"].split(",")]
        statistics = vecbleu.file_statistics(
            wmt23 / row["hypothesis"], references, tokenize=row["tokenize"]
        )
        assert_published(score_of(statistics), row)


def test_from_strings(rows, read):
    for row in rows:
        streams = [read(name) for name in row["references"].split(",")]
        references = [list(segment) for segment in zip(*streams, strict=True)]
        score = vecbleu.corpus_bleu(
            read(row["hypothesis"]), references, tokenize=row["tokenize"], smoothing="exp"
        )
        assert_published(score, row)


def test_from_tokens_that_sacrebleu_has_split(rows, read):
    cache, tokenizers = {}, {**TOKENIZE, **MECAB}

    def split(row, name):
        key = row["tokenize"], name
        if key not in cache:
            cache[key] = [*map(tokenizers[row["tokenize"]], read(name))]
        return cache[key]

    for row in rows:
        streams = [split(row, name) for name in row["references"].split(",")]
        references = [list(segment) for segment in zip(*streams, strict=True)]
        score = vecbleu.corpus_bleu(split(row, row["hypothesis"]), references, smoothing="exp")
        assert_published(score, row)


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains 0 counts")  # Chinese, unsegmented
def test_nltk_on_white_space_tokens(rows, read):
    rows = [row for row in rows if row["nltk_3_10_4_whitespace"]]
    assert len(rows) == 83
    for row in rows:
        streams = [[*map(str.split, read(name))] for name in row["references"].split(",")]
        references = [list(segment) for segment in zip(*streams, strict=True)]
        hypotheses = [*map(str.split, read(row["hypothesis"]))]
        score = vecbleu.nltk.corpus_bleu(references, hypotheses)
        assert score == float(row["nltk_3_10_4_whitespace"])


def test_the_labs_files_as_one_string_each(lab):
    hypothesis, reference = (
        (lab / name).read_bytes().decode() for name in ("wmt19_can.txt", "wmt19_ref.txt")
    )
    score = vecbleu.corpus_bleu([hypothesis], [reference], smoothing="exp")
    assert score.percent == 43.17646056409016


IS_LONG = settings.get_profile("long") is settings.default


@pytest.mark.parametrize("count", [1000, 10_000] if IS_LONG else [1000])
@pytest.mark.parametrize("kind", ["bs", "ar"])
@pytest.mark.parametrize("languages", ["en-de", "zh-en"])
def test_significance_is_sacrebleus(rows, read, wmt23, languages, kind, count):
    """All systems in the long profile, which takes sacreBLEU minutes; three of them else."""
    own = [row for row in rows if f".{languages}." in row["references"]]
    (references,) = {row["references"] for row in own}
    names = [row["hypothesis"] for row in own][: None if IS_LONG else 3]
    metric = sacrebleu.BLEU(force=True, references=[read(references)])
    systems = [(name, read(name)) for name in names]
    test = PairedTest(systems, {"BLEU": metric}, None, test_type=kind, n_samples=count)
    theirs = test()[1]["BLEU"]
    ours = {name: vecbleu.file_statistics(wmt23 / name, wmt23 / references) for name in names}
    if kind == "ar":
        found = significance.paired_randomization(ours, trials=count, smoothing="exp")
    else:
        found = significance.paired_bootstrap(ours, resamples=count, smoothing="exp")
        half = 50 * (found.upper - found.lower)
        for one, mean, width in zip(theirs, 100 * found.means, half, strict=True):
            assert [f"{mean:.1f}", f"{width:.1f}"] == [f"{one.mean:.1f}", f"{one.ci:.1f}"]
            assert [one.mean, one.ci] == pytest.approx([mean, width], abs=1e-4)
    assert found.p_values[1:].tolist() == [one.p_value for one in theirs[1:]]

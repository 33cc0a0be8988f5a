"""Real outputs: published scores of WMT 2023 and the course lab, tests of significance."""

from __future__ import annotations

import functools
import json
from collections import Counter

import pytest
import sacrebleu
from corpora import read_lines, read_table, transposed
from hypothesis import settings
from peers import tokenizer_of
from sacrebleu.significance import PairedTest

import vecbleu
import vecbleu.nltk
from vecbleu import significance

IS_LONG = settings.default.max_examples > 1000  # the profile "long"


@pytest.fixture(scope="module")
def rows(wmt23):
    return read_table(wmt23 / "scores.tsv")


@pytest.fixture(scope="module")
def read(wmt23):
    return functools.cache(lambda name: read_lines(wmt23 / name))


def assert_published(score, row):
    assert score.percent == float(row["sacrebleu_2_6_0"])
    if row["published_bleu"]:
        assert score.percent == float(row["published_bleu"])
    assert list(score.matches) == json.loads(row["matches"])
    assert list(score.totals) == json.loads(row["totals"])
    assert score.brevity_penalty == float(row["brevity_penalty"])
    assert (score.hyp_len, score.ref_len) == (int(row["hyp_len"]), int(row["ref_len"]))


def test_the_table_has_the_rows_that_are_promised(rows):
    assert len(rows) == 154
    for column in ("published_bleu", "nltk_3_10_4_whitespace"):
        assert sum(bool(row[column]) for row in rows) == 83


@pytest.mark.filterwarnings("ignore::UserWarning")  # of orders without a match, in Chinese
def test_strings_and_files_and_the_call_of_nltk(rows, read, wmt23):
    for row in rows:
        names, options = row["references"].split(","), {"tokenize": row["tokenize"]}
        hypotheses, references = read(row["hypothesis"]), transposed(map(read, names))
        score = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", **options)
        assert_published(score, row)
        paths = [wmt23 / name for name in (row["hypothesis"], *names)]
        total = vecbleu.file_statistics(paths[0], paths[1:], **options).sum()
        counts = total.hyp_len, total.ref_len, *total.matches, *total.totals
        assert counts == (score.hyp_len, score.ref_len, *score.matches, *score.totals)
        if row["nltk_3_10_4_whitespace"]:
            words = [[*map(str.split, segment)] for segment in references]
            found = vecbleu.nltk.corpus_bleu(words, [*map(str.split, hypotheses)])
            assert found == float(row["nltk_3_10_4_whitespace"])


def test_tokens_that_sacrebleu_has_split(rows, read):
    split = functools.cache(lambda tokenize, name: [*map(tokenizer_of(tokenize), read(name))])
    groups = Counter()
    for row in rows:
        tokenize, names = row["tokenize"], row["references"].split(",")
        groups[row["references"], tokenize] += 1
        # All systems in the long profile, for which sacreBLEU takes 12 s; three a group else.
        if IS_LONG or groups[row["references"], tokenize] <= 3:
            tokens, *others = (split(tokenize, name) for name in (row["hypothesis"], *names))
            score = vecbleu.corpus_bleu(tokens, transposed(others), smoothing="exp")
            assert_published(score, row)
    assert len(groups) == 11


def test_the_labs_files_as_one_string_each(lab):
    sides = ([(lab / f"wmt19_{name}.txt").read_bytes().decode()] for name in ("can", "ref"))
    score = vecbleu.corpus_bleu(*sides, smoothing="exp")
    assert score.percent == 43.17646056409016


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

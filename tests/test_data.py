"""Golden scores of the sample corpora, digits of tutorials, published scores of WMT 2023."""

from __future__ import annotations

import json
import math
from contextlib import nullcontext
from pathlib import Path

import pytest
from corpora import read_lines, read_table, transposed
from peers import ROUNDS_TWICE, tokenizer_of

import vecbleu
import vecbleu.nltk

DATA = Path(__file__).parent.parent / "data"
GOLDEN, TUTORIALS = (read_table(DATA / f"{name}.tsv") for name in ("golden", "tutorials"))


# By 13a, and by NLTK's calls. Any other warning of real data would be a false alarm.
ONLY_CHINESE_IS_WARNED_OF = pytest.mark.filterwarnings(
    "error", "ignore:the text looks ", "ignore:no .-gram"
)


def assert_counts(score, row):
    assert list(score.matches) == json.loads(row["matches"])
    assert list(score.totals) == json.loads(row["totals"])
    assert (score.hyp_len, score.ref_len) == (int(row["hyp_len"]), int(row["ref_len"]))


@ONLY_CHINESE_IS_WARNED_OF
@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: " ".join([*row.values()][:4]))
def test_golden_scores_are_reproduced(row):
    options = {"tokenize": row["tokenize"], "lowercase": row["lowercase"] == "yes"}
    path, *paths = (DATA / name for name in [row["hypothesis"], *row["references"].split(",")])
    of_files = vecbleu.file_statistics(path, paths, **options)
    hypotheses, references = read_lines(path), transposed(map(read_lines, paths))
    assert vecbleu.statistics(hypotheses, references, **options) == of_files
    score = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", **options)
    assert math.isclose(score.percent, float(row["score"]), rel_tol=1e-15 * ROUNDS_TWICE)
    assert_counts(score, row)
    if row["nltk"]:
        split = [[*map(str.split, segment)] for segment in references]
        score = vecbleu.nltk.corpus_bleu(split, [*map(str.split, hypotheses)])
        assert score == float(row["nltk"])


SPLIT = {"chars": list, "words": str.split}


@pytest.mark.parametrize("row", TUTORIALS, ids=lambda row: row["hypothesis"][:40])
def test_tutorials_print_these_digits(row):
    hypothesis, references = row["hypothesis"], row["references"].split(" ||| ")
    split = SPLIT.get(row["tokens"], lambda string: string)
    score = vecbleu.corpus_bleu(
        [split(hypothesis)],
        [[*map(split, references)]],
        lowercase=row["tokens"].endswith("lowercase"),
        max_order=int(row["max_order"]),
        weights=None if row["weights"] == "-" else [*map(float, row["weights"].split(","))],
        smoothing=row["smoothing"],
    )
    value = score.brevity_penalty if row["quantity"] == "bp" else score
    value = score.percent if row["scale"] == "100" else value
    printed = row["printed"]
    digits = len(printed.partition(".")[2])
    if digits > 10 or printed == "1.0":
        assert repr(float(value)) == printed
    else:
        assert f"{value:.{digits}f}" == printed if digits else value == float(printed)


BY_NLTK = "nltk_3_10_4_whitespace"


@ONLY_CHINESE_IS_WARNED_OF
@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_strings_and_files_and_the_call_of_nltk(wmt23, step):
    """Every system of WMT 2023, or one of eleven, has the score that was published."""
    rows = read_table(wmt23 / "scores.tsv")
    for column, number in (("hypothesis", 154), ("published_bleu", 83), (BY_NLTK, 83)):
        assert sum(bool(row[column]) for row in rows) == number
    for row in rows[::step]:
        tokenizer_of(row["tokenize"])  # which is MeCab's in some
        options = {"tokenize": row["tokenize"]}
        paths = [wmt23 / name for name in (row["hypothesis"], *row["references"].split(","))]
        hypotheses, references = read_lines(paths[0]), transposed(map(read_lines, paths[1:]))
        has_mark = hypotheses[0].startswith("\ufeff")  # as two systems have
        with pytest.warns(UserWarning, match=" begins with U") if has_mark else nullcontext():
            score = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", **options)
            total = vecbleu.file_statistics(paths[0], paths[1:], **options).sum()
        assert score.percent == float(row["sacrebleu_2_6_0"])
        assert score.percent == float(row["published_bleu"] or row["sacrebleu_2_6_0"])
        assert score.brevity_penalty == float(row["brevity_penalty"])
        assert_counts(score, row)
        counts = total.hyp_len, total.ref_len, *total.matches, *total.totals
        assert counts == (score.hyp_len, score.ref_len, *score.matches, *score.totals)
        if row[BY_NLTK]:
            words = [[*map(str.split, segment)] for segment in references]
            found = vecbleu.nltk.corpus_bleu(words, [*map(str.split, hypotheses)])
            assert found == float(row[BY_NLTK])

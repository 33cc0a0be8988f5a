"""The sample corpora against the peers' golden scores, and the numbers that tutorials print."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

import vecbleu
import vecbleu.nltk
from vecbleu.results import corpus_score
from vecbleu.scores import resolve_formula

DATA = Path(__file__).parent.parent / "data"


def table(name):
    with open(DATA / name, encoding="utf-8", newline="\n") as file:
        return [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def read(name):
    return (DATA / name).read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains 0 counts")  # Chinese, unsegmented
@pytest.mark.parametrize("row", table("golden.tsv"), ids=lambda row: " ".join([*row.values()][:4]))
def test_golden_scores(row):
    names = row["references"].split(",")
    options = {"tokenize": row["tokenize"], "lowercase": row["lowercase"] == "yes"}
    references = [list(segment) for segment in zip(*map(read, names), strict=True)]
    statistics = vecbleu.statistics(read(row["hypothesis"]), references, **options)
    paths = [DATA / name for name in names]
    assert vecbleu.file_statistics(DATA / row["hypothesis"], paths, **options) == statistics
    score = corpus_score(statistics.sum(), resolve_formula(4, None, "exp", None, False))
    assert score.percent == float(row["score"])
    assert list(score.matches) == json.loads(row["matches"])
    assert list(score.totals) == json.loads(row["totals"])
    assert (score.hyp_len, score.ref_len) == (int(row["hyp_len"]), int(row["ref_len"]))
    if row["nltk"]:
        hypotheses = [line.split() for line in read(row["hypothesis"])]
        split = [[line.split() for line in segment] for segment in references]
        assert vecbleu.nltk.corpus_bleu(split, hypotheses) == float(row["nltk"])


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sacreBLEU's last digits differ from 3.12")
def test_golden_scores_are_what_their_command_prints():
    done = subprocess.run([sys.executable, DATA / "golden.py"], capture_output=True, check=True)
    assert done.stdout == (DATA / "golden.tsv").read_bytes()


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_corpora_are_what_their_readme_says(language):
    names = [
        f"{kind}.{language}" for kind in ("ref.A", "ref.B", "sys.good", "sys.fair", "sys.poor")
    ]
    files = [read(f"{language}/{name}") for name in names]
    assert len({len(lines) for lines in files}) == 1
    assert len(files[0]) >= 100
    assert all(line.strip() for lines in files for line in lines)
    good, fair, poor = (
        float(vecbleu.corpus_bleu(lines, [*zip(*files[:2], strict=True)], tokenize=tokens))
        for lines, tokens in zip(files[2:], [list if language == "zh" else "13a"] * 3, strict=True)
    )
    assert good > fair > poor


TUTORIALS = table("tutorials.tsv")


@pytest.mark.parametrize("row", TUTORIALS, ids=lambda row: row["hypothesis"][:40])
def test_tutorials_print_these_digits(row):
    hypothesis, references = row["hypothesis"], row["references"].split(" ||| ")
    split = {"chars": list, "words": str.split}.get(row["tokens"], lambda string: string)
    weights = None if row["weights"] == "-" else [*map(float, row["weights"].split(","))]
    score = vecbleu.corpus_bleu(
        [split(hypothesis)],
        [[*map(split, references)]],
        lowercase=row["tokens"].endswith("lowercase"),
        max_order=int(row["max_order"]),
        weights=weights,
        smoothing=row["smoothing"],
    )
    value = score.brevity_penalty if row["quantity"] == "bp" else score.score
    value = score.percent if row["scale"] == "100" else value
    assert_printed(value, row["printed"])


@pytest.mark.parametrize("row", TUTORIALS, ids=lambda row: row["hypothesis"][:40])
def test_tutorials_by_the_nltk_face(row):
    if row["tokens"] not in ("chars", "words") or row["quantity"] != "bleu":
        return
    hypothesis, references = row["hypothesis"], row["references"].split(" ||| ")
    if row["tokens"] == "words":
        hypothesis, references = hypothesis.split(), [*map(str.split, references)]
    order = int(row["max_order"])
    weights = [1 / order] * order
    if row["weights"] != "-":
        weights = [*map(float, row["weights"].split(","))]

    def skip_zeros(p_n, **_):  # NLTK before 3.3 had no smoothing by default
        return p_n

    score = vecbleu.nltk.sentence_bleu(
        references, hypothesis, weights=weights, smoothing_function=skip_zeros
    )
    assert_printed(score, row["printed"])


def assert_printed(value, printed):
    digits = len(printed.partition(".")[2])
    if digits > 10 or printed == "1.0":
        assert repr(float(value)) == printed
    else:
        assert f"{value:.{digits}f}" == printed if digits else value == float(printed)

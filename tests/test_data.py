"""The sample corpora against the peers' golden scores, and the numbers that tutorials print."""

from __future__ import annotations

import functools
import importlib.util
import json
import sys
from pathlib import Path

import pytest
import sacrebleu
from corpora import read_lines, read_table, transposed

import vecbleu
import vecbleu.nltk

DATA = Path(__file__).parent.parent / "data"
GOLDEN, TUTORIALS = (read_table(DATA / f"{name}.tsv") for name in ("golden", "tutorials"))


def read(name):
    return read_lines(DATA / name)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of orders without a match, in Chinese
@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: " ".join([*row.values()][:4]))
def test_golden_scores(row):
    names = row["references"].split(",")
    options = {"tokenize": row["tokenize"], "lowercase": row["lowercase"] == "yes"}
    paths = [DATA / name for name in names]
    of_files = vecbleu.file_statistics(DATA / row["hypothesis"], paths, **options)
    hypotheses, references = read(row["hypothesis"]), transposed(map(read, names))
    assert vecbleu.statistics(hypotheses, references, **options) == of_files
    score = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", **options)
    assert score.percent == float(row["score"])
    assert list(score.matches) == json.loads(row["matches"])
    assert list(score.totals) == json.loads(row["totals"])
    assert (score.hyp_len, score.ref_len) == (int(row["hyp_len"]), int(row["ref_len"]))
    if row["nltk"]:
        split = [[*map(str.split, segment)] for segment in references]
        score = vecbleu.nltk.corpus_bleu(split, [*map(str.split, hypotheses)])
        assert score == float(row["nltk"])


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sacreBLEU's last digits differ from 3.12")
def test_golden_scores_are_what_their_command_prints(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("golden", DATA / "golden.py")
    golden = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(golden)
    # A metric keeps the lines that it has split.
    monkeypatch.setattr(sacrebleu, "BLEU", functools.cache(sacrebleu.BLEU))
    golden.main()
    assert capsys.readouterr().out == (DATA / "golden.tsv").read_bytes().decode()


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_corpora_are_what_their_readme_says(language):
    kinds = "ref.A", "ref.B", "sys.good", "sys.fair", "sys.poor"
    files = [read(f"{language}/{kind}.{language}") for kind in kinds]
    assert len({len(lines) for lines in files}) == 1
    assert len(files[0]) >= 100
    assert all(line.strip() for lines in files for line in lines)
    references, tokenize = transposed(files[:2]), list if language == "zh" else "13a"
    good, fair, poor = (
        float(vecbleu.corpus_bleu(lines, references, tokenize=tokenize)) for lines in files[2:]
    )
    assert good > fair > poor


def weights_of(row):
    return None if row["weights"] == "-" else [*map(float, row["weights"].split(","))]


@pytest.mark.parametrize("row", TUTORIALS, ids=lambda row: row["hypothesis"][:40])
def test_tutorials_print_these_digits(row):
    hypothesis, references = row["hypothesis"], row["references"].split(" ||| ")
    split = {"chars": list, "words": str.split}.get(row["tokens"], lambda string: string)
    score = vecbleu.corpus_bleu(
        [split(hypothesis)],
        [[*map(split, references)]],
        lowercase=row["tokens"].endswith("lowercase"),
        max_order=int(row["max_order"]),
        weights=weights_of(row),
        smoothing=row["smoothing"],
    )
    value = score.brevity_penalty if row["quantity"] == "bp" else score.score
    value = score.percent if row["scale"] == "100" else value
    assert_printed(value, row["printed"])


OF_NLTK = [
    row for row in TUTORIALS if row["tokens"] in ("chars", "words") and row["quantity"] == "bleu"
]


@pytest.mark.parametrize("row", OF_NLTK, ids=lambda row: row["hypothesis"][:40])
def test_tutorials_by_the_calls_of_nltk(row):
    hypothesis, references = row["hypothesis"], row["references"].split(" ||| ")
    if row["tokens"] == "words":
        hypothesis, references = hypothesis.split(), [*map(str.split, references)]
    order = int(row["max_order"])
    score = vecbleu.nltk.sentence_bleu(
        references,
        hypothesis,
        weights=weights_of(row) or [1 / order] * order,
        smoothing_function=lambda p_n, **_: p_n,  # NLTK before 3.3 had none by default
    )
    assert_printed(score, row["printed"])


def assert_printed(value, printed):
    digits = len(printed.partition(".")[2])
    if digits > 10 or printed == "1.0":
        assert repr(float(value)) == printed
    else:
        assert f"{value:.{digits}f}" == printed if digits else value == float(printed)

"""A metric that nothing in the package knows goes through the protocol of metrics alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from corpora import noisy_systems, write_lines

import vecbleu
from vecbleu import Signature, report
from vecbleu.analysis import segment_differences
from vecbleu.arguments.options import RunOptions
from vecbleu.chrf.metric import Chrf
from vecbleu.core.count import count_rows, count_table, count_total
from vecbleu.core.metric import METRICS, metric_named
from vecbleu.core.score import Score
from vecbleu.files.segments import corpus_of_files
from vecbleu.files.store import SavedTable
from vecbleu.inputs.alignment import align
from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization, rank


class DiceScore(Score):
    name = "Dice"
    signature = Signature()


class DiceTable(SavedTable):
    """Matches, and bigrams of both sides."""

    metric = "Dice"

    def percents(self, counts):
        return 200 * counts[..., 0] / np.maximum(counts[..., 1] + counts[..., 2], 1)

    def score(self):
        score = DiceScore(self.percents(self.sum().array) / 100)
        score.signature = self.signature
        return score


class LossTable(DiceTable):
    """The same counts; the lower score is better."""

    metric = "Loss"
    higher_is_better = False

    def percents(self, counts):
        return -super().percents(counts)


def dice_row(hypothesis, reference):
    one, other = (Counter(pairwise("".join(text.split()))) for text in (hypothesis, reference))
    return [(one & other).total(), one.total(), other.total()]


@dataclass(frozen=True)
class Dice:
    """Character bigrams."""

    table: ClassVar[type] = DiceTable
    groups: ClassVar[tuple] = ()
    columns: ClassVar[int] = 3
    cost: ClassVar[float] = 1.0
    tokenizer: ClassVar[str] = ""
    is_portable: ClassVar[bool] = True

    @classmethod
    def of_options(cls):
        return cls(), {}

    def signature(self, is_text, references):
        return Signature(references=references)

    def pinned(self):
        return self

    def encode(self, units):
        return units.strings()

    def count(self, block):
        """Count pairs of a hypothesis and one reference."""
        units = self.encode(block.units)
        if block.places is not None:
            units = [units[unit] for unit in block.places.tolist()]
        return np.array([dice_row(*pair) for pair in zip(units[::2], units[1::2], strict=True)])

    def most_plain(self, is_text):
        return 500

    def count_plain(self, units, offsets, is_text):
        return list(map(dice_row, units[: len(units) // 2], units[len(units) // 2 :]))


@dataclass(frozen=True)
class Loss(Dice):
    table: ClassVar[type] = LossTable


REFERENCES, OUTPUTS = noisy_systems(300, (0.1, 0.2, 0.5))
ROWS = [list(map(dice_row, own, REFERENCES)) for own in OUTPUTS]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [1, 3, 300])
def test_segments_are_counted_in_every_way(tmp_path, small_blocks, size, workers):
    sides, run = (OUTPUTS[0][:size], REFERENCES[:size]), RunOptions(workers)
    corpus = align(*sides)
    assert count_rows(corpus, Dice(), run).tolist() == ROWS[0][:size]
    assert count_total(corpus, Dice(), run) == np.sum(ROWS[0][:size], axis=0).tolist()
    table = count_table(corpus, Dice(), run)
    paths = [write_lines(tmp_path / name, side) for name, side in zip("hr", sides, strict=True)]
    again = count_table(corpus_of_files(*paths), Dice(), run)
    table.save(tmp_path / "x.npz")
    for one in (again, DiceTable.load(tmp_path / "x.npz")):
        assert one == table
        assert np.array_equal(one.reference_hashes, table.reference_hashes)
    assert table.signature == Signature(references=1)


def test_tables_are_tested_and_ranked():
    tables = [count_table(align(own, REFERENCES), Dice()) for own in OUTPUTS]
    totals = np.sum(ROWS, axis=1)  # (systems, 3)
    expected = (2 * totals[:, 0] / totals[:, 1:].sum(axis=1)).tolist()
    scores = [table.score() for table in tables]
    assert [*map(float, scores)] == pytest.approx(expected)
    assert [score.percent for score in scores] == [100 * float(score) for score in scores]
    ranking = rank(tables, n_resamples=200)
    assert (ranking.metric, ranking.order.tolist()) == ("Dice", [0, 1, 2])
    assert ranking.scores.tolist() == pytest.approx(expected)
    assert "Dice" in str(ranking)
    interval = bootstrap(tables[0], n_resamples=200)
    assert interval.lower < interval.score < interval.upper
    assert paired_randomization(tables, n_resamples=99).p_values[2] == 0.01
    assert segment_differences(tables).scores.shape == (3, 300)
    with pytest.raises(ValueError, match="references"):
        rank([tables[0], count_table(align(OUTPUTS[0], REFERENCES[::-1]), Dice())])


# The best two systems differ in one segment.
MIXED = {"a": OUTPUTS[1], "b": OUTPUTS[2], "c": OUTPUTS[0], "d": ["", *OUTPUTS[0][1:]]}


def mirrored():
    """The same systems by a score, and by a loss that is its negative."""
    tables = {name: count_table(align(own, REFERENCES), Dice()) for name, own in MIXED.items()}
    losses = {name: LossTable.of(table.array, table.signature) for name, table in tables.items()}
    return tables, losses


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_if_lower_is_better_the_same_systems_win(test):
    ranking, mirror = (rank(tables, test=test, n_resamples=200) for tables in mirrored())
    for found in (ranking, mirror):
        assert found.order.tolist() == [2, 3, 0, 1]
        assert found.clusters().tolist() == [2, 3, 1, 1]
    assert np.array_equal(mirror.adjusted, ranking.adjusted, equal_nan=True)
    assert np.array_equal(mirror.differences, -ranking.differences)
    columns, same = mirror.table().to_dict(), ranking.table().to_dict()
    for name in ("rank", "system", "cluster", "p (best)", "p (above)"):
        assert columns[name] == same[name]
    assert columns["Loss"] == [-score for score in same["Dice"]] == sorted(columns["Loss"])
    columns, same = mirror.pairs().to_dict(), ranking.pairs().to_dict()
    for name in ("better", "worse", "p", "holm", "benjamini_hochberg"):
        assert columns[name] == same[name]
    assert columns["difference"] == [-difference for difference in same["difference"]]
    assert "Loss: lower is better" in str(mirror)
    assert "lower is better" not in str(ranking)


@pytest.mark.parametrize("sides", [1, 2])
def test_if_lower_is_better_tests_against_a_baseline_have_the_same_p(sides):
    draw = {"sides": sides, "n_resamples": 200, "baseline": "d"}
    found, mirror = (paired_bootstrap(tables, **draw) for tables in mirrored())
    assert np.array_equal(mirror.p_values, found.p_values, equal_nan=True)
    assert np.array_equal(mirror.difference_lower, -found.difference_upper)
    assert np.array_equal(mirror.order, found.order)
    assert "Loss: lower is better" in str(mirror)
    exact = {"count_equal": False, "n_resamples": 200, "baseline": "d"}
    found, mirror = (paired_randomization(tables, **exact) for tables in mirrored())
    assert np.array_equal(mirror.p_values, found.p_values, equal_nan=True)


def test_if_lower_is_better_the_same_segments_are_won():
    found, mirror = map(segment_differences, mirrored())
    for system in MIXED:
        assert mirror.gains(system).tolist() == found.gains(system).tolist()
        assert mirror.losses(system).tolist() == found.losses(system).tolist()
    assert len(mirror.losses("b")) > len(mirror.gains("b")) > 0
    assert np.array_equal(mirror.differences, -found.differences)
    assert "Loss: lower is better" in str(mirror)
    assert "lower is better" not in str(found)


def test_if_lower_is_better_the_report_finds_the_same(tmp_path, monkeypatch):
    texts = []
    for name, metric in (("Dice", "Dice"), ("Loss", "Loss")):
        monkeypatch.setitem(METRICS, name, f"{__name__}.{metric}")
        path = tmp_path / f"{name}.html"
        options = {"labels": [row % 2 for row in range(300)], "n_resamples": 99}
        report.write(path, MIXED, REFERENCES, metrics=[name.lower()], **options)
        texts.append(path.read_text(encoding="utf-8"))
    found, mirror = (re.findall("<li>(.*?)</li>", text) for text in texts)
    assert [text.replace("Loss", "Dice") for text in mirror] == found != []
    verdicts = (re.search('class="verdict">(.*?)</p>', text)[1] for text in texts)
    found, mirror = verdicts
    assert mirror.replace("Loss", "Dice") == found
    assert mirror.startswith('<bdi class="name">c</bdi> is ahead of ')
    assert [text.count("Loss: lower is better. ") for text in texts] == [0, 1]


def test_a_metric_is_found_by_its_name(monkeypatch):
    assert metric_named("chrf") is Chrf
    with pytest.raises(ValueError, match="metric is 'dice', expected one of bleu, chrf"):
        metric_named("dice")
    monkeypatch.setitem(METRICS, "Dice", f"{__name__}.Dice")
    assert metric_named("dice") is Dice


def test_a_report_ranks_by_it(tmp_path, monkeypatch):
    monkeypatch.setitem(METRICS, "Dice", f"{__name__}.Dice")
    systems = dict(zip("abc", OUTPUTS, strict=True))
    report.write(tmp_path / "x.html", systems, REFERENCES, metrics=["dice"], n_resamples=99)
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<code>Dice|nrefs:1|bs:99|sides:2|seed:12345|version:" in page
    scores = 200 * np.sum(ROWS, axis=1)[:, 0] / np.sum(ROWS, axis=1)[:, 1:].sum(axis=1)
    assert f"a</th><td>{scores[0]:.2f}</td>" in page
    assert '<bdi class="name">a</bdi> is ahead of ' in page
    with pytest.raises(ValueError, match="a key of dice is 'beta'"):
        report.write(tmp_path / "y.html", systems, REFERENCES, metrics=["dice"], dice={"beta": 1})


# Has the metric before it reads the command line, and blocks for several processes.
PROGRAM = """
import sys
from vecbleu.core.metric import METRICS
METRICS["Dice"] = "test_metric.Dice"
METRICS["Loss"] = "test_metric.Loss"
from command import run
from conftest import blocks_of
with blocks_of(1000):
    for arguments in sys.argv[1:]:
        done = run(".", *arguments.split())
        print(done.stderr.decode() + done.stdout.decode(), end="<end>")
"""


def run_python(folder, program, *arguments):
    """What a program prints that imports from here."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout


@pytest.mark.parametrize("workers", [1, 2])
def test_the_command_line_takes_it(tmp_path, workers):
    for name, side in zip("rabc", (REFERENCES, *OUTPUTS), strict=True):
        write_lines(tmp_path / name, side)
    use = f"--workers {workers} -m dice"
    printed = run_python(
        tmp_path,
        PROGRAM,
        f"r -i a {use} -w 4",
        f"r -i a b {use} bleu",
        f"r -i a {use} --json",
        f"r -i a -sl -b -w 2 {use}",
        f"rank r -i a b c {use} --resamples 99 --json",
        f"rank r -i a b c {use} --resamples 99 --latex Dice interval",
        f"stats r -i a -o a.npz {use}",
        "-i a.npz -m dice -b -w 4",
        "-i a.npz",
        f"r -i a.npz b {use} -par -parn 99 --json",
        f"report r -i a b -o x.html {use}",
        f"rank r -i c b a -m loss dice --workers {workers} --resamples 99",
        f"rank r -i c b a -m bleu loss --workers {workers} --resamples 99 --latex Loss",
        f"r -i c a -m dice loss --workers {workers} -pbs -pbsn 99",
    )
    line, table, records, sentences, ranked, latex, saved, loaded, refused, tested, *more = (
        printed.split("<end>")
    )
    report_, *lower, _ = more
    totals = np.sum(ROWS, axis=1)
    percents = (200 * totals[:, 0] / totals[:, 1:].sum(axis=1)).tolist()
    assert line == f"Dice|nrefs:1|version:vecbleu-{vecbleu.__version__} = {percents[0]:.4f}\n"
    rows = [row.split() for row in table.splitlines()]
    assert rows[-3] == ["system", "BLEU", "Dice"]
    assert [row[2] for row in rows[-2:]] == [f"{percent:.1f}" for percent in percents[:2]]
    assert [record["Dice"] for record in json.loads(records)] == pytest.approx(percents[:1])
    of_rows = (200 * row[0] / max(sum(row[1:]), 1) for row in ROWS[0])
    assert sentences.split() == [f"{percent:.2f}" for percent in of_rows]
    assert [row["Dice"] for row in json.loads(ranked)] == pytest.approx(percents)
    assert latex.count("Dice") == 3  # signature, column and verdict
    assert saved.startswith("a.npz: DiceTable(segments=300, ")
    assert loaded == f"{percents[0]:.4f}\n"
    assert "write -m dice" in refused
    assert json.loads(tested)[1]["p"] == 0.01
    assert report_ == "x.html: report of 2 systems\n"
    assert [line.split()[1] for line in lower[0].splitlines()[4:7]] == ["a", "b", "c"]
    for printed in lower:
        assert printed.count("Loss: lower is better") == 1
    assert "Dice|nrefs:1" in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_bleu_alone_imports_no_other_metric(tmp_path):
    """The command line imports all metrics, whose options it has."""
    program = """
import sys
import vecbleu
vecbleu.corpus_bleu(["a b"], ["a c"])
print("vecbleu.chrf" in sys.modules)
"""
    assert run_python(tmp_path, program).splitlines()[-1] == "False"

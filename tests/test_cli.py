"""Scores and tests of systems on the command line: the numbers are sacreBLEU's."""

from __future__ import annotations

import gzip
import inspect
import json
import os
import re
from contextlib import redirect_stdout
from importlib.metadata import entry_points
from io import StringIO

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, run_sacrebleu, write_lines
from corpora import noisy_systems
from peers import MECAB, compared_digits, tokenizer_of, with_our_version
from sacrebleu.metrics import CHRF, TER
from sacrebleu.significance import PairedTest

import vecbleu
import vecbleu.cli
from vecbleu import chrf, significance
from vecbleu.cli.program import COMMANDS

HYPOTHESES, OTHERS = SYSTEMS["h"], SYSTEMS["s"]
LONG = "long", "long1", "long2", "long3"
LONG_REFERENCES, LONG_SYSTEMS = noisy_systems(90, (0.2, 0.22, 0.5))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    pairs = [*zip(REFERENCES, "xyzw", strict=True)]
    rows = [*zip(HYPOTHESES, OTHERS, strict=True)]
    texts = {
        "r": REFERENCES,
        "a_b%{x}": OTHERS,
        "tabbed": [f"{a}\t{b}" for a, b in pairs],
        "three": [f"{a}\t{b} more\tfields" for a, b in pairs],
        "systems": [f"{a} x\t{b} y" for a, b in rows],
        "fields": [f" {a} \t{b}x\u3000" for a, b in rows],
        "tokenized": ["a b c d . "] * 100 + ["a b."],
        "space": [f" {line}\u3000 \t" for line in REFERENCES],
        "columns": [f"{a}\t{b}" for a, b in zip(*LONG_SYSTEMS[:2], strict=True)],
    }
    long = zip(LONG, [LONG_REFERENCES, *LONG_SYSTEMS], strict=True)
    write_lines(folder, SYSTEMS | texts | dict(long))
    for name in ("latin-1", "utf-16"):
        (folder / name.replace("-", "")).write_bytes("a\ncafé au\nb .\nc\n".encode(name))
    (folder / "r.gz").write_bytes(gzip.compress((folder / "r").read_bytes()))
    return folder


# Calls; SEED= and FORMAT= set SACREBLEU_SEED and SACREBLEU_FORMAT.
SAME_AS_SACREBLEU = [
    "r s -i h -f json -w 6 -lc -s add-k -sv 2",
    "r -i h -f json -tok intl -s floor",
    "r -i h -tok ko-mecab -f text",
    "r s -i h -sl -w4 -s floor -sv 2",
    "r -i h -f json -b",
    "r -i h -sl -sh",
    "r -i h -l en-ja --smooth-method add-k --smooth-value 2",
    "r s -i h -l en-de -m bleu -f text -q -nc -lc -sh",
    "tabbed -nr 2 -i h -s none -sl",
    "three -nr 2 -i h -tok none -s none -w 6",
    "r -i h -l en-zh-CN -f text",
    "r s -f json < h",
    "tokenized -i tokenized -f text",
    "tokenized -i tokenized --force -f text",
    "latin1 -i latin1 -e latin-1 -tok char -s add-k -sv 0.5 -f text",
    "utf16 -i utf16 -e utf-16 -tok zh -w 0 -f text",
    "long -i long1 -ci -sh -tok char -f text",
    "long -ci < long1",
    "long -i long1 long2 long1 -par -parn 250 -f json",
    "r s -i h -m chrf bleu -w 4 -lc",
    "r s -i h -m bleu chrf -f json -cw 2",
    "r s -i h -m chrf --chrf-beta 3 -w 4",
    "tabbed -nr 2 -i space -m chrf --chrf-whitespace -w 9 --chrf-eps-smoothing",
    "r -m chrf -sl --chrf-whitespace -cc 3 -w 9 -sh < space",
    "fields -nr 2 -i h -m chrf --chrf-whitespace -w 9",
    "r -f json -m chrf --chrf-whitespace -w 9 < fields",
    "r -i h s -m chrf bleu -f json -w 3",
    "r s -i h -m chrf --chrf-beta 3 -cw 2",
    "r s -i h -m chrf --chrf-beta 3 -cw 2 --chrf-eps-smoothing -sl -w 9",
    "tokenized -i tokenized -m chrf -f text",
    "long long2 -i long1 -m chrf -ci -cin 77 -w 7 -cw 2",
    "long -i long1 -m bleu chrf -ci -cin 200 -b",
    "long -i long1 long2 long3 -m chrf bleu -par -parn 250 -f json",
    "r s -i h -m ter bleu chrf -w 4 -lc",
    "r s -i h -m bleu chrf ter -f json -cw 2",
    "r -i h s -m chrf ter bleu -f json -w 3",
    "tabbed -nr 2 -i space -m ter --ter-normalized -w 9",
    "r -m ter -sl --ter-no-punct -w 9 -sh < space",
    "r -m ter -sl -b --ter-case-sensitive < h",
    "r -i h -m ter --ter-asian-support --ter-normalized --ter-no-punct -sh",
    "long long2 -i long1 -m ter -ci -cin 77 -w 7 --ter-case-sensitive",
    "long -i long1 -m ter bleu -ci -f json -w 5",
    "long -i long1 long2 long3 -m bleu ter -par -parn 250 -f json",
    "long -m ter chrf -par -parn 99 -f json < columns",
    "SEED=007 long -i long1 -ci -cin 40 -f text",
    "FORMAT=json long -i long1 -ci -cin 40 -f text",
    "FORMAT=LATEX r -i h -f json",
]

# sacreBLEU draws a box of these, and we print a table of the same numbers.
TABLES = [
    "r -i h s a_b%{x} -f latex -w 3",
    "tabbed -nr 2 -i h s -f text -tok none -sh -w 5 -lc",
    "long -i long1 long2 long3 -pbs -pbsn 90 -w 2 -f text -sh",
    "long -i long3 long2 -pbs --paired-bs-n 500 -s floor -sv 0.3 -f latex",
    "SEED=0012345 long long2 -i long1 long3 -par -parn 300 -f text -j 1",
    "r -i h s -par -parn 99 -f text",  # of few segments
    "long -pbs -pbsn 60 -f text < columns",
    "long -i long1 long2 long3 -m chrf --chrf-beta 1 -pbs -w 4 -f text",
    "long -i long1 long3 -m chrf -cw 2 -par -parn 300 -f latex",
    "long -i long1 long2 long3 -m ter -pbs -pbsn 90 -w 5 -f text",
    "long long3 -i long2 long1 -m ter --ter-no-punct -par -parn 300 -f latex -w 3",
]

DOUBTS_ARE_PRINTED = pytest.mark.filterwarnings("always:.*(looks tokenized|has tabs)")

# What sacreBLEU warns of, and not only tells.
WARNINGS = r"^sacreBLEU: (That's 100 lines|Consider using|Tokenizer 'spm')"


def both_outputs(folder, monkeypatch, command):
    """What both programs print; they warn as often."""
    for name in MECAB:
        if re.search(rf"\b{name[:2]}\b", command):  # the tokenizer or the language
            tokenizer_of(name)
    command, _, stdin = command.partition(" < ")
    arguments = command.split()
    if "=" in arguments[0]:
        name, value = arguments.pop(0).split("=")
        monkeypatch.setenv(f"SACREBLEU_{name}", value)
    text = (folder / stdin).read_bytes() if stdin else b""
    form = [] if "-f" in arguments else ["-f", "text"]  # the default here, not there
    printed, messages = run_sacrebleu(folder, *arguments, *form, stdin=text)
    ours = run(folder, *arguments, stdin=text)
    assert printed
    assert ours.returncode == 0, ours.stderr
    warnings = re.findall(WARNINGS, messages, flags=re.MULTILINE)
    ours_alone = len(re.findall(rb" equals |has tabs", ours.stderr))  # these sacreBLEU takes
    assert ours.stderr.count(b"vecbleu: ") == ours.stderr.count(b"\n")
    assert ours.stderr.count(b"\n") - ours_alone == len(warnings)
    return compared_digits(ours.stdout.decode()), compared_digits(with_our_version(printed))


@DOUBTS_ARE_PRINTED
@pytest.mark.parametrize("command", SAME_AS_SACREBLEU)
def test_output_is_sacrebleus(folder, monkeypatch, command):
    printed, expected = both_outputs(folder, monkeypatch, command)
    assert printed.splitlines() == expected.splitlines()


@pytest.mark.parametrize("command", TABLES)
def test_tables_have_sacrebleus_numbers(folder, monkeypatch, command):
    printed, expected = both_outputs(folder, monkeypatch, command)
    separator = r"\s+&\s+" if "tabular" in expected else "  +"
    cells = [re.split(separator, line.strip()) for line in printed.replace(r" \\", "").split("\n")]
    title = next(row for row in cells if row[0] == "system")
    # The baseline has no difference; a difference has a lower and an upper bound, too.
    body = [[cell for cell in row if cell != "&"] for row in cells[cells.index(title) + 1 :]]
    rows = [dict(zip(title[:4], row, strict=False)) | {"p": row[-1]} for row in body]
    rows = [row for row in rows if title[1] in row]
    scores = re.findall(r"[&│]\s+(\d+\.\d+)(?: \((?:[\d.]+) ± ([\d.]+)\))?\s", expected)
    assert len(rows) == len(scores) > 1
    for row, (score, half_width) in zip(rows, scores, strict=True):
        assert row[title[1]] == score
        if half_width:
            width, digits = float(row["upper"]) - float(row["lower"]), len(score.split(".")[1])
            assert abs(width / 2 - float(half_width)) <= 1.01 * 10**-digits
    p_values = re.findall(r"p = ([\d.]+)", expected)
    assert len(p_values) == ("p" in title) * (len(rows) - 1)
    for row, p_value in zip(rows[1:], p_values, strict=False):
        assert abs(float(row["p"].strip(r"\ensurmath{<} ")) - float(p_value)) <= 0.0006


def test_json_of_tests_has_every_digit(folder):
    names, options = ("long1", "long2"), ["-s", "add-k"]
    tables = {name: vecbleu.file_statistics(folder / name, folder / "long") for name in names}
    (record,) = run_json(folder, "long", "-i", "long1", "-ci", *options)
    (row,) = significance.bootstrap(tables["long1"], smoothing="add-k").table().records()
    assert record | row == record
    asked = {"n_resamples": 90, "smoothing": "add-k"}
    bootstrap = significance.paired_bootstrap(tables, sides=1, **asked)
    randomization = significance.paired_randomization(tables, smoothing="add-k")
    for option, count, tested in (("-par", "10000", randomization), ("-pbs", "90", bootstrap)):
        command = ["long", "-i", *names, option, f"{option}n", count, *options]
        records, rows = run_json(folder, *command), tested.table().records()
        theirs = json.loads("\n".join(lines(run(folder, *command, "-f", "json"))))
        assert [shown["system"] for shown in theirs] == ["Baseline: long1", "long2"]
        for index, (record, row) in enumerate(zip(records, rows, strict=True)):
            row["BLEU"] = tables[names[index]].score(smoothing="add-k").percent  # not rounded
            assert record | row == record
            field = "ar" if option == "-par" else "bs"
            assert record["signature"].startswith(f"BLEU|nrefs:1|{field}:{count}|seed:12345|")
            shown = theirs[index]["BLEU"]
            assert (shown["score"], shown["p_value"]) == (row["BLEU"], row["p"])
            if tested is bootstrap:
                assert shown["mean"] == 100 * tested.means[index]
                assert shown["ci"] == pytest.approx((row["upper"] - row["lower"]) / 2)
            else:
                assert (shown["mean"], shown["ci"]) == (None, None)


def test_every_digit_of_a_paired_bootstrap_in_float32_is_sacrebleus(folder):
    """Its command fails to print them as JSON."""
    streams = [LONG_REFERENCES, LONG_SYSTEMS[2]]
    metrics = {"CHRF": CHRF(word_order=2, eps_smoothing=True), "TER": TER(no_punct=True)}
    named = [*zip(LONG[1:3], LONG_SYSTEMS[:2], strict=True)]
    _, results = PairedTest(named, metrics, streams, "bs", 300)()
    command = "-m chrf ter --chrf-word-order 2 --chrf-eps-smoothing --ter-no-punct"
    words = [*command.split(), "-pbs", "-pbsn", "300", "-f", "json"]
    records = json.loads("\n".join(lines(run(folder, "long", "long3", "-i", *LONG[1:3], *words))))
    for name in ("chrF2++", "TER"):
        for record, result in zip(records, results[name], strict=True):
            shown = record[name]
            assert (shown["score"], shown["p_value"]) == (result.score, result.p_value)
            # The mean of float32 depends on the order of the scores.
            expected = pytest.approx([result.mean, result.ci], rel=1e-6)
            assert [shown["mean"], shown["ci"]] == expected


def test_tests_without_a_seed_differ(folder, monkeypatch):
    command = ["long", "-i", "long1", "-ci", "-cin", "50"]
    for seed, is_random in (("0", False), ("none", True)):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        means = {run_json(folder, *command)[0]["mean"] for _ in range(3)}
        assert (len(means) > 1) == is_random


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("r.gz -i h", "r -i h"),
        ("r -i - < h", "r -i h"),
        ("- -i h s < r", "r -i h s"),
        ("r -lc s -i h", "r s -i h -lc"),
        ("./rank -i h", "r -i h"),
        ("chrf -i h", "r -i h"),
        ("r --input h --tokenize none --lowercase", "r -i h -tok none -lc"),
        ("r -i h --smoothing floor --smoothing-value 0.5", "r -i h -s floor -sv 0.5"),
    ],
)
def test_other_ways_to_ask_for_the_same_scores(folder, command, expected):
    write_lines(folder, {"rank": REFERENCES, "chrf": REFERENCES})
    arguments, _, name = command.partition(" < ")
    given = (folder / name).read_bytes() if name else b""
    found = lines(run(folder, *arguments.split(), stdin=given, encoding="ascii"))
    assert found == lines(run(folder, *expected.split()))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_sums_of_many_blocks(folder, workers):
    options = ["--workers", workers, "-m", "bleu", "chrf"]
    files = run_json(folder, "long", "-i", "long1", "long2", *options)
    columns = run_json(folder, "long", *options, stdin=(folder / "columns").read_bytes())
    for records in (files, columns):
        for row, chrf_row, system in zip(records[:2], records[2:], LONG_SYSTEMS[:2], strict=True):
            score = vecbleu.corpus_bleu(system, LONG_REFERENCES)
            fields = {"BLEU": score.percent, "precisions": [*score.percent_precisions]}
            fields |= {"matches": [*score.matches], "totals": [*score.totals]}
            for name in ("hyp_len", "ref_len", "brevity_penalty"):
                fields[name] = getattr(score, name)
            assert row == row | fields
            assert chrf_row["chrF2"] == chrf.corpus_chrf(system, LONG_REFERENCES).percent


@DOUBTS_ARE_PRINTED
def test_warnings_are_for_each_system_and_can_be_silenced(folder):
    periods = {"half": 60, "other": 70, "full": 100}
    write_lines(folder, {name: ["a b ."] * n + ["a b"] * (100 - n) for name, n in periods.items()})
    write_lines(folder, {"ends": ["a b."] * 100, "quarter": ["a b .", *["a b"] * 3] * 100})
    write_lines(folder, {"less": ["a b ."] * 95 + ["a b"] * 305})
    for command, count in {
        "half -i half other": 0,
        "half -i half full": 1,
        "half -i full -q": 0,
        "ends -i ends": 0,
        "quarter -i quarter": 1,
        "less -i less": 0,
        "stats full -i full -o full.npz": 1,
        "stats full -i full -o full.npz -q": 0,
        "compare r -i h s -l en-zh -tok 13a": 1,
        "mbr -i h -n 2 -l en-zh -tok 13a": 1,
    }.items():
        done = run(folder, *command.split())
        assert (done.returncode, done.stderr.count(b"\n")) == (0, count), command


def test_names_are_those_given_or_files_without_folders_unless_they_are_equal(folder):
    (folder / "runs").mkdir()
    for path in ("runs/h", "runs/a.b"):
        write_lines(folder, {path: HYPOTHESES})
    columns = b"a\tb\n" * 4
    for command, names in {
        "r -i h s --names x y": ["x", "y"],
        "r -i h s --names x y -par -parn 9": ["x", "y"],
        "r --names x y": ["x", "y"],
        "r": ["System 1", "System 2"],
        "r -i runs/a.b h": ["a.b", "h"],
        "r -i runs/h h s": ["runs/h", "h", "s"],
    }.items():
        records = run_json(folder, *command.split(), stdin=columns)
        assert [record["system"] for record in records] == names
    assert "--names has 1 " in error(run(folder, "r", "--names", "x", stdin=columns))


def test_the_program_and_its_help(folder):
    (script,) = entry_points(group="console_scripts", name="vecbleu")
    assert script.value == "vecbleu.cli:main"
    assert lines(run(folder, "--version")) == [f"vecbleu {vecbleu.__version__}"]
    overview = run(folder).stdout.decode()
    assert (run(folder).returncode, run(folder).stderr) == (2, b"")
    assert lines(run(folder, "help")) == lines(run(folder, "-h")) == lines(run(folder, "--help"))
    assert any(line.startswith("Files ending in .gz are") for line in lines(run(folder, "-h")))
    default = inspect.signature(vecbleu.corpus_bleu).parameters["max_order"].default
    assert f"longest n-gram (default: {default})" in run(folder, "-h").stdout.decode()
    for name in COMMANDS:
        assert f"vecbleu {name} " in overview
        page = lines(run(folder, name, "--help"))
        assert page == lines(run(folder, "help", name))
        assert page[0].startswith(f"usage: vecbleu {name} ")
        assert COMMANDS[name] in page or name == "plot"


def test_python_can_call_it_with_any_stream(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    with redirect_stdout(StringIO()) as printed:
        assert vecbleu.cli.main(["--version"]) == 0
    assert printed.getvalue() == f"vecbleu {vecbleu.__version__}\n"
    assert "OPENBLAS_NUM_THREADS" not in os.environ

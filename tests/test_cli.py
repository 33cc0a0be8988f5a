"""The command line, run as a user runs it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import pytest

import vecbleu

HYPOTHESES = ["The cat sat.", "A dog barked loudly at 3.5 cats", "", "Nothing alike"]
REFERENCES = ["The cat sat.", "a dog barked at 3.5 cats!", "the", "whole other words"]
OTHERS = ["A cat sat down.", "the dog barked at cats", "", "again, no match"]


@pytest.fixture
def folder(tmp_path):
    for name, lines in {"h": HYPOTHESES, "r": REFERENCES, "s": OTHERS}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def run(folder, *arguments, stdin=b"", program=("-m", "vecbleu")):
    return subprocess.run(
        [sys.executable, *program, *arguments], cwd=folder, input=stdin, capture_output=True
    )


def lines(done):
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def without_version(line):
    head, _, tail = line.partition("version:")
    return head + tail.partition(" ")[2]


SAME_AS_SACREBLEU = [
    ["r"],
    ["r", "s"],
    ["r", "-tok", "none"],
    ["r", "s", "-lc"],
    ["r", "-w", "6"],
    ["r", "-s", "none"],
    ["r", "-s", "floor"],
    ["r", "-s", "add-k", "-sv", "2"],
    ["r", "s", "-sl", "-w", "4"],
]


@pytest.mark.parametrize("arguments", SAME_AS_SACREBLEU)
def test_lines_are_sacrebleus(folder, arguments):
    arguments = [*arguments, "-i", "h"]
    theirs = run(folder, *arguments, "-f", "text", program=("-m", "sacrebleu"))
    expected = theirs.stdout.decode().splitlines()
    assert expected
    ours = lines(run(folder, *arguments))
    assert [*map(without_version, ours)] == [*map(without_version, expected)]
    assert all(f"version:vecbleu-{vecbleu.__version__} = " in line for line in ours)


def test_long_options(folder):
    short = run(
        folder, "r", "-i", "h", "-tok", "none", "-lc", "-s", "floor", "-sv", "0.5", "-w", "3"
    )
    long = run(
        folder, "r", "--input", "h", "--tokenize", "none", "--lowercase", "--smoothing", "floor",
        "--smoothing-value", "0.5", "--width", "3",
    )  # fmt: skip
    assert lines(short) == lines(long)
    assert "|case:lc|eff:no|tok:none|smooth:floor[0.50]|" in lines(short)[0]


def test_standard_input_and_gzip(folder):
    (folder / "r.gz").write_bytes(gzip.compress((folder / "r").read_bytes()))
    plain = lines(run(folder, "r", "-i", "h"))
    text = (folder / "h").read_bytes()
    assert lines(run(folder, "r.gz", "-i", "h")) == plain
    assert lines(run(folder, "r.gz", stdin=text)) == plain
    assert lines(run(folder, "r", "-i", "-", stdin=text)) == plain
    assert lines(run(folder, "-", "-i", "h", stdin=(folder / "r").read_bytes())) == plain


def test_json_has_every_digit(folder):
    entry = json.loads(run(folder, "r", "s", "-i", "h", "--json", "--max-order", "2").stdout)
    pairs = [*map(list, zip(REFERENCES, OTHERS, strict=True))]
    score = vecbleu.corpus_bleu(HYPOTHESES, pairs, smoothing="exp", max_order=2)
    assert entry["score"] == score.percent
    assert entry["precisions"] == list(score.percent_precisions)
    assert entry["matches"] == list(score.matches)
    assert entry["totals"] == list(score.totals)
    assert (entry["hyp_len"], entry["ref_len"]) == (score.hyp_len, score.ref_len)
    assert entry["brevity_penalty"] == score.brevity_penalty
    assert (entry["hypothesis"], entry["references"]) == ("h", ["r", "s"])
    assert "|max_order:2|" in entry["signature"]


def test_json_of_sentences_is_one_object_a_line(folder):
    scores = [
        json.loads(line)["score"] for line in lines(run(folder, "r", "-i", "h", "-sl", "--json"))
    ]
    expected = vecbleu.sentence_bleu(HYPOTHESES, REFERENCES, smoothing="exp", effective_order=True)
    assert [score / 100 for score in scores] == expected.tolist()


def test_several_systems(folder):
    alone = lines(run(folder, "r", "-i", "h")) + lines(run(folder, "r", "-i", "s"))
    together = lines(run(folder, "r", "-i", "h", "s"))
    assert together == [f"h\t{alone[0]}", f"s\t{alone[1]}"]
    assert lines(run(folder, "r", "-i", "h", "h")) == [f"h\t{alone[0]}"] * 2
    entries = json.loads(run(folder, "r", "-i", "h", "s", "--json").stdout)
    assert [entry["hypothesis"] for entry in entries] == ["h", "s"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["r", "-i", "none"], "none: No such file or directory"),
        (["r", "-i", "."], ".: Is a directory"),
        (["r", "-i", "short"], "different numbers of lines: short has 1, r has 4; line 2 of r has"),
        (
            ["r", "-i", "latin1"],
            "latin1: line 2 is not UTF-8: invalid continuation byte (0xe9 at b",
        ),
        (["r", "-i", "bad.gz"], "bad.gz: damaged gzip data at or after line 1"),
        (["-", "-i", "-"], "standard input is needed 2 times but can be read once"),
        (["-", "-i", "h", "s"], "standard input is needed 2 times"),
        (["r", "-i", "h", "--max-order", "0"], "max_order is 0, expected 1 to 10000"),
        (["r", "-i", "h", "-sv", "1"], "smoothing_value is 1.0 but smoothing 'exp' takes none"),
        (["r", "-i", "h", "-w", "-1"], "width is -1"),
    ],
)
def test_errors_are_one_line(folder, arguments, message):
    (folder / "short").write_text("a\n")
    (folder / "latin1").write_bytes("a\ncafé au\nb\nc\n".encode("latin-1"))
    (folder / "bad.gz").write_bytes(b"no gzip")
    done = run(folder, *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    error = done.stderr.decode()
    assert error.startswith(f"vecbleu: error: {message}")
    assert error.count("\n") == 1


def test_usage_errors_and_version(folder):
    assert run(folder).returncode == 2
    assert run(folder, "r", "-tok", "14a").returncode == 2
    assert lines(run(folder, "--version")) == [f"vecbleu {vecbleu.__version__}"]


def test_a_reader_that_stops_early_is_no_error(folder):
    many = folder / "many"
    many.write_text("the cat sat on the mat\n" * 20_000)
    command = f"{sys.executable} -m vecbleu many -i many -sl | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_an_empty_pair_of_files_scores_zero(folder):
    (folder / "empty").write_text("")
    assert " = 0.0 0.0/0.0/0.0/0.0 (BP" in lines(run(folder, "empty", "-i", "empty"))[0]


def test_the_console_script_is_the_module(folder):
    from importlib.metadata import entry_points

    (script,) = [e for e in entry_points(group="console_scripts") if e.name == "vecbleu"]
    assert script.value == "vecbleu.cli:main"


@pytest.mark.parametrize(
    ("redirection", "message"),
    [("<&-", "standard input is closed"), ("-i h >&-", "standard output is closed")],
)
def test_closed_streams(folder, redirection, message):
    command = f"{sys.executable} -m vecbleu r {redirection}"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True)
    assert done.returncode == 2
    assert done.stderr.decode() == f"vecbleu: error: {message}\n"

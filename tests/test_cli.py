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


def expected_of(done):
    """What sacreBLEU printed, with our version in the place of its own."""
    text = done.stdout.decode()
    assert text, done.stderr.decode()
    for name in ("version:", 'version": "', "v:"):
        text = text.replace(f"{name}2.6.0", f"{name}vecbleu-{vecbleu.__version__}")
    return text.splitlines()


SAME_AS_SACREBLEU = [
    "r -i h",
    "r s -i h",
    "r s -i h -f json",
    "r -i h -f json -w 6 -lc -s add-k -sv 2",
    "r -i h -f json -sh -tok intl",
    "r -i h -f json -b",
    "r -i h -tok none",
    "r -i h -tok intl -f text",
    "r -i h -tok zh -f text",
    "r -i h -tok char -f text",
    "r -i h -tok ja-mecab",
    "r -i h -tok ko-mecab -f text",
    "r s -i h -lc -f text",
    "r -i h -w 6",
    "r -i h -w 0 -f text",
    "r -i h -s none -f text",
    "r -i h -s floor -f text",
    "r -i h --smooth-method add-k --smooth-value 2",
    "r -i h -s add-k -sv 0.5 -f text",
    "r -i h -b",
    "r -i h -b -f text -w 3",
    "r -i h -sh",
    "r -i h -sh -f text",
    "r s -i h -sl -w 4",
    "r -i h -sl -b",
    "r -i h -sl -sh -f text",
    "r -i h -f latex",
    "r -i h -l en-zh -f text",
    "r -i h -l en-ja",
    "r -i h -l en-de -f text",
    "r -i h -m bleu -f text -q -nc",
    "r -i h s -f text",
    "r -i h s a_b%{x} -f latex -w 3",
    "r -i h s -f json",
    "r -i h s -f text -sh -w 5 -lc",
    "r -i h s -b",
    "tabbed -nr 2 -i h -f text",
    "tabbed -nr 2 -i h s -f text -tok none",
    "tabbed -nr 2 -i h -sl",
    "three -nr 2 -i h -f text",
    "r -i h -l en-zh-CN -f text",
    "tokenized -i tokenized copy -f text",
    "r -f json < h",
    "r s < h",
    "r -f text < systems",
    "r -sl < h",
    "tokenized -i tokenized -f text",
    "tokenized -i tokenized --force -f text",
    "latin1 -i latin1 -e latin-1 -f text",
    "utf16 -i utf16 -e utf-16 -f text",
]


@pytest.mark.parametrize("command", SAME_AS_SACREBLEU)
def test_output_is_sacrebleus(folder, command):
    pairs = [*zip(REFERENCES, ["x", "y", "z", "w"], strict=True)]
    (folder / "tabbed").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    rows = zip(HYPOTHESES, OTHERS, strict=True)
    (folder / "three").write_text("".join(f"{a}\t{b} more\tfields\n" for a, b in pairs))
    (folder / "systems").write_text("".join(f"{a} x\t{b} y\n" for a, b in rows))
    (folder / "tokenized").write_text("a b c d . \n" * 100 + "a b.\n")
    (folder / "copy").write_text("a b c d . \n" * 101)
    (folder / "a_b%{x}").write_text("\n".join(OTHERS) + "\n")
    for name in ("latin-1", "utf-16"):
        (folder / name.replace("-", "")).write_bytes("naïve café .\nüß\n".encode(name))
    arguments, _, stdin = command.partition(" < ")
    text = (folder / stdin).read_bytes() if stdin else b""
    form = [] if "-f" in arguments.split() else ["-f", "text"]  # the default here, not there
    theirs = run(folder, *arguments.split(), *form, stdin=text, program=("-m", "sacrebleu"))
    ours = run(folder, *arguments.split(), stdin=text)
    assert ours.returncode == theirs.returncode == 0, ours.stderr
    assert ours.stdout.decode().splitlines() == expected_of(theirs)
    messages = [
        line.removeprefix("sacreBLEU: ")
        for line in theirs.stderr.decode().splitlines()
        if line.startswith("sacreBLEU: ")
        and "Found 2 systems" not in line
        and "Found 3" not in line
    ]
    heard = ours.stderr.decode().splitlines()
    assert [line.removeprefix("vecbleu: ") for line in heard] == messages


@pytest.mark.parametrize("value", ["text", "LATEX", "json"])
def test_the_environment_sets_the_format(folder, monkeypatch, value):
    monkeypatch.setenv("SACREBLEU_FORMAT", value)
    for arguments in (["r", "-i", "h"], ["r", "-i", "h", "s", "-f", "text"]):
        ours, theirs = run(folder, *arguments), run(folder, *arguments, program=("-m", "sacrebleu"))
        assert ours.stdout.decode().splitlines() == expected_of(theirs)
    monkeypatch.setenv("SACREBLEU_FORMAT", "xml")
    assert lines(run(folder, "r", "-i", "h"))[0].startswith("BLEU|nrefs:1|")


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
    reference = (folder / "r").read_bytes()
    assert lines(run(folder, "-", "-i", "h", stdin=reference)) == plain
    both = lines(run(folder, "r", "-i", "h", "s"))
    assert lines(run(folder, "-", "-i", "h", "s", stdin=reference)) == both


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


def test_json_of_several_systems(folder):
    entries = json.loads(run(folder, "r", "-i", "h", "s", "--json").stdout)
    assert [entry["hypothesis"] for entry in entries] == ["h", "s"]
    alone = json.loads(run(folder, "r", "-i", "s", "--json").stdout)
    assert entries[1] == alone


def test_a_model_as_tokenizer(folder):
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "r"), model_prefix=str(folder / "tiny"), vocab_size=25, minloglevel=2
    )
    line = lines(run(folder, "r", "-i", "h", "-tok", "./tiny.model", "-f", "text"))[0]
    score = vecbleu.corpus_bleu(
        HYPOTHESES, REFERENCES, tokenize=str(folder / "tiny.model"), smoothing="exp"
    )
    assert f"|tok:tiny.model|smooth:exp|version:vecbleu-{vecbleu.__version__} = " in line
    assert f" = {score.percent:.1f} " in line


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
        (["-", "r", "-"], "standard input is needed 3 times"),
        (["r", "-i", "h", "--max-order", "0"], "max_order is 0, expected 1 to 10000"),
        (["r", "-i", "h", "-sv", "1"], "smoothing_value is 1.0 but smoothing 'exp' takes none"),
        (["r", "-i", "h", "-w", "-1"], "width is -1"),
        (["r", "-i", "h", "-tok", "14a"], "tokenize is '14a', expected one of 13a, char"),
        (["r", "-i", "h", "-tok", "./x.model"], "./x.model: no such SentencePiece model"),
        (["-i", "h"], "no references; give their files before -i"),
        (["r", "-i", "h", "h"], "'h' is given twice as a system"),
        (["r", "-i", "h", "s", "-sl"], "only one system can be scored at sentence level"),
        (["r", "s", "-nr", "2", "-i", "h"], "num-refs is for one file of references, not 2"),
        (["r", "-nr", "2", "-i", "h"], "r: line 1 has 1 fields with tabs between, expected 2"),
        (["r", "-nr", "0", "-i", "h"], "num-refs is 0, expected at least 1"),
        (["r", "-i"], "no system behind -i"),
        (["r", "-i", "new\nline"], "new\\nline: No such file or directory"),
        (["r", "-i", "h", "-e", "hex"], "encoding is 'hex', which Python can't"),
        (["r", "-i", "h", "-e", "utf-16"], "h: not utf-16 at or before line 1: UTF-16 stream"),
        (["r", "-i", "h", "-e", "x"], "encoding is 'x', which Python can't"),
        (["r", "-i", "latin1", "-e", "ascii"], "latin1: not ascii at or before line 2: ordinal"),
        (["-t", "wmt20", "-l", "en-de", "-i", "h"], "-t needs a test set, which would have to be"),
        (["--list"], "--list needs a test set"),
        (["r", "-i", "h", "-d"], "-d needs a test set"),
        (["r", "-i", "h", "-f", "xml"], "argument -f/--format: invalid choice: 'xml'"),
        (["r", "-i", "h", "-m", "chrf"], "argument -m/--metrics: invalid choice: 'chrf'"),
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
    assert b"REF" in run(folder, "--help").stdout
    assert lines(run(folder, "--version")) == [f"vecbleu {vecbleu.__version__}"]


def test_warnings_are_for_each_system_and_can_be_silenced(folder):
    for name, periods in (("half", 60), ("other", 70), ("full", 100)):
        (folder / name).write_text("a b .\n" * periods + "a b\n" * (100 - periods))
    assert run(folder, "half", "-i", "half", "other").stderr == b""
    assert run(folder, "half", "-i", "half", "full").stderr.count(b"vecbleu: That's 100 lines") == 1
    assert run(folder, "half", "-i", "full", "-q").stderr == b""


def test_output_is_utf8_in_any_locale(folder, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert "╒" in run(folder, "r", "-i", "h", "s", "-f", "text").stdout.decode()


def test_more_zeros_than_a_float_has_halvings(folder):
    (folder / "a").write_text(" ".join(f"a{i}" for i in range(2500)) + " x\n")
    (folder / "b").write_text(" ".join(f"b{i}" for i in range(2500)) + " x\n")
    assert lines(run(folder, "a", "-i", "b", "--max-order", "2400", "-b")) == ["0.0"]


def test_fields_on_standard_input_differ(folder):
    for text, line in (("a\tb\nc\n", 2), ("a\nb\nc\td\ne\n", 3)):
        done = run(folder, "r", stdin=text.encode())
        assert (done.returncode, done.stdout) == (2, b"")
        assert f"vecbleu: error: -: line {line} has " in done.stderr.decode()


def test_a_reader_that_stops_early_is_no_error(folder):
    many = folder / "many"
    many.write_text("the cat sat on the mat\n" * 20_000)
    command = f"{sys.executable} -m vecbleu many -i many -sl | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_an_empty_pair_of_files_scores_zero(folder):
    (folder / "empty").write_text("")
    assert (
        " = 0.0 0.0/0.0/0.0/0.0 (BP" in lines(run(folder, "empty", "-i", "empty", "-f", "text"))[0]
    )


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

"""The command line, run as a user runs it."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from command import lines, run

import vecbleu
import vecbleu.significance

HYPOTHESES = ["The cat sat.", "A dog barked loudly at 3.5 cats", "", "Nothing alike"]
REFERENCES = ["The cat sat.", "a dog barked at 3.5 cats!", "the", "whole other words"]
OTHERS = ["A cat sat down.", "the dog barked at cats", "", "again, no match"]


@pytest.fixture
def folder(tmp_path):
    for name, text in {"h": HYPOTHESES, "r": REFERENCES, "s": OTHERS}.items():
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    return tmp_path


def expected_of(done):
    """What sacreBLEU printed, with our version in the place of its own."""
    text = done.stdout.decode()
    assert text, done.stderr.decode()
    # It forgets the baseline's name where systems are columns of standard input.
    text = text.replace(" compared to .", " compared to Baseline.")
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
    "long -i long1 -ci -f text",
    "long -i long1 --confidence --confidence-n 77 -f text -w 3",
    "long -i long1 -ci -cin 100 -f json",
    "long -i long1 -ci -sh -tok char -f text",
    "long -i long1 -ci -b",
    "long -ci < long1",
    "long -i long1 long2 long3 --paired-bs -f text",
    "long -i long1 long2 long3 -pbs -pbsn 90 -w 2 -f text -sh",
    "long -i long3 long2 -pbs --paired-bs-n 500 -s floor -sv 0.3 -f latex",
    "long long2 -i long1 long3 -par -parn 300 -f text -j 1",
    "long -i long1 long2 --paired-ar --paired-ar-n 250 -f latex -lc -w 4",
    "long -i long1 long2 -par -parn 250 -f json",
    "long -i long1 long2 long1 -par -parn 99 -f text",
    "long -pbs -pbsn 60 -f text < columns",
]


def write_long(folder):
    """References, and systems that are about as good as each other or worse."""
    rng = np.random.default_rng(5)
    lines = [[str(n) for n in rng.integers(0, 9, size=rng.integers(3, 20))] for _ in range(90)]
    shares = {"long": 0, "long1": 0.2, "long2": 0.22, "long3": 0.5}
    systems = {
        name: [" ".join(t if rng.random() > share else "x" for t in line) for line in lines]
        for name, share in shares.items()
    }
    for name, texts in systems.items():
        (folder / name).write_text("\n".join(texts) + "\n")
    columns = zip(systems["long1"], systems["long2"], strict=True)
    (folder / "columns").write_text("".join(f"{a}\t{b}\n" for a, b in columns))


@pytest.mark.parametrize("command", SAME_AS_SACREBLEU)
def test_output_is_sacrebleus(folder, command):
    pairs = [*zip(REFERENCES, ["x", "y", "z", "w"], strict=True)]
    (folder / "tabbed").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    rows = zip(HYPOTHESES, OTHERS, strict=True)
    (folder / "three").write_text("".join(f"{a}\t{b} more\tfields\n" for a, b in pairs))
    (folder / "systems").write_text("".join(f"{a} x\t{b} y\n" for a, b in rows))
    (folder / "tokenized").write_text("a b c d . \n" * 100 + "a b.\n")
    (folder / "copy").write_text("a b c d . \n" * 101)
    write_long(folder)
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
        and not re.match(r"sacreBLEU: (Found|Pre-computing|Computing|Ignoring| > Performing)", line)
    ]
    heard = ours.stderr.decode().splitlines()
    assert [line.removeprefix("vecbleu: ") for line in heard] == messages


def test_json_of_paired_bootstrap_is_sacrebleus(folder):
    """But for the digits that float32 costs sacreBLEU."""
    write_long(folder)
    command = ["long", "-i", "long1", "long2", "long3", "-pbs", "-f", "json"]
    ours, theirs = (
        json.loads(run(folder, *command, program=("-m", name)).stdout)
        for name in ("vecbleu", "sacrebleu")
    )
    assert [one["system"] for one in ours] == [one["system"] for one in theirs]
    for one, other in zip(ours, theirs, strict=True):
        assert one["BLEU"].pop("p_value") == other["BLEU"].pop("p_value")
        assert one["BLEU"] == pytest.approx(other["BLEU"], rel=1e-5)


def test_json_of_tests_has_every_digit(folder):
    write_long(folder)
    (interval,) = lines_of_json(run(folder, *["long", "-i", "long1", "-ci", "--json"]))
    stats = vecbleu.file_statistics(folder / "long1", [folder / "long"])
    expected = vecbleu.significance.bootstrap(stats, smoothing="exp")
    assert interval["mean"] == 100 * expected.mean
    assert interval["ci"] == 100 * expected.half_width
    (found,) = lines_of_json(run(folder, *["long", "-i", "long1", "long2", "-par", "--json"]))
    others = [stats, vecbleu.file_statistics(folder / "long2", [folder / "long"])]
    expected = vecbleu.significance.paired_randomization(others, smoothing="exp")
    for place, one in enumerate(found["systems"]):
        assert one["score"] == expected.percents[place]
    assert found["systems"][0]["p_value"] is None
    assert found["systems"][1]["p_value"] == expected.p_values[1]
    assert found["systems"][1]["holm"] == expected.holm[1]
    assert [one["system"] for one in found["systems"]] == ["Baseline: long1", "long2"]
    assert found["signature"].startswith("nrefs:1|ar:10000|seed:12345|")


def lines_of_json(done):
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(done.stdout)]


def test_the_seed_of_tests_comes_from_the_environment(folder, monkeypatch):
    write_long(folder)
    command = ["long", "-i", "long1", "long2", "-pbs", "-pbsn", "50", "--json"]
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    (first,), (again,) = (lines_of_json(run(folder, *command)) for _ in range(2))
    assert first == again
    assert "|seed:0|" in first["signature"]
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    found = [lines_of_json(run(folder, *command))[0] for _ in range(3)]
    means = {one["systems"][0]["mean"] for one in found}
    assert len(means) > 1


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
    assert re.search(r"\|tok:tiny\.model-[0-9a-f]{8}\|smooth:exp\|version:vecbleu-", line)
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
        (["-i", "h"], "no references; see --help for where"),
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
        (["r", "-i", "h", "s", "-ci"], "--confidence is for one system; use --paired-bs or"),
        (["r", "-i", "h", "-pbs"], "paired tests need several systems behind -i"),
        (["r", "-i", "h", "h", "-par"], "paired tests need several systems behind -i"),
        (["r", "-i", "h", "s", "s", "-par"], "'s' is given twice as a system"),
        (["r", "-i", "h", "-sl", "-ci"], "there are no tests at sentence level"),
        (["r", "-i", "h", "-ci", "-cin", "0"], "confidence-n is 0, expected at least 1"),
        (["r", "-i", "h", "s", "-pbs", "-par"], "argument -par/--paired-ar: not allowed with"),
        (["empty", "-par"], "there are no segments to test"),
    ],
)
def test_errors_are_one_line(folder, arguments, message):
    (folder / "short").write_text("a\n")
    (folder / "empty").write_text("")
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

"""The choice among candidates: lines that are scored against each other."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys

import pytest
from command import error, lines, run, write_lines
from corpora import noisy_systems
from processes import needs_shell

import vecbleu
from vecbleu.core.terminal import escaped

# Characters that end lines elsewhere, or that are nothing to a terminal; a short line; copies.
ODD = [
    "\ufeffthe cat sat on the mat\r",
    "",
    "the cat sat on the mat",
    "a\x00b \x1b[2J the cat\x85sat on the\u2028mat",
    "tab\tand\x0bthe cat sat",
    "  yes ",
    "the cat sat on the mat",
    "猫 が 座った the cat",
]
SENTENCE = {"smoothing": "exp", "effective_order": True}
CHOICES = [
    ([], {}),
    (["-tok", "char", "-lc"], {"tokenize": "char", "lowercase": True}),
    (["--max-order", "2", "-s", "floor", "-sv", "0.3"],
     {"max_order": 2, "smoothing": "floor", "smoothing_value": 0.3}),
    (["-s", "none"], {"smoothing": "none"}),
    (["-l", "en-zh", "--workers", "2"], {"tokenize": "zh"}),
]  # fmt: skip
choices = pytest.mark.parametrize(("arguments", "options"), CHOICES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    _, (near, far) = noisy_systems(30, (0.2, 0.5))
    short = ["so", "it is", "it is so", "", "so it is now"]
    texts = {"near": near + short, "far": far, "odd": ODD, "empty": [], "seven": ["x"] * 7}
    write_lines(folder, texts)
    whole = (folder / "odd").read_bytes()
    (folder / "open").write_bytes(whole[:-1])
    (folder / "odd.gz").write_bytes(gzip.compress(whole))
    (folder / "latin").write_bytes("a\ncafé au\n".encode("latin-1"))
    return folder


def strings_of(folder, name):
    return (folder / name).read_bytes().decode().split("\n")[:-1]


def score(line, references, options):
    """The score of a line on 0 to 100."""
    return 100 * float(vecbleu.sentence_bleu([line], [references], **options)[0])


@choices
def test_the_choice_of_each_source_is_the_first_of_the_best(folder, arguments, options):
    texts, pseudo = strings_of(folder, "odd"), strings_of(folder, "near")[:12]
    options = SENTENCE | options
    sources = [texts[start : start + 4] for start in (0, 4)]
    for references, further in (
        (sources, []),
        ([pseudo[:6], pseudo[6:]], ["pseudo", "-p", "6"]),
    ):
        write_lines(folder, {"pseudo": pseudo})
        expected, scores = [], vecbleu.expected_bleu(sources, references, **options)
        for own, others, found in zip(sources, references, scores, strict=True):
            means = [
                sum(score(one, [other], options) for other in others) / len(others) for one in own
            ]
            assert (100 * found).tolist() == pytest.approx(means, abs=1e-8)
            best = found.argmax()
            expected.append((f"{100 * found[best]:.2f}", own[best]))
        asked = ["mbr", "-i", "odd", "-n", "4", *further, *arguments]
        printed = "".join(f"{text}\n" for _, text in expected)
        assert run(folder, *asked).stdout.decode() == printed
        printed = "".join("\t".join(pair) + "\n" for pair in expected)
        assert run(folder, *asked, "--scores").stdout.decode() == printed


def test_chosen_lines_are_the_bytes_of_the_file(folder):
    """Of one candidate a source, all are chosen."""
    whole = (folder / "odd").read_bytes()
    for name in ("odd", "open", "odd.gz"):
        assert run(folder, "mbr", "-i", name, "-n", "1").stdout == whole
    assert run(folder, "mbr", "-i", "-", "-n", "1", stdin=whole, encoding="ascii").stdout == whole
    assert (
        run(folder, "mbr", "-i", "latin", "-n", "1", "-e", "latin-1").stdout.decode()
        == "a\ncafé au\n"
    )


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals to be opened")
def test_chosen_lines_are_escaped_on_a_terminal(folder):
    shown, terminal = os.openpty()
    command = [sys.executable, "-m", "vecbleu", "mbr", "-i", "odd", "-n", "1"]
    with open(shown, "rb", buffering=0) as screen, open(terminal, "wb", buffering=0) as stdout:
        subprocess.run(command, cwd=folder, stdout=stdout, check=True)
        printed = screen.read(1000)  # before it is closed, which may discard what is unread
    whole = printed.decode()
    assert whole.count("\n") == len(ODD)
    assert all(escaped(line).split("\t")[0] in whole for line in ODD)
    assert not {*"\x00\x1b\x85\u2028\x0b\ufeff"} & {*whole}


@pytest.mark.parametrize("name", ["open", "odd.gz", "-"])
def test_files_of_all_kinds_hold_the_same_lines(folder, name):
    stdin = (folder / "odd").read_bytes()
    expected = run(folder, "mbr", "-i", "odd", "-n", "2").stdout
    done = run(folder, "mbr", "-i", name, "-n", "2", stdin=stdin)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", expected)


@pytest.mark.usefixtures("small_blocks")
def test_lines_of_many_blocks(folder):
    assert run(folder, "mbr", "-i", "odd", "-n", "1").stdout == (folder / "odd").read_bytes()


def test_empty_files(folder):
    assert lines(run(folder, "mbr", "-i", "empty", "-n", "3")) == []
    assert lines(run(folder, "mbr", "empty", "-i", "empty", "-n", "3", "-p", "2")) == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("mbr -i none -n 1", "none: No such file or directory"),
        ("mbr -i latin -n 1", "latin: line 2 is not UTF-8"),
        ("mbr -i seven -n 3", "seven has 7 lines, no multiple of 3 (-n)"),
        ("mbr -i seven -n 0", "argument -n: 0, expected at least 1"),
        ("mbr -i seven", "the following arguments are required: -n"),
        ("mbr seven -i far -n 3 -p 2", "seven has 7 lines, no multiple of 2"),
        (
            "mbr seven -i far -n 3 -p 7",
            "seven has 1 sources of 7 lines but far has 10 of",
        ),
        ("mbr seven -i far -n 3 -p 0", "argument -p: 0, expected at least 1"),
        ("mbr seven -i far -n 3", "REF and -p, its lines per source, need"),
        ("mbr -i far -n 3 -p 7", "REF and -p, its lines per source, need each other"),
        ("mbr - -i - -n 3 -p 3", "standard input is needed 2 times but can be"),
        ("mbr far -n 2", "the following arguments are required: -i"),
        ("mbr -i far near -n 2", "REF and -p, its lines per source, need each other"),
    ],
)
def test_errors_are_one_line(folder, command, message):
    assert message in error(run(folder, *command.split()))


def test_an_unusual_tokenizer_is_warned_of_once(folder):
    command = ["mbr", "-i", "far", "-n", "3", "-l", "en-zh", "-tok", "13a"]
    done = run(folder, *command)
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert b"is usually tokenized by 'zh'" in done.stderr
    assert run(folder, *command, "-q").stderr == b""


@needs_shell
def test_a_reader_that_stops_early_is_no_error(folder):
    write_lines(folder, {"many": ["the cat sat on the mat"] * 20_000})
    shown = f"({sys.executable} -m vecbleu mbr -i many -n 1; echo $? >&2) | head -n 1"
    done = subprocess.run(shown, shell=True, cwd=folder, capture_output=True, check=True)
    assert done.stderr == b"141\n"
    assert done.stdout.count(b"\n") == 1


def test_choices_as_json_say_where_they_stand(folder):
    entries = [
        json.loads(one) for one in lines(run(folder, "mbr", "-i", "odd", "-n", "4", "--json"))
    ]
    assert [entry["source"] for entry in entries] == [1, 2]
    for entry in entries:
        assert entry["text"] == ODD[4 * (entry["source"] - 1) + entry["candidate"] - 1]
    expected = vecbleu.expected_bleu([ODD[:4], ODD[4:]], tokenize="13a", **SENTENCE)
    assert [entry["score"] for entry in entries] == [100 * scores.max() for scores in expected]

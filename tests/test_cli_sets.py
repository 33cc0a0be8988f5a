"""Commands that score sets of lines against each other."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys

import pytest
from command import error, lines, run, run_json, write_lines
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
    references, (near, far) = noisy_systems(30, (0.2, 0.5))
    short = ["so", "it is", "it is so", "", "so it is now"]
    write_lines(
        folder, {"r": references, "near": near + short, "far": far, "odd": ODD, "empty": []}
    )
    write_lines(folder, {"one": ["a line"], "seven": ["x"] * 7})
    whole = (folder / "odd").read_bytes()
    (folder / "open").write_bytes(whole[:-1])
    (folder / "odd.gz").write_bytes(gzip.compress(whole))
    (folder / "latin").write_bytes("a\ncafé au\n".encode("latin-1"))
    vecbleu.statistics(["a"], ["a"]).save(folder / "counted.npz")
    return folder


def strings_of(folder, name):
    return (folder / name).read_bytes().decode().split("\n")[:-1]


def score(line, references, options):
    """The score of a line on 0 to 100."""
    return 100 * float(vecbleu.sentence_bleu([line], [references], **options)[0])


def rows_of(done):
    """The fields of each line, of which none but the newline is an end."""
    assert (done.returncode, done.stderr) == (0, b"")
    return [line.split("\t") for line in done.stdout.decode().split("\n")[:-1]]


@choices
@pytest.mark.parametrize("name", ["near", "odd"])
def test_self_bleu_is_that_of_each_line_with_the_others(folder, name, arguments, options):
    texts, options = strings_of(folder, name), SENTENCE | options
    asked = ["self", "-i", name, *arguments, "-b", "-w", "9"]
    expected = [
        score(text, texts[:place] + texts[place + 1 :], options) for place, text in enumerate(texts)
    ]
    assert lines(run(folder, *asked, "-sl")) == [f"{found:.9f}" for found in expected]
    mean = 100 * vecbleu.self_bleu(texts, **options).mean()
    assert lines(run(folder, *asked)) == [f"{mean:.9f}"]
    assert mean == pytest.approx(sum(expected) / len(texts))


def test_self_bleu_is_printed_as_scores_are(folder, monkeypatch):
    mean = 100 * vecbleu.self_bleu(strings_of(folder, "far"), **SENTENCE).mean()
    version = f"vecbleu-{vecbleu.__version__}"
    signature = f"nrefs:29|case:mixed|eff:yes|tok:13a|smooth:exp|version:{version}"
    assert lines(run(folder, "self", "-i", "far")) == [f"Self-BLEU|{signature} = {mean:.1f}"]
    (short,) = lines(run(folder, "self", "-i", "far", "-sh", "-w", "3"))
    assert short == f"Self-BLEU|#:29|c:mixed|e:yes|tok:13a|s:exp|v:{version} = {mean:.3f}"
    exact = {"name": "Self-BLEU", "score": mean, "signature": signature, "file": "far"}
    assert run_json(folder, "self", "-i", "far") == exact
    each = [json.loads(line) for line in lines(run(folder, "self", "-i", "far", "--json", "-sl"))]
    assert sum(one["score"] for one in each) / 30 == pytest.approx(mean)
    found = json.loads("\n".join(lines(run(folder, "self", "-i", "far", "-f", "json"))))
    assert (found["score"], found["eff"], found["nrefs"]) == (round(mean, 1), "yes", "29")
    monkeypatch.setenv("SACREBLEU_FORMAT", "json")
    assert json.loads("\n".join(lines(run(folder, "self", "-i", "far")))) == found


@choices
@pytest.mark.parametrize(("queries", "corpus"), [("near", "far"), ("odd", "odd.gz")])
def test_neighbors_are_the_best_of_all_pairs(folder, queries, corpus, arguments, options):
    own, others = strings_of(folder, queries), strings_of(folder, corpus.removesuffix(".gz"))
    options = SENTENCE | options
    asked = ["nearest", corpus, "-i", queries, "-k", "3", "-w", "9", *arguments]
    expected = []
    for number, query in enumerate(own, 1):
        scores = [score(query, [other], options) for other in others]
        best = sorted(range(len(others)), key=lambda place: (-scores[place], place))[:3]
        expected += [[str(number), str(place + 1), f"{scores[place]:.9f}"] for place in best]
    assert rows_of(run(folder, *asked)) == expected


def test_scores_of_pairs_are_those_of_scoring(folder):
    for smoothing in ("exp", "none"):
        asked = ["nearest", "far", "-i", "near", "-w", "6", "-s", smoothing]
        rows = rows_of(run(folder, *asked))
        write_lines(folder, {"found": [strings_of(folder, "far")[int(row[1]) - 1] for row in rows]})
        scored = run(folder, *["found", "-i", "near", "-sl", "-b", "-w", "6", "-s", smoothing])
        assert lines(scored) == [row[2] for row in rows]


def test_text_of_neighbors_is_two_fields_of_one_line(folder):
    rows = rows_of(run(folder, "nearest", "odd", "-i", "odd", "--text"))
    assert [len(row) for row in rows] == [5] * len(ODD)
    assert not {*"\t\r\x00\x1b\x85\u2028\x0b\ufeff"} & {*"".join(map("".join, rows))}
    assert rows[3][3] == r"a\u0000b \u001b[2J the cat\u0085sat on the\u2028mat"
    assert rows[4][3] == r"tab\tand\u000bthe cat sat"
    assert rows[0][3] == r"\ufeffthe cat sat on the mat\r"
    assert rows[5][3:] == ["  yes "] * 2


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
            expected.append((f"{100 * found[best]:.4f}", own[best]))
        asked = ["mbr", "-i", "odd", "-n", "4", "-w", "4", *further, *arguments]
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
    for command in ("self -i odd -sl", "nearest far -i odd", "mbr -i odd -n 2"):
        expected = run(folder, *command.split()).stdout
        done = run(folder, *command.replace("odd", name).split(), stdin=stdin)
        assert (done.returncode, done.stderr, done.stdout) == (0, b"", expected)


@pytest.mark.usefixtures("small_blocks")
def test_lines_of_many_blocks(folder):
    mean = 100 * vecbleu.self_bleu(strings_of(folder, "near"), **SENTENCE).mean()
    assert lines(run(folder, "self", "-i", "near", "-b", "-w", "9")) == [f"{mean:.9f}"]
    assert run(folder, "mbr", "-i", "odd", "-n", "1").stdout == (folder / "odd").read_bytes()


def test_empty_files(folder):
    assert lines(run(folder, "nearest", "far", "-i", "empty")) == []
    assert lines(run(folder, "mbr", "-i", "empty", "-n", "3")) == []
    assert lines(run(folder, "mbr", "empty", "-i", "empty", "-n", "3", "-p", "2")) == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("self -i none", "none: No such file or directory"),
        ("self -i .", ".: Is a directory"),
        ("self -i latin", "latin: line 2 is not UTF-8: invalid continuation byte (0xe9 at b"),
        ("self -i empty", "empty has 0 lines, expected 2 at least"),
        ("self -i one", "one has 1 lines, expected 2 at least"),
        ("self -i counted.npz", "counted.npz is a file of statistics, which has no lines"),
        ("self -i far -w -1", "width is -1"),
        ("self -i none --max-order 0", "max_order is 0, expected 1 to 100"),
        ("self -i none -tok 14a", "tokenize is '14a', expected one of 13a, char"),
        ("self -i none -sv 1", "smoothing_value is 1.0 but smoothing 'exp' takes none"),
        ("self -i none --workers 0", "workers is 0"),
        ("self -i far -e hex", "encoding is 'hex', which Python can't"),
        ("nearest latin -i far", "latin: line 2 is not UTF-8"),
        ("nearest one -i far -k 2", "k is 2 but one has 1 lines"),
        ("nearest empty -i far", "k is 1 but empty has 0 lines"),
        ("nearest far -i far -k 0", "k is 0, expected at least 1"),
        ("nearest - -i -", "standard input is needed 2 times but can be read once"),
        ("nearest -i far", "no corpus; write: vecbleu nearest CORPUS -i QUERIES"),
        ("mbr -i seven -n 3", "seven has 7 lines, which is no multiple of 3 (-n)"),
        ("mbr -i seven -n 0", "n is 0, expected at least 1"),
        ("mbr -i seven", "the following arguments are required: -n"),
        ("mbr seven -i far -n 3 -p 2", "seven has 7 lines, which is no multiple of 2"),
        (
            "mbr seven -i far -n 3 -p 7",
            "seven has 1 sources of 7 lines but far has 10 of",
        ),
        ("mbr seven -i far -n 3 -p 0", "p is 0, expected at least 1"),
        ("mbr seven -i far -n 3", "REF and -p, its lines of each source, need"),
        ("mbr -i far -n 3 -p 7", "REF and -p, its lines of each source, need each other"),
        ("mbr - -i - -n 3 -p 3", "standard input is needed 2 times but can be"),
        ("self far", "no file behind -i: see vecbleu self --help"),
        ("self -i far near", "1 files without -i, expected 0"),
        ("nearest near far -k 2", "no file behind -i: see vecbleu nearest --help"),
    ],
)
def test_errors_are_one_line(folder, command, message):
    _, _, told = error(run(folder, *command.split())).partition("error: ")
    assert told.startswith(message)


def test_commands_have_a_help_and_files_can_have_their_names(folder):
    for name in ("self", "nearest", "mbr"):
        assert f"usage: vecbleu {name} ".encode() in run(folder, name, "--help").stdout
    write_lines(folder, {"self": ["a b c d e"]})
    assert lines(run(folder, "./self", "-i", "self", "-b")) == ["100.0"]


def test_an_unusual_tokenizer_is_warned_of_once(folder):
    done = run(folder, "self", "-i", "far", "-l", "en-zh", "-tok", "13a")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert b"is usually tokenized by 'zh'" in done.stderr
    assert run(folder, "self", "-i", "far", "-l", "en-zh", "-tok", "13a", "-q").stderr == b""


@needs_shell
@pytest.mark.parametrize("command", ["self -i many -sl", "nearest one -i many", "mbr -i many -n 1"])
def test_a_reader_that_stops_early_is_no_error(folder, command):
    write_lines(folder, {"many": ["the cat sat on the mat"] * 20_000})
    shown = f"({sys.executable} -m vecbleu {command}; echo $? >&2) | head -n 1"
    done = subprocess.run(shown, shell=True, cwd=folder, capture_output=True, check=True)
    assert done.stderr == b"141\n"
    assert done.stdout.count(b"\n") == 1


def test_self_bleu_as_a_latex_table(folder):
    shown = lines(run(folder, "self", "-i", "far", "-f", "latex", "-w", "3"))
    score = lines(run(folder, "self", "-i", "far", "-b", "-w", "3"))[0]
    cells = [[cell.strip() for cell in line.rstrip("\\ ").split("&")] for line in shown[2:5:2]]
    assert cells == [["System", "Self-BLEU"], ["far", score]]
    assert shown[0] == r"\begin{tabular}{rc}"
    whole = lines(run(folder, "self", "-i", "far"))[0]
    assert shown[-1].split() == ["-", *whole.split(" = ")[0].split("|", 1)]
    sentences = lines(run(folder, "self", "-i", "far", "-sl"))
    assert lines(run(folder, "self", "-i", "far", "-sl", "-f", "latex")) == sentences


def test_neighbors_as_json_have_every_digit(folder):
    shown = lines(run(folder, "nearest", "near", "-i", "odd", "-k", "2", "-w", "9", "--text"))
    entries = [
        json.loads(line)
        for line in lines(
            run(folder, "nearest", "near", "-i", "odd", "-k", "2", "--json", "--text")
        )
    ]
    for line, entry in zip(shown, entries, strict=True):
        query, number, score, *_ = line.split("\t")
        assert (int(query), int(number)) == (entry["query"], entry["line"])
        assert score == f"{entry['score']:.9f}"
        assert entry["query_text"] == ODD[entry["query"] - 1]
    plain = json.loads(lines(run(folder, "nearest", "near", "-i", "odd", "--json"))[0])
    assert [*plain] == ["query", "line", "score"]


def test_choices_as_json_say_where_they_stand(folder):
    entries = [
        json.loads(one) for one in lines(run(folder, "mbr", "-i", "odd", "-n", "4", "--json"))
    ]
    assert [entry["source"] for entry in entries] == [1, 2]
    for entry in entries:
        assert entry["text"] == ODD[4 * (entry["source"] - 1) + entry["candidate"] - 1]
    expected = vecbleu.expected_bleu([ODD[:4], ODD[4:]], tokenize="13a", **SENTENCE)
    assert [entry["score"] for entry in entries] == [100 * scores.max() for scores in expected]

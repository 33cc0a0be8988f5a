from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from importlib.metadata import entry_points

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, run_sacrebleu, write_lines
from corpora import noisy_systems
from peers import MECAB, compared_digits, tokenizer_of
from processes import needs_shell

import vecbleu
import vecbleu.significance

HYPOTHESES, OTHERS = SYSTEMS["h"], SYSTEMS["s"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    pairs = [*zip(REFERENCES, "xyzw", strict=True)]
    rows = zip(HYPOTHESES, OTHERS, strict=True)
    references, systems = noisy_systems(90, (0.2, 0.22, 0.5))
    long = dict(zip(["long", "long1", "long2", "long3"], [references, *systems], strict=True))
    texts = {
        "r": REFERENCES,
        "a_b%{x}": OTHERS,
        "tabbed": [f"{a}\t{b}" for a, b in pairs],
        "three": [f"{a}\t{b} more\tfields" for a, b in pairs],
        "systems": [f"{a} x\t{b} y" for a, b in rows],
        "tokenized": ["a b c d . "] * 100 + ["a b."],
        "copy": ["a b c d . "] * 101,
        "columns": [f"{a}\t{b}" for a, b in zip(long["long1"], long["long2"], strict=True)],
        "short": ["a"],
        "empty": [],
    }
    write_lines(folder, SYSTEMS | texts | long)
    for name in ("latin-1", "utf-16"):
        (folder / name.replace("-", "")).write_bytes("a\ncafé au\nb .\nc\n".encode(name))
    (folder / "bad.gz").write_bytes(b"no gzip")
    return folder


def expected_of(printed):
    """What sacreBLEU printed, with our version in the place of its own."""
    for name in ("version:", 'version": "', "v:"):
        printed = printed.replace(f"{name}2.6.0", f"{name}vecbleu-{vecbleu.__version__}")
    return without_explanation(printed)


def without_explanation(printed):
    """The lines of a table without the sentences about its test, which are our own."""
    below = r"( trials\n-+\n).*?\n(?=-+\nMetric signatures)"
    return re.sub(below, r"\1", compared_digits(printed), flags=re.DOTALL).splitlines()


SAME_AS_SACREBLEU = [
    "r -i h",
    "r s -i h -f json -w 6 -lc -s add-k -sv 2",
    "r -i h -f json -sh -tok intl -s floor",
    "r -i h -f json -b",
    "r -i h -tok ko-mecab -f text",
    "r s -i h -lc -sh",
    "r -i h -b -f text -w 3",
    "r s -i h -sl -w 4",
    "r -i h -sl -b",
    "r -i h -sl -sh -f text",
    "r -i h -f latex",
    "r -i h -l en-zh -f text",
    "r -i h -l en-ja --smooth-method add-k --smooth-value 2",
    "r -i h -l en-de -m bleu -f text -q -nc",
    "r -i h s a_b%{x} -f latex -w 3",
    "r -i h s -f json",
    "r -i h s -f text -sh -w 5 -lc",
    "r -i h s -b",
    "tabbed -nr 2 -i h s -f text -tok none",
    "tabbed -nr 2 -i h -sl",
    "three -nr 2 -i h -tok none -s none -w 6",
    "r -i h -l en-zh-CN -f text",
    "tokenized -i tokenized copy -f text",
    "r s -f json < h",
    "r -f text < systems",
    "r -sl < h",
    "tokenized -i tokenized -f text",
    "tokenized -i tokenized --force -f text",
    "latin1 -i latin1 -e latin-1 -tok char -s add-k -sv 0.5 -f text",
    "utf16 -i utf16 -e utf-16 -tok zh -w 0 -f text",
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
    "long -i long1 long2 long1 -par -parn 250 -f json",
    "long -i long1 long3 -par -parn 19 -f text",
    "long -pbs -pbsn 60 -f text < columns",
]


# What sacreBLEU warns of, and not only tells.
WARNINGS = r"^sacreBLEU: (That's 100 lines|Consider using|Tokenizer 'spm')"


@pytest.mark.parametrize("command", SAME_AS_SACREBLEU)
def test_output_is_sacrebleus(folder, command):
    for name in MECAB:
        if re.search(rf"\b{name[:2]}\b", command):  # the tokenizer or the language
            tokenizer_of(name)
    command, _, stdin = command.partition(" < ")
    arguments = command.split()
    text = (folder / stdin).read_bytes() if stdin else b""
    form = [] if "-f" in arguments else ["-f", "text"]  # the default here, not there
    printed, messages = run_sacrebleu(folder, *arguments, *form, stdin=text)
    ours = run(folder, *arguments, stdin=text)
    assert printed
    assert ours.returncode == 0, ours.stderr
    assert without_explanation(ours.stdout.decode()) == expected_of(printed)
    warnings = re.findall(WARNINGS, messages, flags=re.MULTILINE)
    assert ours.stderr.count(b"vecbleu: ") == ours.stderr.count(b"\n") == len(warnings)


def test_a_p_value_on_the_level_is_marked_and_explained(folder):
    shown = lines(run(folder, *["long", "-i", "long1", "long3", "-par", "-parn", "19"]))
    assert any("(p = 0.0500)* │" in line for line in shown)
    assert any("an asterisk marks p <= 0.05." in line for line in shown)


def test_json_of_paired_bootstrap_is_sacrebleus(folder):
    """But for the digits that float32 costs sacreBLEU."""
    command = ["long", "-i", "long1", "long2", "long3", "-pbs", "-f", "json"]
    ours = json.loads("\n".join(lines(run(folder, *command))))
    theirs = json.loads(run_sacrebleu(folder, *command)[0])
    for one, other in zip(ours, theirs, strict=True):
        assert one["system"] == other["system"]
        assert one["BLEU"].pop("p_value") == other["BLEU"].pop("p_value")
        assert one["BLEU"] == pytest.approx(other["BLEU"], rel=1e-5)


def test_json_of_tests_has_every_digit(folder):
    interval = run_json(folder, *["long", "-i", "long1", "-ci"])
    tables = [vecbleu.file_statistics(folder / f"long{n}", folder / "long") for n in (1, 2)]
    expected = vecbleu.significance.bootstrap(tables[0], smoothing="exp")
    assert interval["mean"] == 100 * expected.mean
    assert interval["ci"] == 100 * expected.half_width
    found = run_json(folder, *["long", "-i", "long1", "long2", "-par"])
    expected = vecbleu.significance.paired_randomization(tables, smoothing="exp")
    baseline, other = found["systems"]
    assert [baseline["score"], other["score"]] == [
        table.score(smoothing="exp").percent for table in tables
    ]
    assert baseline["p_value"] is None
    assert (other["p_value"], other["holm"]) == (expected.p_values[1], expected.holm[1])
    assert [baseline["system"], other["system"]] == ["Baseline: long1", "long2"]
    assert found["signature"].startswith("nrefs:1|ar:10000|seed:12345|")


def test_a_bootstrap_of_two_sides_says_so(folder):
    command = ["long", "-i", "long1", "long2", "-pbs", "-pbsn", "90"]
    one, explicit = (run_json(folder, *command, *more) for more in ([], ["--sides", "1"]))
    two = run_json(folder, *command, "--sides", "2")
    assert one == explicit
    assert "sides" not in one["signature"]
    assert two["signature"] == one["signature"].replace("|bs:90|", "|bs:90|sides:2|")
    tables = [
        vecbleu.file_statistics(folder / name, [folder / "long"]) for name in ("long1", "long2")
    ]
    asked = {"n_resamples": 90}
    for found, sides in [(one, 1), (two, 2)]:
        expected = vecbleu.significance.paired_bootstrap(tables, sides=sides, **asked)
        assert found["systems"][1]["p_value"] == expected.p_values[1]
    named = ["--test", "bootstrap", "--resamples", "90", "--seed", "12345"]
    assert run_json(folder, *command[:-3], *named) == one
    seeded = run_json(folder, *command, "--seed", "3")
    assert seeded["signature"] == one["signature"].replace("|seed:12345|", "|seed:3|")


def test_the_seed_of_tests_comes_from_the_environment(folder, monkeypatch):
    command = ["long", "-i", "long1", "long2", "-pbs", "-pbsn", "50"]
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    first, again = (run_json(folder, *command) for _ in range(2))
    assert first == again
    assert "|seed:0|" in first["signature"]
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert len({run_json(folder, *command)["systems"][0]["mean"] for _ in range(3)}) > 1


@pytest.mark.parametrize("value", ["text", "LATEX", "json"])
def test_the_environment_sets_the_format(folder, monkeypatch, value):
    monkeypatch.setenv("SACREBLEU_FORMAT", value)
    for arguments in (["r", "-i", "h"], ["r", "-i", "h", "s", "-f", "text"]):
        printed, _ = run_sacrebleu(folder, *arguments)
        assert lines(run(folder, *arguments)) == expected_of(printed)
    monkeypatch.setenv("SACREBLEU_FORMAT", "xml")
    assert lines(run(folder, "r", "-i", "h"))[0].startswith("BLEU|nrefs:1|")


def test_long_options_in_any_locale(folder):
    short = "r -i h s -tok none -lc -s floor -sv 0.5 -w 3"
    long = "r --input h s --tokenize none --lowercase --smoothing floor --smoothing-value 0.5"
    shown = lines(run(folder, *short.split()))
    assert lines(run(folder, *long.split(), "--width", "3", encoding="ascii")) == shown
    assert shown[0].startswith("╒")
    assert any("|case:lc|eff:no|tok:none|smooth:floor[0.50]|" in line for line in shown)


def test_standard_input_and_gzip(folder):
    (folder / "r.gz").write_bytes(gzip.compress((folder / "r").read_bytes()))
    for expected, commands in {
        "r -i h": ["r.gz -i h", "r.gz < h", "r -i - < h", "- -i h < r"],
        "r -i h s": ["- -i h s < r"],
    }.items():
        for command in commands:
            arguments, _, name = command.partition(" < ")
            given = (folder / name).read_bytes() if name else b""
            found = lines(run(folder, *arguments.split(), stdin=given))
            assert found == lines(run(folder, *expected.split()))


def test_json_has_every_digit(folder):
    entry = run_json(folder, *["r", "s", "-i", "h", "--max-order", "2"])
    pairs = [*map(list, zip(REFERENCES, OTHERS, strict=True))]
    score = vecbleu.corpus_bleu(HYPOTHESES, pairs, smoothing="exp", max_order=2)
    assert entry["score"] == score.percent
    assert entry["precisions"] == list(score.percent_precisions)
    assert (entry["matches"], entry["totals"]) == ([*score.matches], [*score.totals])
    for name in ("hyp_len", "ref_len", "brevity_penalty"):
        assert entry[name] == getattr(score, name)
    assert (entry["hypothesis"], entry["references"]) == ("h", ["r", "s"])
    assert "|max_order:2|" in entry["signature"]
    several = run_json(folder, *["r", "-i", "h", "s"])
    assert [one["hypothesis"] for one in several] == ["h", "s"]
    assert several[1] == run_json(folder, *["r", "-i", "s"])
    # Of sentences, every line is an object.
    printed = lines(run(folder, *["r", "-i", "h", "-sl", "--json"]))
    expected = vecbleu.sentence_bleu(HYPOTHESES, REFERENCES, smoothing="exp", effective_order=True)
    assert [json.loads(line)["score"] / 100 for line in printed] == expected.tolist()


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_sums_of_many_blocks(folder, workers):
    options = ["--workers", workers]
    files = run_json(folder, "long", "-i", "long1", "long2", *options)
    columns = run_json(folder, "long", *options, stdin=(folder / "columns").read_bytes())
    references, *systems = ((folder / f"long{n}").read_text().splitlines() for n in ("", 1, 2))
    expected = [vecbleu.corpus_bleu(one, references, smoothing="exp") for one in systems]
    for found in (files, columns):
        assert [one["score"] for one in found] == [one.percent for one in expected]
        assert [one["hyp_len"] for one in found] == [one.hyp_len for one in expected]


def test_a_model_as_tokenizer(folder):
    sentencepiece = pytest.importorskip("sentencepiece")
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "r"), model_prefix=str(folder / "tiny"), vocab_size=25, minloglevel=2
    )
    line = lines(run(folder, "r", "-i", "h", "-tok", "./tiny.model", "-f", "text"))[0]
    asked = {"tokenize": str(folder / "tiny.model"), "smoothing": "exp"}
    score = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES, **asked)
    assert re.search(r"\|tok:tiny\.model-[0-9a-f]{8}\|smooth:exp\|version:vecbleu-", line)
    assert f" = {score.percent:.1f} " in line


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("r -i none", "none: No such file or directory"),
        ("r -i .", ".: Is a directory"),
        ("r -i short", "different numbers of lines: short has 1, r has 4; line 2 of r has"),
        ("r -i latin1", "latin1: line 2 is not UTF-8: invalid continuation byte (0xe9 at b"),
        ("r -i bad.gz", "bad.gz: damaged gzip data at or after line 1"),
        ("- -i -", "standard input is needed 2 times but can be read once"),
        ("- r -", "standard input is needed 3 times"),
        ("r -i h --max-order 0", "--max-order: 0, expected 1 to 100"),
        ("r -i h -sv 1", "--smooth-value is 1.0 but smoothing 'exp' takes none"),
        ("r -i h -w -1", "--width: -1, expected 0 to 1000"),
        ("r -i h -tok 14a", "--tokenize is '14a', expected one of 13a, char"),
        ("r -i h -tok ./x.model", "./x.model: no such SentencePiece model"),
        ("-i h", "no references; write: vecbleu REF [REF ...] -i SYS"),
        ("r -i h h", "'h' is given twice as a system"),
        ("r -i h s -sl", "only one system can be scored at sentence level"),
        ("r s -nr 2 -i h", "--num-refs is for one file of references, not 2"),
        ("r -nr 2 -i h", "r: line 1 has 1 fields with tabs between, expected 2"),
        ("r -i new\nline", "new\\nline: No such file or directory"),
        ("r -i h -e hex", "--encoding is 'hex', which Python can't"),
        ("r -i h -e x", "--encoding is 'x', which Python can't"),
        ("r -i h -e utf-16", "h: not utf-16 at or before line 1: "),
        ("r -i latin1 -e ascii", "latin1: not ascii at or before line 2: ordinal"),
        ("r -i h s -ci", "--confidence is for one system; use --paired-bs or"),
        ("r -i h -pbs", "paired tests need several systems behind -i"),
        ("r -i h h -par", "paired tests need several systems behind -i"),
        ("r -i h s --sides 2", "--sides is for tests; write -ci, -pbs or -par, too"),
        ("r -i h s -par --sides 2", "--sides is for the bootstrap alone"),
        ("r s", "different numbers of lines: standard input has 0"),
        ("r -i h s s -par", "'s' is given twice as a system"),
        ("r -i h -sl -ci", "there are no tests at sentence level"),
        ("r -i h s -pbs -par", "the bootstrap and the randomization are both asked for"),
        ("empty -par", "there are no segments to test"),
    ],
)
def test_errors_are_one_line(folder, command, message):
    if ".model" in command:
        pytest.importorskip("sentencepiece")
    told = error(run(folder, *command.split(" ")))
    assert told.startswith("vecbleu: error: ")
    assert message in told


def test_the_program_its_usage_and_its_version(folder):
    (script,) = entry_points(group="console_scripts", name="vecbleu")
    assert script.value == "vecbleu.cli:main"
    assert run(folder).returncode == 2
    assert b"REF" in run(folder, "--help").stdout
    assert lines(run(folder, "--version")) == [f"vecbleu {vecbleu.__version__}"]


def test_warnings_are_for_each_system_and_can_be_silenced(folder):
    periods = {"half": 60, "other": 70, "full": 100}
    write_lines(folder, {name: ["a b ."] * n + ["a b"] * (100 - n) for name, n in periods.items()})
    assert run(folder, "half", "-i", "half", "other").stderr == b""
    assert run(folder, "half", "-i", "half", "full").stderr.count(b"vecbleu: 100 hypotheses") == 1
    assert run(folder, "half", "-i", "full", "-q").stderr == b""


def test_scores_of_zero(folder):
    assert " = 0.0 0.0/0.0/0.0/0.0 (BP" in lines(run(folder, "empty", "-i", "empty"))[0]


def test_fields_on_standard_input_differ(folder):
    for text, line in (("a\tb\nc\n", 2), ("a\nb\nc\td\ne\n", 3)):
        found = error(run(folder, "r", stdin=text.encode()))
        assert found.startswith(f"vecbleu: error: -: line {line} has ")


@needs_shell
def test_a_reader_that_stops_early_is_no_error(folder):
    write_lines(folder, {"many": ["the cat sat on the mat"] * 20_000})
    command = f"{sys.executable} -m vecbleu many -i many -sl | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@needs_shell
@pytest.mark.parametrize(("redirection", "name"), [("<&-", "input"), ("-i h >&-", "output")])
def test_closed_streams(folder, redirection, name):
    command = f"{sys.executable} -m vecbleu r {redirection}"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True)
    assert error(done) == f"vecbleu: error: standard {name} is closed"


@pytest.mark.parametrize("paired", ["-pbs", "-par"])
def test_an_interval_and_a_paired_test_exclude_each_other(folder, paired):
    """Of columns, too, of which there may be one or several."""
    for columns in (b"a\nb\nc\nd\n", b"a\tb\n" * 4):
        found = error(run(folder, "r", "-ci", paired, stdin=columns))
        assert found.startswith("vecbleu: error: --confidence is for one system; use --paired-bs")

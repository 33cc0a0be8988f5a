"""What is not BLEU: chrF, TER and test sets, for which the command line asks sacreBLEU."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
import sacrebleu.dataset
from command import REFERENCES, SYSTEMS, error, lines, run, run_sacrebleu, write_lines
from corpora import noisy_systems
from peers import compared_digits
from sacrebleu.dataset.plain_text import PlainTextDataset

import vecbleu

BLEU_VERSION = f"vecbleu-{vecbleu.__version__}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("metrics")
    references, systems = noisy_systems(40, (0.2, 0.22, 0.5))
    long = dict(zip(["long", "long1", "long2", "long3"], [references, *systems], strict=True))
    rows = zip(SYSTEMS["h"], SYSTEMS["s"], strict=True)
    texts = {
        "r": REFERENCES,
        "tabbed": [f"{a}\t{b} " for a, b in zip(REFERENCES, "xyzw", strict=True)],
        "systems": [f"{a} x \t{b} y" for a, b in rows],
        "spaced": [f"  {line} \t" for line in SYSTEMS["h"]],
        "columns": [f"{a}\t{b}" for a, b in zip(long["long1"], long["long2"], strict=True)],
        "empty": [],
    }
    write_lines(folder, SYSTEMS | texts | long)
    (folder / "latin1").write_bytes("a\ncafé au\nb .\nc\n".encode("latin-1"))
    lines(run(folder, "stats", "r", "-i", "h", "-o", "h.npz"))
    return folder


def without_own(printed):
    """What is printed, without what is our own: the version, alignment, and sentences of tests."""
    printed = compared_digits(printed.replace(BLEU_VERSION, "2.6.0"))
    below = r"( trials\n-+\n).*?\n(?=-+\nMetric signatures)"
    shown = re.sub(below, r"\1", printed, flags=re.DOTALL).splitlines()
    return [line.lstrip(" ") if " = " in line else line for line in shown]


SAME_AS_SACREBLEU = [
    "r -i h -m chrf",
    "r -i h -m ter -w 4",
    "r s -i h -m bleu chrf ter",
    "r s -i h -m ter bleu -sh -w 3",
    "r -i h -m chrf bleu ter -f json",
    "r -i h -m chrf -f json -w 17",
    "r -i h -m chrf bleu -b",
    "r -i h -m chrf chrf bleu bleu",
    "r -i spaced -m bleu chrf --chrf-whitespace",
    "r -i h -m chrf --chrf-word-order 2 --chrf-lowercase",
    "r -i h -m chrf -cw 2 -cc 3 --chrf-beta 1 --chrf-eps-smoothing",
    "r -i h -m bleu --chrf-lowercase --ter-no-punct -cw 2",
    "r -i h -m ter bleu -cc 0",
    "r -i h -m ter --ter-case-sensitive --ter-normalized --ter-no-punct --ter-asian-support",
    "r -i h -m bleu ter -lc -tok char -s floor -sv 0.2",
    "r -i h -m chrf -l en-ja",
    "r -i h -m bleu chrf -l en-zh",
    "r -i h -m chrf -sl",
    "r s -i h -m ter -sl -b -w 2",
    "r -i h -m bleu chrf -f latex",
    "r -i h s t -m bleu chrf ter",
    "r -i h s t -m ter chrf -w 3 -f latex",
    "r -i h s -m chrf bleu -f json",
    "r -i h s -m bleu chrf -sh -b",
    "tabbed -nr 2 -i h -m bleu chrf ter",
    "tabbed -nr 2 -i h s -m chrf --chrf-whitespace",
    "latin1 -i latin1 -e latin-1 -m bleu chrf",
    "r -m bleu chrf < h",
    "r -m chrf ter < systems",
    "r -sl -m chrf < h",
    "long -i long1 -m bleu chrf -ci -cin 80",
    "long -i long1 -m chrf ter -ci -cin 80 -b",
    "long -i long1 -m ter bleu -ci -cin 80 -f json",
    "long -i long1 -m chrf -ci -cin 1",
    "long -i long1 long2 long3 -m bleu chrf -pbs -pbsn 90",
    "long -i long1 long2 -m ter bleu chrf -par -parn 90",
    "long -i long1 long2 -m chrf bleu -pbs -pbsn 90 -f latex -w 2 -sh",
    "long -i long1 long2 -m ter bleu -par -parn 90 -f json",
    "long -i long1 long3 -m chrf -pbs -pbsn 50",
    "long -i long1 long2 long1 -m chrf -par -parn 50 -j 2",
    "long -par -parn 50 -m bleu chrf < columns",
]


@pytest.mark.parametrize("command", SAME_AS_SACREBLEU)
def test_output_is_sacrebleus(folder, command):
    command, _, stdin = command.partition(" < ")
    arguments = command.split()
    text = (folder / stdin).read_bytes() if stdin else b""
    form = [] if "-f" in arguments else ["-f", "text"]  # the default here, not there
    printed, _ = run_sacrebleu(folder, *arguments, *form, stdin=text)
    assert printed
    found = lines(run(folder, *arguments, stdin=text))
    assert without_own("\n".join(found)) == without_own(printed)


def test_each_signature_says_who_has_computed(folder):
    shown = lines(run(folder, "r", "-i", "h", "-m", "ter", "chrf", "bleu"))
    versions = [re.search(r"^ *(\w+)\|.*version:(\S+) = ", line).groups() for line in shown]
    assert versions == [("BLEU", BLEU_VERSION), ("chrF2", "2.6.0"), ("TER", "2.6.0")]
    assert len({line.index("=") for line in shown}) == 1
    done = run(folder, "r", "-i", "h", "-m", "chrf", "bleu", "-f", "json")
    found = json.loads("\n".join(lines(done)))
    assert [one["version"] for one in found] == [BLEU_VERSION, "2.6.0"]


def test_json_of_a_paired_bootstrap(folder):
    """sacreBLEU's fails at numbers of NumPy."""
    command = ["long", "-i", "long1", "long3", "-m", "ter", "chrf", "-pbs", "-pbsn", "50"]
    found = json.loads("\n".join(lines(run(folder, *command, "-f", "json"))))
    printed, _ = run_sacrebleu(folder, *command, "-f", "text")
    for entry in found:
        for metric in ("TER", "chrF2"):
            score, p_value, mean, half_width = entry[metric].values()
            assert f" {score:.1f} ({mean:.1f} ± {half_width:.1f}) " in printed
            assert p_value is None or f" (p = {p_value:.4f})" in printed


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_lines_of_many_blocks(folder, workers):
    options = ["-m", "bleu", "chrf", "-w", "9", "--workers", workers]
    printed, _ = run_sacrebleu(folder, "long", "-i", "long1", *options[:-2], "-f", "text")
    expected = without_own(printed)
    assert without_own("\n".join(lines(run(folder, "long", "-i", "long1", *options)))) == expected
    text = (folder / "long1").read_bytes()
    assert without_own("\n".join(lines(run(folder, "long", *options, stdin=text)))) == expected


def test_names_are_those_of_all_metrics(folder):
    command = "r -i h s -m bleu chrf -f json --names x y"
    found = json.loads("\n".join(lines(run(folder, *command.split()))))
    assert [[*one] for one in found] == [["system", "BLEU", "chrF2"]] * 2
    assert [one["system"] for one in found] == ["x", "y"]


def test_without_bleu_nothing_of_it_is_needed_or_warned_of(folder):
    write_lines(folder, {"tokenized": ["a b ."] * 120})
    options = "-l en-ja -tok never -s floor -sv -3 --max-order 0"
    shown = lines(run(folder, *f"tokenized -i tokenized -m chrf {options}".split()))
    (line,) = shown
    assert line.endswith(" = 100.0")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("r -i h -m chrf ter -sl", "only one metric can be used at sentence level"),
        ("r -i h -m chrf --json", "--json is for BLEU alone; for other metrics, write -f json"),
        ("r -i h s -m bleu ter -pbs --paired-bs-sides 2", "--paired-bs-sides 2 is for BLEU alone"),
        ("-i h.npz -m bleu chrf", "h.npz is a file of statistics, which are of BLEU alone"),
        ("r -i h.npz -m chrf", "h.npz is a file of statistics, which are of BLEU alone"),
        ("empty -i empty -m bleu chrf", "there are no segments to score by chrf"),
        ("r -m ter", "standard input, which is read without -i, is empty"),
        ("r -i empty -m chrf", "different numbers of lines: empty has 0, r has 4"),
        ("r -i h -m comet", "argument -m/--metrics: invalid choice: 'comet'"),
        ("r -i h -m chrf -cc -1", "chrf-char-order is -1, expected at least 0"),
        ("r -i h -m chrf -cc 0", "chrf-char-order and chrf-word-order are both 0"),
        ("r -i h -m chrf --chrf-beta -1", "chrf-beta is -1, expected at least 0"),
    ],
)
def test_errors_are_one_line(folder, command, message):
    assert error(run(folder, *command.split())).startswith(f"vecbleu: error: {message}")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("r -i h -m bleu chrf", "chrF and TER need"),
        ("-i h -t wmt20 -l en-de", "test sets need"),
        ("--list", "test sets need"),
        ("--cite -t wmt20", "test sets need"),
    ],
)
def test_without_sacrebleu_it_says_what_to_install(folder, monkeypatch, command, what):
    for name in [name for name in sys.modules if name.partition(".")[0] == "sacrebleu"]:
        monkeypatch.setitem(sys.modules, name, None)
    told = error(run(folder, *command.split()))
    assert told.startswith(f"vecbleu: error: {what} the extra 'sacrebleu': pip install ")


@pytest.fixture
def fake(folder, monkeypatch):
    """A test set whose files are there: nothing is downloaded."""
    monkeypatch.setattr("sacrebleu.dataset.base.download_file", lambda *_, **__: 1 / 0)
    known = PlainTextDataset(
        "fake", data=[], description="local", citation="@misc{fake,\n}", langpairs={"en-zh": []}
    )
    known._outdir = str(folder)
    monkeypatch.setitem(sacrebleu.dataset.DATASETS, "fake", known)
    write_lines(folder, {"fake.en-zh.src": ["s"] * 4, "fake.en-zh.ref": REFERENCES})
    return known


@pytest.mark.parametrize(
    "command",
    [
        "-i h -t fake -l en-zh",
        "-i h --test-set fake --language-pair en-zh -tok 13a -f json",
        "-i h s -t fake -l en-zh -m bleu chrf -w 2",
        "-i h -t fake -l en-zh -sl",
        "-i h s -t fake -l en-zh -par -parn 40",
        "-t fake -l en-zh < h",
    ],
)
@pytest.mark.usefixtures("fake")
def test_references_are_those_of_a_test_set(folder, command):
    command, _, stdin = command.partition(" < ")
    text = (folder / stdin).read_bytes() if stdin else b""
    form = [] if "-f" in command.split() else ["-f", "text"]
    printed, _ = run_sacrebleu(folder, *command.split(), *form, stdin=text)
    assert printed
    done = run(folder, *command.split(), "-q", stdin=text)
    assert without_own("\n".join(lines(done))) == without_own(printed)


@pytest.mark.usefixtures("fake")
def test_citations(folder):
    """sacreBLEU 2.6 fails at each."""
    assert lines(run(folder, "-t", "fake", "--cite")) == ["@misc{fake,", "}"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("-t nothing -l en-de -i h", "sacreBLEU has no test set 'nothing'; --list prints"),
        ("-t fake,nothing -l en-zh -i h", "sacreBLEU has no test set 'nothing'; --list prints"),
        ("-t fake, -l en-zh -i h", "sacreBLEU has no test set ''; --list prints all names"),
        ("-t= -l en-zh -i h", "sacreBLEU has no test set ''; --list prints all names"),
        ("-t nothing --list", "sacreBLEU has no test set 'nothing'; --list prints"),
        ("--download nothing", "sacreBLEU has no test set 'nothing'; --list prints"),
        ("-t fake -i h", "language-pair is None, and fake has en-zh"),
        ("-t fake -l en-de -i h", "language-pair is 'en-de', and fake has en-zh"),
        ("-t fake --echo src", "language-pair is None, and fake has en-zh"),
        ("r -t fake -l en-zh -i h", "references are files or a test set (-t), not both"),
        ("-t fake -l en-zh -i h -nr 2", "references are files or a test set (-t), not both"),
        ("--list --json", "--json is not for what sacreBLEU's own command does"),
        ("-t fake -l en-zh -d -i h -s skip-zero", "-s skip-zero is not for what sacreBLEU's"),
        ("-t fake,fake -l en-zh -i h.npz", "h.npz is a file of statistics, expected text for sac"),
        ("--list -l en", "language-pair is 'en', expected one like en-de"),
        ("--echo src", "which test set? pass -t NAME; --list prints all names"),
        ("--citation", "which test set? pass -t NAME; --list prints all names"),
        ("r -i h -d", "--origlang, --subset and --detail are for a test set (-t) with -l"),
        ("r -i h -ol en", "--origlang, --subset and --detail are for a test set (-t) with"),
    ],
)
@pytest.mark.usefixtures("fake")
def test_wrong_calls_of_test_sets_are_one_line(folder, command, message):
    assert error(run(folder, *command.split())).startswith(f"vecbleu: error: {message}")


def test_a_failed_download_is_one_line(folder, fake, monkeypatch):
    def fail(_):
        raise OSError("no network")

    monkeypatch.setattr(fake, "get_files", fail)
    for more in (["-i", "h"], ["--echo", "src"], ["-ol", "en", "-i", "h"]):
        told = error(run(folder, "-t", "fake", "-l", "en-zh", *more))
        assert told == "vecbleu: error: test set fake can't be downloaded: no network"
    told = error(run(folder, "--download", "fake"))
    assert told == "vecbleu: error: test set fake can't be downloaded: no network"


def test_a_download_without_a_pair_is_of_all(folder, fake, monkeypatch):
    """sacreBLEU 2.6 fails at each."""
    pairs = []
    monkeypatch.setattr(fake, "get_files", pairs.append)
    monkeypatch.setattr(fake, "langpairs", {"en-zh": [], "zh-en": []})
    assert lines(run(folder, "--download", "fake")) == []
    assert pairs == ["en-zh", "zh-en"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Files of real test sets where sacreBLEU keeps them, with text of our own."""
    cache = tmp_path_factory.mktemp("sacrebleu")
    for name in ("wmt14", "wmt15"):
        (cache / name / "raw").mkdir(parents=True)
        documents = [("en", "a.1"), ("de", "b.2")]
        source = [
            line
            for language, document in documents
            for line in (
                f'<doc sysid="x" docid="{document}" origlang="{language}">',
                *["<seg >"] * 2,
            )
        ]
        raw = sacrebleu.dataset.DATASETS[name].langpairs["en-de"][0]
        (cache / name / "raw" / raw).parent.mkdir(exist_ok=True)
        write_lines(cache / name / "raw", {raw: source})
        fields = {"src": list("abcd"), "ref": REFERENCES, "docid": ["a.1"] * 4, "genre": ["x"] * 4}
        fields["origlang"] = ["en", "en", "de", "de"]
        write_lines(cache / name, {f"{name}.en-de.{field}": text for field, text in fields.items()})
    write_lines(cache, {"h": SYSTEMS["h"], "twice": SYSTEMS["h"] * 2})
    return cache


@pytest.mark.parametrize(
    "command",
    [
        "--list",
        "--list -l en-de",
        "-t wmt14 --list -l en-de",
        "-t wmt14 -l en-de --echo src ref",
        "-t wmt14 -l en-de --echo all",
        "--download wmt14 -l en-de",
        "-t wmt14 -l en-de -ol en -i h -f text",
        "-t wmt14 -l en-de -ol non-en -i h s -m chrf -f text",
        "-t wmt14,wmt15 -l en-de -i twice -f json",
        "-t wmt14 -l en-de -d -i h -f text",
    ],
)
def test_sacrebleus_own_command_does_what_is_left(cache, command):
    write_lines(cache, {"s": SYSTEMS["s"]})
    environment = os.environ | {"SACREBLEU": str(cache), "NO_COLOR": "1"}
    done = [
        subprocess.run(
            [sys.executable, "-m", program, *command.split()],
            cwd=cache,
            env=environment,
            capture_output=True,
        )
        for program in ("vecbleu", "sacrebleu")
    ]
    assert done[1].returncode == 0, done[1].stderr
    assert (done[0].returncode, done[0].stdout) == (0, done[1].stdout), done[0].stderr


def test_its_failure_is_ours(cache):
    environment = os.environ | {"SACREBLEU": str(cache)}
    command = [sys.executable, "-m", "vecbleu", "-t", "wmt14", "-l", "en-de", "--echo", "nothing"]
    done = subprocess.run(command, cwd=cache, env=environment, capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"No such field nothing" in done.stderr


def test_its_command_takes_vecbleus_names_of_the_smoothing(cache):
    done = run(cache, "--list", "--smoothing=exp", "--smoothing-value", "1")
    assert (done.returncode, done.stderr) == (0, b"")

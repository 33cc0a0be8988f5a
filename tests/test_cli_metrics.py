"""What is not BLEU: calls with chrF, TER and test sets, which sacreBLEU's own command runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import sacrebleu.dataset
from command import REFERENCES, SYSTEMS, error, run, write_lines
from corpora import noisy_systems

import vecbleu
from vecbleu.cli.program import is_for_sacrebleu


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Files of a real test set where sacreBLEU keeps them, with text of our own."""
    cache = tmp_path_factory.mktemp("sacrebleu")
    source = [
        line
        for language, document in (("en", "a.1"), ("de", "b.2"))
        for line in (f'<doc sysid="x" docid="{document}" origlang="{language}">', *["<seg >"] * 2)
    ]
    raw = cache / "wmt14" / "raw" / sacrebleu.dataset.DATASETS["wmt14"].langpairs["en-de"][0]
    raw.parent.mkdir(parents=True)
    write_lines(raw.parent, {raw.name: source})
    fields = {"src": list("abcd"), "ref": REFERENCES, "docid": ["a.1"] * 4, "genre": ["x"] * 4}
    fields["origlang"] = ["en", "en", "de", "de"]
    write_lines(cache / "wmt14", {f"wmt14.en-de.{field}": text for field, text in fields.items()})
    references, systems = noisy_systems(40, (0.2, 0.22))
    long = dict(zip(["long", "long1", "long2"], [references, *systems], strict=True))
    write_lines(cache, SYSTEMS | {"r": REFERENCES} | long)
    return cache


def run_program(cache, program, command):
    """Run a program in a process of its own; behind ``<`` stands its standard input."""
    arguments, _, stdin = command.partition(" < ")
    return subprocess.run(
        [sys.executable, "-m", program, *arguments.split()],
        cwd=cache,
        env=os.environ | {"SACREBLEU": str(cache), "NO_COLOR": "1"},
        input=(cache / stdin).read_bytes() if stdin else b"",
        capture_output=True,
    )


@pytest.mark.parametrize(
    "command",
    [
        "r -i h -m chrf --chrf-word-order 2",
        "r s -i h -m bleu chrf ter -f text -w 3",
        "r -m ter -sl -b < h",
        "long -i long1 long2 -m bleu ter -par -parn 40 -f latex",
        "r -i h -m bleu --ter-normalized",
        "--list",
        "-t wmt14 -l en-de --echo src ref",
        "-t wmt14 -l en-de -i h",
        "--test-set=wmt14 --language-pair=en-de -ol non-en -i h s -m chrf -f text",
    ],
)
def test_a_call_that_is_handed_over_prints_what_sacrebleu_prints(cache, command):
    ours, theirs = (run_program(cache, program, command) for program in ("vecbleu", "sacrebleu"))
    assert theirs.returncode == 0, theirs.stderr
    assert theirs.stdout
    assert (ours.returncode, ours.stdout) == (0, theirs.stdout), ours.stderr


def test_whoever_computes_is_in_the_signature(cache):
    own = json.loads(run_program(cache, "vecbleu", "r -i h -m bleu -f json").stdout)
    theirs = json.loads(run_program(cache, "vecbleu", "r -i h -m bleu chrf").stdout)
    assert own["version"] == f"vecbleu-{vecbleu.__version__}"
    assert [one["version"] for one in theirs] == [sacrebleu.__version__] * 2
    assert own["score"] == theirs[0]["score"]


@pytest.mark.parametrize(
    "command",
    ["-t wmt14 -l en-de --echo nothing", "r -i h -m comet chrf", "r -i none -m chrf", "-t nothing"],
)
def test_its_failure_is_ours(cache, command):
    done = run_program(cache, "vecbleu", command)
    assert done.returncode != 0
    assert (done.stdout, b"Traceback" in done.stderr) == (b"", False)


@pytest.mark.parametrize(
    "command", ["r -i h -m bleu chrf", "-i h -t wmt20 -l en-de", "--list", "--cite -t wmt20"]
)
def test_without_sacrebleu_it_says_what_to_install(cache, monkeypatch, command):
    monkeypatch.setattr("vecbleu.cli.program.find_spec", lambda name: None)
    told = error(run(cache, *command.split()))
    assert "chrF, TER and test sets are sacreBLEU's: pip install" in told
    assert "vecbleu[sacrebleu]" in told


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("r -i h -m chrf", True),
        ("r -i h --metrics bleu ter -w 3", True),
        ("r -i h --metrics=chrf", True),
        ("r -i h -m bleu -m chrf", True),
        ("-m ter chrf -i h", True),
        ("-i h -t wmt20 -l en-de", True),
        ("-i h --test-set=wmt20", True),
        ("--list", True),
        ("--download wmt20", True),
        ("--citation -t wmt20", True),
        ("--cite", True),
        ("-t wmt20 --echo src", True),
        ("r -i h -ol en", True),
        ("r -i h --origlang=en", True),
        ("r -i h --subset news", True),
        ("r -i h -d", True),
        ("r -i h --detail", True),
        ("r -i h -cc 6", True),
        ("r -i h -cw 2", True),
        ("r -i h --chrf-beta 1", True),
        ("r -i h --ter-no-punct", True),
        ("", False),
        ("r -i h", False),
        ("r -i h -m bleu", False),
        ("r -i h --metrics=bleu", False),
        ("r -i h -tok 13a --test bootstrap", False),
        ("chrf ter -i h -l en-de -lc", False),
        ("r -i list -f json --force -ci -cin 3", False),
    ],
)
def test_which_calls_are_handed_over(command, expected):
    assert is_for_sacrebleu(command.split()) is expected

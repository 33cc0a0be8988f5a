"""Where the command line differs from sacreBLEU's: what its guide lists, and what it does not."""

from __future__ import annotations

import re

import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_sacrebleu, write_lines
from corpora import noisy_systems

import vecbleu


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("differences")
    references, systems = noisy_systems(40, (0.3, 0.32))
    long = dict(zip(["long", "long1", "long2"], [references, *systems], strict=True))
    short = {"short": SYSTEMS["h"][:2], "longer": [*SYSTEMS["h"], "more"]}
    write_lines(folder, SYSTEMS | {"r": REFERENCES} | short | long)
    return folder


@pytest.mark.parametrize("system", ["short", "longer"])
def test_no_line_is_printed_of_files_of_different_lengths(folder, system):
    printed, _ = run_sacrebleu(folder, "r", "-i", system, "-sl")
    assert printed == ""
    for references in (["r"], ["long", "r"]):
        told = error(run(folder, *references, "-i", system, "-sl"))
        assert told.startswith("vecbleu: error: different numbers of lines: ")


def test_standard_input_is_told_from_which_line_on_it_is_too_short(folder):
    """It can be read once only, so scores are printed until then."""
    done = run(folder, "r", "-sl", stdin=(folder / "short").read_bytes())
    assert (done.returncode, done.stdout.count(b"\n")) == (2, 2)
    told = b"standard input has 2, r has 4; line 3 of r has no partner in standard input\n"
    assert done.stderr.endswith(told)


def signature(text):
    return re.search(r"nrefs:\S+", text)[0].replace(f"vecbleu-{vecbleu.__version__}", "2.6.0")


@pytest.mark.parametrize("seed", ["007", "7", "0012345"])
@pytest.mark.parametrize(
    "command",
    [
        "long -i long1 -ci -cin 40",
        "long -i long1 long2 -par -parn 40",
        "long -i long1 long2 -pbs -pbsn 40",
    ],
)
def test_seeds_stand_in_signatures_as_in_sacrebleus(folder, monkeypatch, command, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    printed, _ = run_sacrebleu(folder, *command.split(), "-f", "text")
    found = "\n".join(lines(run(folder, *command.split())))
    assert signature(found) == signature(printed)
    numbers = r"\(μ = .*?\)|\(p = .*?\)"
    assert re.findall(numbers, found) == re.findall(numbers, printed) != []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("r -i h -w 1001", "--width: 1001, expected 0 to 1000"),
        ("r -i h -s floor -sv nan", "--smooth-value is nan, expected 0 to 1e+100"),
        ("r -i h -s floor -sv -1", "--smooth-value is -1.0, expected 0 to 1e+100"),
        ("r -i h -sv nan", "--smooth-value is nan but smoothing 'exp' takes none"),
        ("r -i h -ci -cin 0", "--confidence-n: 0, expected at least 1"),
        ("r -i h s -par -parn 0", "--paired-ar-n: 0, expected at least 1"),
    ],
)
def test_values_that_sacrebleu_takes_are_errors(folder, command, message):
    assert run_sacrebleu(folder, *command.split(), "-f", "text")[0]
    assert error(run(folder, *command.split())).endswith(message)


def test_one_resample_is_an_interval(folder):
    command = ["long", "-i", "long1", "-ci", "-cin", "1"]
    printed, _ = run_sacrebleu(folder, *command, "-f", "text")
    (line,) = lines(run(folder, *command))
    assert "μ" not in printed
    assert "|bs:1|" in line
    assert "± 0.0)" in line


def test_what_sacrebleu_tells_is_not_told(folder):
    command = ["long", "-i", "long1", "long2", "long1", "-pbs", "-pbsn", "30"]
    _, told = run_sacrebleu(folder, *command, "-f", "text")
    assert "sacreBLEU: Found 2 systems." in told
    assert "sacreBLEU: Ignoring 'long1' as it was also given as the baseline." in told
    lines(run(folder, *command))  # asserts that there is nothing on standard error


@pytest.mark.parametrize("value", [0.5, 1.5, 2])
def test_a_fraction_added_in_a_paired_randomization(folder, value):
    """sacreBLEU adds it to integers where it exchanges segments, so that it is cut off."""
    trials = 200
    command = f"long -i long1 long2 -par -parn {trials} -s add-k -sv {value}".split()
    printed, _ = run_sacrebleu(folder, *command, "-f", "text")
    theirs, ours = (
        re.search(r"\(p = (\S+)\)", text)[1]
        for text in (printed, "\n".join(lines(run(folder, *command))))
    )
    rows = [
        vecbleu.file_statistics(folder / name, folder / "long").array for name in ("long1", "long2")
    ]
    first, second = rows
    chosen = np.random.default_rng(12345).integers(2, size=(trials, len(first)), dtype=bool)

    def difference(one, other, value):
        scored = [vecbleu.bleu(x, smoothing="add-k", smoothing_value=value) for x in (one, other)]
        return abs(scored[0] - scored[1])

    exchanged = [chosen @ one + ~chosen @ other for one, other in ((first, second), rows[::-1])]
    observed = difference(first.sum(0), second.sum(0), value)
    for found, added in ((theirs, int(value)), (ours, value)):
        above = np.sum(difference(*exchanged, added) > observed)
        assert found == f"{(above + 1) / (trials + 1):.4f}"

"""Names and text of others reach a terminal as printable text, on the lines that they belong to."""

from __future__ import annotations

import io
import json
import os
import sys
from unittest import mock

import pytest
from command import REFERENCES, SYSTEMS, lines, run, write_lines

import vecbleu

# A sequence that clears the screen, in both ways of writing it; another direction; line ends.
HOSTILE = "\x1b[2J\x9b2J\u202e\r\u2028\x7f"
NAME = f"名{HOSTILE}\n\t"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other names of files")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terminal")
    text = [f"{line}{HOSTILE} 猫" for line in SYSTEMS["s"]]
    labels = [f"b{HOSTILE}\te"] * 2 + ["short"] * 2
    files = {"r": REFERENCES, "text": text, "labels": labels, NAME: SYSTEMS["s"]}
    write_lines(folder, SYSTEMS | files)
    vecbleu.statistics(SYSTEMS["h"], REFERENCES).save(folder / "h.npz")
    return folder


def assert_text(printed):
    """What is printed has nothing that a terminal would not show as it is."""
    found = printed.decode()
    assert all(line.replace("\t", "").isprintable() for line in found.split("\n"))
    return found


@pytest.mark.parametrize(
    "command",
    [
        ["r", "-i", NAME, "h"],
        ["r", "-i", NAME, "h", "-f", "latex"],
        ["r", "-i", "h", NAME, "-par", "-parn", "10"],
        ["compare", "r", "-i", NAME, "text"],
        ["compare", "r", "-i", "h", "text", "--labels", "labels"],
        ["explain", "r", "-i", "text", "--line", "2"],
        ["explain", "text", "-i", NAME, "--line", "1"],
        ["explain", "--hyp", HOSTILE, "--ref", "a\udcff"],
    ],
)
def test_text_of_others_is_printed_as_text(folder, command):
    done = run(folder, *command)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "u001b" in assert_text(done.stdout)
    assert "名\\u001b[2J" in assert_text(run(folder, "r", "-i", NAME + "x").stderr)


def test_json_says_names_exactly(folder):
    (entry, _) = json.loads(assert_text(run(folder, "r", "-i", NAME, "h", "--json").stdout))
    assert NAME in entry.values()
    table = run(folder, "r", "-i", NAME, "h").stdout.decode().split("\n\n")[0].split("\n")
    assert len({*map(len, table)}) == 1  # which is aligned


def test_segments_that_are_normal_text_stay_as_they_are(folder):
    segments = ["猫が\t座った", "👩\u200d👩\u200d👧 e\u0301", "שלום", "C:\\new"]
    write_lines(folder, {"normal": segments, "plain": ["x"] * 4})
    asked = ["compare", "normal", "-i", "plain", "normal", "--segments", "4"]
    printed = "\n".join(lines(run(folder, *asked)))
    assert all(f"ref: {segment}\n" in printed for segment in segments)


def test_line_ends_are_the_same_on_all_platforms(folder):
    windows = io.TextIOWrapper(io.BytesIO(), "cp1252", newline="\r\n")
    with mock.patch.object(sys, "stdout", windows):
        assert vecbleu.cli.main(["--version"]) == 0
    assert windows.buffer.getvalue() == f"vecbleu {vecbleu.__version__}\n".encode()

"""Text of others reaches a terminal as printable text, and only marks become codes."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from unittest import mock

import pytest
from command import REFERENCES, SYSTEMS, lines, run, write_lines

import vecbleu
from vecbleu.show.terminal import display_width

# A sequence that clears the screen, in both ways of writing it; another direction; line ends.
HOSTILE = "\x1b[2J\x9b2J\u202e\r\u2028\x7f"
NAME = f"名{HOSTILE}\n\t"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other names of files")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    text = [f"{line}{HOSTILE} 猫 \x1b[1;32m" for line in SYSTEMS["s"]]
    labels = [f"b{HOSTILE}\te"] * 2 + ["short\te"] * 2
    files = {"r": REFERENCES, "text": text, "labels": labels, NAME: SYSTEMS["s"]}
    write_lines(tmp_path, SYSTEMS | files)
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
        ["compare", "r", "-i", NAME, "text"],
        ["compare", "r", "-i", "h", "text", "--labels", "labels"],
        ["explain", "text", "-i", NAME, "--line", "1"],
        ["explain", "--hyp", HOSTILE, "--ref", "a\udcff"],
    ],
)
def test_text_of_others_is_printed_as_text(folder, command):
    done = run(folder, *command)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "u001b" in assert_text(done.stdout)


def test_names_in_errors_tables_and_json(folder):
    assert "名\\u001b[2J" in assert_text(run(folder, "r", "-i", NAME + "x").stderr)
    _, table = run(folder, "r", "-i", NAME, "h").stdout.decode().rstrip().split("\n\n")
    assert len({*map(display_width, table.split("\n"))}) == 1  # which is aligned
    assert [*map(display_width, "aé猫Ａｱ")] == [1, 1, 2, 2, 1]
    (entry, _) = json.loads(assert_text(run(folder, "r", "-i", NAME, "h", "--json").stdout))
    assert NAME in entry.values()


def test_segments_that_are_normal_text_stay_as_they_are(folder):
    segments = ["猫が\t座った", "👩\u200d👩\u200d👧 e\u0301", "שלום", "C:\\new"]
    write_lines(folder, {"normal": segments, "plain": ["x"] * 4})
    asked = ["compare", "normal", "-i", "plain", "normal", "--segments", "4"]
    printed = "\n".join(lines(run(folder, *asked)))
    assert all(f"ref: {segment}\n" in printed for segment in segments)


def printed_on(kind, *arguments, **options):
    """What a command prints on a stream."""
    stream = kind(io.BytesIO(), **options)
    with mock.patch.object(sys, "stdout", stream):
        assert vecbleu.cli.main([*arguments]) == 0
    stream.flush()
    return stream.buffer.getvalue().decode()


class Terminal(io.TextIOWrapper):
    def isatty(self):
        return True


@pytest.mark.parametrize("off", ["", "NO_COLOR", "TERM", "--no-color"])
def test_only_marks_become_codes_on_a_terminal(folder, monkeypatch, off):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "")  # which sets nothing, by no-color.org
    asked = ["compare", "r", "-i", "h", "text", "--source", "text"]
    expected = run(folder, *asked).stdout.decode()
    if off in ("NO_COLOR", "TERM"):
        monkeypatch.setenv(off, "dumb")
    elif off:
        asked.append(off)
    printed = printed_on(Terminal, *asked, encoding="utf-8", newline="\n")
    codes = [] if off else ["\x1b[0m", "\x1b[1;31m", "\x1b[1;32m"]
    assert sorted({*re.findall(r"\x1b\[[0-9;]*m", printed)}) == codes
    assert re.sub(r"\x1b\[(?:1;31|1;32)m(.*?)\x1b\[0m", r"\1", printed) == expected


def test_words_of_the_better_output_are_green_and_of_the_worse_red(tmp_path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    right, wrong = (f"a b c {word} d e f g" for word in ("right", "wrong"))
    write_lines(tmp_path, {"r": [right] * 2, "h": [right, wrong], "s": [wrong, right]})
    shown = printed_on(Terminal, "compare", "r", "-i", "h", "s", "-q", encoding="utf-8")
    found = re.findall(r"\x1b\[1;(31|32)m(.*?)\x1b", shown)
    assert sorted(found) == [("31", "wrong")] * 2 + [("32", "right")] * 2


def test_chosen_lines_are_escaped_on_a_terminal(folder):
    printed = printed_on(Terminal, "mbr", "-i", "text", "-n", "1", encoding="utf-8", newline="\n")
    assert assert_text(printed.encode()).count("猫") == printed.count("\n") == 4


def test_line_ends_are_the_same_on_all_platforms():
    printed = printed_on(io.TextIOWrapper, "--version", encoding="cp1252", newline="\r\n")
    assert printed == f"vecbleu {vecbleu.__version__}\n"

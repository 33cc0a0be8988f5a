"""What the command line prints: text of others as text, and the end of a usual program."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import warnings
from unittest import mock

import pytest
from command import REFERENCES, SYSTEMS, run, write_lines

import vecbleu
import vecbleu.cli.systems
from vecbleu.core.progress import progress_bar
from vecbleu.core.terminal import escaped

# A sequence that clears the screen, in both ways of writing it; another direction; line ends.
HOSTILE = "\x1b[2J\x9b2J\u202e\r\u2028\x7f"
NAME = f"名{HOSTILE}\n\t"

posix = pytest.mark.skipif(os.name != "posix", reason="other names of files, no shell of POSIX")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terminal")
    text = [f"{line}{HOSTILE} 猫" for line in SYSTEMS["s"]]
    write_lines(folder, SYSTEMS | {"r": REFERENCES, "text": text})
    write_lines(folder, {"labels": [f"b{HOSTILE}\te"] * 2 + ["short"] * 2})
    for name in ("one", "two"):
        vecbleu.statistics(SYSTEMS["h"], REFERENCES).save(folder / f"{name}.npz")
    return folder


def assert_text(printed):
    """Lines that a terminal shows as they are."""
    for line in printed.decode().split("\n"):
        assert escaped(line) == line
    return printed.decode()


@posix
@pytest.mark.parametrize(
    "command",
    [
        ["r", "-i", NAME, "h"],
        ["r", "-i", NAME, "h", "-f", "latex"],
        ["r", "-i", "h", NAME, "-par", "-parn", "10"],
        ["compare", "r", "-i", NAME, "text"],
        ["compare", "r", "-i", "h", "text", "--labels", "labels"],
    ],
)
def test_text_of_others_is_printed_as_text(folder, command):
    (folder / NAME).write_bytes((folder / "s").read_bytes())
    done = run(folder, *command)
    assert (done.returncode, done.stderr) == (0, b"")
    printed = assert_text(done.stdout)
    assert "u001b" in printed


@posix
def test_tables_of_escaped_names_are_aligned(folder):
    (folder / NAME).write_bytes((folder / "s").read_bytes())
    grid = run(folder, "r", "-i", NAME, "h").stdout.decode().split("\n\n")[0].split("\n")
    assert len({*map(len, grid)}) == 1
    compared = run(folder, "compare", "r", "-i", "h", "s", "--labels", "labels").stdout.decode()
    table = next(part for part in compared.split("\n\n") if part.startswith("label")).split("\n")
    assert len({*map(len, table)}) == 1
    assert any(line.startswith(f"b{escaped(HOSTILE)}\\te  ") for line in table)


@posix
@pytest.mark.parametrize("option", [["--json"], ["-f", "json"]])
def test_json_says_names_exactly(folder, option):
    (folder / NAME).write_bytes((folder / "s").read_bytes())
    done = run(folder, "r", "-i", NAME, "h", *option)
    (entry, _) = json.loads(assert_text(done.stdout))
    assert NAME in entry.values()
    for command in (["-i", "one.npz", *option], ["-i", "one.npz", "-ci", *option]):
        found = json.loads(assert_text(run(folder, *command).stdout))
        assert "|tok:13a|" in found["signature"]


@posix
@pytest.mark.parametrize("command", [["r", "-i", NAME + "x"], [NAME + "x", "-i", "h"]])
def test_errors_about_names_are_text(folder, command):
    done = run(folder, *command)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert "名\\u001b[2J" in assert_text(done.stderr)


def test_segments_that_are_normal_text_stay_as_they_are(folder):
    segments = ["猫が\t座った", "👩\u200d👩\u200d👧 e\u0301", "שלום", "C:\\new"]
    write_lines(folder, {"normal": segments, "plain": ["x"] * 4})
    asked = ["compare", "normal", "-i", "plain", "normal", "--segments", "4"]
    printed = run(folder, *asked).stdout.decode()
    assert all(f"ref: {segment}\n" in printed for segment in segments)


def test_a_progress_bar_is_one_line(monkeypatch):
    pytest.importorskip("tqdm")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar(True, 3, "segments", f"one{HOSTILE}\n\ttwo") as advance:
        advance(3)
    assert f"one{escaped(HOSTILE)}\\n\\ttwo: 100%" in sys.stderr.getvalue()
    assert not {*"\x1b\x9b\u202e\t"} & {*sys.stderr.getvalue()}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("quiet", "shown"), [([], b"vecbleu: no\\n\\u001b[workers\n"), (["-q"], b"")]
)
def test_warnings_are_lines_that_can_be_silenced(folder, monkeypatch, quiet, shown):
    count = vecbleu.cli.systems.map_packed

    def warn(*arguments):
        warnings.warn("no\n\x1b[workers", RuntimeWarning, stacklevel=2)
        return count(*arguments)

    monkeypatch.setattr(vecbleu.cli.systems, "map_packed", warn)
    show = warnings.showwarning
    done = run(folder, "r", "-i", "h", *quiet)
    assert (done.returncode, done.stderr) == (0, shown)
    assert warnings.showwarning is show


def start(folder, command, *arguments, **options):
    """Run a line of the shell in which $0 is Python."""
    shell = ["sh", "-c", command, sys.executable, *arguments]
    return subprocess.run(shell, cwd=folder, capture_output=True, **options)


# What pip makes of the entry point.
SCRIPT = "import sys; from vecbleu.cli import main; sys.exit(main())"


@posix
@pytest.mark.parametrize("program", [["-m", "vecbleu"], ["-c", SCRIPT]])
@pytest.mark.parametrize("module", ["numpy", "argparse", "gettext"])
def test_ctrl_c_while_it_starts_is_quiet(folder, tmp_path, program, module):
    shadow = f"import os, signal; os.kill(os.getpid(), {signal.SIGINT:d}); [*range(10**6)]"
    (tmp_path / f"{module}.py").write_text(shadow)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *program, "r", "-i", "h"],
        cwd=folder,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")
@pytest.mark.parametrize("flags", ["", "-u"])
@pytest.mark.parametrize("command", ["", "stats", "compare"])
def test_a_full_device_is_an_error_of_results_alone(folder, flags, command):
    files = {"": "r -i h", "stats": "r -i h -o full.npz", "compare": "r -i h s"}[command]
    done = start(folder, f'"$0" {flags} -m vecbleu {command} {files} > /dev/full')
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert done.stderr.decode().startswith(f"vecbleu {command}".rstrip() + ": error: ")
    assert os.strerror(errno.ENOSPC) in done.stderr.decode()
    asked = start(folder, f'"$0" {flags} -m vecbleu {command} --help > /dev/full')
    assert b"Traceback" not in asked.stderr


@posix
@pytest.mark.parametrize("trap", ["", "trap '' PIPE; "])
def test_a_pipe_that_is_closed_ends_it_quietly(folder, trap):
    """With the status that a shell reports of programs which the signal ends."""
    write_lines(folder, {"many": ["the cat sat on the mat"] * 20_000})
    command = '{ "$0" -m vecbleu many -i many -sl; echo $? >&2; } | head -n 1'
    done = start(folder, trap + command)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b"141\n"


def test_line_ends_are_the_same_on_all_platforms(folder):
    windows = io.TextIOWrapper(io.BytesIO(), "cp1252", newline="\r\n")
    with mock.patch.object(sys, "stdout", windows):
        assert vecbleu.cli.main(["--version"]) == 0
    assert windows.buffer.getvalue() == f"vecbleu {vecbleu.__version__}\n".encode()

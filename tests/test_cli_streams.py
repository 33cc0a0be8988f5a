"""Commands by pipes, FIFOs, standard input and gzip: as if the files were given by name."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
from contextlib import ExitStack, contextmanager
from itertools import product

import pytest
from command import run, write_lines
from corpora import noisy_systems

from vecbleu.cli.program import COMMANDS

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no names of descriptors")


FILES = "r", "h", "s", "labels", "cut"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of more than a pipe holds, and statistics of two of them."""
    folder = tmp_path_factory.mktemp("streams")
    references, (one, two) = noisy_systems(1800, (0.1, 0.3))
    labels = ["news" if number % 3 else "talk" for number in range(1800)]
    write_lines(folder, {"r": references, "h": one, "s": two, "labels": labels, "cut": one[:9]})
    for name in FILES:
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    for name in "hs":
        assert run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz").returncode == 0
    assert (folder / "r").stat().st_size > 1 << 16
    return folder


@contextmanager
def fifo(path):
    """A FIFO with a file's data. Whoever reads it again finds it empty, and does not wait."""
    name = f"{path}.fifo"
    os.mkfifo(name)
    feed = ["sh", "-c", 'cat "$0" > "$1"; while :; do : > "$1"; done', path, name]
    with subprocess.Popen(feed, start_new_session=True) as feeder:
        try:
            yield name
        finally:
            os.killpg(feeder.pid, signal.SIGKILL)
    os.unlink(name)


@contextmanager
def pipe(path):
    """A pipe by the name that a shell gives it: <(cat path)."""
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
        yield f"/dev/fd/{cat.stdout.fileno()}"


@contextmanager
def dev_stdin(path):
    """A pipe as standard input, by its other name."""
    before = os.dup(0)
    with pipe(path) as name:
        os.dup2(int(name.rpartition("/")[2]), 0)
        try:
            yield "/dev/stdin"
        finally:
            os.dup2(before, 0)
            os.close(before)


def outcome(folder, command, names, stdin=b""):
    """The status of a command, what it says, and what it writes, with the usual names of files."""
    words = [names.get(word, word) for word in command.split()]
    done = run(folder, *words, stdin=stdin)
    said = (done.stdout + done.stderr).decode()
    for name, given in names.items():
        said = said.replace("standard input" if given == "-" else given, name)
    written = [path.read_bytes() for path in folder.glob("out.*")]
    for path in folder.glob("out.*"):
        path.unlink()
    return done.returncode, said, written


# Commands and their status.
STATUS = {
    "r -i h": 0,
    "r -i h -sl": 0,
    "r -i cut -sl": 2,
    "r -i h -ci -cin 9 -f json": 0,
    "r -i h s --names A B -m bleu chrf -pbs -pbsn 9": 0,
    "r -i h.npz -sl": 0,
    "cut -i h.npz": 2,
    "rank r -i h s --names A B --resamples 20 -m chrf bleu -cw 2": 0,
    "compare r -i h s --names A B --resamples 20 --labels labels --segments 0 --ngrams 0": 0,
    "explain r -i h s --names A B --line 1700": 0,
    "explain r -i h --line 1801": 2,
    "report r -i h s --names A B --labels labels --resamples 20 --title x -o out.html": 0,
    "report r -i h.npz s.npz --names A B --resamples 20 --title x -o out.html": 0,
    "report cut -i h.npz s.npz -o out.html": 2,
    "plot groups r -i h s --names A B --labels labels -o out.svg": 0,
    "stats r -i h -o out.npz": 0,
    "settings cut -i h --score 1": 2,
    "mbr -i h -n 2": 0,
    "mbr r -i h -n 2 -p 2": 0,
}


def test_every_command_is_tried():
    assert {command.split()[0] for command in STATUS} >= {*COMMANDS}


@pytest.mark.parametrize("command", STATUS)
def test_streams_and_gzip_give_what_files_give(folder, command):
    if command.startswith("plot"):
        pytest.importorskip("matplotlib")
    names = [word for word in command.split() if word in FILES]
    expected = outcome(folder, command, {})
    assert expected[0] == STATUS[command], expected[1]
    found = [outcome(folder, command, {name: f"{name}.gz" for name in names})]
    for kind in (fifo, pipe):  # all files at once
        with ExitStack() as stack:
            given = {name: stack.enter_context(kind(folder / name)) for name in names}
            found.append(outcome(folder, command, given))
    for name in names:
        with dev_stdin(folder / name) as given:
            found.append(outcome(folder, command, {name: given}))
        stdin = (folder / name).read_bytes()
        found.append(outcome(folder, command, {name: "-"}, stdin=stdin))
    if command == "r -i cut -sl":  # of streams, lines are printed until one ends
        lines = run(folder, "r", "-i", "h", "-sl").stdout.decode().splitlines(keepends=True)
        scores = "".join(lines[:9])
        found[1:] = [(two, said.removeprefix(scores), written) for two, said, written in found[1:]]
    assert found == [expected] * len(found)


# How often a command has to read the file r.
READS = {
    "compare r -i h s --segments 0": 2,
    "compare s -i h r --ngrams 0": 2,
    "compare r -i h.npz s.npz --ngrams 0": 2,
    "r -i r": 2,
    "mbr r -i r -n 2 -p 2": 2,
    "plot groups r -i h --labels r -o out.svg": 2,
    "report h -i r s --source r -o out.html": 2,
}


@pytest.mark.parametrize(
    ("kind", "command"), [*product([fifo, pipe, dev_stdin], READS), (dev_stdin, "r -i -")]
)
def test_what_has_to_be_read_twice_is_said_before_anything_is_read(folder, kind, command):
    with kind(folder / "r") as name:
        status, said, written = outcome(folder, command, {"r": name})
    assert (status, written) == (2, [])
    assert f"r is needed {READS.get(command, 2)} times" in said.replace(", standard input", "")

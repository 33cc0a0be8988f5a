"""The command line as a program: calls that sacreBLEU runs, pipes, terminals, signals, devices."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap

import pytest
from command import REFERENCES, SYSTEMS, error, run, write_lines
from corpora import noisy_systems

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(os.name != "posix", reason="signals, and a shell of POSIX")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    references, systems = noisy_systems(40, (0.2, 0.22))
    long = dict(zip(["long", "long1", "long2"], [references, *systems], strict=True))
    many = {"many": ["the cat sat on the mat"] * 20_000}
    write_lines(folder, SYSTEMS | {"r": REFERENCES} | long | many)
    (folder / "wmt14").mkdir()  # where sacreBLEU keeps a test set
    fields = dict.fromkeys(["src", "ref", "docid", "genre", "origlang"], REFERENCES)
    write_lines(folder / "wmt14", {f"wmt14.en-de.{field}": text for field, text in fields.items()})
    return folder


def run_program(folder, program, command):
    """Run a program in a process of its own; behind ``<`` stands its standard input."""
    arguments, _, stdin = command.partition(" < ")
    return subprocess.run(
        [sys.executable, "-m", program, *arguments.split()],
        cwd=folder,
        env=os.environ | {"SACREBLEU": str(folder), "NO_COLOR": "1"},
        input=(folder / stdin).read_bytes() if stdin else b"",
        capture_output=True,
    )


@pytest.mark.parametrize(
    "command",
    [
        "--list",
        "-t wmt14 -l en-de --echo src ref",
        "--test-set=wmt14 --language-pair=en-de -i h s",
        "-t wmt14 -l en-de -m ter -sl -b < h",
        "-t wmt14 -l en-de -i h s -m bleu ter -par -parn 40 -j 2 -f latex",
    ],
)
def test_a_call_that_is_handed_over_prints_what_sacrebleu_prints(folder, command):
    ours, theirs = (run_program(folder, program, command) for program in ("vecbleu", "sacrebleu"))
    assert theirs.returncode == 0, theirs.stderr
    assert theirs.stdout
    assert (ours.returncode, ours.stdout) == (0, theirs.stdout), ours.stderr


def test_failures_of_calls_that_are_handed_over(folder, monkeypatch):
    done = run_program(folder, "vecbleu", "-t wmt14 -l en-de -i none")
    assert done.returncode != 0
    assert (done.stdout, b"Traceback" in done.stderr) == (b"", False)
    monkeypatch.setattr("vecbleu.cli.score.find_spec", lambda name: None)
    assert "vecbleu[sacrebleu]" in error(run(folder, "-i", "h", "-t", "wmt14"))


def run_shell(folder, command):
    """Run a line of the shell in which $0 is Python."""
    shell = ["sh", "-c", command, sys.executable]
    return subprocess.run(shell, cwd=folder, capture_output=True)


@posix
@pytest.mark.parametrize("trap", ["", "trap '' PIPE; "])
@pytest.mark.parametrize("command", ["many -i many -sl", "mbr -i many -n 1"])
def test_a_pipe_that_is_closed_ends_it_quietly(folder, trap, command):
    """With the status that a shell reports of programs which the signal ends."""
    done = run_shell(folder, f'{trap}{{ "$0" -m vecbleu {command}; echo $? >&2; }} | head -n 1')
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b"141\n"


@posix
@pytest.mark.parametrize("redirection", ["<&-", "-i h >&-"])
def test_closed_streams_are_errors(folder, redirection):
    assert "closed" in error(run_shell(folder, f'"$0" -m vecbleu r {redirection}'))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")
@pytest.mark.parametrize("flags", ["", "-u"])
@pytest.mark.parametrize("command", ["r -i h", "stats r -i h -o full.npz", "--help"])
def test_a_full_device_is_an_error(folder, flags, command):
    done = run_shell(folder, f'"$0" {flags} -m vecbleu {command} > /dev/full')
    assert b"Traceback" not in done.stderr
    if command != "--help":
        assert os.strerror(errno.ENOSPC) in error(done)


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("command", ["report r -i h s -o page.html", "stats r -i h -o saved.npz"])
def test_a_signal_to_end_leaves_no_unfinished_file(folder, name, command):
    """While the file that is written has yet to get its name."""
    code = f"""
        import os, signal, sys, time
        signal.signal(signal.{name}, signal.SIG_DFL)  # which a shell may have ignored
        os.replace = lambda *paths: (os.kill(os.getpid(), signal.{name}), time.sleep(30))
        from vecbleu.cli import main
        sys.exit(main())
    """
    program = [sys.executable, "-c", textwrap.dedent(code), *command.split()]
    before = sorted(os.listdir(folder))
    done = subprocess.run(program, cwd=folder, capture_output=True)
    assert done.returncode == 128 + signal.Signals[name]
    assert b"Traceback" not in done.stderr
    assert sorted(os.listdir(folder)) == before


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

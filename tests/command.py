"""The command line, run as a user runs it."""

from __future__ import annotations

import subprocess
import sys


def run(folder, *arguments, stdin=b"", program=("-m", "vecbleu")):
    return subprocess.run(
        [sys.executable, *program, *arguments], cwd=folder, input=stdin, capture_output=True
    )


def lines(done):
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def error(done):
    """The line of a command that fails."""
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode().rstrip("\n")

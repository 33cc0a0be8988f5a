"""Runs of the command line, and of sacreBLEU's, in this process: a tenth of a new one's time."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from contextlib import chdir, contextmanager, suppress
from unittest import mock

import vecbleu.cli

with mock.patch("signal.signal"):  # it would have broken pipes end the process
    from sacrebleu.sacrebleu import main as sacrebleu_main
    from sacrebleu.utils import Color

REFERENCES = ["The cat sat.", "a dog barked at 3.5 cats!", "the", "whole other words"]
SYSTEMS = {
    "h": ["The cat sat.", "A dog barked loudly at 3.5 cats", "", "Nothing alike"],
    "s": ["A cat sat down.", "the dog barked at cats", "", "again, no match"],
    "t": ["The cat sat.", "a dog barked at 3.5 cats", "the", "other words"],
}


def write_lines(folder, texts):
    """Write files: lines by name."""
    for name, text in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in text), encoding="utf-8")


def run(folder, *arguments, stdin=b"", encoding="utf-8"):
    """Run vecbleu in some locale."""
    out, err = io.BytesIO(), io.BytesIO()
    files = {"stdout": out, "stderr": err}
    streams = {name: io.TextIOWrapper(files[name], encoding, write_through=True) for name in files}
    streams["stdin"] = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    with mock.patch.multiple(sys, **streams), fresh_process(folder):
        try:
            status = vecbleu.cli.main(arguments)
        except SystemExit as end:
            status = end.code or 0
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def run_sacrebleu(folder, *arguments, stdin=b""):
    """Run sacreBLEU, which opens the descriptors of standard input and output anew."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed:
        given.write(stdin)
        given.seek(0)
        streams = {
            name: open(os.dup(file.fileno()), mode, closefd=False)  # noqa: SIM115
            for name, file, mode in (("stdin", given, "r"), ("stdout", printed, "w"))
        }
        streams["stderr"] = io.StringIO()
        program = mock.patch.multiple(sys, **streams, argv=["sacrebleu", *arguments])
        colors = mock.patch.object(Color, "ENABLE_COLORS", True)
        no_color = mock.patch.dict(os.environ, NO_COLOR="1")
        with program, colors, no_color, fresh_process(folder), warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # it leaves files open
            with suppress(SystemExit):
                sacrebleu_main()
            sys.stdin.close()
            sys.stdout.close()
        printed.seek(0)
        return printed.read().decode(), streams["stderr"].getvalue()


@contextmanager
def fresh_process(folder):
    """The folder as the current one, and logging that nobody has set up yet."""
    root, own = logging.getLogger(), logging.getLogger("sacrebleu")
    levels = root.level, own.level
    with chdir(folder), mock.patch.object(root, "handlers", []):
        root.setLevel(logging.WARNING)
        own.setLevel(logging.NOTSET)
        try:
            yield
        finally:
            root.setLevel(levels[0])
            own.setLevel(levels[1])


def lines(done):
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def run_json(folder, *arguments, stdin=b""):
    """What a command prints as JSON, in which every number is finite."""
    printed = "\n".join(lines(run(folder, *arguments, "--json", stdin=stdin)))
    return json.loads(printed, parse_constant=lambda name: 1 / 0)


def error(done):
    """The line of a command that fails."""
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode().rstrip("\n")

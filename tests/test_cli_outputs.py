"""Files that the command line writes: their place is checked first, and they are replaced."""

from __future__ import annotations

import os

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, write_lines

import vecbleu

pytest.importorskip("matplotlib")


@pytest.fixture
def folder(tmp_path):
    write_lines(tmp_path, SYSTEMS | {"r": REFERENCES})
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "folder.png").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("missing/out", "No such file or directory"),
        ("folder", "Is a directory"),
        ("h/out", "Not a directory"),
    ],
)
def test_places_are_checked_before_text_is_read(folder, output, message):
    for suffix, command in (
        (".npz", ["stats", "r", "-i", "never"]),
        (".npz", ["stats", "-i", "a.npz", "b.npz"]),
        (".png", ["plot", "precisions", "r", "-i", "never"]),
    ):
        told = error(run(folder, *command, "-o", output + suffix))
        assert told == f"vecbleu {command[0]}: error: {output}{suffix}: {message}"


def test_outputs_are_replaced_and_stay_links(folder):
    (folder / "kept").mkdir()
    for suffix, command in (
        (".npz", ["stats", "r", "-i", "h"]),
        (".npz", ["stats", "-i", "h.npz", "t.npz"]),
        (".svg", ["plot", "precisions", "r", "-i", "h"]),
    ):
        for name in "ht":
            vecbleu.file_statistics(folder / name, folder / "r").save(folder / f"{name}.npz")
        old, link = folder / "kept" / f"old{suffix}", folder / f"link{suffix}"
        old.write_bytes(b"old")
        link.unlink(missing_ok=True)
        link.symlink_to(old)
        opened = old.open("rb")
        lines(run(folder, *command, "-o", link.name))
        with opened:
            assert opened.read() == b"old"
        assert link.is_symlink()
        assert old.read_bytes()[:3] != b"old"
        assert {one.suffix for one in (folder / "kept").iterdir()} <= {".npz", ".svg"}


def test_failed_commands_leave_outputs_as_they_were(folder, monkeypatch):
    (folder / "out.npz").write_bytes(b"old")
    (folder / "short").write_text("one line\n")
    assert "short" in error(run(folder, "stats", "short", "-i", "h", "-o", "out.npz"))
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space")))
    assert error(run(folder, "stats", "r", "-i", "h", "-o", "out.npz")).endswith(
        "out.npz: No space"
    )
    assert (folder / "out.npz").read_bytes() == b"old"
    assert not [*folder.glob(".vecbleu-*")]


def test_text_that_looks_tokenized_is_warned_of(folder):
    write_lines(folder, {"tokenized": ["a b ."] * 200})
    command = ["stats", "tokenized", "-i", "tokenized", "-o", "out.npz"]
    assert b"tokeni" in run(folder, *command).stderr
    assert run(folder, *command, "-q").stderr == b""

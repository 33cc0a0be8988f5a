"""Files that are written: replaced as a whole, or left as they were."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from vecbleu.core import output
from vecbleu.core.output import check_writable, replaced_file

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
HAS_FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def write(path, data=b"new"):
    with replaced_file(path) as file:
        file.write(data)


@pytest.fixture
def kept(tmp_path):
    """A folder with a file."""
    (tmp_path / "kept").write_bytes(b"old")
    return tmp_path


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def fail_in_the_middle(path, error):
    with replaced_file(path) as file:
        file.write(b"half")
        file.flush()
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_fails_leaves_the_old_file_and_no_other(kept, error):
    for name in ("kept", "fresh"):
        with pytest.raises(error):
            fail_in_the_middle(kept / name, error)
        assert content(kept) == {"kept": b"old"}


def test_a_file_is_replaced_when_it_is_whole(kept):
    with replaced_file(kept / "kept") as file:
        file.write(b"new")
        file.flush()
        assert (kept / "kept").read_bytes() == b"old"
    write(kept / "fresh")
    write(os.fsencode(kept / "bytes"))
    assert content(kept) == dict.fromkeys(["kept", "fresh", "bytes"], b"new")


def test_full_disks_name_the_path_as_it_was_given(kept, monkeypatch):
    monkeypatch.chdir(kept)
    with pytest.raises(OSError, match="No space") as caught, replaced_file("kept"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert (caught.value.filename, caught.value.errno) == ("kept", errno.ENOSPC)
    assert content(kept) == {"kept": b"old"}

    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(output.os, "replace", fail)
    with pytest.raises(OSError, match="'kept'"):
        write("kept")
    assert content(kept) == {"kept": b"old"}


@POSIX
def test_new_files_have_the_mode_of_open(kept):
    old = os.umask(0o027)
    try:
        write(kept / "fresh")
        assert stat.S_IMODE((kept / "fresh").stat().st_mode) == 0o640
    finally:
        os.umask(old)


@POSIX
def test_links_stay_links(kept):
    (kept / "folder").mkdir()
    (kept / "link").symlink_to("folder/target")
    (kept / "other").symlink_to("link")
    for name in ("link", "other"):  # first to nothing
        write(kept / name, name.encode())
        assert (kept / "folder" / "target").read_bytes() == name.encode()
        assert (kept / name).is_symlink()


@POSIX
def test_special_files_are_written_to(kept):
    write(os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    os.mkfifo(kept / "pipe")
    writer = threading.Thread(target=write, args=(kept / "pipe",))
    writer.start()
    assert (kept / "pipe").read_bytes() == b"new"
    writer.join()
    assert (kept / "pipe").is_fifo()


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
def test_standard_output_is_not_replaced(tmp_path):
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        with open(tmp_path / "log", "w+b") as log:
            program = (
                "from vecbleu.core.output import replaced_file\n"
                f"with replaced_file({name!r}) as file: file.write(b'new')"
            )
            subprocess.run([sys.executable, "-c", program], stdout=log, check=True)
            log.seek(0)
            assert log.read() == b"new"


@HAS_FULL
def test_full_devices_are_named():
    with pytest.raises(OSError, match="/dev/full"):
        write("/dev/full")


def test_places_where_nothing_can_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("folder").mkdir()
    cases = {
        "folder": IsADirectoryError,
        "": IsADirectoryError,
        "fresh/": IsADirectoryError,
        "missing/fresh": FileNotFoundError,
        "file/fresh": NotADirectoryError,
    }
    for path, error in cases.items():
        for act in (check_writable, write):
            with pytest.raises(error) as caught:
                act(path)
            assert caught.value.filename == path
    check_writable("file")
    check_writable("folder/fresh")
    assert sorted(os.listdir()) == ["file", "folder"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_places_that_are_protected(tmp_path):
    (tmp_path / "file").touch(0o444)
    (tmp_path / "folder").mkdir(0o555)
    for path in (tmp_path / "file", tmp_path / "folder" / "fresh"):
        for act in (check_writable, write):
            with pytest.raises(PermissionError, match=str(path)):
                act(str(path))


@POSIX
def test_a_kill_leaves_the_old_file(tmp_path):
    (tmp_path / "kept").write_bytes(b"old")
    program = (
        "import sys, time\n"
        "from vecbleu.core.output import replaced_file\n"
        "with replaced_file('kept') as file:\n"
        "    file.write(b'half'); file.flush(); print(flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    (unfinished,) = tmp_path.glob(".vecbleu-*.unfinished")
    assert content(tmp_path) == {"kept": b"old", unfinished.name: b"half"}

"""Positions in files, for another process to read the same bytes again."""

from __future__ import annotations

import contextlib
import os
import stat

from vecbleu.core.parallel.futures import MovedBlockError
from vecbleu.core.records import dataclass


def _host() -> str:
    """The name of this machine."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


@dataclass(frozen=True, slots=True)
class FilePosition:
    """Where lines are found again: in the same file, unchanged."""

    path: str
    identity: tuple[int, ...]
    start: int
    host: str

    def read(self, size: int) -> bytes:
        """The lines, of which the file's last may have got its newline from us.

        MovedBlockError if they are no longer there, because the path leads to another file now:
        who found the position has read them, and counts them itself, as it does all without
        workers. ValueError on another machine, where the path may always have led elsewhere.
        """
        lines = b""
        with contextlib.suppress(OSError):
            if _identity(self.path) == self.identity:  # opening a pipe would wait for its writer
                with open(self.path, "rb") as file:
                    file.seek(self.start)
                    lines = file.read(size)  # its buffer reads on until there is all, or the end
                    if _identity(file.fileno()) != self.identity:
                        lines = b""
        if len(lines) == size - 1:
            lines += b"\n"
        if len(lines) == size:
            return lines
        if self.host == _host():
            raise MovedBlockError(f"{self.path}: the file has changed while it was read")
        raise ValueError(
            f"{self.path}: the machine {_host()} does not find the file that {self.host} reads "
            "under this path; all machines have to find the same one"
        )

    def check(self, file: int) -> None:
        """ValueError unless the open file is the same and unchanged."""
        if _identity(file) != self.identity:
            raise ValueError(f"{self.path}: the file has changed while it was read")


def find_position(name: str, file: int) -> FilePosition | None:
    """The beginning of an open file, if others can open the same one."""
    # Not by names like /dev/fd/3, which mean something else elsewhere.
    path = os.path.realpath(name)
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.fstat(file).st_mode) and _identity(path) == _identity(file):
            return FilePosition(path, _identity(file), 0, _host())
    return None


def _identity(file: int | str) -> tuple[int, ...]:
    """What is another for another file, or for one that has been written to.

    Not the device, whose number machines that share a file system do not share.
    """
    found = os.stat(file)
    return found.st_ino, found.st_size, found.st_mtime_ns

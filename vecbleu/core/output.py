"""Files that are written: each is replaced as a whole, or left as it was."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

# Where Linux lists a process' open files; a file without a name gets one through this.
_OPEN_FILES = "/proc/self/fd"


@contextmanager
def replaced_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new file that replaces the one at `path` when the block ends without an error.

    After an error, Ctrl-C or a kill, what stood there is whole, and nothing else is left; only
    where the system has no files without names (Linux has), a kill leaves
    ``.vecbleu-*.unfinished`` beside it. Mode and owner stay, and a symbolic link stays one. Pipes
    and devices are written to, and so is a file that may not be replaced. An OSError, in the block
    as well, names the path as it is given.
    """
    given = os.fsdecode(path)
    with errors_name(given):
        check_writable(given)
        target = os.path.realpath(given)
        with open(given, "wb") if is_stream(given) else _beside(target) as file:
            yield file


@contextmanager
def errors_name(path: str) -> Iterator[None]:
    """Have an OSError name this path: a full disk has none, and a new file one nobody knows."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def check_writable(path: str) -> None:
    """OSError unless a file can be written there; so hours of work are not done for nothing."""
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    reason = 0
    if not os.path.basename(path) or os.path.isdir(path):
        reason = errno.EISDIR
    elif os.path.islink(target):
        reason = errno.ELOOP
    elif os.path.exists(path) and not os.access(path, os.W_OK):
        reason = errno.EACCES
    elif not is_stream(path):
        if not os.path.exists(folder):
            reason = errno.ENOENT
        elif not os.path.isdir(folder):
            reason = errno.ENOTDIR
        elif not os.access(folder, os.W_OK | os.X_OK):
            reason = errno.EACCES
    if reason:
        raise OSError(reason, os.strerror(reason), path)


def is_stream(path: str) -> bool:
    """Whether a path leads to a pipe, a device, or what is open already, such as /dev/stdout."""
    if os.path.exists(path) and not os.path.isfile(path):
        return True
    for _ in range(40):  # as many links as Linux follows
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        if folder == "/dev/fd" or folder.startswith("/proc/"):
            return True
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            break
        path = os.path.join(folder, os.readlink(path))
    return False


@contextmanager
def _beside(target: str) -> Iterator[BinaryIO]:
    """A new file in the folder of another, which it replaces at the end."""
    name = os.path.join(os.path.dirname(target), f".vecbleu-{os.urandom(8).hex()}.unfinished")
    try:
        with _open_new(name) as file:
            with suppress(FileNotFoundError):
                _copy_rights(os.stat(target), file, name)
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not os.path.exists(name):
                # `src_dir_fd`, which an absolute path ignores, has Python follow the link.
                os.link(f"{_OPEN_FILES}/{file.fileno()}", name, src_dir_fd=file.fileno())
        _move(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _move(name: str, target: str) -> None:
    """Put a new file in the place of another, or else its content, so that no work is lost.

    A file that is mounted by itself, as into a container, can't be replaced; nor can somebody
    else's in a folder such as /tmp.
    """
    try:
        os.replace(name, target)
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EPERM):
            raise
        from shutil import copyfile  # 3 ms, which others need not wait for

        copyfile(name, target)
        os.unlink(name)


def _open_new(name: str) -> BinaryIO:
    """Open a file that has no name yet, and vanishes with the process; or else this one."""
    if hasattr(os, "O_TMPFILE") and os.path.exists(_OPEN_FILES):
        with suppress(OSError):  # not every file system has such files
            return open(os.open(os.path.dirname(name), os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    return open(name, "xb")


def _copy_rights(old: os.stat_result, file: BinaryIO, name: str) -> None:
    """Give a new file the mode of the old one, and its group and owner where that is allowed."""
    place = file.fileno() if os.chmod in os.supports_fd else name
    if hasattr(os, "chown"):
        # One by one: a member of the group may keep the group of somebody else's file.
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
            with suppress(OSError):  # not allowed; or, in a container, of no user that it knows
                os.chown(place, owner, group)
    os.chmod(place, stat.S_IMODE(old.st_mode))

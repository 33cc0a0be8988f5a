"""Files that are written: each is replaced as a whole, or left as it was."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

# What is open already: a file that a shell made for the output must not be replaced.
_OPEN = "/dev/std", "/dev/fd/", "/proc/"


@contextmanager
def replaced_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new file that replaces the one at `path` when the block ends without an error.

    After an error or Ctrl-C, what stood there is whole, and nothing else is left; a kill leaves
    ``.vecbleu-*.unfinished`` beside it. A symbolic link stays one. Pipes and devices are written
    to. An OSError, in the block as well, names the path as it is given.
    """
    given = os.fsdecode(path)
    check_writable(given)
    with _errors_name(given):
        if _is_stream(given):
            with open(given, "wb") as file:
                yield file
            return
        unfinished = _beside(given)
        try:
            with open(unfinished, "xb") as file:
                yield file
            os.replace(unfinished, os.path.realpath(given))
        except BaseException:
            with suppress(OSError):
                os.unlink(unfinished)
            raise


def check_writable(path: str) -> None:
    """Raise OSError unless a file can be written there, before hours of work are lost."""
    with _errors_name(path):
        if not os.path.basename(path) or os.path.isdir(path):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        if not _is_stream(path):
            trial = _beside(path)
            open(trial, "xb").close()
            os.unlink(trial)


@contextmanager
def _errors_name(path: str) -> Iterator[None]:
    """Have an OSError name this path: a full disk has none, and a new file one nobody knows."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _is_stream(path: str) -> bool:
    """Whether a path leads to a pipe, a device, or what is open already."""
    is_open = os.path.abspath(path).startswith(_OPEN)
    return is_open or (os.path.exists(path) and not os.path.isfile(path))


def _beside(path: str) -> str:
    """Return a new name in the folder of a file, or of what a link leads to."""
    folder = os.path.dirname(os.path.realpath(path))
    return os.path.join(folder, f".vecbleu-{os.urandom(8).hex()}.unfinished")

"""Write files, each as a whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

# Files that are open already: a file that the shell redirects output to must not be replaced.
_OPEN = "/dev/std", "/dev/fd/", "/proc/"


@contextmanager
def replaced_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new file that replaces the one at `path` when the block ends without an error.

    After an error or Ctrl-C, the old file is unchanged and no other file is left. A killed process
    leaves ``.vecbleu-*.unfinished`` beside it. Symbolic links are kept. Pipes and devices are
    written directly. An OSError, raised here or in the block, names the given path.
    """
    given = os.fsdecode(path)
    check_writable(given)
    with _named_in_errors(given):
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
    """Raise OSError if `path` can't be written; call this before hours of work."""
    with _named_in_errors(path):
        if not os.path.basename(path) or os.path.isdir(path):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        if not _is_stream(path):
            trial = _beside(path)
            open(trial, "xb").close()
            os.unlink(trial)


@contextmanager
def _named_in_errors(path: str) -> Iterator[None]:
    """Put this path into each OSError, which may name a temporary file or none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _is_stream(path: str) -> bool:
    """Return whether a path leads to a pipe, a device or an open file."""
    is_open = os.path.abspath(path).startswith(_OPEN)
    return is_open or (os.path.exists(path) and not os.path.isfile(path))


def _beside(path: str) -> str:
    """Return the path of a temporary file in the folder of a file; links are followed."""
    folder = os.path.dirname(os.path.realpath(path))
    return os.path.join(folder, f".vecbleu-{os.urandom(8).hex()}.unfinished")

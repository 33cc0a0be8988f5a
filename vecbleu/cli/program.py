"""The program: runs a command, prints its lines, and turns errors into messages."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module

from vecbleu.cli.colors import shown
from vecbleu.cli.messages import print_error, warnings_as_lines
from vecbleu.core.terminal import Verbatim

# The module of each; a file of references with such a name is given as ./stats.
_COMMANDS = {
    "compare": "compare",
    "explain": "explain",
    "mbr": "mbr",
    "nearest": "nearest",
    "plot": "plot",
    "report": "report",
    "self": "self_bleu",
    "stats": "stats",
}

COMMANDS = tuple(_COMMANDS)

# What a shell reports of a program that a closed pipe ends: 128, and the number of SIGPIPE.
_CLOSED_PIPE = 141


def run(arguments: list[str]) -> int:
    """Run a command, and print its lines; returns the exit status."""
    if sys.stdout is None:
        return print_error("standard output is closed")
    _occupy_standard_descriptors()
    if hasattr(sys.stdout, "reconfigure"):  # the same bytes in any locale and on any platform
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    command = arguments[0] if arguments and arguments[0] in _COMMANDS else ""
    program = f"vecbleu {command}".rstrip()
    try:
        with warnings_as_lines():
            return _print_lines(command, arguments)
    except OSError as error:
        if _is_closed_pipe(error):  # nobody reads on, as behind `| head`
            return _CLOSED_PIPE
        message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return print_error(message, program)
    except (ValueError, TypeError, ImportError, OverflowError) as error:
        return print_error(str(error), program)
    except MemoryError as error:
        return print_error(f"out of memory {error}".rstrip(), program)
    finally:
        _discard_unwritten()


def _print_lines(command: str, arguments: list[str]) -> int:
    """Print the lines of a command, or of scoring; returns the exit status.

    Here, and nowhere else, text for a terminal is escaped, and colored after that; tables and
    compare's lines of scores escape names before they align them, and columns of text the tabs in
    it.
    """
    status = 0
    try:
        for line in _lines(command, arguments):
            is_exact = isinstance(line, Verbatim) and not sys.stdout.isatty()
            print(line if is_exact else shown(line, sys.stdout))
    except SystemExit as end:  # after --help, --version and usage errors
        status = int(end.code or 0)
    sys.stdout.flush()
    return status


def _lines(command: str, arguments: list[str]) -> Iterator[str]:
    """Run the command that the first argument names, or else scoring; its lines."""
    if arguments and not command:
        _check_first(arguments[0])
    module = import_module(f"vecbleu.cli.{_COMMANDS.get(command, 'scoring')}")
    run_command: Callable[[list[str]], Iterator[str]] = module.run
    return run_command(arguments[1:] if command else arguments)


def _check_first(argument: str) -> None:
    """ValueError for what is no file, and nearly a command."""
    if not argument.isalpha() or os.path.exists(argument):
        return
    from difflib import get_close_matches  # 5 ms, which only errors wait for

    for command in get_close_matches(argument.lower(), _COMMANDS, 1, 0.7):
        raise ValueError(f"{argument!r} is neither a file nor a command; did you mean {command}?")


def _occupy_standard_descriptors() -> None:
    """Open what is closed of standard input, output and error.

    The next file that is opened would get the number of standard error, and with it the messages
    of worker processes and of libraries in C.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _is_closed_pipe(error: OSError) -> bool:
    """Whether nobody reads what is written; Windows has the number of names it does not allow."""
    is_on_windows = sys.platform.startswith("win") and error.filename is None
    return error.errno == errno.EPIPE or (is_on_windows and error.errno == errno.EINVAL)


def _discard_unwritten() -> None:
    """Let go what standard output does not take; Python would try again, and print its error."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):  # a stream without a descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

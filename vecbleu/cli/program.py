"""Run a command, print its lines, and turn errors into messages."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module

from vecbleu.arguments.checks import MarkWarning
from vecbleu.arguments.errors import ArgumentFields
from vecbleu.files.lines import LineNumbersError
from vecbleu.files.sources import STANDARD_INPUT, NotUtf8Error, label_of
from vecbleu.show.terminal import Verbatim, escaped

COMMANDS = {
    "rank": "rank systems by the first metric of -m: scores, intervals, p-values, clusters",
    "compare": "show where systems differ from a baseline: groups, segments, n-grams",
    "explain": "explain the BLEU of one segment, n-gram by n-gram",
    "report": "write an HTML page on systems and all their segments",
    "plot": "draw scores, pairs, precisions or groups",
    "stats": "count a system and save its statistics, or join saved statistics of parts",
    "settings": "find the settings that give a score",
    "mbr": "choose a candidate per source by minimum Bayes risk, or by references (the oracle)",
}

_MODULES = {"": "score", "compare": "compare", "mbr": "mbr", "settings": "settings"}

OVERVIEW = """\
vecbleu REF [REF ...] -i SYS [SYS ...]    score systems, with sacreBLEU's options
{commands}

Examples:
  vecbleu ref.txt -i sys.txt
  vecbleu rank ref.txt -i a.txt b.txt c.txt
  vecbleu compare ref.txt -i a.txt b.txt
""".format(
    commands="\n".join(f"{f'vecbleu {name}':<18}  {text}" for name, text in COMMANDS.items())
)

# Exit status after the reader of the output has closed the pipe: 128 + number of SIGPIPE.
_CLOSED_PIPE = 141

BEHIND = "all files are references; to score a file, write -i FILE"

ENCODED = "or write --encoding NAME, such as utf-16, if all files have another encoding"

# Names of options in messages, by the names of Python's parameters; `start` sets them.
option_of: dict[str, str] = {}

# Warnings printed so far, by their text; None with --quiet.
_warned: dict[str, object] | None = {}

_COLORS = {"better": "1;32", "worse": "1;31"}


def run(arguments: list[str]) -> int:
    """Run a command, print its lines, and return the exit status."""
    if sys.stdout is None:
        return _print_error("standard output is closed")
    if hasattr(sys.stdout, "reconfigure"):  # the same bytes in any locale and on any platform
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if arguments[:1] == ["help"]:
        arguments = arguments[1:]
        if set(arguments) <= set(COMMANDS):
            arguments = [*arguments, "--help"]
    command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    program = f"vecbleu {command}".rstrip()
    start(False, {})
    show = warnings.showwarning
    warnings.showwarning = warn
    try:
        return _print_lines(command, arguments)
    except BrokenPipeError:  # the reader is gone, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE
    except OSError as error:
        name = error.filename
        message = str(error) if name is None else f"{name or repr('')}: {error.strerror}"
        if not command and name == arguments[0] and name.replace("-", "").isalpha():
            message += f", and no such command; the commands are {', '.join(COMMANDS)}"
    except MemoryError as error:
        message = f"out of memory: {error}"
    except LineNumbersError as error:
        reads_nothing = error.counts.get(label_of(STANDARD_INPUT)) == 0
        message = f"{error}; {BEHIND}" if reads_nothing else str(error)
    except NotUtf8Error as error:
        message = f"{error}, {ENCODED}"
    except (ValueError, TypeError, ImportError, OverflowError) as error:
        message = _with_option(error)
    finally:
        warnings.showwarning = show
    return _print_error(message, program)


def _print_lines(command: str, arguments: list[str]) -> int:
    """Print the lines of a command, or of scoring if none is named; return the exit status.

    Text is escaped here, unless it is `Verbatim`; tables escape names when they align them.
    """
    status = 0 if arguments else 2
    lines = [*OVERVIEW.split("\n"), "vecbleu --help lists all options of scoring."]
    try:
        if arguments:
            module = import_module(f"vecbleu.cli.{_MODULES.get(command, 'commands')}")
            run_command = getattr(module, f"run_{command or 'score'}")
            lines = run_command(arguments[1:] if command else arguments)
        for line in lines:
            print(line if isinstance(line, Verbatim) else escaped(line))
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        sys.stdout.flush()
    return status


def start(is_quiet: bool, names: Mapping[str, str]) -> None:
    """Print each warning once, or none; in messages, name options instead of parameters."""
    global _warned
    _warned = None if is_quiet else {}
    option_of.clear()
    option_of.update(names)


def warn(message: object, *_: object, **__: object) -> None:
    """Print a warning as one line on standard error, without the place in the code."""
    if _warned is None or sys.stderr is None:
        return
    is_of_text = isinstance(message, MarkWarning) and message.argument
    if is_of_text and MarkWarning in map(type, _warned.values()):
        return  # the file of the text has been named
    if str(message) not in _warned:
        _warned[str(message)] = message
        print(f"vecbleu: {escaped(_with_option(message))}", file=sys.stderr)


def _with_option(message: object) -> str:
    """Return a message that names an option of the command line instead of a parameter."""
    if isinstance(message, ArgumentFields):
        return message.message(option_of.get(message.argument, message.argument))
    return str(message)


def _print_error(message: str, program: str = "vecbleu") -> int:
    """Print the message as one line on standard error; return the exit status."""
    if sys.stderr is not None:
        with suppress(OSError):  # the device can be full
            print(f"{program}: error: {escaped(message)}", file=sys.stderr)
    return 2


def colored(text: str, mark: str = "") -> str:
    """Escape text; on a terminal, color what is "better" or "worse" (https://no-color.org)."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if not mark or is_plain or not sys.stdout.isatty():
        return escaped(text)
    return f"\x1b[{_COLORS[mark]}m{escaped(text)}\x1b[0m"

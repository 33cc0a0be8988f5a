"""The program: runs a command, prints its lines, and turns errors into messages."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from vecbleu.cli.arguments import print_error

# Each is a module beside this one; a file of references with such a name is given as ./stats.
_COMMANDS = ["compare", "plot", "stats"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, or 2 after an error."""
    if sys.stdout is None:
        return print_error("standard output is closed")
    logging.basicConfig(format="vecbleu: %(message)s")
    if hasattr(sys.stdout, "reconfigure"):  # as sacreBLEU, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        for line in _run([*sys.argv[1:]] if arguments is None else [*arguments]):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on, as behind `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return print_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, TypeError, ImportError) as error:
        return print_error(str(error))
    except MemoryError as error:
        return print_error(f"out of memory: {error}")
    except KeyboardInterrupt:
        return 130
    return 0


def _run(arguments: list[str]) -> Iterator[str]:
    """Run the command that the first argument names, or else scoring; yields its lines."""
    name = arguments.pop(0) if arguments and arguments[0] in _COMMANDS else "scoring"
    run: Callable[[list[str]], Iterator[str]] = import_module(f"vecbleu.cli.{name}").run
    return run(arguments)

"""The program: which command is run, its lines, its errors."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from vecbleu.cli.arguments import one_line

# A file of references with such a name is given as ./stats.
_COMMANDS = {
    "compare": "vecbleu.cli.compare",
    "plot": "vecbleu.cli.plot",
    "stats": "vecbleu.cli.stats",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0, or 2 after an error."""
    if sys.stdout is None:
        return _fail("standard output is closed")
    logging.basicConfig(format="vecbleu: %(message)s")
    if hasattr(sys.stdout, "reconfigure"):  # as sacreBLEU, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        for line in _run([*sys.argv[1:]] if arguments is None else [*arguments]):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, TypeError, ImportError) as error:
        return _fail(str(error))
    except MemoryError as error:
        return _fail(f"out of memory: {error}")
    except KeyboardInterrupt:
        return 130
    return 0


def _run(arguments: list[str]) -> Iterator[str]:
    """The lines of the command that the first argument names, or else of scoring."""
    command = _COMMANDS.get(arguments[0]) if arguments else None
    if command is not None:
        del arguments[0]
    module = import_module(command or "vecbleu.cli.scoring")
    run: Callable[[list[str]], Iterator[str]] = module.run
    return run(arguments)


def _fail(message: str) -> int:
    """One line on standard error, if there is one."""
    if sys.stderr is not None:
        print(f"vecbleu: error: {one_line(message)}", file=sys.stderr)
    return 2

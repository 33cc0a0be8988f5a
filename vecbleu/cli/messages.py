"""What the command line says on standard error: errors and warnings, each on one line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from vecbleu.core.terminal import escaped
from vecbleu.sacrebleu import options


def print_error(message: str, program: str = "vecbleu") -> int:
    """Print the message as one line on standard error; returns the exit status."""
    if sys.stderr is not None:
        with suppress(OSError):  # a full device; the status tells
            print(f"{program}: error: {escaped(message)}", file=sys.stderr)
    return 2


def warn(message: str) -> None:
    """Log a warning."""
    set_up_logging()
    options.warn(message)


def set_up_logging() -> None:
    """Print what is logged, unless the program around this one has its own ways."""
    import logging  # 4 ms, which only warnings wait for

    class LineFormatter(logging.Formatter):
        """Formats records as text for terminals."""

        def format(self, record: logging.LogRecord) -> str:
            return escaped(super().format(record))

    handler = logging.StreamHandler()
    handler.setFormatter(LineFormatter("vecbleu: %(message)s"))
    logging.basicConfig(handlers=[handler])


def set_quiet(quiet: bool) -> None:
    """Whether nothing but errors is printed."""
    if quiet or "logging" in sys.modules:
        import logging

        logging.getLogger(options.LOGGER).setLevel(logging.ERROR if quiet else logging.WARNING)


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Log Python's warnings, without the place in the code that they come from."""

    def log(message: Warning | str, *_: Any, **__: Any) -> None:
        warn(str(message))

    show, warnings.showwarning = warnings.showwarning, log
    try:
        yield
    finally:
        warnings.showwarning = show

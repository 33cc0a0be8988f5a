"""The functions of `sacrebleu.utils` that need nothing else; the others are passed on."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import IO, Any

from vecbleu.core.scoring.smoothing import LOG_ZERO
from vecbleu.sacrebleu.installed import pass_on


def smart_open(file: str | os.PathLike[str], mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    r"""Open a text file, compressed with gzip if its name ends in .gz; only ``\n`` ends lines.

    Parameters
    ----------
    file : str or path
        The file.
    mode : str
        The mode of the built-in `open`.
    encoding : str
        The encoding.

    Returns
    -------
    file object
    """
    if not os.fspath(file).endswith(".gz"):
        return open(file, mode, encoding=encoding, newline="\n")
    import gzip

    return gzip.open(file, mode, encoding=encoding, newline="\n")  # type: ignore[return-value]


def my_log(num: float) -> float:
    """Take the logarithm; of zero, -9999999999, of which the exponential is zero."""
    return LOG_ZERO if num == 0 else math.log(num)


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Any:
    """Add up lists of numbers, place by place; a single one is given back as it is."""
    if len(lists) == 1:
        return lists[0]
    zero = type(lists[0][0])(0)
    return [reduce(add, column, zero) for column in zip(*lists, strict=True)]


__getattr__, __dir__ = pass_on(__name__, "utils")

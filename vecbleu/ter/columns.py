"""Define the columns of counts of TER: edits, and the mean length of the references.

The mean of several references can be a fraction of a word. A row has its whole words and its rest,
in parts of a word that 1 to 16 references divide, so that rows are integers and add up exactly.
With more references, the rest is rounded to such parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.core.counts import refuse_impossible
from vecbleu.kernel.arrays import Counts, Float64, Int64

COLUMNS = "edits", "ref_len", "ref_parts"

# Parts of a word: 720720.
PARTS = math.lcm(*range(1, 17))

Integers = TypeVar("Integers", int, Int64)


def mean_length(total: Integers, references: Integers) -> tuple[Integers, Integers]:
    """Return the whole words and the parts of the mean, given the sum of all lengths."""
    words, rest = total // references, total % references
    return words, (rest * PARTS + references // 2) // references


def length_of_row(row: Sequence[int]) -> float:
    """Return the mean length of the references, given one row of counts (3,)."""
    _, words, parts = row
    return (words * PARTS + parts) / PARTS


def lengths_of_rows(counts: Counts) -> Float64:
    """Return the mean lengths of the references (...), given counts (..., 3)."""
    words = np.asarray(counts[..., 1], np.float64)
    lengths: Float64 = (words * PARTS + counts[..., 2]) / PARTS
    return lengths


def check_possible(counts: Counts) -> None:
    """Raise ValueError if no text has such counts (..., 3)."""
    width = counts.shape[-1] if counts.ndim else 0
    if width != len(COLUMNS):
        raise ArgumentError(f"has {width} columns", ", ".join(COLUMNS))
    refuse_impossible(counts)

"""Find equal numbers without sorting them all."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.signedinteger[Any]]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def distinct(numbers: npt.NDArray[Any]) -> tuple[Indices, Indices]:
    """Return the index of each distinct number, ascending, and which of them each number equals."""
    first = first_indices(numbers)
    is_first = first == np.arange(len(first))
    return np.flatnonzero(is_first), (np.cumsum(is_first) - 1)[first]


def first_indices(numbers: npt.NDArray[Any]) -> Indices:
    """Return for each 64-bit number the index of the first number that equals it.

    Each number writes its index into a slot of a table, chosen by some of its bits; the first one
    stays. Only numbers whose slot ends up with a different number, about a fifth, are sorted.
    """
    bits = max(len(numbers).bit_length() + 1, 4)
    hashed = numbers.view(np.uint64) * _MULTIPLIER
    hashed >>= np.uint64(64 - bits)
    slots = hashed.view(np.int64)
    # Indices of 32 bits take half the memory, and more of them fit into the cache.
    narrow = np.dtype(np.int32 if len(numbers) < 1 << 31 else np.int64)
    table: Indices = np.empty(1 << bits, narrow)
    table[slots[::-1]] = np.arange(len(numbers), dtype=narrow)[::-1]
    indices = table[slots]
    lost = np.flatnonzero(numbers[indices] != numbers)
    if lost.size:
        _, first, inverse = np.unique(numbers[lost], return_index=True, return_inverse=True)
        indices[lost] = lost[first][inverse]
    return indices

"""Resampled corpora: sums of rows of statistics, by weights drawn at random.

The draws are sacreBLEU's, number for number, and are made once for any number of systems: tables of
the same segments are put side by side, and the weights times that table are all sums at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.progress import Advance, ignore
from vecbleu.ragged import Int64

Floats = npt.NDArray[np.float64]

# What sacreBLEU starts its generator with.
SEED = 12345

# Weights held at a time, unless `batch` says how many resamples are: half a megabyte, as much again
# for the draws, and both stay in the level-2 cache. With 16 times as many it takes 4 times as long.
_WEIGHTS = 1 << 16


def generator(rng: Any) -> np.random.Generator:
    """A generator by itself or by its seed, of which 0 is one; None draws a seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is not None and (not isinstance(rng, (int, np.integer)) or isinstance(rng, bool)):
        raise TypeError(f"rng is {rng!r}, expected a numpy.random.Generator, an integer or None")
    if rng is not None and rng < 0:
        raise ValueError(f"rng is {rng}, expected a seed of at least 0")
    return np.random.default_rng(rng)


def bootstrap_sums(
    table: Floats,
    resamples: int,
    rng: np.random.Generator,
    batch: int | None = None,
    advance: Advance = ignore,
) -> Floats:
    """Sum rows (segments, columns) drawn with replacement -> (resamples, columns).

    sacreBLEU adds float32, which is exact up to 2**24 tokens; these sums are exact up to 2**53.
    """
    size = len(table)
    sums = np.empty((resamples, table.shape[1]))
    for start, stop in _portions(resamples, size, batch, 1):
        drawn = rng.choice(size, size=(stop - start, size), replace=True)
        sums[start:stop] = _times_drawn(drawn, size) @ table
        advance(stop - start)
    return sums


def _times_drawn(drawn: Int64, size: int) -> Floats:
    """How often each segment was drawn (resamples, segments); the draws are overwritten."""
    drawn += np.arange(len(drawn))[:, None] * size
    times = np.bincount(drawn.reshape(-1), minlength=drawn.size)
    return times.reshape(drawn.shape).astype(np.float64)


def selection_sums(
    table: Floats,
    trials: int,
    rng: np.random.Generator,
    batch: int | None = None,
    advance: Advance = ignore,
) -> Floats:
    """Sum rows (segments, columns) taken with probability 1/2 each -> (trials, columns)."""
    size = len(table)
    sums = np.empty((trials, table.shape[1]))
    # NumPy takes booleans from 32 bits at a time and begins anew with every call.
    multiple = 32 // math.gcd(size, 32)
    for start, stop in _portions(trials, size, batch, multiple):
        taken = rng.integers(2, size=(stop - start, size), dtype=bool)
        sums[start:stop] = taken.astype(np.float64) @ table
        advance(stop - start)
    return sums


def _portions(count: int, size: int, batch: int | None, multiple: int) -> Iterator[tuple[int, int]]:
    """Cut resamples into portions of at most a batch, or of one multiple."""
    most = max(1, _WEIGHTS // max(size, 1)) if batch is None else batch
    step = max(most // multiple, 1) * multiple
    return ((start, min(start + step, count)) for start in range(0, count, step))

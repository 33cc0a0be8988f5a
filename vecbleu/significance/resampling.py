"""Draw segments at random and add up their statistics, with sacreBLEU's random numbers.

All systems share the same draws. Their rows stand side by side in one matrix (segments, columns).
A second matrix (draws, segments) says how often each segment is drawn. Their product has all sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

import numpy as np

from vecbleu.arguments.checks import checked_integer, warn_caller
from vecbleu.arguments.errors import argument
from vecbleu.arguments.options import checked_progress
from vecbleu.kernel.arrays import Counts, Float, Float64, keep_freed_memory
from vecbleu.parallel.progress import progress_bar

Rng = np.random.Generator | int | None
Test = Literal["bootstrap", "randomization"]

# sacreBLEU's default seed.
SEED = 12345

# With fewer segments or groups, a bootstrap makes p-values too small and intervals too narrow.
FEWEST = 10

# Upper bound of draws; more do not fit into memory.
_MAX_DRAWS = 2**31

# Random numbers drawn at a time: half a megabyte.
_NUMBERS_AT_ONCE = 1 << 16

# Fewest draws summed at a time: a product with fewer rows takes longer per draw.
_FEWEST_AT_ONCE = 8

# Multiply-adds of one product. OpenBLAS splits larger ones among threads, which wait for each
# other if other programs run.
_MULTIPLY_ADDS = 1 << 18

# Largest sum for float32: integers are exact up to here, and products are faster.
_MOST_FLOAT32 = 1 << 24


class Draws(NamedTuple):
    """How to draw."""

    test: Test
    n_resamples: int | None  # as many as it takes
    rng: np.random.Generator
    progress: bool | None = False

    @classmethod
    def checked(
        cls, test: Test, n_resamples: int | None, rng: Rng, progress: bool | None = False
    ) -> Draws:
        """Return checked arguments of a user."""
        if n_resamples is not None:
            with argument("n_resamples"):
                n_resamples = checked_integer(n_resamples, 1, _MAX_DRAWS)
        if rng is not None and not isinstance(rng, np.random.Generator):
            with argument("rng"):
                rng = checked_integer(rng, 0, or_else=", a numpy.random.Generator or None")
        with argument("progress"):
            progress = checked_progress(progress)
        return cls(test, n_resamples, np.random.default_rng(rng), progress)


def warn_if_few(test: Test, rows: int, unit: str = "segments") -> None:
    """Warn of a bootstrap of few segments, or of few groups."""
    if test == "bootstrap" and rows < FEWEST:
        warn_caller(
            f"{rows} {unit} are too few for the bootstrap: below {FEWEST}, "
            "p-values are too small and intervals too narrow; the randomization test stays valid"
        )


def draw_sums(
    tables: Sequence[Counts], draws: Draws, count: int, task: str | None = None
) -> Float64:
    """Draw the same rows of all tables (segments, columns); return sums (draws, tables, columns).

    Sums are exact up to 2**53. sacreBLEU adds in float32, which rounds beyond 2**24 tokens.
    """
    segments = len(tables[0])
    is_bootstrap = draws.test == "bootstrap"
    keep_freed_memory()
    is_small = segments * max(table.max() for table in tables) <= _MOST_FLOAT32
    is_whole = all(table.dtype == np.int64 for table in tables)
    dtype = np.float32 if is_small and is_whole else np.float64
    rows: Float = np.concatenate(tables, axis=1, dtype=dtype, casting="unsafe")
    sums = np.empty((count, rows.shape[1]))
    step = max(_NUMBERS_AT_ONCE // segments, _FEWEST_AT_ONCE)
    if not is_bootstrap:
        # NumPy draws booleans 32 at a time, and drops unused ones after each call: leave none.
        multiple = 32 // math.gcd(segments, 32)
        step = max(step // multiple, 1) * multiple
    # Reused for all draws: new memory takes longer.
    times = np.empty((min(step, count), segments), dtype)
    with progress_bar(draws.progress, count, "resamples", task) as advance:
        for start in range(0, count, step):
            times = times[: count - start]
            if is_bootstrap:
                _draw_with_replacement(draws.rng, times)
            else:
                times[:] = draws.rng.integers(2, size=times.shape, dtype=bool)
            sums[start : start + step] = _product(times, rows)
            advance(len(times))
    return sums.reshape(count, len(tables), -1)


def central_interval(scores: Float, confidence_level: float) -> tuple[Float, Float]:
    """Return the interval (...) of resampled scores (..., draws), by sacreBLEU's rule."""
    count = scores.shape[-1]
    outside = 1 - Decimal(repr(confidence_level))
    trimmed = int(count * outside / 2)  # at either end
    ranked = np.sort(scores)
    return ranked[..., trimmed], ranked[..., count - trimmed - 1]


def _draw_with_replacement(rng: np.random.Generator, times: Float) -> None:
    """Write how often each segment is drawn (draws, segments)."""
    size = times.shape[1]
    at_once = max(_NUMBERS_AT_ONCE // size, 1)
    for start in range(0, len(times), at_once):
        batch = times[start : start + at_once]
        cells = rng.integers(size, size=batch.shape)  # the numbers of `choice`
        cells += np.arange(len(batch))[:, None] * size
        batch[:] = 0
        one = batch.dtype.type(1)
        # Not `bincount`, which takes no int64 on 32-bit systems.
        np.add.at(batch.reshape(-1), cells.reshape(-1), one)


def _product(times: Float, table: Float) -> Float:
    """Return times (draws, segments) @ table (segments, columns), in parts."""
    draws, columns = len(times), table.shape[1]
    at_once = max(_MULTIPLY_ADDS // (draws * columns), 1)
    total: Float = np.zeros((draws, columns), table.dtype)
    for start in range(0, len(table), at_once):
        segments = slice(start, start + at_once)
        total += times[:, segments] @ table[segments]
    return total

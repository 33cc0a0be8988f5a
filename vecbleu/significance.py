"""Resampling of segments: random weights on rows of statistics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vecbleu.ragged import Int64
from vecbleu.statistics import Statistics

# Random indices held at a time.
_INDICES = 1 << 20


def bootstrap_sums(statistics: Statistics, resamples: int, seed: int | None) -> Int64:
    """Sum the statistics of resampled corpora (resamples, columns).

    Segments are drawn with replacement, by the generator and in the order that sacreBLEU draws
    them in. sacreBLEU then adds float32, which is exact up to 2**24 tokens; these sums are exact.
    """
    array = statistics.to_array().astype(np.float64)  # (segments, columns); exact up to 2**53
    size = len(array)
    rng = np.random.default_rng(seed)
    sums = np.empty((resamples, array.shape[1]))
    at_once = max(1, _INDICES // size)
    for start in range(0, resamples, at_once):
        stop = min(start + at_once, resamples)
        drawn = rng.choice(size, size=(stop - start, size), replace=True)
        sums[start:stop] = _times_drawn(drawn, size) @ array
    return sums.astype(np.int64)


def _times_drawn(drawn: Int64, size: int) -> npt.NDArray[np.float64]:
    """How often each segment was drawn (resamples, segments)."""
    places = drawn + np.arange(len(drawn))[:, None] * size
    times = np.bincount(places.reshape(-1), minlength=drawn.size)
    return times.reshape(drawn.shape).astype(np.float64)

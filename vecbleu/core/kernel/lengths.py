"""The reference length of each segment, by name: closest, shortest, average, longest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vecbleu.core.arrays import Counts, Int64


def _closest(hyp_len: Int64, lengths: Int64, starts: Int64, counts: Int64) -> Counts:
    """The length nearest to the hypothesis'; of two equally near ones the shorter."""
    distance = np.abs(lengths - np.repeat(hyp_len, counts))
    # One number orders by distance, then by length. Lengths stay below 2**31: 2**31 tokens in a
    # segment would take more memory for their keys than machines have.
    return np.minimum.reduceat(distance << 31 | lengths, starts) & ((1 << 31) - 1)


def _shortest(hyp_len: Int64, lengths: Int64, starts: Int64, counts: Int64) -> Counts:
    """The shortest (mteval-v11, Hugging Face evaluate)."""
    return np.minimum.reduceat(lengths, starts)


def _average(hyp_len: Int64, lengths: Int64, starts: Int64, counts: Int64) -> Counts:
    """The mean, a float."""
    return np.add.reduceat(lengths, starts) / counts


def _longest(hyp_len: Int64, lengths: Int64, starts: Int64, counts: Int64) -> Counts:
    """The longest."""
    return np.maximum.reduceat(lengths, starts)


REF_LENGTHS: dict[str, Callable[[Int64, Int64, Int64, Int64], Counts]] = {
    "closest": _closest,
    "shortest": _shortest,
    "average": _average,
    "longest": _longest,
}


def reference_lengths(hyp_len: Int64, lengths: Int64, counts: Int64, ref_length: str) -> Counts:
    """Choose one length a segment.

    `lengths` (references,) belong to the segments in turn, `counts` (segments,), at least one, to
    each.
    """
    if not len(counts):
        return np.zeros(0, np.float64 if ref_length == "average" else np.int64)
    starts = np.cumsum(counts) - counts
    return REF_LENGTHS[ref_length](hyp_len, lengths, starts, counts)

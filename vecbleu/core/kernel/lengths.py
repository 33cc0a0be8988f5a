"""The reference length of each segment, by name: closest, shortest, longest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vecbleu.core.arrays import Index, Int64, as_index


def _closest(hyp_len: Int64, lengths: Int64, starts: Index, counts: Index) -> Int64:
    """The length nearest to the hypothesis'; of two equally near ones the shorter."""
    own = np.repeat(hyp_len, counts)
    # One number orders by distance, then by length.
    nearest = np.minimum.reduceat(np.abs(lengths - own) << 1 | (lengths > own), starts)
    found: Int64 = hyp_len + np.where(nearest & 1, nearest >> 1, -(nearest >> 1))
    return found


def _shortest(hyp_len: Int64, lengths: Int64, starts: Index, counts: Index) -> Int64:
    """The shortest (mteval-v11, Hugging Face evaluate)."""
    return np.minimum.reduceat(lengths, starts)


def _longest(hyp_len: Int64, lengths: Int64, starts: Index, counts: Index) -> Int64:
    """The longest."""
    return np.maximum.reduceat(lengths, starts)


REF_LENGTHS: dict[str, Callable[[Int64, Int64, Index, Index], Int64]] = {
    "closest": _closest,
    "shortest": _shortest,
    "longest": _longest,
}


def reference_lengths(hyp_len: Int64, lengths: Int64, counts: Int64, ref_length: str) -> Int64:
    """Choose one length a segment.

    `lengths` (references,) belong to the segments in turn, `counts` (segments,), at least one, to
    each.
    """
    if len(lengths) == len(counts):  # of one reference, all rules make the same
        return lengths
    sizes = as_index(counts)
    return REF_LENGTHS[ref_length](hyp_len, lengths, np.cumsum(sizes) - sizes, sizes)

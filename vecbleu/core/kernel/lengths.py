"""The reference length of each segment, by name: closest, shortest, longest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vecbleu.core.arrays import Index, Int64, as_index
from vecbleu.core.records import dataclass


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


@dataclass(frozen=True, slots=True, eq=False)
class SharedLengths:
    """The lengths of references that all hypotheses have in common."""

    distinct: Int64  # in ascending order

    @classmethod
    def of(cls, lengths: Int64) -> SharedLengths:
        """Those of at least one reference."""
        return cls(np.unique(lengths))

    def choose(self, hyp_len: Int64, ref_length: str) -> Int64:
        """Choose one length for each hypothesis, as `reference_lengths` does."""
        if ref_length != "closest":
            return np.full(len(hyp_len), self.distinct[0 if ref_length == "shortest" else -1])
        place, last = np.searchsorted(self.distinct, hyp_len), len(self.distinct) - 1
        shorter = self.distinct[np.maximum(place - 1, 0)]
        longer = self.distinct[np.minimum(place, last)]
        nearest: Int64 = np.where(hyp_len - shorter <= longer - hyp_len, shorter, longer)
        return nearest


def reference_lengths(hyp_len: Int64, lengths: Int64, counts: Int64, ref_length: str) -> Int64:
    """Choose one length a segment.

    `lengths` (references,) belong to the segments in turn, `counts` (segments,), at least one, to
    each.
    """
    if len(lengths) == len(counts):  # of one reference, all rules make the same
        return lengths
    sizes = as_index(counts)
    return REF_LENGTHS[ref_length](hyp_len, lengths, np.cumsum(sizes) - sizes, sizes)

"""Define `ChrfStatistics`, the sufficient statistics of chrF: an array with one row a segment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.score import ChrfScore, chrf_percents
from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.count_table import CountTable
from vecbleu.core.counts import refuse, refuse_impossible
from vecbleu.show.signature import Signature

_PARTS = "hyp_totals", "ref_totals", "matches"


class ChrfStatistics(CountTable):
    """N-grams of both sides and matches of each segment: the counts that chrF is computed from.

    They are one array (segments, 3K) with the columns of sacreBLEU, for the K orders of characters,
    then of words. Select segments by a slice, a mask or indices; ``stats[selection].score()`` is
    the chrF of any selection. Statistics can be summed, added and saved. A single row, or a sum, is
    an array (3K,).

    With several references, a row has the counts of the one with the best score. Which one that is
    depends on `beta` and `eps_smoothing`, so the signature has both.

    Parameters
    ----------
    array : array (segments, 3K), or (3K,)
        For each order: n-grams of the hypothesis (0 if the reference has none), n-grams of the
        reference, matches; integers, or floats with integer values.
    signature : Signature, optional
        The options that they were counted with, such as ``stats.signature``; by default those of
        `corpus_chrf`.

    Raises
    ------
    TypeError
        The array does not hold numbers.
    ValueError
        There are not three columns for each order, a count is negative or not an integer, or there
        are more matches than n-grams of a side.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> stats = chrf.statistics(["a cat", "the dog"], ["the cat", "the dog"], char_order=2)
    >>> stats
    ChrfStatistics(segments=2, hyp_totals=[10, 8], ref_totals=[12, 10], matches=[9, 7])
    >>> stats.scores().round(4).tolist(), stats.score()
    ([0.4854, 1.0], chrF2 = 0.7526)

    References
    ----------
    Popović (2015), "chrF: character n-gram F-score for automatic MT evaluation", WMT; chrF++:
    Popović (2017), "chrF++: words helping character n-grams", WMT.
    """

    __module__ = "vecbleu.chrf"
    __slots__ = ()

    metric: ClassVar[str] = "chrF"

    @classmethod
    def _check(cls, counts: Counts, signature: Signature) -> None:
        columns = 3 * ChrfOptions.of_signature(signature).orders
        if counts.shape[-1] != columns:
            raise ValueError(
                f"statistics have {counts.shape[-1]} columns but their signature asks for "
                f"{columns}; pass ChrfStatistics(array, stats.signature)"
            )
        refuse_impossible(counts, "array")
        hyp, ref, match = (counts[..., part::3] for part in range(3))
        refuse(match > np.minimum(hyp, ref), match, "matches", "which is more than its total")
        refuse((hyp > 0) & (ref == 0), hyp, "hyp_totals", "but the reference has no n-gram")

    def _set(self, array: Int64, signature: Signature) -> None:
        options = ChrfOptions.of_signature(signature)
        super()._set(array, options.signature(signature.references))  # all of them

    def _columns(self) -> Mapping[str, int | slice]:
        return {name: slice(start, None, 3) for start, name in enumerate(_PARTS)}

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return ChrfOptions.of_signature(self._signature).name

    def score(self) -> ChrfScore:
        """Return the chrF of all rows together, as `corpus_chrf` does."""
        return ChrfScore(self.sum().array.tolist(), self._signature)

    def scores(self) -> Float64:
        """Return the chrF of each row, between 0 and 1, as `sentence_chrf` does."""
        return self.percents(self._array) / 100

    def percents(self, counts: Counts, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """Score counts (..., 3K) of the same columns as these, between 0 and 100.

        With float32, the digits are those of sacreBLEU's resampled scores.
        """
        return chrf_percents(counts, ChrfOptions.of_signature(self._signature), dtype)

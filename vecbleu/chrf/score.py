"""Compute chrF from counts, and define `ChrfScore`, a float with its components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.options import ChrfOptions
from vecbleu.core.arrays import Counts
from vecbleu.show.signature import Signature
from vecbleu.show.table import Column, Table

# Precision, recall and F-score of orders without n-grams, if `eps_smoothing` asks for them.
_EPSILON = 1e-16


def chrf_percents(
    counts: Counts, options: ChrfOptions, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[Any]:
    """Compute chrF of counts (..., 3K), between 0 and 100, in sacreBLEU's order of operations.

    Orders are added from the left: `np.sum` would add pairs.
    """
    by_order = counts.reshape(*counts.shape[:-1], -1, 3).astype(dtype)
    hyp, ref, match = np.moveaxis(by_order, (-1, -2), (0, 1))  # each (K, ...)
    factor, of_zero = options.beta**2, _EPSILON if options.eps_smoothing else 0.0
    precision, recall = _divided(match, hyp, of_zero), _divided(match, ref, of_zero)
    if not options.eps_smoothing:
        reached = (hyp > 0) & (ref > 0)
        orders = np.maximum(np.count_nonzero(reached, axis=0), 1).astype(dtype)
        precision, recall = (
            np.add.accumulate(np.where(reached, share, 0))[-1:] / orders
            for share in (precision, recall)
        )
    scores = _divided((1 + factor) * precision * recall, factor * precision + recall, of_zero)
    percents: npt.NDArray[Any] = 100 * np.add.accumulate(scores)[-1] / len(scores)
    return percents


def _divided(
    numerator: npt.NDArray[Any], denominator: npt.NDArray[Any], of_zero: float
) -> npt.NDArray[Any]:
    """Divide; return `of_zero` where the denominator is 0."""
    quotient = np.full_like(numerator, of_zero)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


class ChrfScore(float):
    """chrF of a corpus (Popović 2015): a float between 0 and 1 with its components.

    It can be used like any float; arithmetic returns plain floats. `percent` is the score between 0
    and 100, equal to sacreBLEU's bit for bit. ``ChrfScore(0.5)`` has no components.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> score = chrf.corpus_chrf(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> score
    chrF2 = 0.7208
    >>> print(f"{score:.3f} {score.percent:.1f}")
    0.721 72.1
    >>> print(score.signature.format(version=False))
    nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no
    """

    __module__ = "vecbleu.chrf"
    __slots__ = ("_made",)  # no other attribute can be set

    _made: tuple[tuple[int, ...], Signature, float]

    @classmethod
    def of(cls, row: Sequence[int], signature: Signature) -> ChrfScore:
        """Score one row of statistics."""
        options = ChrfOptions.of_signature(signature)
        percent = float(chrf_percents(np.array(row, np.int64), options))
        score = cls(percent / 100)
        score._made = tuple(row), signature, percent
        return score

    @property
    def _known(self) -> tuple[tuple[int, ...], Signature, float]:
        if not hasattr(self, "_made"):
            raise AttributeError("this ChrfScore was made from a number; it has no components")
        return self._made

    @property
    def score(self) -> float:
        """ChrF between 0 and 1, as a plain float."""
        return float(self)

    @property
    def percent(self) -> float:
        """ChrF between 0 and 100."""
        return self._known[2]

    @property
    def signature(self) -> Signature:
        """The options of the score, as far as they are known."""
        return self._known[1]

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return ChrfOptions.of_signature(self.signature).name

    def table(self) -> Table:
        """Return the n-grams of hypotheses and references, and their matches, for each order."""
        row, signature, percent = self._known
        options = ChrfOptions.of_signature(signature)
        orders = [f"char {n}" for n in range(1, len(row) // 3 - options.word_order + 1)]
        orders += [f"word {n}" for n in range(1, options.word_order + 1)]
        counts = zip(("hypotheses", "references", "matches"), range(3), strict=True)
        columns = [Column(name, row[start::3], "count") for name, start in counts]
        title = f"{options.name} = {percent:.2f}"
        return Table([Column("order", orders, "text"), *columns], title, [str(signature)])

    # The default would be our `__repr__`.
    __str__ = float.__repr__

    def __repr__(self) -> str:
        if not hasattr(self, "_made"):
            return f"ChrfScore({float.__repr__(self)})"
        return f"{self.name} = {self.score:.4f}"

    def _repr_html_(self) -> str | None:
        return self.table()._repr_html_() if hasattr(self, "_made") else None

    def __reduce__(self) -> tuple[Any, ...]:
        if not hasattr(self, "_made"):
            return type(self), (self.score,)
        return type(self).of, self._made[:2]

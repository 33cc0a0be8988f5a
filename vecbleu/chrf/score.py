"""Compute chrF from counts, and define `ChrfScore`, a float with its components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.options import ChrfOptions
from vecbleu.core.arrays import Counts
from vecbleu.show.signature import Signature
from vecbleu.show.table import Column, Table

# Precision, recall and F-score of orders without n-grams, with epsilon smoothing.
_EPSILON = 1e-16


def chrf_percents(
    counts: Counts, options: ChrfOptions, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[Any]:
    """Compute chrF of counts (..., 3K), between 0 and 100, in sacreBLEU's order of operations.

    Orders are added from the left: `np.sum` would add pairs.
    """
    by_order = counts.reshape(*counts.shape[:-1], -1, 3).astype(dtype)
    hyp, ref, match = np.moveaxis(by_order, (-1, -2), (0, 1))  # each (K, ...)
    factor, of_zero = options.beta**2, 0.0 if options.effective_order else _EPSILON
    precision, recall = _divided(match, hyp, of_zero), _divided(match, ref, of_zero)
    if options.effective_order:
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
    and 100, equal to sacreBLEU's bit for bit.

    Parameters
    ----------
    row : sequence of int (3K,)
        For each order: n-grams of the hypotheses, n-grams of the references, matches.
    signature : Signature
        The options that they were counted with.

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

    def __new__(cls, row: Sequence[int], signature: Signature) -> Self:
        """Score one row of statistics."""
        counts = np.array(row, np.int64)
        percent = float(chrf_percents(counts, ChrfOptions.of_signature(signature)))
        score = super().__new__(cls, percent / 100)
        score._made = tuple(row), signature, percent
        return score

    @property
    def percent(self) -> float:
        """ChrF between 0 and 100."""
        return self._made[2]

    @property
    def signature(self) -> Signature:
        """The options of the score."""
        return self._made[1]

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return ChrfOptions.of_signature(self.signature).name

    def table(self) -> Table:
        """Return the n-grams of hypotheses and references, and their matches, for each order."""
        row, signature, percent = self._made
        words = ChrfOptions.of_signature(signature).word_order
        orders = [f"char {n}" for n in range(1, len(row) // 3 - words + 1)]
        orders += [f"word {n}" for n in range(1, words + 1)]
        names = "hypotheses", "references", "matches"
        columns = [Column(name, row[part::3], "count") for part, name in enumerate(names)]
        title = f"{self.name} = {percent:.2f}"
        return Table([Column("order", orders), *columns], title, [str(signature)])

    # The default would be our `__repr__`.
    __str__ = float.__repr__

    def __repr__(self) -> str:
        return f"{self.name} = {float(self):.4f}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made[:2]

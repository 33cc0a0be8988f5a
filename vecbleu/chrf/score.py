"""Compute chrF from counts, and define `ChrfScore`, a float with its components."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.options import ChrfOptions
from vecbleu.core.arrays import Counts
from vecbleu.show.signature import Signature
from vecbleu.show.table import Column, Table

# Precision, recall and F-score of orders without n-grams, with epsilon smoothing.
_EPSILON = 1e-16

# So many are faster scored row by row than by NumPy's calls.
_FEW_COUNTS = 100


def chrf_percents(
    counts: Counts, options: ChrfOptions, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[Any]:
    """Compute chrF of counts (..., 3K), between 0 and 100, in sacreBLEU's order of operations.

    Orders are added from the left: `np.sum` would add pairs.
    """
    if counts.size < _FEW_COUNTS and dtype == np.float64:
        rows = counts.reshape(-1, counts.shape[-1]).tolist()
        return np.array([row_percent(row, options) for row in rows]).reshape(counts.shape[:-1])
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


def row_percent(row: Sequence[int], options: ChrfOptions) -> float:
    """Compute chrF of one row (3K,) as `chrf_percents` does, but without its NumPy calls."""
    factor, of_zero = options.beta**2, 0.0 if options.effective_order else _EPSILON
    shares = [
        (match / hyp if hyp else of_zero, match / ref if ref else of_zero)
        for hyp, ref, match in zip(row[0::3], row[1::3], row[2::3], strict=True)
        if (hyp and ref) or not options.effective_order
    ]
    if options.effective_order:
        count, columns = max(len(shares), 1), zip((0.0, 0.0), *shares, strict=True)
        precision, recall = (reduce(add, column) / count for column in columns)
        shares = [(precision, recall)]
    total = 0.0
    for precision, recall in shares:
        below = factor * precision + recall
        total += (1 + factor) * precision * recall / below if below > 0 else of_zero
    return 100 * total / len(shares)


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
        percent = row_percent(row, ChrfOptions.of_signature(signature))
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

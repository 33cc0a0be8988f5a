"""Define the options of chrF, compute it from counts, and define its score and statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Counts, Float64
from vecbleu.core.checks import checked_bool, checked_integer
from vecbleu.core.count_table import CountTable
from vecbleu.core.counts import refuse, refuse_impossible
from vecbleu.core.options import MOST_ORDERS, RunArgs, checked_number, takes
from vecbleu.core.score import Score
from vecbleu.show.signature import UNKNOWN, Signature
from vecbleu.show.table import Column, Table

_PARTS = "hyp_totals", "ref_totals", "matches"

# Precision, recall and F-score of orders without n-grams, with epsilon smoothing.
_EPSILON = 1e-16

# So many are faster scored row by row than by NumPy's calls.
_FEW_COUNTS = 100


class ChrfArgs(RunArgs, total=False):
    """Arguments of the functions of chrF."""

    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool


# Shows these arguments in the signature of a function, and fills in their defaults.
takes_options = takes(
    ChrfArgs, char_order=6, word_order=0, beta=2, whitespace=False, eps_smoothing=False
)


class ChrfOptions(NamedTuple):
    """Options of chrF, as signatures have them.

    With several references, all of them change what is counted.
    """

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    effective_order: bool = True

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> ChrfOptions:
        """Check options as the user passed them."""
        return cls(
            checked_integer(given["char_order"], "char_order", 1, MOST_ORDERS),
            checked_integer(given["word_order"], "word_order", 0, MOST_ORDERS),
            checked_number(given["beta"], "beta"),
            checked_bool(given["lowercase"], "lowercase"),
            checked_bool(given["whitespace"], "whitespace"),
            not checked_bool(given["eps_smoothing"], "eps_smoothing"),
        )

    @classmethod
    def of_signature(cls, signature: Signature) -> ChrfOptions:
        """Return the options that a signature names, and defaults for the others."""
        known = signature.to_dict()
        return cls(**{name: known[name] for name in cls._fields if name in known})

    def signature(self, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return Signature(references=references, **self._asdict())

    @property
    def orders(self) -> int:
        """Number of orders of characters and words together, K."""
        return self.char_order + self.word_order

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"


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


class ChrfScore(Score):
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

    def __repr__(self) -> str:
        return f"{self.name} = {float(self):.4f}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made[:2]


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

    def __init__(self, array: npt.ArrayLike, signature: Signature = UNKNOWN) -> None:
        super().__init__(array, signature)
        options = ChrfOptions.of_signature(self._signature)
        self._signature = options.signature(self._signature.references)  # all of them

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
        """Return the scores, between 0 and 100, of counts (..., 3K) with these columns.

        With float32, the digits are those of sacreBLEU's resampled scores.
        """
        return chrf_percents(counts, ChrfOptions.of_signature(self._signature), dtype)

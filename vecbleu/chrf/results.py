"""The score of chrF, and its table of counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from vecbleu.chrf.arrays import chrf_percents
from vecbleu.chrf.columns import PARTS, check_possible
from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.plain import row_percent
from vecbleu.core.agreement import AgreementCurve
from vecbleu.core.score import Score
from vecbleu.core.signature import UNKNOWN, Signature
from vecbleu.files.store import SavedTable
from vecbleu.kernel.arrays import Counts, Float64
from vecbleu.show.table import Column, Table


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

    def named_parts(self) -> dict[str, Any]:
        """Return what the score was computed from, for JSON of the command line."""
        return self.table().to_dict()

    def __repr__(self) -> str:
        return f"{self.name} = {float(self):.4f}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._made[:2]


class ChrfStatistics(SavedTable):
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
    agreement: ClassVar[Mapping[str, AgreementCurve]] = {
        "chrF": AgreementCurve(
            r"case:mixed\|eff:yes\|nc:6\|nw:0\|space:no", 92.999999999972, 1.1142732157139852
        )
    }
    sacrebleu_type: ClassVar[npt.DTypeLike] = "float32"

    @classmethod
    def _check(cls, counts: Counts, signature: Signature) -> None:
        check_possible(counts, ChrfOptions.of_signature(signature).orders)

    def __init__(self, array: npt.ArrayLike, signature: Signature = UNKNOWN) -> None:
        super().__init__(array, signature)
        options = ChrfOptions.of_signature(self._signature)
        self._signature = options.signature(self._signature.references)  # all of them

    def _columns(self) -> Mapping[str, int | slice]:
        return {name: slice(start, None, 3) for start, name in enumerate(PARTS)}

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

    def row_scores(self) -> Iterator[ChrfScore]:
        """Yield the score of each row, with its parts."""
        return (ChrfScore(row, self._signature) for row in self._array.tolist())

    def percents(self, counts: Counts) -> npt.NDArray[Any]:
        """Return the scores, between 0 and 100, of counts (..., 3K) with these columns.

        Counts in float32 are scored in float32, as sacreBLEU does with resampled segments.
        """
        dtype = np.float32 if counts.dtype == np.float32 else np.float64
        return chrf_percents(counts, ChrfOptions.of_signature(self._signature), dtype)

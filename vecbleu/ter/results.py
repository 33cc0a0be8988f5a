"""The score of TER, and its table of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from vecbleu.core.score import Score
from vecbleu.core.signature import UNKNOWN, Signature
from vecbleu.files.store import SavedTable
from vecbleu.kernel.arrays import Counts, Float64
from vecbleu.show.table import Column, Table
from vecbleu.ter.arrays import ter_percents
from vecbleu.ter.columns import COLUMNS, check_possible, length_of_row, lengths_of_rows
from vecbleu.ter.options import TerOptions
from vecbleu.ter.plain import row_percent


class TerScore(Score):
    """TER of a corpus (Snover et al. 2006): edits by words of the references; lower is better.

    It is a float from 0 on, and above 1 if there are more edits than words. It can be used like any
    float; arithmetic returns plain floats. `percent` is the score times 100, equal to sacreBLEU's
    bit for bit with one, two, four, eight or sixteen references.

    Parameters
    ----------
    row : sequence of int (3,)
        Edits, and the mean length of the references; see `TerStatistics`.
    signature : Signature
        The options that they were counted with.

    Examples
    --------
    >>> from vecbleu import ter
    >>> score = ter.corpus_ter(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> score
    TER = 0.1667
    >>> score.edits, score.ref_len
    (1, 6.0)
    >>> print(score.signature.format(version=False))
    nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no
    """

    __module__ = "vecbleu.ter"
    __slots__ = ("_made",)  # no other attribute can be set

    _made: tuple[tuple[int, ...], Signature, float]

    def __new__(cls, row: Sequence[int], signature: Signature) -> Self:
        """Score one row of statistics."""
        percent = row_percent(row)
        score = super().__new__(cls, percent / 100)
        score._made = tuple(row), signature, percent
        return score

    @property
    def edits(self) -> int:
        """The number of edits: insertions, deletions, replacements and shifts."""
        return self._made[0][0]

    @property
    def ref_len(self) -> float:
        """Words of the references; of several references of a segment, their mean."""
        return length_of_row(self._made[0])

    @property
    def percent(self) -> float:
        """TER times 100."""
        return self._made[2]

    @property
    def signature(self) -> Signature:
        """The options of the score."""
        return self._made[1]

    @property
    def name(self) -> str:
        """The name of the score."""
        return "TER"

    def table(self) -> Table:
        """Return the edits and the length of the references."""
        title = f"{self.name} = {self.percent:.2f}"
        columns = [Column("edits", [self.edits], "count"), Column("ref_len", [self.ref_len])]
        return Table(columns, title, [str(self.signature)])

    def named_parts(self) -> dict[str, Any]:
        """Return what the score was computed from, for JSON of the command line."""
        return {"edits": self.edits, "ref_len": self.ref_len}

    def __repr__(self) -> str:
        return f"{self.name} = {float(self):.4f}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._made[:2]


class TerStatistics(SavedTable):
    """Edits and lengths of the references of each segment: the counts that TER is computed from.

    They are one array (segments, 3). Select segments by a slice, a mask or indices;
    ``stats[selection].score()`` is the TER of any selection. Statistics can be summed, added and
    saved. A single row, or a sum, is an array (3,).

    With several references, a row has the edits to the one that takes the fewest, and the mean of
    all lengths: `ref_len` whole words and `ref_parts` parts of a word, of which a word has 720720.
    So sums are exact for 1 to 16 references; with more, a mean is rounded to such parts.

    Parameters
    ----------
    array : array (segments, 3), or (3,)
        edits, ref_len, ref_parts; integers, or floats with integer values.
    signature : Signature, optional
        The options that they were counted with, such as ``stats.signature``; by default those of
        `corpus_ter`.

    Raises
    ------
    TypeError
        The array does not hold numbers.
    ValueError
        There are not three columns, or a count is negative or not an integer.

    Examples
    --------
    >>> from vecbleu import ter
    >>> stats = ter.statistics(["a cat", "the dog"], ["the cat", "the dog"])
    >>> stats
    TerStatistics(segments=2, edits=1, ref_len=4, ref_parts=0)
    >>> stats.scores().tolist(), stats.score()
    ([0.5, 0.0], TER = 0.2500)

    References
    ----------
    Snover et al. (2006), "A study of translation edit rate with targeted human annotation", AMTA;
    the limits and the tie-breaking are those of sacreBLEU.
    """

    __module__ = "vecbleu.ter"
    __slots__ = ()

    metric: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False
    sacrebleu_type: ClassVar[npt.DTypeLike] = "float32"

    @classmethod
    def _check(cls, counts: Counts, signature: Signature) -> None:
        check_possible(counts)

    def __init__(self, array: npt.ArrayLike, signature: Signature = UNKNOWN) -> None:
        super().__init__(array, signature)
        options = TerOptions.of_signature(self._signature)
        self._signature = options.signature(self._signature.references)  # all of them

    def _columns(self) -> Mapping[str, int | slice]:
        return {name: column for column, name in enumerate(COLUMNS)}

    @property
    def ref_len(self) -> Float64:
        """Words of the references of each segment, of several their mean (segments,)."""
        return lengths_of_rows(self._array)

    def score(self) -> TerScore:
        """Return the TER of all rows together, as `corpus_ter` does."""
        return TerScore(self.sum().array.tolist(), self._signature)

    def scores(self) -> Float64:
        """Return the TER of each row, from 0 on, as `sentence_ter` does."""
        return self.percents(self._array) / 100

    def percents(self, counts: Counts) -> npt.NDArray[Any]:
        """Return the scores, times 100, of counts (..., 3) with these columns.

        Counts in float32 are scored in float32, as sacreBLEU does with resampled segments.
        """
        dtype = np.float32 if counts.dtype == np.float32 else np.float64
        return ter_percents(counts, dtype)

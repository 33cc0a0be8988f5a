"""Define `BleuScore`, a float with its components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.formula import RowScore, score_row
from vecbleu.show.signature import Signature
from vecbleu.show.table import Column, Table


class _Made(NamedTuple):
    """The counts and options of a score, and the parts computed from them."""

    row: tuple[int, ...]
    options: ScoreOptions
    signature: Signature  # of the counts
    parts: RowScore


class BleuScore(float):
    """BLEU of a corpus (Papineni et al. 2002): a float between 0 and 1 with its components.

    It can be used like any float; arithmetic returns plain floats. It also keeps the counts and
    options that it was computed from.

    `percent` is BLEU between 0 and 100, as sacreBLEU prints it. It equals sacreBLEU's score bit for
    bit, unless weights or "skip-zero" are used; ``100 * score`` may differ in the last bit.

    The interactive prompt shows a line like sacreBLEU's, a notebook shows a table, and
    ``print(score)`` prints the number.

    Parameters
    ----------
    row : sequence of int (2 + 2N,)
        Counts: hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N.
    options : ScoreOptions
        How to score them.
    signature : Signature
        The options that they were counted with.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> score
    BLEU = 0.5373 0.8333/0.6000/0.5000/0.3333 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> print(f"{score:.3f} {100 * score:.1f} {score > 0.5}")
    0.537 53.7 True
    >>> score == score.percent / 100
    True
    >>> score.matches
    (5, 3, 2, 1)
    """

    __module__ = "vecbleu"
    __slots__ = ("_made",)  # no other attribute can be set

    _made: _Made

    def __new__(cls, row: Sequence[int], options: ScoreOptions, signature: Signature) -> Self:
        """Score one row of statistics."""
        parts = score_row(row, options)
        score = super().__new__(cls, parts.score)
        score._made = _Made(tuple(row), options, signature, parts)
        return score

    @property
    def score(self) -> float:
        """BLEU between 0 and 1, as a plain float."""
        return float(self)

    @property
    def percent(self) -> float:
        """BLEU between 0 and 100."""
        return self._made.parts.percent

    @property
    def precisions(self) -> tuple[float, ...]:
        """Modified n-gram precisions after smoothing (N,), between 0 and 1."""
        return tuple([precision / 100 for precision in self._made.parts.precisions])

    @property
    def percent_precisions(self) -> tuple[float, ...]:
        """Modified n-gram precisions after smoothing (N,), between 0 and 100."""
        return tuple(self._made.parts.precisions)

    @property
    def brevity_penalty(self) -> float:
        """1 if hyp_len >= ref_len, else exp(1 - ref_len / hyp_len); 0 for hyp_len 0."""
        return self._made.parts.penalty

    @property
    def hyp_len(self) -> int:
        """Number of tokens in the hypotheses."""
        return self._made.row[0]

    @property
    def ref_len(self) -> int:
        """Sum of the reference lengths, one for each segment, as `ref_length` chooses them."""
        return self._made.row[1]

    @property
    def matches(self) -> tuple[int, ...]:
        """Clipped matches, for each order (N,)."""
        row = self._made.row
        return row[2 : len(row) // 2 + 1]

    @property
    def totals(self) -> tuple[int, ...]:
        """Number of n-grams in the hypotheses, for each order (N,)."""
        row = self._made.row
        return row[len(row) // 2 + 1 :]

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len; 0 if ref_len is 0, as in sacreBLEU."""
        return self.hyp_len / self.ref_len if self.ref_len else 0.0

    @property
    def signature(self) -> Signature:
        """The options of the score, as far as they are known."""
        row, options, signature, _ = self._made
        orders = len(row) // 2 - 1
        uniform = (1.0 / orders,) * orders  # the default weights of "skip-zero"
        return signature._replace(
            max_order=orders,
            smoothing=options.smoothing,
            smoothing_value=options.smoothing_value,
            effective_order=options.effective_order,
            weights=None if options.weights == uniform else options.weights,
        )

    def lengths(self) -> str:
        """Return the brevity penalty and the lengths, formatted as in sacreBLEU's line."""
        return (
            f"(BP = {self.brevity_penalty:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.hyp_len} ref_len = {self.ref_len})"
        )

    def table(self) -> Table:
        """Return counts and precision of each order; also smoothed ones, if they differ."""
        pairs = zip(self.matches, self.totals, strict=True)
        precisions = [matches / total if total else 0.0 for matches, total in pairs]
        columns = [
            Column("order", [*range(1, len(self.matches) + 1)], "count"),
            Column("matches", self.matches, "count"),
            Column("total", self.totals, "count"),
            Column("precision", precisions, "score"),
        ]
        if not np.allclose(precisions, self.precisions, rtol=0, atol=1e-12):
            columns.append(Column("smoothed", self.precisions, "score"))
        return Table(columns, f"BLEU = {self.percent:.2f} {self.lengths()}", [str(self.signature)])

    def to_dict(self) -> dict[str, Any]:
        """Return the score and its components, ready for JSON.

        Examples
        --------
        >>> import vecbleu
        >>> parts = vecbleu.corpus_bleu(["a b"], ["a c"], max_order=2).to_dict()
        >>> parts["matches"], parts["totals"], parts["ref_len"]
        ([1, 0], [2, 1], 2)
        """
        return {
            "score": self.score,
            "percent": self.percent,
            "precisions": [*self.precisions],
            "percent_precisions": [*self.percent_precisions],
            "brevity_penalty": self.brevity_penalty,
            "matches": [*self.matches],
            "totals": [*self.totals],
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
            "ratio": self.ratio,
            "signature": str(self.signature),
        }

    # The default would be our `__repr__`.
    __str__ = float.__repr__

    def __repr__(self) -> str:
        precisions = "/".join(f"{precision:.4f}" for precision in self.precisions)
        return f"BLEU = {self.score:.4f} {precisions} {self.lengths()}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made[:3]

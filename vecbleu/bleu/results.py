"""The score of BLEU, and its table of counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, Unpack

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.bleu.arrays import array_bleu, bleu_and_percent
from vecbleu.bleu.columns import check_possible, split_columns
from vecbleu.bleu.options import ScoreArgs, ScoreOptions, Smoothing, Weights
from vecbleu.bleu.plain import RowScore, score_row
from vecbleu.core.agreement import AgreementCurve
from vecbleu.core.score import Score
from vecbleu.core.signature import Signature
from vecbleu.files.store import SavedTable
from vecbleu.kernel.arrays import Counts, Float64, Int64
from vecbleu.show.table import Column, Table


class _Made(NamedTuple):
    """The counts and options of a score, and the parts computed from them."""

    row: tuple[int, ...]
    options: ScoreOptions
    signature: Signature  # of the counts
    parts: RowScore


class BleuScore(Score):
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
    def name(self) -> str:
        """The name of the score."""
        return Statistics.metric

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

    @property
    def details(self) -> str:
        """Return precisions, brevity penalty and lengths, as sacreBLEU prints them."""
        precisions = "/".join(f"{precision:.1f}" for precision in self._made.parts.precisions)
        return f"{precisions} {self.lengths()}"

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
            Column("order", list(range(1, len(self.matches) + 1)), "count"),
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
            "score": float(self),
            "percent": self.percent,
            "precisions": list(self.precisions),
            "percent_precisions": list(self.percent_precisions),
            "brevity_penalty": self.brevity_penalty,
            "matches": list(self.matches),
            "totals": list(self.totals),
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
            "ratio": self.ratio,
            "signature": str(self.signature),
        }

    def named_parts(self) -> dict[str, object]:
        """Return what the score was computed from, for JSON of the command line."""
        return {
            "precisions": self.percent_precisions,
            "brevity_penalty": self.brevity_penalty,
            "matches": self.matches,
            "totals": self.totals,
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
        }

    def __repr__(self) -> str:
        precisions = "/".join(f"{precision:.4f}" for precision in self.precisions)
        return f"BLEU = {float(self):.4f} {precisions} {self.lengths()}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._made[:3]


class Statistics(SavedTable):
    """Lengths, clipped matches and totals of each segment: the counts that BLEU is computed from.

    They are one array (segments, 2 + 2N) with the columns of sacreBLEU. Select segments by a slice,
    a mask or indices; ``stats[selection].score()`` is the BLEU of any selection. Statistics can be
    summed, added and saved. A single row, or a sum, is an array (2 + 2N,).

    Parameters
    ----------
    array : array (segments, 2 + 2N), or (2 + 2N,)
        hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N; integers, or floats with
        integer values.
    signature : Signature, optional
        The options that they were counted with, as far as known. Statistics that were counted with
        different options can't be joined or compared.

    Raises
    ------
    TypeError
        The array does not hold numbers.
    ValueError
        The number of columns is not 2 + 2N, a count is negative or not an integer, there are more
        matches than totals, or no text has such counts.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat sat", "a dog"], ["the cat sat down", "the dog"])
    >>> stats
    Statistics(segments=2, hyp_len=5, ref_len=6, matches=[4, 2, 1, 0], totals=[5, 3, 1, 0])
    >>> stats.matches.tolist()
    [[3, 2, 1, 0], [1, 0, 0, 0]]
    >>> stats[:1].sum().array.tolist()
    [3, 4, 3, 2, 1, 0, 3, 2, 1, 0]
    >>> stats.score(effective_order=True)
    BLEU = 0.6640 0.8000/0.6667/1.0000/0.0000 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)
    >>> stats.scores().round(4).tolist()
    [0.7165, 0.5]

    References
    ----------
    Papineni, Roukos, Ward and Zhu (2002), "BLEU: a method for automatic evaluation of machine
    translation", ACL.
    """

    __module__ = "vecbleu"
    __slots__ = ()

    metric: ClassVar[str] = "BLEU"
    agreement: ClassVar[Mapping[str, AgreementCurve]] = {
        "BLEU": AgreementCurve(
            r"case:mixed\|eff:no\|tok:(13a|zh|ja-mecab.*|ko-mecab.*)\|smooth:exp",
            88.33333333333225,
            0.9663926931178954,
        ),
        "spBLEU-200": AgreementCurve(
            r"case:mixed\|eff:no\|tok:flores200\|smooth:exp",
            90.99999999998793,
            0.8079046528617078,
        ),
    }

    @classmethod
    def _check(cls, counts: Counts, signature: Signature) -> None:
        check_possible(counts)
        orders = counts.shape[-1] // 2 - 1
        if signature.max_order not in (None, orders):
            found = f"has max_order {signature.max_order} but the array has {orders} orders"
            raise ArgumentError(found, argument="signature")

    def _columns(self) -> Mapping[str, int | slice]:
        middle = 2 + self.max_order
        return {
            "hyp_len": 0,
            "ref_len": 1,
            "matches": slice(2, middle),
            "totals": slice(middle, None),
        }

    @property
    def hyp_len(self) -> Int64:
        """Number of tokens in each hypothesis (segments,)."""
        return self._array[..., 0]

    @property
    def ref_len(self) -> Int64:
        """Reference length of each segment, as `ref_length` chooses it (segments,)."""
        return self._array[..., 1]

    @property
    def matches(self) -> Int64:
        """Clipped matches of each segment and order (segments, N)."""
        return split_columns(self._array)[2]

    @property
    def totals(self) -> Int64:
        """Number of n-grams in each hypothesis, for each order (segments, N)."""
        return split_columns(self._array)[3]

    @property
    def max_order(self) -> int:
        """The longest n-gram counted, N."""
        return int(self._array.shape[-1]) // 2 - 1

    def score(
        self,
        *,
        weights: Weights | None = None,
        smoothing: Smoothing = "exp",
        smoothing_value: float | None = None,
        effective_order: bool = False,
    ) -> BleuScore:
        """Return the BLEU of all rows together, as `vecbleu.corpus_bleu` does.

        Parameters
        ----------
        weights, smoothing, smoothing_value, effective_order
            As for `vecbleu.corpus_bleu`.

        Returns
        -------
        BleuScore
            0 if there are no rows.

        Raises
        ------
        TypeError, ValueError
            An option is unknown, or its value is not valid.
        OverflowError
            There are 2**63 tokens or more.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a cat sat", "a dog"], ["a cat sat", "the dog"])
        >>> round(stats.score(weights=[0.5, 0.5]), 4), round(stats[1:].score(weights=[1]), 4)
        (0.7303, 0.5)
        """
        options = ScoreOptions.checked(
            weights=weights,
            smoothing=smoothing,
            smoothing_value=smoothing_value,
            effective_order=effective_order,
        )
        scoring = options.of_order(self.max_order)
        return BleuScore(self.sum().array.tolist(), scoring, self._signature)

    def scores(
        self,
        *,
        weights: Weights | None = None,
        smoothing: Smoothing = "exp",
        smoothing_value: float | None = None,
        effective_order: bool = True,
    ) -> Float64:
        """Return the BLEU of each row, as `vecbleu.sentence_bleu` does.

        Parameters
        ----------
        weights, smoothing, smoothing_value, effective_order
            As for `vecbleu.sentence_bleu`.

        Returns
        -------
        float64 array (segments,)
            Between 0 and 1.

        Raises
        ------
        TypeError, ValueError
            An option is unknown, or its value is not valid.

        Examples
        --------
        >>> import vecbleu
        >>> stats = vecbleu.statistics(["a cat sat", "a dog"], ["a cat sat", "the dog"])
        >>> stats.scores().round(4).tolist(), stats.scores(smoothing="none").round(4).tolist()
        ([1.0, 0.5], [1.0, 0.0])
        """
        options = ScoreOptions.checked(
            weights=weights,
            smoothing=smoothing,
            smoothing_value=smoothing_value,
            effective_order=effective_order,
        )
        return array_bleu(self._array, options.of_order(self.max_order))

    def row_scores(self, **options: Unpack[ScoreArgs]) -> Iterator[BleuScore]:
        """Yield the score of each row, with its parts."""
        scoring = ScoreOptions.checked(**options).of_order(self.max_order)
        return (BleuScore(row, scoring, self._signature) for row in self._array.tolist())

    def percents(self, counts: Counts, **options: Unpack[ScoreArgs]) -> Float64:
        """Return the scores, between 0 and 100, of counts (..., 2 + 2N) with these columns."""
        scoring = ScoreOptions.checked(**options).of_order(self.max_order)
        return bleu_and_percent(counts, scoring)[1]

"""Define `Statistics`, the sufficient statistics of BLEU: an array with one row a segment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Unpack

from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.count_table import CountTable
from vecbleu.core.counts import check_possible, split_columns
from vecbleu.core.options import ScoreArgs, ScoreOptions, takes
from vecbleu.core.scoring import BleuScore, array_bleu, bleu_and_percent
from vecbleu.show.signature import Signature


class Statistics(CountTable):
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

    @classmethod
    def _check(cls, counts: Counts, signature: Signature) -> None:
        check_possible(counts)
        orders = counts.shape[-1] // 2 - 1
        if signature.max_order not in (None, orders):
            raise ValueError(
                f"signature has max_order {signature.max_order} but the array has {orders} orders"
            )

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

    @takes(ScoreArgs)
    def score(self, **options: Unpack[ScoreArgs]) -> BleuScore:
        """Return the BLEU of all rows together, as `vecbleu.corpus_bleu` does.

        Parameters
        ----------
        **options
            weights, smoothing, smoothing_value and effective_order, as for `vecbleu.corpus_bleu`.

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
        scoring = ScoreOptions.checked(self.max_order, **options)
        return BleuScore(self.sum().array.tolist(), scoring, self._signature)

    @takes(ScoreArgs, effective_order=True)
    def scores(self, **options: Unpack[ScoreArgs]) -> Float64:
        """Return the BLEU of each row, as `vecbleu.sentence_bleu` does.

        Parameters
        ----------
        **options
            weights, smoothing, smoothing_value and effective_order, as for
            `vecbleu.sentence_bleu`.

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
        return array_bleu(self._array, ScoreOptions.checked(self.max_order, **options))

    def percents(self, counts: Counts, **options: Unpack[ScoreArgs]) -> Float64:
        """Return the scores, between 0 and 100, of counts (..., 2 + 2N) with these columns."""
        return bleu_and_percent(counts, ScoreOptions.checked(self.max_order, **options))[1]

"""Add up the statistics of chrF of batches."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from vecbleu.accumulator import BatchSums
from vecbleu.chrf.functions import checked_options, statistics
from vecbleu.chrf.options import ChrfArgs, takes_options
from vecbleu.chrf.score import ChrfScore
from vecbleu.chrf.table import ChrfStatistics


class ChrfAccumulator(BatchSums):
    """Add up the counts of batches, and score the sum at any time, as `vecbleu.Accumulator` does.

    Parameters
    ----------
    **options
        As for `corpus_chrf`, with its defaults.

    Raises
    ------
    TypeError, ValueError
        An option has the wrong type or is out of range.

    Examples
    --------
    >>> from vecbleu.chrf import ChrfAccumulator
    >>> validation = ChrfAccumulator(word_order=2)
    >>> validation.update(["the cat sat"], ["the cat sat down"])
    >>> validation.update(["a dog barked", "fine"], ["the dog barked", "fine"])
    >>> validation, validation.compute()
    (ChrfAccumulator(segments=3), chrF2++ = 0.6999)
    """

    __module__ = "vecbleu.chrf"

    @takes_options
    def __init__(self, **options: Unpack[ChrfArgs]) -> None:
        self._options, _ = checked_options(options)
        self._named, self._given = self._options._asdict(), options
        self.reset()

    def _count(self, hypotheses: Any, references: Any) -> ChrfStatistics:
        return statistics(hypotheses, references, **self._given)

    def _table(self, total: Any = None) -> ChrfStatistics:
        empty = np.zeros(3 * self._options.orders, np.int64)
        return ChrfStatistics(empty if total is None else total, self._options.signature(None))

    def compute(self) -> ChrfScore:
        """Return the chrF score of all segments so far.

        Returns
        -------
        ChrfScore
        """
        row, signature = self._read()
        return ChrfScore(row, signature or self._options.signature(None))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(segments={len(self)})"

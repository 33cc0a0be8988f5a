"""Add up the statistics of batches, in a training loop and over processes."""

from __future__ import annotations

import threading
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    InputWarning,
    argument,
    named_as,
)
from vecbleu.arguments.options import RunOptions
from vecbleu.core.count import count_rows
from vecbleu.core.count_table import CountTable
from vecbleu.core.counts import MOST, refuse_fractions, refuse_impossible, widened
from vecbleu.core.metric import Metric
from vecbleu.core.signature import Signature, common
from vecbleu.inputs.alignment import Aligned, Hypotheses, References, align_text
from vecbleu.kernel.arrays import Int64

Table = TypeVar("Table", bound=CountTable)


# Held while counts are read or replaced, not while text is counted. One lock for all accumulators:
# merging two into each other can't deadlock, and no lock has to be pickled.
_LOCK = threading.RLock()


@named_as("Accumulator")
class BatchSums(Generic[Table]):
    """Counts of batches, added up: what the accumulators of all metrics have in common."""

    def __init__(
        self, metric: Metric[Table], run: RunOptions, no_counts: Table, named: dict[str, Any]
    ) -> None:
        self._metric = metric
        self._run = run
        self._no_counts = no_counts
        self._named = named  # options that affect scores
        self._told: set[str] = set()
        self.reset()

    def _count(self, hypotheses: Any, references: Any) -> Table:
        """Count a batch."""
        corpus = self._aligned(hypotheses, references)
        signature = self._metric.signature(corpus.is_text, corpus.references_each())
        # `count_table` would hash the references, too.
        return self._no_counts.of(count_rows(corpus, self._metric, self._run), signature)

    def _aligned(self, hypotheses: object, references: object) -> Aligned:
        """Align a batch, which holds text."""
        return align_text(
            hypotheses,
            references,
            self._no_counts.metric,
            self._named["normalize"],
            self._metric.tokenizer,
            self._tell,
        )

    def _tell(self, doubt: InputWarning) -> None:
        """Warn once of the same in all batches."""
        kind = doubt.advice or doubt.found
        if kind not in self._told:
            self._told.add(kind)
            warn_caller(doubt)

    def reset(self) -> None:
        """Forget all batches."""
        with _LOCK:
            self._segments = 0
            self._total = self._no_counts.array
            self._signature: Signature | None = None  # None before the first batch

    def update(self, hypotheses: Hypotheses, references: References) -> None:
        """Count a batch and add it; if this fails, nothing is added.

        Parameters
        ----------
        hypotheses, references
            As for `vecbleu.corpus_bleu`, or `vecbleu.chrf.corpus_chrf`.

        Raises
        ------
        TypeError, ValueError
            As for these functions.
        OverflowError
            A sum is 2**63 or more.
        """
        rows = self._count(hypotheses, references)
        if len(rows):
            self._add(len(rows), rows.sum().array, rows.signature)

    def merge(self, other: Self) -> None:
        """Add the counts of another accumulator with the same options.

        Parameters
        ----------
        other : accumulator of the same metric
            It is not changed.

        Raises
        ------
        TypeError
            `other` is not such an accumulator.
        ValueError
            The options differ.
        """
        if not isinstance(other, type(self)):
            expected = type(self).__name__
            raise ArgumentTypeError(f"is {type(other).__name__}", expected, argument="other")
        for name, value in self._named.items():
            if value != other._named[name]:
                found = f"has {name} {other._named[name]!r} but this one has {value!r}"
                raise ArgumentError(found, argument="other")
        with _LOCK:
            self._add(other._segments, other._total, other._signature)

    def _add(self, segments: int, total: Int64, signature: Signature | None) -> None:
        """Add counts; if a sum does not fit into int64, raise OverflowError and add nothing."""
        with _LOCK:
            added = self._total + total
            if added.min() < 0 or self._segments + segments > MOST:
                raise OverflowError(f"counts add up to more than {MOST}, the largest int64")
            if self._signature != signature:
                known = [part for part in (self._signature, signature) if part is not None]
                self._signature = common(((("a batch",), part) for part in known), joined=True)
            self._segments += segments
            self._total = added

    def _sum(self) -> Table:
        """Return the counts of all batches."""
        with _LOCK:
            return self._no_counts.of(self._total, self._signature or self._no_counts.signature)

    @property
    def state(self) -> Int64:
        """Counts in one array. To combine processes, add up their states and assign the sum.

        Returns
        -------
        int64 array (1 + columns,)
            Number of segments, then the sums of the columns of the statistics: hyp_len, ref_len,
            matches of order 1 to N, totals of order 1 to N for BLEU; a copy.
        """
        with _LOCK:
            return np.concatenate([np.array([self._segments], np.int64), self._total])

    @state.setter
    def state(self, state: npt.ArrayLike) -> None:
        array = np.asanyarray(state)
        if array.shape != (size := 1 + len(self._total),):
            raise ArgumentError(f"has the shape {array.shape}", f"({size},)", argument="state")
        _check_exact(array)
        with argument("state"):
            counts = widened(array)
            refuse_fractions(counts)
            refuse_impossible(counts)
        total = type(self._no_counts)(counts[1:], self._no_counts.signature).array
        with _LOCK:
            self._segments = int(counts[0])
            self._total = total
            if self._signature is not None:  # processes may differ in their number of references
                self._signature = self._signature._replace(references=None)

    def __len__(self) -> int:
        return self._segments

    def __bool__(self) -> bool:
        return True  # also if empty, so that `accumulator or Accumulator()` keeps it

    def __repr__(self) -> str:
        return f"{type(self).__name__}(segments={len(self)})"


def _check_exact(state: npt.NDArray[Any]) -> None:
    """Raise ValueError for counts that a narrow float type rounds."""
    if state.dtype.kind != "f" or state.dtype.itemsize >= 8:
        return
    most = 2 ** (np.finfo(state.dtype).nmant + 1)
    rounded = np.flatnonzero(np.abs(state) > most)
    if rounded.size:
        index = rounded[0]
        raise ValueError(
            f"state[{index}] is {state[index]:.0f} in {state.dtype}, which rounds counts above "
            f"{most}; add up states as int64 or float64"
        )

"""Statistics of batches as they come: what a training loop adds up, and reduces over processes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.api import aligned, signed_rows
from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.inputs.types import Hypotheses, References
from vecbleu.core.options import (
    CountOptions,
    RefLength,
    RunOptions,
    ScoreOptions,
    Smoothing,
    SpecialIds,
    Tokenize,
    WeightSet,
)
from vecbleu.core.pipeline import no_rows
from vecbleu.core.public import public
from vecbleu.core.records import field_names, replace
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics.columns import MOST
from vecbleu.core.statistics.scores import row_scores
from vecbleu.core.statistics.table import Statistics

# Held while an accumulator's counts are read or replaced, not while text is counted. One for all
# accumulators: nothing deadlocks where two are merged into each other, none has to be pickled, and
# a fork can wait for it. Reentrant, since a signal's handler may come between.
_LOCK = threading.RLock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


@public("vecbleu")
class Accumulator:
    """A corpus that comes in batches: its statistics are added up, and scored whenever asked.

    Memory does not grow with the batches, unless rows are kept. Several threads can update, merge
    and read one accumulator. It can be pickled, and reduced over processes by adding its `state`.

    Parameters
    ----------
    tokenize, lowercase, max_order, ref_length, pad_id, eos_id, ignore_ids, workers
        As for `vecbleu.corpus_bleu`.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`; one set of weights at most.
    keep_rows : bool
        Keep the statistics of every segment, for `rows`.

    Raises
    ------
    TypeError, ValueError
        An option is of another type or unknown.

    Notes
    -----
    The score is that of `vecbleu.corpus_bleu` on all segments, to the last bit; with averages of
    reference lengths, whose sum depends on the batches, up to rounding.

    Examples
    --------
    >>> from vecbleu import Accumulator
    >>> validation = Accumulator(max_order=2)
    >>> validation.update(["the cat sat"], ["the cat sat down"])
    >>> validation.update(["a dog barked", "fine"], ["the dog barked", "fine"])
    >>> validation
    Accumulator(segments=3, hyp_len=7, ref_len=8)
    >>> round(validation.compute(), 4)
    0.695
    >>> validation.state.tolist()
    [3, 7, 8, 6, 3, 7, 4]
    """

    def __init__(
        self,
        *,
        tokenize: Tokenize = "13a",
        lowercase: bool = False,
        max_order: int = 4,
        weights: WeightSet | None = None,
        smoothing: Smoothing = "none",
        smoothing_value: float | None = None,
        effective_order: bool = False,
        ref_length: RefLength = "closest",
        pad_id: int | None = None,
        eos_id: int | None = None,
        ignore_ids: Iterable[int] = (),
        workers: int | None = None,
        keep_rows: bool = False,
    ) -> None:
        self._counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
        self._scoring = ScoreOptions.checked(
            self._counting.max_order, weights, smoothing, smoothing_value, effective_order
        ).single("an accumulator")
        self._special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
        self._run = RunOptions(workers)
        if not isinstance(keep_rows, bool):
            raise TypeError(f"keep_rows is {keep_rows!r}, expected True or False")
        self._keeps_rows = keep_rows
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        empty = no_rows(self._counting)
        with _LOCK:
            self._segments, self._total = 0, empty.sum()
            self._rows = [empty]

    def _add(self, segments: int, total: Statistics, rows: list[Statistics]) -> None:
        """Add counts; OverflowError, and nothing is added, where they fill more than int64."""
        with _LOCK:
            if self._segments + segments > MOST:
                raise OverflowError(f"there are more than {MOST} segments, the most of int64")
            while True:
                before = self._total
                after = before + total
                if self._total is before:  # else a signal's handler has added counts meanwhile
                    break
            self._total = after
            self._segments += segments
            if self._keeps_rows:
                self._rows += rows

    def update(self, hypotheses: Hypotheses, references: References) -> None:
        """Add a batch; one that fails adds nothing.

        Parameters
        ----------
        hypotheses, references
            As for `vecbleu.corpus_bleu`.

        Raises
        ------
        TypeError, ValueError
            As `vecbleu.corpus_bleu` does.
        OverflowError
            There are 2**63 tokens or more.
        """
        corpus = aligned(hypotheses, references, self._counting, self._special_ids)
        rows = signed_rows(corpus, self._counting, self._run)
        self._add(len(rows), rows.sum(), [rows])

    def merge(self, other: Accumulator) -> None:
        """Add what another one has added up, with the same options.

        Parameters
        ----------
        other : Accumulator
            It stays as it is.

        Raises
        ------
        TypeError
            It is none.
        ValueError
            It counts or scores otherwise, or only this one keeps rows.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"other is {type(other).__name__}, expected an Accumulator")
        for mine, theirs in (
            (self._counting, other._counting),
            (self._scoring, other._scoring),
            (self._special_ids, other._special_ids),
        ):
            for name in field_names(mine):
                own, given = getattr(mine, name), getattr(theirs, name)
                if own != given:
                    raise ValueError(f"other has {name} {given!r} but this one has {own!r}")
        if self._keeps_rows and not other._keeps_rows:
            raise ValueError("other keeps no rows but this one does")
        with _LOCK:
            self._add(other._segments, other._total, [*other._rows])

    def compute(self) -> BleuScore:
        """Score all segments so far; of none, 0.

        Returns
        -------
        BleuScore
        """
        return row_scores(self._total, self._scoring)[0]

    @property
    def state(self) -> Int64 | Float64:
        """What accumulators add up; sums of states are states, whatever computes them.

        Returns
        -------
        int64 array (3 + 2N,)
            Number of segments, hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N;
            float64 where reference lengths are averages. A copy; assign to it what all processes'
            states add up to.
        """
        with _LOCK:
            segments, total = self._segments, self._total
        return np.concatenate([[segments], total.to_array()])

    @state.setter
    def state(self, state: npt.ArrayLike) -> None:
        array = np.asanyarray(state)
        size = 3 + 2 * self._total.max_order
        if array.shape != (size,):
            raise ValueError(f"state has the shape {array.shape}, expected ({size},)")
        if self._keeps_rows:
            raise ValueError("a state has no rows, which this accumulator keeps")
        _check_exact(array)
        total = Statistics.from_array(array[1:])
        if not (0 <= array[0] < 2.0**63 and array[0] == np.trunc(array[0])):
            raise ValueError(f"state[0] is {array[0]}, expected a number of segments")
        ref_len = total.ref_len
        if self._counting.ref_length == "average":
            ref_len = ref_len.astype(np.float64)
        elif ref_len.dtype.kind == "f":
            raise ValueError(f"state[2] is {ref_len}, and reference lengths are no averages here")
        with _LOCK:
            self._segments, self._total = int(array[0]), replace(total, ref_len=ref_len)

    @property
    def rows(self) -> Statistics:
        """The statistics of every segment so far; ValueError unless they are kept."""
        if not self._keeps_rows:
            raise ValueError("rows are not kept; pass keep_rows=True")
        with _LOCK:
            parts = [*self._rows]
        rows = Statistics.concatenate(parts)
        with _LOCK:
            if self._rows[0] is parts[0]:  # else another thread has joined them, or reset
                self._rows[: len(parts)] = [rows]
        return rows

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled or copied: counts that belong together, and a list of its own."""
        with _LOCK:
            return self.__dict__ | {"_rows": [*self._rows]}

    def __len__(self) -> int:
        return self._segments

    def __bool__(self) -> bool:
        return True  # not whether it is empty: `accumulator or Accumulator()` would lose it

    def __repr__(self) -> str:
        with _LOCK:
            segments, total = self._segments, self._total
        return f"Accumulator(segments={segments}, hyp_len={total.hyp_len}, ref_len={total.ref_len})"


def _check_exact(state: npt.NDArray[Any]) -> None:
    """ValueError for floats that are too narrow for counts, sums of which they round."""
    if state.dtype.kind != "f" or state.dtype.itemsize >= 8:
        return
    most = 2 ** (np.finfo(state.dtype).nmant + 1)
    advice = "add up states as int64 or float64"
    if state.dtype.itemsize < 4:
        raise ValueError(f"state is {state.dtype}, which rounds counts above {most}; {advice}")
    for place in np.flatnonzero(np.abs(state) > most)[:1]:
        raise ValueError(
            f"state[{place}] is {state[place]:.0f} in {state.dtype}, which rounds counts above "
            f"{most}; {advice}"
        )

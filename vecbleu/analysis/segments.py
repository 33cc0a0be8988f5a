"""Where systems differ on single segments: in sentence BLEU, and in what corpus BLEU gets of it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import check_name, checked_integer
from vecbleu.core.options import ScoreOptions, Smoothing, WeightSet
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.formula import array_bleu, bleu_and_percent
from vecbleu.core.statistics.columns import row_slices, split_columns
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.terminal import escaped_name
from vecbleu.significance.results import Result
from vecbleu.significance.systems import (
    Systems,
    baseline_index,
    checked_systems,
    score_options,
)
from vecbleu.significance.tables import Columns

Ranking = Literal["corpus", "sentence"]
RANKINGS: tuple[Ranking, ...] = ("corpus", "sentence")


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Differences(Result):
    """What each segment is to two systems, on 0 to 1: sentence BLEU, and its part in corpus BLEU.

    Parameters
    ----------
    names : tuple of str (2,)
        Names of the systems.
    scores : float64 array (2, segments)
        Sentence BLEU of each system on each segment.
    percents : float64 array (2, segments)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (segments,)
        The second system's sentence BLEU minus the first's.
    order : int64 array (segments,)
        Indices of the segments by falling influence or difference, as `by` says: first the one on
        which the second system gains most, last the one on which it loses most; equal ones in the
        order of the corpus. Segments below a minimum length are left out.
    influences : float64 array (segments,)
        What corpus BLEU gains where the second system's output of the segment takes the place of
        the first's: see `segment_differences`.
    corpus_scores : float64 array (2,)
        Corpus BLEU of each system.
    by : {"corpus", "sentence"}
        What segments are ordered by: `influences` or `differences`.
    """

    names: tuple[str, ...]
    scores: Float64
    percents: Float64
    differences: Float64
    order: Int64
    influences: Float64
    corpus_scores: Float64
    by: Ranking = "corpus"

    def _columns(self) -> Columns:
        first, second = (row[self.order].tolist() for row in self.scores)
        differences = self.differences[self.order].tolist()
        return {
            "segment": self.order.tolist(),
            f"score of {self.names[0]}": first,
            f"score of {self.names[1]}": second,
            "difference": differences,
            "influence": self.influences[self.order].tolist(),
        }

    def __repr__(self) -> str:
        better, worse = ((sign * self.differences > 0).sum() for sign in (1, -1))
        first, second = (escaped_name(str(name)) for name in self.names)
        return f"Differences({second}: {better} better, {worse} worse than {first})"


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Influences(Result):
    """What each segment gives to the corpus BLEU of systems, against a baseline, on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    baseline : int
        Index of the system that the others are compared with.
    scores : float64 array (systems,)
        Corpus BLEU of each system.
    influences : float64 array (systems, segments)
        What corpus BLEU gains where the system's output of the segment takes the place of the
        baseline's; 0 for the baseline itself.
    """

    names: tuple[str, ...]
    baseline: int
    scores: Float64
    influences: Float64

    def _columns(self) -> Columns:
        segments, others = self.influences.shape[1], [*self.names]
        del others[self.baseline]
        influences = np.delete(self.influences, self.baseline, axis=0)
        return {
            "system": [name for name in others for _ in range(segments)],
            "segment": [*range(segments)] * len(others),
            "influence": influences.ravel(),
        }

    def __repr__(self) -> str:
        size, base = self.influences.shape[1], escaped_name(str(self.names[self.baseline]))
        return f"Influences(systems={len(self.names)}, segments={size}, baseline={base})"


def segment_differences(
    systems: Systems,
    *,
    by: Ranking = "corpus",
    min_length: int = 0,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
) -> Differences:
    """Rank the segments by how much better the second of two systems is on them.

    The influence of a segment i on the corpus score is what the score gains from swapping in the
    second system's output of this segment alone, exactly, as the mean of both directions:

        ((BLEU(A - a_i + b_i) - BLEU(A)) + (BLEU(B) - BLEU(B - b_i + a_i))) / 2

    with the systems' sums of statistics A and B and their rows a and b. Systems in the other order
    have the opposite influences. Sentence BLEU gives a segment of three tokens as much weight as
    one of a hundred, and is high or zero by chance on short ones; corpus BLEU adds up n-grams.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Two, with rows of the same segments, in the same order. Of more systems, see
        `segment_influences`.
    by : {"corpus", "sentence"}
        Order segments by their influence on corpus BLEU, or by the difference of sentence BLEU.
    min_length : int
        Leave out of `order` the segments whose `ref_len`, of the first system, is below this.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most, and by default as sacreBLEU
        scores sentences: smoothing "exp", over the orders that a hypothesis is long enough for.
        Neither changes the score of a corpus that has matches of all orders.

    Returns
    -------
    Differences

    Raises
    ------
    TypeError, ValueError
        There are not two systems, they differ in their segments or in how they were counted, or
        an option is unknown.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.analysis import segment_differences
    >>> references = ["a b c d", "e f g h i j"]
    >>> one = vecbleu.statistics(["a b c d", "e f g h i"], references)
    >>> two = vecbleu.statistics(["a b c x", "e f g h i j"], references)
    >>> found = segment_differences({"one": one, "two": two})
    >>> found
    Differences(two: 1 better, 1 worse than one)
    >>> found.order.tolist(), found.influences.round(3).tolist()
    ([1, 0], [-0.171, 0.114])
    >>> found.differences.round(3).tolist()
    [-0.405, 0.181]
    """
    checked = checked_systems(systems)
    if len(checked) != 2:
        raise ValueError(
            f"systems has {len(checked)}, expected 2; segment_influences compares any number with "
            "a baseline"
        )
    check_name(by, "by", RANKINGS)
    least = checked_integer(min_length, "min_length", 0)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    rows = np.array([one.to_array() for one in checked.values()])  # (2, segments, columns)
    scores, percents = bleu_and_percent(rows, options)
    differences = scores[1] - scores[0]
    corpus_scores, (_, influences) = _influences([*checked.values()], 0, options)
    ranked = influences if by == "corpus" else differences
    order = np.argsort(-ranked, kind="stable")
    order = order[split_columns(rows[0])[1][order] >= least]
    return Differences(
        tuple(checked), scores, percents, differences, order, influences, corpus_scores, by
    )


def segment_influences(
    systems: Systems,
    *,
    baseline: int | str = 0,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Influences:
    """What each segment gives to the corpus BLEU of each system, compared with a baseline.

    The formula is that of `segment_differences`. `vecbleu.significance.jackknife` compares with a
    corpus without the segment instead.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    baseline : int or str
        Index or name of the system that the others are compared with.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    Influences

    Raises
    ------
    TypeError, ValueError
        There are fewer than two systems, they differ in their segments or in how they were
        counted, there is no such baseline, or an option is unknown.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.analysis import segment_influences
    >>> references = ["a b c d", "e f g h i j"]
    >>> outputs = ["a b c d", "e f g h i"], ["a b c x", "e f g h i j"], ["a b c d", "e f g h i j"]
    >>> found = segment_influences([vecbleu.statistics(one, references) for one in outputs])
    >>> found
    Influences(systems=3, segments=2, baseline=0)
    >>> found.influences.round(3).tolist()
    [[0.0, 0.0], [-0.171, 0.114], [0.0, 0.105]]
    """
    checked = checked_systems(systems)
    base = baseline_index(checked, baseline)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    scores, influences = _influences([*checked.values()], base, options)
    return Influences(tuple(checked), base, scores, np.array(influences))


def _influences(
    systems: list[Statistics], base: int, options: ScoreOptions
) -> tuple[Float64, list[Float64]]:
    """Corpus BLEU of each system, and the influence of each segment on it against one of them."""
    totals = [one.sum().to_array() for one in systems]
    scores = [array_bleu(total, options) for total in totals]
    found: list[Float64] = []
    for other, system in enumerate(systems):
        influences = np.zeros(len(system))
        for rows in row_slices(influences.shape if other != base else (0,)):
            change = system[rows].to_array() - systems[base][rows].to_array()
            is_other = change.any(axis=1)  # of most systems, many outputs are the same
            change = change[is_other]
            gains = array_bleu(totals[base] + change, options) - scores[base]
            gains += scores[other] - array_bleu(totals[other] - change, options)
            influences[rows][is_other] = gains / 2
        found.append(influences)
    return np.array(scores), found

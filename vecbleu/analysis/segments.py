"""Where systems differ: on single segments."""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.significance.results import Result
from vecbleu.significance.systems import Systems, checked_systems, score_options


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Differences(Result):
    """Two systems' scores of each segment, on 0 to 1.

    Parameters
    ----------
    names : tuple of str (2,)
        Names of the systems.
    scores : float64 array (2, segments)
        Sentence BLEU of each system on each segment.
    percents : float64 array (2, segments)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (segments,)
        The second system's score minus the first's.
    order : int64 array (segments,)
        Indices of the segments by falling difference: first the one on which the second system
        gains most, last the one on which it loses most; equal ones in the order of the corpus.
    """

    names: tuple[str, ...]
    scores: Float64
    percents: Float64
    differences: Float64
    order: Int64

    def __repr__(self) -> str:
        better, worse = ((sign * self.differences > 0).sum() for sign in (1, -1))
        return f"Differences({self.names[1]}: {better} better, {worse} worse than {self.names[0]})"


def segment_differences(
    systems: Systems,
    *,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
) -> Differences:
    """Rank the segments by how much better the second of two systems is on them.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Two, with rows of the same segments, in the same order.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most, and by default as sacreBLEU
        scores sentences: smoothing "exp", over the orders that a hypothesis is long enough for.

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
    >>> references = ["a b c d", "e f g h"]
    >>> one = vecbleu.statistics(["a b c d", "e f g"], references)
    >>> two = vecbleu.statistics(["a b c x", "e f g h"], references)
    >>> found = segment_differences({"one": one, "two": two})
    >>> found
    Differences(two: 1 better, 1 worse than one)
    >>> found.order.tolist(), found.differences.round(4).tolist()
    ([1, 0], [-0.4054, 0.2835])
    """
    checked = checked_systems(systems)
    if len(checked) != 2:
        raise ValueError(f"systems has {len(checked)}, expected 2")
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    rows = np.array([one.to_array() for one in checked.values()])  # (2, segments, columns)
    scores, percents = bleu_and_percent(rows, options)
    differences = scores[1] - scores[0]
    order = np.argsort(-differences, kind="stable")
    return Differences(tuple(checked), scores, percents, differences, order)

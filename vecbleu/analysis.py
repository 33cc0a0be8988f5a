"""Where systems differ: on single segments, and on groups of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.columns import split_columns
from vecbleu.ragged import Int64
from vecbleu.scores import array_bleu
from vecbleu.significance.scoring import (
    Floats,
    Result,
    ScoreOptions,
    Systems,
    formula_of,
    percents,
    tables_of,
    total_of,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

# Where labels are NaN, which equals nothing.
_NO_LABEL = float("nan")

# Tokens of the reference where one bucket ends and the next begins.
LENGTH_EDGES = (10, 20, 30, 40, 50, 60)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Differences(Result):
    """Two systems' scores of each segment, on 0 to 1.

    Parameters
    ----------
    names : tuple of str (2,)
        What the systems are called.
    scores : float64 array (2, segments)
        Sentence BLEU of each.
    percents : float64 array (2, segments)
        The same on sacreBLEU's 0 to 100.
    differences : float64 array (segments,)
        The second system's score less the first's.
    order : int64 array (segments,)
        The segments from the one that the second system gains most on, to the one that it loses
        most on; among equals, in the order of the corpus.
    """

    names: tuple[str, ...]
    scores: Floats
    percents: Floats
    differences: Floats
    order: Int64

    def __repr__(self) -> str:
        better, worse = ((sign * self.differences > 0).sum() for sign in (1, -1))
        return f"Differences({self.names[1]}: {better} better, {worse} worse than {self.names[0]})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Buckets(Result):
    """Scores of systems on groups of segments, on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        What the systems are called.
    labels : tuple (buckets,)
        What the groups are called.
    sizes : int64 array (buckets,)
        Segments of each.
    scores : float64 array (systems, buckets)
        BLEU of each system on each group.
    percents : float64 array (systems, buckets)
        The same on sacreBLEU's 0 to 100.
    by : {"label", "ref_len"}
        What puts a segment into its group.
    """

    names: tuple[str, ...]
    labels: tuple[Any, ...]
    sizes: Int64
    scores: Floats
    percents: Floats
    by: str = "label"

    def __repr__(self) -> str:
        return f"Buckets(systems={len(self.names)}, labels={self.labels})"


def segment_differences(systems: Systems, **score: Unpack[ScoreOptions]) -> Differences:
    """Rank the segments by how much better the second of two systems is on them.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Two, with rows of the same segments.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`; by
        default sacreBLEU's for sentences: smoothing "exp", and the orders that a segment is long
        enough for.

    Returns
    -------
    Differences

    Raises
    ------
    TypeError, ValueError
        There are not two systems, or they differ in their segments or in how they were counted.

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
    names, tables = tables_of(systems)
    if len(names) != 2:
        raise ValueError(f"systems has {len(names)}, expected 2")
    options: ScoreOptions = {"smoothing": "exp", "effective_order": True}
    options.update(score)
    formula = formula_of(tables.shape[-1] // 2 - 1, options)
    scores = np.ascontiguousarray(array_bleu(tables, formula).T)  # (systems, segments)
    differences = scores[1] - scores[0]
    order = np.argsort(-differences, kind="stable")
    in_percent = np.ascontiguousarray(percents(tables, formula).T)
    return Differences(names, scores, in_percent, differences, order)


def score_buckets(
    systems: Systems,
    labels: Iterable[Any] | None = None,
    *,
    edges: Iterable[int] | None = None,
    **score: Unpack[ScoreOptions],
) -> Buckets:
    """Score systems on groups of segments: by label, or by the length of the reference.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    labels : iterable (segments,) of hashables, optional
        What each segment belongs to, such as a domain or a document. Groups are in the order in
        which their labels first occur. Without labels, groups are made by the first system's
        `ref_len`, and those that no segment falls into are left out.
    edges : iterable of int, optional
        Increasing lengths in tokens at which one group ends and the next begins, where there are
        no labels: by default 10, 20, ... 60.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

    Returns
    -------
    Buckets

    Raises
    ------
    TypeError, ValueError
        Systems differ in their segments or in how they were counted, labels are not as many as
        segments or can't be hashed, edges do not increase, or both are given.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.analysis import score_buckets
    >>> references = ["a b c d", "e f g h i", "a b c d e f g h i j"]
    >>> one = vecbleu.statistics(["a b c d", "e f g x i", "a b c d e f g h"], references)
    >>> found = score_buckets({"one": one}, ["news", "talk", "talk"], smoothing="exp")
    >>> dict(zip(found.labels, found.scores[0].round(4).tolist()))
    {'news': 1.0, 'talk': 0.6901}
    >>> score_buckets([one]).labels
    ('< 10', '10-19')
    """
    names, tables = tables_of(systems, least=1)  # (segments, systems, columns)
    formula = formula_of(tables.shape[-1] // 2 - 1, score)
    if labels is None:
        ref_len = split_columns(tables)[1][:, 0]
        known, groups = _length_groups(ref_len, LENGTH_EDGES if edges is None else edges)
    elif edges is not None:
        raise ValueError("labels and edges are both given; groups are made by one of them")
    else:
        known, groups = _label_groups(labels, len(tables))
    sizes = np.bincount(groups, minlength=len(known))
    rows = np.split(np.argsort(groups, kind="stable"), np.cumsum(sizes)[:-1])
    by_system = np.moveaxis(tables, 1, 0)
    sums = np.array([[total_of(table[some]) for some in rows] for table in by_system])
    by = "ref_len" if labels is None else "label"
    return Buckets(names, known, sizes, array_bleu(sums, formula), percents(sums, formula), by)


def _length_groups(ref_len: Floats, edges: Iterable[int]) -> tuple[tuple[str, ...], Int64]:
    """Names of the groups that occur, and each segment's group (segments,)."""
    bounds = [*edges] if isinstance(edges, Iterable) else []
    whole = (isinstance(edge, (int, np.integer)) for edge in bounds)
    if not bounds or not all(whole) or any(isinstance(edge, bool) for edge in bounds):
        raise TypeError(f"edges is {bounds or edges!r}, expected integers")
    if any(low >= high for low, high in pairwise([0, *bounds])):
        raise ValueError(f"edges is {bounds!r}, expected lengths that increase, from 1 on")
    names = [f"< {bounds[0]}"]
    for low, high in pairwise(bounds):
        names.append(f"{low}-{high - 1}" if high - low > 1 else f"{low}")
    names.append(f">= {bounds[-1]}")
    # Averages of several lengths can lie between 19 and 20.
    occurring, groups = np.unique(np.searchsorted(bounds, ref_len, "right"), return_inverse=True)
    return tuple(names[group] for group in occurring), groups


def _label_groups(labels: Iterable[Any], segments: int) -> tuple[tuple[Any, ...], Int64]:
    """Labels in the order in which they occur, and each segment's (segments,)."""
    single = isinstance(labels, (str, bytes)) or (
        isinstance(labels, np.ndarray) and not labels.ndim
    )
    if single or not isinstance(labels, Iterable) or isinstance(labels, (Mapping, AbstractSet)):
        raise TypeError(f"labels is {type(labels).__name__}, expected one for each segment")
    if isinstance(labels, np.ndarray) and labels.dtype.kind not in "mM":  # times would be numbers
        labels = labels.tolist()
    listed = [_NO_LABEL if isinstance(one, float) and one != one else one for one in labels]
    if len(listed) != segments:
        raise ValueError(f"labels has {len(listed)} but systems have {segments} segments")
    known: dict[Any, int] = {}
    groups = np.empty(segments, np.int64)
    for segment, label in enumerate(listed):
        try:
            groups[segment] = known.setdefault(label, len(known))
        except TypeError:
            kind = type(label).__name__
            raise TypeError(f"labels[{segment}] is {kind}, expected a hashable") from None
    return tuple(known), groups

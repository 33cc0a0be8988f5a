"""Self-BLEU: how much the sentences of one set are like each other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vecbleu.core.arrays import Float64, Int64, as_index
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.distinct import representatives
from vecbleu.core.kernel.joins import keys_of_order
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import Smoothing, Tokenize, Weights
from vecbleu.core.scoring.formula import array_bleu
from vecbleu.pairwise.sides import NamedUnits, Settings

# Rows that are scored together: 200,000 at once take twice as long.
_ROWS = 1 << 14


def self_bleu(
    hypotheses: Hypotheses,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
) -> Float64:
    """Score each hypothesis against all the others as its references.

    The mean is Self-BLEU: the higher it is, the less diverse is the set. An n-gram matches where at
    least two hypotheses have it, so the time grows as N log N, and not with the number of pairs.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`; two at
        least.
    tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order, pad_id,
    eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`. Worker processes tokenize.

    Returns
    -------
    float64 array (H,), or (H, W) for W sets of weights
        On 0 to 1: what `vecbleu.sentence_bleu` gives for each with the list of the others, of whose
        lengths the closest one counts.

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; there is one hypothesis alone.

    Examples
    --------
    >>> import vecbleu
    >>> samples = ["the cat sat on the mat", "the cat sat on a mat", "it rains"]
    >>> scores = vecbleu.self_bleu(samples, max_order=2)
    >>> scores.round(3).tolist()
    [0.707, 0.707, 0.0]
    >>> round(float(scores.mean()), 3)
    0.471

    References
    ----------
    Zhu et al. (2018), "Texygen: a benchmarking platform for text generation models", SIGIR,
    section 3.1.
    """
    settings = Settings.checked(
        tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order,
        pad_id, eos_id, ignore_ids, workers, progress,
    )  # fmt: skip
    (units,) = settings.ids(NamedUnits("hypotheses", hypotheses))
    if len(units) == 1:
        raise ValueError("hypotheses has 1 segment, which has no other to be compared with")
    rows = _statistics(units, settings.counting.max_order)
    parts = [
        array_bleu(rows[start : start + _ROWS], settings.scoring)
        for start in range(0, len(rows), _ROWS)
    ]
    return np.concatenate([np.empty((0, *settings.scoring.shape)), *parts])


def _statistics(units: Ragged, max_order: int) -> Int64:
    """Statistics of each unit against all others (units, columns)."""
    lengths = units.lengths
    matches = [_shared(units, order) for order in range(1, max_order + 1)]
    totals = [np.maximum(lengths - order, 0) for order in range(max_order)]
    return np.stack([lengths, _closest_others(lengths), *matches, *totals], axis=1)


def _shared(units: Ragged, order: int) -> Int64:
    """How many n-grams of each unit another one has, too, as often (units,)."""
    if order > units.lengths.max(initial=0):  # keys of an order are made from those of all lower
        return np.zeros(len(units), np.int64)
    found = keys_of_order(units, order)
    places = representatives(found.keys)
    is_shared = places != np.arange(len(places))  # no unit has a key twice
    is_shared[places[is_shared]] = True
    owners = as_index(found.owners[is_shared])
    return np.bincount(owners, minlength=len(units)).astype(np.int64)


def _closest_others(lengths: Int64) -> Int64:
    """The length closest to each one among the others; of two the shorter (units,)."""
    if not len(lengths):
        return lengths
    distinct, places, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    far = 4 * int(distinct[-1]) + 4
    below = np.concatenate([[-far], distinct[:-1]])
    above = np.concatenate([distinct[1:], [far]])
    nearest = np.where(distinct - below <= above - distinct, below, above)
    closest: Int64 = np.where(counts > 1, distinct, nearest)[places]
    return closest

"""Self-BLEU: how much the sentences of one set are like each other."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import Ragged, as_index
from vecbleu.core.options import Options, PairArgs, takes
from vecbleu.core.scoring.formula import array_bleu
from vecbleu.pairwise.keys import occurs_again, unit_keys
from vecbleu.pairwise.units import Side, side_ids

# Rows that are scored together: 200,000 at once take twice as long.
_ROWS = 1 << 14


@takes(PairArgs, effective_order=True)
def self_bleu(hypotheses: Hypotheses, **options: Unpack[PairArgs]) -> Float64:
    """Score each hypothesis against all the others as its references.

    The mean is Self-BLEU: the higher it is, the less diverse is the set. An n-gram matches where at
    least two hypotheses have it, so the time grows as N log N, and not with the number of pairs.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`; two at
        least.
    **options
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    float64 array (H,)
        Between 0 and 1: what `vecbleu.sentence_bleu` gives for each with the list of the others,
        of whose lengths the closest one counts.

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; there is only one hypothesis.

    Examples
    --------
    >>> import vecbleu
    >>> samples = ["the cat sat on the mat", "the cat sat on a mat", "it rains"]
    >>> scores = vecbleu.self_bleu(samples)
    >>> scores.round(3).tolist()
    [0.537, 0.537, 0.0]
    >>> round(float(scores.mean()), 3)
    0.358

    References
    ----------
    Zhu et al. (2018), "Texygen: a benchmarking platform for text generation models", SIGIR,
    section 3.1.
    """
    settings = Options.checked(options)
    (units,) = side_ids(settings, Side("hypotheses", hypotheses))
    if len(units) == 1:
        raise ValueError("hypotheses has 1 segment, which has no other to be compared with")
    orders = range(settings.counting.max_order)
    matches = [_shared(units, order + 1) for order in orders]
    totals = [np.maximum(units.lengths - order, 0) for order in orders]
    rows = np.stack([units.lengths, _closest_others(units.lengths), *matches, *totals], axis=1)
    parts = [
        array_bleu(rows[start : start + _ROWS], settings.scoring)
        for start in range(0, len(rows), _ROWS)
    ]
    return np.concatenate([np.empty(0), *parts])


def _shared(units: Ragged, order: int) -> Int64:
    """Count the n-grams of each unit that another one has, too, as often (units,)."""
    if order > units.lengths.max(initial=0):  # keys of an order are made from those of all lower
        return np.zeros(len(units), np.int64)
    (found,) = unit_keys(units, [order])
    owners = as_index(found.owners[occurs_again(found.keys)])  # no unit has a key twice
    return np.bincount(owners, minlength=len(units)).astype(np.int64)


def _closest_others(lengths: Int64) -> Int64:
    """Find the length closest to each one among the others; of two the shorter (units,)."""
    if not len(lengths):
        return lengths
    distinct, places, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    far = 4 * int(distinct[-1]) + 4
    below = np.concatenate([[-far], distinct[:-1]])
    above = np.concatenate([distinct[1:], [far]])
    nearest = np.where(distinct - below <= above - distinct, below, above)
    closest: Int64 = np.where(counts > 1, distinct, nearest)[places]
    return closest

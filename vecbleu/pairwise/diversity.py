"""Compute Self-BLEU: how similar the sentences of one set are to each other."""

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

# Rows scored at a time; 200,000 at a time take twice as long.
_ROWS = 1 << 14


@takes(PairArgs, effective_order=True)
def self_bleu(hypotheses: Hypotheses, **options: Unpack[PairArgs]) -> Float64:
    """Score each hypothesis with all others as its references.

    The mean of the scores is Self-BLEU: the higher it is, the less diverse the set. An n-gram
    matches if at least two hypotheses have it, so the time grows with N log N, not with the number
    of pairs.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`; at least
        two.
    **options
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    float64 array (H,)
        Between 0 and 1. Each score equals `vecbleu.sentence_bleu` of the hypothesis with the list
        of all others as references.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or there is only one hypothesis.

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
        raise ValueError("hypotheses has 1 segment, expected at least 2 to compare")
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
    """Count the n-grams of each unit that match in any other unit (units,)."""
    if order > units.lengths.max(initial=0):  # no unit has such n-grams
        return np.zeros(len(units), np.int64)
    (found,) = unit_keys(units, [order])
    owners = as_index(found.owners[occurs_again(found.keys)])  # a unit has no key twice
    return np.bincount(owners, minlength=len(units)).astype(np.int64)


def _closest_others(lengths: Int64) -> Int64:
    """Return the closest length of another unit (units,), the shorter of two equally close."""
    if not len(lengths):
        return lengths
    distinct, places, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    far = 4 * int(distinct[-1]) + 4
    below = np.concatenate([[-far], distinct[:-1]])
    above = np.concatenate([distinct[1:], [far]])
    nearest = np.where(distinct - below <= above - distinct, below, above)
    closest: Int64 = np.where(counts > 1, distinct, nearest)[places]
    return closest

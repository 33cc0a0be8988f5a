"""Compute Self-BLEU: how similar the sentences of one set are to each other."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import as_index
from vecbleu.core.options import Options, PairArgs, takes
from vecbleu.pairwise.distinct import first_indices
from vecbleu.pairwise.keys import unit_keys
from vecbleu.pairwise.scores import pair_scores
from vecbleu.pairwise.units import side_ids


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
    units, _ = side_ids(settings, hypotheses)
    if len(units) == 1:
        raise ValueError("hypotheses has 1 segment, expected at least 2 to compare")
    matches = np.zeros((settings.counting.max_order, len(units)), np.int64)
    for order in range(min(len(matches), units.lengths.max(initial=0))):
        ((keys, owners),) = unit_keys(units, [order + 1])
        first = as_index(first_indices(keys))
        matched = owners[np.bincount(first)[first] > 1]  # a unit has no key twice
        matches[order] = np.bincount(as_index(matched), minlength=len(units))
    return pair_scores(units.lengths, _closest_lengths(units.lengths), matches, settings.scoring)


def _closest_lengths(lengths: Int64) -> Int64:
    """Return the closest length of another unit (units,), the shorter of two equally close."""
    ascending = np.argsort(lengths)
    in_order = lengths[ascending]
    far = 4 * lengths.max(initial=0) + 4
    shorter, longer = np.append(-far, in_order[:-1]), np.append(in_order[1:], far)
    closest = np.empty_like(lengths)
    is_shorter = in_order - shorter <= longer - in_order
    closest[ascending] = np.where(is_shorter, shorter, longer)
    return closest

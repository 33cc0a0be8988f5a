"""Score every hypothesis against every single reference."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import Unpack

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import Options, PairArgs, ScoreOptions, takes
from vecbleu.core.parallel.mapping import map_blocks
from vecbleu.pairwise.scores import Columns
from vecbleu.pairwise.units import side_ids

# Seconds to count and score a pair; and pairs per task. All columns are sent with each task.
_SECONDS = 60e-9
_TASK_PAIRS = 1 << 21


@takes(PairArgs, effective_order=True)
def pairwise_bleu(
    hypotheses: Hypotheses, references: Hypotheses | None = None, **options: Unpack[PairArgs]
) -> Float64:
    """Return the matrix of sentence BLEU of every hypothesis against every single reference.

    ``matrix[i, j]`` equals ``sentence_bleu([hypotheses[i]], [references[j]])[0]``, bit for bit. The
    n-grams of each row are looked up in an index of all columns, so the cost of a pair depends on
    the n-grams that it shares.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`.
    references : sequence (R,), optional
        References of the same kind, each scored by itself; by default the hypotheses.
    **options
        As for `vecbleu.sentence_bleu`, with its defaults: tokenize, lowercase, max_order, weights,
        smoothing, smoothing_value, effective_order, ignore_ids, eos_id, workers, progress.

    Returns
    -------
    float64 array (H, R)
        Between 0 and 1, with 8 bytes per pair. If it does not fit into memory, compute some rows at
        a time, ``pairwise_bleu(hypotheses[i:j], references)``, or find only the best few of each
        row with `nearest`.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or only one side is text.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["the cat sat on the mat", "a dog barked"]
    >>> references = ["the cat sat on a mat", "the dog barked", "a dog barked"]
    >>> vecbleu.pairwise_bleu(hypotheses, references).round(3).tolist()
    [[0.537, 0.081, 0.0], [0.101, 0.55, 1.0]]

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation", ACL.
    """
    settings = Options.checked(options)
    rows, columns = side_ids(settings, hypotheses, references)
    index = Columns.of(columns, np.array([0, len(columns)]), settings.counting.max_order)
    task = partial(_score_rows, index, settings.scoring)
    step = max(1, _TASK_PAIRS // max(len(columns), 1))
    starts = range(0, len(rows), step)
    parts = [rows[start : start + step] for start in starts]
    seconds = _SECONDS * len(rows) * len(columns)
    matrix = np.empty((len(rows), len(columns)))
    with closing(map_blocks(task, parts, seconds, settings.run, total=len(rows))) as chunks:
        for start, chunk in zip(starts, chunks, strict=True):
            matrix[start : start + step] = chunk
    return matrix


def _score_rows(columns: Columns, options: ScoreOptions, rows: Ragged) -> Float64:
    """Score some rows of the matrix."""
    groups = np.zeros(len(rows), np.int64)
    scores = [chunk for _, chunk in columns.scores(rows, groups, options)]
    return np.concatenate(scores).reshape(len(rows), len(columns.lengths))

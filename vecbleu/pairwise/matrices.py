"""Sentence BLEU of every hypothesis against every reference by itself."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import ScoreOptions, Smoothing, Tokenize, Weights
from vecbleu.core.tasks import map_tasks
from vecbleu.pairwise.grids import Columns
from vecbleu.pairwise.sides import NamedUnits, Settings

# What a pair takes, counted and scored; and pairs of a task, which carries the columns with it.
_SECONDS = 60e-9
_TASK_PAIRS = 1 << 21


def pairwise_bleu(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
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
    """Score every hypothesis against every reference by itself: a matrix of sentence BLEU.

    ``matrix[i, j]`` is ``sentence_bleu([hypotheses[i]], [references[j]])[0]``, to the last bit. No
    pair is counted by itself: the n-grams of a row are looked up in an index of all columns, so a
    pair costs what its units share.

    Parameters
    ----------
    hypotheses : sequence (H,)
        Strings, token sequences, integer arrays or a column, as for `vecbleu.corpus_bleu`.
    references : sequence (R,), optional
        One unit each, of the same kind; by default the hypotheses, each against each.
    tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order, pad_id,
    eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`.

    Returns
    -------
    float64 array (H, R), or (H, R, W) for W sets of weights
        On 0 to 1. It takes 8 bytes a pair: see `pairwise_bleu_chunked` for matrices that are larger
        than memory, and `nearest` for the best few of each row.

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; a side is text and the other is not.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["the cat sat on the mat", "a dog barked"]
    >>> references = ["the cat sat on a mat", "the dog barked", "a dog barked"]
    >>> vecbleu.pairwise_bleu(hypotheses, references, max_order=2).round(3).tolist()
    [[0.707, 0.0, 0.0], [0.0, 0.577, 1.0]]

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation", ACL.
    """
    settings = Settings.checked(
        tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order,
        pad_id, eos_id, ignore_ids, workers, progress,
    )  # fmt: skip
    rows, columns = _sides(settings, hypotheses, references)
    matrix = np.empty((len(rows), len(columns), *settings.scoring.shape))
    start = 0
    for chunk in _chunks(rows, columns, settings):
        matrix[start : start + len(chunk)] = chunk
        start += len(chunk)
    return matrix


def pairwise_bleu_chunked(
    hypotheses: Hypotheses,
    references: Hypotheses | None = None,
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
) -> Iterator[Float64]:
    """Score every hypothesis against every reference, some rows of the matrix at a time.

    Parameters
    ----------
    hypotheses, references
        As for `pairwise_bleu`.
    tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order, pad_id,
    eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`.

    Returns
    -------
    iterator of float64 arrays (rows, R), or (rows, R, W)
        The matrix from the top, about two million scores at a time. What is passed is checked by
        the call, and not when the first rows are asked for.

    Raises
    ------
    TypeError, ValueError
        As `pairwise_bleu` does.

    Examples
    --------
    >>> import vecbleu
    >>> training = ["the cat sat on the mat", "a dog barked", "the mat is red"]
    >>> test = ["the cat sat on the mat", "it is raining"]
    >>> for rows in vecbleu.pairwise_bleu_chunked(training, test):
    ...     print((rows > 0.9).any(axis=1).tolist())
    [True, False, False]
    """
    settings = Settings.checked(
        tokenize, lowercase, max_order, weights, smoothing, smoothing_value, effective_order,
        pad_id, eos_id, ignore_ids, workers, progress,
    )  # fmt: skip
    return _chunks(*_sides(settings, hypotheses, references), settings)


def _sides(
    settings: Settings, hypotheses: Hypotheses, references: Hypotheses | None
) -> tuple[Ragged, Ragged]:
    """The ids of rows and columns."""
    if references is None:
        (rows,) = settings.ids(NamedUnits("hypotheses", hypotheses))
        return rows, rows
    rows, columns = settings.ids(
        NamedUnits("hypotheses", hypotheses), NamedUnits("references", references)
    )
    return rows, columns


def _chunks(rows: Ragged, columns: Ragged, settings: Settings) -> Generator[Float64]:
    """The matrix from the top, some rows at a time."""
    whole = np.array([0, len(columns)])
    task = partial(
        _score_rows, Columns.of(columns, whole, settings.counting.max_order), settings.scoring
    )
    step = max(1, _TASK_PAIRS // max(len(columns), 1))
    cuts = [*range(0, len(rows), step), len(rows)]
    parts = [rows[start:stop] for start, stop in pairwise(cuts)]
    seconds = _SECONDS * len(rows) * len(columns)
    with closing(map_tasks(task, parts, seconds, settings.run, total=len(rows))) as chunks:
        yield from chunks


def _score_rows(columns: Columns, options: ScoreOptions, rows: Ragged) -> Float64:
    """Some rows of the matrix."""
    groups = np.zeros(len(rows), np.int64)
    scores = [chunk for _, chunk in columns.scores(rows, groups, options)]
    return np.concatenate(scores).reshape(len(rows), len(columns.lengths), *options.shape)

"""The public functions: options are checked, segments counted, scores computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Float64
from vecbleu.core.corpus.blocks import Corpus
from vecbleu.core.corpus.numbers import references_each
from vecbleu.core.files.sources import Path, Source
from vecbleu.core.inputs import AlignedCorpus, align
from vecbleu.core.inputs.types import Hypotheses, References
from vecbleu.core.options import (
    CountOptions,
    Executor,
    RefLength,
    RunOptions,
    ScoreOptions,
    Smoothing,
    SpecialIds,
    Tokenize,
    Weights,
)
from vecbleu.core.pipeline import count_rows, count_total
from vecbleu.core.records import replace
from vecbleu.core.scoring.formula import array_bleu
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics.columns import checked_counts, split_columns
from vecbleu.core.statistics.scores import corpus_score
from vecbleu.core.statistics.table import Statistics


@overload
def corpus_bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = ...,
    lowercase: bool = ...,
    max_order: int = ...,
    weights: Sequence[float] | None = ...,
    smoothing: Smoothing = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
    ref_length: RefLength = ...,
    pad_id: int | None = ...,
    eos_id: int | None = ...,
    ignore_ids: Iterable[int] = ...,
    workers: int | None = ...,
    progress: bool | None = ...,
    executor: Executor | None = ...,
    retries: int = ...,
) -> BleuScore: ...


@overload
def corpus_bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = ...,
    lowercase: bool = ...,
    max_order: int = ...,
    weights: Sequence[Sequence[float]],
    smoothing: Smoothing = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
    ref_length: RefLength = ...,
    pad_id: int | None = ...,
    eos_id: int | None = ...,
    ignore_ids: Iterable[int] = ...,
    workers: int | None = ...,
    progress: bool | None = ...,
    executor: Executor | None = ...,
    retries: int = ...,
) -> tuple[BleuScore, ...]: ...


def corpus_bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: RefLength = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
    retries: int = 2,
) -> BleuScore | tuple[BleuScore, ...]:
    """Score a corpus: BLEU of the sum of all segments' statistics.

    BLEU = BP * exp(sum over n of w_n * ln p_n), BP = 1 if hyp_len >= ref_len else
    exp(1 - ref_len / hyp_len), and 0 if nothing matches.

    Parameters
    ----------
    hypotheses : sequence (segments,)
        Strings (they are tokenized); or sequences of hashable tokens, compared with ``==``; or
        1-D integer arrays; or one 2-D integer array (segments, width); or a `Ragged`.
    references : sequence (segments,)
        ``references[i]`` is what belongs to segment i: one reference of the kind that the
        hypotheses are, or a sequence of any number of them. For 2-D arrays also (segments, width)
        or (segments, references, width). Tuples of tuples are several references, unless a
        hypothesis has a tuple for a token; write ``[[...]]`` to be understood in any case. Or a
        `SharedReferences`, all of which belong to every segment.
    tokenize : str or callable
        One of sacreBLEU's: "13a", "intl", "zh", "char", "none" (`str.split`); with an extra
        "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K"; the path of a SentencePiece
        model; or any function from a string to a list of strings. Token sequences are never
        tokenized again.
    lowercase : bool
        Apply `str.lower` to the strings first.
    max_order : int
        The longest n-gram counted, N.
    weights : sequence of float, or several of them, optional
        Weights of order 1, 2, ...; fewer than N use the first orders. By default all orders weigh
        the same.
    smoothing : {"none", "floor", "add-k", "exp", "skip-zero"}
        What becomes of orders without a match, by sacreBLEU's rules: nothing (BLEU is 0); the
        count becomes `smoothing_value` (0.1); `smoothing_value` (1) is added to both counts of
        order 2 and up; the k-th zero becomes 1 / 2**k; the order is left out of the sum, as if
        its precision were 1 (NLTK before 3.3).
    smoothing_value : float, optional
        The value of "floor" and "add-k".
    effective_order : bool
        Average over the orders that the hypothesis is long enough for. Given weights are
        scaled up to their sum.
    ref_length : {"closest", "shortest", "average", "longest"}
        Which of several references' lengths counts; "closest" takes the shorter of two that are
        equally close.
    pad_id : int, optional
        In integer arrays, and in lists of integers, this id is no token, wherever it stands.
    eos_id : int, optional
        There, a row ends before the first of these.
    ignore_ids : iterable of int
        There, these ids are no tokens either. With one of these three options, a list may hold
        nothing but integers of 64 bits (and no bools).
    workers : int, optional
        Processes to count with, this one included; by default as many as there are cores where
        there is much to count (4 million tokens), and 1 otherwise. The result does not depend on
        it. Where no more processes can be started, fewer count, and a RuntimeWarning says why if
        `workers` is given. A tokenizer of your own runs in this process alone.
    progress : bool, optional
        Show how far the work has come, with rate and time left (needs the extra "progress");
        None shows it where standard error is a terminal and the extra is installed.
    executor : concurrent.futures.Executor, optional
        Does the counting instead of processes of this machine: a pool, or what
        ``dask.distributed.Client(...).get_executor()`` and `mpi4py.futures` have. `workers` is then
        how many it has, for how much it is given at once.
    retries : int
        How many times a part of the work that was lost is tried again: because its worker process
        was killed, or the executor failed to run it. What is wrong with the text is not.

    Returns
    -------
    BleuScore, or a tuple of them
        A float on 0 to 1 that has its parts; one for each of several sets of weights. An empty
        corpus scores 0.

    Raises
    ------
    TypeError
        Something is not a string, a sequence of hashable tokens, or an integer array.
    ValueError
        The sides differ in length, a segment has no reference, or an option is unknown.
    ImportError, FileNotFoundError
        The tokenizer needs a package or a model that is not there; the message says what to do.
    ChildProcessError
        A part of the work was lost more often than `retries` allow; the message says which.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["The cat sat on the mat."], ["The cat sat on a mat."])
    >>> round(score, 4), score.brevity_penalty
    (0.4889, 1.0)

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation", ACL;
    smoothing: Chen and Cherry (2014), "A systematic comparison of smoothing techniques for
    sentence-level BLEU", WMT.
    """
    counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
    scoring = ScoreOptions.checked(
        counting.max_order, weights, smoothing, smoothing_value, effective_order
    )
    special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
    run = RunOptions(workers, progress, executor, retries)
    corpus = aligned(hypotheses, references, counting, special_ids)
    counted = counting.signature(corpus.is_text, references_each(corpus))
    return corpus_score(count_total(corpus, counting, run), scoring, counted)


def sentence_bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: RefLength = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
    retries: int = 2,
) -> Float64:
    """Score every segment by itself, all in one call.

    Parameters
    ----------
    hypotheses, references, tokenize, lowercase, max_order, weights, smoothing, smoothing_value,
    effective_order, ref_length, pad_id, eos_id, ignore_ids, workers, progress, executor, retries
        As for `corpus_bleu`: many segments, not one.

    Returns
    -------
    float64 array (segments,), or (segments, W) for W sets of weights
        On 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As `corpus_bleu` does.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["the cat sat on the mat", "a dog barked"]
    >>> references = ["the cat sat on a mat", "the dog barked"]
    >>> vecbleu.sentence_bleu(hypotheses, references, smoothing="exp").round(4).tolist()
    [0.5373, 0.0]
    >>> vecbleu.sentence_bleu(
    ...     hypotheses, references, smoothing="exp", effective_order=True
    ... ).round(4).tolist()
    [0.5373, 0.5503]
    """
    counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
    scoring = ScoreOptions.checked(
        counting.max_order, weights, smoothing, smoothing_value, effective_order
    )
    special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
    run = RunOptions(workers, progress, executor, retries)
    corpus = aligned(hypotheses, references, counting, special_ids)
    return array_bleu(signed_rows(corpus, counting, run).to_array(), scoring)


def statistics(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
    retries: int = 2,
) -> Statistics:
    """Count what BLEU is computed from: one row a segment.

    Parameters
    ----------
    hypotheses, references, tokenize, lowercase, max_order, ref_length, pad_id, eos_id, ignore_ids,
    workers, progress, executor, retries
        As for `corpus_bleu`.

    Returns
    -------
    Statistics
        S rows of lengths, matches and totals.

    Raises
    ------
    TypeError, ValueError
        As `corpus_bleu` does.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat", "a dog!"], ["the cat", ["a dog!", "some dog!"]])
    >>> stats.matches.tolist()
    [[2, 1, 0, 0], [3, 2, 1, 0]]
    >>> vecbleu.statistics([[3, 1, 4]], [[[3, 1], [1, 4, 1]]], max_order=2).ref_len.tolist()
    [3]
    """
    counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
    special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
    run = RunOptions(workers, progress, executor, retries)
    return signed_rows(aligned(hypotheses, references, counting, special_ids), counting, run)


def signed_rows(
    corpus: Corpus, counting: CountOptions, run: RunOptions, references: int | None = None
) -> Statistics:
    """Statistics that say how they were counted."""
    rows = count_rows(corpus, counting, run)
    return replace(rows, signature=counting.signature(corpus.is_text, references))


def aligned(
    hypotheses: Any, references: Any, counting: CountOptions, special_ids: SpecialIds
) -> AlignedCorpus:
    """Checked and aligned segments, which can be made lower case if that is asked for."""
    corpus = align(hypotheses, references, special_ids)
    if counting.lowercase and not corpus.is_text and len(corpus):
        raise ValueError("lowercase is for strings; hypotheses holds token sequences or ids")
    return corpus


def file_statistics(
    hypothesis_path: Path,
    reference_paths: Path | Sequence[Path],
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
    retries: int = 2,
) -> Statistics:
    r"""Count the statistics of text files, one segment a line, in constant memory.

    Lines end with ``\n`` and nothing else, as in sacreBLEU; a carriage return is white space.
    Files whose names end in ``.gz`` are decompressed; ``"-"`` is standard input.

    Parameters
    ----------
    hypothesis_path : path
        UTF-8 text.
    reference_paths : path, or sequence of paths
        One file for each reference.
    tokenize, lowercase, max_order, ref_length, workers, progress, executor, retries
        As for `corpus_bleu`.

    Returns
    -------
    Statistics
        A row a line.

    Raises
    ------
    OSError
        A file can't be opened.
    ValueError
        The files differ in their numbers of lines, or one is not UTF-8, or its lines end with
        carriage returns alone; the message names path and line.
    TypeError
        Something is no path.

    Examples
    --------
    >>> import pathlib, tempfile, vecbleu
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "hyp").write_text("the cat\na dog\n")
    >>> _ = (folder / "ref").write_text("the cat\nthe dog\n")
    >>> vecbleu.file_statistics(folder / "hyp", folder / "ref").matches[:, 0].tolist()
    [2, 1]
    """
    from vecbleu.core.corpus.lines import FileCorpus  # with its reader 1 ms
    from vecbleu.core.files.paths import checked_path, checked_paths

    counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
    run = RunOptions(workers, progress, executor, retries)
    hypotheses = Source(checked_path(hypothesis_path, "hypothesis_path"))
    references = [*map(Source, checked_paths(reference_paths, "reference_paths"))]
    if not references:
        raise ValueError("reference_paths is empty: there are 0 reference files")
    corpus = FileCorpus([hypotheses], references)
    return signed_rows(corpus, counting, run, len(references))


@overload
def bleu(  # type: ignore[overload-overlap]
    statistics: Sequence[float],
    *,
    weights: Sequence[float] | None = ...,
    smoothing: Smoothing = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
) -> np.float64: ...


@overload
def bleu(
    statistics: Statistics | npt.ArrayLike,
    *,
    weights: Weights | None = ...,
    smoothing: Smoothing = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
) -> Float64: ...


def bleu(
    statistics: Statistics | npt.ArrayLike,
    *,
    weights: Weights | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Float64 | np.float64:
    """Compute BLEU from statistics, for any number of rows at once.

    BLEU = BP * exp(sum over n of w_n * ln p_n), BP = 1 if hyp_len >= ref_len else
    exp(1 - ref_len / hyp_len), and 0 if nothing matches.

    Parameters
    ----------
    statistics : Statistics or array (..., 2 + 2N)
        hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N.
    weights, smoothing, smoothing_value, effective_order
        As for `corpus_bleu`.

    Returns
    -------
    float64 array (...), or (..., W) for W sets of weights
        On 0 to 1.

    Raises
    ------
    TypeError
        Statistics or weights are no numbers.
    ValueError
        Impossible counts, an unknown smoothing, a value that does not go with it, more weights
        than orders, or a negative weight.

    Notes
    -----
    Without weights the arithmetic is sacreBLEU's, in percent and with the logarithms added from
    the left, and the result is its score divided by 100, bit for bit (a perfect match is
    sacreBLEU's 100.00000000000004 / 100). With weights, and for "skip-zero", it is NLTK's:
    exp(fsum(w_n * ln p_n)).

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat sat", "the dog sat"], ["the cat sat", "a dog sat"])
    >>> vecbleu.bleu(stats, effective_order=True).round(4).tolist()
    [1.0, 0.0]
    >>> vecbleu.bleu(stats.sum(), weights=[(1.0,), (0.5, 0.5)]).round(4).tolist()
    [0.8333, 0.7906]

    References
    ----------
    Papineni et al. (2002), equations 1 to 3; smoothing: Chen and Cherry (2014), "A systematic
    comparison of smoothing techniques for sentence-level BLEU", WMT.
    """
    given = statistics.to_array() if isinstance(statistics, Statistics) else statistics
    array = checked_counts(given)
    orders = split_columns(array)[2].shape[-1]
    scoring = ScoreOptions.checked(orders, weights, smoothing, smoothing_value, effective_order)
    return array_bleu(array, scoring)

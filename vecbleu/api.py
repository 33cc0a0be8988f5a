"""The public functions: options checked, pipeline run, scores computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from vecbleu.inputs import AnyCorpus, align
from vecbleu.parallel import Labor
from vecbleu.pipeline import Counting, Tokenize, count_corpus, count_files
from vecbleu.results import BleuScore, corpus_score
from vecbleu.scores import Weights, array_bleu, resolve_formula
from vecbleu.sources import Path, Source
from vecbleu.specials import Specials, checked_specials
from vecbleu.statistics import Statistics

if TYPE_CHECKING:
    from concurrent.futures import Executor


def statistics(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: str = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
) -> Statistics:
    """Count what BLEU is computed from: one row a segment.

    Parameters
    ----------
    hypotheses : sequence (segments,)
        Strings (they are tokenized); or sequences of hashable tokens, compared with ``==``; or
        1-D integer arrays; or one 2-D integer array (segments, width); or a `Ragged`.
    references : sequence (segments,)
        ``references[i]`` is what belongs to segment i: one reference of the kind that the
        hypotheses are, or a sequence of any number of them. For 2-D arrays also (segments, width)
        or (segments, references, width). Tuples of tuples are several references, unless a
        hypothesis has a tuple for a token; write ``[[...]]`` to be understood in any case.
    tokenize : str or callable
        One of sacreBLEU's: "13a", "intl", "zh", "char", "none" (`str.split`); with an extra
        "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K"; the path of a SentencePiece
        model; or any function from a string to a list of strings. Token sequences are never
        tokenized again.
    lowercase : bool
        Apply `str.lower` to the strings first.
    max_order : int
        The longest n-gram counted, N.
    ref_length : {"closest", "shortest", "average", "longest"}
        Which of several references' lengths counts; "closest" takes the shorter of two that are
        equally close.
    pad_id : int, optional
        In integer arrays, this id is no token, wherever it stands.
    eos_id : int, optional
        In integer arrays, a row ends before the first of these.
    ignore_ids : iterable of int
        In integer arrays, these ids are no tokens either.
    workers : int, optional
        Processes to count with, this one included; by default as many as there are cores where
        there is much to count (4 million tokens), and 1 otherwise. The result does not depend on
        it. A tokenizer of your own runs in this process alone.
    progress : bool, optional
        Show how far the work has come, with rate and time left (needs the extra "progress");
        None shows it where standard error is a terminal and the extra is installed.
    executor : concurrent.futures.Executor, optional
        Does the counting instead of processes of this machine: a pool, or what
        ``dask.distributed.Client(...).get_executor()`` and `mpi4py.futures` have. `workers` is then
        how many it has, for how much it is given at once.

    Returns
    -------
    Statistics
        S rows of lengths, matches and totals.

    Raises
    ------
    TypeError
        Something is not a string, a sequence of hashable tokens, or an integer array.
    ValueError
        The sides differ in length, a segment has no reference, or an option is unknown.
    ImportError, FileNotFoundError
        The tokenizer needs a package or a model that is not there; the message says what to do.
    ChildProcessError
        The executor lost a part of the work; the message says which.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat", "a dog!"], ["the cat", ["a dog!", "some dog!"]])
    >>> stats.matches.tolist()
    [[2, 1, 0, 0], [3, 2, 1, 0]]
    >>> vecbleu.statistics([[3, 1, 4]], [[[3, 1], [1, 4, 1]]], max_order=2).ref_len.tolist()
    [3]
    """
    counting = Counting(tokenize, lowercase, max_order, ref_length)
    specials = checked_specials(pad_id, eos_id, ignore_ids)
    corpus = _aligned(hypotheses, references, specials, lowercase)
    counted = counting.gather(count_corpus(corpus, counting, Labor(workers, progress, executor)))
    signature = counting.signature()
    if corpus.kind != "text":
        signature = replace(signature, tokenize=None, lowercase=None)
    return replace(counted, signature=signature)


def _aligned(hypotheses: Any, references: Any, specials: Specials, lowercase: bool) -> AnyCorpus:
    """Checked and aligned segments, which can be made lower case if that is asked for."""
    corpus = align(hypotheses, references, specials)
    if lowercase and corpus.kind != "text" and len(corpus):
        raise ValueError("lowercase is for strings; hypotheses holds token sequences or ids")
    return corpus


def file_statistics(
    hypothesis_path: Path,
    reference_paths: Path | Sequence[Path],
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: str = "closest",
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
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
    tokenize, lowercase, max_order, ref_length, workers, progress, executor
        As for `statistics`.

    Returns
    -------
    Statistics
        A row a line.

    Raises
    ------
    OSError
        A file can't be opened.
    ValueError
        The files differ in their numbers of lines, or one is not UTF-8; the message names path
        and line.

    Examples
    --------
    >>> import pathlib, tempfile, vecbleu
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "hyp").write_text("the cat\na dog\n")
    >>> _ = (folder / "ref").write_text("the cat\nthe dog\n")
    >>> vecbleu.file_statistics(folder / "hyp", folder / "ref").matches[:, 0].tolist()
    [2, 1]
    """
    counting = Counting(tokenize, lowercase, max_order, ref_length)
    references = [*map(Source, _as_paths(reference_paths))]
    labor = Labor(workers, progress, executor)
    with closing(count_files([Source(hypothesis_path)], references, counting, labor)) as blocks:
        counted = counting.gather(systems[0] for systems, _ in blocks)
    return replace(counted, signature=counting.signature(len(references)))


def _as_paths(paths: Path | Sequence[Path]) -> list[Path]:
    """One path or several as a list."""
    several = list(paths) if isinstance(paths, (list, tuple)) else [paths]
    if not several:
        raise ValueError("reference_paths is empty: there are 0 reference files")
    return several  # type: ignore[return-value]


@overload
def corpus_bleu(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = ...,
    lowercase: bool = ...,
    max_order: int = ...,
    weights: Sequence[float] | None = ...,
    smoothing: str = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
    ref_length: str = ...,
    pad_id: int | None = ...,
    eos_id: int | None = ...,
    ignore_ids: Iterable[int] = ...,
    workers: int | None = ...,
    progress: bool | None = ...,
    executor: Executor | None = ...,
) -> BleuScore: ...


@overload
def corpus_bleu(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = ...,
    lowercase: bool = ...,
    max_order: int = ...,
    weights: Sequence[Sequence[float]],
    smoothing: str = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
    ref_length: str = ...,
    pad_id: int | None = ...,
    eos_id: int | None = ...,
    ignore_ids: Iterable[int] = ...,
    workers: int | None = ...,
    progress: bool | None = ...,
    executor: Executor | None = ...,
) -> tuple[BleuScore, ...]: ...


def corpus_bleu(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: str = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: str = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
) -> BleuScore | tuple[BleuScore, ...]:
    """Score a corpus: BLEU of the sum of all segments' statistics.

    Parameters
    ----------
    hypotheses, references, tokenize, lowercase, max_order, ref_length, pad_id, eos_id, ignore_ids,
    workers, progress, executor
        As for `statistics`.
    weights, smoothing, smoothing_value, effective_order
        As for `bleu`.

    Returns
    -------
    BleuScore, or a tuple of them
        One for each of several sets of weights. ``float(score)`` is on 0 to 1. An empty corpus
        scores 0.

    Raises
    ------
    TypeError, ValueError
        As `statistics` and `bleu` do.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["The cat sat on the mat."], ["The cat sat on a mat."])
    >>> round(float(score), 4)
    0.4889
    """
    counting = Counting(tokenize, lowercase, max_order, ref_length)
    formula = resolve_formula(
        counting.max_order, weights, smoothing, smoothing_value, effective_order
    )
    specials = checked_specials(pad_id, eos_id, ignore_ids)
    corpus = _aligned(hypotheses, references, specials, lowercase)
    blocks = count_corpus(corpus, counting, Labor(workers, progress, executor))
    return corpus_score(counting.total(blocks), formula)


def sentence_bleu(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: str = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: str = "closest",
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
    executor: Executor | None = None,
) -> Any:
    """Score every segment by itself, all in one call.

    Parameters
    ----------
    hypotheses, references, tokenize, lowercase, max_order, ref_length, pad_id, eos_id, ignore_ids,
    workers, progress, executor
        As for `statistics`: many segments, not one.
    weights, smoothing, smoothing_value, effective_order
        As for `bleu`.

    Returns
    -------
    float64 array (segments,), or (segments, W) for W sets of weights
        On 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As `statistics` and `bleu` do.

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
    max_order = Counting(tokenize, lowercase, max_order, ref_length).max_order
    formula = resolve_formula(max_order, weights, smoothing, smoothing_value, effective_order)
    counted = statistics(
        hypotheses,
        references,
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        ref_length=ref_length,
        pad_id=pad_id,
        eos_id=eos_id,
        ignore_ids=ignore_ids,
        workers=workers,
        progress=progress,
        executor=executor,
    )
    return array_bleu(counted.to_array(), formula)

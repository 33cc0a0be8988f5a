"""BLEU: count segments, score them, and add up batches.

`plain` is the definition. `arrays` has the same digits for many segments.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vecbleu.accumulator import BatchSums
from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import argument
from vecbleu.arguments.options import Executor, Ids, SpecialIds
from vecbleu.bleu.arrays import array_bleu
from vecbleu.bleu.columns import checked_counts
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import (
    CountOptions,
    Options,
    RefLength,
    ScoreOptions,
    Smoothing,
    Tokenize,
    Weights,
)
from vecbleu.bleu.results import BleuScore, Statistics
from vecbleu.bleu.second_look import look_again
from vecbleu.core.count import count_rows, count_table, count_total
from vecbleu.core.counts import sum_counts
from vecbleu.files.sources import Path
from vecbleu.inputs.alignment import Aligned, Hypotheses, References, align
from vecbleu.inputs.doubts import Tell
from vecbleu.kernel.arrays import Float64
from vecbleu.text.edits import Normalize

__all__ = ["scores"]  # the others are public as names of `vecbleu`


def corpus_bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> BleuScore:
    """Return the BLEU score of a corpus, computed from the summed counts of all segments.

    BLEU = BP * exp(sum over n of w_n * ln(p_n)), with the precision p_n and the weight w_n of each
    order n, and the brevity penalty BP = 1 if hyp_len >= ref_len else exp(1 - ref_len / hyp_len).
    BLEU is 0 if nothing matches.

    Parameters
    ----------
    hypotheses : sequence (segments,)
        One hypothesis per segment:

        - strings, which are tokenized;
        - sequences of hashable tokens, which are compared with ``==``;
        - token ids: 1-D integer arrays, one 2-D array (segments, width), or a `Ragged`;
        - a column of strings or lists from Arrow, pandas, Polars or NumPy.
    references : sequence (segments,)
        ``references[i]`` holds one reference of segment i, of the same kind as the hypotheses, or
        a sequence of any number of references. Arrays of ids can also be (segments, width) or
        (segments, references, width). If all segments have the same references, pass a
        `SharedReferences`. A list inside ``references[i]`` is a reference, not a token. So is a
        tuple, unless the hypotheses have tuples as tokens.
    tokenize : str or callable
        Tokenizer of strings; token sequences are not tokenized again. It can be

        - one of sacreBLEU's: "13a", "intl", "zh", "char", or "none" for `str.split`;
        - one of sacreBLEU's that need an extra: "ja-mecab", "ko-mecab", "flores200", "spBLEU-1K",
          "flores101" (formerly "spm");
        - the path of a SentencePiece model;
        - a function from a string to a list of strings.
    lowercase : bool
        Apply `str.lower` to strings before they are tokenized.
    normalize : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Unicode normal form to put strings into first, before they are lowercased and tokenized; by
        default, they are left as they are. Signatures have it as ``unicode``.
    max_order : int
        Length of the longest n-grams counted, N; at most 100.
    ref_length : {"closest", "shortest", "longest"}
        Reference length to use if a segment has several references. "closest" prefers the shorter
        of two equally close lengths.
    ignore_ids : int or str, or iterable of these
        Ids to ignore, such as padding; or tokens, if all tokens are strings. Not for text.
    eos_id : int or str, or iterable of these, optional
        End-of-sequence id, or token: it and everything after it are ignored.
    weights : sequence of float, optional
        Weights of order 1, 2, ...; orders without a weight are left out. By default, all orders
        have the same weight. For several sets of weights, count once and score each:
        ``[stats.score(weights=w) for w in sets]``.
    smoothing : {"exp", "none", "floor", "add-k", "skip-zero"}
        How to count orders without a match; all but "skip-zero" are sacreBLEU's rules:

        - "exp": the k-th zero count becomes 1 / 2**k;
        - "none": the score is 0;
        - "floor": zero counts become `smoothing_value`;
        - "add-k": `smoothing_value` is added to matches and totals of order 2 and up;
        - "skip-zero": the order is left out, as in NLTK before 3.3.
    smoothing_value : float, optional
        Value for "floor" (default 0.1) and "add-k" (default 1).
    effective_order : bool
        Leave out orders that are longer than the hypothesis, and scale up the other weights to the
        same sum. The score is 0 if none of the remaining orders has a weight.
    workers : int or concurrent.futures.Executor, optional
        Number of processes to count with, including this one: by default 1, or up to the number of
        cores for 4 million tokens or more. An executor can be passed instead: a pool, or
        ``dask.distributed.Client(...).get_executor()``. The result is always the same. A tokenizer
        function always runs in this process.
    progress : bool, optional
        Show a progress bar (needs the extra "progress"). None shows it if standard error is a
        terminal and the extra is installed.

    Returns
    -------
    BleuScore
        A float between 0 and 1, with its precisions, brevity penalty, lengths and signature. An
        empty corpus scores 0.

    Raises
    ------
    TypeError
        A segment is not a string, a sequence of hashable tokens, or an integer array.
    ValueError
        Hypotheses and references differ in length, a segment has no reference, or an option is
        unknown.
    ImportError, FileNotFoundError
        The tokenizer needs a package or a model that is missing; the message says what to do.
    ChildProcessError
        An executor lost the same part of the work twice; the message names the part.

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
    counting, scoring, special_ids, run = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ref_length=ref_length,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
        workers=workers,
        progress=progress,
    )
    corpus = aligned(hypotheses, references, counting, special_ids)
    signature = counting.signature(corpus.is_text, corpus.references_each())
    metric = Bleu(counting)
    counts = count_total(corpus, metric, run)
    look_again(corpus, metric, counts)
    return BleuScore(counts, scoring, signature)


def sentence_bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = True,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Return the BLEU score of each segment.

    Parameters
    ----------
    hypotheses, references : sequence (segments,)
        As for `corpus_bleu`: pass all segments in one call.
    tokenize, lowercase, normalize, max_order, ref_length, ignore_ids, eos_id, workers, progress
        As for `corpus_bleu`.
    weights, smoothing, smoothing_value, effective_order
        As for `corpus_bleu`. By default, effective order is used, as in sacreBLEU.

    Returns
    -------
    float64 array (segments,)
        Between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_bleu`.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["the cat sat on the mat", "a dog barked"]
    >>> references = ["the cat sat on a mat", "the dog barked"]
    >>> vecbleu.sentence_bleu(hypotheses, references).round(4).tolist()
    [0.5373, 0.5503]
    >>> vecbleu.sentence_bleu(hypotheses, references, smoothing="none").round(4).tolist()
    [0.5373, 0.0]
    """
    counting, scoring, special_ids, run = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ref_length=ref_length,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
        workers=workers,
        progress=progress,
    )
    corpus = aligned(hypotheses, references, counting, special_ids)
    return array_bleu(count_rows(corpus, Bleu(counting), run), scoring)


def statistics(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Statistics:
    """Count lengths, matches and totals: the statistics that BLEU is computed from.

    Parameters
    ----------
    hypotheses, references : sequence (segments,)
        As for `corpus_bleu`.
    tokenize, lowercase, normalize, max_order, ref_length, ignore_ids, eos_id, workers, progress
        As for `corpus_bleu`.

    Returns
    -------
    Statistics
        One row per segment.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_bleu`.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat", "a dog!"], ["the cat", ["a dog!", "some dog!"]])
    >>> stats.matches.tolist()
    [[2, 1, 0, 0], [3, 2, 1, 0]]
    >>> vecbleu.statistics([[3, 1, 4]], [[[3, 1], [1, 4, 1]]], max_order=2).ref_len.tolist()
    [3]
    """
    counting, _, special_ids, run = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ref_length=ref_length,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        workers=workers,
        progress=progress,
    )
    corpus = aligned(hypotheses, references, counting, special_ids)
    metric = Bleu(counting)
    table = count_table(corpus, metric, run)
    look_again(corpus, metric, sum_counts(table.array).tolist())
    return table


def file_statistics(
    hypothesis_path: Path,
    reference_paths: Path | Sequence[Path],
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Statistics:
    r"""Count the statistics of text files with one segment per line.

    Files are read block by block: only the statistics stay in memory, not the text. Only ``\n``
    ends a line, as in sacreBLEU; a carriage return is white space. Files ending in ``.gz`` are
    decompressed; ``"-"`` is standard input.

    Parameters
    ----------
    hypothesis_path : path
        Text in UTF-8; or a column of a table, as in ``"data.csv#output"``.
    reference_paths : path, or sequence of paths
        One file per reference, with as many lines as the hypotheses.
    tokenize, lowercase, normalize, max_order, ref_length, workers, progress
        As for `corpus_bleu`.

    Returns
    -------
    Statistics
        One row per line.

    Raises
    ------
    OSError
        A file can't be opened.
    ValueError
        Files differ in their number of lines, or a file is not UTF-8, or its lines end with
        carriage returns only; the message names path and line.
    TypeError
        An argument is not a path.

    Examples
    --------
    >>> import pathlib, tempfile, vecbleu
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     _ = (folder / "hyp").write_text("the cat\na dog\n")
    ...     _ = (folder / "ref").write_text("the cat\nthe dog\n")
    ...     vecbleu.file_statistics(folder / "hyp", folder / "ref").matches[:, 0].tolist()
    [2, 1]
    """
    from vecbleu.files.segments import corpus_of_files  # other calls read no files

    counting, _, _, run = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ref_length=ref_length,
        workers=workers,
        progress=progress,
    )
    corpus = corpus_of_files(
        hypothesis_path, reference_paths, counting.tokenize.name, counting.normalize
    )
    metric = Bleu(counting)
    table = count_table(corpus, metric, run)
    for name, sample in corpus.samples:
        look_again(sample, metric, sum_counts(table.array).tolist(), name)
    return table


def scores(
    statistics: Statistics | npt.ArrayLike,
    *,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Float64:
    """Compute BLEU from statistics: one score per row.

    BLEU = BP * exp(sum over n of w_n * ln(p_n)), with the precision p_n and the weight w_n of each
    order n, and the brevity penalty BP = 1 if hyp_len >= ref_len else exp(1 - ref_len / hyp_len).
    BLEU is 0 if nothing matches.

    Parameters
    ----------
    statistics : Statistics or array (..., 2 + 2N)
        hyp_len, ref_len, matches of order 1 to N, totals of order 1 to N.
    weights, smoothing, smoothing_value, effective_order
        As for `corpus_bleu`. By default, each row is scored like a corpus; for scores of sentences,
        pass ``effective_order=True``, or use `Statistics.scores`.

    Returns
    -------
    float64 array (...)
        Between 0 and 1.

    Raises
    ------
    TypeError
        Statistics or weights are not numbers.
    ValueError
        Counts are impossible, the smoothing is unknown, `smoothing_value` does not fit the
        smoothing, there are more weights than orders, or a weight is negative.

    Notes
    -----
    Without weights, the arithmetic is sacreBLEU's: precisions in percent, and logarithms added in
    the order of n. The result is sacreBLEU's score divided by 100, bit for bit; a perfect match is
    100.00000000000004 / 100. With weights, and with "skip-zero", the arithmetic is NLTK's:
    exp(fsum(w_n * ln(p_n))).

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat sat", "the dog sat"], ["the cat sat", "a dog sat"])
    >>> vecbleu.bleu.scores(stats, effective_order=True).round(4).tolist()
    [1.0, 0.5503]
    >>> [vecbleu.bleu.scores(stats.sum(), weights=w).round(4).item() for w in [(1.0,), (0.5, 0.5)]]
    [0.8333, 0.7906]

    References
    ----------
    Papineni et al. (2002), equations 1 to 3; smoothing: Chen and Cherry (2014), "A systematic
    comparison of smoothing techniques for sentence-level BLEU", WMT.
    """
    with argument("statistics"):
        array = checked_counts(Statistics.numbers(statistics))
    options = ScoreOptions.checked(
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
    )
    return array_bleu(array, options.of_order(array.shape[-1] // 2 - 1))


def aligned(
    hypotheses: object,
    references: object,
    counting: CountOptions,
    special_ids: SpecialIds,
    tell: Tell = warn_caller,
) -> Aligned:
    """Check and align segments; raise ValueError for options of text without text."""
    corpus = align(
        hypotheses, references, special_ids, counting.tokenize.name, tell, counting.normalize
    )
    if not corpus.is_text and len(corpus):
        Bleu(counting).check_units(corpus.is_text, "hypotheses")
    return corpus


class Accumulator(BatchSums[Statistics]):
    """Add up the counts of batches, and score the sum at any time.

    Memory stays constant. Several threads can update, merge and read one accumulator. Accumulators
    can be pickled, but an executor is left behind: the copy counts without it. To combine the
    accumulators of several processes, add up their `state`.

    Parameters
    ----------
    **options
        As for `vecbleu.corpus_bleu`, with its defaults.

    Raises
    ------
    TypeError, ValueError
        An option has the wrong type or an unknown value.

    Notes
    -----
    The score equals `vecbleu.corpus_bleu` of all segments, bit for bit.

    Examples
    --------
    >>> from vecbleu import Accumulator
    >>> validation = Accumulator(max_order=2)
    >>> validation.update(["the cat sat"], ["the cat sat down"])
    >>> validation.update(["a dog barked", "fine"], ["the dog barked", "fine"])
    >>> validation
    Accumulator(segments=3, hyp_len=7, ref_len=8)
    >>> round(validation.compute(), 4)
    0.695
    >>> validation.state.tolist()
    [3, 7, 8, 6, 3, 7, 4]
    """

    __module__ = "vecbleu"

    def __init__(
        self,
        *,
        tokenize: Tokenize = "13a",
        lowercase: bool = False,
        normalize: Normalize | None = None,
        max_order: int = 4,
        ref_length: RefLength = "closest",
        ignore_ids: Ids = (),
        eos_id: Ids | None = None,
        weights: Weights | None = None,
        smoothing: Smoothing = "exp",
        smoothing_value: float | None = None,
        effective_order: bool = False,
        workers: int | Executor | None = None,
        progress: bool | None = False,
    ) -> None:
        self._options = Options.checked(
            tokenize=tokenize,
            lowercase=lowercase,
            normalize=normalize,
            max_order=max_order,
            ref_length=ref_length,
            ignore_ids=ignore_ids,
            eos_id=eos_id,
            weights=weights,
            smoothing=smoothing,
            smoothing_value=smoothing_value,
            effective_order=effective_order,
            workers=workers,
            progress=progress,
        )
        metric = Bleu(self._options.counting)
        no_counts = Statistics(np.zeros(metric.columns, np.int64))
        super().__init__(metric, self._options.run, no_counts, self._options.named())

    def _aligned(self, hypotheses: object, references: object) -> Aligned:
        counting, _, special_ids, _ = self._options
        return aligned(hypotheses, references, counting, special_ids, self._tell)

    def compute(self) -> BleuScore:
        """Return the BLEU score of all segments so far; 0 if there are none.

        Returns
        -------
        BleuScore
        """
        total = self._sum()
        return BleuScore(total.array.tolist(), self._options.scoring, total.signature)

    def __repr__(self) -> str:
        segments, hyp_len, ref_len = self.state[:3].tolist()
        return f"Accumulator(segments={segments}, hyp_len={hyp_len}, ref_len={ref_len})"

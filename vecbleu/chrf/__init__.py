"""chrF, chrF+ and chrF++, with sacreBLEU's numbers: n-grams of characters, and of words.

A translation gets an F-score: precision and recall of its n-grams, where recall counts ``beta**2``
times as much. No tokenizer is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vecbleu.accumulator import BatchSums
from vecbleu.arguments.errors import argument
from vecbleu.arguments.options import Executor, RunOptions
from vecbleu.chrf.arrays import chrf_percents
from vecbleu.chrf.columns import check_possible, orders_of
from vecbleu.chrf.metric import Chrf
from vecbleu.chrf.options import ChrfOptions
from vecbleu.chrf.results import ChrfScore, ChrfStatistics
from vecbleu.core.count import count_rows, count_table, count_total
from vecbleu.core.signature import UNKNOWN
from vecbleu.files.sources import Path
from vecbleu.inputs.alignment import Hypotheses, References, align_text
from vecbleu.kernel.arrays import Float64
from vecbleu.text.edits import Normalize

if TYPE_CHECKING:
    from vecbleu.chrf.sets import expected_chrf as expected_chrf
    from vecbleu.chrf.sets import nearest_chrf as nearest_chrf
    from vecbleu.chrf.sets import pairwise_chrf as pairwise_chrf
    from vecbleu.chrf.sets import self_chrf as self_chrf

__all__ = [
    "ChrfAccumulator",
    "ChrfScore",
    "ChrfStatistics",
    "corpus_chrf",
    "expected_chrf",
    "file_statistics",
    "nearest_chrf",
    "pairwise_chrf",
    "scores",
    "self_chrf",
    "sentence_chrf",
    "statistics",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import functions of sets on first use: other calls do without their modules."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from vecbleu.chrf import sets

        return getattr(sets, name)


def corpus_chrf(
    hypotheses: Hypotheses,
    references: References,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> ChrfScore:
    """Return the chrF score of a corpus: (1 + beta**2) * P * R / (beta**2 * P + R).

    Matches and n-grams of all segments are added up first. P is the mean precision, and R the mean
    recall, of all orders of which both sides have n-grams.

    Parameters
    ----------
    hypotheses : sequence (segments,)
        Strings, or a column of Arrow, pandas or Polars. Lists of tokens are refused, because chrF
        counts characters.
    references : sequence (segments,)
        For each segment a string, or a list of strings. Of several references, a segment uses the
        one that gives it the best score.
    char_order : int
        Longest n-grams of characters.
    word_order : int
        Longest n-grams of words: 2 for chrF++, 1 for chrF+.
    beta : float
        Recall counts ``beta**2`` times as much as precision.
    lowercase : bool
        Lowercase the text first.
    normalize : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Unicode normal form to put the text into before all else, as for `vecbleu.corpus_bleu`.
    whitespace : bool
        Count white space, too.
    eps_smoothing : bool
        Average the F-scores of all orders, as chrF++.py, NLTK and Moses do. The precision of an
        order is 1e-16 if the hypotheses have no n-grams of it, the recall if the references have
        none.
    workers, progress
        As for `vecbleu.corpus_bleu`.

    Returns
    -------
    ChrfScore
        A float between 0 and 1, with its `percent`, `signature` and `name`.

    Raises
    ------
    TypeError
        A segment is not a string.
    ValueError
        Hypotheses and references differ in length, a segment has no reference, or an option is out
        of range.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> chrf.corpus_chrf(["The cat sat on the mat."], ["The cat sat on a mat."], word_order=2)
    chrF2++ = 0.7266

    References
    ----------
    Popović (2015), "chrF: character n-gram F-score for automatic MT evaluation", WMT; chrF++:
    Popović (2017), "chrF++: words helping character n-grams", WMT.
    """
    chosen = ChrfOptions.checked(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    corpus = align_text(hypotheses, references, "chrF", chosen.normalize)
    total = count_total(corpus, Chrf(chosen), run)
    return ChrfScore(total, chosen.signature(corpus.references_each()))


def sentence_chrf(
    hypotheses: Hypotheses,
    references: References,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Return the chrF score of each segment.

    Parameters
    ----------
    hypotheses, references
        As for `corpus_chrf`: pass all segments in one call.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    float64 array (segments,)
        Between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_chrf`.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> chrf.sentence_chrf(["a cat", "the dog"], ["the cat", "the dog"]).round(4).tolist()
    [0.3125, 1.0]
    """
    chosen = ChrfOptions.checked(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    rows = count_rows(
        align_text(hypotheses, references, "chrF", chosen.normalize), Chrf(chosen), run
    )
    return chrf_percents(rows, chosen) / 100


def statistics(
    hypotheses: Hypotheses,
    references: References,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> ChrfStatistics:
    """Count n-grams and matches: the statistics that chrF is computed from.

    Parameters
    ----------
    hypotheses, references
        As for `corpus_chrf`.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    ChrfStatistics
        One row per segment.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_chrf`.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> stats = chrf.statistics(["a cat"], [["the cat", "a cap"]], char_order=2, word_order=1)
    >>> stats.array.tolist()
    [[4, 4, 3, 3, 3, 2, 2, 2, 1]]
    """
    chosen = ChrfOptions.checked(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    return count_table(
        align_text(hypotheses, references, "chrF", chosen.normalize), Chrf(chosen), run
    )


def file_statistics(
    hypothesis_path: Path,
    reference_paths: Path | Sequence[Path],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> ChrfStatistics:
    r"""Count the statistics of text files with one segment per line.

    Files are read block by block, as by `vecbleu.file_statistics`.

    Parameters
    ----------
    hypothesis_path : path
        Text in UTF-8; or a column of a table, as in ``"data.csv#output"``.
    reference_paths : path, or sequence of paths
        One file per reference, with as many lines as the hypotheses.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `corpus_chrf`.

    Returns
    -------
    ChrfStatistics
        One row per line.

    Raises
    ------
    OSError
        A file can't be opened.
    ValueError
        Files differ in their number of lines, or a file is not UTF-8.
    TypeError
        An argument is not a path.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vecbleu import chrf
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     _ = (folder / "hyp").write_text("a cat\nthe dog\n")
    ...     _ = (folder / "ref").write_text("the cat\nthe dog\n")
    ...     chrf.file_statistics(folder / "hyp", folder / "ref").score()
    chrF2 = 0.6383
    """
    from vecbleu.files.segments import corpus_of_files  # other calls read no files

    chosen = ChrfOptions.checked(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    corpus = corpus_of_files(hypothesis_path, reference_paths, normalize=chosen.normalize)
    return count_table(corpus, Chrf(chosen), run)


def scores(
    statistics: ChrfStatistics | npt.ArrayLike,
    *,
    beta: float | None = None,
    eps_smoothing: bool | None = None,
) -> Float64:
    """Compute chrF from statistics: one score per row.

    chrF = (1 + beta**2) * P * R / (beta**2 * P + R), with the means P and R of the precisions and
    recalls of all orders.

    Parameters
    ----------
    statistics : ChrfStatistics or array (..., 3K)
        For each order: n-grams of the hypothesis (0 if the reference has none), n-grams of the
        reference, matches.
    beta, eps_smoothing
        As for `corpus_chrf`. By default, as the statistics were counted, or `corpus_chrf`'s
        defaults for an array.

    Returns
    -------
    float64 array (...)
        Between 0 and 1.

    Raises
    ------
    TypeError
        Statistics are not numbers, or an option has the wrong type.
    ValueError
        Counts are impossible, there are not three columns for each order, or `beta` is out of
        range.

    Examples
    --------
    >>> from vecbleu import chrf
    >>> stats = chrf.statistics(["a cat", "the dog"], ["the cat", "the dog"])
    >>> chrf.scores(stats).round(4).tolist()
    [0.3125, 1.0]
    >>> [chrf.scores(stats.sum(), beta=beta).round(4).item() for beta in (1, 2, 3)]
    [0.7148, 0.6383, 0.6163]

    References
    ----------
    Popović (2015), equation 1.
    """
    known = statistics.signature if isinstance(statistics, ChrfStatistics) else UNKNOWN
    options = ChrfOptions.of_signature(known)
    given = {"beta": beta, "eps_smoothing": eps_smoothing}
    checked = {name: value for name, value in given.items() if value is not None}
    chosen = ChrfOptions.checked(**checked)
    options = replace(options, **{name: getattr(chosen, name) for name in checked})
    with argument("statistics"):
        counts = ChrfStatistics.numbers(statistics)
        check_possible(counts, orders_of(counts))
    return chrf_percents(counts, options) / 100


class ChrfAccumulator(BatchSums[ChrfStatistics]):
    """Add up the counts of batches, and score the sum at any time, as `vecbleu.Accumulator` does.

    Parameters
    ----------
    **options
        As for `corpus_chrf`, with its defaults.

    Raises
    ------
    TypeError, ValueError
        An option has the wrong type or is out of range.

    Examples
    --------
    >>> from vecbleu.chrf import ChrfAccumulator
    >>> validation = ChrfAccumulator(word_order=2)
    >>> validation.update(["the cat sat"], ["the cat sat down"])
    >>> validation.update(["a dog barked", "fine"], ["the dog barked", "fine"])
    >>> validation, validation.compute()
    (ChrfAccumulator(segments=3), chrF2++ = 0.6999)
    """

    __module__ = "vecbleu.chrf"

    def __init__(
        self,
        *,
        char_order: int = 6,
        word_order: int = 0,
        beta: float = 2,
        lowercase: bool = False,
        normalize: Normalize | None = None,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        workers: int | Executor | None = None,
        progress: bool | None = False,
    ) -> None:
        chosen = ChrfOptions.checked(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            lowercase=lowercase,
            normalize=normalize,
            whitespace=whitespace,
            eps_smoothing=eps_smoothing,
        )
        metric = Chrf(chosen)
        no_counts = ChrfStatistics(np.zeros(metric.columns, np.int64), chosen.signature(None))
        run = RunOptions.checked(workers=workers, progress=progress)
        super().__init__(metric, run, no_counts, dict(vars(chosen)))

    def compute(self) -> ChrfScore:
        """Return the chrF score of all segments so far.

        Returns
        -------
        ChrfScore
        """
        return self._sum().score()

"""TER, the translation edit rate, with sacreBLEU's numbers: edits by words of the reference.

Edits insert, delete or replace a word, or shift a block of words. A lower score is better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vecbleu.accumulator import BatchSums
from vecbleu.arguments.errors import argument
from vecbleu.arguments.options import Executor, RunOptions
from vecbleu.core.corpus import Corpus
from vecbleu.core.count import count_rows, count_table, count_total
from vecbleu.files.sources import Path
from vecbleu.inputs.alignment import Hypotheses, References, align_text
from vecbleu.kernel.arrays import Float64
from vecbleu.ter.arrays import ter_percents
from vecbleu.ter.columns import check_possible
from vecbleu.ter.metric import Ter
from vecbleu.ter.options import TerOptions
from vecbleu.ter.results import TerScore, TerStatistics
from vecbleu.text.edits import Normalize

__all__ = [
    "TerAccumulator",
    "TerScore",
    "TerStatistics",
    "corpus_ter",
    "file_statistics",
    "scores",
    "sentence_ter",
    "statistics",
]


def corpus_ter(
    hypotheses: Hypotheses,
    references: References,
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    normalize: Normalize | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> TerScore:
    """Return the TER of a corpus: edits / mean length of the references.

    The edits and lengths of all segments are added up first. Edits are words to insert, to delete
    or to replace, and blocks of words to shift. A lower score is better; it may be above 1.

    Parameters
    ----------
    hypotheses : sequence (segments,)
        Strings, or a column of Arrow, pandas or Polars. Lists of tokens are refused, because TER
        cuts text into words in its own way.
    references : sequence (segments,)
        For each segment a string, or a list of strings. Of several references, the one that takes
        the fewest edits counts, and the mean of all lengths.
    normalized : bool
        Cut punctuation from words, and replace XML's entities by characters.
    no_punct : bool
        Remove punctuation.
    asian_support : bool
        With `normalized`, cut Chinese and Japanese characters apart; with `no_punct`, remove their
        punctuation. Alone, it changes nothing.
    case_sensitive : bool
        Keep upper case; by default, text is lowercased.
    normalize : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Unicode normal form to put the text into before all else, as for `vecbleu.corpus_bleu`.
    workers, progress
        As for `vecbleu.corpus_bleu`.

    Returns
    -------
    TerScore
        A float from 0 on, with its `percent`, `edits`, `ref_len` and `signature`.

    Raises
    ------
    TypeError
        A segment is not a string.
    ValueError
        Hypotheses and references differ in length, or a segment has no reference.

    Examples
    --------
    >>> from vecbleu import ter
    >>> ter.corpus_ter(["on the mat the cat sat"], ["the cat sat on the mat"])
    TER = 0.1667

    References
    ----------
    Snover et al. (2006), "A study of translation edit rate with targeted human annotation", AMTA;
    the limits and the tie-breaking are those of sacreBLEU.
    """
    chosen = TerOptions.checked(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
        normalize=normalize,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    corpus = _aligned(hypotheses, references, chosen)
    total = count_total(corpus, Ter(chosen), run)
    return TerScore(total, chosen.signature(corpus.references_each()))


def sentence_ter(
    hypotheses: Hypotheses,
    references: References,
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    normalize: Normalize | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Float64:
    """Return the TER of each segment.

    Parameters
    ----------
    hypotheses, references
        As for `corpus_ter`: pass all segments in one call.
    normalized, no_punct, asian_support, case_sensitive, normalize, workers, progress
        As for `corpus_ter`.

    Returns
    -------
    float64 array (segments,)
        From 0 on. It is 1 if only the references are empty.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_ter`.

    Examples
    --------
    >>> from vecbleu import ter
    >>> ter.sentence_ter(["a cat", "the dog"], ["the cat", "the dog"]).tolist()
    [0.5, 0.0]
    """
    chosen = TerOptions.checked(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
        normalize=normalize,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    rows = count_rows(_aligned(hypotheses, references, chosen), Ter(chosen), run)
    return ter_percents(rows) / 100


def statistics(
    hypotheses: Hypotheses,
    references: References,
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    normalize: Normalize | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> TerStatistics:
    """Count edits and words: the statistics that TER is computed from.

    Parameters
    ----------
    hypotheses, references
        As for `corpus_ter`.
    normalized, no_punct, asian_support, case_sensitive, normalize, workers, progress
        As for `corpus_ter`.

    Returns
    -------
    TerStatistics
        One row per segment.

    Raises
    ------
    TypeError, ValueError
        As for `corpus_ter`.

    Examples
    --------
    >>> from vecbleu import ter
    >>> stats = ter.statistics(["a cat", "a dog"], ["the cat", "one dog"])
    >>> stats.array.tolist()
    [[1, 2, 0], [1, 2, 0]]
    """
    chosen = TerOptions.checked(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
        normalize=normalize,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    return count_table(_aligned(hypotheses, references, chosen), Ter(chosen), run)


def file_statistics(
    hypothesis_path: Path,
    reference_paths: Path | Sequence[Path],
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    normalize: Normalize | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> TerStatistics:
    r"""Count the statistics of text files with one segment per line.

    Files are read block by block, as by `vecbleu.file_statistics`.

    Parameters
    ----------
    hypothesis_path : path
        Text in UTF-8; or a column of a table, as in ``"data.csv#output"``.
    reference_paths : path, or sequence of paths
        One file per reference, with as many lines as the hypotheses.
    normalized, no_punct, asian_support, case_sensitive, normalize, workers, progress
        As for `corpus_ter`.

    Returns
    -------
    TerStatistics
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
    >>> from vecbleu import ter
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     _ = (folder / "hyp").write_text("a cat\nthe dog\n")
    ...     _ = (folder / "ref").write_text("the cat\nthe dog\n")
    ...     ter.file_statistics(folder / "hyp", folder / "ref").score()
    TER = 0.2500
    """
    from vecbleu.files.segments import corpus_of_files  # other calls read no files

    chosen = TerOptions.checked(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
        normalize=normalize,
    )
    run = RunOptions.checked(workers=workers, progress=progress)
    corpus = corpus_of_files(
        hypothesis_path, reference_paths, Ter(chosen).tokenizer, chosen.normalize
    )
    return count_table(corpus, Ter(chosen), run)


def _aligned(hypotheses: Hypotheses, references: References, chosen: TerOptions) -> Corpus:
    return align_text(hypotheses, references, "TER", chosen.normalize, Ter(chosen).tokenizer)


def scores(statistics: TerStatistics | npt.ArrayLike) -> Float64:
    """Compute TER from statistics: one score per row.

    TER = edits / (ref_len + ref_parts / 720720).

    Parameters
    ----------
    statistics : TerStatistics or array (..., 3)
        Edits; whole words and parts of a word of the mean length of the references.

    Returns
    -------
    float64 array (...)
        From 0 on.

    Raises
    ------
    TypeError
        Statistics are not numbers.
    ValueError
        Counts are negative, or there are not three columns.

    Examples
    --------
    >>> from vecbleu import ter
    >>> stats = ter.statistics(["a cat", "the dog"], ["the cat", "the dog"])
    >>> ter.scores(stats).tolist(), ter.scores(stats.sum()).item()
    ([0.5, 0.0], 0.25)

    References
    ----------
    Snover et al. (2006).
    """
    with argument("statistics"):
        counts = TerStatistics.numbers(statistics)
        check_possible(counts)
    return ter_percents(counts) / 100


class TerAccumulator(BatchSums[TerStatistics]):
    """Add up the counts of batches, and score the sum at any time, as `vecbleu.Accumulator` does.

    Parameters
    ----------
    **options
        As for `corpus_ter`, with its defaults.

    Raises
    ------
    TypeError, ValueError
        An option has the wrong type.

    Examples
    --------
    >>> from vecbleu.ter import TerAccumulator
    >>> validation = TerAccumulator(case_sensitive=True)
    >>> validation.update(["the cat sat"], ["the cat sat down"])
    >>> validation.update(["a dog barked", "fine"], ["the dog barked", "fine"])
    >>> validation, validation.compute()
    (TerAccumulator(segments=3), TER = 0.2500)
    """

    __module__ = "vecbleu.ter"

    def __init__(
        self,
        *,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        normalize: Normalize | None = None,
        workers: int | Executor | None = None,
        progress: bool | None = False,
    ) -> None:
        chosen = TerOptions.checked(
            normalized=normalized,
            no_punct=no_punct,
            asian_support=asian_support,
            case_sensitive=case_sensitive,
            normalize=normalize,
        )
        metric = Ter(chosen)
        no_counts = TerStatistics(np.zeros(metric.columns, np.int64), chosen.signature(None))
        run = RunOptions.checked(workers=workers, progress=progress)
        super().__init__(metric, run, no_counts, dict(vars(chosen)))

    def compute(self) -> TerScore:
        """Return the TER of all segments so far.

        Returns
        -------
        TerScore
        """
        return self._sum().score()

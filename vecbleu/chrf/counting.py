"""Check input, count n-grams of characters and words, and score: the functions of chrF.

Few segments are counted by dictionaries, others by arrays.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from itertools import pairwise, repeat
from typing import Any, Unpack

import numpy as np

from vecbleu.accumulator import BatchSums
from vecbleu.api import file_corpus
from vecbleu.chrf.table import (
    ChrfArgs,
    ChrfOptions,
    ChrfScore,
    ChrfStatistics,
    chrf_percents,
    row_percent,
    takes_options,
)
from vecbleu.core import small
from vecbleu.core.arrays import Float64, Int64, keep_freed_memory
from vecbleu.core.corpus import Block, Corpus, Countable, Encoder
from vecbleu.core.file_corpus import FileCorpus
from vecbleu.core.files import Path
from vecbleu.core.inputs.alignment import Hypotheses, References, align
from vecbleu.core.options import RunOptions
from vecbleu.core.pipeline import map_corpus, rows_with_references
from vecbleu.kernel.matches import clipped_matches
from vecbleu.kernel.packed import Symbols, packed_matches
from vecbleu.kernel.ragged import Ragged, lengths_of, offsets_of
from vecbleu.text.text import Spans, Text, cut_tokens, white_space
from vecbleu.text.tokens import characters, span_ids

_IS_PUNCTUATION = np.array([chr(byte) in string.punctuation for byte in range(0x100)])  # (256,)

# A sign at the end of a longer word, or at the beginning of one that does not end in such a sign.
_SIGN = re.escape(string.punctuation)
_CUT = rf"(?<=\S)([{_SIGN}])(?!\S)|(?<!\S)([{_SIGN}])(?=\S*[^\s{_SIGN}](?!\S))"


@takes_options
def corpus_chrf(
    hypotheses: Hypotheses, references: References, **options: Unpack[ChrfArgs]
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
    chosen, run = checked_options(options)
    corpus = aligned_text(hypotheses, references)
    if few := _rows_if_few(corpus, chosen, run):  # a table takes a third of the time of a sentence
        row = [*map(sum, zip(*few, strict=True))]
        return ChrfScore(row, chosen.signature(corpus.references_each()))
    return _counted(corpus, chosen, run).score()


@takes_options
def sentence_chrf(
    hypotheses: Hypotheses, references: References, **options: Unpack[ChrfArgs]
) -> Float64:
    """Return the chrF score of each segment.

    Parameters
    ----------
    hypotheses, references
        As for `corpus_chrf`: pass all segments in one call.
    char_order, word_order, beta, lowercase, whitespace, eps_smoothing, workers, progress
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
    checked = checked_options(options)
    return _counted(aligned_text(hypotheses, references), *checked).scores()


@takes_options
def statistics(
    hypotheses: Hypotheses, references: References, **options: Unpack[ChrfArgs]
) -> ChrfStatistics:
    """Count n-grams and matches: the statistics that chrF is computed from.

    Parameters
    ----------
    hypotheses, references
        As for `corpus_chrf`.
    char_order, word_order, beta, lowercase, whitespace, eps_smoothing, workers, progress
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
    checked = checked_options(options)
    return _table(aligned_text(hypotheses, references), *checked)


@takes_options
def file_statistics(
    hypothesis_path: Path, reference_paths: Path | Sequence[Path], **options: Unpack[ChrfArgs]
) -> ChrfStatistics:
    r"""Count the statistics of text files with one segment per line.

    Files are read block by block, as by `vecbleu.file_statistics`.

    Parameters
    ----------
    hypothesis_path : path
        Text in UTF-8.
    reference_paths : path, or sequence of paths
        One file per reference, with as many lines as the hypotheses.
    char_order, word_order, beta, lowercase, whitespace, eps_smoothing, workers, progress
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
    checked = checked_options(options)
    return _table(file_corpus(hypothesis_path, reference_paths), *checked)


def _table(corpus: Corpus | FileCorpus, chosen: ChrfOptions, run: RunOptions) -> ChrfStatistics:
    """Return the statistics of segments, with their signature and the hashes of references."""
    signature = chosen.signature(corpus.references_each())
    few = _rows_if_few(corpus, chosen, run)
    if few is not None and isinstance(corpus, Corpus):
        return ChrfStatistics.of(np.array(few, np.int64), signature, corpus.reference_hashes())
    function, encode = partial(chrf_rows, chosen), ChrfEncoder(chosen)
    counted = rows_with_references(function, no_rows(chosen), corpus, encode, run)
    return ChrfStatistics.of(counted[0], signature, counted[1])


def _counted(corpus: Corpus, chosen: ChrfOptions, run: RunOptions) -> ChrfStatistics:
    """Return the statistics of segments, with their signature alone."""
    signature = chosen.signature(corpus.references_each())
    return ChrfStatistics.of(count_chrf(corpus, chosen, run), signature)


def checked_options(options: Any) -> tuple[ChrfOptions, RunOptions]:
    """Check options as the user passed them."""
    run = RunOptions.checked(options["workers"], options["progress"])
    return ChrfOptions.checked(options), run


def aligned_text(hypotheses: Any, references: Any) -> Corpus:
    """Check and align segments; raise TypeError unless they hold text."""
    if isinstance(hypotheses, list) and any(isinstance(row, list) for row in hypotheses[:1]):
        references = hypotheses  # they are what is wrong, whatever the references hold
    corpus = align(hypotheses, references)
    if not isinstance(corpus, Corpus):
        raise TypeError(f"references is {type(references).__name__}; chrF takes lists of strings")
    if len(corpus) and not corpus.is_text:
        raise TypeError("hypotheses holds tokens; chrF takes text, so pass strings on both sides")
    return corpus


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

    @takes_options
    def __init__(self, **options: Unpack[ChrfArgs]) -> None:
        self._chosen, self._run = chosen, _ = checked_options(options)
        no_counts = np.zeros(3 * chosen.orders, np.int64)
        super().__init__(ChrfStatistics(no_counts, chosen.signature(None)), chosen._asdict())

    def _count(self, hypotheses: Any, references: Any) -> ChrfStatistics:
        return _counted(aligned_text(hypotheses, references), self._chosen, self._run)

    def compute(self) -> ChrfScore:
        """Return the chrF score of all segments so far.

        Returns
        -------
        ChrfScore
        """
        return self._sum().score()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(segments={len(self)})"


class ChrfEncoder(Encoder):
    """Turns text into what chrF counts: its characters, and the words of chrF++."""

    cost = 2.0

    def __init__(self, options: ChrfOptions) -> None:
        self.options = options

    def __call__(self, text: Text) -> tuple[Symbols, Ragged | None]:
        """Return the characters of each unit, and its words if they are counted."""
        text = text.lower() if self.options.lowercase else text
        words = span_ids(_word_spans(text)) if self.options.word_order else None
        return characters(text, self.options.whitespace), words


def count_chrf(corpus: Countable, options: ChrfOptions, run: RunOptions) -> Int64:
    """Count a corpus; return one row a segment (S, 3K)."""
    few = _rows_if_few(corpus, options, run)
    if few is not None:
        return np.array(few, np.int64)
    function = partial(chrf_rows, options)
    with closing(map_corpus(function, corpus, ChrfEncoder(options), run)) as tables:
        return np.concatenate([no_rows(options), *tables])


def no_rows(options: ChrfOptions) -> Int64:
    """Return the rows of no segments (0, 3K)."""
    return np.zeros((0, 3 * options.orders), np.int64)


def chrf_rows(options: ChrfOptions, block: Block) -> Int64:
    """Count the segments of a block; return rows (S, 3K)."""
    keep_freed_memory()
    symbols, words = block.encoded()
    pairs = _pairs(block)
    tables = [_pair_counts(symbols, pairs, packed_matches, options.char_order)]
    if words is not None:
        tables.append(_pair_counts(words, pairs, clipped_matches, options.word_order))
    rows: Int64 = np.concatenate(tables, axis=1).reshape(-1, 3 * options.orders)  # (P, 3K)
    references = lengths_of(block.segments) - 1
    if len(rows) == len(references):
        return rows
    starts = np.cumsum(references) - references
    percents = chrf_percents(rows, options)
    best = np.repeat(np.maximum.reduceat(percents, starts), references)
    is_best = np.flatnonzero(percents == best)
    first: Int64 = rows[is_best[np.searchsorted(is_best, starts)]]
    return first


def _pairs(block: Block) -> Int64 | None:
    """Return the hypothesis and the reference of each pair (2P,); None if units are such pairs."""
    references = lengths_of(block.segments) - 1
    if (references == 1).all():
        return block.unit_order
    hyps = np.repeat(block.segments[:-1], references)
    refs = np.delete(np.arange(block.segments[-1]), block.segments[:-1])
    pairs: Int64 = np.column_stack([hyps, refs]).reshape(-1)
    return pairs if block.unit_order is None else block.unit_order[pairs]


def _pair_counts(units: Any, pairs: Int64 | None, matches: Any, max_order: int) -> Int64:
    """Count n-grams of both units and matches of each pair and order (P, N, 3)."""
    units = units if pairs is None else units.take(pairs)
    lengths = units.lengths
    totals = np.maximum(lengths[:, None] - np.arange(max_order), 0)
    hyp, ref = totals[0::2], totals[1::2]
    hyp[ref == 0] = 0  # as sacreBLEU has it
    counts: Int64 = np.stack(
        [hyp, ref, matches(units, np.arange(0, len(lengths) + 1, 2), max_order)], axis=2
    )
    return counts


def _word_spans(text: Text) -> Spans:
    """Cut a text into words; of longer ones, cut off the last sign of punctuation, else the first.

    A character of several bytes is no ASCII punctuation, and none of its bytes is.
    """
    data, starts, ends, offsets = cut_tokens(text, white_space(text.used))
    is_long = ends - starts > 1
    cuts_last = is_long & _IS_PUNCTUATION[data[ends - 1]]
    cuts_first = is_long & _IS_PUNCTUATION[data[starts]]
    bounds = offsets_of(1 + (cuts_last | cuts_first))  # (words + 1,)
    new_starts, new_ends = np.empty((2, bounds[-1]), np.int64)
    new_starts[bounds[:-1]], new_ends[bounds[1:] - 1] = starts, ends
    cut = np.flatnonzero(cuts_last | cuts_first)
    middle = np.where(cuts_last[cut], ends[cut] - 1, starts[cut] + 1)
    new_ends[bounds[cut]] = new_starts[bounds[cut] + 1] = middle
    return Spans(data, new_starts, new_ends, bounds[offsets])


def _words(line: str) -> list[str]:
    """Return the words of a string, as `_word_spans` cuts them."""
    return re.sub(_CUT, r" \1\2 ", line).split()


def _rows_if_few(corpus: Any, options: ChrfOptions, run: RunOptions) -> list[list[int]] | None:
    """Count few strings by dictionaries; None if arrays are faster, or do what `run` asks for."""
    strings = small.few_units(corpus, 2 * small.MOST_NGRAMS // options.orders, run)
    if not strings or {*map(type, strings)} != {str}:
        return None
    size = len(corpus)
    lines = [line.lower() for line in strings] if options.lowercase else strings
    characters = [line if options.whitespace else "".join(line.split()) for line in lines]
    words = map(_words, lines) if options.word_order else repeat([])
    units = [*zip(characters, words, strict=False)]
    rows = []
    for hyp, (start, stop) in zip(units, pairwise(corpus.offsets.tolist()), strict=False):
        pairs = [_pair_row(hyp, ref, options) for ref in units[size + start : size + stop]]
        percents = [row_percent(pair, options) for pair in pairs] if len(pairs) > 1 else [0.0]
        rows.append(pairs[percents.index(max(percents))])
    return rows


def _pair_row(
    hyp: tuple[str, list[str]], ref: tuple[str, list[str]], options: ChrfOptions
) -> list[int]:
    """Count characters and words of a hypothesis and one reference (3K,)."""
    row = []
    for *units, orders in zip(hyp, ref, (options.char_order, options.word_order), strict=True):
        hyp_total, ref_total = map(len, units)
        for match in small.segment_matches(units[0], [units[1]], orders) if orders else ():
            row += [hyp_total if ref_total else 0, ref_total, match]
            hyp_total, ref_total = max(hyp_total - 1, 0), max(ref_total - 1, 0)
    return row

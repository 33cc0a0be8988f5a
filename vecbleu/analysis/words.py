"""How well systems produce words that are rare, and words that are frequent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from vecbleu.analysis.groups import checked_edges, range_names
from vecbleu.analysis.texts import AlignedTexts, Options, Texts, check_side
from vecbleu.core.arrays import Float64, Index, Int64, Mask, as_index
from vecbleu.core.html import html_table
from vecbleu.core.inputs import align_units
from vecbleu.core.inputs.types import Hypotheses, References
from vecbleu.core.kernel.groups import Groups
from vecbleu.core.kernel.occurrences import Occurrences
from vecbleu.core.latex import latex_cell
from vecbleu.core.options import Tokenize
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.terminal import escaped_name, table_lines
from vecbleu.significance.results import Result
from vecbleu.significance.tables import Columns, bold, latex_table

# Frequencies at which one bucket ends and the next begins: compare-mt's.
FREQUENCY_BOUNDS = (1, 2, 3, 4, 5, 10, 100, 1000)

_TITLE = "F1 of words by their frequency"


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WordFMeasures(Result):
    """Words that systems have in common with the references, by how frequent they are.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    labels : tuple of str (buckets,)
        Ranges of frequencies.
    matches : int64 array (systems, buckets)
        Words that are in a reference, too: clipped counts.
    hyp_counts : int64 array (systems, buckets)
        Words of the systems.
    ref_counts : int64 array (buckets,)
        Words of the references; of several references, each word counts as often as in the one
        that has it most often.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    matches: Int64
    hyp_counts: Int64
    ref_counts: Int64

    @property
    def precisions(self) -> Float64:
        """Matches over words of the system (systems, buckets); 0 where there are none."""
        return _ratios(self.matches, self.hyp_counts)

    @property
    def recalls(self) -> Float64:
        """Matches over words of the references (systems, buckets); 0 where there are none."""
        return _ratios(self.matches, self.ref_counts)

    @property
    def f_measures(self) -> Float64:
        """F1, the harmonic mean of precision and recall (systems, buckets); 0 without a match."""
        return _ratios(2 * self.matches, self.hyp_counts + self.ref_counts)

    def to_dict(self) -> dict[str, Any]:
        """All fields, and the precisions, recalls and F-measures: what JSON can hold."""
        names = ("precisions", "recalls", "f_measures")
        return Result.to_dict(self) | {name: getattr(self, name).tolist() for name in names}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        return f"WordFMeasures(systems={len(self.names)}, labels={self.labels})"

    def _lines(self) -> Iterator[str]:
        """A table of F-measures with a line for each bucket."""
        yield _TITLE
        yield from table_lines(self._cells())

    def _repr_html_(self) -> str:
        """The table that is printed, for notebooks."""
        header, *rows = self._cells()
        return html_table(header, rows, _TITLE)

    def _cells(self) -> list[list[str]]:
        """A line for each bucket: its words, and the F-measure of each system."""
        cells = [["frequency", "words", *map(escaped_name, self.names)]]
        rows = zip(self.labels, self.ref_counts.tolist(), self.f_measures.T.tolist(), strict=True)
        for label, count, measures in rows:
            cells.append([label, str(count), *(f"{measure:.4f}" for measure in measures)])
        return cells

    def _latex(self, decimals: int, level: float) -> str:
        header = ["Frequency", "Words", *(latex_cell(name, 0) for name in self.names)]
        percents = 100 * self.f_measures.T
        rows = []
        for label, count, row in zip(self.labels, self.ref_counts, percents, strict=True):
            cells = zip(row.tolist(), (row > 0) & (row == row.max()), strict=True)
            shown = [bold(latex_cell(value, decimals), is_best) for value, is_best in cells]
            rows.append([latex_cell(label, 0), str(count), *shown])
        return latex_table(header, rows, ["F1 of words. Bold: the best of each line."])

    def _columns(self) -> Columns:
        shape = len(self.names), len(self.labels)
        return {
            "system": np.repeat([*self.names], shape[1]).tolist(),
            "frequency": [*self.labels] * shape[0],
            "matches": self.matches.ravel().tolist(),
            "hyp_count": self.hyp_counts.ravel().tolist(),
            "ref_count": np.broadcast_to(self.ref_counts, shape).ravel().tolist(),
            "precision": self.precisions.ravel().tolist(),
            "recall": self.recalls.ravel().tolist(),
            "f_measure": self.f_measures.ravel().tolist(),
        }


def word_f_measures(
    systems: Texts,
    references: References,
    *,
    frequencies: Hypotheses | None = None,
    bounds: Iterable[int] = FREQUENCY_BOUNDS,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
) -> WordFMeasures:
    """Measure how well systems produce words, by how frequent these are.

    In each segment a word that a system has h times, and the reference that has it most often r
    times, is a match min(h, r) times. Of the words of a bucket, precision is the sum of matches
    over that of h, recall over that of r, and F1 = 2 * matches / (sum of h + sum of r).

    Parameters
    ----------
    systems : dict of str to texts, or sequence of texts
        What each system has produced, as for `ngram_differences`; one at least.
    references : sequence (segments,)
        As for `vecbleu.corpus_bleu`: one or several of each segment.
    frequencies : sequence of segments, optional
        Text in which the words are counted, such as what a system was trained on: strings, token
        sequences or ids, as the systems have. By default it is all references, of which a word
        that no reference has is found 0 times.
    bounds : iterable of int
        Increasing frequencies at which one bucket ends and the next begins.
    tokenize, lowercase, pad_id, eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`. Worker processes tokenize.

    Returns
    -------
    WordFMeasures

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; systems differ in their number of segments, or bounds do not
        increase.

    Examples
    --------
    >>> from vecbleu.analysis import word_f_measures
    >>> references = ["the cat sat on the mat", "the dog sat down"]
    >>> old, new = ["a cat sat on a mat", "a dog sat down"], ["the cat sat on the mat", "the dog"]
    >>> found = word_f_measures({"old": old, "new": new}, references, bounds=[1, 2, 3])
    >>> print(found)
    F1 of words by their frequency
    frequency  words     old     new
    < 1            0  0.0000  0.0000
    1              5  1.0000  0.8889
    2              2  1.0000  0.6667
    >= 3           3  0.0000  1.0000
    >>> found.recalls[1].tolist()
    [0.0, 0.8, 0.5, 1.0]

    References
    ----------
    Neubig et al. (2019), "compare-mt: A Tool for Holistic Comparison of Language Generation
    Systems", NAACL (Demonstrations).
    """
    options = Options.checked(tokenize, lowercase, 1, pad_id, eos_id, ignore_ids, workers, progress)
    edges = checked_edges(bounds, "bounds", "frequencies", 1)
    texts = AlignedTexts.checked(systems, references, options, 1)
    others = []
    if frequencies is not None:
        others.append(align_units(frequencies, "frequencies", options.special_ids))
        check_side(texts.systems[0], "systems", others[0], "frequencies", options)
    words = texts.words(*others)
    counted, own = words[0] if others else words[-1], words[len(others) :]
    frequency = np.bincount(as_index(counted.values), minlength=counted.size)
    buckets, sums = np.searchsorted(edges, frequency, "right"), []
    for system in own[:-1]:
        occurrences = Occurrences([system], own[-1], texts.offsets)
        visitor = _BucketVisitor(buckets[occurrences.words], len(edges) + 1)
        occurrences.accept(visitor, 1)
        sums.append(visitor.sums)
    matches, hyp_counts, ref_counts = np.stack(sums, axis=1)
    return WordFMeasures(texts.names, range_names(edges), matches, hyp_counts, ref_counts[0])


class _BucketVisitor:
    """Adds up the counts of words in the bucket of each: that at a place (places,)."""

    def __init__(self, buckets: Index, size: int) -> None:
        self._buckets = buckets
        self.sums = np.zeros((3, size), np.int64)

    def wants(self, hyp_counts: Int64, ref_counts: Int64) -> Mask:
        """All of them."""
        return np.ones(len(ref_counts), bool)

    def visit(self, order: int, groups: Groups, places: Index) -> tuple[Mask, Int64]:
        """Matches, and words of the system and of the references, in each bucket (3, buckets)."""
        buckets, found = self._buckets[places], np.zeros_like(self.sums)
        for sums, counts in zip(
            found, (groups.matches[0], groups.hyp_counts[0], groups.ref_counts), strict=True
        ):
            np.add.at(sums, buckets, groups.sums(counts))
        return np.zeros(len(places), bool), found

    def take(self, found: Int64) -> None:
        """Add them up."""
        self.sums += found


def _ratios(parts: Int64, wholes: Int64) -> Float64:
    """Parts of wholes; 0 where there are none, as in compare-mt."""
    ratios: Float64 = parts / np.maximum(wholes, 1)
    return ratios

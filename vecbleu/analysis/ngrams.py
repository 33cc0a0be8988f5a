"""List the n-grams whose counts differ most between systems."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Unpack, get_args

import numpy as np

from vecbleu.analysis.explanation import plain_tokens, shown_token
from vecbleu.analysis.ngram_counts import Kind, Phrase, TokenIds, best_ngrams, count_ngrams
from vecbleu.api import aligned
from vecbleu.core.arrays import Int64
from vecbleu.core.checks import check_name, checked_integer
from vecbleu.core.corpus import Corpus
from vecbleu.core.inputs.alignment import align_units, check_kinds
from vecbleu.core.inputs.types import Hypotheses, References
from vecbleu.core.options import CountOptions, Options, SpecialIds, TextArgs, takes
from vecbleu.pairwise.shared import SharedCorpus
from vecbleu.pairwise.units import unit_ids
from vecbleu.show.table import Column, Result, Table
from vecbleu.significance.systems import baseline_index, named_systems

KINDS: tuple[Kind, ...] = get_args(Kind)


class NgramDifference(NamedTuple):
    """An n-gram that one system matches, overuses or misses more often than another.

    Parameters
    ----------
    kind : {"match", "over", "under"}
        What is counted: occurrences that match the references, occurrences beyond those of the
        references, or missing occurrences.
    more, less : hashable
        Names of the systems with the higher and the lower count.
    ngram : tuple of tokens
        The n-gram; longer than `max_order` if n-grams were joined.
    counts : tuple of int (2,)
        Counts of `more` and of `less`, summed over all segments.
    score : float
        (counts[0] + 1) / (counts[0] + counts[1] + 2).
    examples : tuple of int
        First segments in which `more` has the higher count, numbered from 0.
    """

    kind: Kind
    more: Hashable
    less: Hashable
    ngram: tuple[Hashable, ...]
    counts: tuple[int, int]
    score: float
    examples: tuple[int, ...]


NgramDifference.__module__ = "vecbleu.analysis"


@dataclass(frozen=True, eq=False, repr=False)
class NgramDifferences(Result):
    """N-grams whose counts differ most between systems and a baseline.

    Parameters
    ----------
    names : tuple (systems,)
        Names of the systems.
    baseline : int
        Index of the baseline.
    rows : tuple of NgramDifference
        Sorted by system and kind. N-grams with higher counts in the system come first, then those
        with higher counts in the baseline. Both are sorted by score, best first.
    """

    names: tuple[Hashable, ...]
    baseline: int
    rows: tuple[NgramDifference, ...]

    __module__ = "vecbleu.analysis"

    def table(self) -> Table:
        """Return a table with one row per n-gram; segments are numbered from 1."""
        rows = self.rows
        segments = [", ".join(str(segment + 1) for segment in row.examples) for row in rows]
        columns = [
            Column("kind", [row.kind for row in rows]),
            Column("more", [row.more for row in rows]),
            Column("more count", [row.counts[0] for row in rows], "count"),
            Column("less", [row.less for row in rows]),
            Column("less count", [row.counts[1] for row in rows], "count"),
            Column("score", [row.score for row in rows], "number"),
            Column("n-gram", [" ".join(map(shown_token, row.ngram)) for row in rows]),
            Column("segments", segments),
        ]
        return Table(columns)


def ngrams_between(
    rows: Iterable[NgramDifference], kind: str, more: Hashable, less: Hashable
) -> list[NgramDifference]:
    """Return the n-grams of a kind that one of two systems has more often than the other."""
    return [row for row in rows if row[:3] == (kind, more, less)]


@takes(TextArgs)
def ngram_differences(
    systems: Mapping[Any, Hypotheses] | Sequence[Hypotheses],
    references: References,
    *,
    baseline: Any = None,
    kinds: Kind | Iterable[Kind] = ("match",),
    top: int = 10,
    examples: int = 3,
    **options: Unpack[TextArgs],
) -> NgramDifferences:
    """List the n-grams whose counts differ most between systems and a baseline.

    In each segment, let h be the count of an n-gram in the system's output, and r its largest count
    in any reference. Then min(h, r) occurrences match ("match"), h - min(h, r) are too many
    ("over"), and r - min(h, r) are missing ("under"). These counts are summed over all segments.

    N-grams are ranked by compare-mt's smoothed share (a + 1) / (a + b + 2), where a and b are the
    sums of two systems. The difference a - b would favor frequent words. Ties are sorted by larger
    difference, then by longer n-gram, then by first occurrence.

    Each phrase is listed once. Consecutive n-grams of `max_order` tokens with the same counts in
    the same segments are joined. An n-gram is left out if a longer one in the list contains it and
    has the same counts.

    Parameters
    ----------
    systems : mapping of names to texts, or sequence of texts
        Output of each system: strings, token sequences, integer arrays or a column, like the
        hypotheses of `vecbleu.corpus_bleu`. At least two systems; without names, they are called
        "0", "1", ...
    references : sequence (segments,)
        As for `vecbleu.corpus_bleu`: one or several per segment.
    baseline : hashable or int, optional
        Name or index of the system to compare all others with, in both directions; by default the
        first.
    kinds : {"match", "over", "under"}, or several of them
        What to count. Each further kind takes about as long as the first one.
    top : int
        Largest number of n-grams to list per system, kind and direction.
    examples : int
        Largest number of segments to list per n-gram.
    **options
        As for `vecbleu.corpus_bleu`: tokenize, lowercase, max_order, ignore_ids, eos_id, workers,
        progress. Worker processes only tokenize.

    Returns
    -------
    NgramDifferences
        N-grams with their counts. N-grams with equal counts are not listed.

    Raises
    ------
    TypeError, ValueError
        As for `vecbleu.corpus_bleu`; or systems differ in their number of segments, or there is no
        such baseline.

    Examples
    --------
    >>> from vecbleu.analysis import ngram_differences
    >>> references = ["the cat sat on the mat", "the dog sat down"]
    >>> old, new = ["a cat sat on a mat", "a dog sat down"], ["the cat sat on the mat", "the dog"]
    >>> print(ngram_differences({"old": old, "new": new}, references))
    kind   more  more count  less  less count   score  n-gram                  segments
    match  new            3  old            0  0.8000  the                     1, 2
    match  new            1  old            0  0.6667  the cat sat on the mat  1
    match  new            1  old            0  0.6667  the dog                 2
    match  old            1  new            0  0.6667  dog sat down            2
    match  old            2  new            1  0.6000  sat                     2

    References
    ----------
    Neubig et al. (2019), "compare-mt: A Tool for Holistic Comparison of Language Generation
    Systems", NAACL (Demonstrations).
    """
    counting, _, special_ids, run = Options.checked(options)
    limit, shown = checked_integer(top, "top", 1), checked_integer(examples, "examples", 0)
    wanted: Any = [kinds] if isinstance(kinds, str) else [*dict.fromkeys(kinds)]
    for kind in wanted:
        check_name(kind, "kinds", KINDS)
    named = named_systems(systems, "texts")
    names, first = (*named,), baseline_index(named, baseline)
    texts, reference_texts, offsets = _aligned_systems(named, references, counting, special_ids)
    *outputs, reference_ids = unit_ids([*texts, reference_texts], counting, run)
    rows: list[NgramDifference] = []
    for system in range(len(names)):
        for kind in wanted if system != first else ():
            pair = [system, first]
            ids = TokenIds([outputs[index] for index in pair], reference_ids, offsets, kind)
            counts = count_ngrams(ids, counting.max_order)
            for more, less in (pair, pair[::-1]):
                phrases = best_ngrams(ids, counts, counting.max_order, limit)
                corpus = reference_texts if kind == "under" else texts[more]
                ngrams = _phrase_tokens(phrases, corpus, counting)
                for phrase, ngram in zip(phrases, ngrams, strict=True):
                    row = phrase.counts, phrase.score, (*phrase.segments[:shown].tolist(),)
                    rows.append(NgramDifference(kind, names[more], names[less], ngram, *row))
                ids = replace(ids, systems=ids.systems[::-1])
                counts = counts._replace(sums=counts.sums[::-1], cells=counts.cells[::-1])
    return NgramDifferences(names, first, (*rows,))


def _aligned_systems(
    systems: Mapping[Any, Any], references: Any, counting: CountOptions, special_ids: SpecialIds
) -> tuple[list[Corpus], Corpus, Int64]:
    """Return the checked systems, the references, and their offsets by segment."""
    labeled = ((f"systems[{name!r}]", text) for name, text in systems.items())
    texts = {label: align_units(text, label, special_ids) for label, text in labeled}
    first, *_ = texts
    for label, side in texts.items():
        check_kinds(side, label, texts[first], first)
        if len(side) != len(texts[first]):
            raise ValueError(
                f"{label} has {len(side)} segments but {first} has {len(texts[first])}"
            )
    corpus: Any = aligned(texts[first].hypotheses, references, counting, special_ids)
    if isinstance(corpus, SharedCorpus):
        corpus.references.check(counting)
        shared = corpus.references.side
        return [*texts.values()], shared, np.arange(len(corpus) + 1) * len(shared)
    name = corpus.name_reference
    references = Corpus.alone(corpus.kind, corpus.references, lambda row, _: name(row))
    return [*texts.values()], references, corpus.offsets


def _phrase_tokens(
    phrases: Sequence[Phrase], corpus: Corpus, counting: CountOptions
) -> Iterator[tuple[Hashable, ...]]:
    """Yield the tokens of n-grams; only the units that contain them are tokenized again."""
    units: dict[int, Any] = {phrase.row: corpus.hypotheses[phrase.row] for phrase in phrases}
    if corpus.is_text:
        units = dict(zip(units, counting.split([*units.values()]), strict=True))
    for phrase in phrases:
        yield plain_tokens(units[phrase.row][phrase.start : phrase.start + phrase.size])

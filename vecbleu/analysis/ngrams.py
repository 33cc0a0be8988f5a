"""List the n-grams whose counts differ most between systems."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from vecbleu.analysis.explain import plain_tokens, shown_token
from vecbleu.arguments.checks import checked_integer, checked_name
from vecbleu.arguments.errors import ArgumentError, Place, argument, place_text
from vecbleu.arguments.options import Executor, Ids, SpecialIds
from vecbleu.bleu import aligned
from vecbleu.bleu.options import CountOptions, Options, Tokenize
from vecbleu.bleu.shared import SharedCorpus, unit_ids
from vecbleu.core.corpus import BLOCK_TOKENS, Corpus
from vecbleu.inputs.alignment import Hypotheses, References, align_units, check_kinds
from vecbleu.kernel.arrays import Float64, Int64, Mask, UInt64
from vecbleu.kernel.ngrams import NOTHING, ngram_keys, sorted_rows
from vecbleu.kernel.ragged import Ragged, cuts, offsets_of
from vecbleu.sets.keys import run_begins
from vecbleu.show.table import Column, Result, Table
from vecbleu.significance.inference import baseline_index, named_systems, system_places
from vecbleu.text.edits import Normalize

Kind = Literal["match", "over", "under"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Int32 = npt.NDArray[np.int32]

# Sort this many n-grams for each listed row, since many can be parts of one phrase. If that gives
# too few rows, sort this many times as many of the remaining ones.
_RANKED = 16


@dataclass(frozen=True)
class TokenIds:
    """Token ids of two systems and their references; equal tokens have equal ids.

    `kind` says which n-grams are counted.
    """

    systems: Sequence[Ragged]
    references: Ragged
    offsets: Int64  # (segments + 1,), into the references; shared references count per segment
    kind: Kind

    @cached_property
    def units_each(self) -> int:
        """Largest number of units in a segment: two systems and the references."""
        return 2 + int(np.diff(self.offsets).max(initial=0))

    @property
    def bits(self) -> np.uint64:
        """Bits of a unit's number in its segment; 0 and 1 are the systems."""
        return np.uint64((self.units_each - 1).bit_length())

    def reference_rows(self, start: int, stop: int) -> Int64:
        """Return the rows of the references of some segments, from `start` to `stop`."""
        rows: Int64 = np.arange(self.offsets[start], self.offsets[stop])
        return rows % max(len(self.references), 1)

    def blocks(self) -> list[tuple[int, int]]:
        """Cut the segments, since shared references are copied for each of them."""
        lengths = self.references.lengths[self.reference_rows(0, -1)]
        ends = offsets_of(lengths)
        first, second = self.systems
        widths = np.diff(ends[self.offsets]) + first.lengths + second.lengths
        return cuts(offsets_of(widths), BLOCK_TOKENS)

    def units(self, start: int, stop: int) -> tuple[Ragged, Int64]:
        """Return the units of a block ordered by segment, and the offsets of segments.

        An empty segment at the end has as many units as the largest one of all blocks, so that the
        keys of all blocks have the same bits.
        """
        rows = np.arange(stop - start)
        counts = np.diff(self.offsets[start : stop + 1])
        last = np.full(self.units_each, len(rows))
        segments = np.concatenate([rows, rows, np.repeat(rows, counts), last])  # of each unit
        references = self.references.take(self.reference_rows(start, stop))
        nothing = Ragged(references.values[:0], np.zeros(self.units_each + 1, np.int64))
        systems = [side[start:stop] for side in self.systems]
        units = Ragged.concatenate([*systems, references, nothing])
        by_segment = np.argsort(segments, kind="stable")
        return units.take(by_segment), offsets_of(np.bincount(segments))

    def keys(self, ids: Int64, order: int) -> UInt64:
        """Hash the n-gram that starts at each token, as `sorted_rows` does."""
        keys = np.empty((order, len(ids)), np.uint64)
        ngram_keys(ids.view(np.uint64) >> self.bits << self.bits, keys)
        ngrams = max(len(ids) - order + 1, 0)
        return keys[-1, :ngrams] >> self.bits

    @property
    def sources(self) -> Ragged:
        """Units that contain the n-grams."""
        return self.references if self.kind == "under" else self.systems[0]

    def first_occurrences(self, order: int, segment: int) -> dict[int, tuple[int, int]]:
        """Map the keys of a segment's n-grams to their first occurrence: unit and start."""
        rows = [segment]
        if self.kind == "under":
            rows = self.reference_rows(segment, segment + 1).tolist()
        starts: dict[int, tuple[int, int]] = {}
        for row in rows:
            for start, key in enumerate(self.keys(self.sources[row], order).tolist()):
                starts.setdefault(key, (row, start))
        return starts


class Counts(NamedTuple):
    """Counts of both systems: sums of each n-gram, and counts by segment."""

    orders: Int64  # (ngrams,)
    keys: UInt64  # (ngrams,)
    sums: Int64  # (2, ngrams)
    starts: Int64  # (ngrams + 1,), into `segments` and `cells`
    segments: Int32  # (cells,)
    cells: Int32  # (2, cells)


class Phrase(NamedTuple):
    """An n-gram, or several joined, with its counts, its segments and its first occurrence."""

    counts: tuple[int, int]
    segments: Int32
    row: int  # of the unit
    start: int  # in the unit
    size: int

    @property
    def place(self) -> slice:
        """The tokens in the unit."""
        return slice(self.start, self.start + self.size)

    @property
    def score(self) -> float:
        """Smoothed share of the first count."""
        more, less = np.array(self.counts)
        return float(smoothed_score(more, less))


def count_ngrams(ids: TokenIds, max_order: int) -> Counts:
    """Count the n-grams of all orders, and keep those whose sums differ."""
    empty = np.empty(0, np.uint64), np.empty(0, np.int32), np.empty((2, 0), np.int32)
    counted = [[empty] for _ in range(max_order)]
    for start, stop in ids.blocks():
        for members, keys in sorted_rows(*ids.units(start, stop), max_order):
            for parts, rows in zip(counted, keys, strict=True):
                parts.append(_count(ids, rows, start + members))
    columns = []
    for order in range(1, max_order + 1):
        keys, segments, cells = _concatenated(counted.pop(0))
        by_key = np.argsort(keys)
        keys, segments, cells = keys[by_key], segments[by_key], cells[:, by_key]
        starts = np.flatnonzero(run_begins(keys))
        sizes = np.diff(starts, append=len(keys))
        sums = np.add.reduceat(cells, starts, axis=1, dtype=np.int64)
        differs = sums[0] != sums[1]
        ngrams = starts[differs]
        kept = np.repeat(differs, sizes)
        columns.append(
            (
                np.full(len(ngrams), order),
                keys[ngrams],
                sums[:, differs],
                sizes[differs],
                segments[kept],
                cells[:, kept],
            )
        )
    orders, keys, sums, sizes, segments, cells = _concatenated(columns)
    return Counts(orders, keys, sums, offsets_of(sizes), segments, cells)


def _count(ids: TokenIds, rows: UInt64, members: Int64) -> tuple[UInt64, Int32, Int32]:
    """Count the n-grams of a sorted row of keys for each segment.

    Return keys without numbers, segments, and counts (2, cells).
    """
    is_ngram = rows != NOTHING
    keys = rows[is_ngram]
    segments = np.repeat(members, is_ngram.sum(axis=1))
    # Copies within a unit form a run; the runs of an n-gram in a segment form a group.
    runs = np.flatnonzero(run_begins(keys) | run_begins(segments))
    copies = np.diff(runs, append=len(keys))
    units = keys[runs] & ~(NOTHING << ids.bits)
    keys = keys[runs] >> ids.bits
    segments = segments[runs]
    begins = run_begins(keys) | run_begins(segments)
    groups = np.flatnonzero(begins)
    group = np.cumsum(begins) - 1
    is_system = units < 2
    systems = units[is_system].view(np.int64)
    counts = np.zeros((2, len(groups)), np.int64)
    counts[systems, group[is_system]] = copies[is_system]
    in_reference = np.where(is_system, 0, copies)
    most = np.maximum.reduceat(in_reference, groups)
    matches = np.minimum(counts, most)
    if ids.kind == "match":
        counts = matches
    elif ids.kind == "over":
        counts -= matches
    else:
        counts = most - matches
    kept = counts.any(axis=0)
    groups = groups[kept]
    return keys[groups], segments[groups].astype(np.int32), counts[:, kept].astype(np.int32)


def _concatenated(parts: list[Any]) -> list[npt.NDArray[Any]]:
    """Concatenate the columns of several parts, which are freed one after the other."""
    columns = list(zip(*parts, strict=True))
    parts.clear()
    return [np.concatenate(columns.pop(0), axis=-1) for _ in range(len(columns))]


def smoothed_score(more: Int64, less: Int64) -> Float64:
    """Return the share of `more`, smoothed: with small counts, it is closer to one half."""
    return (more + 1) / (more + less + 2)


def best_ngrams(ids: TokenIds, counts: Counts, max_order: int, top: int) -> list[Phrase]:
    """List the n-grams that the first system has more often, best first.

    Join consecutive n-grams into phrases; leave out parts of phrases.
    """
    is_more = counts.cells[0] > counts.cells[1]
    phrases: list[Phrase] = []
    parts: set[tuple[int, ...]] = set()
    ranked = _ranked(counts, is_more, top)
    for (more, less, order, segment), tied in groupby(ranked, lambda row: row[:4]):
        if len(phrases) >= top:
            break
        begin = len(phrases)
        starts = ids.first_occurrences(order, segment)
        rows = ((*starts[key], key, ngram) for *_, key, ngram in tied)
        for row, start, key, ngram in sorted(rows):
            cells = slice(counts.starts[ngram], counts.starts[ngram + 1])
            segments = counts.segments[cells][is_more[cells]]
            phrase = Phrase((more, less), np.sort(segments), row, start, order)
            if order == max_order and len(phrases) > begin and _follows(phrase, phrases[-1]):
                last = phrases.pop()
                phrases.append(last._replace(size=last.size + 1))
            elif (more, less, order, key) not in parts:
                phrases.append(phrase)
        for phrase in phrases[begin:]:
            tokens = ids.sources[phrase.row][phrase.place]
            for size in range(1, order):
                keys = ids.keys(tokens, size).tolist()
                parts.update((more, less, size, key) for key in keys)
    return phrases[:top]


def _ranked(counts: Counts, is_more: Mask, top: int) -> Iterator[tuple[int, ...]]:
    """Yield both counts, order, first segment, key and number of each n-gram, best first."""
    more, less = counts.sums
    scores = smoothed_score(more, less)
    segments = np.where(is_more, counts.segments, counts.segments.max(initial=0))
    firsts = np.minimum.reduceat(segments, counts.starts[:-1])
    criteria = firsts, -counts.orders, less - more, -scores  # the last one first
    columns = more, less, counts.orders, firsts, counts.keys
    ngrams = np.flatnonzero(more > less)
    while len(ngrams):
        top = min(top * _RANKED, len(ngrams))
        left = scores[ngrams]
        is_best = left >= np.partition(left, -top)[-top]
        best = ngrams[is_best]
        ngrams = ngrams[~is_best]
        best = best[np.lexsort([values[best] for values in criteria])]
        rows = [column[best].tolist() for column in columns]
        yield from zip(*rows, best.tolist(), strict=True)


def _follows(phrase: Phrase, last: Phrase) -> bool:
    """Tell whether an n-gram extends the last phrase by a token, in the same segments."""
    is_next = phrase.row == last.row and phrase.place.stop == last.place.stop + 1
    return is_next and np.array_equal(phrase.segments, last.segments)


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


def ngram_differences(
    systems: Mapping[Any, Hypotheses] | Sequence[Hypotheses],
    references: References,
    *,
    baseline: Hashable = None,
    kinds: Kind | Iterable[Kind] = ("match",),
    top: int = 10,
    examples: int = 3,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ignore_ids: Ids = (),
    eos_id: Ids | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
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
    tokenize, lowercase, normalize, max_order, ignore_ids, eos_id, workers, progress
        As for `vecbleu.corpus_bleu`: tokenize, lowercase, normalize, max_order, ignore_ids, eos_id,
        workers, progress. Worker processes only tokenize.

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
    counting, _, special_ids, run = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ignore_ids=ignore_ids,
        eos_id=eos_id,
        workers=workers,
        progress=progress,
    )
    with argument("top"):
        limit = checked_integer(top, 1)
    with argument("examples"):
        shown = checked_integer(examples, 0)
    wanted = [kinds] if isinstance(kinds, str) else list(dict.fromkeys(kinds))
    for kind in wanted:
        with argument("kinds"):
            checked_name(kind, KINDS)
    named = named_systems(systems, "texts")
    names = tuple(named)
    with argument("baseline"):
        first = baseline_index(named, baseline)
    places = system_places(systems, named)
    texts, reference_texts, offsets = _aligned_systems(places, references, counting, special_ids)
    *outputs, reference_ids = unit_ids([*texts, reference_texts], counting, run)
    rows: list[NgramDifference] = []
    for system in range(len(names)):
        if system == first:
            continue
        for kind in wanted:
            ids = TokenIds([outputs[system], outputs[first]], reference_ids, offsets, kind)
            counts = count_ngrams(ids, counting.max_order)
            for more, less in ((system, first), (first, system)):
                phrases = best_ngrams(ids, counts, counting.max_order, limit)
                corpus = reference_texts if kind == "under" else texts[more]
                ngrams = _phrase_tokens(phrases, corpus, counting)
                for phrase, ngram in zip(phrases, ngrams, strict=True):
                    row = NgramDifference(
                        kind=kind,
                        more=names[more],
                        less=names[less],
                        ngram=ngram,
                        counts=phrase.counts,
                        score=phrase.score,
                        examples=tuple(phrase.segments[:shown].tolist()),
                    )
                    rows.append(row)
                ids = replace(ids, systems=ids.systems[::-1])
                counts = counts._replace(sums=counts.sums[::-1], cells=counts.cells[::-1])
    return NgramDifferences(names, first, tuple(rows))


def _aligned_systems(
    systems: Mapping[Place, Hypotheses],
    references: References,
    counting: CountOptions,
    special_ids: SpecialIds,
) -> tuple[list[Corpus], Corpus, Int64]:
    """Return the checked systems, the references, and their offsets by segment."""
    texts = {where: align_units(text, where, special_ids) for where, text in systems.items()}
    sides = list(texts.values())
    first_side = sides[0]
    label = place_text(next(iter(texts)))
    for where, side in texts.items():
        with argument(*where):
            check_kinds(side, first_side, label)
            if len(side) != len(first_side):
                found = f"has {len(side)} segments but {label} has {len(first_side)}"
                raise ArgumentError(found)
    corpus = aligned(first_side.hypotheses, references, counting, special_ids)
    if isinstance(corpus, SharedCorpus):
        corpus.references.check(counting)
        shared = corpus.references.side
        offsets = np.arange(len(corpus) + 1) * len(shared)
        return sides, shared, offsets
    assert isinstance(corpus, Corpus)
    return sides, corpus.references_alone(), corpus.offsets


def _phrase_tokens(
    phrases: Sequence[Phrase], corpus: Corpus, counting: CountOptions
) -> Iterator[tuple[Hashable, ...]]:
    """Yield the tokens of n-grams; only the units that contain them are tokenized again."""
    rows = list(dict.fromkeys(phrase.row for phrase in phrases))
    units = [corpus.hypotheses[row] for row in rows]
    if corpus.is_text:
        units = counting.split(units)
    tokens = dict(zip(rows, units, strict=True))
    for phrase in phrases:
        yield plain_tokens(tokens[phrase.row][phrase.place])

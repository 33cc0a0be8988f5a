"""Which n-grams one system gets right, or has too often or too rarely, more than another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from numbers import Real
from typing import Any, NamedTuple, get_args

from vecbleu.analysis.ngram_results import NgramDifference, NgramDifferences
from vecbleu.analysis.ranking import By, Entry, Kind, PairVisitor, Ranking
from vecbleu.analysis.texts import AlignedTexts, Options, Texts
from vecbleu.core.checks import check_name, checked_integer
from vecbleu.core.inputs.types import References
from vecbleu.core.kernel.occurrences import Apply, Occurrences
from vecbleu.core.options import RunOptions, Tokenize
from vecbleu.core.tasks import map_tasks
from vecbleu.significance.systems import baseline_index

KINDS: tuple[Kind, ...] = get_args(Kind)

# What the n-grams of one order at a place take.
_SECONDS_A_PLACE = 6e-8


def ngram_differences(
    systems: Texts,
    references: References,
    *,
    baseline: int | str = 0,
    kinds: Iterable[Kind] = KINDS,
    by: By = "score",
    alpha: float = 1.0,
    top: int = 50,
    examples: int = 3,
    min_order: int = 1,
    max_order: int = 4,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    pad_id: int | None = None,
    eos_id: int | None = None,
    ignore_ids: Iterable[int] = (),
    workers: int | None = None,
    progress: bool | None = False,
) -> NgramDifferences:
    """Rank the n-grams in whose counts systems differ most from a baseline.

    In each segment an n-gram that a system has h times, and the reference that has it most often
    r times, is a match min(h, r) times, there too often (over) h - min(h, r) times, and lacking
    (under) r - min(h, r) times. Two systems whose sums over all segments are a and b are ranked by
    (a + alpha) / (a + b + 2 alpha).

    Parameters
    ----------
    systems : dict of str to texts, or sequence of texts
        What each system has produced: strings, token sequences, integer arrays or a column, as
        hypotheses are for `vecbleu.corpus_bleu`; two systems at least.
    references : sequence (segments,)
        As for `vecbleu.corpus_bleu`: one or several of each segment.
    baseline : int or str
        Index or name of the system that every other one is compared with, in both directions.
    kinds : iterable of {"match", "over", "under"}
        Which occurrences are counted; a list of n-grams for each of them.
    by : {"score", "count"}
        Rank by the smoothed score, or by the difference of counts.
    alpha : float
        Smoothing, 0 or more: the higher it is, the more frequent are the n-grams at the top.
    top : int
        How many n-grams are listed at most for each system, kind and direction. Equal ones are in
        the order of their differences, then longer ones first, then as they first occur.
    examples : int
        How many segments are listed for each n-gram.
    min_order, max_order : int
        How long n-grams are.
    tokenize, lowercase, pad_id, eos_id, ignore_ids, workers, progress
        As for `vecbleu.corpus_bleu`. Worker processes tokenize, and count.

    Returns
    -------
    NgramDifferences
        An n-gram is listed for the system that has the higher count; of equal ones none is.

    Raises
    ------
    TypeError, ValueError
        As `vecbleu.corpus_bleu` does; systems differ in their number of segments, the baseline is
        none of them, or an option is unknown.

    Examples
    --------
    >>> from vecbleu.analysis import ngram_differences
    >>> references = ["the cat sat on the mat", "the dog sat down"]
    >>> old, new = ["a cat sat on a mat", "a dog sat down"], ["the cat sat on the mat", "the dog"]
    >>> found = ngram_differences({"old": old, "new": new}, references)
    >>> found.select("match", more="new")[0]
    NgramDifference(match ('the',): new=3, old=0, score=0.8000)
    >>> print(ngram_differences({"old": old, "new": new}, references, kinds=["over"]).to_text(2))
    n-grams that old has too often, and more so than new
     score  old  new  n-gram        segments
    0.8000    3    0  a             0, 1
    0.6667    1    0  a cat sat on  0
    ... and 11 more

    References
    ----------
    Neubig et al. (2019), "compare-mt: A Tool for Holistic Comparison of Language Generation
    Systems", NAACL (Demonstrations).
    """
    options = Options.checked(
        tokenize, lowercase, max_order, pad_id, eos_id, ignore_ids, workers, progress
    )
    least = checked_integer(min_order, "min_order", 1, options.counting.max_order)
    check_name(by, "by", get_args(By))
    ranking = Ranking(by, _checked_alpha(alpha), checked_integer(top, "top", 1))
    wanted = _checked_kinds(kinds)
    shown = checked_integer(examples, "examples", 0)
    texts = AlignedTexts.checked(systems, references, options, 2)
    first = baseline_index(texts.names, baseline)
    words = texts.words()
    found: list[_Found] = []
    for system in range(len(texts.names)):
        if system != first:
            both = [words[first], words[system]]
            pair = Occurrences(both, words[-1], texts.offsets)
            visitor = PairVisitor(ranking, wanted, least, shown)
            pair.accept(visitor, options.counting.max_order, _sharing(pair, options.run))
            found += _found(pair, visitor, (first, system))
    rows = _rows(found, texts, ranking)
    return NgramDifferences(texts.names, first, ranking.by, ranking.alpha, texts.size, rows)


class _Found(NamedTuple):
    """An n-gram without its tokens, which are those of some unit."""

    kind: Kind
    columns: tuple[int, int]  # the system that has more, and the other one
    entry: Entry
    unit: tuple[int | None, int, int]  # a system, or None for a reference; segment; which one
    start: int


def _sharing(pair: Occurrences, run: RunOptions) -> Apply:
    """Have processes look at n-grams, as many as pay."""
    return partial(
        map_tasks,
        seconds=_SECONDS_A_PLACE * len(pair.words),
        run=RunOptions(run.workers),
        size=lambda share: len(share.places),
        unit="places of n-grams",
    )


def _found(pair: Occurrences, visitor: PairVisitor, systems: tuple[int, int]) -> Iterator[_Found]:
    """What was found of a pair of systems."""
    for best in visitor.best:
        columns = systems[best.column], systems[1 - best.column]
        for entry in best.entries:
            segment, unit, start = pair.locate(entry.place)
            side = systems[unit] if unit < 2 else None
            yield _Found(best.kind, columns, entry, (side, segment, max(unit - 2, 0)), start)


def _rows(
    found: Sequence[_Found], texts: AlignedTexts, ranking: Ranking
) -> tuple[NgramDifference, ...]:
    """N-grams with their tokens: only the units in which they first occur are tokenized again."""
    tokens = texts.tokens(one.unit for one in found)
    rows = []
    for kind, columns, entry, unit, start in found:
        ngram = tuple(tokens[unit][start : start - entry.order])
        more, less = (texts.names[column] for column in columns)
        counts, score = (entry.more, entry.less), ranking.score(entry.more, entry.less)
        rows.append(NgramDifference(kind, more, less, ngram, counts, score, entry.examples))
    return tuple(rows)


def _checked_kinds(kinds: Any) -> list[Kind]:
    """Kinds as the user passed them, each of them once."""
    is_one = isinstance(kinds, str) or not isinstance(kinds, Iterable)
    given: list[Any] = [kinds] if is_one else [*kinds]
    for kind in given:
        check_name(kind, "kinds", KINDS)
    if not given:
        raise ValueError(f"kinds is empty, expected some of {', '.join(KINDS)}")
    return [*dict.fromkeys(given)]


def _checked_alpha(alpha: Any) -> float:
    """A finite number that is not below 0."""
    if not isinstance(alpha, Real) or isinstance(alpha, bool):
        raise TypeError(f"alpha is {alpha!r}, expected a number")
    if not 0 <= float(alpha) < math.inf:
        raise ValueError(f"alpha is {alpha}, expected a finite number >= 0")
    return float(alpha)

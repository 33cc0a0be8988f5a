"""Statistics of few segments, counted as Python objects: below the size where arrays pay.

A call into the array path costs some hundred NumPy calls, whatever it counts: as much as
`MOST_NGRAMS` cost here (benchmarks/small_calls.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, islice
from typing import Any

from vecbleu.core.corpus.blocks import Corpus
from vecbleu.core.corpus.lists import ListCorpus, TextCorpus, TokenCorpus
from vecbleu.core.corpus.references import ReferenceLists
from vecbleu.core.options import CountOptions, RefLength, RunOptions
from vecbleu.core.text.text import UnitError
from vecbleu.core.text.tokenizers import CallableTokenizer

Tokens = Sequence[Hashable]
Segment = Sequence[Any]  # a hypothesis followed by its references

# N-grams of both sides, all orders together, and characters of text, which is tokenized first.
MOST_NGRAMS = 2800
_MOST_CHARACTERS = 2200

# Tokens that arrays compare as dictionaries do.
_PLAIN_TOKENS = {str, int}


def with_users_tokens(corpus: Corpus, options: CountOptions, run: RunOptions) -> Corpus:
    """A small corpus of strings as the tokens that a function of the user's makes of them.

    So it is called once for each string, whichever way the tokens are counted.
    """
    if not isinstance(options.tokenize, CallableTokenizer) or not isinstance(corpus, TextCorpus):
        return corpus
    segments = _small(corpus, options, run)
    split = _split(segments, corpus, options)
    if not split:
        return corpus
    units = _by_segment(split, segments)
    references = ReferenceLists([others for _, *others in units])
    return TokenCorpus([own for own, *_ in units], references, corpus.name)


def few_segments(
    corpus: Corpus, options: CountOptions, run: RunOptions
) -> Sequence[Sequence[Tokens]]:
    """The tokens of few segments of strings or token sequences; none of what arrays count."""
    if not isinstance(corpus, ListCorpus):
        return ()
    segments = _small(corpus, options, run)
    split = _split(segments, corpus, options) if corpus.is_text else _sliceable(segments)
    if not split or not are_few([split], options.max_order):
        return ()
    return _by_segment(split, segments)


def _small(corpus: ListCorpus, options: CountOptions, run: RunOptions) -> Sequence[Segment]:
    """The segments of a small corpus; none of others, or where what counts them is watched."""
    if run.executor is not None or run.progress:
        return ()
    order = options.max_order
    most = min(MOST_NGRAMS, _MOST_CHARACTERS) if corpus.is_text else MOST_NGRAMS // order
    if len(corpus) > most or sum(map(len, corpus.hypotheses)) > most:  # not a look at most corpora
        return ()
    segments = corpus.references.segments(corpus.hypotheses)
    return segments if sum(map(len, chain.from_iterable(segments))) <= most else ()


def _by_segment(split: Iterable[Tokens], segments: Sequence[Segment]) -> list[list[Tokens]]:
    """Units that stand end to end, as segments."""
    following = iter(split)
    return [[*islice(following, len(segment))] for segment in segments]


def are_few(segments: Iterable[Sequence[Tokens]], max_order: int) -> bool:
    """Whether segments have few n-grams."""
    return sum(map(len, chain.from_iterable(segments))) * max_order <= MOST_NGRAMS


def _split(
    segments: Sequence[Segment], corpus: ListCorpus, options: CountOptions
) -> Sequence[Tokens]:
    """The tokens of strings, none of others; an error names the unit that it is about."""
    strings = [*chain.from_iterable(segments)]
    if set(map(type, strings)) != {str}:
        return ()
    try:
        return options.tokenize.split([*map(str.lower, strings)] if options.lowercase else strings)
    except UnitError as error:
        places = [(i, k - 1) for i, segment in enumerate(segments) for k in range(len(segment))]
        raise TypeError(f"{corpus.name(*places[error.unit])}: {error}") from None


def _sliceable(segments: Sequence[Segment]) -> Sequence[Tokens]:
    """Token sequences as lists, if dictionaries compare their tokens as arrays do."""
    split = [*map(list, chain.from_iterable(segments))]
    return split if set(map(type, chain.from_iterable(split))) <= _PLAIN_TOKENS else ()


def count_segments(
    segments: Sequence[Sequence[Tokens]], max_order: int, ref_length: RefLength
) -> list[list[int]]:
    """Rows of statistics: hyp_len, ref_len, matches and totals of order 1 to `max_order`."""
    rows = []
    for hypothesis, *references in segments:
        length = len(hypothesis)
        ref_len = ref_len_of([*map(len, references)], length, ref_length)
        totals = [max(0, length - order) for order in range(max_order)]
        rows.append([length, ref_len, *clipped_matches(hypothesis, references, max_order), *totals])
    return rows


def sum_rows(rows: Sequence[Sequence[int]]) -> list[int]:
    """Add up rows."""
    return [*map(sum, zip(*rows, strict=True))]


def ref_len_of(lengths: Sequence[int], own: int, ref_length: RefLength) -> int:
    """The length that counts, of those of a segment's references."""
    if ref_length == "closest":
        return min(lengths, key=lambda length: (abs(length - own), length))
    return min(lengths) if ref_length == "shortest" else max(lengths)


def clipped_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Matches of each order up to `max_order`: n-grams found, each at most as often as in one."""
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        left = most_in_one(references, order)
        found = 0
        # Three fifths of the time of intersecting counters.
        for ngram in ngrams_of(hypothesis, order):
            number = left.get(ngram)
            if number:
                left[ngram] = number - 1
                found += 1
        if not found:
            break  # what contains an unmatched n-gram does not match
        matches[order - 1] = found
    return matches


def most_in_one(references: Sequence[Tokens], order: int) -> dict[Any, int]:
    """N-grams of references, each as often as the one has it that has it most often."""
    most: dict[Any, int] = {}
    for reference in references:
        counts: dict[Any, int] = {}
        get = counts.get
        for ngram in ngrams_of(reference, order):
            counts[ngram] = get(ngram, 0) + 1
        if not most:
            most = counts
            continue
        for ngram, number in counts.items():
            if number > most.get(ngram, 0):
                most[ngram] = number
    return most


def ngrams_of(tokens: Tokens, order: int) -> Iterable[Any]:
    """The n-grams of one order; tokens for themselves where it is 1."""
    return tokens if order == 1 else zip(*[tokens[first:] for first in range(order)], strict=False)

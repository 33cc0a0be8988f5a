"""Counts of corpora with NLTK's totals of at least 1 a segment, and its errors."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat
from operator import add, is_
from typing import Any, NamedTuple

import numpy as np

from vecbleu.core import objects
from vecbleu.core.corpus.blocks import Corpus, name_unit
from vecbleu.core.corpus.ids import sequence_corpus
from vecbleu.core.corpus.references import NoReferences, ReferenceLists, References
from vecbleu.core.inputs.nested import nested
from vecbleu.core.inputs.types import AlignedCorpus
from vecbleu.core.options import CountOptions
from vecbleu.core.pipeline import count_rows
from vecbleu.core.records import replace
from vecbleu.core.statistics.table import Statistics
from vecbleu.nltk.segment import closest_ref_length, count_matches, ngram_tuples
from vecbleu.pairwise.shared import SharedReferences

# Segments, and tokens of all their references, from which on one list of references is made a set:
# below, it costs as much to make the set.
_FEWEST_SEGMENTS = 16
_FEWEST_TOKENS = 1 << 13

# Types of references and hypotheses whose lengths can be asked for, and that can be read again.
_SEQUENCES = {list, tuple, str}


class CorpusCounts(NamedTuple):
    """Counts of a corpus as Python integers; each segment adds at least 1 to a total."""

    matches: list[int]  # (orders,)
    totals: list[int]  # (orders,)
    hyp_len: int
    ref_len: int

    @classmethod
    def from_row(cls, row: Statistics) -> CorpusCounts:
        """The counts of one row of statistics."""
        return cls(row.matches.tolist(), row.totals.tolist(), int(row.hyp_len), int(row.ref_len))


def count_corpus(
    list_of_references: list[Any], hypotheses: list[Any], max_order: int
) -> CorpusCounts:
    """Counts of a corpus."""
    shared = _shared_corpus(list_of_references, hypotheses, max_order)
    if shared is not None:
        return CorpusCounts.from_row(_count_kernel(shared, max_order).sum())
    if _are_few(list_of_references, hypotheses, max_order):
        return _count_objects(list_of_references, hypotheses, max_order)
    return CorpusCounts.from_row(count_segments(list_of_references, hypotheses, max_order).sum())


def _are_few(list_of_references: list[Any], hypotheses: list[Any], max_order: int) -> bool:
    """Whether there is little to count; what has no length is for `count_segments`."""
    return (
        all(map(hasattr, chain(list_of_references, hypotheses), repeat("__len__")))
        and len(hypotheses) > 0
        and objects.are_few(chain([hypotheses], list_of_references), max_order)
    )


def _count_objects(
    list_of_references: list[Any], hypotheses: list[Any], max_order: int
) -> CorpusCounts:
    """Counts of a corpus, without the kernel."""
    matches, totals = [0] * max_order, [0] * max_order
    hyp_len = ref_len = 0
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        length = len(hypothesis)
        references = _reference_list(references, hypothesis, max_order)
        try:
            found = objects.clipped_matches([*hypothesis], [*map(list, references)], max_order)
        except (TypeError, ValueError):  # by tokens; NLTK puts tuples of the hypothesis' first
            count_matches(references, Counter(ngram_tuples(hypothesis, 1)), 1)
            raise
        matches = [*map(add, matches, found)]
        totals = [total + max(1, length - order) for order, total in enumerate(totals)]
        hyp_len += length
        ref_len += closest_ref_length(references, length)
    return CorpusCounts(matches, totals, hyp_len, ref_len)


def count_segments(
    list_of_references: list[Any], hypotheses: list[Any], max_order: int
) -> Statistics:
    """Statistics of each segment, by the kernel; of order 1 at least."""
    shared = _shared_corpus(list_of_references, hypotheses, max_order)
    if shared is not None:
        return _count_kernel(shared, max_order)
    found = nested(list_of_references)
    if found is None:
        references: References = _any_references(list_of_references, hypotheses, max_order)
    else:
        references = found.references
    return _count_kernel(sequence_corpus(hypotheses, references), max_order)


def _count_kernel(corpus: Corpus, max_order: int) -> Statistics:
    """Statistics of each segment, whose totals are 1 at least."""
    counted = count_rows(corpus, CountOptions.checked(max_order=max(max_order, 1)))
    return replace(counted, totals=np.maximum(counted.totals, 1))


def _shared_corpus(
    list_of_references: list[Any], hypotheses: list[Any], max_order: int
) -> AlignedCorpus | None:
    """Segments whose references are one prepared set, or one list of many; None of others."""
    first = list_of_references[0] if list_of_references else None
    if isinstance(first, SharedReferences):
        if not all(map(is_, list_of_references, repeat(first))):
            raise TypeError("list_of_references has a SharedReferences that is not all of it")
        if first.side.is_text:
            raise TypeError("the SharedReferences hold strings, expected token sequences")
        return first.with_hypotheses(sequence_corpus(hypotheses, NoReferences(len(hypotheses))))
    if len(list_of_references) < _FEWEST_SEGMENTS or not isinstance(first, (list, tuple)):
        return None
    if not first or not all(map(is_, list_of_references, repeat(first))):
        return None
    entry = first
    if not set(map(type, chain(entry, hypotheses))) <= _SEQUENCES:
        return None
    if (sum(map(len, entry)) * len(hypotheses)) < _FEWEST_TOKENS:
        return None
    sides = [sequence_corpus(side, NoReferences(len(side))) for side in (hypotheses, entry)]
    references = replace(sides[1], name=lambda unit, _: name_unit(0, unit))
    options = CountOptions.checked(max_order=max(max_order, 1))
    return SharedReferences.of(references, options).with_hypotheses(sides[0])


def _any_references(
    list_of_references: list[Any], hypotheses: list[Any], max_order: int
) -> ReferenceLists:
    """References of any type, or NLTK's error for the first segment that has one."""
    lists: list[Any] = []
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        try:
            lists.append(_reference_list(references, hypothesis, max_order))
        except (KeyError, ValueError):
            # NLTK counts one segment after the other, so an earlier one's error comes first.
            count_segments(lists, hypotheses[: len(lists)], max_order)
            raise
    return ReferenceLists(lists)


def _reference_list(references: Any, hypothesis: Any, max_order: int) -> Any:
    """References that have a length; where NLTK finds no reference, its error.

    NLTK iterates over the references once for each order and once for the closest length, and an
    iterator is used up by the first of these.
    """
    found = references if hasattr(references, "__len__") else list(references)
    if len(found) and not (max_order and iter(references) is references):
        return found
    order = 2 if len(found) else 1
    if order <= min(max_order, len(hypothesis)):
        count_matches((), Counter(ngram_tuples(hypothesis, order)), order)
    return closest_ref_length((), 0)

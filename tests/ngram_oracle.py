"""The n-grams in which two systems differ, by plain dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import oracle

KINDS = "match", "over", "under"


def counts_by_segment(hypotheses, references, order):
    """Of each segment and kind: how often it has each n-gram."""
    for hypothesis, several in zip(hypotheses, references, strict=True):
        most = Counter()
        for reference in several:
            most |= oracle.ngrams(reference, order)
        own = oracle.ngrams(hypothesis, order)
        match = own & most
        yield {"match": match, "over": own - match, "under": most - match}


def ranked(sides, references, kind, column, max_order):
    """All n-grams that a system has more often: rank, n-gram, counts, segments."""
    for order in range(1, max_order + 1):
        more, less = (
            [one[kind] for one in counts_by_segment(sides[place], references, order)]
            for place in (column, 1 - column)
        )
        sums, places = (Counter(), Counter()), defaultdict(list)
        for segment, (one, two) in enumerate(zip(more, less, strict=True)):
            sums[0].update(one)
            sums[1].update(two)
            for ngram in one:
                if one[ngram] > two[ngram]:
                    places[ngram].append(segment)
        for ngram, segments in places.items():
            own, other = (one[ngram] for one in sums)
            if own > other:
                first = segments[0]
                units = references[first] if kind == "under" else [sides[column][first]]
                place = min(
                    (number, start)
                    for number, unit in enumerate(units)
                    for start in range(len(unit) - order + 1)
                    if tuple(unit[start : start + order]) == ngram
                )
                rank = -(own + 1) / (own + other + 2), other - own, -order, first, place
                yield rank, ngram, (own, other), segments


def joined(rows, max_order):
    """Rows with n-grams of the highest order joined where each follows the last one."""
    rows = sorted(rows, key=lambda row: row[0])
    found = [row[1:] for row in rows[:1]]
    for (rank, *_, before), row in pairwise(rows):
        (*same, (unit, start)), segments = rank, row[3]
        is_next = row[0] == (*same, (unit, start + 1)) and segments == before
        if is_next and len(row[1]) == max_order:
            (ngram, *others) = found[-1]
            found[-1] = ((*ngram, row[1][-1]), *others)
        else:
            found.append(row[1:])
    return found


def expected(sides, references, *, kinds=KINDS, top=10, examples=3, max_order=4):
    """Rows of the second system against the first: kind, column of `more`, n-gram, counts, ..."""
    found = []
    for kind in kinds:
        for column in (1, 0):
            rows = joined(ranked(sides, references, kind, column, max_order), max_order)
            kept, parts = [], set()
            for ngram, counts, segments in rows:
                if (ngram, counts) not in parts:
                    kept.append((kind, column, ngram, counts, (*segments[:examples],)))
                    for order in range(1, min(len(ngram), max_order)):
                        parts |= {(part, counts) for part in oracle.ngrams(ngram, order)}
            found += kept[:top]
    return found


def rows_of(found, names=("0", "1")):
    return [
        (row.kind, names.index(row.more), row.ngram, row.counts, row.examples) for row in found.rows
    ]

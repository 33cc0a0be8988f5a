"""The n-grams in which two systems differ, by plain dictionaries."""

from __future__ import annotations

from collections import Counter

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


def first_places(sides, references, order):
    """N-grams by where they first occur: segment, unit, and where there."""
    places = {}
    for segment, several in enumerate(references):
        for unit in (*(side[segment] for side in sides), *several):
            for start in range(len(unit) - order + 1):
                places.setdefault(tuple(unit[start : start + order]), len(places))
    return places


def expected(sides, references, *, by="score", alpha=1.0, top=50, examples=3, orders=range(1, 5)):
    """Rows of the second system against the first: kind, column of `more`, n-gram, counts, ..."""
    rows = []
    found = {
        order: [[*counts_by_segment(side, references, order)] for side in sides] for order in orders
    }
    for kind in KINDS:
        for column in (1, 0):
            ranked = []
            for order in orders:
                more, less = (found[order][place] for place in (column, 1 - column))
                sums = [sum((one[kind] for one in side), Counter()) for side in (more, less)]
                places = first_places(sides, references, order)
                for ngram in sums[0]:
                    own, other = (one[ngram] for one in sums)
                    if own > other:
                        score = (own + alpha) / (own + other + 2 * alpha)
                        value = score if by == "score" else own - other
                        where = [
                            segment
                            for segment, (one, two) in enumerate(zip(more, less, strict=True))
                            if one[kind][ngram] > two[kind][ngram]
                        ]
                        row = kind, column, ngram, (own, other), score, (*where[:examples],)
                        ranked.append(((-value, other - own, -order, places[ngram]), row))
            rows += [row for _, row in sorted(ranked, key=lambda one: one[0])[:top]]
    return rows


def rows_of(found, names=("0", "1")):
    return [
        (row.kind, names.index(row.more), row.ngram, row.counts, row.score, row.examples)
        for row in found.rows
    ]

"""Counts of n-grams by sorted arrays, against dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vecbleu.core.kernel import numbering, occurrences
from vecbleu.core.kernel.numbering import word_numbers
from vecbleu.core.kernel.occurrences import Occurrences
from vecbleu.core.kernel.ragged import Ragged

# Places of a share, of a piece, and those whose keys are kept: usual ones, and others so small that
# a few words are shared out over several rounds.
SIZES = [None, (2, 5, 4), (3, 1000, 10), (1, 7, 1000)]


@pytest.fixture(params=SIZES, ids=str)
def sizes(request):
    with pytest.MonkeyPatch.context() as patch:
        for name, size in zip(("_SHARE", "_PIECE", "_KEPT"), request.param or (), strict=False):
            patch.setattr(occurrences, name, size)
            if name == "_PIECE":
                patch.setattr(numbering, name, size)
        yield


class Recorder:
    """Keeps the sums of all n-grams by order and place; of use is what it is told."""

    def __init__(self, least=0):
        self.sums, self.segments, self.least = {}, {}, least

    def wants(self, hyp_counts, ref_counts):
        return np.ones(len(ref_counts), bool)

    def visit(self, order, groups, places):
        found_sums, found_segments = {}, {}
        hyp_counts = groups.sums(groups.hyp_counts)
        rows = zip(
            hyp_counts.T, groups.sums(groups.matches).T, groups.sums(groups.ref_counts), strict=True
        )
        for ngram, (place, row) in enumerate(zip(places.tolist(), rows, strict=True)):
            found_sums[order, place] = [*map(np.ndarray.tolist, map(np.asarray, row))]
            found_segments[order, place] = groups.of(ngram).segments.tolist()
        return hyp_counts.max(axis=0) >= self.least, (found_sums, found_segments)

    def take(self, found):
        self.sums |= found[0]
        self.segments |= found[1]


def ragged(rows):
    return Ragged.from_arrays([np.array(row, np.int64) * 7919 for row in rows])


def occurrences_of(systems, references):
    offsets = np.cumsum([0, *map(len, references)])
    flat = [row for rows in references for row in rows]
    *words, last = word_numbers([*map(ragged, systems), ragged(flat)])
    return Occurrences(words, last, offsets)


def recorded(found, systems, references, recorder):
    """What a recorder has, by n-gram; of each the first place is a first one."""
    by_ngram = {}
    for (order, place), sums in recorder.sums.items():
        segment, unit, start = found.locate(place)
        units = [*(system[segment] for system in systems), *references[segment]]
        ngram = tuple(units[unit][start : start + order])
        assert len(ngram) == order
        assert ngram not in by_ngram
        for earlier in range(segment):
            others = [*(system[earlier] for system in systems), *references[earlier]]
            assert not any(ngram in oracle.ngrams(other, order) for other in others)
        assert not any(ngram in oracle.ngrams(other, order) for other in units[:unit])
        assert ngram not in oracle.ngrams(units[unit][: start + order - 1], order)
        by_ngram[ngram] = sums
    return by_ngram


def expected(systems, references, max_order):
    hyp_counts, matches = ([Counter() for _ in systems] for _ in range(2))
    ref_counts = Counter()
    for order in range(1, max_order + 1):
        for segment, rows in enumerate(references):
            most = Counter()
            for row in rows:
                most |= oracle.ngrams(row, order)
            ref_counts += most
            for column, system in enumerate(systems):
                own = oracle.ngrams(system[segment], order)
                hyp_counts[column] += own
                matches[column] += own & most
    return {
        ngram: [[one[ngram] for one in hyp_counts], [one[ngram] for one in matches], count]
        for ngram, count in {**dict.fromkeys(set().union(*hyp_counts), 0), **ref_counts}.items()
    }


ROWS = st.lists(st.integers(0, 3), max_size=9)


@st.composite
def corpora(draw):
    size = draw(st.integers(0, 5))
    sides = st.lists(ROWS, min_size=size, max_size=size)
    systems = draw(st.lists(sides, min_size=1, max_size=3))
    several = st.lists(ROWS, min_size=1, max_size=3)
    return systems, draw(st.lists(several, min_size=size, max_size=size))


@pytest.mark.usefixtures("sizes")
@given(corpora(), st.integers(1, 5))
def test_sums_are_those_of_dictionaries(corpus, max_order):
    systems, references = corpus
    found, recorder = occurrences_of(systems, references), Recorder()
    found.accept(recorder, max_order)
    assert recorded(found, systems, references, recorder) == expected(*corpus, max_order)


@pytest.mark.usefixtures("sizes")
@given(corpora(), st.integers(1, 4))
def test_what_is_of_no_use_is_not_made_longer(corpus, least):
    systems, references = corpus
    found, recorder = occurrences_of(systems, references), Recorder(least)
    found.accept(recorder, 4)
    seen, sums = recorded(found, systems, references, recorder), expected(*corpus, 4)

    def is_of_use(ngram):
        return max(sums[ngram][0]) >= least

    whole = {
        ngram: row
        for ngram, row in sums.items()
        if len(ngram) == 1 or (is_of_use(ngram[1:]) and is_of_use(ngram[:-1]))
    }
    # Longer ones are seen only if all shorter ones within are of use.
    wanted = {
        ngram: row
        for ngram, row in whole.items()
        if all(
            is_of_use(ngram[start : start + order])
            for order in range(1, len(ngram))
            for start in range(len(ngram) - order + 1)
        )
    }
    assert seen == wanted


def test_groups_are_in_the_order_of_segments():
    systems = [[[1], [2], [1, 1]]]
    references = [[[1]], [[2]], [[2]]]
    found, recorder = occurrences_of(systems, references), Recorder()
    found.accept(recorder, 1)
    assert sorted(recorder.segments.values()) == [[0, 2], [1, 2]]

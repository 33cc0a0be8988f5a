"""Segments that share their references count as those with references of their own."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from conftest import ON_ARRAYS, blocks_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import odd_tokens, ugly_text

import vecbleu
from vecbleu import Ragged, chrf, ter
from vecbleu.kernel import matches

pytestmark = ON_ARRAYS


def groups_of(unit, most_samples=9, most_references=6):
    """Prompts: samples, and the references that these share; some prompts share theirs, too."""
    samples = st.lists(unit, min_size=1, max_size=most_samples)
    references = st.lists(unit, min_size=1, max_size=most_references)
    prompts = st.lists(st.tuples(samples, references), min_size=1, max_size=5)
    return prompts | prompts.map(lambda drawn: [*drawn, (drawn[0][0], drawn[-1][1])])


def sides_of(prompts, copied=lambda references: references):
    """Hypotheses and references of all samples, which share lists unless these are copied."""
    segments = [(own, copied(references)) for samples, references in prompts for own in samples]
    return [own for own, _ in segments], [references for _, references in segments]


def shuffled(sides, seed):
    """The segments in an order that parts most groups, and where each of them stands in it."""
    order = np.random.default_rng(seed).permutation(len(sides[0])).tolist()
    return tuple([side[at] for at in order] for side in sides), np.argsort(order)


def parts(table):
    """What has to be equal to the last bit."""
    return table.array.tolist(), table.reference_hashes.tolist(), table.scores().tolist()


few_ids = st.lists(st.integers(0, 3), max_size=12)
few_words = st.lists(st.sampled_from(["the", "cat", "sat"]), max_size=12)


@given(groups_of(few_ids), st.integers(1, 6), st.sampled_from([1, 2, 3, 16]))
def test_matches_of_groups_are_those_of_the_oracle(prompts, max_order, most_hypotheses):
    own, references = sides_of([[list(map(np.int64, side)), refs] for side, refs in prompts])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "_MOST_HYPOTHESES", most_hypotheses)
        counted = vecbleu.statistics(own, references, max_order=max_order)
    rows = [oracle.row(*pair, max_order, "closest") for pair in zip(own, references, strict=True)]
    assert counted.array.tolist() == rows


TEXTS = {"BLEU": vecbleu, "chrF": chrf, "TER": ter}


@pytest.mark.parametrize("metric", TEXTS)
@given(prompts=groups_of(ugly_text | few_words.map(" ".join)), seed=st.integers(0, 99))
def test_texts_of_groups_count_as_others(metric, prompts, seed):
    count = TEXTS[metric].statistics
    sides = sides_of(prompts)
    copies = sides_of(prompts, lambda lines: [(line + "x")[:-1] for line in lines])
    others, places = shuffled(sides, seed)
    counted = parts(count(*sides))
    assert parts(count(*copies)) == counted
    assert parts(count(*others)[places]) == counted
    with blocks_of(50):
        assert parts(count(*sides)) == counted


@given(
    groups_of(few_words) | groups_of(few_ids) | groups_of(st.lists(odd_tokens, max_size=5)),
    st.integers(0, 99),
)
def test_tokens_of_groups_count_as_others(prompts, seed):
    sides = sides_of(prompts)
    others, places = shuffled(sides, seed)
    counted = parts(vecbleu.statistics(*sides))
    copies = sides_of(prompts, lambda rows: list(map(list, rows)))
    assert parts(vecbleu.statistics(*copies)) == counted
    assert parts(vecbleu.statistics(*others)[places]) == counted


@given(groups_of(few_ids.filter(len)), st.integers(0, 99))
def test_arrays_of_groups_count_as_lists(prompts, seed):
    """Equal rows are counted once, also where ids are removed."""
    own, references = sides = sides_of(prompts)
    others, places = shuffled(sides, seed)
    counted = parts(vecbleu.statistics(*sides))
    assert parts(vecbleu.statistics(*others)[places]) == counted
    arrays = [[np.array(row) for row in rows] for rows in references]
    assert parts(vecbleu.statistics(list(map(np.array, own)), arrays)) == counted
    flat = [rows[0] for rows in references]
    padded = [padded_rows(own), padded_rows(flat)]
    one_each = parts(vecbleu.statistics(own, flat))
    rows = [Ragged.from_arrays(list(map(np.array, side))) for side in (own, flat)]
    assert parts(vecbleu.statistics(*rows)) == one_each
    assert parts(vecbleu.statistics(*padded, ignore_ids=-1)) == one_each


def padded_rows(rows):
    """Rows as an array, with -1 after each."""
    width = max(map(len, rows))
    return np.array([row + [-1] * (width - len(row)) for row in rows])


@pytest.mark.parametrize("other", [[[1], [2, 3]], [[2, 1], [3]], [[1, 2, 3], []]])
def test_references_that_look_alike_are_no_group(other):
    """The same ids, in other references or in another order."""
    own, references = [[1, 2, 3]] * 16, [[[1, 2], [3]]] * 8 + [other] * 8
    rows = [oracle.row(*pair, 3, "closest") for pair in zip(own, references, strict=True)]
    assert vecbleu.statistics(own, references, max_order=3).array.tolist() == rows


def test_no_group_has_the_copies_of_another():
    own = [[1, 1, 1]] * 16
    references = [[[1, 1], [1]]] * 8 + [[[1, 1, 1], [1]]] * 8
    table = vecbleu.statistics(own, references, max_order=1)
    assert table.matches[:, 0].tolist() == [2] * 8 + [3] * 8

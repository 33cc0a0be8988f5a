"""References that all hypotheses share: the integers of enumeration, in every layer."""

from __future__ import annotations

import pickle
from typing import get_args

import numpy as np
import oracle
import pytest
from corpora import COLUMNS, LIST_COLUMNS, STRING_COLUMNS
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE
from processes import process_pool
from strategies import odd_tokens, string_tokens, token_corpora, ugly_text, words

import vecbleu
from vecbleu import Ragged, SharedReferences
from vecbleu.huggingface import bleu
from vecbleu.sacrebleu import BLEU

ref_lengths = st.sampled_from(get_args(vecbleu.typing.RefLength))


def rows(hypotheses, references, **options):
    return vecbleu.statistics(hypotheses, references, **options).array.tolist()


def enumerated(hypotheses, references, **options):
    return rows(hypotheses, [[*references] for _ in hypotheses], **options)


TOKENS = {
    "words": words,
    "odd": odd_tokens,
    "strings": string_tokens,
    "integers": st.integers(),
    "words and integers": words | st.integers(0, 3),
}


@pytest.mark.parametrize("kind", TOKENS)
@given(data=st.data(), max_order=st.integers(1, 8), rule=ref_lengths)
def test_tokens_count_as_by_enumeration(kind, data, max_order, rule):
    own, several = data.draw(token_corpora(TOKENS[kind]))
    if data.draw(st.booleans()):
        _, several = data.draw(st.sampled_from([*TOKENS.values()]).flatmap(token_corpora))
    others = [unit for units in several for unit in units] or [[]]
    own += others[:1]
    references = SharedReferences(others, max_order=max_order + data.draw(st.integers(0, 2)))
    found = rows(own, references, max_order=max_order, ref_length=rule)
    assert found == [oracle.row(one, others, max_order, rule) for one in own]
    again = rows(own[::-1], references, max_order=max_order, ref_length=rule)
    assert again == found[::-1]  # a call leaves nothing behind
    assert references.tokens == sum(map(len, others))


texts = st.lists(ugly_text, min_size=1, max_size=4)


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(texts, texts, st.booleans(), ref_lengths)
def test_strings_count_as_by_enumeration(tokenize, own, others, lowercase, rule):
    own += others[:1]
    options = {"tokenize": tokenize, "lowercase": lowercase}
    found = rows(own, SharedReferences(others, **options), ref_length=rule, **options)
    assert found == enumerated(own, others, ref_length=rule, **options)


def test_integers_count_alike_in_every_container():
    own, others = np.random.default_rng(5).integers(0, 5, (2, 60, 30))
    expected = enumerated([*own], [*others])
    tuples = [*map(tuple, others.tolist())]
    for mine in (own, own.tolist(), [*own], Ragged.from_padded(own), own.astype(np.int16)):
        for theirs in (others, [*others.astype(np.uint8)], Ragged.from_padded(others), tuples):
            assert rows(mine, SharedReferences(theirs)) == expected
    special = {"eos_id": 4, "ignore_ids": [0, 3]}
    expected = enumerated(own, others, **special)
    assert rows(own, SharedReferences(others, **special), **special) == expected


@pytest.mark.parametrize("name", STRING_COLUMNS)
def test_columns_count_as_by_enumeration(name):
    make, strings = STRING_COLUMNS[name], ["the cat sat", "ünï 😀 codé", "", "two\nlines", "a b c"]
    own = ["the cat ünï", "b c", "", "x", "lines"]
    for some, others in ((make(own), make(strings)), (own, make(strings)), (make(own), strings)):
        assert rows(some, SharedReferences(others)) == enumerated(own, strings)
    if name in LIST_COLUMNS:
        lists, make = [["a", "b"], ["b"], [], ["c", "a", "b"], ["d"]], LIST_COLUMNS[name]
        assert rows(make(lists), SharedReferences(make(lists))) == enumerated(lists, lists)
    if name in COLUMNS:
        ids, make = [[1, 2], [2], [], [3, 1, 2], [4]], COLUMNS[name]
        assert rows(make(ids), SharedReferences(make(ids))) == enumerated(ids, ids)


def test_every_function_takes_them():
    own, others = ["the cat sat", "a dog sat down", "x -\n"], ["the dog sat", "a cat", "", "x -\n"]
    shared, each = SharedReferences(others), [others] * 3
    options = {"smoothing": "add-k", "ref_length": "longest"}
    for call in (vecbleu.sentence_bleu, vecbleu.corpus_bleu):
        assert np.array_equal(call(own, shared, **options), call(own, each, **options))
    accumulator = vecbleu.Accumulator()
    accumulator.update(own, shared)
    assert accumulator.compute() == vecbleu.corpus_bleu(own, each)
    metric = BLEU(effective_order=True)
    streams = [[one] * len(own) for one in others]
    found = str(metric.corpus_score(own, shared))
    assert str(metric.get_signature()).startswith(f"nrefs:{len(others)}|")
    assert str(metric.corpus_score(own, streams)) == found
    assert np.array_equal(metric.sentence_scores(own, shared), metric.sentence_scores(own, streams))
    for tokenizer in (None, str.split):
        prepared = SharedReferences(others, tokenize=tokenizer or "13a")
        found = bleu(predictions=own, references=prepared, tokenizer=tokenizer, max_order=3)
        assert found == bleu(predictions=own, references=each, tokenizer=tokenizer, max_order=3)
    assert vecbleu.corpus_bleu([], shared) == 0
    assert rows([], shared) == []
    assert rows([], SharedReferences([[1]], ignore_ids=0)) == []  # nothing is counted otherwise
    assert rows([["a"]], SharedReferences([["a"]], tokenize="none"))[0][2] == 1


@pytest.mark.parametrize("form", [None, "NFC"])
@pytest.mark.parametrize("tokenizer", [None, "13a"])
def test_hugging_faces_bleu_puts_them_into_the_normal_form(tokenizer, form):
    own, others = ["gru\u0308n ist der Käse"], ["grün ist der Ka\u0308se da", "der Käse"]
    prepared, options = SharedReferences(others, normalize=form), {"tokenizer": tokenizer}
    found = bleu(predictions=own, references=prepared, normalize=form, **options)
    assert found == bleu(predictions=own, references=[others], normalize=form, **options)
    assert (found["bleu"] > 0) == (form == "NFC")


def test_references_stay_as_they_are():
    tokens, strings, ids = [["a", "b"]], ["a b"], np.array([[1, 2]])
    found = [SharedReferences(one) for one in (tokens, strings, ids)]
    tokens[0][:] = strings[:] = ["c"]
    ids[:] = 9
    for one, own in zip(found, ([["a"]], ["a"], [[1]]), strict=True):
        assert rows(own, one)[0][2] == 1
        assert rows(own, pickle.loads(pickle.dumps(one)))[0][2] == 1  # prepared again
    assert rows([[1, "a"]], found[0])[0][2] == 1  # numbered now


@pytest.mark.slow
@pytest.mark.parametrize("size", [50, 9_000])
def test_processes_do_not_matter(size):
    """Many references stay in this process."""
    rng = np.random.default_rng(1)
    lines = [" ".join(map(str, rng.integers(0, 99, 20))) for _ in range(9_000)]
    for side in (lines, [*map(str.split, lines)]):
        references = SharedReferences(side[-size:])
        expected = rows(side, references)
        assert rows(side, references, workers=2) == expected
        with process_pool(2) as pool:
            assert rows(side, references, workers=pool) == expected
    assert expected[77:78] == enumerated(side[77:78], side[-size:])

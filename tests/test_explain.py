"""Explanations, against the oracle and the scores that they explain."""

from __future__ import annotations

import json
import math
import re
from typing import get_args

import hypothesis.strategies as st
import numpy as np
import oracle
import pytest
from hypothesis import assume, example, given
from peers import TOKENIZE
from strategies import odd_tokens, score_options, string_tokens, token_corpora, ugly_text, words

import vecbleu
from vecbleu.inputs.mistakes import is_listed_text


def options():
    rules = st.sampled_from(get_args(vecbleu.typing.RefLength))
    return st.builds(lambda scoring, rule: scoring | {"ref_length": rule}, score_options(), rules)


def segments(tokens):
    """A hypothesis, and a list of references."""
    corpora = token_corpora(tokens, min_segments=1, max_segments=1)
    return corpora.map(lambda corpus: (corpus[0][0], corpus[1][0]))


def check(hypothesis, references, **chosen):
    """The explanation is that of the scores, and of the oracle on its tokens."""
    found = vecbleu.explain(hypothesis, references, **chosen)
    score = vecbleu.corpus_bleu([hypothesis], [references], **chosen)
    assert found.score.to_dict() == score.to_dict()
    assert tuple(order.smoothed_precision for order in found.orders) == score.precisions
    of_corpus = chosen | {"effective_order": False}
    expected = vecbleu.corpus_bleu([hypothesis], [references], **of_corpus)
    assert found.corpus_score.to_dict() == expected.to_dict()
    differs = f"as a corpus of one segment: {expected.percent:.2f} of 100" in str(found)
    assert differs == (expected != found.score)
    check_formula(found, chosen["smoothing"])
    check_oracle(found)
    check_shown(found)
    return found


def check_formula(found, smoothing):
    """Weights and precisions give the score."""
    used = [order for order in found.orders if order.weight]
    factors = [order for order in used if order.smoothed_precision]
    mean = math.fsum(order.weight * math.log(order.smoothed_precision) for order in factors)
    expected = found.score.brevity_penalty * math.exp(mean)
    if not found.score or (len(factors) < len(used) and smoothing != "skip-zero"):
        expected = 0
    assert found.score == pytest.approx(expected, rel=1e-12)


ADVICE = {
    'smoothing "exp"': {"smoothing": "exp", "smoothing_value": None},
    "effective order": {"effective_order": True},
}


@given(segments(words), options())
@example((["a", "b"], [["a", "b"]]), {"smoothing": "exp", "effective_order": False})
@example((["a", "b"], [["a", "b"]]), {"smoothing": "exp", "effective_order": True})
@example((["a", "b", "c"], [["a"]]), {"smoothing": "none", "effective_order": False})
@example((["a", "b", "c", "d"], [["a"]]), {"smoothing": "none", "effective_order": False})
def test_a_score_of_0_has_its_reason_and_what_changes_it(segment, chosen):
    chosen = chosen | {"weights": None}
    shown = str(vecbleu.explain(*segment, **chosen))
    reason = re.search("^BLEU = 0: .*", shown, flags=re.MULTILINE)
    advice = [change for name, change in ADVICE.items() if reason and name in reason[0]]
    assert bool(advice) == (reason is not None and "nothing matches" not in reason[0])
    for change in advice:
        assert chosen | change != chosen  # it is not on already
        chosen = chosen | change
    assert not advice or vecbleu.explain(*segment, **chosen).score > 0


def check_oracle(found):
    """Counts of every n-gram by the oracle's definition, and where each stands."""
    tokens, others = found.tokens, found.reference_tokens
    counts = [order.matches for order in found.orders] + [order.total for order in found.orders]
    row = oracle.row(tokens, others, len(found.orders), found.score.signature.ref_length)
    assert [found.score.hyp_len, found.score.ref_len, *counts] == row
    marks = [0] * len(tokens)
    for order in found.orders:
        own = oracle.ngrams(tokens, order.order)
        counts = [oracle.ngrams(other, order.order) for other in others]
        assert [ngram.tokens for ngram in order.ngrams] == [*own]
        for ngram in order.ngrams:
            assert ngram.count == own[ngram.tokens] == len(ngram.positions)
            assert ngram.reference_counts == tuple(one[ngram.tokens] for one in counts)
            assert ngram.max_count == max(ngram.reference_counts)
            assert ngram.clipped == min(ngram.count, ngram.max_count)
            assert [*ngram.positions] == sorted({*ngram.positions})
            for number, place in enumerate(ngram.positions):
                assert tokens[place : place + order.order] == ngram.tokens
                if number < ngram.clipped:
                    marks[place : place + order.order] = [order.order] * order.order
    assert [*found.matched_orders] == marks


def check_shown(found):
    """A row for each n-gram; results print as text and pages in test_public.py."""
    assert json.loads(json.dumps(found.to_dict()))["score"] == found.score
    columns = found.table().to_dict()
    ngrams = [one for order in found.orders for one in order.ngrams]
    several = len(found.references) > 1
    assert columns["order"] == [len(one.tokens) for one in ngrams]
    assert columns["max" if several else "reference"] == [one.max_count for one in ngrams]
    for place in range(len(found.references)) if several else ():
        counts = [one.reference_counts[place] for one in ngrams]
        assert columns[f"ref {place + 1}"] == counts
    assert columns["count"] == [one.count for one in ngrams]
    assert columns["clipped"] == [one.clipped for one in ngrams]
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]", str(found))
    found._repr_html_().encode()


@given(segments(st.one_of(odd_tokens, string_tokens)), options())
@example((["a", "b"], [["a", "c"]]), {"effective_order": True, "smoothing": "exp"})
def test_tokens_are_explained_as_they_are_scored(segment, chosen):
    assume(not is_listed_text(segment[0]))  # which has an error of its own
    check(*segment, **chosen)


@given(ugly_text, st.lists(ugly_text, min_size=1, max_size=3), st.data(), options())
def test_text_is_explained_as_it_is_scored(hypothesis, references, data, chosen):
    tokenize = data.draw(st.sampled_from([*TOKENIZE, str.split, list]))
    lowercase = data.draw(st.booleans())
    check(hypothesis, references, tokenize=tokenize, lowercase=lowercase, **chosen)


@given(segments(st.integers(-2, 5)), options())
def test_ids_are_explained_as_they_are_scored(segment, chosen):
    hypothesis, references = segment
    found = check(hypothesis, references, **chosen)
    arrays = [np.array(one, np.int64) for one in (hypothesis, *references)]
    assert vecbleu.explain(arrays[0], arrays[1:], **chosen).to_dict() == found.to_dict()
    special = {"eos_id": [1, 5], "ignore_ids": [0, 2]}
    found = vecbleu.explain(arrays[0], arrays[1:], **chosen, **special)
    score = vecbleu.sentence_bleu([arrays[0]], [arrays[1:]], **chosen, **special)[0]
    assert found.score == score
    check_oracle(found)


def test_one_reference_needs_no_list():
    ids = np.array([1, 2])
    for hypothesis, spellings in (
        ("a b", ("a b", ["a b"], ("a b",), np.array(["a b"]))),
        ([1, 2], ([1, 2], [[1, 2]], ((1, 2),), ids, ids[None], [ids])),
    ):
        for references in spellings:
            found = vecbleu.explain(hypothesis, references)
            assert found.reference_tokens == (found.tokens,)
            assert found.score.matches == (2, 1, 0, 0)


def test_the_reference_is_named_whose_length_counts():
    for reference, named in (("a b c d", "reference 2, the closest of 9, 4"), ("x", "of 9, 1")):
        text = str(vecbleu.explain("a b c d e", ["x " * 9, reference]))
        assert named in text


@pytest.mark.parametrize(("size", "has_columns"), [(1, False), (2, True), (8, True), (9, False)])
def test_up_to_eight_references_have_a_column_each(size, has_columns):
    found = vecbleu.explain("a b", ["a x y"] * size)
    titles = [f"ref {number}" for number in range(1, size + 1)] if has_columns else []
    last = "max" if size > 1 else "reference"
    assert [*found.table().to_dict()] == ["n-gram", "order", "count", *titles, last, "clipped"]


def test_what_is_said_of_equal_and_short_units_is_of_the_first():
    text = str(vecbleu.explain("a b", ["a x y", "a b c", "a"], ref_length="longest"))
    assert "ref_len 3 (reference 1, the longest of 3, 3, 1)" in text
    assert "as a corpus of one segment: 0.00 of 100; it has no 3-gram" in text


def test_a_users_tokenizer_is_called_once_for_each_string():
    called = []
    split = {"a b": ["a", "b"], "c": ["c"], "d": ["d"]}
    tokenize = {"tokenize": lambda text: called.append(text) or split[text]}
    vecbleu.explain("A b", ["c", "d"], **tokenize, lowercase=True)
    assert called == ["a b", "c", "d"]


def test_long_results_are_cut_in_pages_alone():
    tokens = [f"w{number**2 % 479}" for number in range(1000)]
    found = vecbleu.explain(" ".join(tokens), " ".join(reversed(tokens)))
    ngrams = sum(len(order.ngrams) for order in found.orders)
    assert len(str(found).split("\n")) > ngrams
    assert f"{ngrams - 60:,} " in found._repr_html_()
    found = vecbleu.explain("a b", ["a"] * 50)
    assert [*found.table().to_dict()] == ["n-gram", "order", "count", "max", "clipped"]
    found = vecbleu.explain([1, 2, 3], [[*range(20_000)]], max_order=100)
    assert [order.matches for order in found.orders] == [3, 2, 1, *[0] * 97]


def test_pages_mark_the_tokens_that_match():
    found = vecbleu.explain("The <b>cat</b> sat", "the cat sat", lowercase=True, tokenize="none")
    page = found._repr_html_()
    assert re.search(r"<mark [^>]*>the</mark> &lt;b&gt;cat&lt;/b&gt; <mark [^>]*>sat<", page)
    assert page.count("<mark ") == 2
    for most in (1, 2, 4):  # a match of the highest order has the strongest mark
        page = vecbleu.explain("a b c d", "a b c d", max_order=most)._repr_html_()
        assert re.findall(r"rgba\([\d,]+,([\d.]+)\)", page) == ["0.60"] * 4
    tokens = [*np.array([1, 2]), np.float64(0.5), np.str_("a"), ("b", None)]
    found = vecbleu.explain(tokens, [tokens])
    assert found.to_dict()["tokens"] == [1, 2, 0.5, "a", ["b", None]]
    shown = str(found).splitlines()[0].split()
    assert shown == ["hypothesis", "1", "2", "0.5", "a", "('b',", "None)"]
    assert "np." not in found._repr_html_() + found.table().to_latex()


LOOK_ALIKES = [
    ("caf\u00e9", "cafe\u0301", "U+00E9 against U+0065 U+0301; equal in NFC"),
    ("\ud55c", "\u1112\u1161\u11ab", "U+D55C against U+1112 U+1161 U+11AB; equal in NFC"),
    ("\u0441тол", "cтол", "U+0441 against U+0063"),
    ("A\u0391", "AA", "U+0391 against nothing"),
    ("\u015fi", "\u0219i", "U+015F against U+0219"),
    ("\ufb01ne", "fine", "U+FB01 against U+0066 U+0069; equal in NFKC"),
    ("so\u00adft", "soft", "U+00AD against nothing"),
    ("\u200bso", "so\u200d", "U+200B against U+200D"),
]


@pytest.mark.parametrize(("token", "other", "difference"), LOOK_ALIKES)
def test_tokens_that_look_the_same_are_marked(token, other, difference):
    for hypothesis, reference in ((f"b {token} a", f"a {other}"), (["b", token], ["a", other])):
        found = vecbleu.explain(hypothesis, [reference, reference], tokenize="none")
        line = f" looks like {other} of a reference: {difference}"
        assert str(found).count(line) == 1
        assert difference in found._repr_html_()


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("caf\u00e9 cafe\u0301", "cafe\u0301"),  # it matches
        ("Cat", "cat"),
        ("caf\u00e9", "cafe"),
        ("a \u0441", "b d"),
        ([1, (2,)], ["1", "(2,)"]),
    ],
)
def test_tokens_that_look_different_are_not(hypothesis, reference):
    assert "looks like" not in str(vecbleu.explain(hypothesis, reference, tokenize="none"))


def test_shared_references_explain_as_lists():
    own, text = [("the", "DT"), ("cat", "NN")], ["the cat sat on", "a cät"]
    for hypothesis, references, special in (
        ("the cat", text, {}),
        ([2, 1, 3], [[1, 2, 3], [1]], {"ignore_ids": 1}),
        (own, [[*own, ("sat", "V")]], {}),
    ):
        shared = vecbleu.SharedReferences(references, **special)
        found = vecbleu.explain(hypothesis, shared, **special)
        expected = vecbleu.sentence_bleu([hypothesis], [references], **special)[0]
        assert found.score == expected > 0

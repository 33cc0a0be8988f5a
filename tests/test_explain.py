"""Explanations, against the oracle and the scores that they explain."""

from __future__ import annotations

import itertools
import json
import math
import random
import re

import hypothesis.strategies as st
import numpy as np
import oracle
import pytest
from conftest import arrays_only
from corpora import read_lines, transposed
from hypothesis import given
from strategies import odd_tokens, string_tokens, ugly_text, words
from test_data import DATA, SPLIT, TUTORIALS, assert_printed, weights_of

import vecbleu
from vecbleu.core.terminal import display_width

TOKENIZERS = ["13a", "intl", "zh", "char", "none", str.split, list]

count_options = st.fixed_dictionaries(
    {
        "max_order": st.integers(1, 6),
        "ref_length": st.sampled_from(["closest", "shortest", "longest"]),
    }
)
smoothings = st.one_of(
    st.sampled_from([("none", None), ("exp", None), ("skip-zero", None)]),
    st.tuples(st.sampled_from(["floor", "add-k"]), st.sampled_from([None, 0.0, 0.5, 2])),
)


@st.composite
def options(draw):
    found = draw(count_options)
    smoothing, value = draw(smoothings)
    weight = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])
    several = st.lists(weight, min_size=1, max_size=found["max_order"])
    return found | {
        "smoothing": smoothing,
        "smoothing_value": value,
        "effective_order": draw(st.booleans()),
        "weights": draw(st.none() | several),
    }


@st.composite
def segments(draw, tokens):
    """A hypothesis, and a list of references."""
    some = st.sampled_from(draw(st.lists(tokens, min_size=1, max_size=6)))
    unit = st.lists(some, max_size=14)
    return draw(unit), draw(st.lists(unit, min_size=1, max_size=4))


COUNTING = ("tokenize", "lowercase", "max_order", "ref_length")


def check(hypothesis, references, **chosen):
    """The explanation is that of the scores, and of the oracle on its tokens."""
    found = vecbleu.explain(hypothesis, references, **chosen)
    alone = {name: value for name, value in chosen.items() if name in COUNTING}
    rows = vecbleu.statistics([hypothesis], [references], **alone)
    score = vecbleu.corpus_bleu([hypothesis], [references], **chosen)
    assert (found.score, found.score.percent) == (score.score, score.percent)
    assert tuple(order.smoothed_precision for order in found.orders) == score.precisions
    assert [order.matches for order in found.orders] == rows.matches[0].tolist()
    assert [order.total for order in found.orders] == rows.totals[0].tolist()
    assert (found.score.hyp_len, found.score.ref_len) == (rows.hyp_len[0], rows.ref_len[0])
    assert found.score.signature == score.signature
    assert found.score == vecbleu.sentence_bleu([hypothesis], [references], **chosen)[0]
    with arrays_only():
        assert found.score == vecbleu.sentence_bleu([hypothesis], [references], **chosen)[0]
    check_oracle(found)
    check_shown(found)
    return found


def check_oracle(found):
    """Counts of every n-gram by the oracle's definition, and where each stands."""
    tokens, others = found.tokens, found.reference_tokens
    row = oracle.row(tokens, others, len(found.orders), found.score.signature.ref_length)
    matches, totals = row[2 : 2 + len(found.orders)], row[2 + len(found.orders) :]
    assert [found.score.hyp_len, found.score.ref_len] == row[:2]
    for order in found.orders:
        own = oracle.ngrams(tokens, order.order)
        counts = [oracle.ngrams(other, order.order) for other in others]
        assert [ngram.tokens for ngram in order.ngrams] == [*own]
        for ngram in order.ngrams:
            assert ngram.count == own[ngram.tokens] == len(ngram.positions)
            assert ngram.reference_counts == tuple(one[ngram.tokens] for one in counts)
            assert ngram.max_count == max(ngram.reference_counts)
            assert ngram.clipped == min(ngram.count, ngram.max_count)
            for place in ngram.positions:
                assert tokens[place : place + order.order] == ngram.tokens
            assert [*ngram.positions] == sorted({*ngram.positions})
        assert order.matches == sum(one.clipped for one in order.ngrams) == matches[order.order - 1]
        assert order.total == sum(one.count for one in order.ngrams) == totals[order.order - 1]


TABLE_TAGS = "table", "tr", "th", "td"


def check_shown(found):
    """Text for terminals and notebooks, whatever the tokens are."""
    for line in str(found).split("\n"):
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]", line)
    page = found._repr_html_()
    assert {*re.findall(r"</?(\w+)", page)} <= {"div", "p", "b", "bdi", "mark", *TABLE_TAGS}
    page.encode()
    assert json.loads(json.dumps(found.to_dict()))["score"] == found.score
    assert found.table().rows == sum(len(order.ngrams) for order in found.orders)


@given(segments(st.one_of(odd_tokens, string_tokens)), options())
def test_tokens_are_explained_as_they_are_scored(segment, chosen):
    check(*segment, **chosen)


@given(ugly_text, st.lists(ugly_text, min_size=1, max_size=3), st.data(), options())
def test_text_is_explained_as_it_is_scored(hypothesis, references, data, chosen):
    tokenize = data.draw(st.sampled_from(TOKENIZERS))
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


@given(segments(words), options())
def test_weights_and_precisions_give_the_score(segment, chosen):
    found = vecbleu.explain(*segment, **chosen)
    used = [one for one in found.orders if one.weight]
    some = [one for one in used if one.smoothed_precision]
    if not found.score or (len(some) < len(used) and chosen["smoothing"] != "skip-zero"):
        assert not found.score
        return
    mean = math.fsum(one.weight * math.log(one.smoothed_precision) for one in some)
    assert found.score == pytest.approx(found.score.brevity_penalty * math.exp(mean), rel=1e-12)
    if chosen["smoothing"] == "none":
        for one in found.orders:
            assert one.precision == pytest.approx(one.smoothed_precision) or not found.score


@given(segments(words))
def test_marks_are_the_first_positions_of_matches(segment):
    found = vecbleu.explain(*segment)
    orders = [0] * len(found.tokens)
    for order in found.orders:
        for ngram in order.ngrams:
            for place in ngram.positions[: ngram.clipped]:
                for at in range(place, place + order.order):
                    orders[at] = order.order
    assert [*found.matched_orders] == orders


@pytest.mark.parametrize(
    "references",
    ["a b", ["a b"], ("a b",), np.array(["a b"])],
    ids=["string", "list", "tuple", "array"],
)
def test_one_reference_or_several(references):
    assert vecbleu.explain("a b", references).reference_tokens == (("a", "b"),)


@pytest.mark.parametrize(
    "references",
    [[1, 2], [[1, 2]], np.array([1, 2]), np.array([[1, 2]]), [np.array([1, 2])], ((1, 2),)],
    ids=["list", "lists", "array", "matrix", "arrays", "tuples"],
)
def test_one_reference_or_several_of_ids(references):
    found = vecbleu.explain([1, 2], references)
    assert found.reference_tokens == ((1, 2),)
    assert found.orders[1].ngrams[0].tokens == (1, 2)


def tokens_of_one_kind(text):
    return [text] if text == "a" else [1]


BAD = {
    "no reference": (("a", []), {}, ValueError, "references"),
    "a number": ((3, "a"), {}, TypeError, "hypothesis is int 3"),
    "nothing": ((None, "a"), {}, TypeError, "hypothesis is None"),
    "a list of text": ((["a cat"], "a cat"), {}, TypeError, "references is str 'a cat'"),
    "several in a list": ((["a cat"], ["a cat", ["b"]]), {}, TypeError, "references"),
    "tokens against text": (("a", [["a"]]), {}, TypeError, r"references\[0\] is list"),
    "no text": (("a", 3), {}, TypeError, "references is int 3"),
    "nested": (([["a"], ["b"]], [["a"]]), {}, TypeError, "hypothesis"),
    "a set": (([{1}], [[1]]), {}, TypeError, "hypothesis"),
    "a set behind": (([1], [[1], [{2}]]), {}, TypeError, r"references\[1\]"),
    "weights": (("a", "a"), {"weights": [(1,), (0.5, 0.5)]}, TypeError, "weights"),
    "lowercase": ((["a"], ["a"]), {"lowercase": True}, ValueError, "lowercase"),
    "no ids": ((["a"], ["a"]), {"ignore_ids": 0}, TypeError, "hypothesis"),
    "bools": (([1], [[1], [1, True]]), {"eos_id": 0}, TypeError, r"references\[1\]"),
    "ids of text": (("a", "a"), {"eos_id": 0}, TypeError, "hypothesis"),
    "smoothing": (("a", "a"), {"smoothing": "more"}, ValueError, "smoothing is 'more'"),
    "an option": (("a", "a"), {"pad_id": 0}, TypeError, "pad_id"),
    "a tokenizer": (
        ("a", ["a", "b"]),
        {"tokenize": tokens_of_one_kind},
        TypeError,
        r"references\[1\]: tokenize",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_the_argument(name):
    arguments, chosen, error, message = BAD[name]
    with pytest.raises(error, match=message):
        vecbleu.explain(*arguments, **chosen)


@pytest.mark.parametrize("row", TUTORIALS, ids=lambda row: row["hypothesis"][:40])
def test_tutorials_print_these_digits(row):
    split = SPLIT.get(row["tokens"], lambda string: string)
    found = vecbleu.explain(
        split(row["hypothesis"]),
        [*map(split, row["references"].split(" ||| "))],
        lowercase=row["tokens"].endswith("lowercase"),
        max_order=int(row["max_order"]),
        weights=weights_of(row),
        smoothing=row["smoothing"],
        effective_order=False,
    )
    value = found.score.brevity_penalty if row["quantity"] == "bp" else found.score
    assert_printed(found.score.percent if row["scale"] == "100" else value, row["printed"])


def test_the_labs_files_as_one_string_each(lab):
    sides = ((lab / f"wmt19_{name}.txt").read_bytes().decode() for name in ("can", "ref"))
    found = vecbleu.explain(*sides)
    assert found.score.percent == 43.17646056409016
    assert "or 43.18 of 100" in str(found)
    check_shown(found)


def test_errors_of_a_users_tokenizer_are_not_changed():
    def split(text):
        raise UnicodeDecodeError("utf-8", b"references[0]", 0, 1, "references[0]")

    with pytest.raises(UnicodeDecodeError, match=r"references\[0\]"):
        vecbleu.explain("a", "b", tokenize=split)


@pytest.mark.parametrize(
    ("arguments", "chosen", "line"),
    [
        (("a", "b"), {}, "nothing matches"),
        (("", ""), {}, "nothing matches"),
        (("a b", "a b"), {"effective_order": False}, "no 3-gram matches"),
        (("a b c d", "b c d a"), {"smoothing": "none"}, "no 4-gram matches"),
        (("a b", "a b"), {"weights": [0, 0, 0, 1]}, "no order that has a weight is reached"),
    ],
)
def test_the_last_line_says_why_a_score_is_0(arguments, chosen, line):
    found = vecbleu.explain(*arguments, **chosen)
    assert found.score == 0
    last = str(found).splitlines()[-1]
    assert last.startswith(f"BLEU = 0: {line}")
    if "smoothing" in last:  # it says with what there is a score
        assert vecbleu.explain(*arguments, smoothing="exp", effective_order=True).score > 0


def test_smoothed_precisions_are_shown_where_they_differ():
    precisions = str(vecbleu.explain("a b c", "a b d")).split("\n\n")[-2].splitlines()
    assert [line.split() for line in precisions] == [
        ["order", "matches", "total", "precision", "smoothed", "weight"],
        ["1", "2", "3", "0.6667", "0.6667", "0.3333"],
        ["2", "1", "2", "0.5000", "0.5000", "0.3333"],
        ["3", "0", "1", "0.0000", "0.5000", "0.3333"],
        ["4", "0", "0", "0.0000"],  # no n-grams, so no precision
    ]
    assert "smoothed" not in str(vecbleu.explain("a b c", "a b c"))


def test_a_users_tokenizer_is_called_once_for_each_string():
    called = []

    def split(text):
        called.append(text)
        return text.split()

    vecbleu.explain("A b", ["c", "d"], tokenize=split, lowercase=True)
    assert called == ["a b", "c", "d"]


def test_long_segments_print_whole_and_notebooks_show_the_first_ngrams():
    generator = random.Random(1)
    tokens = generator.choices([f"w{number}" for number in range(500)], k=4000)
    found = vecbleu.explain(" ".join(tokens), " ".join(reversed(tokens)))
    ngrams = sum(len(order.ngrams) for order in found.orders)
    assert len(str(found).split("\n")) > ngrams
    assert f"... and {ngrams - 60:,} more rows" in found._repr_html_()


def test_tables_are_aligned_by_display_width():
    found = vecbleu.explain("猫 が e\u0301a cat", ["猫 も", "cat"], tokenize="none", max_order=2)
    _, *ngrams, precisions, _ = (block.split("\n") for block in str(found).split("\n\n"))
    for table in ngrams:
        before = [re.match(r".*?(count|  \d)", line)[0] for line in table]
        assert len({*map(display_width, before)}) == 1
    assert len({*map(len, precisions)}) == 1


def test_many_references_have_one_column():
    found = vecbleu.explain("a b", ["a"] * 50)
    table = str(found).split("\n\n")[1]
    assert table.split()[:5] == ["1-gram", "count", "max", "clipped", "positions"]
    assert [*found.table().to_dict()] == ["n-gram", "order", "count", "max", "clipped"]
    assert found.orders[0].ngrams[0].reference_counts == (1,) * 50


def test_marks_of_the_page_show_the_text_as_it_was():
    found = vecbleu.explain("The <b>cat</b> sat", "the cat sat", lowercase=True, tokenize="none")
    page = found._repr_html_()
    assert "The &lt;b&gt;cat&lt;/b&gt; <mark" not in page
    assert re.search(r'<mark title="in a 1-gram[^>]*>The</mark> &lt;b&gt;cat&lt;/b&gt; <mark', page)
    assert page.count("<mark ") == 2


def test_tokens_that_json_has_not_are_written_as_python_does():
    found = vecbleu.explain(["a", 1, 1.5, ("b", None)], [["a"]]).to_dict()
    assert found["tokens"] == ["a", 1, "1.5", "('b', None)"]
    assert found["hypothesis"] == found["tokens"]


def test_tokens_of_numpy_are_shown_as_pythons():
    tokens = [*np.array([1, 2]), np.float64(0.5), np.str_("a")]
    found = vecbleu.explain(tokens, [tokens])
    assert str(found).startswith("hypothesis  1 2 0.5 a\n")
    assert "np." not in found._repr_html_() + found.table().to_latex()
    assert json.loads(json.dumps(found.to_dict()))["tokens"] == [1, 2, "0.5", "a"]


def test_the_nearest_of_equally_close_references_is_the_shorter():
    found = vecbleu.explain("a b c", ["a b c d", "a b", "a b"])
    assert "ref_len 2 (reference 2, the closest of 4, 2, 2)" in str(found)
    for order in itertools.permutations(["a b c d", "a b"]):
        assert vecbleu.explain("a b c", order).score.ref_len == 2


@pytest.mark.parametrize(("language", "tokenize"), [("en", "13a"), ("de", "intl"), ("zh", "zh")])
def test_segments_of_a_corpus_add_up_to_its_score(language, tokenize):
    folder = DATA / language
    kinds = "sys.fair", "ref.A", "ref.B"
    hypotheses, *others = (read_lines(folder / f"{kind}.{language}") for kind in kinds)
    references = transposed(others)
    options = {"tokenize": tokenize, "smoothing": "exp", "effective_order": True}
    found = [vecbleu.explain(*pair, **options) for pair in zip(hypotheses, references, strict=True)]
    expected = vecbleu.sentence_bleu(hypotheses, references, **options)
    assert [one.score for one in found] == expected.tolist()
    score = vecbleu.corpus_bleu(hypotheses, references, tokenize=tokenize)
    for place in range(4):
        counts = [(one.orders[place].matches, one.orders[place].total) for one in found]
        sums = tuple(map(sum, zip(*counts, strict=True)))
        assert sums == (score.matches[place], score.totals[place])
    check_shown(found[-1])


def test_orders_beyond_the_hypothesis_cost_nothing():
    reference = [*range(20_000)]
    found = vecbleu.explain([1, 2, 3], [reference], max_order=100)
    assert len(found.orders) == 100
    assert [order.matches for order in found.orders[:4]] == [3, 2, 1, 0]
    assert not any(order.ngrams for order in found.orders[3:])


def test_the_table_has_a_row_for_each_ngram():
    found = vecbleu.explain("the the cat", ["the cat", "a cat"])
    columns = found.table().to_dict()
    ngrams = [(order.order, one) for order in found.orders for one in order.ngrams]
    assert columns["order"] == [order for order, _ in ngrams]
    assert columns["n-gram"] == [" ".join(map(str, one.tokens)) for _, one in ngrams]
    for place in (0, 1):
        counts = [one.reference_counts[place] for _, one in ngrams]
        assert columns[f"ref {place + 1}"] == counts
    assert columns["count"] == [one.count for _, one in ngrams]
    assert columns["max"] == [one.max_count for _, one in ngrams]
    assert columns["clipped"] == [one.clipped for _, one in ngrams]
    assert vecbleu.explain("", ["a", "b"]).table().rows == 0


def test_shared_references_of_tuples_are_several():
    own = [("the", "DT"), ("cat", "NN")]
    shared = vecbleu.SharedReferences([[*own, ("sat", "V")]])
    found = vecbleu.explain(own, shared)
    assert found.score == vecbleu.sentence_bleu([own], shared)[0] > 0

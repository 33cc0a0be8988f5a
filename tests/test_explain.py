"""Explanations, against the oracle and the scores that they explain."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections import Counter
from html.parser import HTMLParser

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
        "ref_length": st.sampled_from(["closest", "shortest", "average", "longest"]),
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
    assert (found.score, found.percent) == (score.score, score.percent)
    assert tuple(order.smoothed_precision for order in found.orders) == score.precisions
    assert [order.matches for order in found.orders] == rows.matches[0].tolist()
    assert [order.total for order in found.orders] == rows.totals[0].tolist()
    assert (found.hyp_len, found.ref_len) == (rows.hyp_len[0], rows.ref_len[0])
    assert found.brevity_penalty == score.brevity_penalty
    assert found.score == vecbleu.sentence_bleu([hypothesis], [references], **chosen)[0]
    with arrays_only():
        assert found.score == vecbleu.sentence_bleu([hypothesis], [references], **chosen)[0]
    check_oracle(found)
    check_shown(found)
    return found


def check_oracle(found):
    """Counts of every n-gram by the oracle's definition, and where each stands."""
    tokens, others = found.tokens, found.reference_tokens
    row = oracle.row(tokens, others, len(found.orders), found.signature.ref_length)
    matches, totals = row[2 : 2 + len(found.orders)], row[2 + len(found.orders) :]
    assert [found.hyp_len, found.ref_len] == row[:2]
    assert found.ref_lens == tuple(map(len, others))
    if found.signature.ref_length == "average":
        assert found.ref_index is None
    else:
        assert found.ref_lens.index(found.ref_len) == found.ref_index
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


class Texts(HTMLParser):
    """Tags and text of a page; an error for what is not closed."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.text = Counter(), [], ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert {name for name, _ in attrs} <= {
            "style",
            "class",
            "title",
            "data-order",
            "cellpadding",
        }
        self.tags[tag] += 1
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


KNOWN_ATTRIBUTES = {"style", "class", "title", "data-order", "cellpadding"}
KNOWN_TAGS = {"div", "p", "b", "bdi", "mark", "table", "tr", "th", "td", "details", "summary"}


def check_shown(found):
    """Text for terminals and notebooks, whatever the tokens are."""
    lines = str(found).split("\n")
    for line in lines:
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]", line)
    page = Texts(found._repr_html_())
    assert {*page.tags} <= KNOWN_TAGS
    page.text.encode()
    assert json.loads(json.dumps(found.to_dict()))["score"] == found.score


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
    assert vecbleu.explain(arrays[0], arrays[1:], **chosen) == found
    special = {"pad_id": 0, "eos_id": 1, "ignore_ids": [2]}
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
    assert found.score == pytest.approx(found.brevity_penalty * math.exp(mean), rel=1e-12)
    if chosen["smoothing"] == "none":
        assert [one.precision for one in found.orders] == [
            one.smoothed_precision for one in found.orders
        ]


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


@pytest.mark.parametrize("units", [["a b c", "b c"], [["a", "b", "c"], ["b", "c"]]])
def test_shared_references_are_explained_like_others(units):
    shared = vecbleu.SharedReferences(units, max_order=2)
    found = vecbleu.explain(units[0], shared, max_order=2)
    assert found == vecbleu.explain(units[0], units, max_order=2)
    with pytest.raises(ValueError, match="max_order is 4 but references was prepared with 2"):
        vecbleu.explain(units[0], shared)


def test_shared_references_of_ids_leave_out_the_same_ids():
    rows = np.array([[1, 2, 0], [2, 3, 4]])
    shared = vecbleu.SharedReferences(rows, pad_id=0)
    found = vecbleu.explain(np.array([1, 2, 3, 0]), shared, pad_id=0)
    assert found.reference_tokens == ((1, 2), (2, 3, 4))
    assert found.tokens == (1, 2, 3)


BAD = {
    "no reference": (("a", []), {}, ValueError, "^references is empty: there are 0 references$"),
    "a number": (
        (3, "a"),
        {},
        TypeError,
        "^hypothesis is int 3, expected a string or a sequence of tokens$",
    ),
    "text against tokens": (
        (["a cat"], "a cat"),
        {},
        TypeError,
        "^references is str 'a cat', expected a sequence of tokens as in hypothesis; "
        r"pass hypothesis\[0\]; if references came first, as in NLTK, swap the two arguments$",
    ),
    "tokens against text": (
        ("a", [["a"]]),
        {},
        TypeError,
        r"^references\[0\] is list \['a'\], expected a string as in hypothesis$",
    ),
    "no text": (("a", 3), {}, TypeError, "^references is int 3; hypothesis is a string, expected"),
    "a set": (([{1}], [[1]]), {}, TypeError, r"^hypothesis: token \{1\} can't be used: "),
    "a set behind": (
        ([1], [[1], [{2}]]),
        {},
        TypeError,
        r"^references\[1\]: token \{2\} can't be used: ",
    ),
    "weights": (("a", "a"), {"weights": [(1,), (0.5, 0.5)]}, ValueError, "^weights has 2 sets; ex"),
    "lowercase": ((["a"], ["a"]), {"lowercase": True}, ValueError, "^lowercase is for strings; hy"),
    "special": ((["a"], ["a"]), {"pad_id": 0}, TypeError, "^hypothesis: token 0 is str"),
    "smoothing": (("a", "a"), {"smoothing": "more"}, ValueError, "^smoothing is 'more', expected"),
    "a tokenizer": (
        ("a", ["a", "b"]),
        {"tokenize": lambda text: [text] if text == "a" else [1]},
        TypeError,
        r"^references\[1\]: tokenize returned the token 1, expected strings",
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
    )
    value = found.brevity_penalty if row["quantity"] == "bp" else found.score
    assert_printed(found.percent if row["scale"] == "100" else value, row["printed"])


def test_the_labs_files_as_one_string_each(lab):
    sides = ((lab / f"wmt19_{name}.txt").read_bytes().decode() for name in ("can", "ref"))
    found = vecbleu.explain(*sides)
    assert found.percent == 43.17646056409016
    assert "or 43.18 of 100" in str(found)
    check_shown(found)


def test_errors_of_a_users_tokenizer_are_not_changed():
    def split(text):
        raise UnicodeDecodeError("utf-8", b"references[0]", 0, 1, "references[0]")

    with pytest.raises(UnicodeDecodeError, match=r"references\[0\]"):
        vecbleu.explain("a", "b", tokenize=split)


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (("a", "b"), ["nothing matches"]),
        (("", ""), ["nothing matches"]),
        (
            (["a b c"], ["a", "b", "c"]),
            ["nothing matches", "a list of strings is a list of tokens; pass text as a string"],
        ),
        (
            ("a b", "a b"),
            [
                "the hypothesis has no 3-grams",
                "above 0: effective_order=True, or weights=[1 / 2] * 2",
            ],
        ),
        (
            ("a b c d", "b c d a"),
            [
                "0 of 1 4-grams match, and ln 0 is -infinity",
                'above 0: smoothing="exp", or weights=[1 / 3] * 3',
            ],
        ),
        (
            ("a b c", "a c b"),
            [
                "0 of 2 2-grams match, and ln 0 is -infinity",
                'above 0: smoothing="exp" with effective_order=True, or weights=[1]',
            ],
        ),
    ],
)
def test_the_last_lines_say_why_a_score_is_0_and_what_is_not(arguments, lines):
    assert str(vecbleu.explain(*arguments)).endswith("\nBLEU = 0: " + "\n".join(lines))
    _, _, advice = lines[-1].partition("above 0: ")
    for options in filter(None, advice.split(", or ")):
        call = options.replace(" with ", ", ")
        found = eval(
            f"explain(*arguments, {call})", {"explain": vecbleu.explain, "arguments": arguments}
        )
        assert found.score > 0


def test_orders_without_ngrams_are_not_smoothed():
    text = str(vecbleu.explain("a b c", "a b d", smoothing="exp"))
    (last,) = [line for line in text.splitlines() if line.startswith("    4  ")]
    assert last.split() == ["4", "0", "0", "0.0000", "-", "0.2500"]


NESTED = [["the", "cat", "sat", "down"], ["a", "cat", "sat"]]


@pytest.mark.parametrize(
    ("hypothesis", "references", "advice"),
    [
        (NESTED, NESTED[0], "swap the two arguments"),
        (["the cat sat down", "a cat sat"], "the cat sat", "swap the two arguments"),
        (
            ["the cat sat down"],
            "the cat sat",
            "pass hypothesis[0]; if references came first, as in NLTK, swap the two arguments",
        ),
        (NESTED[:1], NESTED[1:], "pass hypothesis[0]"),
        (NESTED[:1], [NESTED[1:]], "pass hypothesis[0], references[0]"),
    ],
)
def test_advice_on_order_and_nesting(hypothesis, references, advice):
    with pytest.raises((TypeError, ValueError)) as caught:
        vecbleu.explain(hypothesis, references)
    assert str(caught.value).endswith(advice)
    _, _, call = advice.partition(";")[0].partition("pass ")
    if "swap" in advice:
        assert vecbleu.explain(references, hypothesis).score >= 0
    if call:
        names = {"hypothesis": hypothesis, "references": references}
        sides = eval(f"({call},)", names)
        vecbleu.explain(*(*sides, references)[:2])


def test_too_many_ngrams_are_refused():
    tokens = [*range(3000)]
    with pytest.raises(ValueError, match="max_order is 1000: the n-grams of a hypothesis of 3000"):
        vecbleu.explain(tokens, [tokens], max_order=1000)
    assert len(vecbleu.explain([1, 2], [[1]], max_order=1000).orders) == 1000


def test_a_users_tokenizer_is_called_once_for_each_string():
    called = []

    def split(text):
        called.append(text)
        return text.split()

    vecbleu.explain("A b", ["c", "d"], tokenize=split, lowercase=True)
    assert called == ["a b", "c", "d"]


def test_long_segments_are_shown_whole():
    generator = random.Random(1)
    tokens = generator.choices([f"w{number}" for number in range(500)], k=4000)
    found = vecbleu.explain(" ".join(tokens), " ".join(reversed(tokens)), smoothing="exp")
    lines = str(found).split("\n")
    assert len(lines) > sum(len(order.ngrams) for order in found.orders)
    assert len(found._repr_html_()) > len(lines)


def test_pages_say_how_many_ngrams_they_leave_out(monkeypatch):
    found = vecbleu.explain("a b c a d", "a b c")
    assert "more" not in found._repr_html_()
    monkeypatch.setattr("vecbleu.analysis.explanation_html._MOST_ROWS", 3)
    page = found._repr_html_()
    assert page.count("... and 1 more, which print and to_dataframe() have") == 2
    assert "<td>5</td>" in page  # the total of all
    assert len(str(found).split("\n\n")[1].split("\n")) == 1 + 4 + 1


def tables(text):
    """Groups of lines between blank ones."""
    return [block.split("\n") for block in text.split("\n\n")]


def test_tables_are_aligned_by_display_width():
    found = vecbleu.explain("猫 が e\u0301a cat", ["猫 も", "cat"], tokenize="none", max_order=2)
    _, *ngrams, precisions, _ = tables(str(found))
    for table in ngrams:
        before = [re.match(r".*?(count|  \d)", line)[0] for line in table]
        assert len({*map(display_width, before)}) == 1
    assert len({*map(len, precisions)}) == 1


def test_many_references_have_one_column():
    found = vecbleu.explain("a b", ["a"] * 50)
    assert tables(str(found))[1][0].split() == ["1-gram", "count", "max", "clipped", "positions"]
    assert found.orders[0].ngrams[0].reference_counts == (1,) * 50


def test_marks_of_the_page_show_the_text_as_it_was():
    found = vecbleu.explain("The <b>cat</b> sat", "the cat sat", lowercase=True, tokenize="none")
    page = found._repr_html_()
    assert "The &lt;b&gt;cat&lt;/b&gt; <mark" not in page
    assert re.search(r'<mark data-order="1" [^>]*>The</mark> &lt;b&gt;cat&lt;/b&gt; <mark', page)
    assert Texts(page).tags["mark"] == 2 + 4


def test_tokens_that_json_has_not_are_written_as_python_does():
    found = vecbleu.explain(["a", 1, 1.5, ("b", None)], [["a"]]).to_dict()
    assert found["tokens"] == ["a", 1, "1.5", "('b', None)"]
    assert found["hypothesis"] == found["tokens"]


def test_tokens_of_numpy_are_shown_as_pythons():
    tokens = [*np.array([1, 2]), np.float64(0.5), np.str_("a")]
    found = vecbleu.explain(tokens, [tokens])
    assert str(found).startswith("hypothesis  1 2 0.5 a\n")
    assert "np." not in found._repr_html_() + found.to_latex()
    assert json.loads(json.dumps(found.to_dict()))["tokens"] == [1, 2, "0.5", "a"]


@pytest.mark.parametrize("digits", [0, 1, 7])
def test_digits_of_the_tables(digits):
    from vecbleu.analysis.explanation_text import lines

    found = vecbleu.explain("a b c", "a b d", max_order=2)
    last = [*lines(found, digits)][-1]
    assert f"= {found.score:.{digits}f}, or {found.percent:.{max(digits - 2, 0)}f} of 100" in last


def test_the_nearest_of_equally_close_references_is_the_shorter():
    found = vecbleu.explain("a b c", ["a b c d", "a b", "a b"])
    assert (found.ref_len, found.ref_index) == (2, 1)
    assert "reference 2, the closest of 4, 2, 2, the shorter of two equally close" in str(found)
    for order in itertools.permutations(["a b c d", "a b"]):
        assert vecbleu.explain("a b c", order).ref_len == 2


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
    found = vecbleu.explain([1, 2, 3], [reference], max_order=10_000)
    assert len(found.orders) == 10_000
    assert [order.matches for order in found.orders[:4]] == [3, 2, 1, 0]
    assert not any(order.ngrams for order in found.orders[3:])


def test_data_frames_have_a_row_for_each_ngram():
    pytest.importorskip("pandas")
    found = vecbleu.explain("the the cat", ["the cat", "a cat"])
    frame = found.to_dataframe()
    ngrams = [(order.order, one) for order in found.orders for one in order.ngrams]
    assert frame["order"].tolist() == [order for order, _ in ngrams]
    assert frame["ngram"].tolist() == [" ".join(map(str, one.tokens)) for _, one in ngrams]
    counts = frame[["reference 1", "reference 2"]].to_numpy().tolist()
    assert counts == [[*one.reference_counts] for _, one in ngrams]
    for name in ("count", "max_count", "clipped"):
        assert frame[name].tolist() == [getattr(one, name) for _, one in ngrams]
    assert len(vecbleu.explain("", ["a", "b"]).to_dataframe()) == 0


def test_latex_escapes_tokens():
    table = vecbleu.explain("50% a_b $x & \\y", "50%", tokenize="none", max_order=1).to_latex()
    cells = [line.split(" & ")[0].strip() for line in table.split("\n")[4:-2]]
    assert cells == [r"50\%", r"a\_b", r"\$x", r"\&", r"\textbackslash{}y"]

"""The functions of `vecbleu.nltk` against NLTK's: values, types, warnings and exceptions."""

from __future__ import annotations

import re
import warnings
import zlib
from fractions import Fraction
from functools import cache, partial

import nltk.translate.bleu_score as peer
import numpy as np
import pytest
from conftest import ON_BOTH_PATHS
from hypothesis import assume, example, given
from hypothesis import strategies as st
from processes import output_of
from strategies import odd_tokens, string_tokens, token_corpora, words

import vecbleu
import vecbleu.nltk as layer

UNIFORM = (0.25, 0.25, 0.25, 0.25)

weight_sets = st.one_of(
    st.sampled_from([UNIFORM, (1,), (0.5, 0.5), (0, 0, 0, 1), [0.2] * 5, (1 / 3,) * 3, (), []]),
    st.sampled_from([(0.1,) * 7, [(0.5, 0.5), (1 / 3,) * 3, UNIFORM], [UNIFORM], [(1.0,), ()]]),
    st.sampled_from([np.array([0.5, 0.5]), np.array([[0.5, 0.5], [0.3, 0.7]])]),
    st.lists(st.floats(-1, 2), min_size=1, max_size=6).map(tuple),
)
_parameters = [{}, {"epsilon": 1e-3, "alpha": 2, "k": 3}, {"alpha": 0.5, "k": 0.3}]
_parameters += [{"epsilon": Fraction(1, 10), "k": 0.25}, {"epsilon": np.float32(0.1)}]


def as_arrays(corpus):
    """Tokens as rows of NumPy."""
    hypotheses, references = corpus
    return [*map(np.array, hypotheses)], [[*map(np.array, several)] for several in references]


class Own(layer.SmoothingFunction):
    def method1(self, p_n, references, hypothesis, hyp_len):
        """Something that depends on all that NLTK passes."""
        passed = zlib.crc32(repr([*references, hypothesis, hyp_len]).encode())
        return [(p.numerator + passed) / (p.denominator + 2**32) for p in p_n]


options = st.builds(
    dict,
    weights=weight_sets,
    auto_reweigh=st.booleans(),
    method=st.sampled_from([None, Own().method1, *(f"method{i}" for i in range(8))]),
    parameters=st.sampled_from(_parameters),
)
corpora = st.one_of(
    token_corpora(max_segments=3),
    token_corpora(odd_tokens, max_segments=3),
    token_corpora(string_tokens, max_segments=2),
    token_corpora(st.integers(0, 3)).map(as_arrays),
    token_corpora(st.sampled_from("ab"), max_segments=2, max_tokens=4),
)

pytestmark = ON_BOTH_PATHS


def outcome(function, *args, **kwargs):
    """A call's value and types, or its exception's type; its warnings' categories and orders."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            kinds = type(error).__mro__  # ours has fields, and derives from Python's
            return "raises", next(kind for kind in kinds if kind.__module__ == "builtins")
    types = [*map(type, value)] if isinstance(value, list) else type(value)
    caught = [one for one in caught if "-gram" in str(one.message)]  # vecbleu has others
    orders = [re.search(r"(\d)-gram", str(warning.message))[1] for warning in caught]
    categories = [warning.category.__name__ for warning in caught]
    return "returns", value, types, sorted(zip(categories, orders, strict=True))


def with_smoothing(module, method=None, parameters=None, **kwargs):
    """Keyword arguments of a call, a method of the module's `SmoothingFunction` among them."""
    if isinstance(method, str):
        method = getattr(module.SmoothingFunction(**(parameters or {})), method)
    return kwargs if method is None else kwargs | {"smoothing_function": method}


def same_outcome(name, *args, **kwargs):
    """The outcome in NLTK, which is that of vecbleu."""
    theirs = outcome(getattr(peer, name), *args, **with_smoothing(peer, **kwargs))
    assert outcome(getattr(layer, name), *args, **with_smoothing(layer, **kwargs)) == theirs
    return theirs


TWO = [[*"abcdef"], [*"abcd"]], [[[*"abcxyz"]], [[*"abed"]]]


@given(corpora, options)
def test_corpora_score_as_by_nltk(corpus, options):
    assume(corpus[0] or len(options["weights"]))  # of nothing, for nothing, NLTK's score is 0
    same_outcome("corpus_bleu", *corpus[::-1], **options)


@example(([[*"abcdef"]], [[[*"abcxyz"]]]), {"weights": UNIFORM, "method": "method4"})
@example(([["a"], ["a"]], [[["a"]], [["a", "b"]]]), {"weights": UNIFORM, "method": "method4"})
@example(([["a"], ["a", "b"]], [[["a"]], [["b"]]]), {"weights": (1,), "method": Own().method1})
@example(TWO, {"weights": np.array([0.3, 0.7], np.float32), "method": "method2"})
@example(TWO, {"weights": UNIFORM, "method": "method4", "parameters": {"k": 0}})
@given(corpora, options)
def test_sentences_score_as_by_nltk_alone_and_in_a_batch(corpus, options):
    pairs = [*zip(*corpus[::-1], strict=True)]
    loop = [same_outcome("sentence_bleu", *pair, **options) for pair in pairs]
    batch = outcome(layer.sentence_bleu_batch, *corpus[::-1], **with_smoothing(layer, **options))
    failures = [result for result in loop if result[0] == "raises"]
    if failures:
        assert batch == failures[0]
    else:
        assert batch[1].dtype == np.float64
        assert batch[1].tolist() == [result[1] for result in loop]
        assert {*batch[3]} == {warning for result in loop for warning in result[3]}


SMOOTHED = {
    "an error behind the last weight": lambda p_n: (1 / number for number in [2, 2, 2, 2, 0]),
    "used up": lambda p_n: (float(p) for p in p_n),
    "long": lambda p_n: [*p_n, "x", None],
    "large": lambda p_n: [10**400, 0.5, 0.25, 0.125],
    "small": lambda p_n: [Fraction(1, 10**400)] * 4,
    "text": lambda p_n: "1234",
}


@pytest.mark.parametrize("name", SMOOTHED)
def test_own_smoothings_return_what_they_may_in_nltk(name):
    sentence = ["the", "cat", "sat", "on", "the", "red", "mat", "today"]
    for weights in (UNIFORM, [(0.5, 0.5), UNIFORM]):
        smooth = {"smoothing_function": lambda p_n, **_: SMOOTHED[name](p_n)}
        theirs = same_outcome("sentence_bleu", [sentence], sentence[:-1], weights, **smooth)
        asked = [[sentence]] * 2, [sentence[:-1]] * 2, weights
        batch = outcome(layer.sentence_bleu_batch, *asked, **smooth)
        if theirs[0] == "returns":
            assert batch[1].tolist() == [theirs[1]] * 2
        else:
            assert batch == theirs


_token_lists = st.tuples(st.lists(st.lists(words, max_size=5), max_size=3), st.lists(words))
_strings = st.tuples(st.lists(st.text("the cat.", max_size=12), max_size=3), st.text("the c"))


@given(st.one_of(_token_lists, _strings))
def test_any_number_of_references_and_strings_score_as_by_nltk(segment):
    references, hypothesis = segment
    same_outcome("sentence_bleu", references, hypothesis)
    same_outcome("corpus_bleu", [[hypothesis], references], [hypothesis, list(hypothesis)])
    same_outcome("corpus_bleu", [references] * 2, [hypothesis, list(hypothesis)])
    assert same_outcome("corpus_bleu", [references], [hypothesis] * 2) == ("raises", AssertionError)
    same_outcome("corpus_bleu", ["ab"], ["ab"])


@given(corpora, st.integers(1, 6))
def test_modified_precisions_are_nltks(corpus, n):
    for hypothesis, references in zip(*corpus, strict=True):
        theirs = peer.modified_precision(references, hypothesis, n)
        ours = layer.modified_precision(references, hypothesis, n)
        assert (ours.numerator, ours.denominator) == (theirs.numerator, theirs.denominator)
        assert (float(ours), ours + 1, ours / 3) == (float(theirs), theirs + 1, theirs / 3)
        assert isinstance(ours, layer.Fraction)
    assert same_outcome("modified_precision", [], ["a"] * 6, n) == ("raises", KeyError)


@given(st.lists(st.lists(words, max_size=9), max_size=4), st.integers(0, 9))
def test_lengths_and_penalties_are_nltks(references, hyp_len):
    same_outcome("closest_ref_length", references, hyp_len)
    for ref_len in range(10):
        same_outcome("brevity_penalty", ref_len, hyp_len)


@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("length", [{}, {"hyp_len": 4}])
def test_smoothing_methods_return_what_nltks_do(number, length):
    results = []
    trigrams = int(number == 6)  # which needs one
    for module in (peer, layer):
        p_n = [module.Fraction(*counts) for counts in ((3, 4), (1, 3), (trigrams, 2), (0, 1))]
        method = getattr(module.SmoothingFunction(), f"method{number}")
        returned = method(p_n, references=[["a", "b"]], hypothesis=["a", "b", "c"], **length)
        results.append([*map(float, [*returned, *p_n])])
    assert results[0] == results[1]


def test_mistakes_and_no_segments_end_as_in_nltk():
    long = [*"the cat sat on a mat"] * 100
    for references, hypotheses, error, named in (
        ([[["a"]]], [["a"], ["b"]], AssertionError, "has 1 segments but hypotheses has 2"),
        ([[long], []], [long, np.array(long)], KeyError, "segment 1 has no references"),
        ([[["a"]], []], [["a"], []], ValueError, "segment 1 has no references"),
        ([[["a"], [{1}]]], [["a"]], TypeError, r"references\[0\]\[1\]"),
    ):
        assert same_outcome("corpus_bleu", references, hypotheses) == ("raises", error)
        for function in (layer.corpus_bleu, layer.sentence_bleu_batch):
            with pytest.raises(error, match=named):
                function(references, hypotheses)
    assert same_outcome("corpus_bleu", [], []) == ("raises", ZeroDivisionError)
    for kind in (layer.SmoothingFunction, peer.SmoothingFunction):
        for smoothing in (kind, kind(), kind.method1):
            with pytest.raises(TypeError, match=r"expected SmoothingFunction\(\)\.method"):
                layer.sentence_bleu([["a"]], ["a"], smoothing_function=smoothing)
    assert layer.sentence_bleu_batch([], [], weights=[(1,), (0.5, 0.5)]).shape == (0, 2)


@pytest.mark.filterwarnings("ignore:no .-gram")
@pytest.mark.parametrize("method", [None, "method1", "method5"])
def test_one_list_of_references_for_all_segments_scores_as_by_nltk(method):
    rng = np.random.default_rng(3)
    rows = [[*map(str, rng.integers(0, 9, size=n))] for n in rng.integers(1, 30, size=60)]
    references, hypotheses = rows[:40], rows[40:]
    options = {"weights": [(1,), (0.2,) * 5], "method": method}
    expected = same_outcome("corpus_bleu", [references] * 20, hypotheses, **options)[1]
    loop = [same_outcome("sentence_bleu", references, one, **options)[1] for one in hypotheses]
    kwargs = with_smoothing(layer, **options)
    shared = vecbleu.SharedReferences(references, max_order=5)
    assert layer.corpus_bleu(shared, hypotheses, **kwargs) == expected
    assert layer.sentence_bleu(shared, hypotheses[0], **kwargs) == loop[0]
    for given_once in (shared, [references] * 20):
        assert layer.sentence_bleu_batch(given_once, hypotheses, **kwargs).tolist() == loop


PROGRAM = """
import nltk
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from nltk.translate import bleu, bleu_score
reference, hypothesis = "the cat sat on the mat".split(), "the cat lay on a mat".split()
print(nltk.translate.bleu_score.sentence_bleu([reference], hypothesis, weights=(0.5, 0.5)))
print(corpus_bleu([[reference]], [hypothesis], (1, 2, 3), SmoothingFunction().method5))
print(bleu_score.modified_precision([reference], hypothesis, 2).denominator)
for function in (bleu, nltk.bleu, nltk.bleu_score.sentence_bleu, sentence_bleu):
    print(function.__module__.partition(".")[0])
"""


@cache
def printed_by_nltk():
    return output_of(PROGRAM).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", "import nltk.translate"])
def test_install_moves_a_program_over(before):
    theirs = printed_by_nltk()
    assert theirs[-4:] == ["nltk"] * 4
    install = f"{before}\nimport vecbleu.nltk\nvecbleu.nltk.install()\n"
    assert output_of(install + PROGRAM).splitlines() == [*theirs[:-4], *["vecbleu"] * 4]


@pytest.mark.parametrize(
    ("references", "hypothesis", "named"),
    [
        (["the cat sat", "a cat"], "the cat sat down", r"split\(\)"),
        (["the cat sat"], ["the", "cat", "sat"], r"split\(\)"),
        ([["the cat sat", "a cat sat"]], ["the cat sat", "a cat"], r"split\(\)"),
        (["the", "cat", "sat"], ["the", "cat", "sat"], r"\[reference\]"),
        ("the cat sat on", "the cat sat on", r"split\(\)"),
    ],
)
def test_texts_and_lone_references_score_as_by_nltk_with_a_warning(references, hypothesis, named):
    expected = same_outcome("sentence_bleu", references, hypothesis, weights=(1,))[1]
    with pytest.warns(UserWarning, match=named) as caught:
        assert layer.sentence_bleu(references, hypothesis, (1,)) == expected
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning, match=named):  # the first segment is looked at
        layer.corpus_bleu([references, [["a"]]], [hypothesis, ["a"]], (1,))


@pytest.mark.filterwarnings("error")
def test_characters_and_tokens_that_have_spaces_are_not_warned_of():
    for reference, hypothesis in (
        ("据报道该公司", "据报道该"),
        ([*"the cat sat"], [*"the cat"]),
        ([" the", " cat", " sat"], [" the", " cat"]),
        (["New York", "is", "big"], ["New York", "is", "not"]),
    ):
        assert layer.sentence_bleu([reference], hypothesis, (1,)) > 0


def test_warnings_are_of_the_line_that_calls():
    segment = [["a", "b", "c", "d"]], ["a", "x", "c", "y"]
    corpus = [segment[0]], [segment[1]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        layer.sentence_bleu(*segment)
        layer.corpus_bleu(*corpus, [(1,), UNIFORM])
        layer.sentence_bleu_batch(*corpus)
        layer.sentence_bleu_batch(*corpus, np.array(UNIFORM, np.float32))
        layer.SmoothingFunction().method0([layer.Fraction(0, 3)])
    assert {one.filename for one in caught} == {__file__}
    first = caught[0].lineno
    places = [(one.lineno - first, one.category) for one in caught]
    assert places == [(line, UserWarning) for line in (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)]


def test_short_hypotheses_are_reweighed_in_a_batch_of_others():
    segments = (
        [[["the", "cat", "sat", "on"]]] * 2,
        [["the", "cat", "sat"], ["the", "cat", "x", "on"]],
    )
    scores = []
    for module in (layer, peer):
        options = {"smoothing_function": module.SmoothingFunction().method1, "auto_reweigh": True}
        scores.append([*map(partial(module.sentence_bleu, **options), *segments)])
        batch = layer.sentence_bleu_batch(*segments, **options) if module is layer else scores[0]
        assert [*batch] == scores[0] == scores[-1]

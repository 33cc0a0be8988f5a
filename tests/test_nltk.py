"""The functions of `vecbleu.nltk` against NLTK's: values, types, warnings and exceptions."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import warnings
from fractions import Fraction

import nltk.translate
import nltk.translate.bleu_score as peer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.util import ngrams
from processes import output_of
from strategies import odd_tokens, string_tokens, token_corpora, words

import vecbleu.nltk as layer
from vecbleu.core import objects

UNIFORM = (0.25, 0.25, 0.25, 0.25)

weight_sets = st.one_of(
    st.sampled_from([UNIFORM, (1,), (0.5, 0.5), (0, 0, 0, 1), [0.2] * 5, (1 / 3,) * 3, (), []]),
    st.sampled_from([(0.1,) * 7, [(0.5, 0.5), (1 / 3,) * 3, UNIFORM], [UNIFORM], [(1.0,), ()]]),
    st.lists(st.floats(-1, 2), min_size=1, max_size=6).map(tuple),
)
_parameters = [{}, {"epsilon": 1e-3, "alpha": 2, "k": 3}, {"alpha": 0.5, "k": 0.3}]
options = st.builds(
    dict,
    weights=weight_sets,
    auto_reweigh=st.booleans(),
    method=st.sampled_from([None, *(f"method{i}" for i in range(8))]),
    parameters=st.sampled_from(_parameters),
)
corpora = st.one_of(
    token_corpora(max_segments=3),
    token_corpora(odd_tokens, max_segments=3),
    token_corpora(string_tokens, max_segments=2),
    token_corpora(st.sampled_from("ab"), max_segments=2, max_tokens=4),
)


@pytest.fixture(autouse=True, params=["python", "kernel"], scope="module")
def path(request):
    """Small corpora are counted without the kernel; both ways are tested on all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objects, "MOST_NGRAMS", 10**9 if request.param == "python" else -1)
        yield request.param


def outcome(function, *args, **kwargs):
    """A call's value and types, or its exception's type; its warnings' categories and orders."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            return "raises", type(error)
    types = [*map(type, value)] if isinstance(value, list) else type(value)
    orders = [re.search(r"(\d)-gram", str(warning.message))[1] for warning in caught]
    categories = [warning.category.__name__ for warning in caught]
    return "returns", value, types, sorted(zip(categories, orders, strict=True))


def with_smoothing(module, method=None, parameters=None, **kwargs):
    """Keyword arguments of a call, a method of the module's `SmoothingFunction` among them."""
    if method is None:
        return kwargs
    smoothing = module.SmoothingFunction(**(parameters or {}))
    return kwargs | {"smoothing_function": getattr(smoothing, method)}


def same_outcome(name, *args, **kwargs):
    """The outcome in NLTK, which is that of vecbleu."""
    theirs = outcome(getattr(peer, name), *args, **with_smoothing(peer, **kwargs))
    assert outcome(getattr(layer, name), *args, **with_smoothing(layer, **kwargs)) == theirs
    return theirs


def same_errors(arguments, *args):
    """Whether NLTK's `corpus_bleu` raises; so does ours, and the batch.

    Arguments are made anew for each call, since iterators among them are used up.
    """
    theirs = outcome(peer.corpus_bleu, *arguments(*args))
    assert outcome(layer.corpus_bleu, *arguments(*args)) == theirs
    batch = outcome(layer.sentence_bleu_batch, *arguments(*args))
    raises = theirs[0] == "raises"
    assert batch == theirs if raises else batch[0] == "returns"
    return raises


@given(corpora, options)
def test_corpus_bleu(corpus, options):
    same_outcome("corpus_bleu", *corpus[::-1], **options)


@given(corpora, options)
def test_sentence_bleu_one_by_one_and_as_a_batch(corpus, options):
    pairs = [*zip(*corpus[::-1], strict=True)]
    loop = [same_outcome("sentence_bleu", *pair, **options) for pair in pairs]
    kwargs = with_smoothing(layer, **options)
    batch = outcome(layer.sentence_bleu_batch, *corpus[::-1], **kwargs)
    failures = [result for result in loop if result[0] == "raises"]
    if failures:
        assert batch == failures[0]
    else:
        assert batch[1].dtype == np.float64
        assert batch[1].tolist() == [result[1] for result in loop]
        # A warning that the loop repeats comes once.
        assert batch[3] == sorted({warning for result in loop for warning in result[3]})


_token_lists = st.tuples(st.lists(st.lists(words, max_size=5), max_size=3), st.lists(words))
_strings = st.tuples(st.lists(st.text("the cat.", max_size=12), max_size=3), st.text("the c"))


@given(st.one_of(_token_lists, _strings))
def test_references_of_any_number_and_strings_of_characters(segment):
    references, hypothesis = segment
    same_outcome("sentence_bleu", references, hypothesis)
    same_outcome("corpus_bleu", [[hypothesis], references], [hypothesis, list(hypothesis)])
    same_outcome("corpus_bleu", [references] * 2, [hypothesis, list(hypothesis)])
    assert same_outcome("corpus_bleu", [references], [hypothesis] * 2) == ("raises", AssertionError)
    same_outcome("corpus_bleu", ["ab"], ["ab"])


@given(corpora, st.integers(1, 6))
def test_modified_precision(corpus, n):
    for hypothesis, references in zip(*corpus, strict=True):
        theirs = peer.modified_precision(references, hypothesis, n)
        ours = layer.modified_precision(references, hypothesis, n)
        assert (ours.numerator, ours.denominator) == (theirs.numerator, theirs.denominator)
        assert (float(ours), ours + 1, ours / 3) == (float(theirs), theirs + 1, theirs / 3)
        assert isinstance(ours, layer.Fraction)
    assert same_outcome("modified_precision", [], ["a"] * 6, n) == ("raises", KeyError)


@given(st.lists(st.lists(words, max_size=9), max_size=4), st.integers(0, 9))
def test_lengths_and_penalties(references, hyp_len):
    same_outcome("closest_ref_length", references, hyp_len)
    for ref_len in range(10):
        same_outcome("brevity_penalty", ref_len, hyp_len)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.uint64, float, bool, object])
def test_numpy_arrays_of_tokens(kind):
    rng = np.random.default_rng(0)
    hypotheses = [rng.integers(0, 3, size=n).astype(kind) for n in (5, 9, 1)]
    references = [[rng.integers(0, 3, size=n).astype(kind)] for n in (6, 8, 2)]
    same_outcome("corpus_bleu", references, hypotheses)
    square = rng.integers(0, 3, size=(4, 7)).astype(kind)
    same_outcome("corpus_bleu", square[:, None], square)


@pytest.mark.parametrize("reweigh", [False, True])
def test_numpy_weights(reweigh):
    short = [["the", "cat", "sat"]], ["the", "cat", "lay"]
    for weights in (np.array([0.5, 0.5]), np.array([[0.5, 0.5], [0.3, 0.7]])):
        same_outcome("sentence_bleu", *short, weights=weights, auto_reweigh=reweigh)
    segment = [["a", "b", "c", "d"]], ["a", "b", "c", "d"]
    for weights in (np.array([0.25] * 4), np.array([0.5, 0.5])):
        batch = [[side] for side in segment]
        assert layer.sentence_bleu_batch(*batch, weights, None, reweigh).tolist() == [1.0]


def test_users_own_smoothing_sees_what_nltk_passes():
    calls = []

    def smooth(p_n, references, hypothesis, hyp_len):
        pairs = [(p.numerator, p.denominator) for p in p_n]
        calls.append((pairs, references, hypothesis, hyp_len))
        return [(p.numerator + 0.5) / (p.denominator + 0.5) for p in p_n]

    references = [[["a", "b", "c"]], [["b", "a"], ["c"]]]
    hypotheses = [["a", "b"], ["b", "c", "a"]]
    same_outcome("corpus_bleu", references, hypotheses, smoothing_function=smooth)
    assert calls[0] == calls[1]
    assert calls[0][1:3] == (references[1], hypotheses[1])
    calls.clear()
    pairs = zip(references, hypotheses, strict=True)
    loop = [peer.sentence_bleu(*pair, smoothing_function=smooth) for pair in pairs]
    batch = layer.sentence_bleu_batch(references, hypotheses, smoothing_function=smooth)
    assert batch.tolist() == loop
    assert calls[:2] == calls[2:]


def test_a_subclass_that_overrides_a_method_is_called():
    class Own(layer.SmoothingFunction):
        def method1(self, p_n, *args, **kwargs):
            return [0.5 for _ in p_n]

    batch = layer.sentence_bleu_batch([[["a"]]], [["a"]], smoothing_function=Own().method1)
    assert batch.tolist() == [0.5]


def test_smoothing_methods_return_what_nltks_do():
    arguments = {"references": [["a", "b"]], "hypothesis": ["a", "b", "c"], "hyp_len": 3}
    for number in (1, 2, 3, 4, 5, 7):
        results = []
        for module in (peer, layer):
            p_n = [module.Fraction(a, b) for a, b in ((3, 4), (1, 3), (0, 2), (0, 1))]
            returned = getattr(module.SmoothingFunction(), f"method{number}")(p_n, **arguments)
            results.append(([float(p) for p in returned], [float(p) for p in p_n]))
        assert results[0] == results[1]


def test_batch_of_nothing_and_of_unequal_sides():
    assert layer.sentence_bleu_batch([], []).shape == (0,)
    assert layer.sentence_bleu_batch([], [], weights=[(1,), (0.5, 0.5)]).shape == (0, 2)
    message = "list_of_references has 1 segments but hypotheses has 0"
    for function in (layer.corpus_bleu, layer.sentence_bleu_batch):
        with pytest.raises(AssertionError, match=message):
            function([[["a"]]], [])


@pytest.mark.parametrize("size", [1, 20])  # more than the segments that Python counts
def test_of_several_errors_the_first_segments_is_raised(size):
    """Each kind in turn stands before each other one, and behind more than 400 tokens."""
    line = [*"the cat sat on a mat"] * 2
    sound = [([line], line)] * size
    faults = [
        lambda: ([line], [["a"]]),  # unhashable
        lambda: ([], line),
        lambda: ([], []),  # no reference, for no token
        lambda: (iter([line]), line),  # used up when order 2 is counted
        lambda: (iter([]), line),
        lambda: (5, line),
    ]

    def corpus(one, other):
        return zip(*sound, one(), *sound, other(), *sound, strict=True)

    assert all(same_errors(corpus, *pair) for pair in itertools.permutations(faults, 2))


@pytest.mark.parametrize("hypothesis", [[[1]], [{1}], [memoryview(bytearray(1))], ["a"], []])
@pytest.mark.parametrize("reference", [[[1]], [{1}], [memoryview(bytearray(1))]])
def test_of_several_unhashable_tokens_the_error_is_nltks(hypothesis, reference):
    if objects.MOST_NGRAMS < 0:
        pytest.skip("the kernel names the segment")
    errors = []
    for module in (peer, layer):
        with pytest.raises((TypeError, ValueError)) as caught:
            module.sentence_bleu([["a"], reference], hypothesis)
        errors.append((caught.type, str(caught.value)))
    assert errors[0] == errors[1]


def test_a_program_moves_over_by_one_line():
    program = """
        from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
        from nltk.translate import bleu_score
        reference, hypothesis = "the cat sat on the mat".split(), "the cat lay on a mat".split()
        print(sentence_bleu([reference], hypothesis, weights=(0.5, 0.5)))
        for number in range(1, 8):
            smooth = getattr(SmoothingFunction(), f"method{number}")
            print(corpus_bleu([[reference]] * 2, [hypothesis, reference[:3]], (1, 2, 3), smooth))
        print(bleu_score.modified_precision([reference], hypothesis, 2).denominator)
        import nltk
        print(nltk.translate.bleu_score.sentence_bleu([reference], hypothesis, weights=(1,)))
        print(bleu_score.__name__, nltk.translate.bleu_score.__name__)
    """
    line = """
        import sys, vecbleu.nltk; sys.modules["nltk.translate.bleu_score"] = vecbleu.nltk"""
    theirs, ours = (output_of(code).splitlines() for code in (program, line + program))
    assert theirs[:-1] == ours[:-1]
    assert theirs[-1] == "nltk.translate.bleu_score nltk.translate.bleu_score"
    assert ours[-1] == "vecbleu.nltk vecbleu.nltk"
    assert (layer.ngrams, layer.Counter) == (ngrams, peer.Counter)  # which NLTK's module imports
    assert not hasattr(layer, "perplexity")


ZERO, ALMOST = "weight is 0", "makes the score almost 0"
SHORT, NONE = "fewer than 4 tokens", "no 4-gram of the hypothesis is in"


@pytest.mark.parametrize(
    ("hypothesis", "weights", "auto_reweigh", "parts"),
    [
        ("a x c y", (0.25,) * 4, False, (NONE, f"{ALMOST}: pass")),
        ("a x c y", (1, 0, 0, 0), False, (NONE, ZERO)),
        ("a b", (0.5, 0.5, 0, 0), False, (SHORT, ZERO)),
        ("a b", (0.25,) * 4, False, (SHORT, f"{ALMOST}: pass")),
        ("a x c y", [(0.5, 0.5), (0.25,) * 4], False, (NONE, ALMOST, "that count this order")),
        ("a x c y", [(1,), (1, 0, 0, 0)], False, (NONE, ZERO)),
        ("a b", (0.25,) * 4, True, (SHORT, ZERO)),
    ],
)
def test_warnings_say_what_is_so(hypothesis, weights, auto_reweigh, parts):
    references, tokens = [["a", "b", "c", "d"]], hypothesis.split()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        layer.sentence_bleu(references, tokens, weights, auto_reweigh=auto_reweigh)
        (message,) = [str(one.message) for one in caught if "4-gram" in str(one.message)]
        caught.clear()
        layer.sentence_bleu_batch([references], [tokens], weights, auto_reweigh=auto_reweigh)
    assert all(part in message for part in parts)
    assert (ALMOST in message) is (ZERO not in message)
    assert auto_reweigh or message in {str(one.message) for one in caught}


def test_swapped_sides_are_named():
    references = [[["the", "cat"]], [["a", "dog"]]]
    hypotheses = [["the", "cat"], ["a", "dog"]]
    first = r"references come first, sentence_bleu_batch\(list_of_references, hypotheses\)"
    with pytest.raises(TypeError, match=first):
        layer.sentence_bleu_batch(hypotheses, references)
    with pytest.raises(TypeError, match="unhashable") as caught:
        layer.sentence_bleu_batch([[["a"]]], [[{}]])
    assert "come first" not in str(caught.value)


@pytest.mark.parametrize("module", [peer, layer])
def test_filters_find_warnings_by_the_name_of_nltks_module(module):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module=r"nltk\.translate")
        module.sentence_bleu([["a", "b"]], ["a", "c"])
        warnings.filterwarnings("default", module=r"nltk\.translate")
        for _ in range(3):
            module.sentence_bleu([["a", "b"]], ["a", "c"])
    assert len(caught) == 3  # orders, not calls


@pytest.mark.parametrize("n", [0, -1, 1.0, 2.0, np.int64(1), np.int64(9), True, None])
@pytest.mark.parametrize("hypothesis", [[], ["a"], ["a", "b", "a"]])
@pytest.mark.parametrize("references", [[["a", "b"]], [[], ["a"]], []])
def test_orders_that_are_none(references, hypothesis, n):
    def counts(module):
        precision = module.modified_precision(references, hypothesis, n)
        return [precision.numerator, precision.denominator]

    assert outcome(counts, layer) == outcome(counts, peer)


@pytest.mark.parametrize("weights", [(), (1,), (0.5, 0.5), [(), (1,)], [(1,), ()]])
@pytest.mark.parametrize("hypothesis", [[], ["a"], ["a", "b"]])
def test_references_and_weights_that_are_none(hypothesis, weights):
    class Listing:
        def __iter__(self):
            return iter([["a", "b"]])

    def arguments(kind, rows, size):
        return [kind(rows) for _ in range(size)], [hypothesis] * size, weights

    kinds = [list, iter, dict.fromkeys, lambda rows: Listing() if rows else ()]
    for one in itertools.product(kinds, ([], [("a", "b")]), (1, 2)):
        same_errors(arguments, *one)


def test_fractions_are_as_odd_as_nltks():
    for a, b in ((2, 4), (0, 5), (4, 4)):
        results = []
        for module in (peer, layer):
            p, half = module.Fraction(a, b), module.Fraction(1, 2)
            copies = p**2, copy.deepcopy(p), pickle.loads(pickle.dumps(p)), p + half
            results.append(
                [str(p), p == half, p != 0, p != 1, (-p).denominator, p.as_integer_ratio(), hash(p)]
                + [(q.numerator, q.denominator, type(q).__name__) for q in copies]
            )
        assert results[0] == results[1]
    assert layer.Fraction("1/2") == 0.5
    assert layer.Fraction(4, 8, _normalize=True).numerator == 1


@pytest.mark.parametrize("instance", [layer.Fraction(1, 2), layer.SmoothingFunction()])
def test_pickles_name_the_public_module(instance):
    names = re.findall(rb"vecbleu[.\w]*", pickle.dumps(instance))
    assert names == [b"vecbleu.nltk"]
    assert type(pickle.loads(pickle.dumps(instance))) is type(instance)


def test_strings_that_compare_in_their_own_way():
    class Unequal(str):
        """A string that is equal to itself alone."""

        __slots__ = ()
        __eq__, __hash__ = object.__eq__, object.__hash__

    for size in (1, 2):
        arguments = [[[Unequal("run"), "a"]]] * size, [[Unequal("run"), "a"]] * size, (1,)
        assert same_outcome("corpus_bleu", *arguments)[1] == 0.5


_float32 = {"epsilon": np.float32(0.1), "k": np.float32(0.1)}
_odd_parameters = [{"epsilon": Fraction(1, 10)}, {"epsilon": 10**30}, _float32, {"k": 0.25}]


@pytest.mark.parametrize("method", ["method1", "method2", "method3", "method4"])
@pytest.mark.parametrize("arguments", _odd_parameters, ids=str)
def test_batches_of_odd_parameters_and_weights_equal_the_loop(arguments, method):
    references = [[["a", "b", "c", "d", str(i)]] for i in range(300)]
    hypotheses = [["a", "b", str(i), "c", "e", "f"][: 2 + i % 5] for i in range(300)]
    theirs, ours = (getattr(m.SmoothingFunction(**arguments), method) for m in (peer, layer))
    for weights in (UNIFORM, np.array(UNIFORM, np.float32) / 3):
        pairs = zip(references, hypotheses, strict=True)
        loop = [peer.sentence_bleu(*pair, weights, theirs) for pair in pairs]
        assert layer.sentence_bleu_batch(references, hypotheses, weights, ours).tolist() == loop


@pytest.mark.parametrize("weights", [(0.25,) * 4, (), (1,)])
@pytest.mark.parametrize(
    ("references", "hypotheses"),
    [
        ([[[{1}]], []], [[[1]], ["a"]]),
        ([[[1]], []], [[{1}], ["a"]]),
        ([[], [["a"]]], [["a"], ["a"]]),
        ([[["a"]], []], [["a"], []]),
        ([np.array(3)], [["a"]]),
    ],
)
def test_the_error_is_that_of_the_first_segment(path, references, hypotheses, weights):
    """References are missing, or tokens have no hash; the kernel has its own words for these."""
    found = raised(layer.corpus_bleu, references, hypotheses, weights)
    expected = raised(peer.corpus_bleu, references, hypotheses, weights)
    if path == "python":
        assert str(found) == str(expected)
    if path == "python" or weights:  # without any, the kernel looks at tokens nevertheless
        assert type(found) is type(expected)


def raised(function, *args):
    with pytest.raises((TypeError, KeyError, ValueError)) as caught:
        function(*args)
    return caught.value


def test_names_of_nltk_lead_to_the_same_functions():
    code = """
        import vecbleu
        named = vecbleu.nltk.translate.bleu_score
        from vecbleu.nltk.translate import bleu, bleu_score
        from vecbleu.nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
        own = vecbleu.nltk
        print(named is bleu_score, bleu is own.sentence_bleu, corpus_bleu is own.corpus_bleu)
        print([*named.__all__] == [*own.__all__], SmoothingFunction is own.SmoothingFunction)
    """
    assert output_of(code) == "True True True\nTrue True\n"
    assert all(hasattr(nltk.translate, name) for name in layer.translate.__all__)

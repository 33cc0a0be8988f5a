"""The NLTK face against NLTK itself: values, types, warnings and exceptions."""

from __future__ import annotations

import copy
import subprocess
import sys
import textwrap
import warnings
from fractions import Fraction

import nltk.translate.bleu_score as peer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import outcome
from strategies import odd_tokens, string_tokens, token_corpora, words

import vecbleu.nltk as face
from vecbleu.nltk import counting

UNIFORM = (0.25, 0.25, 0.25, 0.25)

weight_sets = st.one_of(
    st.sampled_from(
        [
            UNIFORM,
            (1,),
            (0.5, 0.5),
            (0, 0, 0, 1),
            [0.2] * 5,
            (1 / 3,) * 3,
            (),
            [],
            (0.1,) * 7,
            [(0.5, 0.5), (1 / 3,) * 3, UNIFORM],
            [UNIFORM],
            [(1.0,), ()],
        ]
    ),
    st.lists(st.floats(-1, 2), min_size=1, max_size=6).map(tuple),
)
methods = st.sampled_from([None, *(f"method{i}" for i in range(8))])
parameters = st.sampled_from([{}, {"epsilon": 1e-3, "alpha": 2, "k": 3}, {"alpha": 0.5, "k": 0.3}])
corpora = st.one_of(
    token_corpora(max_segments=3),
    token_corpora(odd_tokens, max_segments=3),
    token_corpora(string_tokens, max_segments=2),
    token_corpora(st.sampled_from("ab"), max_segments=2, max_tokens=4),
)


@pytest.fixture(autouse=True, params=["plain", "kernel"], scope="module")
def path(request):
    """Short single segments are counted without the kernel; both ways are tested on all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_FEW_TOKENS", 10**9 if request.param == "plain" else -1)
        yield


def both(name, *args, method=None, arguments=None, **kwargs):
    """The outcome in NLTK and here."""
    outcomes = []
    for module in (peer, face):
        if method is not None:
            smoothing = module.SmoothingFunction(**(arguments or {}))
            kwargs["smoothing_function"] = getattr(smoothing, method)
        outcomes.append(outcome(getattr(module, name), *args, **kwargs))
    return outcomes


@given(corpora, weight_sets, methods, parameters, st.booleans())
def test_corpus_bleu(corpus, weights, method, arguments, reweigh):
    hypotheses, references = corpus
    theirs, ours = both(
        "corpus_bleu",
        references,
        hypotheses,
        weights=weights,
        method=method,
        arguments=arguments,
        auto_reweigh=reweigh,
    )
    assert ours == theirs


@given(corpora, weight_sets, methods, parameters, st.booleans())
def test_sentence_bleu_one_by_one_and_as_a_batch(corpus, weights, method, arguments, reweigh):
    hypotheses, references = corpus
    options = {"weights": weights, "auto_reweigh": reweigh}
    loop = []
    for pair in zip(references, hypotheses, strict=True):
        theirs, ours = both("sentence_bleu", *pair, method=method, arguments=arguments, **options)
        assert ours == theirs
        loop.append(theirs)
    if method is not None:
        options["smoothing_function"] = getattr(face.SmoothingFunction(**arguments), method)
    batch = outcome(face.sentence_bleu_batch, references, hypotheses, **options)
    failures = [result[1] for result in loop if result[0] == "raises"]
    if failures:
        assert batch == ("raises", failures[0])
        return
    assert batch[0] == "returns"
    assert batch[1].dtype == np.float64
    assert batch[1].tolist() == [result[1] for result in loop]
    assert set(batch[3]) == {message for result in loop for message in result[3]}


@given(st.lists(st.lists(words, max_size=5), max_size=3), st.lists(words, max_size=5))
def test_references_of_any_number_none_included(references, hypothesis):
    theirs, ours = both("sentence_bleu", references, hypothesis)
    assert ours == theirs
    theirs, ours = both("corpus_bleu", [[hypothesis], references], [hypothesis, hypothesis])
    assert ours == theirs
    theirs, ours = both("corpus_bleu", [references], [hypothesis, hypothesis])
    assert ours == theirs


@given(corpora, st.integers(1, 6))
def test_modified_precision(corpus, n):
    for hypothesis, references in zip(*corpus, strict=True):
        theirs = peer.modified_precision(references, hypothesis, n)
        ours = face.modified_precision(references, hypothesis, n)
        assert (ours.numerator, ours.denominator) == (theirs.numerator, theirs.denominator)
        assert (float(ours), ours + 1, ours / 3) == (float(theirs), theirs + 1, theirs / 3)
        assert isinstance(ours, face.Fraction)
    theirs, ours = both("modified_precision", [], ["a"] * 6, n)
    assert ours == theirs == ("raises", KeyError)


@given(st.lists(st.lists(words, max_size=9), max_size=4), st.integers(0, 9))
def test_lengths_and_penalties(references, hyp_len):
    theirs, ours = both("closest_ref_length", references, hyp_len)
    assert ours == theirs
    for ref_len in range(10):
        theirs, ours = both("brevity_penalty", ref_len, hyp_len)
        assert ours == theirs


@given(
    st.lists(st.text("the cat.", max_size=12), min_size=1, max_size=3), st.text("the c", max_size=9)
)
def test_strings_are_sequences_of_characters(references, hypothesis):
    theirs, ours = both("sentence_bleu", references, hypothesis)
    assert ours == theirs
    theirs, ours = both("corpus_bleu", [references] * 2, [hypothesis, list(hypothesis)])
    assert ours == theirs
    theirs, ours = both("corpus_bleu", ["ab"], ["ab"])
    assert ours == theirs


@pytest.mark.parametrize(
    "kind", [np.int64, np.int32, np.uint8, np.uint64, np.float64, bool, object]
)
def test_numpy_arrays_of_tokens(kind):
    rng = np.random.default_rng(0)
    hypotheses = [rng.integers(0, 3, size=n).astype(kind) for n in (5, 9, 1)]
    references = [[rng.integers(0, 3, size=n).astype(kind)] for n in (6, 8, 2)]
    theirs, ours = both("corpus_bleu", references, hypotheses)
    assert ours == theirs
    square = rng.integers(0, 3, size=(4, 7)).astype(kind)
    theirs, ours = both("corpus_bleu", square[:, None], square)
    assert ours == theirs


def test_numpy_weights():
    segment = [["the", "cat", "sat"]], ["the", "cat", "lay"]
    for weights in (np.array([0.5, 0.5]), np.array([[0.5, 0.5], [0.3, 0.7]])):
        theirs, ours = both("sentence_bleu", *segment, weights=weights)
        assert ours == theirs
        theirs, ours = both("sentence_bleu", *segment, weights=weights, auto_reweigh=True)
        assert ours == theirs


def test_users_own_smoothing_sees_what_nltk_passes():
    calls = []

    def smooth(p_n, references, hypothesis, hyp_len):
        pairs = [(p.numerator, p.denominator) for p in p_n]
        calls.append((pairs, references, hypothesis, hyp_len))
        return [(p.numerator + 0.5) / (p.denominator + 0.5) for p in p_n]

    references = [[["a", "b", "c"]], [["b", "a"], ["c"]]]
    hypotheses = [["a", "b"], ["b", "c", "a"]]
    scores = [
        module.corpus_bleu(references, hypotheses, smoothing_function=smooth)
        for module in (peer, face)
    ]
    assert scores[0] == scores[1]
    assert calls[0] == calls[1]
    assert calls[0][1:3] == (references[1], hypotheses[1])
    calls.clear()
    loop = [
        peer.sentence_bleu(*pair, smoothing_function=smooth)
        for pair in zip(references, hypotheses, strict=True)
    ]
    batch = face.sentence_bleu_batch(references, hypotheses, smoothing_function=smooth)
    assert batch.tolist() == loop
    assert calls[:2] == calls[2:]


def test_a_subclass_that_overrides_a_method_is_called():
    class Own(face.SmoothingFunction):
        def method1(self, p_n, *args, **kwargs):
            return [0.5 for _ in p_n]

    batch = face.sentence_bleu_batch([[["a"]]], [["a"]], smoothing_function=Own().method1)
    assert batch.tolist() == [0.5]


def test_smoothing_methods_return_what_nltks_do():
    def fractions(module):
        return [module.Fraction(a, b) for a, b in ((3, 4), (1, 3), (0, 2), (0, 1))]

    arguments = {"references": [["a", "b"]], "hypothesis": ["a", "b", "c"], "hyp_len": 3}
    for number in (1, 2, 3, 4, 5, 7):
        results = []
        for module in (peer, face):
            p_n = fractions(module)
            returned = getattr(module.SmoothingFunction(), f"method{number}")(p_n, **arguments)
            results.append(([float(p) for p in returned], [float(p) for p in p_n]))
        assert results[0] == results[1]
    for module in (peer, face):
        with pytest.raises(AssertionError, match="non-zero precision for bigrams"):
            module.SmoothingFunction().method6(fractions(module), **arguments)


def test_batch_of_nothing_and_of_unequal_sides():
    assert face.sentence_bleu_batch([], []).shape == (0,)
    assert face.sentence_bleu_batch([], [], weights=[(1,), (0.5, 0.5)]).shape == (0, 2)
    with pytest.raises(AssertionError, match="should be the same"):
        face.sentence_bleu_batch([[["a"]]], [])
    with pytest.raises(KeyError):
        face.sentence_bleu_batch([[["a"]], []], [["a"], ["a"]])


def test_unhashable_tokens_are_a_type_error():
    theirs, ours = both("corpus_bleu", [[[["a"]]]], [[["a"]]])
    assert ours == theirs == ("raises", TypeError)


def test_a_program_moves_over_by_one_line():
    program = textwrap.dedent("""
        from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
        from nltk.translate import bleu_score
        reference, hypothesis = "the cat sat on the mat".split(), "the cat lay on a mat".split()
        print(sentence_bleu([reference], hypothesis, weights=(0.5, 0.5)))
        for number in range(1, 8):
            smooth = getattr(SmoothingFunction(), f"method{number}")
            try:
                print(corpus_bleu([[reference]] * 2, [hypothesis, reference[:3]],
                                  smoothing_function=smooth))
            except AssertionError as error:
                print(error)
        print(bleu_score.modified_precision([reference], hypothesis, 2).denominator)
        import nltk
        print(nltk.translate.bleu_score.sentence_bleu([reference], hypothesis, weights=(1,)))
        print(bleu_score.__name__)
        print(nltk.translate.bleu_score.__name__)
    """)
    line = 'import sys, vecbleu.nltk; sys.modules["nltk.translate.bleu_score"] = vecbleu.nltk\n'
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for code in (program, line + program)
    ]
    assert outputs[0][:-2] == outputs[1][:-2]
    assert outputs[0][-2:] == ["nltk.translate.bleu_score"] * 2
    assert outputs[1][-2:] == ["vecbleu.nltk"] * 2


def test_a_batch_warns_once_an_order():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        face.sentence_bleu_batch([[["a", "b"]]] * 50, [["a", "c"]] * 50)
    assert len(caught) == 3
    assert all(warning.category is UserWarning for warning in caught)


@pytest.mark.parametrize("module", [peer, face])
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
def test_orders_that_are_none(hypothesis, n):
    for references in ([["a", "b"]], [[], ["a"]], []):
        theirs, ours = both("modified_precision", references, hypothesis, n)
        if theirs[0] == "returns":
            assert (ours[1].numerator, ours[1].denominator) == (
                theirs[1].numerator,
                theirs[1].denominator,
            )
        else:
            assert ours == theirs


@pytest.mark.parametrize("weights", [(), (1,), (0.5, 0.5), [(), (1,)], [(1,), ()]])
@pytest.mark.parametrize("hypothesis", [[], ["a"], ["a", "b"]])
def test_references_and_weights_that_are_none(hypothesis, weights):
    class Listing:
        def __iter__(self):
            return iter([["a", "b"]])

    kinds = [list, iter, dict.fromkeys, lambda rows: Listing() if rows else ()]
    for kind in kinds:
        for rows in ([], [("a", "b")]):
            for size in (1, 2):
                theirs, ours = (
                    outcome(
                        module.corpus_bleu,
                        [kind(rows) for _ in range(size)],
                        [hypothesis] * size,
                        weights,
                    )
                    for module in (peer, face)
                )
                assert ours == theirs
            if theirs[0] == "raises":
                batch = [kind(rows), kind(rows)], [hypothesis] * 2, weights
                assert outcome(face.sentence_bleu_batch, *batch) == theirs


def test_names_that_nltks_module_imports():
    from nltk.util import ngrams

    assert face.ngrams is ngrams
    assert face.Counter is peer.Counter
    assert not hasattr(face, "perplexity")


def test_fractions_are_as_odd_as_nltks():
    for a, b in ((2, 4), (0, 5), (4, 4)):
        results = []
        for module in (peer, face):
            p, half = module.Fraction(a, b), module.Fraction(1, 2)
            results.append(
                [str(p), p == half, p != 0, p != 1, (-p).denominator, p.as_integer_ratio(), hash(p)]
                + [(q.numerator, q.denominator) for q in (p**2, copy.deepcopy(p), p + half)]
            )
        assert results[0] == results[1]
    assert face.Fraction("1/2") == 0.5
    assert face.Fraction(4, 8, _normalize=True).numerator == 1


def test_strings_that_compare_in_their_own_way():
    class Tagged(str):
        def __new__(cls, text, tag):
            self = super().__new__(cls, text)
            self.tag = tag
            return self

        def __eq__(self, other):
            return str.__eq__(self, other) and self.tag == other.tag

        def __hash__(self):
            return hash((str(self), self.tag))

    reference = [Tagged("run", "V"), Tagged("a", "D")]
    hypothesis = [Tagged("run", "N"), Tagged("a", "D")]
    for size in (1, 2):
        arguments = [[reference]] * size, [hypothesis] * size
        assert face.corpus_bleu(*arguments, (1,)) == peer.corpus_bleu(*arguments, (1,)) == 0.5


@pytest.mark.parametrize(
    "options",
    [
        {"epsilon": Fraction(1, 10)},
        {"epsilon": 10**30},
        {"epsilon": np.float32(0.1), "k": np.float32(0.1)},
        {"k": 0.25},
    ],
    ids=str,
)
def test_batches_of_odd_parameters_and_weights_equal_the_loop(options):
    references = [[["a", "b", "c", "d", str(i)]] for i in range(1200)]
    hypotheses = [["a", "b", str(i), "c", "e", "f"][: 2 + i % 5] for i in range(1200)]
    third = np.array((0.25,) * 4, np.float32) / 3
    for weights in (UNIFORM, third):
        for method in ("method1", "method4"):
            smooth = getattr(face.SmoothingFunction(**options), method)
            theirs = getattr(peer.SmoothingFunction(**options), method)
            batch = face.sentence_bleu_batch(references, hypotheses, weights, smooth)
            pairs = zip(references, hypotheses, strict=True)
            loop = [peer.sentence_bleu(*pair, weights, theirs) for pair in pairs]
            assert batch.tolist() == loop


def test_batches_reweigh_numpy_weights_like_the_loop():
    arguments = [[["a", "b", "c", "d"]]], [["a", "b", "c", "d"]]
    for weights in (np.array([0.25] * 4), np.array([0.5, 0.5])):
        batch = face.sentence_bleu_batch(*arguments, weights, None, True)
        assert batch.tolist() == [1.0]

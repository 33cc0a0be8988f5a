"""Paired tests and intervals by sacreBLEU's names, against sacreBLEU with the same draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sacrebleu as peer
import sacrebleu.significance as theirs
from corpora import noisy_systems, read_lines
from hypothesis import given
from hypothesis import strategies as st
from peers import same_digits

import vecbleu.sacrebleu as layer
from vecbleu.sacrebleu import significance as ours

DATA = Path(__file__).parent.parent / "data" / "en"

REFERENCES, OUTPUTS = noisy_systems(60, (0.3, 0.35, 0.6))
SYSTEMS = [*zip(("one", "two", "three"), OUTPUTS, strict=True)]
STREAMS = [REFERENCES, [None, *REFERENCES[:0:-1]]]

numbers = st.lists(st.floats(0, 100), min_size=1, max_size=90)


@pytest.fixture(autouse=True)
def _no_seed(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)


def assert_same_results(found, expected):
    """Equal scores and p-values; what is resampled, sacreBLEU rounds to float32."""
    assert found.keys() == expected.keys()
    assert found["System"] == expected["System"]
    for name in {*found} - {"System"}:
        for one, other in zip(found[name], expected[name], strict=True):
            assert same_digits(one.score, other.score)
            assert one.p_value == other.p_value
            assert vars(one).keys() == vars(other).keys()
            for part in ("mean", "ci"):
                resampled, rounded = getattr(one, part), getattr(other, part)
                assert (resampled is None) == (rounded is None)
                if rounded is not None:
                    assert resampled == pytest.approx(rounded, rel=1e-5, abs=1e-4), part


def without_version(signatures):
    return {name: str(one).partition("|version")[0] for name, one in signatures.items()}


@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("confidence", [-1, 0, 50])
@pytest.mark.parametrize("seed", [None, "007"])
@pytest.mark.parametrize("options", [{}, {"smooth_method": "add-k", "max_ngram_order": 2}])
def test_paired_tests(test, confidence, seed, options, monkeypatch):
    if seed is not None:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
    arguments = STREAMS, test, 199, confidence
    found = ours.PairedTest(SYSTEMS, {"BLEU": layer.BLEU(**options)}, *arguments)()
    expected = theirs.PairedTest(SYSTEMS, {"BLEU": peer.BLEU(**options)}, *arguments)()
    assert_same_results(found[1], expected[1])
    if "max_ngram_order" not in options:
        assert without_version(found[0]) == without_version(expected[0])


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_real_systems(test):
    systems = [(name, read_lines(DATA / f"sys.{name}.en")) for name in ("good", "fair", "poor")]
    streams = [read_lines(DATA / f"ref.{name}.en") for name in "AB"]
    found, expected = (
        module.PairedTest(systems, {"BLEU": metric}, streams, test, 300)()[1]
        for module, metric in ((ours, layer.BLEU()), (theirs, peer.BLEU()))
    )
    assert_same_results(found, expected)


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_each_package_tests_the_metrics_of_the_other(test):
    arguments = None, test, 99, 30
    mixed = {"BLEU": layer.BLEU(references=STREAMS), "chrF": peer.CHRF(references=STREAMS)}
    own = {"BLEU": peer.BLEU(references=STREAMS), "chrF": peer.CHRF(references=STREAMS)}
    expected = theirs.PairedTest(SYSTEMS, own, *arguments)()
    for module in (ours, theirs):
        signatures, scores = module.PairedTest(SYSTEMS, mixed, *arguments)()
        assert_same_results(scores, expected[1])
        assert without_version(signatures) == without_version(expected[0])
        assert [*scores] == ["System", "BLEU", "chrF2"]
    assert all(
        type(one) is ours.Result for one in ours.PairedTest(SYSTEMS, mixed, None)()[1]["chrF2"]
    )


def test_metrics_that_score_otherwise_are_tested_as_they_score():
    class HalfScores:
        def _compute_score_from_stats(self, stats):
            score = super()._compute_score_from_stats(stats)
            score.score /= 2
            return score

    class NoX:
        def _preprocess_segment(self, sent):
            return super()._preprocess_segment(sent.replace("x", ""))

    for hook in (HalfScores, NoX):
        metrics = [type("M", (hook, m.BLEU), {})(references=STREAMS) for m in (layer, peer)]
        found, expected = (
            module.PairedTest(SYSTEMS, {"BLEU": metric}, None, "bs", 99)()[1]
            for module, metric in zip((ours, theirs), metrics, strict=True)
        )
        assert_same_results(found, expected)


def test_on_purpose_p_is_1_for_equal_scores_and_0_is_a_seed(monkeypatch):
    systems = [SYSTEMS[0], ("again", OUTPUTS[0]), SYSTEMS[1]]
    for test in ("ar", "bs"):
        found = ours.PairedTest(systems, {"BLEU": layer.BLEU()}, STREAMS, test, 99)()[1]["BLEU"]
        expected = theirs.PairedTest(systems, {"BLEU": peer.BLEU()}, STREAMS, test, 99)()[1]["BLEU"]
        assert (found[1].p_value, expected[1].p_value) == (1.0, 0.01)
        assert found[2].p_value == expected[2].p_value
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    runs = [
        ours.PairedTest(SYSTEMS, {"BLEU": layer.BLEU()}, STREAMS, "bs", 99)()[1] for _ in range(2)
    ]
    assert str(runs[0]) == str(runs[1])


def test_one_system_alone():
    found, expected = (
        module.PairedTest(SYSTEMS[:1], {"BLEU": layer.BLEU()}, STREAMS, "ar", 99, 20)()
        for module in (ours, theirs)
    )
    assert_same_results(found[1], expected[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"BLEU": layer.BLEU()}, STREAMS, "rs"), "test_type is 'rs', expected one of ar, bs"),
        (({"a": layer.BLEU(), "b": layer.BLEU()}, STREAMS), "gives scores of the name 'BLEU'"),
        (({"BLEU": layer.BLEU()}, [REFERENCES[1:]]), "hypotheses has 60 segments but references"),
    ],
)
def test_misuse_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ours.PairedTest(SYSTEMS, *arguments)()


@given(numbers)
def test_intervals(scores):
    mean, half_width = theirs.estimate_ci(np.array(scores))
    assert ours.estimate_ci(scores) == (pytest.approx(mean, rel=1e-12), half_width)


@given(numbers, st.floats(0, 100))
def test_p_values(stats, real):
    expected = theirs._compute_p_value(np.array(stats), real)
    assert (
        ours._compute_p_value(stats, real)
        == expected
        == ours._compute_p_value(np.array(stats), real)
    )


def test_resampled_scores_of_any_metric():
    for metric in (layer.BLEU(), peer.CHRF()):
        stats = metric._extract_corpus_statistics(OUTPUTS[0], STREAMS)
        (seed, found), (name, expected) = (
            module._bootstrap_resample(stats, metric, 40) for module in (ours, theirs)
        )
        assert seed == name
        scores, others = ([one.score for one in some] for some in (found, expected))
        assert scores == pytest.approx(others, rel=1e-5)


@given(st.tuples(*[st.none() | st.floats(0, 1)] * 3), st.floats(0, 100))
def test_results(others, score):
    assert repr(ours.Result(score, *others)) == repr(theirs.Result(score, *others))
    assert vars(ours.Result(score, *others)) == vars(theirs.Result(score, *others))


def test_results_are_printed_by_sacrebleus_table(capsys):
    from argparse import Namespace

    options = Namespace(format="text", width=2, paired_bs=True, paired_ar=False, paired_bs_n=99)
    printed = []
    for module, metric in ((ours, layer.BLEU()), (theirs, peer.BLEU())):
        signatures, scores = module.PairedTest(SYSTEMS, {"BLEU": metric}, STREAMS, "bs", 99)()
        scores["System"][0] = "Baseline: one"
        layer.utils.print_results_table(scores, signatures, options)
        printed.append(capsys.readouterr().out.partition("Metric signatures")[0])
    assert printed[0] == printed[1]
    assert "three" in printed[0]

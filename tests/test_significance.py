from __future__ import annotations

import json
import math
import pickle
import re
import sys
from dataclasses import fields, replace
from typing import ClassVar, get_type_hints

import numpy as np
import pytest
import sacrebleu as peer
from corpora import noisy_systems
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest, estimate_ci
from strategies import IS_LONG

import vecbleu
import vecbleu.significance as significance
from vecbleu import analysis
from vecbleu.significance import resampling
from vecbleu.significance.products import write_product
from vecbleu.significance.resampling import DrawOptions, draw_sums, side_by_side

SHARES = 0.2, 0.22, 0.4


def counted(size=120, shares=SHARES, **options):
    references, systems = noisy_systems(size, shares)
    return [vecbleu.statistics(lines, references, **options) for lines in systems]


@pytest.mark.parametrize("size", [1, 7, 120])
@pytest.mark.parametrize("resamples", [1, 39, 40, 500])
def test_intervals_are_sacrebleus(size, resamples):
    references, (lines, *_) = noisy_systems(size, SHARES)
    found = significance.bootstrap(counted(size)[0], resamples=resamples, smoothing="exp")
    metric = peer.BLEU(force=True)
    table = metric._extract_corpus_statistics(lines, [references])
    _, scores = peer.significance._bootstrap_resample(table, metric, resamples)
    scores = np.array([one.score for one in scores])
    assert 100 * found.resampled == pytest.approx(scores, rel=1e-5, abs=1e-5)
    mean, confidence = estimate_ci(scores)
    assert 100 * found.mean == pytest.approx(mean, rel=1e-5)
    assert 100 * found.half_width == pytest.approx(confidence, rel=1e-4, abs=1e-4)
    assert 100 * found.score == pytest.approx(metric.corpus_score(lines, [references]).score)


@pytest.mark.parametrize("tokenize", ["13a", "char"])
@pytest.mark.parametrize(("kind", "count"), [("bs", 300), ("ar", 700)])
def test_paired_tests_are_sacrebleus(tokenize, kind, count):
    references, systems = noisy_systems(120, SHARES)
    named = [(f"system {number}", lines) for number, lines in enumerate(systems)]
    metric = peer.BLEU(force=True, references=[references], tokenize=tokenize)
    test = PairedTest(named, {"BLEU": metric}, None, test_type=kind, n_samples=count)
    theirs = test()[1]["BLEU"]
    ours = counted(tokenize=tokenize)
    if kind == "bs":
        found = significance.paired_bootstrap(ours, resamples=count, smoothing="exp")
        assert 100 * found.means == pytest.approx([one.mean for one in theirs], rel=1e-5)
        half = 50 * (found.upper - found.lower)
        assert half == pytest.approx([one.ci for one in theirs], rel=1e-4)
    else:
        found = significance.paired_randomization(ours, trials=count, smoothing="exp")
        assert found.means is None
    assert found.p_values[1:].tolist() == [one.p_value for one in theirs[1:]]
    assert math.isnan(found.p_values[0])
    assert 100 * found.scores == pytest.approx([one.score for one in theirs], rel=1e-12)
    assert found.differences.tolist() == pytest.approx((found.scores - found.scores[0]).tolist())


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_all_pairs_are_comparisons_with_each_baseline(test):
    named = dict(zip("abcd", counted(60, (0.1, 0.2, 0.3, 0.3)), strict=True))
    found = significance.all_pairs(named, test=test, resamples=200)
    for place, name in enumerate(named):
        if test == "bootstrap":
            one = significance.paired_bootstrap(named, baseline=name, resamples=200)
        else:
            one = significance.paired_randomization(named, baseline=name, trials=200)
        assert np.array_equal(found.p_values[place], one.p_values, equal_nan=True)
        assert np.array_equal(found.differences[:, place], one.differences)
    upper = np.triu_indices(4, 1)
    assert found.holm[upper].tolist() == significance.holm(found.p_values[upper]).tolist()
    assert np.array_equal(found.benjamini_hochberg, found.benjamini_hochberg.T, equal_nan=True)
    assert found.names == ("a", "b", "c", "d")


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize("sides", [1, 2])
def test_identical_systems_do_not_differ(test, sides):
    one, _, other = counted()
    found = significance.all_pairs([one, one, other], test=test, sides=sides, resamples=100)
    assert found.p_values[0, 1] == 1
    assert found.p_values[0, 2] == found.p_values[1, 2] == 1 / 101
    assert found.clusters().tolist() == [1, 1, 2]


@pytest.mark.parametrize("size", [1, 2, 31, 33, 64, 100])
@pytest.mark.parametrize("batch", [None, 1, 5, 32, 1000])
def test_draws_do_not_depend_on_batches(size, batch, monkeypatch):
    table = np.random.default_rng(1).integers(0, 9, size=(size, 3)).astype(np.float64)
    drawn = np.random.default_rng(3).choice(size, size=(70, size), replace=True)
    found = draw_sums(table, DrawOptions("bootstrap", 70, 3, batch))
    assert np.array_equal(found, table[drawn].sum(axis=1))
    selected = np.random.default_rng(3).integers(2, size=(70, size), dtype=bool)
    randomization = DrawOptions("randomization", 70, 3, batch)
    assert np.array_equal(draw_sums(table, randomization), selected @ table)
    monkeypatch.setattr(resampling, "_NUMBERS_AT_ONCE", 100)
    assert np.array_equal(draw_sums(table, randomization), selected @ table)


class Multiplied(np.ndarray):
    """An array that notes how many multiply-adds each of its matrix products has."""

    noted: ClassVar[list[int]] = []

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        inputs, out = ([np.asarray(one) for one in group] for group in (inputs, out))
        if ufunc is np.matmul:
            self.noted.append(math.prod(inputs[0].shape[-2:]) * inputs[1].shape[-1])
        options |= {"out": (*out,)} if out else {}
        return getattr(ufunc, method)(*inputs, **options)


@given(
    st.sampled_from([1, 2, 3, 64, 65, 1000]),
    st.sampled_from([1, 2, 50, 51, 103, 2000, 4097, 30000]),
    st.sampled_from([4, 10, 80, 82, 160, 1000]),
    st.sampled_from([np.float32, np.float64]),
)
@settings(max_examples=30)
def test_products_are_exact_and_of_at_most_the_size_of_one_thread(draws, size, columns, dtype):
    assume(draws * size * columns <= 2**26)
    rng = np.random.default_rng(draws + size)
    times = rng.integers(4, size=(draws, size))
    table = rng.integers(2**24 // (4 * size), size=(size, columns))
    found = np.empty((draws, columns))
    Multiplied.noted.clear()
    write_product(times.astype(dtype).view(Multiplied), table.astype(dtype), found)
    assert np.array_equal(found, times @ table)
    assert 0 < max(Multiplied.noted) <= 2**18


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([2**23, 5], np.float32),
        ([2**23 + 1, 5], np.float64),
        ([2.5, 5.0], np.float64),  # means
        ([2**52, 2**52], np.float64),
        ([2**62, 2**62], np.float64),
    ],
)
def test_sums_of_drawn_rows_are_exact(lengths, expected):
    totals = np.ones((2, 4), int)
    table = vecbleu.Statistics(totals[:, 0], np.array(lengths), totals, totals)
    rows = side_by_side([table, table])
    assert rows.dtype == expected
    drawn = np.random.default_rng(0).choice(2, size=(200, 2))
    options = DrawOptions("bootstrap", 200, 0)
    expected_sums = table.to_array().astype(np.float64)[drawn].sum(axis=1)
    assert np.array_equal(draw_sums(rows, options), np.tile(expected_sums, 2))
    assert np.array_equal(draw_sums(table.to_array(), options), expected_sums)


def test_generators_and_seeds():
    table, *_ = counted()

    def means(rng):
        return significance.bootstrap(table, resamples=9, rng=rng).mean

    assert means(0) == means(np.int64(0)) == means(np.random.default_rng(0)) != means(1)
    assert len({means(None) for _ in range(5)}) > 1
    one = np.random.default_rng(0)
    assert means(one) != means(one)


@given(st.integers(1, 400), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]))
def test_intervals_hold_their_share_of_the_scores(resamples, level):
    found = significance.bootstrap(counted(7)[0], resamples=resamples, level=level)
    outside = int(resamples * round((1 - level) * 100) / 200)
    assert (found.resampled < found.lower).sum() <= outside
    assert (found.resampled > found.upper).sum() <= outside
    ranked = np.sort(found.resampled)
    assert (found.lower, found.upper) == (ranked[outside], ranked[resamples - outside - 1])
    assert found.level == level


def test_the_jackknife_leaves_each_segment_out():
    table, *_ = counted(30)
    options = {"smoothing": "floor", "smoothing_value": 0.2}
    found = significance.jackknife(table, **options)
    every = np.arange(30)
    expected = [vecbleu.bleu(table[every != one].sum(), **options).item() for one in range(30)]
    assert found.without.tolist() == expected
    assert found.influence.tolist() == [found.score - one for one in expected]
    mean = sum(expected) / 30
    error = math.sqrt(29 / 30 * sum((one - mean) ** 2 for one in expected))
    assert found.standard_error == pytest.approx(error)
    assert found.bias == pytest.approx(29 * (mean - found.score))
    assert significance.jackknife(table[:1]).without.tolist() == [0]


RATES = [("bootstrap", 1, 0.1), ("bootstrap", 2, 0.05), ("randomization", 2, 0.05)]


def error_pair(rng, gain=0.0):
    """Two systems that err alike, but for what the second gains in the probability of a match."""
    lengths = rng.integers(5, 40, size=150)
    totals = np.maximum(lengths[:, None] - np.arange(4), 0)
    ours = []
    for added in (0.0, gain):
        chances = np.array([0.6, 0.4, 0.3, 0.2]) + added
        matches = np.minimum.accumulate(rng.binomial(totals, chances), axis=1)
        columns = [lengths[:, None], lengths[:, None], matches, totals]
        ours.append(vecbleu.Statistics.from_array(np.concatenate(columns, axis=1)))
    return ours


@pytest.mark.parametrize(("test", "sides", "rate"), RATES)
def test_false_positives_at_a_level_of_5_percent(test, sides, rate):
    """1,000 pairs of systems that err alike (100 of randomization but in the long profile).

    sacreBLEU's rule asks for one tail of two: see `paired_bootstrap`.
    """
    pairs = 1000 if IS_LONG or test == "bootstrap" else 100
    rng = np.random.default_rng(8)
    false = 0
    for _ in range(pairs):
        options = {"test": test, "sides": sides, "resamples": 199, "rng": rng}
        found = significance.all_pairs(error_pair(rng), **options)
        false += bool(found.p_values[0, 1] <= 0.05)
    assert abs(false / pairs - rate) <= 4 * math.sqrt(rate * (1 - rate) / pairs)


@pytest.mark.parametrize(("test", "sides", "rate"), RATES)
def test_systems_that_differ_are_found_to_differ(test, sides, rate):
    rng = np.random.default_rng(9)
    for _ in range(5):
        found = significance.all_pairs(error_pair(rng, 0.1), test=test, sides=sides, resamples=199)
        assert found.p_values[0, 1] == 1 / 200


def test_two_sides_are_those_of_the_shifted_differences():
    """As the definition says, segment by segment, in plain Python."""
    ours = counted(30)
    rng = np.random.default_rng(5)
    drawn = [[], [], []]
    for _ in range(60):
        rows = rng.choice(30, size=30)
        for scores, table in zip(drawn, ours, strict=True):
            scores.append(100 * float(vecbleu.bleu(table[rows].sum(), smoothing="exp")))
    own = [100 * float(vecbleu.bleu(table.sum(), smoothing="exp")) for table in ours]
    found = significance.all_pairs(ours, sides=2, resamples=60, rng=5, smoothing="exp")
    for one, other in [(0, 1), (0, 2), (1, 2)]:
        differences = [a - b for a, b in zip(drawn[one], drawn[other], strict=True)]
        mean, real = sum(differences) / 60, abs(own[one] - own[other])
        larger = sum(abs(difference - mean) >= real for difference in differences)
        assert found.p_values[one, other] == found.p_values[other, one] == (larger + 1) / 61
    compared = significance.paired_bootstrap(ours, sides=2, resamples=60, rng=5, smoothing="exp")
    assert compared.p_values[1:].tolist() == found.p_values[0, 1:].tolist()


def test_sides_are_of_the_bootstrap():
    ours = counted(30)
    same = [significance.all_pairs(ours, test="randomization", resamples=99, sides=sides)
            for sides in (1, 2)]  # fmt: skip
    assert same[0] == same[1]
    assert significance.all_pairs(ours, resamples=99) == significance.all_pairs(
        ours, resamples=99, sides=1
    )


@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusted_p_values_are_those_of_their_definitions(values):
    count = len(values)
    ranked = sorted(range(count), key=lambda index: values[index])
    holm, hochberg = [0.0] * count, [0.0] * count
    for rank, index in enumerate(ranked):
        before, after = range(rank + 1), range(rank, count)
        holm[index] = min(1.0, max((count - one) * values[ranked[one]] for one in before))
        hochberg[index] = min(1.0, *(count / (one + 1) * values[ranked[one]] for one in after))
    assert significance.holm(values).tolist() == pytest.approx(holm)
    assert significance.benjamini_hochberg(values).tolist() == pytest.approx(hochberg)


def test_no_test_is_no_test_among_several():
    adjusted = significance.holm([math.nan, 0.02, 0.5])
    assert np.array_equal(adjusted, [math.nan, 0.04, 0.5], equal_nan=True)


def test_clusters_are_cut_where_all_above_beat_all_below():
    p = np.ones((4, 4))

    def differ(*pairs):
        for one, other in pairs:
            p[one, other] = p[other, one] = 0.01

    scores = [4.0, 3.0, 2.0, 1.0]
    differ((0, 1), (0, 2), (0, 3))
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 2]
    differ((1, 3))  # 2 and 3 do not differ, so nothing is cut between 1 and 3
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 2]
    differ((2, 3))
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 3]
    assert significance.clusters(scores, p, level=0.01).tolist() == [1] * 4
    assert significance.clusters(scores[::-1], p[::-1, ::-1]).tolist() == [3, 2, 2, 1]


def test_weights_and_smoothing_reach_the_scores():
    ours = counted(20)
    for options in ({"weights": (0.5, 0.5)}, {"smoothing": "add-k"}, {"effective_order": True}):
        scores = [float(vecbleu.bleu(table.sum(), **options)) for table in ours]
        found = significance.paired_bootstrap(ours, resamples=9, **options)
        assert found.scores.tolist() == pytest.approx(scores, rel=1e-15)
        alone = significance.bootstrap(ours[0], resamples=9, **options)
        assert alone.score == pytest.approx(scores[0], rel=1e-15)


def results():
    """A result of each kind, with labels that equal nothing."""
    ours = counted(20)
    labels = [math.nan, ("a", math.nan), np.datetime64("NaT", "s"), None] * 5
    return [
        significance.bootstrap(ours[0], resamples=9),
        significance.jackknife(ours[0]),
        significance.paired_bootstrap(ours, resamples=9),
        significance.paired_randomization(ours, trials=9),
        significance.all_pairs(ours, resamples=9),
        analysis.segment_differences(ours[:2]),
        analysis.segment_influences(ours),
        analysis.score_buckets(ours, labels),
        analysis.score_buckets(ours),
    ]


@pytest.mark.parametrize("result", results(), ids=lambda result: type(result).__name__)
def test_results_are_records(result):
    kind = type(result)
    names = [field.name for field in fields(kind)]
    public = analysis if hasattr(analysis, kind.__name__) else significance
    assert getattr(public, kind.__name__) is kind
    assert kind.__module__ == public.__name__
    assert [*get_type_hints(kind)] == names
    assert [*json.loads(json.dumps(result.to_dict(), allow_nan=False))] == names
    assert len(repr(result)) < 200
    for change in (names[0], "more"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(result, change, 1)
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert result != (other := replace(result, **{names[-1]: -1.0}))
    assert other != result
    for name in (name for name in names if isinstance(getattr(result, name), np.ndarray)):
        assert replace(result, **{name: getattr(result, name)[:-1]}) != result
    assert result != result.to_dict()
    assert {result: 1}[copy] == 1


def test_errors_name_what_is_wrong():
    ours = counted(20)
    compare = significance.paired_bootstrap
    for wrong, error, message in [
        (lambda: compare(ours[:1]), ValueError, "systems has 1"),
        (lambda: compare(5), TypeError, "systems is int"),
        (lambda: compare([ours[0], 5]), TypeError, r"systems\[1\] is int"),
        (lambda: compare({"a": ours[0], "b": 5}), TypeError, r"systems\['b'\] is int"),
        (lambda: compare([ours[0], ours[1][:9]]), ValueError, "system 1 has 9 .* 0 has 20"),
        (lambda: compare(ours, baseline="b"), ValueError, "baseline is 'b'"),
        (lambda: compare(ours, baseline=3), ValueError, "baseline is 3, expected 0 to 2"),
        (lambda: compare(ours, baseline=1.0), TypeError, "baseline is 1.0, .* integer or a name"),
        (lambda: compare(ours, resamples=0), ValueError, "resamples is 0"),
        (lambda: compare(ours, resamples=1.5), TypeError, "resamples is 1.5"),
        (lambda: compare(ours, batch=0), ValueError, "batch is 0"),
        (lambda: compare(ours, sides=3), ValueError, "sides is 3, expected 1 to 2"),
        (lambda: compare(ours, sides=True), TypeError, "sides is True, expected an integer"),
        (lambda: significance.all_pairs(ours, sides="2"), TypeError, "sides is '2'"),
        (lambda: compare(ours, smooth="exp"), TypeError, "unexpected keyword argument 'smooth'"),
        (lambda: compare(ours, smoothing="x"), ValueError, "smoothing is 'x'"),
        (lambda: compare(ours, weights=[(1,), (1, 2)]), ValueError, "weights has 2 sets"),
        (lambda: significance.bootstrap(ours[0].sum()), ValueError, "not a sum"),
        (lambda: significance.bootstrap(ours[0][:0]), ValueError, "statistics has 0 segments"),
        (lambda: significance.bootstrap(ours[0], level=1), ValueError, "level is 1"),
        (lambda: significance.bootstrap(ours[0], level="1"), TypeError, "level is '1'"),
        (lambda: significance.all_pairs(ours, test="t"), ValueError, "test is 't'"),
        (lambda: significance.all_pairs(ours, test="bs"), ValueError, "; pass 'bootstrap'$"),
        (lambda: significance.all_pairs(ours, test="ar"), ValueError, "; pass 'randomization'$"),
        (lambda: significance.all_pairs(ours, trials=9), ValueError, "pass resamples=9, or test="),
        (
            lambda: significance.all_pairs(ours, test="randomization", trials=9, resamples=9),
            ValueError,
            "trials is 9 and resamples 9; pass one of them",
        ),
        (lambda: significance.holm([0.5, 1.5]), ValueError, r"p_values\[1\] is 1.5"),
        (lambda: significance.benjamini_hochberg([[0.5]]), ValueError, "2 dimensions"),
        (lambda: significance.clusters([2, 1], [[1, 1]]), ValueError, "scores has shape"),
        (lambda: compare(ours, rng="1"), TypeError, "rng is '1'"),
        (lambda: compare(ours, rng=1.0), TypeError, "rng is 1.0"),
        (lambda: compare(ours, rng=True), TypeError, "rng is True"),
        (lambda: compare(ours, rng=-1), ValueError, "rng is -1"),
    ]:
        with pytest.raises(error, match=message):
            wrong()


HOSTILE = ["a_b & 50%", "[x]", "tab\there", "{\\cmd}"]


def cells(latex):
    """Rows of cells of a LaTeX table, as a reader of LaTeX would cut it; comments left out."""
    lines = [line for line in latex.split("\n") if not line.startswith("%")]
    assert re.fullmatch(r"\\begin\{tabular\}\{lr*\}", lines[0])
    assert [lines[1], lines[3], *lines[-2:]] == [
        "\\toprule", "\\midrule", "\\bottomrule", "\\end{tabular}",
    ]  # fmt: skip
    rows = [lines[2], *lines[4:-2]]
    assert all(row.endswith(" \\\\") for row in rows)
    assert not any(row.startswith(("[", "*")) for row in rows)
    found = [re.split(r"(?<!\\)&", row.removesuffix(" \\\\")) for row in rows]
    assert {len(row) for row in found} == {len(lines[0][len("\\begin{tabular}{") : -1])}
    return [[cell.strip() for cell in row] for row in found]


@pytest.mark.parametrize("result", results(), ids=lambda result: type(result).__name__)
def test_results_become_latex(result):
    table = cells(result.to_latex(decimals=2))
    assert len(table) > 1
    for wrong, error in ((-1, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="decimals is"):
            result.to_latex(wrong)


def test_latex_marks_the_best_and_those_that_are_not_worse():
    one, two, poor = counted(100)
    systems = {HOSTILE[0]: two, HOSTILE[1]: one, HOSTILE[2]: poor, HOSTILE[3]: one}
    found = significance.all_pairs(systems, resamples=200)
    header, *rows = cells(found.to_latex(decimals=3))
    assert header == ["System", "BLEU", "Cluster"]
    names = [r"{}[x]", r"\{\textbackslash{}cmd\}", r"a\_b \& 50\%", r"tab\textbackslash{}there"]
    order = np.argsort(-found.percents, kind="stable").tolist()
    assert [row[0] for row in rows] == names
    for row, place in zip(rows, order, strict=True):
        best = max(found.percents)
        is_best = found.percents[place] == best
        close = not is_best and found.p_values[place, order[0]] >= 0.05
        shown = f"{found.percents[place]:.3f}"
        expected = rf"\textbf{{{shown}}}" if is_best else shown
        assert row[1] == expected + r"$^{\dagger}$" * bool(close)
        assert row[2] == str(found.clusters()[place])
    assert "dagger" in rows[2][1] or found.p_values[0, 1] < 0.05
    everybody = found.to_latex(level=0)  # at which no system is worse
    assert everybody.count("dagger") == 2


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_latex_of_a_comparison_marks_what_differs_from_the_baseline(test):
    systems = dict(zip(HOSTILE, counted(100), strict=False))
    if test == "bootstrap":
        found = significance.paired_bootstrap(systems, baseline=1, resamples=200)
    else:
        found = significance.paired_randomization(systems, baseline=1, trials=200)
    header, *rows = cells(found.to_latex())
    has_interval = test == "bootstrap"
    assert header == ["System", "BLEU", *([r"95\% CI"] * has_interval), r"$\Delta$", "$p$"]
    for place, row in enumerate(rows):
        assert ("$^{*}$" in row[1]) == bool(found.p_values[place] < 0.05)
        assert ("textbf" in row[1]) == (found.percents[place] == found.percents.max())
        if place == 1:
            assert row[-2:] == ["", ""]
        else:
            assert row[-2] == f"${100 * found.differences[place]:+.1f}$"
            assert row[-1] == f"{found.p_values[place]:.3f}"  # all are 1/201 or more
        if has_interval:
            assert row[2] == f"{100 * found.lower[place]:.1f}--{100 * found.upper[place]:.1f}"


def test_latex_has_no_p_value_of_zero():
    systems = dict(zip("abc", counted(100), strict=True))
    found = significance.paired_randomization(systems, trials=3000)
    _, *rows = cells(found.to_latex())
    assert found.p_values[2] == 1 / 3001
    assert rows[2][-1] == r"\ensuremath{<}0.001"


def test_latex_of_groups_marks_the_best_of_each():
    ours = dict(zip("abc", counted(100), strict=True))
    found = analysis.score_buckets(ours, ["x_1", "y"] * 50)
    header, *rows = cells(found.to_latex())
    assert header == ["System", r"x\_1 (50)", "y (50)"]
    for column in range(2):
        scores = found.percents[:, column]
        expected = [f"{s:.1f}" if s < max(scores) else rf"\textbf{{{s:.1f}}}" for s in scores]
        assert [row[column + 1] for row in rows] == expected


@pytest.mark.parametrize("result", results(), ids=lambda result: type(result).__name__)
def test_results_become_data_frames(result):
    pytest.importorskip("pandas")
    frame = result.to_dataframe()
    assert len(frame) > 0
    assert frame.columns.is_unique
    if isinstance(result, significance.AllPairs):
        matrix = frame.pivot(index="system", columns="other", values="p_value")
        matrix = matrix.loc[[*result.names], [*result.names]]
        assert np.array_equal(matrix.to_numpy(), result.p_values, equal_nan=True)
        assert len(frame) == len(result.names) * (len(result.names) - 1)
    elif isinstance(result, significance.Comparison):
        assert frame["system"].tolist() == [*result.names]
        assert frame["score"].tolist() == result.scores.tolist()
        assert np.array_equal(frame["p_value"], result.p_values, equal_nan=True)
        assert ("lower" in frame.columns) == (result.lower is not None)
    elif isinstance(result, analysis.Buckets):
        assert frame["score"].tolist() == result.scores.ravel().tolist()
        assert frame["segments"].tolist() == [*result.sizes] * len(result.names)
    elif isinstance(result, analysis.Differences):
        assert frame["segment"].tolist() == result.order.tolist()
        assert frame["influence"].tolist() == result.influences[result.order].tolist()
    elif isinstance(result, analysis.Influences):
        frames = [frame[frame["system"] == name] for name in result.names[1:]]
        for own, one in zip(frames, result.influences[1:], strict=True):
            assert own["influence"].tolist() == one.tolist()
            assert own["segment"].tolist() == [*range(len(one))]
    elif isinstance(result, significance.Jackknife):
        assert frame["influence"].tolist() == result.influence.tolist()
    elif isinstance(result, significance.Interval):
        assert frame[["lower", "upper"]].to_numpy().tolist() == [[result.lower, result.upper]]


def test_data_frames_need_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        significance.bootstrap(counted(5)[0], resamples=3).to_dataframe()


def test_a_single_row_is_a_table():
    pytest.importorskip("pandas")
    (row, *_) = analysis.ngram_differences([["a b c"], ["a b d"]], ["a b c"]).rows
    frame = row.to_dataframe()
    assert len(frame) == 1
    assert row.to_latex().count(r" \\") == 2


def test_names_are_shown_escaped():
    systems = {
        "a\x1b[31m": vecbleu.statistics(["a b c d"], ["a b c d"]),
        "b\n": vecbleu.statistics(["a b c x"], ["a b c d"]),
    }
    assert str(significance.paired_bootstrap(systems, resamples=10)).isprintable()
    found = significance.all_pairs(systems, resamples=10)
    assert repr(found).isprintable()
    assert all(map(str.isprintable, str(found).splitlines()))
    assert len(str(found).splitlines()) == 3


@pytest.mark.parametrize("systems", [2, 10, 11])
def test_a_leaderboard_is_printed_and_has_columns(systems):
    rows = counted(60)[0]
    better = counted(60)[1]
    mixed = {
        f"s{count}": vecbleu.Statistics.concatenate([better[:count], rows[count:]])
        for count in range(systems)
    }
    found = significance.all_pairs(mixed, resamples=50)
    order = np.argsort(-found.percents, kind="stable").tolist()
    header, *lines = str(found).splitlines()[: systems + 1]
    assert header.split()[:3] == ["system", "score", "cluster"]
    for rank, (place, line) in enumerate(zip(order, lines, strict=True), 1):
        above = order[: rank - 1] if systems <= 10 else order[: min(rank - 1, 1)]
        shown = [f"{found.p_values[place, other]:.3f}" for other in above]
        cluster = str(found.clusters()[place])
        own = [str(rank), found.names[place], f"{found.scores[place]:.4f}", cluster]
        assert line.split() == own + shown
    board = found.leaderboard(level=0.5)
    assert json.loads(json.dumps(board, allow_nan=False)) == board
    assert board["system"] == [found.names[place] for place in order]
    assert board["score"] == sorted(found.scores.tolist(), reverse=True)
    assert board["cluster"] == found.clusters(0.5)[order].tolist()
    assert board["difference"] == found.differences[order, order[0]].tolist()
    assert board["p_value"] == [None, *found.p_values[order[1:], order[0]].tolist()]


def test_too_few_draws_for_holm_are_named():
    one, two, poor = counted(60)
    systems = {"one": one, "two": two, "poor": poor}  # 3 pairs
    for resamples in (59, 60):
        found = significance.all_pairs(systems, resamples=resamples)
        can_reject = 3 / (resamples + 1) < 0.05
        assert (np.nanmin(found.holm) < 0.05) == can_reject
        line = str(found).splitlines()[-1]
        assert line.startswith("no p-value adjusted by Holm is below 0.05") != can_reject
        assert can_reject or line.endswith("at least 60 draws allow it")


def test_trials_are_another_word_for_resamples_of_randomization():
    ours = counted(20)
    both = [
        significance.all_pairs(ours, test="randomization", **{word: 99})
        for word in ("trials", "resamples")
    ]
    assert both[0] == both[1]

"""Intervals, tests and rankings, against sacreBLEU, enumeration and their definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
import sacrebleu as peer
from corpora import noisy_systems
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest

import vecbleu
import vecbleu.ter
from vecbleu import significance
from vecbleu.core.count_table import CountTable
from vecbleu.significance.draws import looks, p_bounds, standard_errors
from vecbleu.significance.results import verdict

SHARES = 0.2, 0.22, 0.4
OTHER_SCORES = {"smoothing": "add-k", "weights": (0.5, 0.5), "effective_order": True}


@pytest.fixture(scope="module")
def stats():
    return pytest.importorskip("scipy.stats")


def counted(size=120, shares=SHARES, **options):
    references, systems = noisy_systems(size, shares)
    return [vecbleu.statistics(lines, references, **options) for lines in systems]


@pytest.mark.parametrize(("test", "first"), [("bootstrap", 1_000), ("randomization", 10_000)])
@pytest.mark.parametrize("segments", [10, 2_500, 2_501, 30_000, 10**9])
def test_looks_rise_to_the_most_segments_that_are_drawn(test, first, segments):
    found = looks(test, segments)
    assert found == sorted({*found})
    assert found[0] == first
    assert found[-1] == max(first, min(100_000, 250_000_000 // segments))


@pytest.mark.parametrize(
    ("kind", "size", "count"),
    [
        *(("bs", *numbers) for numbers in ((1, 39), (64, 1), (120, 300), (1001, 170))),
        *(("ar", size, 700) for size in (120, 133)),
    ],
)
def test_tests_are_sacrebleus(kind, size, count):
    """Many draws are made in parts, each of which takes all random bits of NumPy's words."""
    references, systems = noisy_systems(size, SHARES)
    named = [(f"system {number}", lines) for number, lines in enumerate(systems)]
    tokenize = "char" if size == 120 else "13a"
    metric = peer.BLEU(force=True, references=[references], tokenize=tokenize)
    test = PairedTest(named, {"BLEU": metric}, None, test_type=kind, n_samples=count)
    theirs = test()[1]["BLEU"]
    ours = counted(size, tokenize=tokenize)
    if kind == "bs":
        found = significance.paired_bootstrap(ours, sides=1, n_resamples=count)
        alone = significance.bootstrap(ours[0], n_resamples=count)
        assert (alone.mean, alone.lower) == (found.means[0], found.lower[0])
        assert 100 * alone.half_width == pytest.approx(theirs[0].ci, rel=1e-4, abs=1e-4)
        assert 100 * found.means == pytest.approx([one.mean for one in theirs], rel=1e-5)
        half = 50 * (found.upper - found.lower)
        assert half == pytest.approx([one.ci for one in theirs], rel=1e-4, abs=1e-4)
    else:
        found = significance.paired_randomization(ours, count_equal=False, n_resamples=count)
        assert found.means is found.lower is found.difference_lower is None
    assert found.p_values[1:].tolist() == [one.p_value for one in theirs[1:]]
    assert math.isnan(found.p_values[0])
    assert 100 * found.scores == pytest.approx([one.score for one in theirs], rel=1e-12)
    assert found.differences.tolist() == pytest.approx((found.scores - found.scores[0]).tolist())


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_tests_of_ter_are_sacrebleus(number):
    """With three references, it rounds each mean length, and every sum of them, to float32."""
    references, systems = noisy_systems(70, SHARES)
    streams = [references, *(noisy_systems(70, SHARES, seed)[0] for seed in range(1, number))]
    metric, seed, count = peer.TER(), 12345, 200
    columns = list(zip(*streams, strict=True))
    tables = [vecbleu.ter.statistics(own, columns).resampled_as_sacrebleu() for own in systems]
    drawn = np.random.default_rng(seed).choice(70, size=(count, 70), replace=True)
    rows = np.array(metric._extract_corpus_statistics(systems[0], streams), "float32")
    scores = [metric._compute_score_from_stats(row.sum(0)).score for row in rows[drawn]]
    found = (100 * significance.bootstrap(tables[0], n_resamples=count).resampled).astype("f4")
    assert found.tolist() == (pytest.approx(scores, rel=1e-6) if number == 3 else scores)
    named = [(f"system {place}", lines) for place, lines in enumerate(systems)]
    for kind in ("bs", "ar"):
        test = PairedTest(named, {"TER": metric}, streams, test_type=kind, n_samples=count)
        theirs = test()[1]["TER"]
        if kind == "bs":
            found = significance.paired_bootstrap(tables, sides=1, n_resamples=count)
            assert 100 * found.means == pytest.approx([one.mean for one in theirs], rel=1e-6)
            half = 50 * (found.upper - found.lower)
            assert half == pytest.approx([one.ci for one in theirs], rel=1e-5)
        else:
            options = {"count_equal": False, "n_resamples": count}
            found = significance.paired_randomization(tables, **options)
        assert (100 * found.scores).tolist() == pytest.approx([one.score for one in theirs])
        assert found.p_values[1:].tolist() == [one.p_value for one in theirs[1:]]


@pytest.mark.parametrize(
    "options", [{"sides": 1}, {"sides": 2}, {"test": "randomization"}], ids=str
)
def test_identical_systems_do_not_differ(options):
    one, _, other = counted()
    found = significance.rank([one, one, other], n_resamples=100, **options)
    assert found.p_values[0].tolist()[1:] == [1, 1 / 101]
    assert found.clusters().tolist() == [1, 1, 2]
    assert "-0.00" not in str(found.pairs())


@pytest.mark.parametrize("share", [0.0, 0.25])  # one that is better on every segment, one on some
@pytest.mark.parametrize("differing", range(1, 13))
def test_p_values_of_few_segments_are_those_of_full_enumeration(differing, share):
    options = {"smoothing": "exp"} if share else OTHER_SCORES
    first, second = (table.array for table in counted(60, (0.3, share)))
    rows = np.flatnonzero((first != second).any(axis=1))[:differing]
    pair = first.copy(), first.copy()
    pair[1][rows] = second[rows]
    choices = np.arange(2**differing)[:, None] >> np.arange(differing) & 1  # all of them
    exchanged = choices @ (pair[1] - pair[0])[rows]
    scores = [
        vecbleu.bleu.scores(table.sum(axis=0) + sign * exchanged, **options)
        for table, sign in zip(pair, (1, -1), strict=True)
    ]
    differences = abs(scores[1] - scores[0])
    tables = [*map(vecbleu.Statistics, pair)]
    for count_equal, least in ((True, differences[0] - 1e-13), (False, differences[0] + 1e-13)):
        exact = (differences > least).mean()
        test = significance.paired_randomization(tables, count_equal=count_equal, **options)
        found = test.p_values[1]
        assert abs(found - exact) <= 4 * math.sqrt(exact * (1 - exact) / 10000) + 2e-4
        if share == 0:
            assert exact == (2 / 2**differing if count_equal else 0)


class Weighted(CountTable):
    """A score that rounds: 0.1 + 0.2 is not 0.3."""

    metric = "weighted"

    def percents(self, counts):
        return counts[..., 0] * 0.1 + counts[..., 1] * 0.2 + counts[..., 2] * 0.3

    def score(self):
        return self.percents(self.sum().array) / 100


def test_differences_that_only_rounding_tells_apart_are_equal():
    one, other = Weighted([[1, 1, 0], [0, 0, 2]]), Weighted([[0, 0, 1], [0, 0, 0]])
    for tables in ([one, other], [other, one]):
        assert significance.paired_randomization(tables, n_resamples=200).p_values[1] == 1
        assert significance.rank(tables, test="randomization").p_values[0, 1] == 1


@pytest.mark.parametrize("options", [{"smoothing": "exp"}, OTHER_SCORES], ids=str)
def test_the_bootstrap_is_its_definition(options):
    """Percentiles as scipy.stats.bootstrap has them, not interpolated; p of shifted differences."""
    ours = counted(50)
    rng = np.random.default_rng(11)
    rows = np.array([rng.choice(50, size=50) for _ in range(200)])
    drawn = [vecbleu.bleu.scores(table.array[rows].sum(axis=1), **options) for table in ours]
    scores = [float(table.score(**options)) for table in ours]
    options = options | {"rng": 11, "n_resamples": 200}
    found = significance.paired_bootstrap(ours, baseline=1, confidence_level=0.9, **options)
    assert found.scores.tolist() == scores
    for system in (0, 2):
        differences = drawn[system] - drawn[1]
        lower = np.quantile(differences, 0.05, method="higher")
        upper = np.quantile(differences, 0.95, method="lower")
        assert found.difference_lower[system] == pytest.approx(lower, rel=1e-12)
        assert found.difference_upper[system] == pytest.approx(upper, rel=1e-12)
        real = abs(scores[system] - scores[1])
        extreme = np.count_nonzero(abs(differences - differences.mean()) >= real)
        assert found.p_values[system] == (extreme + 1) / 201
    assert found.difference_lower[1] == found.difference_upper[1] == 0
    ranking = significance.rank(ours, confidence_level=0.9, **options)
    for one, other in permutations(range(3), 2):
        differences = drawn[one] - drawn[other]
        lower = np.quantile(differences, 0.05, method="higher")
        upper = np.quantile(differences, 0.95, method="lower")
        assert ranking.difference_lower[one, other] == pytest.approx(lower, rel=1e-12)
        assert ranking.difference_upper[one, other] == pytest.approx(upper, rel=1e-12)
        assert ranking.differences[one, other] == pytest.approx(scores[one] - scores[other])
    alone = significance.bootstrap(ours[0], **options)
    assert alone.score == scores[0]
    assert alone.resampled == pytest.approx(drawn[0], rel=1e-12)


@pytest.mark.slow
def test_equal_systems_differ_as_often_as_docstrings_say():
    """At p < 0.05."""
    tables = counted(50_000, (0.3, 0.3))
    parts = [[table[at : at + 100] for table in tables] for at in range(0, 50_000, 100)]
    for sides, share in ((2, 0.05), (1, 0.1)):
        options = {"sides": sides, "n_resamples": 399}
        found = [significance.paired_bootstrap(pair, **options) for pair in parts]
        assert np.mean([one.p_values[1] < 0.05 for one in found]) == pytest.approx(share, abs=0.02)


@pytest.mark.filterwarnings("error")
def test_few_segments_are_warned_of():
    nine, ten = ([table[:size] for table in counted()] for size in (9, 10))
    for call in (
        lambda tables: significance.bootstrap(tables[0]),
        significance.paired_bootstrap,
        significance.rank,
    ):
        with pytest.warns(UserWarning, match="9 segments are too few .* randomization") as caught:
            call(nine)
        assert [warning.filename for warning in caught] == [__file__]
        call(ten)
    significance.paired_randomization(nine)
    significance.rank(nine, test="randomization")


@pytest.mark.parametrize("adjust", ["none", "holm", "benjamini_hochberg"])
def test_tests_draw_until_the_adjusted_p_values_are_decided(adjust):
    """A thousand draws give no p-value below 0.001, which Holm's method multiplies by 45."""
    references, lines = noisy_systems(60, [share / 12 for share in range(2, 12)])
    systems = [vecbleu.statistics(own, references) for own in lines]
    found = significance.rank(systems, level=0.01, adjust=adjust)
    assert found.confidence_level == 0.99
    adjusted = found.p_values if adjust == "none" else getattr(found, adjust)
    assert np.array_equal(found.adjusted, adjusted, equal_nan=True)
    assert np.nanmin(found.n_resamples) == 1000 < np.nanmax(found.n_resamples)
    assert found.significant[0, -1]
    assert not (found.significant & (adjusted >= 0.01)).any()
    assert not (found.significant & found.borderline).any()
    is_certain = (abs(np.log(adjusted / 0.01)) > 1) | np.isnan(adjusted)
    assert np.array_equal(found.significant[is_certain], (adjusted < 0.01)[is_certain])
    assert found.clusters().max() > 1


def test_what_draws_do_not_decide_is_borderline():
    """Of systems whose p-value is the level itself, whatever the seed."""
    ours = counted(60, (0.3, 0.32))
    exact = significance.rank(ours, n_resamples=200_000)
    level = round(float(exact.p_values[0, 1]), 3)
    shown = f"{level:.3f}, borderline"
    for seed in range(3):
        found = significance.rank(ours, level=level, rng=seed)
        assert found.borderline[0, 1]
        assert not found.significant.any()
        assert found.clusters().tolist() == [1, 1]
        assert shown[:3] in str(found)
        assert str(found).count(", borderline") == 2  # p (best) and p (above)
        assert str(found.pairs()).count(", borderline") == 1  # in the column that decides
        assert f"borderline: 100,000 draws do not decide whether p < {level:g}" in str(found)
    poor, *_ = counted(60, (0.6,))
    found = significance.rank([*ours, poor], level=level)
    assert np.nanmin(found.n_resamples) < np.nanmax(found.n_resamples) == 100_000
    assert "borderline: 100,000 draws do not decide" in str(found)
    few = significance.paired_bootstrap(ours, n_resamples=1000)
    assert few.n_resamples[1] == 1000
    p = float(few.p_values[1])
    assert str(few).count(f"  {p:.2f}\n") == 1  # the third digit would be noise
    assert few.borderline[1] == (few.p_values[1] < 0.05)


@given(
    shares=st.tuples(*[st.sampled_from([0.2, 0.22, 0.25, 0.3])] * 2),
    size=st.integers(2, 60),
    seed=st.integers(0, 2**30),
    n_resamples=st.sampled_from([None, 39, 40, 1000]),
    level=st.sampled_from([0.05, 0.1, 0.3]),
    sides=st.sampled_from([1, 2]),
)
@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore:.*too few")
def test_intervals_of_significant_differences_leave_out_zero(
    shares, size, seed, n_resamples, level, sides
):
    references, lines = noisy_systems(size, shares, seed % 1000)
    systems = [vecbleu.statistics(own, references) for own in lines]
    options = {"rng": seed, "n_resamples": n_resamples, "level": level, "sides": sides}
    found = significance.rank(systems, **options)
    leaves_out = (found.difference_lower > 0) | (found.difference_upper < 0)
    assert not (found.significant & ~leaves_out).any()
    assert not (found.significant & (found.p_values >= level)).any()


def test_p_bounds_are_wilsons_or_those_of_no_draw(stats):
    """A lower bound leaves out one and a half draws."""
    for extreme, draws in ((0, 1000), (36, 1000), (5000, 100_000), (100, 100)):
        for errors in (2.0, 4.0):
            level = 1 - 2 * stats.norm.sf(errors)
            found = [stats.binomtest(k, draws) for k in (max(extreme - 2, 0), extreme)]
            less, wilson = (one.proportion_ci(level, "wilson") for one in found)
            upper = wilson.high
            if not extreme:
                upper = min(upper, found[1].proportion_ci(level, "exact").high)
            bounds = p_bounds(extreme, draws, errors)
            assert bounds[1] == pytest.approx(upper)
            assert less.low <= bounds[0] <= wilson.low


@pytest.mark.parametrize("extreme", [0, 1, 36, 1000])
def test_without_errors_bounds_are_the_share_itself(extreme):
    assert p_bounds(extreme, 1000, 0.0) == pytest.approx((extreme / 1000,) * 2)


@pytest.mark.parametrize(
    ("lower", "upper", "significant", "borderline"),
    [
        (0.01, 0.0499, True, False),
        (0.0499, 0.05, False, True),
        (0.05, 0.05, False, False),
        (0.05, 0.06, False, False),
    ],
)
def test_a_p_value_at_the_level_is_not_below_it(lower, upper, significant, borderline):
    columns = ([0.3, 0.4], [0, 0.1], *([math.nan, p] for p in (lower, lower, lower, lower, upper)))
    numbers = map(np.array, (*columns, [math.nan, 1000.0]))
    found = significance.Comparison(("old", "new"), *numbers, baseline=0)
    assert found.significant.tolist() == [False, significant]
    assert found.borderline.tolist() == [False, borderline]


@pytest.mark.parametrize("level", [0.05, 0.01, 0.0005])
def test_draws_decide_for_the_wrong_side_less_than_once_in_a_thousand(level):
    """Even if the true p-value is the level itself, so that neither side is right."""
    counts = looks("bootstrap", 100)
    (errors, _), size = standard_errors(len(counts)), 10_000
    new = np.diff(counts, prepend=0)
    extreme = np.random.default_rng(1).binomial(new, level, (size, len(counts))).cumsum(axis=1)
    is_decided = np.zeros((2, size), bool)
    for count, of_look in zip(counts, extreme.T, strict=True):
        kinds, places = np.unique(of_look, return_inverse=True)
        lower, upper = np.transpose([p_bounds(kind, count, errors) for kind in kinds.tolist()])
        is_decided |= np.stack([lower > level, upper < level])[:, places]
    assert (is_decided.mean(axis=1) < 0.001).all()


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_groups_are_drawn_as_a_whole(test):
    """As the sums of groups are, in the order in which they first occur."""
    ours = counted(60, (0.2, 0.25))
    rng = np.random.default_rng(3)
    labels = rng.permutation(np.arange(60) % 13).tolist()
    first = list(dict.fromkeys(labels))
    sums = [
        vecbleu.Statistics.concatenate(table[np.array(labels) == label].sum() for label in first)
        for table in ours
    ]
    options = {"test": test, "n_resamples": 500, "rng": 1}
    found = significance.rank(ours, groups=labels, **options)
    expected = significance.rank(sums, **options)
    assert found.to_dict() == expected.to_dict()
    names = [f"document {label}" for label in labels]
    assert significance.rank(ours, groups=names, **options).to_dict() == found.to_dict()
    assert significance.rank(ours, **options).to_dict() != found.to_dict()
    paired = significance.paired_bootstrap, significance.paired_randomization
    tested = paired[test == "randomization"](ours, groups=labels, n_resamples=500, rng=1)
    assert tested.p_values[1] == found.p_values[0, 1]


def test_intervals_of_groups_are_scipys(stats):
    table, *_ = counted(120)
    groups = np.arange(120) // 6
    sums = np.add.reduceat(table.array, np.arange(0, 120, 6))
    found = significance.bootstrap(table, groups=groups, n_resamples=20_000, rng=1)

    def score(rows, axis):  # of draws (batch, groups)
        return vecbleu.bleu.scores(sums[rows].sum(axis=-2), smoothing="exp")

    options = {"n_resamples": 20_000, "method": "percentile", "rng": 2, "batch": 1000}
    theirs = stats.bootstrap([np.arange(20)], score, **options)
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    interval = theirs.confidence_interval
    assert (found.lower, found.upper) == pytest.approx(interval, abs=width / 30)
    assert found.resampled.std() == pytest.approx(theirs.standard_error, rel=0.03)
    alone = significance.bootstrap(table, n_resamples=20_000)
    assert abs(alone.upper - alone.lower - width) > width / 30  # rows are not of such groups


def test_groups_are_checked():
    ours = counted(60, (0.2, 0.25))
    for call in (
        significance.rank,
        significance.paired_bootstrap,
        significance.paired_randomization,
    ):
        with pytest.raises(
            ValueError, match=r"^groups has 59 entries but systems have 60 segments"
        ):
            call(ours, groups=range(59))
        with pytest.raises(TypeError, match=r"^groups is str"):
            call(ours, groups="documents")
    with pytest.warns(UserWarning, match="^9 groups are too few for the bootstrap"):
        significance.bootstrap(ours[0], groups=np.arange(60) % 9)


def own_scores(seed, size=40, shift=0.01):
    rng = np.random.default_rng(seed)
    one = rng.random(size)
    return one, one + rng.normal(shift, 0.03, size)


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_means_of_own_scores_are_tested(stats, higher_is_better):
    one, other = own_scores(1)
    names = {"metric": "COMET", "higher_is_better": higher_is_better}
    found = significance.paired_bootstrap([one, other.tolist()], n_resamples=300, rng=4, **names)
    rows = np.random.default_rng(4).choice(40, size=(300, 40))
    drawn = one[rows].mean(axis=1), other[rows].mean(axis=1)
    assert found.scores == pytest.approx([one.mean(), other.mean()], rel=1e-14)
    assert found.means == pytest.approx([own.mean() for own in drawn])
    differences = drawn[1] - drawn[0]
    real = found.differences[1]
    extreme = np.count_nonzero(abs(differences - differences.mean()) >= real)
    assert found.p_values[1] == (extreme + 1) / 301
    interval = np.sort(differences)[[7, 292]]
    bounds = found.difference_lower[1], found.difference_upper[1]
    assert bounds == pytest.approx(tuple(interval), rel=1e-9)
    ranking = significance.rank({"one": one, "other": tuple(other)}, **names)
    assert ranking.order.tolist() == ([1, 0] if higher_is_better else [0, 1])
    assert "  COMET  lower" in str(ranking)
    assert ("COMET: lower is better" in str(ranking)) != higher_is_better
    assert "  score  lower" in str(significance.rank([one, other]))
    differing = stats.permutation_test(
        (one - other,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1
    )
    exchanged = significance.paired_randomization([one, other], n_resamples=20_000, **names)
    assert exchanged.p_values[1] == pytest.approx(differing.pvalue, abs=0.01)


def test_own_scores_without_a_name_are_called_scores():
    sides = own_scores(3)
    for test in (significance.paired_bootstrap, significance.paired_randomization):
        assert test(sides).metric == "score"
    assert "  score  lower" in str(significance.rank(sides))
    assert significance.rank(sides, metric="COMET").metric == "COMET"


def test_one_segment_has_a_mean_and_no_difference_that_is_not_chance():
    found = significance.paired_randomization([[0.5], [0.75]], n_resamples=99)
    assert found.scores.tolist() == [0.5, 0.75]
    assert found.p_values[1] == 1


def test_equal_means_of_own_scores_are_equal_whatever_the_rounding():
    """Four segments differ by the same: two of the 16 exchanges give as much."""
    one = np.full(500, 0.6)
    other = one.copy()
    other[:4] += 0.1
    for scale in (1, 10, 1000):
        found = significance.paired_randomization([scale * one, scale * other])
        assert found.p_values[1] == pytest.approx(2 / 16, abs=0.02)


@pytest.mark.parametrize(
    ("size", "systems"), [(60, 20), pytest.param(100_000, 5, marks=pytest.mark.slow)]
)
def test_clear_differences_are_significant_whatever_the_number_of_pairs(size, systems):
    rng = np.random.default_rng(1)
    scores = [step + rng.normal(size=size) / 9 for step in range(systems)]
    found = significance.rank(scores, adjust="holm")
    pairs = np.triu_indices(systems, 1)
    assert found.significant[pairs].all()
    assert found.clusters().tolist() == [*range(systems, 0, -1)]


def test_own_scores_are_checked():
    one, other = own_scores(2)
    table = counted()[0]
    for systems, names, match in (
        ([one, other[:39]], {}, r"^systems\[1\] has 39 segments but systems\[0\] has 40"),
        ([one, other * np.nan], {}, r"^systems\[1\]\[0\] is nan, expected a finite number"),
        ({"a": one, "b": ["x"] * 40}, {}, r"^systems\['b'\] holds <U1, expected one number a"),
        ([one, table], {}, r"^systems\[1\] holds BLEU, but systems\[0\] holds score"),
        ([table, table], {"metric": "x"}, r"^metric is 'x', but systems holds statistics of BLEU"),
        ([table, table], {"higher_is_better": False}, r"^higher_is_better is False, but systems"),
        ([one, other], {"smoothing": "exp"}, r"^smoothing is for statistics; one's own scores"),
        ([one, other], {"metric": 5}, r"^metric is 5, expected a name"),
        ([one, other > 0.5], {}, r"^systems\[1\] holds bool, expected one number a segment"),
        ([one, other], {"higher_is_better": "no"}, r"^higher_is_better is 'no', expected True"),
    ):
        for call in (
            significance.rank,
            significance.paired_bootstrap,
            significance.paired_randomization,
        ):
            with pytest.raises((ValueError, TypeError), match=match):
                call(systems, **names)


AGREEMENT = {  # table 2 of Kocmi et al. (2024)
    "BLEU": {50: 0.27, 55: 0.52, 60: 0.78, 65: 1.06, 70: 1.39, 75: 1.79, 80: 2.34, 85: 3.35},
    "chrF": {50: 0.14, 60: 0.54, 70: 1.00, 80: 1.63, 90: 3.05},
}


def test_people_agree_as_often_as_published():
    for metric, published in AGREEMENT.items():
        differences = np.array([*published.values()])
        found = significance.human_agreement(differences, metric)
        assert found == pytest.approx([*published], abs=0.15)
        assert significance.human_agreement(-differences, metric).tolist() == found.tolist()
        assert significance.human_agreement(differences[0], metric) == found[0]
    assert significance.human_agreement(1.0) == significance.human_agreement(1.0, "BLEU")
    assert 60 < significance.human_agreement(1.0, "spBLEU-200") < 65
    with pytest.raises(ValueError, match=r"^metric is 'TER', expected one of BLEU, spBLEU"):
        significance.human_agreement(1.0, "TER")
    with pytest.raises(ValueError, match=r"^difference has NaN"):
        significance.human_agreement([1.0, math.nan])


def test_results_say_how_often_people_agree():
    """Only for scores with the options that were studied."""
    references, systems = noisy_systems(40, (0.2, 0.21))
    for options, scoring, metric in (
        ({}, {}, "BLEU"),
        ({"tokenize": "zh"}, {}, "BLEU"),
        ({"tokenize": "none"}, {}, None),
        ({"lowercase": True}, {}, None),
        ({"max_order": 3}, {}, None),
        ({}, {"smoothing": "none"}, None),
        ({}, {"effective_order": True}, None),
    ):
        tables = [vecbleu.statistics(own, references, **options) for own in systems]
        found = significance.rank(tables, n_resamples=10, **scoring)
        check_agreement(found, metric)
    for options, metric in (({}, "chrF"), ({"word_order": 2}, None), ({"beta": 1}, None)):
        tables = [vecbleu.chrf.statistics(own, references, **options) for own in systems]
        check_agreement(significance.rank(tables, n_resamples=10), metric)
    tables = [vecbleu.ter.statistics(own, references) for own in systems]
    check_agreement(significance.rank(tables, n_resamples=10), None)


def test_a_verdict_of_nearly_equal_systems_is_not_below_chance():
    """The curve is: people agree with a difference of 0 in 44%."""
    signature = vecbleu.statistics(["a"], ["a"]).signature
    rows = [[9000, 9000, 5000 + gap, 99, 9, 1, 9000, 8999, 8998, 8997] for gap in (0, 1)]
    tables = [vecbleu.Statistics([row] * 12, signature) for row in rows]
    found = significance.rank(tables, n_resamples=20)
    assert 40 < found.human_agreement[1, 0] < 50
    assert "people agree with BLEU in 50% of such cases" in verdict([found], ["a", "b"], 1, 0)


@pytest.mark.parametrize("baseline", range(4))
def test_a_comparison_is_a_column_of_a_ranking(baseline):
    tables = dict(zip("abcd", counted(60, (0.3, 0.32, 0.2, 0.31)), strict=True))
    asked = {"n_resamples": 150, "smoothing": "add-k", "rng": 5}
    ranking = significance.rank(tables, **asked)
    found = significance.paired_bootstrap(tables, baseline=baseline, **asked)
    for name in ("scores", "means", "lower", "upper"):
        assert getattr(found, name).tolist() == getattr(ranking, name).tolist()
    pairs = "differences", "difference_lower", "difference_upper", "p_values", "p_lower", "p_upper"
    for name in (*pairs, "n_resamples", "significant", "borderline"):
        own, column = getattr(found, name), getattr(ranking, name)[:, baseline]
        assert np.array_equal(own, column, equal_nan=True), name
    others = [place for place in range(4) if place != baseline]
    for name in ("holm", "benjamini_hochberg"):  # of fewer tests
        adjusted = getattr(significance, name)(found.p_values[others])
        assert getattr(found, name)[others].tolist() == adjusted.tolist()
        assert np.isnan(getattr(found, name)[baseline])
    assert found.n_resamples[others].tolist() == [150] * 3
    columns = found.table().to_dict()
    assert columns["BLEU"] == found.scores.tolist()
    for title, name in (("difference", "differences"), ("p", "p_values")):
        values = getattr(found, name)[others].tolist()
        assert [columns[title][place] for place in others] == values
        assert columns[title][baseline] is None


def test_tables_of_pairs_have_the_numbers_of_each():
    """Systems of which some pairs are decided by more draws."""
    tables = dict(zip("abcd", counted(60, (0.3, 0.32, 0.2, 0.31)), strict=True))
    found = significance.rank(tables)
    assert len({*found.n_resamples[np.triu_indices(4, 1)]}) > 2
    order = found.order.tolist()
    pairs = [(better, worse) for at, better in enumerate(order) for worse in order[at + 1 :]]
    columns = found.pairs().to_dict()
    for title, name in {
        "difference": "differences",
        "difference_lower": "difference_lower",
        "difference_upper": "difference_upper",
        "n_resamples": "n_resamples",
        "human_agreement": "human_agreement",
        "p": "p_values",
        "holm": "holm",
        "benjamini_hochberg": "benjamini_hochberg",
        "significant": "significant",
        "borderline": "borderline",
    }.items():
        expected = [getattr(found, name)[worse, better] for better, worse in pairs]
        assert columns[title] == expected, title
    # Six times a p-value has six times its error, and so fewer digits.
    cells = {column.title: column.cells() for column in found.pairs().columns}
    least = int(np.argmin(columns["p"]))
    assert columns["holm"][least] == pytest.approx(6 * columns["p"][least], rel=1e-12)
    assert [cells[name][least] for name in ("p", "holm")] == ["< 0.001", "< 0.01"]
    names = [(found.names[better], found.names[worse]) for better, worse in pairs]
    assert [*zip(columns["better"], columns["worse"], strict=True)] == names
    shown = found.table(people=True).to_dict()["human_agreement"]
    gaps = 100 * (found.scores[order[1:]] - found.scores[order[0]])
    assert shown[0] is None
    assert shown[1:] == pytest.approx(significance.human_agreement(gaps).tolist())


YES, NO, OPEN = (0.001, 0.0, 0.002), (0.5, 0.4, 0.6), (0.05, 0.04, 0.06)  # p, and its bounds


@pytest.mark.parametrize(
    ("found", "conclusion"),
    [
        ({"BLEU": (1, YES)}, "significant, so hardly chance"),
        ({"BLEU": (1, YES), "TER": (-1, YES)}, "significant, so hardly chance"),
        ({"BLEU": (-1, YES), "TER": (1, YES)}, "significant, so hardly chance"),
        ({"BLEU": (1, YES), "TER": (1, YES)}, "the metrics contradict each other"),
        ({"BLEU": (1, YES), "chrF2": (-1, YES)}, "the metrics contradict each other"),
        ({"BLEU": (1, NO), "chrF2": (1, YES)}, "significant by chrF2 only"),
        ({"BLEU": (1, YES), "chrF2": (-1, OPEN)}, "significant by BLEU only"),
        ({"BLEU": (1, NO)}, "not significant, so it can be chance"),
        ({"BLEU": (1, OPEN), "chrF2": (1, NO)}, "not significant, so it can be chance"),
        ({"BLEU": (1, OPEN), "chrF2": (-1, OPEN)}, "too close to call, so not significant"),
        ({"BLEU": (0, (1.0, 1.0, 1.0))}, "not significant"),
        ({"BLEU": (0, (1.0, 1.0, 1.0)), "chrF2": (1, NO)}, "not significant, so it can be chance"),
    ],
)  # fmt: skip
def test_a_verdict_of_several_metrics_says_what_they_have_in_common(found, conclusion):
    tests = []
    for metric, (points, p_values) in found.items():
        p, lower, upper = ([math.nan, value] for value in p_values)
        scores, differences = [0.3, 0.3 + points / 100], [0.0, points / 100]
        columns = map(np.array, (scores, differences, p, p, p, lower, upper, [math.nan, 1e5]))
        named = {"metric": metric, "higher_is_better": metric != "TER", "baseline": 0}
        tests.append(significance.Comparison(("old", "new"), *columns, **named))
    said = verdict(tests, ["old", "new"], 1, 0)
    assert said.endswith(f"): {conclusion}")
    points, _ = found["BLEU"]
    kind = {1: "ahead of old by 1.0", -1: "behind old by 1.0", 0: "equal to old in"}[points]
    assert said.startswith(f"new is {kind} BLEU")


@pytest.mark.parametrize(("share", "shown"), [(46.7, 50), (61.2, 61)])
def test_a_verdict_has_no_lower_share_of_people_than_at_random(share, shown):
    p, size = np.array([math.nan, 0.5]), np.array([math.nan, 1e5])
    columns = np.array([0.3, 0.301]), np.array([0, 0.001]), p, p, p, p, p, size
    people = np.array([math.nan, share])
    test = significance.Comparison(("old", "new"), *columns, human_agreement=people, baseline=0)
    said = verdict([test], ["old", "new"], 1, 0)
    assert f"people agree with score in {shown}% of such cases (at random: 50%)" in said


def check_agreement(found, metric):
    table = found.table(people=True)
    assert ("people agree" in str(table.columns)) == (metric is not None)
    assert ("people agree: not known" in str(table)) == (metric is None)
    if metric is None:
        assert found.human_agreement is None
        return
    expected = significance.human_agreement(100 * found.differences, metric)
    assert np.isnan(np.diag(found.human_agreement)).all()
    assert found.human_agreement[0, 1] == pytest.approx(expected[0, 1])
    assert found.human_agreement[1, 0] == found.human_agreement[0, 1]


@pytest.mark.slow
def test_false_alarms_of_documents_are_those_of_segments():
    """Systems exchange whole documents at random: no difference, but segments are not alone."""
    one, other = counted(400, (0.2, 0.35))
    groups = np.repeat(np.arange(40), 10)
    rng = np.random.default_rng(5)
    alarms = np.zeros((300, 2))
    for row in alarms:
        is_exchanged = rng.integers(2, size=40, dtype=bool)[groups][:, None]
        pair = [
            vecbleu.Statistics(np.where(is_exchanged, *arrays))
            for arrays in ((one.array, other.array), (other.array, one.array))
        ]
        for place, own in enumerate((None, groups)):
            test = significance.paired_bootstrap(pair, groups=own, n_resamples=999)
            row[place] = test.p_values[1] < 0.05
    plain, grouped = alarms.mean(axis=0)
    assert grouped < 0.09 < 0.15 < plain


@pytest.mark.parametrize("length", [50, 2**23 + 1, 2**40])
def test_sums_of_drawn_rows_are_exact(length):
    lengths = np.array([length, length, 5])  # of two, all sums would be even
    totals = lengths[:, None] - np.arange(4)
    rows = np.column_stack([lengths, lengths + 1, totals // 3, totals])
    drawn = rows[np.random.default_rng(0).choice(3, size=(200, 3))].sum(axis=1)
    found = significance.bootstrap(vecbleu.Statistics(rows), n_resamples=200, rng=0)
    assert found.resampled.tolist() == vecbleu.bleu.scores(drawn, smoothing="exp").tolist()


def test_seeds_and_generators_repeat_draws():
    table, *_ = counted()

    def means(rng):
        return significance.bootstrap(table, n_resamples=9, rng=rng).mean

    assert means(0) == means(np.int64(0)) == means(np.random.default_rng(0)) != means(1)
    assert len({means(None) for _ in range(5)}) > 1
    one = np.random.default_rng(0)
    assert means(one) != means(one)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99])
@given(n_resamples=st.integers(1, 400))
@example(n_resamples=1000)  # of which floats leave out 49, not 50, at 0.9
def test_intervals_hold_their_share_of_the_scores(n_resamples, level):
    found = significance.bootstrap(counted(7)[0], n_resamples=n_resamples, confidence_level=level)
    outside = int(n_resamples * round((1 - level) * 100) / 200)
    ranked = np.sort(found.resampled)
    assert (found.lower, found.upper) == (ranked[outside], ranked[n_resamples - outside - 1])
    assert found.confidence_level == level


@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusted_p_values_are_those_of_their_definitions(values):
    count = len(values)
    ranked = sorted(range(count), key=lambda index: values[index])
    holm, hochberg = [0.0] * count, [0.0] * count
    for rank, index in enumerate(ranked):
        before, after = range(rank + 1), range(rank, count)
        holm[index] = min(1.0, max((count - one) * values[ranked[one]] for one in before))
        hochberg[index] = min(1.0, *(count / (one + 1) * values[ranked[one]] for one in after))
    tests = [math.nan, *values]  # the first is no test
    assert significance.holm(tests)[1:].tolist() == pytest.approx(holm)
    assert significance.benjamini_hochberg(tests)[1:].tolist() == pytest.approx(hochberg)


def test_an_adjusted_p_value_is_not_below_a_level_that_it_equals():
    """With 28 pairs and 559 draws, the smallest one of Holm is 28 / 560."""
    assert significance.holm([1 / 560, *[1] * 27])[0] == 0.05


def test_clusters_are_cut_where_all_above_beat_all_below():
    p, scores = np.ones((4, 4)), [4.0, 3.0, 2.0, 1.0]
    p[0] = p[:, 0] = 0.01
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 2]
    p[1, 3] = p[3, 1] = 0.01  # 2 and 3 do not differ, so nothing is cut between 1 and 3
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 2]
    p[2, 3] = p[3, 2] = 0.01
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 3]
    p[1, 3] = p[3, 1] = 1  # 3 beats 4, but 2 does not
    assert significance.clusters(scores, p).tolist() == [1, 2, 2, 2]
    p[1, 3] = p[3, 1] = 0.01
    for level in (0.01, np.float32(0.01), Fraction(1, 100)):
        assert significance.clusters(scores, p, level=level).tolist() == [1] * 4
    assert significance.clusters([2, 1], [[1, math.nan], [math.nan, 1]]).tolist() == [1, 1]
    assert significance.clusters(scores[::-1], p[::-1, ::-1]).tolist() == [3, 2, 2, 1]


def test_systems_have_any_names():
    one, two, _ = counted(20)
    options = {"n_resamples": 19}
    expected = significance.paired_bootstrap({"one": one, "two": two}, baseline="two", **options)
    for systems, baseline in [
        ({1: one, 2: two}, 2),  # a name comes before an index
        ({("a", 1): one, None: two}, None),
        (iter([one, two]), np.int8(1)),
    ]:
        found = significance.paired_bootstrap(systems, baseline=baseline, **options)
        assert found.baseline == 1
        assert found.p_values[0] == expected.p_values[0]
    assert significance.paired_bootstrap({2000: one, 0: two}, **options).baseline == 0  # the first


def test_the_table_of_a_ranking():
    one, two, poor = counted()
    systems = {"poor": poor, "two": two, 1: one, "copy": one}
    found = significance.rank(systems, n_resamples=199, adjust="holm")
    order = found.order.tolist()
    assert order == sorted(range(4), key=lambda place: -found.scores[place])  # which is stable
    columns = {
        "system": [found.names[place] for place in order],
        "BLEU": found.scores[order].tolist(),
        "lower": found.lower[order].tolist(),
        "upper": found.upper[order].tolist(),
        "cluster": found.clusters()[order].tolist(),
        "difference": [None, *found.differences[order[1:], order[0]].tolist()],
        "difference_lower": [None, *found.difference_lower[order[1:], order[0]].tolist()],
        "difference_upper": [None, *found.difference_upper[order[1:], order[0]].tolist()],
        "p (best)": [None, *(found.holm[place, order[0]] for place in order[1:])],
        "p (above)": [None, *(found.holm[place, above] for above, place in pairwise(order))],
    }
    assert found.table().to_dict() == {"rank": [1, 2, 3, 4]} | columns
    assert found.p_values[2, 3] == 1


@pytest.mark.parametrize("adjust", ["none", "holm", "benjamini_hochberg"])
def test_the_table_of_pairs(adjust):
    """Also of systems in any order: the better of a pair is the better of the ranking."""
    one, two, poor = counted()
    found = significance.rank({"poor": poor, "one": one, "two": two}, adjust=adjust)
    order = found.order.tolist()
    better, worse = zip(*combinations(order, 2), strict=True)
    rows = found.pairs().to_dict()
    assert rows.pop("better") == [found.names[place] for place in better]
    assert rows.pop("worse") == [found.names[place] for place in worse]
    score = [float(own.score()) for own in (poor, one, two)]
    expected = [score[low] - score[high] for high, low in zip(better, worse, strict=True)]
    assert rows.pop("difference") == pytest.approx(expected)
    assert max(expected) < 0
    p = found.p_values[better, worse]
    assert rows.pop("p") == p.tolist()
    assert rows.pop("holm") == significance.holm(p).tolist() != p.tolist()
    assert rows.pop("benjamini_hochberg") == significance.benjamini_hochberg(p).tolist()
    people = significance.human_agreement(100 * np.array(expected))
    assert rows.pop("human_agreement") == pytest.approx(people)
    assert rows == {
        "difference_lower": found.difference_lower[worse, better].tolist(),
        "difference_upper": found.difference_upper[worse, better].tolist(),
        "significant": found.significant[better, worse].tolist(),
        "borderline": found.borderline[better, worse].tolist(),
        "n_resamples": found.n_resamples[better, worse].tolist(),
    }


def test_a_table_in_the_order_of_another_ranking_has_the_same_rows():
    one, two, poor = counted()
    found = significance.rank({"poor": poor, "one": one, "two": two}, n_resamples=199)
    expected = {row["system"]: row for row in found.table(people=True).records()}
    for rows in permutations(range(3)):
        records = found.table(np.array(rows), people=True).records()
        assert records == [expected[found.names[place]] for place in rows]


@pytest.mark.parametrize(("scores", "index"), [([1, math.nan, math.nan], 1), ([math.nan, 1, 2], 0)])
def test_the_first_score_that_is_no_number_is_named(scores, index):
    with pytest.raises(ValueError, match=rf"^scores\[{index}\] is NaN"):
        significance.clusters(scores, np.ones((3, 3)))


@pytest.mark.parametrize("adjust", ["none", "holm", "benjamini_hochberg"])
def test_adjusted_p_values_are_shown_with_the_digits_that_their_draws_support(adjust):
    """The error of a p-value grows with the factor that it is adjusted by."""
    one, two, poor = counted()
    found = significance.rank([one, two, poor], n_resamples=1000, adjust=adjust)
    *_, p, holm, hochberg = found.pairs().columns
    better, worse = zip(*combinations(found.order.tolist(), 2), strict=True)
    estimated = found.p_values[better, worse]
    assert estimated.min() == 1 / 1001
    for column in (p, holm, hochberg):
        errors = column.values / estimated * np.sqrt(estimated * (1 - estimated) / 1000)
        for value, error, text in zip(column.values, errors, column.cells(), strict=True):
            digits = 3 if error <= 0.001 else 2
            is_small = value < 10**-digits
            shown = f"< {10**-digits:g}" if is_small else f"{value:.{digits}f}"
            assert text == shown or abs(value - 0.05) < 0.02
    assert (p.cells()[-1], holm.cells()[-1]) == ("< 0.001", "< 0.01")

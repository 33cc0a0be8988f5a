"""Intervals, tests and rankings, against sacreBLEU, enumeration and their definitions."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sacrebleu as peer
from corpora import noisy_systems
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest

import vecbleu
import vecbleu.ter
from vecbleu import significance
from vecbleu.core.count_table import CountTable
from vecbleu.show.table import p_value

SHARES = 0.2, 0.22, 0.4
OTHER_SCORES = {"smoothing": "add-k", "weights": (0.5, 0.5), "effective_order": True}


def counted(size=120, shares=SHARES, **options):
    references, systems = noisy_systems(size, shares)
    return [vecbleu.statistics(lines, references, **options) for lines in systems]


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
    alone = significance.bootstrap(ours[0], **options)
    assert alone.score == scores[0]
    assert alone.resampled == pytest.approx(drawn[0], rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "share"), [(2, 0.05), (1, 0.1)])
def test_equal_systems_differ_as_often_as_docstrings_say(sides, share):
    """At p < 0.05."""
    tables = counted(50_000, (0.3, 0.3))
    parts = ([table[at : at + 100] for table in tables] for at in range(0, 50_000, 100))
    found = [significance.paired_bootstrap(pair, sides=sides, n_resamples=399) for pair in parts]
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


@pytest.mark.parametrize("level", [0.05, 0.01, 0.1, 0.003])
@pytest.mark.parametrize("adjust", ["none", "holm", "benjamini_hochberg"])
def test_too_few_draws_for_the_level_are_warned_of(adjust, level):
    """Of systems that clearly differ: as many as the warning says are enough, one less is not."""
    poor, *rest = counted(120, (0.9, 0.6, 0.35, 0.1))
    systems = {"poor": poor, **dict(zip("abc", rest, strict=True)), "copy": rest[0]}
    options = {"level": level, "adjust": adjust}
    with pytest.warns(UserWarning, match="^n_resamples is 5, too few") as caught:
        assert significance.rank(systems, n_resamples=5, **options).clusters().max() == 1
    enough = int(re.search(r"n_resamples=(\d+)$", str(caught[0].message))[1])
    with pytest.warns(UserWarning, match="too few"):
        assert significance.rank(systems, n_resamples=enough - 1, **options).clusters().max() == 1
    turned = vecbleu.Statistics(rest[0].array[::-1])  # of references that are not known
    with pytest.warns(UserWarning, match=f"too few for p < {level:g} "):  # whatever was drawn
        significance.rank([rest[0], turned], n_resamples=5, **options)
    found = significance.rank(systems, n_resamples=enough, **options)  # without a warning
    assert found.clusters().max() == 4
    adjusted = found.p_values if adjust == "none" else getattr(found, adjust)
    assert np.array_equal(found.adjusted, adjusted, equal_nan=True)
    assert f"(p < {level:g}, " in str(found)


def test_tables_tell_p_values_from_the_level():
    ours = counted(60, (0.3, 0.32))
    for result in (significance.paired_bootstrap(ours), significance.rank(ours)):
        p = float(result.p_values.flat[1])
        shown = p_value(p, round(p, 3))
        assert shown not in str(result)
        times = 2 if isinstance(result, significance.Ranking) else 1  # p (best) and p (above)
        assert str(replace(result, level=round(p, 3))).count(shown) == times
    assert shown in str(replace(result, level=round(p, 3)).pairs())


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

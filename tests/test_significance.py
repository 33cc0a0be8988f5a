from __future__ import annotations

import json
import math

import numpy as np
import pytest
import sacrebleu as peer
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest, estimate_ci

import vecbleu
import vecbleu.significance as significance
from vecbleu.significance import resampling
from vecbleu.significance.resampling import bootstrap_sums, generator, selection_sums


def lines_of(rng, size):
    return [" ".join(map(str, rng.integers(0, 9, size=rng.integers(1, 25)))) for _ in range(size)]


def worsened(rng, lines, share):
    """Lines of which a share of the tokens are others."""
    return [
        " ".join(token if rng.random() > share else "x" for token in line.split()) for line in lines
    ]


def corpus(size=120, shares=(0.2, 0.22, 0.4)):
    rng = np.random.default_rng(size)
    references = lines_of(rng, size)
    return [worsened(rng, references, share) for share in shares], references


def tables(systems, references, **options):
    return [vecbleu.statistics(lines, references, **options) for lines in systems]


def peers_test(systems, references, kind, count, **options):
    named = [(f"system {number}", lines) for number, lines in enumerate(systems)]
    metric = peer.BLEU(force=True, references=[references], **options)
    test = PairedTest(named, {"BLEU": metric}, None, test_type=kind, n_samples=count)
    return test()[1]["BLEU"]


@pytest.mark.parametrize("size", [1, 7, 120])
@pytest.mark.parametrize("resamples", [1, 39, 40, 500])
def test_intervals_are_sacrebleus(size, resamples):
    (lines, *_), references = corpus(size)
    (table,) = tables([lines], references)
    found = significance.bootstrap(table, resamples=resamples, smoothing="exp")
    metric = peer.BLEU(force=True)
    _, scores = peer.significance._bootstrap_resample(
        metric._extract_corpus_statistics(lines, [references]), metric, resamples
    )
    scores = np.array([one.score for one in scores])
    assert 100 * found.resampled == pytest.approx(scores, rel=1e-5, abs=1e-5)
    mean, confidence = estimate_ci(scores)
    assert 100 * found.mean == pytest.approx(mean, rel=1e-5)
    assert 100 * found.half_width == pytest.approx(confidence, rel=1e-4, abs=1e-4)
    assert 100 * found.score == pytest.approx(metric.corpus_score(lines, [references]).score)


@pytest.mark.parametrize("tokenize", ["13a", "char"])
@pytest.mark.parametrize(("kind", "count"), [("bs", 300), ("ar", 700)])
def test_paired_tests_are_sacrebleus(tokenize, kind, count):
    systems, references = corpus()
    theirs = peers_test(systems, references, kind, count, tokenize=tokenize)
    ours = tables(systems, references, tokenize=tokenize)
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
    systems, references = corpus(60, (0.1, 0.2, 0.3, 0.3))
    named = dict(zip("abcd", tables(systems, references), strict=True))
    found = significance.all_pairs(named, test=test, resamples=200)
    for place, name in enumerate(named):
        if test == "bootstrap":
            one = significance.paired_bootstrap(named, baseline=name, resamples=200)
        else:
            one = significance.paired_randomization(named, baseline=name, trials=200)
        assert np.array_equal(found.p_values[place], one.p_values, equal_nan=True)
        assert np.array_equal(found.differences[:, place], one.differences)
    upper = np.triu_indices(4, 1)
    raw = found.p_values[upper]
    assert found.holm[upper].tolist() == significance.holm(raw).tolist()
    assert np.array_equal(found.benjamini_hochberg, found.benjamini_hochberg.T, equal_nan=True)
    assert found.names == ("a", "b", "c", "d")


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_identical_systems_do_not_differ(test):
    systems, references = corpus()
    ours = tables([systems[0], systems[0], systems[2]], references)
    found = significance.all_pairs(ours, test=test, resamples=100)
    assert found.p_values[0, 1] == 1
    assert found.p_values[0, 2] == found.p_values[1, 2] == 1 / 101
    assert found.clusters().tolist() == [1, 1, 2]


@pytest.mark.parametrize("size", [1, 2, 31, 33, 64, 100])
@pytest.mark.parametrize("batch", [None, 1, 5, 32, 1000])
def test_draws_do_not_depend_on_portions(size, batch, monkeypatch):
    table = np.random.default_rng(1).integers(0, 9, size=(size, 3)).astype(np.float64)
    drawn = np.random.default_rng(3).choice(size, size=(70, size), replace=True)
    assert np.array_equal(bootstrap_sums(table, 70, generator(3), batch), table[drawn].sum(axis=1))
    taken = np.random.default_rng(3).integers(2, size=(70, size), dtype=bool)
    assert np.array_equal(selection_sums(table, 70, generator(3), batch), taken @ table)
    monkeypatch.setattr(resampling, "_WEIGHTS", 100)
    assert np.array_equal(selection_sums(table, 70, generator(3)), taken @ table)


def test_generators_and_seeds():
    (lines, *_), references = corpus()
    (table,) = tables([lines], references)

    def means(rng):
        return significance.bootstrap(table, resamples=9, rng=rng).mean

    assert means(0) == means(np.int64(0)) == means(np.random.default_rng(0)) != means(1)
    assert len({means(None) for _ in range(5)}) > 1
    one = np.random.default_rng(0)
    assert means(one) != means(one)
    for wrong in ("1", 1.0, True):
        with pytest.raises(TypeError, match="rng is "):
            means(wrong)
    with pytest.raises(ValueError, match="rng is -1"):
        means(-1)


@given(st.integers(1, 400), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]))
def test_intervals_hold_their_share_of_the_scores(resamples, level):
    (lines, *_), references = corpus(7)
    (table,) = tables([lines], references)
    found = significance.bootstrap(table, resamples=resamples, level=level)
    below = int((found.resampled < found.lower).sum())
    above = int((found.resampled > found.upper).sum())
    outside = int(resamples * round((1 - level) * 100) / 200)
    assert below <= outside
    assert above <= outside
    ranked = np.sort(found.resampled)
    assert (found.lower, found.upper) == (ranked[outside], ranked[resamples - outside - 1])


def test_the_jackknife_leaves_each_segment_out():
    (lines, *_), references = corpus(30)
    (table,) = tables([lines], references)
    found = significance.jackknife(table, smoothing="floor", smoothing_value=0.2)
    expected = [
        vecbleu.corpus_bleu(
            lines[:place] + lines[place + 1 :],
            references[:place] + references[place + 1 :],
            smoothing="floor",
            smoothing_value=0.2,
        ).score
        for place in range(30)
    ]
    assert found.without.tolist() == expected
    assert found.influence.tolist() == [found.score - one for one in expected]
    mean = sum(expected) / 30
    error = math.sqrt(29 / 30 * sum((one - mean) ** 2 for one in expected))
    assert found.standard_error == pytest.approx(error)
    assert found.bias == pytest.approx(29 * (mean - found.score))
    assert significance.jackknife(table[:1]).without.tolist() == [0]


@pytest.mark.parametrize(("test", "rate"), [("bootstrap", 0.1), ("randomization", 0.05)])
def test_false_positives_at_a_level_of_5_percent(test, rate):
    """1,000 pairs of systems that err alike in the long profile, 100 else.

    The bootstrap's rule asks for one tail of two: see `paired_bootstrap`.
    """
    pairs = 1000 if settings.get_profile("long") is settings.default else 100
    rng = np.random.default_rng(8)
    false = 0
    for _ in range(pairs):
        lengths = rng.integers(5, 40, size=150)
        totals = np.maximum(lengths[:, None] - np.arange(4), 0)
        ours = []
        for _ in range(2):
            matches = np.minimum.accumulate(rng.binomial(totals, [0.6, 0.4, 0.3, 0.2]), axis=1)
            columns = [lengths[:, None], lengths[:, None], matches, totals]
            ours.append(vecbleu.Statistics.from_array(np.concatenate(columns, axis=1)))
        found = significance.all_pairs(ours, test=test, resamples=199, rng=rng)
        false += bool(found.p_values[0, 1] <= 0.05)
    assert abs(false / pairs - rate) <= 4 * math.sqrt(rate * (1 - rate) / pairs)


p_values = st.lists(st.floats(0, 1), min_size=0, max_size=12)


@given(p_values)
def test_adjusted_p_values_are_those_of_their_definitions(values):
    count = len(values)
    ranked = sorted(range(count), key=lambda index: values[index])
    holm, hochberg = [0.0] * count, [0.0] * count
    for rank, index in enumerate(ranked):
        holm[index] = max(
            min(1.0, (count - before) * values[ranked[before]]) for before in range(rank + 1)
        )
        hochberg[index] = min(
            1.0, *(count / (after + 1) * values[ranked[after]] for after in range(rank, count)), 1.0
        )
    assert significance.holm(values).tolist() == pytest.approx(holm)
    assert significance.benjamini_hochberg(values).tolist() == pytest.approx(hochberg)


def test_no_test_is_no_test_among_several():
    adjusted = significance.holm([math.nan, 0.02, 0.5])
    assert adjusted[1:].tolist() == [0.04, 0.5]
    assert math.isnan(adjusted[0])
    with pytest.raises(ValueError, match=r"p_values\[1\] is 1.5"):
        significance.holm([0.5, 1.5])
    with pytest.raises(ValueError, match="2 dimensions"):
        significance.benjamini_hochberg([[0.5]])


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
    with pytest.raises(ValueError, match="scores has shape"):
        significance.clusters(scores, p[:3])


def test_weights_and_smoothing_reach_the_scores():
    systems, references = corpus(20)
    ours = tables(systems, references)
    for options in ({"weights": (0.5, 0.5)}, {"smoothing": "add-k"}, {"effective_order": True}):
        scores = [float(vecbleu.bleu(table.sum(), **options)) for table in ours]
        found = significance.paired_bootstrap(ours, resamples=9, **options)
        assert found.scores.tolist() == pytest.approx(scores, rel=1e-15)
        assert significance.bootstrap(ours[0], resamples=9, **options).score == pytest.approx(
            scores[0], rel=1e-15
        )


def test_results_are_written_as_json():
    systems, references = corpus(20)
    ours = tables(systems, references)
    results = [
        significance.bootstrap(ours[0], resamples=9),
        significance.jackknife(ours[0]),
        significance.paired_bootstrap(ours, resamples=9),
        significance.paired_randomization(ours, trials=9),
        significance.all_pairs(ours, resamples=9),
    ]
    for result in results:
        written = json.loads(json.dumps(result.to_dict()))
        assert [*written] == [*type(result).__dataclass_fields__]
        assert len(repr(result)) < 150
        with pytest.raises(AttributeError):
            setattr(result, next(iter(written)), 1)
        with pytest.raises((AttributeError, TypeError)):
            result.more = 1


def test_errors_name_what_is_wrong():
    systems, references = corpus(20)
    ours = tables(systems, references)
    compare = significance.paired_bootstrap
    for wrong, error, message in [
        (lambda: compare(ours[:1]), ValueError, "systems has 1"),
        (lambda: compare(5), TypeError, "systems is int"),
        (lambda: compare([ours[0], 5]), TypeError, r"systems\[1\] is int"),
        (lambda: compare({"a": ours[0], "b": 5}), TypeError, r"systems\['b'\] is int"),
        (lambda: compare([ours[0], ours[1][:9]]), ValueError, "system 1 has 9 .* 0 has 20"),
        (lambda: compare(ours, baseline="b"), ValueError, "baseline is 'b'"),
        (lambda: compare(ours, baseline=3), ValueError, "baseline is 3 but there are 3"),
        (lambda: compare(ours, baseline=1.0), TypeError, "baseline is 1.0"),
        (lambda: compare(ours, resamples=0), ValueError, "resamples is 0"),
        (lambda: compare(ours, resamples=1.5), TypeError, "resamples is 1.5"),
        (lambda: compare(ours, batch=0), ValueError, "batch is 0"),
        (lambda: compare(ours, smooth="exp"), TypeError, "smooth is no option"),
        (lambda: compare(ours, smoothing="x"), ValueError, "smoothing is 'x'"),
        (lambda: compare(ours, weights=[(1,), (1, 2)]), ValueError, "several sets"),
        (lambda: significance.bootstrap(ours[0].sum()), ValueError, "not a sum"),
        (lambda: significance.bootstrap(ours[0][:0]), ValueError, "statistics has 0 segments"),
        (lambda: significance.bootstrap(ours[0], level=1), ValueError, "level is 1"),
        (lambda: significance.bootstrap(ours[0], level="1"), TypeError, "level is '1'"),
        (lambda: significance.all_pairs(ours, test="t"), ValueError, "test is 't'"),
    ]:
        with pytest.raises(error, match=message):
            wrong()

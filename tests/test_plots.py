"""Pictures: what is drawn is what the results say, and everything can be read."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, product
from xml.etree import ElementTree

import numpy as np
import pytest
from command import error, run
from corpora import noisy_systems

import vecbleu
import vecbleu.ter
from vecbleu.analysis import score_buckets
from vecbleu.plots import plot_bars, plot_pairs, plot_scores
from vecbleu.significance import bootstrap, paired_bootstrap, rank
from vecbleu.significance.results import p_texts

pytest.importorskip("matplotlib")
from matplotlib import pyplot
from matplotlib.colors import same_color
from matplotlib.figure import Figure

pytestmark = pytest.mark.slow

NAMES = ["$a_b$", "_hidden", "Système №5 µ", "50% & <more>", "\\frac{", "^"]
NAMES += [f"newstest2020.en-de.Online-{letter}.1574" for letter in "ABCDEFGHIJKLMNOPQRST"]
DOMAINS = ["news", "speech", "social media", "e-commerce"] * 10
DOCUMENTS = [f"bbc.38179{place // 3}" for place in range(40)]


@pytest.fixture(autouse=True)
def no_figures():
    """pyplot keeps figures until they are closed."""
    yield
    pyplot.close("all")


@cache
def counted(count, names=tuple(NAMES)):
    """Systems from the third best to the worst, with the two best at the end."""
    references, outputs = noisy_systems(40, 0.2 + 0.02 * np.roll(np.arange(count), -2))
    tables = [vecbleu.statistics(output, references, workers=1) for output in outputs]
    return dict(zip(names, tables, strict=False))


@cache
def ranked(*own):
    return rank(counted(*own), n_resamples=1000)  # "< 0.001" is the widest number


def scores(*own):
    return {name: one.score() for name, one in counted(*own).items()}


# What is drawn of so many systems, by these names.
RESULTS = {
    "ranking": (plot_scores, ranked),
    "comparison": (plot_scores, lambda *own: paired_bootstrap(counted(*own), n_resamples=50)),
    "pairs": (plot_pairs, ranked),
    "domains": (plot_bars, lambda *own: score_buckets(counted(*own), DOMAINS)),
    "documents": (plot_bars, lambda *own: score_buckets(counted(*own), DOCUMENTS)),
    "precisions": (plot_bars, scores),
}


def draw(kind, *own, **options):
    function, result = RESULTS[kind]
    return function(result(*own), **options)


def gains(values, low, high):
    """Differences with their intervals, as pictures have them."""
    rows = zip(*(100 * np.asarray(own, float) for own in (values, low, high)), strict=True)
    return [
        f"{one:+.1f} ({two:+.1f} to {three:+.1f})".replace("-", "−") for one, two, three in rows
    ]


few_and_many = pytest.mark.parametrize("count", [5, 26])


def texts(ax):
    """Everything that is written in a picture, laid out; ticks beside the Axes are not drawn."""
    ax.figure.draw_without_rendering()
    found = [*ax.texts, ax.xaxis.label, ax.yaxis.label]
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        found += [text for place, text in ticks if low <= place <= high]
    if ax.get_legend():
        found += ax.get_legend().get_texts()
    return [text for text in found if text.get_text()]


def words(labels):
    return [text.get_text() for text in labels]


def cells(ax):
    """Texts of a matrix by row and column."""
    places = [np.round(text.get_position()[::-1]).astype(int) for text in ax.texts]
    return dict(zip(map(tuple, places), words(ax.texts), strict=True))


def dots(ax):
    """Scores of the rows that have each mark."""
    found = {"filled": {}, "hollow": {}, "triangle": {}}
    for line in lines(ax, "None"):
        is_hollow = same_color(line.get_markerfacecolor(), ax.get_facecolor())
        kind = "triangle" if line.get_marker() == "^" else "hollow" if is_hollow else "filled"
        found[kind] |= {int(row): score for score, row in line.get_xydata().tolist()}
    return found


def lines(ax, style):
    return [line for line in ax.lines if line.get_linestyle() == style]


PERFECT = vecbleu.corpus_bleu(["a b c d e"], ["a b c d e"])
PICTURES = [partial(draw, *given) for given in product(RESULTS, [2, 26])]
PICTURES.append(lambda: plot_bars({"one": PERFECT, "two": PERFECT}))
PICTURES += [
    partial(lambda plot, count: plot(rank(counted_errors(count), n_resamples=50)), *given)
    for given in product((plot_scores, plot_pairs), [2, 26])
]


@pytest.mark.parametrize("picture", PICTURES)
def test_nothing_is_covered_or_cut_off(picture):
    ax = picture()
    ax.figure.savefig(io.BytesIO(), format="png")
    width, height = ax.figure.get_size_inches()
    assert 3 < width < 20
    assert 1 < height < 12
    whole = ax.figure.bbox
    level = []
    for text in texts(ax):
        box = text.get_window_extent()
        assert text.get_fontsize() >= 8
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1 + 0.5, text.get_text()
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1 + 0.5, text.get_text()
        if text.get_rotation() != 45:  # boxes of slanted labels overlap where the labels do not
            level.append(box.padded(2))
    assert not any(one.overlaps(other) for one, other in combinations(level, 2))
    assert ax.bbox.width > 200


@few_and_many
@pytest.mark.parametrize(("level", "adjust"), [(0.05, "none"), (0.2, "holm")])
def test_scores_are_those_of_the_ranking(count, level, adjust):
    found = rank(counted(count), n_resamples=1700, level=level, adjust=adjust)
    ax = plot_scores(found)
    order = found.order
    expected = 100 * found.scores[order]
    assert words(ax.get_yticklabels()) == [NAMES[place] for place in order]
    matrices = found.differences, found.difference_lower, found.difference_upper
    shown = gains(*(own[order[1:], order[0]] for own in matrices))
    assert words(ax.texts) == [*(f"{score:.1f}" for score in expected), "", *shown]
    (bars,) = ax.collections
    ends = np.array([segment[:, 0] for segment in bars.get_segments()])
    assert ends == pytest.approx(100 * np.stack([found.lower, found.upper], axis=1)[order])
    marked = dots(ax)
    worse = np.flatnonzero(found.significant[order, order[0]])
    assert ({*marked["hollow"]}, marked["triangle"]) == ({*worse.tolist()}, {})
    together = marked["hollow"] | marked["filled"]
    assert [together[row] for row in range(count)] == pytest.approx(expected)
    borders = np.flatnonzero(np.diff(found.clusters()[order]))
    assert [line.get_ydata()[0] for line in lines(ax, "--")] == (borders + 0.5).tolist()
    assert f"BLEU (0-100) with {100 * (1 - level):g}%" in ax.get_xlabel()
    assert (f"{level:g}" in ax.get_xlabel()) == (len(worse) > 0)


def test_scores_of_a_comparison_are_marked_against_its_baseline():
    found = paired_bootstrap(counted(12), baseline=NAMES[2], confidence_level=0.9)
    ax = plot_scores(found)
    order = np.argsort(-found.scores)
    is_significant, differences = found.significant[order], found.differences[order]
    marked = dots(ax)
    for kind, chosen in (("hollow", differences < 0), ("triangle", differences > 0)):
        rows = np.flatnonzero(is_significant & chosen).tolist()
        assert {*marked[kind]} == {*rows} != set()
    (baseline,) = lines(ax, ":")
    assert baseline.get_xdata()[0] == 100 * found.scores[2]
    assert "90%" in ax.get_xlabel()
    shown = gains(found.differences, found.difference_lower, found.difference_upper)
    shown[2] = ""
    assert words(ax.texts)[12:] == [shown[place] for place in order]


def test_scores_without_intervals_are_dots_alone():
    found = rank(counted(5), test="randomization", n_resamples=200)
    ax = plot_scores(found)
    assert (len(ax.collections), sum(map(len, dots(ax).values()))) == (0, 5)
    gained = 100 * found.differences[found.order[1:], found.order[0]]
    assert words(ax.texts)[6:] == [f"{gain:+.1f}".replace("-", "−") for gain in gained]


@few_and_many
@pytest.mark.parametrize("adjust", ["none", "holm"])
def test_pairs_are_those_of_the_ranking(count, adjust):
    found = replace(ranked(count), adjust=adjust)
    ax = plot_pairs(found)
    order = found.order
    names = [f"{NAMES[one]}  {row}" for row, one in enumerate(order, 1)]
    assert words(ax.get_yticklabels()) == names
    assert words(ax.get_xticklabels()) == [f"{number}" for number in range(1, count + 1)]
    p_values, differences = (of[order][:, order] for of in (found.adjusted, found.differences))
    drawn = cells(ax)
    assert len(drawn) == count * (count - 1)
    for place, text in drawn.items():
        (p_text,) = p_texts(found, ([order[place[0]]], [order[place[1]]]))
        p_text = p_text.replace(", borderline", "?")
        assert text == (f"{100 * differences[place]:+.1f}" if place[0] < place[1] else p_text)
    is_significant = found.significant[order][:, order]
    levels = 1 * is_significant + (is_significant & (p_values < 0.01))
    shades = ax.images[0].norm(ax.images[0].get_array())
    means = [shades[levels == level].mean() for level in np.unique(levels)]
    assert ("?: borderline" in ax.get_xlabel()) == found.borderline.any()
    assert (shades[levels == 0] == 0).all()
    assert means == sorted({*means})


def drawn_values(ax, systems):
    """Values of each system (systems, groups), of bars or cells."""
    if ax.images:
        found = cells(ax)
        return np.array([float(found[place]) for place in sorted(found)]).reshape(systems, -1)
    middles = np.array([bar.get_x() + bar.get_width() / 2 for bar in ax.patches])
    assert middles.reshape(systems, -1).mean(axis=0) == pytest.approx(ax.get_xticks())
    assert (np.diff(np.sort(middles)) > 0.9 * ax.patches[0].get_width()).all()
    return np.array([[bar.get_height() for bar in one.patches] for one in ax.containers])


PRECISIONS = ["1", "2", "3", "4", "brevity\npenalty"]


@few_and_many
@pytest.mark.parametrize("labels", [PRECISIONS, None, DOMAINS, [*range(40)]])
def test_bars_are_precisions_or_scores_of_groups(count, labels):
    if labels == PRECISIONS:
        found = scores(count)
        rows = [[*one.percent_precisions, 100 * one.brevity_penalty] for one in found.values()]
        means = [float(score) for score in found.values()]
    else:
        found = score_buckets(counted(count), labels)
        rows = 100 * found.scores
        means = np.average(found.scores, axis=1, weights=found.sizes)
        pairs = zip(found.labels, found.sizes, strict=True)
        labels = [f"{label}\n({size})" for label, size in pairs]
    order = np.argsort(-np.array(means), kind="stable")
    expected, names = np.array(rows)[order], [NAMES[place] for place in order]
    assert names[0] != NAMES[0]
    ax = plot_bars(found)
    assert words(ax.get_xticklabels()) == labels
    assert drawn_values(ax, count) == pytest.approx(expected, abs=0.051 if ax.images else 1e-9)
    if ax.images:
        assert words(ax.get_yticklabels()) == names
        shades = np.asarray(ax.images[0].get_array())
        assert (shades.argmax(axis=0) == expected.argmax(axis=0)).all()
        darkest = shades.max(axis=0)[np.ptp(expected, axis=0) > 1]
        assert darkest == pytest.approx(shades.max())
    else:
        assert words(ax.get_legend().get_texts()) == names
        colors = [one.patches[0].get_facecolor() for one in ax.containers]
        assert [one.get_facecolor() for one in ax.get_legend().get_patches()] == colors
        assert len({*colors}) == count


@pytest.mark.parametrize(("count", "groups"), [(6, 11), (4, 16), (2, 26)])
def test_bars_with_the_gaps_between_groups_are_at_most_80(count, groups):
    for more, is_matrix in ((0, False), (1, True)):
        ax = plot_bars(score_buckets(counted(count), np.arange(40) % (groups + more)))
        assert (len(ax.images) == 1) == is_matrix == ((count + 1) * (groups + more) > 80)


def counted_errors(count):
    """The systems of `counted`, by a metric whose lower score is better."""
    references, outputs = noisy_systems(40, 0.2 + 0.02 * np.roll(np.arange(count), -2))
    tables = [vecbleu.ter.statistics(output, references, workers=1) for output in outputs]
    return dict(zip(NAMES, tables, strict=False))


def test_if_lower_is_better_the_lowest_score_is_at_the_top():
    tables = counted_errors(12)
    found = rank(tables, n_resamples=200)
    order = np.argsort(found.scores, kind="stable")
    ax = plot_scores(found)
    assert words(ax.get_yticklabels()) == [NAMES[place] for place in order]
    worse = np.flatnonzero(found.significant[order, order[0]])
    assert ({*dots(ax)["hollow"]}, dots(ax)["triangle"]) == ({*worse.tolist()}, {})
    assert "TER (lower is better) with 95%" in ax.get_xlabel()
    ax = plot_pairs(found)
    assert ax.get_xlabel().endswith("\nTER: lower is better")
    numbers = [text for (row, column), text in cells(ax).items() if row < column]
    assert all(text.startswith("-") or text == "+0.0" for text in numbers)

    found = paired_bootstrap(tables, baseline=NAMES[4])
    marked = dots(plot_scores(found))
    order = np.argsort(found.scores, kind="stable")
    is_significant, differences = found.significant[order], found.differences[order]
    for kind, chosen in (("hollow", differences > 0), ("triangle", differences < 0)):
        assert {*marked[kind]} == {*np.flatnonzero(is_significant & chosen).tolist()} != set()


@few_and_many
def test_if_lower_is_better_the_lowest_bars_stand_first(count):
    found = score_buckets(counted_errors(count), DOMAINS)
    order = np.argsort(np.average(found.scores, axis=1, weights=found.sizes), kind="stable")
    expected = 100 * found.scores[order]
    ax = plot_bars(found)
    assert drawn_values(ax, count) == pytest.approx(expected, abs=0.051 if ax.images else 1e-9)
    if ax.images:
        assert words(ax.get_yticklabels()) == [NAMES[place] for place in order]
        shades = np.asarray(ax.images[0].get_array())
        assert (shades.argmax(axis=0) == expected.argmin(axis=0)).all()
    labels = ax.get_xlabel() if ax.images else ax.get_ylabel()
    assert "TER (lower is better)" in labels


@pytest.mark.parametrize(("systems", "groups"), [(2, 12), (1, 24), (5, 5)])
def test_up_to_24_bars_have_their_numbers(systems, groups):
    found = score_buckets(counted(systems), np.arange(40) % groups)
    ax = plot_bars(found)
    assert len(ax.texts) == (24 if systems * groups <= 24 else 0)
    assert ax.get_xlabel() == "group (number of segments)"
    lengths = score_buckets(counted(systems), edges=[10])
    assert plot_bars(lengths).get_xlabel() == "reference length (number of segments)"


def test_numbers_above_bars_have_at_most_four_characters():
    rows = [[10000, 10000, own, 10000] for own in (9994, 9996, 10000)]
    table = vecbleu.Statistics(rows)
    ax = plot_bars(score_buckets({"x": table}, [1, 2, 3]))
    assert words(ax.texts) == ["99.9", "100", "100"]


def test_bars_above_100_have_their_numbers():
    long = vecbleu.ter.statistics(["a b c d e", "x"], ["a b", "x"])
    ax = plot_bars(score_buckets({"long": long}, ["one", "other"]))
    assert words(ax.texts) == ["150", "0.0"]


HARD = ["猫が好きです", "$a\ud800b$", "c\x01\nd", "e\tf", "x" * 3000, "猫" * 3000]
SHOWN = ["猫が好きです", "$a\\ud800b$", "c\\u0001\\nd", "e\\tf"]
SHOWN += ["x" * 20 + "…" + "x" * 19, "猫" * 10 + "…" + "猫" * 9]


@pytest.mark.filterwarnings("ignore:Glyph")  # fonts without these letters
@pytest.mark.parametrize("kind", RESULTS)
def test_hard_names_are_escaped_and_shortened(kind):
    ax = draw(kind, 6, tuple(HARD))
    written = texts(ax)
    assert not any(text.get_parse_math() for text in written if "$" in text.get_text())
    assert all(text.get_window_extent().x0 >= -0.5 for text in written)
    assert ax.bbox.width > 250
    assert ax.figure.bbox.width < 2000
    file = io.BytesIO()
    ax.figure.savefig(file, format="svg")
    ElementTree.fromstring(file.getvalue())
    shown = " ".join(words(written))
    assert all(name in shown for name in SHOWN)
    assert "x" * 21 not in shown


@pytest.mark.parametrize("count", [2, 26])
def test_labels_of_groups_are_no_math(count):
    ax = plot_bars(score_buckets(counted(count), ["$a$", "$b", "c$", "$d"] * 10))
    labels = ax.get_xticklabels()
    assert [text.get_text().split()[0] for text in labels] == ["$a$", "$b", "c$", "$d"]
    assert not any(text.get_parse_math() for text in labels)


def test_a_given_axes_is_drawn_into():
    one, other = Figure().subplots(2)
    assert draw("pairs", 5, ax=one) is one
    assert (one.has_data(), other.has_data(), pyplot.get_fignums()) == (True, False, [])
    new = draw("pairs", 5)
    assert pyplot.gcf() is new.figure  # a notebook shows it


STATS = vecbleu.statistics(["a b c d"] * 61, ["a b c e"] * 61)
SHORTER = vecbleu.corpus_bleu(["a b"], ["a b"], max_order=2)


def test_of_many_groups_the_largest_are_drawn_with_a_line_that_says_so():
    rows = STATS[np.arange(62) % len(STATS)]
    ax = plot_bars(score_buckets({"x": rows}, [3, *range(61)]))
    assert words(ax.get_xticklabels()) == [
        f"{label}\n({1 + (label == 3)})" for label in [3, *range(3), *range(4, 60)]
    ]
    assert "label: the 60 largest of 61 groups" in ax.get_xlabel()
    few = plot_bars(score_buckets({"x": rows}, [3, 3, *range(60)]))
    assert "largest" not in few.get_xlabel()


RANK = r"; draw significance\.rank\(systems\) instead$"


@pytest.mark.parametrize(
    ("kind", "call", "told"),
    [
        (TypeError, lambda: plot_scores(bootstrap(STATS)), f"ranking is Interval{RANK}"),
        (TypeError, lambda: plot_pairs({"a": STATS}), f"ranking is dict{RANK}"),
        (TypeError, lambda: plot_bars({"b": STATS}), r"result\['b'\] is Statistics; draw"),
        (TypeError, lambda: plot_bars(STATS), "result is Statistics; draw"),
        (ValueError, lambda: plot_bars({}), r"result has scores of \[\]"),
        (ValueError, lambda: plot_bars({"a": SHORTER, "b": STATS.score()}), r"result.*\[2, 4\]"),
        (TypeError, lambda: plot_pairs(ranked(2), ax=Figure()), "ax"),
    ],
)
def test_what_is_no_result_is_refused(kind, call, told):
    with pytest.raises(kind, match=f"^{told}"):
        call()
    assert pyplot.get_fignums() == []


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path):
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, module, None)
    for kind in RESULTS:
        with pytest.raises(ImportError, match=r"vecbleu\[plot\]"):
            draw(kind, 2)
    counted(2)[NAMES[0]].save(tmp_path / "a.npz")
    assert "[plot]" in error(run(tmp_path, "plot", "groups", "-i", "a.npz", "-o", "x.svg"))

"""Pictures: what is drawn is what the results say, and everything can be read."""

from __future__ import annotations

import io
import sys
import warnings
from functools import cache
from itertools import combinations
from typing import get_type_hints
from xml.etree import ElementTree

import numpy as np
import pytest
from corpora import noisy_systems
from processes import output_of

import vecbleu
from vecbleu import plots
from vecbleu.analysis import score_buckets
from vecbleu.plots import plot_bars, plot_pairs, plot_scores
from vecbleu.significance import (
    Interval,
    Ranking,
    bootstrap,
    paired_bootstrap,
    paired_randomization,
    rank,
)

pytest.importorskip("matplotlib")

from matplotlib import pyplot
from matplotlib.colors import same_color
from matplotlib.figure import Figure

COUNTS = [1, 2, 5, 12, 26]
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
def ranked(count, names=tuple(NAMES)):
    """A `Ranking`; of one system, as nobody makes it."""
    systems = counted(count, names)
    if count > 1:
        return rank(systems, n_resamples=1000)  # "< 0.001" is the widest number
    scores, nothing = np.array([systems[names[0]].score()]), np.full((1, 1), np.nan)
    return Ranking((names[0],), scores, np.zeros((1, 1)), nothing, nothing, nothing)


def intervals(systems):
    return {name: bootstrap(one, n_resamples=50) for name, one in systems.items()}


def scores(systems):
    return {name: one.score() for name, one in systems.items()}


# What is drawn of so many systems, by these names.
RESULTS = {
    "ranking": (plot_scores, ranked),
    "comparison": (plot_scores, lambda *own: paired_bootstrap(counted(*own), n_resamples=50)),
    "intervals": (plot_scores, lambda *own: intervals(counted(*own))),
    "pairs": (plot_pairs, ranked),
    "lengths": (plot_bars, lambda *own: score_buckets(counted(*own))),
    "domains": (plot_bars, lambda *own: score_buckets(counted(*own), DOMAINS)),
    "documents": (plot_bars, lambda *own: score_buckets(counted(*own), DOCUMENTS)),
    "precisions": (plot_bars, lambda *own: scores(counted(*own))),
}


def draw(kind, *own, **options):
    function, result = RESULTS[kind]
    return function(result(*own), **options)


each_kind = pytest.mark.parametrize("kind", RESULTS)


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


def row_names(ax):
    return words(ax.get_yticklabels())


def cells(ax):
    """Texts of a matrix by row and column."""
    return {
        (round(text.get_position()[1]), round(text.get_position()[0])): text.get_text()
        for text in ax.texts
    }


def dots(ax):
    """Scores of the rows that have each mark."""
    found = {"filled": {}, "hollow": {}, "triangle": {}}
    for line in ax.lines:
        if line.get_linestyle() == "None":
            is_hollow = same_color(line.get_markerfacecolor(), ax.get_facecolor())
            kind = "hollow" if is_hollow else "filled"
            kind = "triangle" if line.get_marker() == "^" else kind
            found[kind] |= {int(row): score for score, row in line.get_xydata().tolist()}
    return found


def lines(ax, style):
    return [line for line in ax.lines if line.get_linestyle() == style]


@each_kind
@pytest.mark.parametrize("count", COUNTS)
def test_nothing_is_covered_or_cut_off(kind, count):
    if kind == "comparison" and count == 1:
        pytest.skip("nothing to compare with")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = draw(kind, count)
        ax.figure.savefig(io.BytesIO(), format="png")
    width, height = ax.figure.get_size_inches()
    assert 3 < width < 20
    assert 1 < height < 12
    written = texts(ax)
    boxes = [text.get_window_extent() for text in written]
    for text, box in zip(written, boxes, strict=True):
        assert text.get_fontsize() >= 8
        whole = ax.figure.bbox
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1 + 0.5, text.get_text()
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1 + 0.5, text.get_text()
    # Boxes of slanted labels overlap where the labels do not.
    level = [box for text, box in zip(written, boxes, strict=True) if text.get_rotation() != 45]
    for one, other in combinations(level, 2):
        assert not one.overlaps(other)
    assert ax.bbox.width > 200


@pytest.mark.parametrize("count", COUNTS[1:])
@pytest.mark.parametrize("level", [0.05, 0.2])
def test_scores_are_those_of_the_ranking(count, level):
    found = ranked(count)
    ax = plot_scores(found, level=level)
    order = found.order
    expected = 100 * found.scores[order]
    assert row_names(ax) == [NAMES[place] for place in order]
    assert words(ax.texts) == [f"{score:.1f}" for score in expected]
    (bars,) = ax.collections
    ends = np.array([segment[:, 0] for segment in bars.get_segments()])
    assert ends == pytest.approx(100 * np.stack([found.lower, found.upper], axis=1)[order])
    marked = dots(ax)
    worse = {*np.flatnonzero(found.p_values[order, order[0]] < level).tolist()}
    assert {*marked["hollow"]} == worse
    assert marked["triangle"] == {}
    together = marked["hollow"] | marked["filled"]
    assert [together[row] for row in range(count)] == pytest.approx(expected)
    top, bottom = ax.get_ylim()[::-1]
    assert top < 0 < count - 1 < bottom
    borders = np.flatnonzero(np.diff(found.clusters(level)[order]))
    drawn = [line.get_ydata()[0] for line in lines(ax, "--")]
    assert drawn == [place + 0.5 for place in borders.tolist()]
    caption = "BLEU (0-100) with 95% intervals\n"
    if worse:
        caption += f"hollow: significantly worse than the best (p < {level:g})"
    if len(borders):
        caption += ";\ndashed lines separate clusters"
    assert ax.get_xlabel() == caption.strip()


def test_scores_of_a_comparison_are_marked_against_its_baseline():
    systems = counted(12)
    found = paired_bootstrap(systems, baseline=NAMES[4], n_resamples=200, confidence_level=0.9)
    ax = plot_scores(found)
    order = np.argsort(-found.scores)
    assert row_names(ax) == [NAMES[place] for place in order]
    is_significant, differences = found.p_values[order] < 0.05, found.differences[order]
    marked = dots(ax)
    worse, better = is_significant & (differences < 0), is_significant & (differences > 0)
    assert worse.any()
    assert better.any()
    assert {*marked["hollow"]} == {*np.flatnonzero(worse).tolist()}
    assert {*marked["triangle"]} == {*np.flatnonzero(better).tolist()}
    assert lines(ax, "--") == []
    (baseline,) = lines(ax, ":")
    assert baseline.get_xdata()[0] == 100 * found.scores[4]
    assert ax.get_xlabel().split("\n") == [
        "BLEU (0-100) with 90% intervals",
        "hollow: significantly worse than the baseline (p < 0.05);",
        "triangles: significantly better than the baseline (p < 0.05);",
        "dotted line: the baseline",
    ]


def test_tests_by_randomization_have_dots_alone():
    systems = counted(5)
    for found in (
        rank(systems, test="randomization", n_resamples=200),
        paired_randomization(systems, n_resamples=200),
    ):
        ax = plot_scores(found)
        assert len(ax.collections) == 0
        assert ax.get_xlabel().startswith("BLEU (0-100)\n")
        assert sum(map(len, dots(ax).values())) == 5


def test_intervals_have_no_marks():
    found = intervals(counted(5))
    ax = plot_scores(found)
    best = sorted(found, key=lambda name: -found[name].score)
    assert row_names(ax) == best
    assert [*dots(ax)["filled"].values()] == pytest.approx([100 * found[one].score for one in best])
    assert ax.get_xlabel() == "BLEU (0-100) with 95% intervals"
    alone = plot_scores(found[best[0]])
    assert row_names(alone) == [""]
    (bar,) = alone.collections
    one = found[best[0]]
    assert bar.get_segments()[0][:, 0] == pytest.approx([100 * one.lower, 100 * one.upper])


def test_equal_systems_keep_their_order():
    one = next(iter(counted(2).values()))
    ax = plot_scores(rank({"b": one, "a": one}, n_resamples=20))
    assert row_names(ax) == ["b", "a"]
    assert len(dots(ax)["filled"]) == 2


@pytest.mark.parametrize("level", [0, 1, -0.1, 2, float("nan")])
def test_levels_are_between_0_and_1(level):
    for result in (ranked(2), bootstrap(counted(2)[NAMES[0]], n_resamples=9)):
        with pytest.raises(ValueError, match=r"level is .*, expected a number between 0 and 1"):
            plot_scores(result, level=level)


@pytest.mark.parametrize("count", COUNTS)
def test_pairs_are_those_of_the_ranking(count):
    found = ranked(count)
    ax = plot_pairs(found)
    order = found.order
    assert row_names(ax) == [f"{NAMES[one]}  {row}" for row, one in enumerate(order, 1)]
    assert words(ax.get_xticklabels()) == [f"{number}" for number in range(1, count + 1)]
    drawn = cells(ax)
    assert len(drawn) == count * (count - 1)
    (image,) = ax.images
    shades = np.asarray(image.get_array())
    for (row, column), text in drawn.items():
        pair = order[row], order[column]
        p_value = found.p_values[pair]
        if row < column:
            assert text == f"{100 * found.differences[pair]:+.1f}"
            assert not text.startswith("-")
        else:
            assert text == ("< 0.001" if p_value < 0.001 else f"{p_value:.3f}")
        same = found.p_values[order][:, order]
        for less, more in ((0.05, 1.1), (0.01, 0.05)):
            lighter, darker = (same >= less) & (same < more), same < less
            if lighter.any() and darker.any():
                assert shades[lighter].max() < shades[darker].min()
    assert (np.diagonal(shades) == 0).all()
    assert "differences of BLEU (0-100), row - column" in ax.get_xlabel()
    assert "shaded: p < 0.05, darker: p < 0.01" in ax.get_xlabel()


def drawn_values(ax, systems):
    """Values of each system (systems, groups), of bars or cells."""
    if ax.images:
        found = cells(ax)
        columns = 1 + max(column for _, column in found)
        values = [[float(found[row, column]) for column in range(columns)]
            for row in range(systems)]  # fmt: skip
        return np.array(values)
    bars = [[bar.get_height() for bar in one.patches] for one in ax.containers]
    assert all(bar.get_y() == 0 for bar in ax.patches)
    middles = np.array([bar.get_x() + bar.get_width() / 2 for bar in ax.patches])
    assert (np.diff(np.sort(middles)) > 0.9 * ax.patches[0].get_width()).all()
    assert middles.reshape(systems, -1).mean(axis=0) == pytest.approx(ax.get_xticks())
    return np.array(bars)


@pytest.mark.parametrize("count", COUNTS)
def test_bars_are_precisions(count):
    found = scores(counted(count))
    ax = plot_bars(found)
    expected = np.array([one.percent_precisions for one in found.values()])
    assert drawn_values(ax, count) == pytest.approx(expected, abs=0.051 if count > 6 else 1e-9)
    assert words(ax.get_xticklabels()) == ["1", "2", "3", "4"]
    assert bool(ax.images) == (count > 6)
    if count > 6:
        assert row_names(ax) == NAMES[:count]
        assert "darker: better within a column" in ax.get_xlabel()
        shades = np.asarray(ax.images[0].get_array())
        for column in range(4):
            assert shades[:, column].argmax() == expected[:, column].argmax()
            assert shades[:, column].argmin() == expected[:, column].argmin()
    else:
        assert words(ax.get_legend().get_texts()) == NAMES[:count]
        colors = [bar.get_facecolor() for bar in ax.patches[::4]]
        handles = [one.get_facecolor() for one in ax.get_legend().get_patches()]
        assert handles == colors
        assert len({*colors}) == count
        assert ax.get_ylabel() == "precision (0-100)"
    alone = plot_bars(found[NAMES[0]])
    assert alone.get_legend() is None
    assert drawn_values(alone, 1) == pytest.approx(expected[:1])


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("labels", [None, DOMAINS, [*range(40)]])
def test_bars_are_scores_of_groups(count, labels):
    found = score_buckets(counted(count), labels)
    ax = plot_bars(found)
    expected = 100 * found.scores
    assert drawn_values(ax, count) == pytest.approx(expected, abs=0.051 if ax.images else 1e-9)
    shown = words(ax.get_xticklabels())
    pairs = zip(found.labels, found.sizes, strict=True)
    assert shown == [f"{label}\n({size})" for label, size in pairs]
    assert ("reference length" if labels is None else "group") in ax.get_xlabel()
    assert "(number of segments)" in ax.get_xlabel()


def test_groups_that_no_picture_holds_are_refused():
    systems = {"x": vecbleu.statistics(["a b c d"] * 61, ["a b c e"] * 61)}
    with pytest.raises(ValueError, match="result has 61 groups, expected at most 60"):
        plot_bars(score_buckets(systems, range(61)))


HARD = ["猫が好きです", "a\ud800b", "c\x01\nd", "e\tf", "x" * 3000, "猫" * 3000]


@each_kind
def test_hard_names_are_escaped_and_shortened(kind):
    ax = draw(kind, 6, tuple(HARD))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # fonts without these letters
        written = texts(ax)
        assert all(text.get_window_extent().x0 >= -0.5 for text in written)
        assert ax.bbox.width > 250
        assert ax.figure.bbox.width < 2000
        file = io.BytesIO()
        ax.figure.savefig(file, format="svg")
    ElementTree.fromstring(file.getvalue())
    shown = " ".join(words(written))
    for name in ("猫が好きです", "a\\ud800b", "c\\u0001\\nd", "e\\tf"):
        assert name in shown
    assert "x" * 20 + "…" + "x" * 19 in shown
    assert "猫" * 10 + "…" + "猫" * 9 in shown
    assert "x" * 21 not in shown
    assert "猫" * 11 not in shown


@each_kind
def test_names_are_no_mathematics(kind):
    written = [text for text in texts(draw(kind, 6)) if "$" in text.get_text()]
    assert written
    assert not any(text.get_parse_math() for text in written)


@each_kind
def test_a_given_axes_is_drawn_into(kind):
    one, other = Figure().subplots(2)
    assert draw(kind, 5, ax=one) is one
    assert one.has_data()
    assert not other.has_data()
    assert pyplot.get_fignums() == []
    new = draw(kind, 5)
    assert new.figure.axes == [new]
    assert pyplot.gcf() is new.figure  # a notebook shows it
    polar = Figure().add_subplot(projection="polar")
    for wrong, name in ((one.figure, "Figure"), ([one], "list"), (polar, "PolarAxes")):
        with pytest.raises(TypeError, match=f"ax is {name}, expected .*matplotlib.axes.Axes"):
            draw(kind, 5, ax=wrong)


STATS = vecbleu.statistics(["a b c d"] * 3, ["a b c e"] * 3)
INTERVAL = Interval(0.5, 0.5, 0.4, 0.6, 0.95, np.zeros(1))
TESTS, GROUPS = r"rank\(systems\)", r"score_buckets\(systems\)"


@pytest.mark.parametrize(
    ("function", "result", "start", "advice"),
    [
        (plot_scores, STATS, "ranking is Statistics", TESTS),
        (plot_scores, [STATS], "ranking is list", TESTS),
        (plot_scores, {"a": STATS}, r"ranking\['a'\] is Statistics", TESTS),
        (plot_scores, {"a": INTERVAL, "b": 0.3}, r"ranking\['b'\] is float", TESTS),
        (plot_scores, STATS.score(), "ranking is BleuScore", TESTS),
        (plot_pairs, {"a": STATS, "b": STATS}, "ranking is dict", TESTS),
        (plot_pairs, INTERVAL, "ranking is Interval", TESTS),
        (plot_bars, STATS, "result is Statistics", GROUPS),
        (plot_bars, {"a": STATS}, r"result\['a'\] is Statistics", GROUPS),
        (plot_bars, 0.3, "result is float", GROUPS),
    ],
)
def test_what_is_no_result_is_refused_with_the_call_to_write(function, result, start, advice):
    with pytest.raises(TypeError, match=f"^{start}.*: pass vecbleu.*{advice}"):
        function(result)
    assert pyplot.get_fignums() == []


def test_results_that_do_not_go_together_are_refused():
    other = Interval(0.5, 0.5, 0.4, 0.6, 0.9, np.zeros(1))
    with pytest.raises(ValueError, match=r"levels \[0.9, 0.95\]"):
        plot_scores({"a": INTERVAL, "b": other})
    shorter = vecbleu.corpus_bleu(["a b"], ["a b"], max_order=2)
    with pytest.raises(ValueError, match=r"orders \[2, 4\]"):
        plot_bars({"a": shorter, "b": STATS.score()})
    for function, name in ((plot_scores, "ranking"), (plot_bars, "result")):
        with pytest.raises(ValueError, match=f"{name} is empty"):
            function({})


@each_kind
def test_without_matplotlib(kind, monkeypatch):
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r'pip install "vecbleu\[plot\]"'):
        draw(kind, 2)
    assert all(get_type_hints(getattr(plots, name)) for name in plots.__all__)


def test_matplotlib_is_imported_when_something_is_drawn():
    code = """
        import sys
        from vecbleu.plots import plot_bars
        assert "matplotlib" not in sys.modules
    """
    assert output_of(code) == ""

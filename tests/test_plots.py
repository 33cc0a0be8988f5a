"""Pictures: what is drawn is what vecbleu computes, and names are shown as they are."""

from __future__ import annotations

import io
import itertools
import math
import os
import re
import sys
import warnings
from functools import lru_cache
from typing import get_type_hints
from xml.etree import ElementTree

import numpy as np
import pytest
from command import error, lines, run, write_lines
from corpora import noisy_systems
from processes import output_of

import vecbleu
from vecbleu import plots
from vecbleu.analysis import score_buckets
from vecbleu.cli import plot
from vecbleu.plots import (
    drawing,
    panels,
    plot_brevity_penalty,
    plot_buckets,
    plot_pairs,
    plot_precisions,
    plot_scores,
)
from vecbleu.significance import (
    Interval,
    bootstrap,
    paired_bootstrap,
    paired_randomization,
    rank,
)

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure
from matplotlib.text import Text

NAMES = ["$a_b$", "_hidden", "Système №5 µ", "x" * 80, "50% & <more>", "\\frac{", "^", "last"]
PLOTS = {
    "precisions": plot_precisions,
    "scores": lambda systems, **options: plot_scores(systems, n_resamples=20, **options),
    "buckets": lambda systems, **options: plot_buckets(systems, edges=[5, 8], **options),
    "pairs": lambda systems, **options: plot_pairs(systems, n_resamples=20, **options),
    "brevity": plot_brevity_penalty,
}
each_plot = pytest.mark.parametrize("kind", PLOTS)


def written(count, size=40):
    return noisy_systems(size, 0.3 + 0.02 * np.arange(count))


@lru_cache
def tables(count, size=40):
    references, systems = written(count, size)
    return [vecbleu.statistics(system, references) for system in systems]


def counted(names, size=40):
    return dict(zip(names, tables(len(names), size), strict=True))


def scored(systems, **options):
    """Each system's `BleuScore`."""
    return {name: one.score(**options) for name, one in systems.items()}


def texts(ax):
    """What is written in a picture that has been drawn, but for the numbers of its axes."""
    ax.figure.draw_without_rendering()
    legend = ax.get_legend()
    found = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]
    return [text for text in [*found, *(legend.get_texts() if legend else [])] if text.get_text()]


def tick_texts(ax):
    return [text.get_text() for text in ax.get_xticklabels()]


def assert_inside(boxes, ax):
    """Nothing is cut off, and the Axes keep their width."""
    figure = ax.figure.bbox
    for box in boxes:
        assert figure.x0 <= box.x0 < box.x1 <= figure.x1
        assert figure.y0 <= box.y0 < box.y1 <= figure.y1
    assert ax.bbox.width > 200


def paneled(ax):
    """Values of each system (systems, groups) from the top down, as a reader finds them by ticks.

    Also the ends of intervals (systems, groups, 2), if there are any.
    """
    labels = map(float, tick_texts(ax))
    ticks = [*zip(ax.get_xticks().tolist(), labels, strict=True)]
    names = dict(zip(ax.get_yticks().tolist(), ax.get_yticklabels(), strict=True))
    values, spans, scales = {}, {}, []
    colored = [one for one in ax.collections if one.get_linewidth()[0] == 2]
    for group, dots in enumerate(ax.lines):
        (x, value), *_, (other, last) = [one for one in ticks if group <= one[0] / 1.14 < group + 1]
        scale = (last - value) / (other - x)
        scales.append(scale)
        for at, row in dots.get_xydata().tolist():
            values.setdefault(names[row].get_text(), {})[group] = value + (at - x) * scale
        for segment in filter(len, colored[group].get_segments() if colored else []):
            name = names[segment[0, 1]].get_text()
            ends = value + (segment[:, 0] - x) * scale
            spans.setdefault(name, []).append(ends.tolist())
    assert scales == pytest.approx([scales[0]] * len(scales))
    order = [names[row].get_text() for row in sorted(names, reverse=True)]
    return {name: [*values[name].values()] for name in order}, spans


def matrixed(ax):
    """Texts of cells by the name of the row, from left to right."""
    names = dict(zip(ax.get_yticks().tolist(), ax.get_yticklabels(), strict=True))
    cells = sorted((text.get_position()[1], text.get_position()[0], text.get_text())
        for text in ax.texts)  # fmt: skip
    found = {names[row].get_text(): {} for row in sorted(names)}
    for row, column, text in cells:
        found[names[row].get_text()][column] = text
    return found


def assert_paneled(ax, expected):
    """Nothing but the rows of the systems, in their order."""
    found, _ = paneled(ax)
    assert [*found] == [*expected]
    for name, row in expected.items():
        assert found[name] == pytest.approx(row)


def drawn(ax):
    """Heights of each system (systems, groups), of bars or of lines."""
    assert all(bar.get_y() == 0 for bar in ax.patches)
    bars = {one.get_label(): [bar.get_height() for bar in one.patches] for one in ax.containers}
    return bars or {line.get_label(): line.get_ydata().tolist() for line in ax.lines}


@pytest.mark.parametrize("count", [1, 3, 5, 6, 8])
@pytest.mark.parametrize("options", [{}, {"smoothing": "add-k", "smoothing_value": 2}])
def test_precisions_are_those_of_the_scores(count, options):
    systems = counted(NAMES[:count])
    ax = plot_precisions(systems, **options)
    scores = scored(systems, **options)
    if count > 5:
        ranked = sorted(scores, key=lambda name: -scores[name].percent)
        assert_paneled(ax, {name: [*scores[name].percent_precisions] for name in ranked})
        assert [text.get_text() for text in ax.texts] == [
            "1-grams",
            "2-grams",
            "3-grams",
            "4-grams",
        ]
        assert "0-100" in ax.get_xlabel()
        return
    assert drawn(ax) == {name: [*one.percent_precisions] for name, one in scores.items()}
    assert tick_texts(ax) == ["1", "2", "3", "4"]
    assert ax.get_xticks().tolist() == [0, 1, 2, 3]
    highest = max(max(one.percent_precisions) for one in scores.values())
    assert ax.get_ylim() == (0, pytest.approx(1.06 * highest))
    assert "0-100" in ax.get_ylabel()
    sides = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches)
    edges = [*itertools.chain(*sides)]  # of bars side by side
    assert edges == sorted(edges)
    assert [round(edge) for edge in edges] == sorted([*range(4)] * 2 * len(ax.containers))


def test_names_stand_about_as_high_as_their_lines():
    systems = counted(NAMES[:6])
    labels = [*range(40)]
    found = 100 * score_buckets(systems, labels).scores
    last = dict(zip(systems, found[:, -1], strict=True))
    ax = plot_buckets(systems, labels)
    assert drawn(ax) == dict(zip(systems, found.tolist(), strict=True))
    heights = {text.get_text(): text.xyann[1] for text in ax.texts}
    assert sorted(heights, key=heights.get) == sorted(systems, key=last.get)


@pytest.mark.parametrize("low", [0.0, 3.07, 41.3])
@pytest.mark.parametrize("width", [0.0, 0.4, 1.7, 3.3, 9.9, 47.0])
def test_every_panel_has_two_ticks_or_more(low, width):
    rng = np.random.default_rng(3)
    values = low + rng.random((7, 5)) * width + 10 * rng.random(5)
    ax = panels.draw_panels(None, [*"abcdefg"], values, [*"12345"])
    found, _ = paneled(ax)
    assert [*found.values()] == [pytest.approx(row) for row in values.tolist()]
    assert_apart(
        [Text.get_window_extent(text) for text in texts(ax) if text in ax.get_xticklabels()]
    )


def assert_apart(boxes):
    boxes = sorted(boxes, key=lambda box: box.x0)
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes))


def rows(ax):
    """Name, score and ends of the interval of each row, from the top down."""
    (spans,) = ax.collections
    names = dict(zip(ax.get_yticks().tolist(), ax.get_yticklabels(), strict=True))
    dots = {y: x for line in ax.lines if line.get_marker() == "o" for x, y in line.get_xydata()}
    found = {}
    for span in spans.get_segments():
        ((x0, y), (x1, same)) = span.tolist()
        assert y == same
        found[y] = (names[y].get_text(), dots[y], x0, x1)
    assert [*found] == sorted(found, reverse=True)
    assert {*found} == {*dots}
    return [*found.values()]


def marked(ax):
    """Names of systems whose points are full, and sets of names between lines."""
    names = dict(zip(ax.get_yticks().tolist(), ax.get_yticklabels(), strict=True))
    full = {
        names[y].get_text()
        for line in ax.lines
        if line.get_marker() == "o" and line.get_markerfacecolor() != "none"
        for _, y in line.get_xydata()
    }
    cuts = sorted(line.get_ydata()[0] for line in ax.lines if line.get_marker() != "o")
    groups = np.searchsorted(cuts, [*names]).tolist()
    numbers = sorted({*groups}, reverse=True)
    return full, [
        {names[y].get_text() for y, group in zip(names, groups, strict=True) if group == number}
        for number in numbers
    ]


@pytest.mark.parametrize(
    ("kind", "count"),
    [*itertools.product(["statistics", "intervals"], [1, 3, 8]), ("comparison", 3)],
)
def test_scores_come_with_their_intervals(count, kind):
    systems = counted(NAMES[:count])
    asked = {"n_resamples": 50, "rng": 7, "smoothing": "exp"}
    intervals = {name: bootstrap(one, **asked) for name, one in systems.items()}
    if kind == "statistics":
        ax = plot_scores(systems, **asked)
    else:
        ax = plot_scores(intervals if kind == "intervals" else paired_bootstrap(systems, **asked))
    expected = [
        (name, 100 * one.score, 100 * one.lower, 100 * one.upper)
        for name, one in sorted(intervals.items(), key=lambda pair: -pair[1].score)
    ]
    assert rows(ax) == expected
    assert [text.get_text() for text in ax.texts] == [f"{row[1]:.1f}" for row in expected]
    assert ax.get_xlabel().startswith("BLEU (0-100) with intervals of 95%")


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("level", [0.05, 0.5, 1e-9])
@pytest.mark.parametrize("computed", [False, True])
def test_scores_are_marked_by_the_tests_of_rank(sides, level, computed):
    systems = counted([*"abcdefgh"], 60)
    asked = {"n_resamples": 99, "rng": 7}
    pairs = rank(systems, sides=sides, **asked)
    if computed:
        ax = plot_scores(paired_bootstrap(systems, **asked), pairs=pairs, level=level)
    else:
        ax = plot_scores(systems, sides=sides, level=level, **asked)
    full, groups = marked(ax)
    best = pairs.order[0]
    close = ~(pairs.p_values[best] < level)
    assert full == {name for name, is_close in zip(systems, close, strict=True) if is_close}
    clusters = pairs.clusters(level).tolist()
    expected = [
        {name for name, one in zip(systems, clusters, strict=True) if one == cluster}
        for cluster in sorted({*clusters})
    ]
    assert groups == expected
    assert ("lines: clusters" in ax.get_xlabel()) == (len(expected) > 1)
    assert ("empty: worse than the best" in ax.get_xlabel()) == (not close.all())


def test_many_groups_of_many_systems_are_a_matrix():
    systems, labels = counted([*"abcdefgh"], 120), [f"${place}$" for place in range(10)] * 12
    expected = score_buckets(systems, labels)
    ax = plot_buckets(systems, labels)
    found = matrixed(ax)
    scores = scored(systems)
    assert [*found] == sorted(systems, key=lambda name: -scores[name])
    for name, row in zip(expected.names, (100 * expected.scores).tolist(), strict=True):
        assert [*found[name].values()] == [f"{value:.1f}" for value in row]
    assert tick_texts(ax) == [f"${place}$\n(12)" for place in range(10)]
    best = [max(found, key=lambda name: float(found[name][column])) for column in range(10)]
    shades = {tuple(one.get_xy().min(axis=0) + 0.5): one.get_alpha() for one in ax.patches}
    rows = {name: row for row, name in enumerate(found)}
    assert all(shades[column, rows[name]] == 0.5 for column, name in enumerate(best))
    assert max(shades.values()) == 0.5


def test_tests_of_other_systems_are_refused():
    systems = counted(["x", "y"])
    pairs = rank(counted(["y", "x"]), n_resamples=9)
    with pytest.raises(ValueError, match=r"pairs is of the systems \('y', 'x'\), expected"):
        plot_scores(systems, pairs=pairs, n_resamples=9)
    with pytest.raises(TypeError, match="pairs is int, expected Ranking"):
        plot_scores(systems, pairs=3, n_resamples=9)


@pytest.mark.parametrize("count", [2, 3, 8])
@pytest.mark.parametrize("computed", [False, True])
def test_pairs_are_those_of_the_tests(count, computed):
    systems = counted(NAMES[:count])
    asked = {"sides": 2, "n_resamples": 50, "rng": 7, "smoothing": "exp"}
    pairs = rank(systems, **asked)
    ax = plot_pairs(pairs) if computed else plot_pairs(systems, **asked)
    order = pairs.order.tolist()
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == [pairs.names[place] for place in order]
    cells, numbers = ax.texts[:-count], ax.texts[-count:]
    assert [(text.xy[1], text.get_text()) for text in numbers] == [
        (row, str(row + 1)) for row in range(count)
    ]
    shown = {text.get_position(): text.get_text() for text in cells}
    assert shown == {
        (column, row): f"{100 * pairs.differences[one, other]:+.1f}"
        if row < column
        else f"{pairs.p_values[one, other]:.3f}"
        for row, one in enumerate(order)
        for column, other in enumerate(order)
        if one != other
    }
    shades = {tuple(one.get_xy().min(axis=0) + 0.5): one.get_alpha() for one in ax.patches}
    ranked = pairs.p_values[np.ix_(order, order)]
    assert {*shades} == {(x, y) for y, x in np.argwhere(ranked < 0.05)}
    assert {place for place, shade in shades.items() if shade == max(shades.values())} == {
        (x, y) for y, x in np.argwhere(ranked < 0.01)
    } or len({*shades.values()}) == 1


@pytest.mark.parametrize("count", [12, 30])
def test_numbers_of_pairs_lie_in_their_cells(count):
    systems = counted([f"system {place}" for place in range(count)])
    ax = plot_pairs(systems, test="randomization", n_resamples=2500)
    assert "< 0.001" in {text.get_text() for text in ax.texts}
    ax.figure.draw_without_rendering()
    width, height = ax.transData.transform((1, 0)) - ax.transData.transform((0, 1))
    cells, numbers = ax.texts[:-count], ax.texts[-count:]
    ends = [Text.get_window_extent(text).x1 for text in ax.get_yticklabels()]
    assert max(ends) < min(Text.get_window_extent(text).x0 for text in numbers)
    for text in cells:
        box = text.get_window_extent()
        assert box.width < width
        assert box.height < abs(height)
    assert_inside([Text.get_window_extent(text) for text in [*texts(ax), ax.xaxis.label]], ax)


@pytest.mark.parametrize(("count", "labels"), [(3, 4), (5, 12), (8, 4), (6, 40), (7, 12)])
def test_intervals_of_groups_are_those_of_the_bootstrap_within_them(count, labels):
    systems = counted([*"abcdefgh"[:count]], 120)
    groups = np.arange(120) % labels
    asked = {"n_resamples": 40, "smoothing": "exp"}
    ax = plot_buckets(systems, iter(groups.tolist()), intervals=True, rng=5, **asked)
    rng = np.random.default_rng(5)
    expected = {name: [] for name in systems}
    for group in range(labels):
        state = rng.bit_generator.state
        for name, table in systems.items():  # all on the same draws
            rng.bit_generator.state = state
            one = bootstrap(table[groups == group], rng=rng, **asked)
            expected[name].append([100 * one.lower, 100 * one.upper])
    if count == 7:  # a matrix
        for name, cells in matrixed(ax).items():
            widths = [f"±{(high - low) / 2:.1f}" for low, high in expected[name]]
            assert [cell.partition("\n")[2] for cell in cells.values()] == widths
        return
    if count > 5 and labels <= 8:
        values, found = paneled(ax)
        assert {*values} == {*systems}
    else:
        found = {
            name: [segment[:, 1].tolist() for segment in lines.get_segments()]
            for name, lines in zip(systems, ax.collections, strict=True)
        }
        tops = [end for ends in expected.values() for _, end in ends]
        assert max(tops) < ax.get_ylim()[1]
    assert {*found} == {*expected}
    for name, ends in expected.items():
        assert np.array(found[name]) == pytest.approx(np.array(ends))


def test_intervals_are_for_statistics():
    systems = counted(["x", "y"])
    for name, value in {"intervals": True, "n_resamples": 9, "rng": 3, "progress": None}.items():
        with pytest.raises(TypeError, match=f"{name} is for statistics, and these are results"):
            plot_buckets(score_buckets(systems), **{name: value})
    with pytest.raises(TypeError, match="intervals is 2, expected True or False"):
        plot_buckets(systems, intervals=2)


def test_equal_scores_keep_their_order_and_an_interval_may_lie_beside_its_score():
    """Of the words of few segments, most resampled corpora miss some."""
    beside = Interval(0.9, 0.4, 0.25, 0.5, 0.8, np.array([0.25, 0.5]))
    assert rows(plot_scores(beside)) == [("", 90.0, 25.0, 50.0)]
    ax = plot_scores(dict.fromkeys("bca", beside))
    assert [row[0] for row in rows(ax)] == [*"bca"]
    assert ax.get_xlabel().endswith("80%")
    assert marked(ax) == ({*"bca"}, [{*"bca"}])


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("by", ["length", "label"])
@pytest.mark.parametrize("computed", [False, True])
def test_buckets_are_those_of_the_analysis(count, by, computed):
    systems = counted(NAMES[:count])
    given = {"edges": [5, 8]} if by == "length" else {"labels": ["$news$", "talk", None, 3] * 10}
    expected = score_buckets(systems, **given, smoothing="exp")
    ax = plot_buckets(expected) if computed else plot_buckets(systems, **given, smoothing="exp")
    sizes = zip(expected.labels, expected.sizes.tolist(), strict=True)
    titles = [f"{label}\n({size})" for label, size in sizes]
    unit = {"length": "tokens of the reference", "label": "group"}[by]
    values = dict(zip(expected.names, (100 * expected.scores).tolist(), strict=True))
    if count > 5:
        means = dict(zip(expected.names, expected.scores @ expected.sizes, strict=True))
        by_rank = means if computed else scored(systems, smoothing="exp")
        ranked = sorted(values, key=lambda name: -by_rank[name])
        assert_paneled(ax, {name: values[name] for name in ranked})
        assert [text.get_text() for text in ax.texts] == titles
        assert ax.get_xlabel() == f"BLEU (0-100)\nby {unit} (number of segments)"
        return
    assert drawn(ax) == values
    assert tick_texts(ax) == titles
    assert ax.get_ylabel() == "BLEU (0-100)"
    assert ax.get_xlabel() == f"{unit} (number of segments)"
    assert ax.get_ylim()[0] == 0


@pytest.mark.parametrize("labels", [3, 12])
def test_rows_of_groups_are_in_the_order_of_all_segments(labels):
    references, texts = noisy_systems(120, 0.4 + 0.001 * np.arange(8))
    tables = [vecbleu.statistics(text, references) for text in texts]
    systems, groups = dict(zip("abcdefgh", tables, strict=True)), np.arange(120) * labels // 120
    buckets, scores = score_buckets(systems, groups), scored(systems)
    means = dict(zip(systems, (buckets.scores @ buckets.sizes).tolist(), strict=True))
    by_score = sorted(systems, key=lambda name: -scores[name])
    by_mean = sorted(systems, key=lambda name: -means[name])
    assert by_score != by_mean
    for given, expected in (((systems, groups), by_score), ((buckets,), by_mean)):
        ax = plot_buckets(*given)
        assert [*(paneled(ax)[0] if labels == 3 else matrixed(ax))] == expected


GROUPS = {
    "domains": ["literature", "government", "health", "technology", "e-commerce", "newspapers"],
    "short": ["news", "talk", "e-mail"],
    "two": ["a long one indeed", "b"],
    "wide": ["文学作品文学", "政府文件政府", "医疗保健", "技术", "电子商务电子商", "报纸"],
    "long": [letter * (40 + 10 * place) for place, letter in enumerate("abcdef")],
    "numbers": [*range(20)],
    "documents": [f"document {number}" for number in range(120)],
    "alone": ["x" * 300],
}
# How steep labels are depends on the font, but for those that always fit and those that never do.
SLOPES = {"short": 0.0, "long": 45.0, "documents": 45.0}


@pytest.mark.filterwarnings("ignore:Glyph")  # of Chinese, in matplotlib's own font
@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("case", GROUPS)
def test_labels_of_groups_do_not_overlap(case, count):
    ax = plot_buckets(counted([*map(str, range(count))], 120), (GROUPS[case] * 120)[:120])
    ax.figure.draw_without_rendering()
    if not ax.get_ylabel():  # panels, or a matrix
        above = ax.texts if len(ax.texts) <= 8 else ax.get_xticklabels()
        assert_inside(boxes := [*map(Text.get_window_extent, above)], ax)
        assert_apart(boxes)
        return
    shown = ax.get_xticklabels()
    (slope,) = {text.get_rotation() for text in shown}
    assert slope == SLOPES.get(case, slope)
    boxes = [Text.get_window_extent(text) for text in shown]
    assert_inside(boxes, ax)
    assert ax.bbox.height > 200
    if slope:  # lines of text, a part of whose distance is that of the groups
        distance = np.diff(ax.transData.transform([(0, 0), (1, 0)])[:, 0])[0]
        height = shown[0].get_fontsize() * ax.figure.dpi / 72
        assert distance * math.sin(math.radians(slope)) > height
    else:
        assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes))


def test_too_many_groups_are_refused():
    assert drawing.group_figure_size([""], np.zeros((1, 300)))[0] > 50
    with pytest.raises(ValueError, match="there are 301 groups to draw, expected at most 300"):
        plot_buckets(tables(1, 301)[0], [*range(301)])


def test_long_labels_are_shown_by_their_ends_and_others_without_what_can_not_be_drawn():
    labels = ["x" * 32, "begin" + "y" * 80 + "end"]
    short, long = tick_texts(plot_buckets(tables(1)[0], labels * 20))
    assert short == "x" * 32 + " (20)"
    assert len(long) == 37
    assert re.fullmatch(r"beginy+…y+end \(20\)", long)
    shown = tick_texts(plot_buckets(tables(1)[0], ["a\n", "b\x00"] * 20))
    assert shown == ["a\\n\n(20)", "b\\u0000\n(20)"]


@pytest.mark.parametrize("count", [1, 3, 8])
def test_systems_lie_on_the_curve_of_the_penalty(count):
    systems = counted(NAMES[:count])
    ax = plot_brevity_penalty(systems)
    curve, *points = ax.lines
    for ratio, penalty in curve.get_xydata().tolist():
        assert penalty == pytest.approx(1 if ratio >= 1 else math.exp(1 - 1 / ratio))
    assert 1.0 in curve.get_xdata()
    found = {line.get_label(): tuple(*line.get_xydata().tolist()) for line in points}
    scores = scored(systems)
    assert found == {name: (one.ratio, one.brevity_penalty) for name, one in scores.items()}
    low, high = ax.get_xlim()
    assert all(low < one.ratio < high for one in scores.values())
    named = [text.get_text() for text in sorted(ax.texts, key=lambda text: text.xyann[1])]
    assert named == sorted(scores, key=lambda name: scores[name].ratio)


def test_the_curve_alone_and_its_axis():
    (curve,) = plot_brevity_penalty().lines
    assert plot_brevity_penalty().get_xlim() == (0, 1.5)
    assert curve.get_ydata()[0] == 0
    ax = plot_brevity_penalty(xlim=(0.5, 0.9))
    assert ax.get_xlim() == (0.5, 0.9)
    ax = plot_brevity_penalty(ref_len=20)
    assert ax.get_xlim() == (0, 30)
    for length, penalty in ax.lines[0].get_xydata().tolist()[1:]:
        assert penalty == pytest.approx(1 if length >= 20 else math.exp(1 - 20 / length))
    systems = counted([*"abcdefgh"])
    scores = scored(systems)
    ax = plot_brevity_penalty(systems, ref_len=50, xlim=(38.5, 45))
    shown = {line.get_label(): line.get_xdata()[0] for line in ax.lines[1:]}
    lengths = {name: 50 * one.ratio for name, one in scores.items()}
    assert shown == {name: x for name, x in lengths.items() if 38.5 <= x <= 45}
    assert 0 < len(shown) < 8
    assert {text.get_text() for text in ax.texts} == {*shown}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"xlim": 3}, TypeError, "xlim is 3, expected two numbers"),
        ({"xlim": (1,)}, TypeError, r"xlim is \(1,\), expected two numbers"),
        ({"xlim": ("0", 1)}, TypeError, r"xlim\[0\] is '0', expected a number"),
        ({"xlim": (0, math.inf)}, ValueError, r"xlim\[1\] is inf, expected a finite number"),
        ({"xlim": (1, 1)}, ValueError, r"xlim is \(1, 1\), expected numbers that increase"),
        ({"ref_len": -1}, ValueError, "ref_len is -1, expected a finite number of at least 0"),
        ({"ref_len": True}, TypeError, "ref_len is True, expected a number"),
    ],
)
def test_an_axis_is_refused_by_name(options, error, message):
    with pytest.raises(error, match=message):
        plot_brevity_penalty(**options)


@pytest.mark.parametrize(
    ("hypothesis", "point"),
    [("", (0.0, 0.0)), ("a", (0.25, math.exp(-3))), ("a b c d e f g h", (2.0, 1.0))],
)
def test_any_ratio_is_in_the_picture(hypothesis, point):
    ax = plot_brevity_penalty(vecbleu.statistics([hypothesis], ["a b c d"]))
    assert tuple(*ax.lines[1].get_xydata().tolist()) == pytest.approx(point)
    for place, (low, high) in zip(point, (ax.get_xlim(), ax.get_ylim()), strict=True):
        assert low <= place <= high
    ax.figure.draw_without_rendering()


@pytest.mark.parametrize("count", [1, 3, 8, 20])
@each_plot
def test_names_are_shown_as_they_are_and_nothing_is_cut_off_or_covered(kind, count):
    if kind == "pairs" and count == 1:
        pytest.skip("there is no pair")
    names = [NAMES[place % 8] + str(place) * (place > 7) for place in range(count)]
    ax = PLOTS[kind](counted(names))
    shown = {text.get_text(): text for text in texts(ax) if text.get_text() in names}
    assert {*names} == {*shown}
    assert not any(text.get_parse_math() for text in shown.values())
    assert max(text.get_fontsize() for text in shown.values()) <= 10
    boxes = {name: Text.get_window_extent(text) for name, text in shown.items()}
    labels = [label for label in (ax.xaxis.label, ax.yaxis.label) if label.get_text()]
    assert_inside([*boxes.values(), *map(Text.get_window_extent, [*ax.texts, *labels])], ax)
    middles = sorted((box.y0 + box.y1) / 2 for box in boxes.values())
    assert np.diff(middles).min(initial=np.inf) >= 9  # 9 points are 12.5 pixels


@each_plot
def test_a_given_axes_is_drawn_into_and_returned(kind):
    one, other = Figure().subplots(2, sharex=True)  # of which the upper one has no labels below
    systems = counted(["x", "y"])
    assert PLOTS[kind](systems, ax=one) is one
    assert one.has_data()
    assert not other.has_data()
    assert PLOTS[kind](systems, ax=other) is other
    new = PLOTS[kind](systems)
    assert new.figure.axes == [new]
    assert new.figure is not one.figure
    with pytest.raises(TypeError, match=r"ax is Figure, expected matplotlib.axes.Axes"):
        PLOTS[kind](systems, ax=one.figure)
    polar = Figure().add_subplot(projection="polar")
    with pytest.raises(TypeError, match=r"ax is PolarAxes \(polar\), expected rectilinear Axes"):
        PLOTS[kind](systems, ax=polar)


@each_plot
def test_systems_without_names_and_without_matches(kind):
    assert {"0", "1"} <= {text.get_text() for text in texts(PLOTS[kind](tables(2)))}
    if kind != "pairs":
        alone = PLOTS[kind](tables(1)[0])
        assert alone.get_legend() is None
        assert not any(text.get_text().isalpha() for text in texts(alone))
    ax = PLOTS[kind]([vecbleu.statistics(["a b"], ["c d"])] * 2)
    ax.figure.draw_without_rendering()
    assert kind != "scores" or ax.get_xlim() == (0, 100)


def test_no_window_and_no_global_state(tmp_path):
    code = """
        import sys, vecbleu
        from vecbleu import plots
        assert "matplotlib" not in sys.modules
        stats = vecbleu.statistics(["a b c d"], ["a b c d e"])
        for name in ("plot_brevity_penalty", "plot_buckets", "plot_precisions", "plot_scores"):
            getattr(plots, name)({"x": stats}).figure.savefig(sys.argv[1])
        assert "matplotlib.pyplot" not in sys.modules
    """
    assert output_of(code, str(tmp_path / "x.png")) == ""


def test_labels_keep_their_order_and_distance():
    spread = drawing._spread(np.array([0.0, 0.5, 0.5, 0.51, 1.0]), 0.1)
    assert spread == pytest.approx([0.0, 0.403333, 0.503333, 0.603333, 1.0])
    assert drawing._spread(np.array([0.99, 1.0]), 0.1) == pytest.approx([0.9, 1.0])
    assert drawing._spread(np.array([0.3]), 0.1) == pytest.approx([0.3])


@each_plot
def test_systems_are_refused_by_name(kind):
    draw, (stats,) = PLOTS[kind], tables(1)
    alone = [
        ({}, ValueError, "systems has 0, expected at least 1"),
        (stats.sum(), ValueError, "statistics is a sum .* expected a row for each"),
        (stats[:0], ValueError, "statistics has 0 segments"),
    ]
    for systems, expected, message in [
        (3, TypeError, "systems is int, expected a dict of names or a list"),
        ({"a": stats, "b": "text"}, TypeError, r"systems\['b'\] is str, expected Statistics"),
        ({"a": stats, "b": stats[:3]}, ValueError, "system b has 3 segments .* system a has 40"),
        ({1: stats, "1": stats}, ValueError, "two systems are called '1'"),
        *(
            alone
            if kind != "pairs"
            else [({"a": stats}, ValueError, "systems has 1, expected at ")]
        ),
    ]:
        with pytest.raises(expected, match=message):
            draw(systems)
    two = tables(2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'smooth'"):
        draw(two, smooth="exp")
    with pytest.raises(TypeError, match="weights has 2 sets"):
        draw(two, weights=[(1,), (0.5, 0.5)])


@each_plot
def test_every_kind_takes_the_options_of_scores(kind):
    options = {
        "weights": (0.5, 0.5), "smoothing": "add-k", "smoothing_value": 2.0, "effective_order": True
    }  # fmt: skip
    assert PLOTS[kind](tables(2), **options).has_data()


def test_results_are_refused_by_name():
    systems = counted(["x", "y"])
    intervals = {name: bootstrap(one, n_resamples=9) for name, one in systems.items()}
    other = bootstrap(systems["x"], n_resamples=9, confidence_level=0.9)
    for results, expected, message in [
        (paired_randomization(systems, n_resamples=9), ValueError, "comparison has no intervals"),
        (intervals | {"y": systems["y"]}, TypeError, r"systems\['y'\] is Statistics, expected In"),
        (intervals | {"y": other}, ValueError, r"intervals have the levels \[0.9, 0.95\]"),
    ]:
        with pytest.raises(expected, match=message):
            plot_scores(results)
    with pytest.raises(ValueError, match="the references of system x have no tokens"):
        plot_brevity_penalty({"x": vecbleu.statistics(["a"], [""])})
    score = {"weights": [1.0], "smoothing": "floor", "smoothing_value": 1, "effective_order": True}
    drawing_options = {"n_resamples": 1000, "rng": 3, "progress": None}
    groups = {"labels": ["a"] * 40, "edges": [3]}
    comparison = paired_bootstrap(systems, n_resamples=9)
    for draw, results, options in [
        *((plot_scores, one, drawing_options) for one in (intervals, intervals["x"], comparison)),
        (plot_buckets, score_buckets(systems), groups),
        (plot_pairs, rank(systems, n_resamples=9), drawing_options | {"sides": 1}),
    ]:
        for name, value in (options | score).items():
            with pytest.raises(TypeError, match=f"{name} is for statistics, and these are results"):
                draw(results, **{name: value})


@each_plot
def test_what_can_not_be_drawn_is_escaped(kind):
    names = ["a\ud800b", "c\x01\nd", "e\u2028\uffff", "한\u200dé\u00a0f"]
    ax = PLOTS[kind](counted(names))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        shown = {"a\\ud800b", "c\\u0001\\nd", "e\\u2028\\uffff", names[3]}
        assert shown <= {text.get_text() for text in texts(ax)}
        file = io.BytesIO()
        ax.figure.savefig(file, format="svg")
    ElementTree.fromstring(file.getvalue())


@pytest.fixture
def no_matplotlib(monkeypatch):
    """Axes of before."""
    ax = Figure().subplots()
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, module, None)
    return ax


@each_plot
def test_without_the_extra(kind, no_matplotlib):
    for given in ({}, {"ax": no_matplotlib}):
        with pytest.raises(ImportError, match=r'pip install "vecbleu\[plot\]"'):
            PLOTS[kind](counted(["x", "y"]), **given)
    assert all(get_type_hints(getattr(plots, name)) for name in plots.__all__)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Text of references and three systems, statistics of the first, labels."""
    folder = tmp_path_factory.mktemp("plots")
    references, systems = written(3)
    texts = dict(zip(["r", "a", "b$_$", "c"], [references, *systems], strict=True))
    others = {"labels": ["news", "talk"] * 20, "empty": [], "blank": [""] * 40}
    write_lines(folder, texts | others)
    os.link(folder / "a", folder / "hard.svg")
    lines(run(folder, "stats", "r", "-i", "a", "-o", "a.npz"))
    vecbleu.Statistics.load(folder / "a.npz").sum().save(folder / "sum.npz")
    return folder


ENDINGS = {
    "precisions": "svg", "scores": "png", "buckets": "pdf", "brevity": "svg", "pairs": "png"
}  # fmt: skip
MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


@pytest.mark.parametrize(("kind", "ending"), ENDINGS.items())
def test_the_command_writes_the_same_bytes_again(folder, monkeypatch, kind, ending):
    command = [kind, "r", "-i", "a.npz", "b$_$", "c", "-o"]
    (line,) = lines(run(folder, "plot", *command, f"{kind}.{ending}"))
    drawn = "bs:1000|sides:2|seed:12345|" if kind in ("scores", "pairs") else ""
    about = f"{kind}, BLEU|nrefs:1|{drawn}case:mixed|eff:no|tok:13a|smooth:exp|version:"
    assert line.startswith(f"{kind}.{ending}: {about}")
    again = f"{kind}.{ending.upper()}"
    monkeypatch.chdir(folder)
    assert [*plot.run([*command, again])] == [line.replace(f"{kind}.{ending}", again, 1)]
    written = (folder / f"{kind}.{ending}").read_bytes()
    assert written.startswith(MAGIC[ending])
    assert written == (folder / again).read_bytes()


def test_the_command_draws_what_python_draws(folder, monkeypatch):
    found, names = [], ["a", "b$_$", "c"]
    monkeypatch.chdir(folder)
    monkeypatch.setattr(plot, "_save", lambda ax, path: found.append(ax))

    def by_command(*arguments):
        [*plot.run([*arguments, "-o", "x.svg"])]
        return found.pop()

    systems = counted(names)
    score = {"smoothing": "add-k", "smoothing_value": 0.5}
    asked = ["r", "-i", *names, "-s", "add-k", "-sv", "0.5"]
    assert drawn(by_command("precisions", *asked)) == drawn(plot_precisions(systems, **score))
    ax = by_command("buckets", *asked, "--edges", "4", "6")
    assert drawn(ax) == drawn(plot_buckets(systems, edges=[4, 6], **score))
    assert len(ax.get_xticks()) == 3
    ax = by_command("buckets", *asked, "--labels", "labels")
    assert drawn(ax) == drawn(plot_buckets(systems, ["news", "talk"] * 20, **score))
    ax = by_command("brevity", "r", "-i", *names)
    assert drawn(ax) == drawn(plot_brevity_penalty(systems))
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    ax = by_command("scores", *asked, "--resamples", "30")
    assert rows(ax) == rows(plot_scores(systems, n_resamples=30, rng=5, **score))
    ax = by_command("scores", *asked, "--names", *"xyz", "--resamples", "9")
    assert sorted(row[0] for row in rows(ax)) == [*"xyz"]


@pytest.mark.parametrize(
    ("kind", "resampled"),
    [
        ("precisions", ""), ("scores", "bs:9|ar:9|seed:12345|"), ("brevity", ""),
        ("pairs", "ar:9|seed:12345|"), ("buckets", "bs:9|seed:12345|"),
    ],
)  # fmt: skip
def test_every_kind_takes_all_options(folder, kind, resampled):
    options = (
        "-s floor -sv 0.5 --edges 4 6 --resamples 9 --intervals --sides 2 --test randomization "
        "--xlim 0.5 1.1 --ref-len 20 --max-order 3 -lc --names x y"
    )
    command = ["plot", kind, "r", "-i", "a", "c", "-o", "all.png", *options.split()]
    (line,) = lines(run(folder, *command))
    about = f"{kind}, BLEU|nrefs:1|{resampled}case:lc|eff:no|tok:13a|smooth:floor[0.50]|"
    assert line.startswith(f"all.png: {about}")
    place = command.index("--edges")
    command[place : place + 3] = ["--labels", "labels"]
    lines(run(folder, *command))


def test_marks_of_the_command_are_those_of_the_test(tmp_path, monkeypatch):
    references, texts = noisy_systems(40, 0.3 + 0.03 * np.arange(4))
    write_lines(tmp_path, dict(zip("abcd", texts, strict=True)) | {"r": references})
    systems = {
        name: vecbleu.statistics(text, references) for name, text in zip("abcd", texts, strict=True)
    }
    monkeypatch.chdir(tmp_path)
    found = []
    monkeypatch.setattr(plot, "_save", lambda ax, path: found.append(ax))
    score = {"smoothing": "exp", "rng": 12345}
    seen = set()
    for options, resampled, asked in (
        ("", "bs:1000|sides:2|", {}),
        ("--sides 1", "bs:1000|", {"sides": 1}),
        ("--test randomization --sides 2", "bs:1000|ar:10000|", {"test": "randomization"}),
    ):
        (line,) = plot.run(["scores", "r", "-i", *"abcd", "-o", "x.svg", *options.split()])
        assert f"nrefs:1|{resampled}seed:12345|" in line
        ax, pairs = found.pop(), rank(systems, **asked, **score)
        close = ~(pairs.p_values[pairs.order[0]] < 0.05)
        full, groups = marked(ax)
        assert full == {name for name, one in zip("abcd", close.tolist(), strict=True) if one}
        assert len(groups) == pairs.clusters(0.05).max()
        assert rows(ax) == rows(plot_scores(systems, **score))
        seen.add((*sorted(full), *map(len, groups)))
    assert len(seen) == 3  # each test has marks of its own


def test_a_system_alone_is_not_tested(folder):
    command = ["plot", "scores", "r", "-i", "a", "-o", "x.svg", "--resamples", "9"]
    (line,) = lines(run(folder, *command, "--test", "randomization", "--sides", "2"))
    assert "|bs:9|seed:12345|" in line


def test_the_curve_of_the_penalty_needs_no_files(folder, monkeypatch):
    found = []
    monkeypatch.setattr(plot, "_save", lambda ax, path: found.append(ax))
    monkeypatch.chdir(folder)
    line = [*plot.run(["brevity", "-o", "x.svg", "--ref-len", "20", "--xlim", "5", "30"])]
    assert line == ["x.svg: brevity"]
    (curve,) = found[0].lines
    assert curve.get_xdata()[[0, -1]].tolist() == [5, 30]


def test_letters_without_a_font_are_one_line(folder):
    command = [
        "plot",
        "precisions",
        "-i",
        "a.npz",
        "-o",
        "cjk.png",
        "--names",
        "a\U0010fffd\ue000\ue000",
    ]
    done = run(folder, *command)
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert "matplotlib's font.family has no font for: " in done.stderr.decode()
    assert run(folder, *command, "-q").stderr == b""


def test_every_warning_is_a_line(folder, monkeypatch):
    def draw(figure, file, **options):
        for _ in range(2):
            warnings.warn("too\nsmall", stacklevel=1)

    monkeypatch.setattr(Figure, "savefig", draw)
    done = run(folder, "plot", "precisions", "-i", "a.npz", "-o", "warned.svg")
    assert (done.returncode, done.stderr) == (0, b"vecbleu: too\\nsmall\n")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_a_file_name_that_is_no_text(folder):
    name = os.fsdecode(b"h\xff")
    (folder / name).write_bytes((folder / "a").read_bytes())
    lines(run(folder, "plot", "scores", "r", "-i", name, "--resamples", "9", "-o", "name.svg"))
    ElementTree.parse(folder / "name.svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("scores r -i a none -o x.jpg", "the output 'x.jpg' does not end in .svg, .png or .pdf"),
        ("scores r -i a none -o svg", "the output 'svg' does not end in .svg, .png or .pdf"),
        ("scores r -i a", "the following arguments are required: -o/--output"),
        (
            "scores -o x.svg",
            "references come first, and systems stand behind -i: vecbleu plot scores REF",
        ),
        ("pie r -i a -o x.svg", "argument KIND: invalid choice: 'pie'"),
        ("scores -i a -o x.svg", "no references before -i: vecbleu plot scores REF"),
        ("scores a.npz -i a -o x.svg", "a.npz is a file of statistics, which can't be ref"),
        (
            "scores -i sum.npz -o x.svg",
            "sum.npz is the sum of all segments, expected a row for each",
        ),
        ("buckets r -i a -o x.svg --labels labels --edges 9", "--edges is for groups without"),
        ("buckets r -i a -o x.svg --labels a.npz", "a.npz is a file of statistics, which can't"),
        ("scores r -i a a -o x.svg", "'a' is given twice as a system"),
        ("scores r -i a -o x.svg --resamples 0", "resamples is 0, expected at least 1"),
        ("brevity r -i a -o x.svg -sv 1", "smoothing_value is 1.0 but smoothing 'exp' takes"),
        ("scores r -i a -o x.svg -sv 1", "smoothing_value is 1.0 but smoothing 'exp' takes"),
        ("pairs r -i a -o x.svg", "systems has 1, expected at least 2 to compare"),
        ("pairs r -i a c -o x.svg --sides 3", "argument --sides: invalid choice: "),
        ("brevity r -i a -o x.svg --xlim 1 0.5", "xlim is [1.0, 0.5], expected numbers that"),
        ("brevity -o x.svg --ref-len 0", "ref_len is 0, expected more than 0"),
        ("scores r -i a.svg -o ./a.svg", "the output './a.svg' is one of the files that are"),
        ("scores r a.svg -i a -o a.svg", "the output 'a.svg' is one of the files that are read"),
        ("scores r -i a -o hard.svg", "the output 'hard.svg' is one of the files that are read"),
        ("buckets r -i a -o a.svg --labels a.svg", "the output 'a.svg' is one of the files"),
        ("buckets r -i a -o x.svg --labels empty", "empty has 0 lines but a has 40 segments"),
        ("buckets r -i a -o x.svg --edges 3 2", "edges is [3, 2], expected lengths that"),
        ("buckets r -i - -o x.svg --labels -", "standard input is needed 2 times but can be"),
        ("scores r -i a c -o x.svg --names x", "names has 1 but there are 2 systems"),
        ("scores r -i a c -o x.svg --names x x", "'x' is given twice as a name"),
        ("scores r -i none -o x.svg", "none: No such file or directory"),
        ("scores empty -i empty -o x.svg", "there are no segments to plot"),
        ("brevity blank -i a -o x.svg", "the references of system a have no tokens"),
        ("scores r -i a -o no/x.svg", "no/x.svg: No such file or directory"),
    ],
)
def test_the_command_refuses_by_name(folder, arguments, message):
    files = {path: path.read_bytes() for path in folder.iterdir()}
    line = error(run(folder, "plot", *arguments.split()))
    assert line.partition("error: ")[2].startswith(message)
    assert files == {path: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.usefixtures("no_matplotlib")
def test_the_command_needs_matplotlib_before_it_works(folder):
    line = error(run(folder, "plot", "scores", "r", "-i", "none", "-o", "x.svg"))
    assert line.endswith('plots need the package matplotlib: pip install "vecbleu[plot]"')


def test_standard_input_is_a_system(folder):
    for name, stdin in (("a", b""), ("-", (folder / "a").read_bytes())):
        command = ["plot", "precisions", "r", "-i", name, "--names", "x", "-o", f"in{name}.svg"]
        lines(run(folder, *command, stdin=stdin))
    assert (folder / "ina.svg").read_bytes() == (folder / "in-.svg").read_bytes()


@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_a_byte_order_mark_is_shown(form):
    ax = plot_brevity_penalty(counted(["\ufeffone", "two"]))
    ax.figure.savefig(io.BytesIO(), format=form)
    shown = [text.get_text() for text in texts(ax)]
    assert any(text.endswith("one") and len(text) > 3 for text in shown)
    assert not any("\ufeff" in text for text in shown)


def inline(kind, names, label="a picture"):
    ax = PLOTS[kind](counted(names))
    text = plots.svg(ax, label)
    return text, ElementTree.fromstring(text)


@each_plot
@pytest.mark.parametrize("count", [2, 8])
def test_inline_pictures_are_one_element_and_hold_their_names(kind, count):
    names = [*NAMES[: count - 1], "</svg><script>alert(1)</script>\" id='x'"]
    text, root = inline(kind, names, 'a "quoted" <label>')
    assert text == inline(kind, names, 'a "quoted" <label>')[0]
    assert text.startswith("<svg ")
    assert text.endswith("</svg>")
    assert root.attrib["aria-label"] == 'a "quoted" <label>'
    kinds = {one.tag.partition("}")[2] for one in root.iter()}
    assert kinds <= {"svg", "g", "defs", "path", "use", "clipPath", "rect", "text"}
    shown = {"".join(one.itertext()) for one in root.iter() if one.tag.endswith("}text")}
    assert {*names} <= shown
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    assert len(ids) == len({*ids})
    references = {one.attrib["href"] for one in root.iter() if "href" in one.attrib}
    references |= {f"#{found}" for found in re.findall(r"url\(#([^)]*)\)", text)}
    assert references == {f"#{one}" for one in ids}
    assert not re.search(r"#000000|#ffffff|font-family|font: |style type|http://(?!www.w3)", text)


def test_inline_pictures_do_not_share_identifiers():
    found = [
        set(re.findall(r' id="([^"]*)"', inline(kind, names)[0]))
        for kind in PLOTS
        for names in (["a", "b"], ["a", "c"])
    ]
    assert len(set.union(*found)) == sum(map(len, found))


@pytest.mark.parametrize("kind", ["scores", "brevity", "precisions"])
def test_wide_letters_do_not_leave_an_inline_picture(kind):
    """Where the page's font has them, they are as wide as the font is high."""
    names = ["机器翻译系统" * 4, "b"]
    _, root = inline(kind, names)
    left, _, width, _ = map(float, root.attrib["viewBox"].split())
    (element,) = (one for one in root.iter() if one.text == names[0])
    size = float(re.search(r"font-size: ([\d.]+)px", element.attrib["style"])[1])
    x, length = float(element.attrib["x"]), size * len(names[0])
    if "end" in element.attrib["style"]:
        assert left <= x - length
    else:
        assert x + length <= left + width


def test_inline_pictures_are_refused_by_name():
    with pytest.raises(TypeError, match=r"ax is Figure, expected matplotlib.axes.Axes"):
        plots.svg(Figure())

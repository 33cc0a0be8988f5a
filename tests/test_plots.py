"""Pictures: what is drawn is what vecbleu computes, and names stand there as they are."""

from __future__ import annotations

import io
import itertools
import math
import os
import re
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest
from command import error, lines, run

import vecbleu
from vecbleu.analysis import score_buckets
from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure
from matplotlib.text import Text

from vecbleu.cli import main
from vecbleu.plots import drawing, plot_brevity_penalty, plot_buckets, plot_precisions, plot_scores

WORDS = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "hat", ".", ","])
NAMES = ["$a_b$", "_hidden", "Système №5 µ", "x" * 80, "50% & <more>", "\\frac{", "^", "last"]
PLOTS = {
    "precisions": plot_precisions,
    "scores": lambda systems, **options: plot_scores(systems, resamples=20, **options),
    "buckets": lambda systems, **options: plot_buckets(systems, edges=[5, 8], **options),
    "brevity": plot_brevity_penalty,
}


def written(count, size=40):
    """References, and systems that change or leave out a word of them here and there."""
    rng = np.random.default_rng(3)
    references = [rng.choice(WORDS, rng.integers(3, 12)).tolist() for _ in range(size)]
    systems = []
    for system in range(count):
        changed = [
            [rng.choice(WORDS) if rng.random() < 0.1 + 0.02 * system else word for word in line]
            for line in references
        ]
        kept = [line[: len(line) - (rng.random() < 0.4 * (system % 2))] for line in changed]
        systems.append([" ".join(line) for line in kept])
    return [" ".join(line) for line in references], systems


def counted(names):
    references, systems = written(len(names))
    return {
        name: vecbleu.statistics(lines, references, tokenize="none")
        for name, lines in zip(names, systems, strict=True)
    }


def scored(systems, **options):
    """Each system's `BleuScore`."""
    from vecbleu.results import corpus_score
    from vecbleu.significance.scoring import formula_of

    formula = formula_of(4, options)
    return {name: corpus_score(one.sum(), formula) for name, one in systems.items()}


def texts(ax):
    """What is written in a picture that has been drawn, but for the numbers of its axes."""
    ax.figure.draw_without_rendering()
    legend = ax.get_legend()
    found = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]
    return [text for text in [*found, *(legend.get_texts() if legend else [])] if text.get_text()]


def bars(ax):
    """Heights of the bars of each system (systems, groups)."""
    assert all(bar.get_y() == 0 for bar in ax.patches)
    return {bars.get_label(): [bar.get_height() for bar in bars.patches] for bars in ax.containers}


def curves(ax):
    return {line.get_label(): line.get_ydata().tolist() for line in ax.lines}


@pytest.mark.parametrize("count", [1, 3, 5, 6, 8])
@pytest.mark.parametrize("options", [{}, {"smoothing": "add-k", "smoothing_value": 2}])
def test_precisions_are_those_of_the_scores(count, options):
    systems = counted(NAMES[:count])
    ax = plot_precisions(systems, **options)
    drawn = bars(ax) if count <= 5 else curves(ax)
    scores = scored(systems, **options)
    assert drawn == {name: [*one.percent_precisions] for name, one in scores.items()}
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "3", "4"]
    assert ax.get_xticks().tolist() == [0, 1, 2, 3]
    assert ax.get_ylim() == (0, 100)
    assert "0-100" in ax.get_ylabel()


def test_names_stand_about_as_high_as_their_lines():
    systems = counted(NAMES[:6])
    last = [one.percent_precisions[-1] for one in scored(systems).values()]
    heights = {text.get_text(): 100 * text.xyann[1] for text in plot_precisions(systems).texts}
    assert sorted(heights, key=heights.get) == sorted(
        systems, key=lambda name: last[[*systems].index(name)]
    )
    assert np.mean([*heights.values()]) == pytest.approx(np.mean(last))


def test_bars_stand_side_by_side():
    ax = plot_precisions(counted(NAMES[:3]))
    left = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches)
    edges = [edge for pair in left for edge in pair]
    assert edges == sorted(edges)
    assert [round(edge) for edge in edges] == [place for place in range(4) for _ in range(6)]


def rows(ax):
    """Name, score and ends of the interval of each row, from the top down."""
    (dots,), (spans,) = ax.lines, ax.collections
    names = {
        tick: label.get_text()
        for tick, label in zip(ax.get_yticks().tolist(), ax.get_yticklabels(), strict=True)
    }
    found = {}
    for (x, y), span in zip(dots.get_xydata().tolist(), spans.get_segments(), strict=True):
        assert span[:, 1].tolist() == [y, y]
        found[y] = (names[y], x, *span[:, 0].tolist())
    return [found[y] for y in sorted(found, reverse=True)]


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("kind", ["statistics", "intervals", "comparison"])
def test_scores_come_with_their_intervals(count, kind):
    systems = counted(NAMES[:count])
    asked = {"resamples": 50, "rng": 7, "smoothing": "exp"}
    intervals = {name: bootstrap(one, **asked) for name, one in systems.items()}
    if kind == "statistics":
        ax = plot_scores(systems, **asked)
    elif kind == "intervals":
        ax = plot_scores(intervals)
    elif count > 1:
        ax = plot_scores(paired_bootstrap(systems, **asked))
    else:
        return
    expected = [
        (name, *(100 * end for end in (one.score, one.lower, one.upper)))
        for name, one in sorted(intervals.items(), key=lambda pair: -pair[1].score)
    ]
    assert rows(ax) == expected
    assert [text.get_text() for text in ax.texts] == [f"{row[1]:.1f}" for row in expected]
    assert ax.get_xlabel() == "BLEU (0-100) with intervals of 95%"


def test_equal_scores_keep_their_order_and_levels_are_named():
    stats = counted(["x"])["x"]
    interval = bootstrap(stats, resamples=30, level=0.8)
    ax = plot_scores(dict.fromkeys("bca", interval))
    assert [row[0] for row in rows(ax)] == [*"bca"]
    assert ax.get_xlabel().endswith("80%")
    assert rows(plot_scores(interval))[0][1] == 100 * interval.score


def test_an_interval_may_lie_beside_its_score():
    """Of the words of few segments, most resampled corpora miss some."""
    found = bootstrap(counted(["x"])["x"], resamples=20)
    beside = type(found)(0.9, found.mean, found.lower, found.upper, found.level, found.resampled)
    assert rows(plot_scores(beside))[0][1:] == (90.0, 100 * found.lower, 100 * found.upper)


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("by", ["length", "label"])
@pytest.mark.parametrize("computed", [False, True])
def test_buckets_are_those_of_the_analysis(count, by, computed):
    systems = counted(NAMES[:count])
    given = {"edges": [5, 8]} if by == "length" else {"labels": ["$news$", "talk", None, 3] * 10}
    expected = score_buckets(systems, **given, smoothing="exp")
    ax = plot_buckets(expected) if computed else plot_buckets(systems, **given, smoothing="exp")
    drawn = bars(ax) if count <= 5 else curves(ax)
    scores = expected.percents.tolist()
    assert drawn == dict(zip(expected.names, scores, strict=True))
    shown = [text.get_text() for text in ax.get_xticklabels()]
    sizes = zip(expected.labels, expected.sizes.tolist(), strict=True)
    assert shown == [f"{label}\n({size})" for label, size in sizes]
    assert ax.get_ylabel() == "BLEU (0-100)"
    unit = {"length": "tokens of the reference", "label": "group"}[by]
    assert ax.get_xlabel() == f"{unit} (number of segments)"
    if count <= 5:
        assert ax.get_ylim()[0] == 0


DOMAINS = ["literature", "government", "healthcare", "technology", "e-commerce", "newspapers"]
GROUPS = {
    "domains": (DOMAINS, True),
    "short": (["news", "talk", "e-mail"], False),
    "two": (["a long one indeed", "b"], False),
    "wide": (["文学作品文学", "政府文件政府", "医疗保健", "技术", "电子商务电子商", "报纸"], True),
    "long": ([letter * (40 + 10 * place) for place, letter in enumerate("abcdef")], True),
    "numbers": ([*range(20)], False),
    "documents": ([f"document {number}" for number in range(120)], True),
    "alone": (["x" * 300], False),
}


@pytest.mark.filterwarnings("ignore:Glyph")  # of Chinese, in matplotlib's own font
@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("case", GROUPS)
def test_groups_have_room_for_their_labels(case, count):
    labels, on_slope = GROUPS[case]
    names = [f"system {number}" for number in range(count)]
    references, systems = written(count, 120)
    tables = {
        name: vecbleu.statistics(text, references)
        for name, text in zip(names, systems, strict=True)
    }
    ax = plot_buckets(tables, (labels * 120)[:120])
    ax.figure.draw_without_rendering()
    shown = ax.get_xticklabels()
    assert {text.get_rotation() for text in shown} == {45.0 * on_slope}
    boxes = [Text.get_window_extent(text) for text in shown]
    for box in boxes:
        assert ax.figure.bbox.x0 <= box.x0 < box.x1 <= ax.figure.bbox.x1
        assert ax.figure.bbox.y0 <= box.y0 < box.y1 <= ax.figure.bbox.y1
    if on_slope:  # lines of text, a part of whose distance is that of the groups
        distance = np.diff(ax.transData.transform([(0, 0), (1, 0)])[:, 0])[0]
        height = shown[0].get_fontsize() * ax.figure.dpi / 72
        assert distance * math.sin(math.radians(45)) > height
    else:
        assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes))
    assert ax.bbox.width > 200
    assert ax.bbox.height > 200


def test_axes_without_labels_below():
    upper, lower = Figure().subplots(2, sharex=True)
    for ax in (upper, lower):
        assert plot_buckets(counted(["x"]), DOMAINS[:4] * 10, ax=ax) is ax
        assert len(ax.patches) == 4


def test_more_groups_than_anybody_can_look_at_are_refused():
    references, (text,) = written(1, 301)
    table = vecbleu.statistics(text, references)
    assert len(plot_buckets(table[:300], [*range(300)]).get_xticks()) == 300
    with pytest.raises(ValueError, match="there are 301 groups to draw, expected at most 300"):
        plot_buckets(table, [*range(301)])


def test_long_labels_are_shown_by_their_ends():
    labels = ["x" * 32, "begin" + "y" * 80 + "end"]
    short, long = plot_buckets(counted(["x"]), labels * 20).get_xticklabels()
    assert short.get_text() == "x" * 32 + " (20)"
    assert len(long.get_text()) == 37
    assert re.fullmatch(r"beginy+…y+end \(20\)", long.get_text())


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
    assert low < min(one.ratio for one in scores.values())
    assert high > max(one.ratio for one in scores.values())
    named = [text.get_text() for text in sorted(ax.texts, key=lambda text: text.xyann[1])]
    assert named == sorted(scores, key=lambda name: scores[name].ratio)


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


@pytest.mark.parametrize("count", [1, 2, 8])
@pytest.mark.parametrize("kind", PLOTS)
def test_names_are_shown_as_they_are(kind, count):
    names = NAMES[:count]
    ax = PLOTS[kind](counted(names))
    shown = {text.get_text(): text for text in texts(ax)}
    for name in names:
        assert not shown[name].get_parse_math()
    height = max(1, *(shown[name].get_fontsize() for name in names))
    assert height <= 10


@pytest.mark.parametrize("count", [1, 3, 20])
@pytest.mark.parametrize("kind", PLOTS)
def test_nothing_is_cut_off_or_covered(kind, count):
    names = [NAMES[place % 8] + str(place) for place in range(count)]
    ax = PLOTS[kind](counted(names))
    shown = [text for text in texts(ax) if text.get_text() in names or text in ax.texts]
    shown += [label for label in (ax.xaxis.label, ax.yaxis.label) if label.get_text()]
    boxes = {text.get_text(): Text.get_window_extent(text) for text in shown}
    assert {*names} <= {*boxes}
    figure = ax.figure.bbox
    for box in boxes.values():
        assert figure.x0 <= box.x0
        assert box.x1 <= figure.x1
        assert figure.y0 <= box.y0
        assert box.y1 <= figure.y1
    middles = sorted((boxes[name].y0 + boxes[name].y1) / 2 for name in names)
    assert np.diff(middles).min(initial=np.inf) >= 9  # 9 points are 12.5 pixels
    assert ax.bbox.width > 200


@pytest.mark.parametrize("kind", PLOTS)
def test_a_given_axes_is_drawn_into_and_returned(kind):
    one, other = Figure().subplots(1, 2)
    assert PLOTS[kind](counted(["x", "y"]), ax=one) is one
    assert one.has_data()
    assert not other.has_data()
    new = PLOTS[kind](counted(["x", "y"]))
    assert new.figure.axes == [new]
    assert new.figure is not one.figure
    with pytest.raises(TypeError, match=r"ax is Figure, expected matplotlib.axes.Axes"):
        PLOTS[kind](counted(["x", "y"]), ax=one.figure)
    polar = Figure().add_subplot(projection="polar")
    with pytest.raises(TypeError, match=r"ax is PolarAxes \(polar\), expected rectilinear Axes"):
        PLOTS[kind](counted(["x", "y"]), ax=polar)


@pytest.mark.parametrize("kind", PLOTS)
def test_systems_without_names(kind):
    (stats,) = counted(["x"]).values()
    shown = {text.get_text() for text in texts(PLOTS[kind]([stats, stats]))}
    assert {"0", "1"} <= shown
    alone = PLOTS[kind](stats)
    assert alone.get_legend() is None
    assert not any(text.get_text().isalpha() for text in texts(alone))


def test_no_window_and_no_global_state(tmp_path):
    code = """
import sys, vecbleu
from vecbleu import plots
assert "matplotlib" not in sys.modules
stats = vecbleu.statistics(["a b c d"], ["a b c d e"])
for plot in (plots.plot_precisions, plots.plot_scores, plots.plot_buckets):
    plot({"x": stats}).figure.savefig(sys.argv[1])
plots.plot_brevity_penalty([stats]).figure.savefig(sys.argv[1])
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x.png")], check=True)


def test_labels_keep_their_order_and_distance():
    spread = drawing._spread(np.array([0.0, 0.5, 0.5, 0.51, 1.0]), 0.1)
    assert spread == pytest.approx([0.0, 0.403333, 0.503333, 0.603333, 1.0])
    assert drawing._spread(np.array([0.99, 1.0]), 0.1) == pytest.approx([0.9, 1.0])
    assert drawing._spread(np.array([0.3]), 0.1) == pytest.approx([0.3])


@pytest.mark.parametrize("kind", PLOTS)
def test_systems_are_refused_by_name(kind):
    plot = PLOTS[kind]
    stats = counted(["x"])["x"]
    with pytest.raises(TypeError, match="systems is int, expected a dict of names or a list"):
        plot(3)
    with pytest.raises(TypeError, match=r"systems\['b'\] is str, expected Statistics"):
        plot({"a": stats, "b": "text"})
    with pytest.raises(ValueError, match="systems has 0, expected at least 1"):
        plot({})
    with pytest.raises(ValueError, match=r"system b has 3 segments .* system a has 40"):
        plot({"a": stats, "b": stats[:3]})
    with pytest.raises(ValueError, match=r"statistics has the shape .* expected a row for each"):
        plot(stats.sum())
    with pytest.raises(ValueError, match="statistics has 0 segments, expected at least 1"):
        plot(stats[:0])
    with pytest.raises(ValueError, match="two systems are called '1'"):
        plot({1: stats, "1": stats})
    if kind != "brevity":
        with pytest.raises(TypeError, match="smooth is no option of the score"):
            plot(stats, smooth="exp")


def test_results_are_refused_by_name():
    systems = counted(["x", "y"])
    intervals = {name: bootstrap(one, resamples=9) for name, one in systems.items()}
    with pytest.raises(ValueError, match="the comparison has no intervals; paired_bootstrap's has"):
        plot_scores(paired_randomization(systems, trials=9))
    with pytest.raises(TypeError, match="smoothing is for statistics, and these are results"):
        plot_scores(intervals, smoothing="exp")
    asked = {"resamples": 1000, "rng": 3, "progress": None}
    for results in (intervals, intervals["x"], paired_bootstrap(systems, resamples=9)):
        for name, value in asked.items():
            with pytest.raises(TypeError, match=f"{name} is for statistics, and these are results"):
                plot_scores(results, **{name: value})
    with pytest.raises(TypeError, match=r"systems\['y'\] is Statistics, expected Interval"):
        plot_scores(intervals | {"y": systems["y"]})
    other = bootstrap(systems["x"], resamples=9, level=0.9)
    with pytest.raises(ValueError, match=r"intervals have the levels \[0.9, 0.95\]"):
        plot_scores(intervals | {"y": other})
    buckets = score_buckets(systems)
    for name, value in {"labels": ["a"] * 40, "edges": [3], "smoothing": "exp"}.items():
        with pytest.raises(TypeError, match=f"{name} is for statistics, and these are results"):
            plot_buckets(buckets, **{name: value})
    with pytest.raises(ValueError, match="the references of system x have no tokens"):
        plot_brevity_penalty({"x": vecbleu.statistics(["a"], [""])})


def test_nothing_that_matches_is_a_picture_too():
    stats = vecbleu.statistics(["a b"], ["c d"])
    for plot in PLOTS.values():
        plot({"x": stats, "y": stats}).figure.draw_without_rendering()
    assert plot_scores([stats, stats]).get_xlim() == (0, 100)


@pytest.mark.parametrize("kind", PLOTS)
def test_what_can_not_be_drawn_is_replaced(kind):
    names = ["a\ud800b", "c\x01\nd", "e\u2028\uffff", "한\u200dé\u00a0f"]
    systems = dict(zip(names, counted([*"abcd"]).values(), strict=True))
    ax = PLOTS[kind](systems)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        assert {"a�b", "c��d", "e��", names[3]} <= {text.get_text() for text in texts(ax)}
        file = io.BytesIO()
        ax.figure.savefig(file, format="svg")
    ElementTree.fromstring(file.getvalue())


def test_labels_that_can_not_be_drawn_are_replaced():
    ax = plot_buckets(counted(["x"]), ["a\n", "b\x00"] * 20)
    shown = [text.get_text() for text in ax.get_xticklabels()]
    assert shown == ["a�\n(20)", "b�\n(20)"]


@pytest.mark.parametrize("kind", PLOTS)
def test_without_the_extra(monkeypatch, kind):
    systems = counted(["x", "y"])
    ax = Figure().subplots()
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, module, None)
    for given in ({}, {"ax": ax}):
        with pytest.raises(ImportError, match=r'pip install "vecbleu\[plot\]"'):
            PLOTS[kind](systems, **given)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Text of references and three systems, statistics of the first, labels."""
    folder = tmp_path_factory.mktemp("plots")
    references, systems = written(3)
    for name, text in zip(["r", "a", "b$_$", "c"], [references, *systems], strict=True):
        (folder / name).write_text("\n".join(text) + "\n")
    (folder / "labels").write_text("news\ntalk\n" * 20)
    (folder / "empty").write_text("")
    (folder / "blank").write_text("\n" * 40)
    lines(run(folder, "stats", "a", "r", "-o", "a.npz"))
    vecbleu.Statistics.load(folder / "a.npz").sum().save(folder / "sum.npz")
    return folder


MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("precisions", "svg"), ("scores", "png"), ("buckets", "pdf"), ("brevity", "svg")],
)
def test_the_command_writes_the_same_bytes_again(folder, monkeypatch, kind, ending):
    from vecbleu.cli import plot

    command = [kind, "a.npz", "b$_$", "c", "--ref", "r", "-o"]
    (line,) = lines(run(folder, "plot", *command, f"{kind}.{ending}"))
    drawn = "bs:1000|seed:12345|" if kind == "scores" else ""
    about = f"{kind}, BLEU|nrefs:1|{drawn}case:mixed|eff:no|tok:13a|smooth:exp|version:"
    assert line.startswith(f"{kind}.{ending}: {about}")
    monkeypatch.chdir(folder)
    assert [*plot.run([*command, f"{kind}.{ending.upper()}"])] == [
        line.replace(f".{ending}", f".{ending.upper()}", 1)
    ]
    written = (folder / f"{kind}.{ending}").read_bytes()
    assert written.startswith(MAGIC[ending])
    assert written == (folder / f"{kind}.{ending.upper()}").read_bytes()


def drawn_by_command(folder, monkeypatch, *arguments):
    """The Axes that the command draws."""
    from vecbleu.cli import plot

    found = []
    monkeypatch.chdir(folder)
    monkeypatch.setattr(plot, "_save", lambda ax, path: found.append(ax))
    [*plot.run([*arguments, "-o", "x.svg"])]
    return found[0]


def test_the_command_draws_what_python_draws(folder, monkeypatch):
    references, systems = written(3)
    names = ["a", "b$_$", "c"]
    tables = {
        name: vecbleu.statistics(text, references)
        for name, text in zip(names, systems, strict=True)
    }
    score = {"smoothing": "add-k", "smoothing_value": 0.5}
    asked = [*names, "--ref", "r", "-s", "add-k", "-sv", "0.5"]
    ax = drawn_by_command(folder, monkeypatch, "precisions", *asked)
    assert bars(ax) == bars(plot_precisions(tables, **score))
    ax = drawn_by_command(folder, monkeypatch, "buckets", *asked, "--edges", "4", "6")
    assert bars(ax) == bars(plot_buckets(tables, edges=[4, 6], **score))
    assert len(ax.get_xticks()) == 3
    ax = drawn_by_command(folder, monkeypatch, "buckets", *asked, "--labels", "labels")
    assert bars(ax) == bars(plot_buckets(tables, ["news", "talk"] * 20, **score))
    ax = drawn_by_command(folder, monkeypatch, "brevity", *names, "--ref", "r")
    assert curves(ax) == curves(plot_brevity_penalty(tables))
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    ax = drawn_by_command(folder, monkeypatch, "scores", *asked, "-n", "30")
    assert rows(ax) == rows(plot_scores(tables, resamples=30, rng=5, **score))
    ax = drawn_by_command(folder, monkeypatch, "scores", *asked, "--names", *"xyz", "-n", "9")
    assert sorted(row[0] for row in rows(ax)) == [*"xyz"]


def test_letters_without_a_font_are_one_line(folder):
    command = ["plot", "precisions", "a.npz", "-o", "cjk.png", "--names", "a\U0010fffd\ue000\ue000"]
    done = run(folder, *command)
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert "matplotlib's font.family has no font for: " in done.stderr.decode()
    assert run(folder, *command, "-q").stderr == b""


def test_every_warning_is_a_line(folder, monkeypatch):
    def draw(figure, file, **options):
        for _ in range(2):
            warnings.warn("no room\nfor it", stacklevel=1)
        file.write(b"svg")

    monkeypatch.setattr(Figure, "savefig", draw)
    done = run(folder, "plot", "precisions", "a.npz", "-o", "warned.svg")
    assert done.returncode == 0
    assert done.stderr == b"vecbleu: no room\\nfor it\n"


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_a_file_name_that_is_no_text(folder):
    name = os.fsdecode(b"h\xff")
    (folder / name).write_bytes((folder / "a").read_bytes())
    lines(run(folder, "plot", "scores", name, "--ref", "r", "-n", "9", "-o", "name.svg"))
    ElementTree.parse(folder / "name.svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("scores a none --ref r -o x.jpg", "the output 'x.jpg' does not end in .svg, .png or .pdf"),
        ("scores a none --ref r -o svg", "the output 'svg' does not end in .svg, .png or .pdf"),
        ("scores a --ref r", "the following arguments are required: -o/--output"),
        ("scores -o x.svg", "the following arguments are required: SYSTEM"),
        ("pie a --ref r -o x.svg", "argument KIND: invalid choice: 'pie'"),
        ("scores a -o x.svg", "no references; see --help"),
        (
            "scores a --ref a.npz -o x.svg",
            "a.npz is a file of statistics, which can't be references",
        ),
        ("scores sum.npz -o x.svg", "sum.npz is the sum of all segments, expected a row for each"),
        ("buckets a --ref r -o x.svg --labels labels --edges 9", "--edges is for groups without"),
        ("buckets a --ref r -o x.svg --labels a.npz", "a.npz is a file of statistics, which can't"),
        ("scores a a --ref r -o x.svg", "'a' is given twice as a system"),
        ("scores a --ref r -o x.svg -n 0", "resamples is 0, expected at least 1"),
        ("buckets a --ref r -o x.svg -n 9", "--resamples is for scores, not for buckets"),
        (
            "brevity a --ref r -o x.svg -s exp",
            "--smoothing is for precisions, scores, buckets, not",
        ),
        ("brevity a --ref r -o x.svg -sv 1", "--smoothing-value is for precisions, scores, buck"),
        ("scores a.svg --ref r -o ./a.svg", "the output './a.svg' is one of the files that are"),
        ("scores a --ref r a.svg -o a.svg", "the output 'a.svg' is one of the files that are read"),
        ("buckets a --ref r -o a.svg --labels a.svg", "the output 'a.svg' is one of the files"),
        ("scores a --ref r -o x.svg --edges 9", "--edges is for buckets, not for scores"),
        ("scores a --ref r -o x.svg --labels labels", "--labels is for buckets, not for scores"),
        ("buckets a --ref r -o x.svg --labels empty", "empty has 0 lines but a has 40 segments"),
        ("buckets a --ref r -o x.svg --edges 3 2", "edges is [3, 2], expected lengths that"),
        ("buckets - --ref r -o x.svg --labels -", "standard input is needed twice but can be"),
        ("scores a c --ref r -o x.svg --names x", "names has 1 but there are 2 systems"),
        ("scores a c --ref r -o x.svg --names x x", "'x' is given twice as a name"),
        ("scores none --ref r -o x.svg", "none: No such file or directory"),
        ("scores empty --ref empty -o x.svg", "there are no segments to plot"),
        ("brevity a --ref blank -o x.svg", "the references of system a have no tokens"),
        ("scores a --ref r -o no/x.svg", "no/x.svg: No such file or directory"),
    ],
)
def test_the_command_refuses_by_name(folder, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(folder)
    try:
        status = main(["plot", *arguments.split()])
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.partition("error: ")[2].startswith(message)
    assert not (folder / "x.svg").exists()


def test_another_name_of_a_file_that_is_read_is_not_written(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    text = (folder / "a").read_bytes()
    os.link("a", "hard.svg")
    with pytest.raises(SystemExit):
        main(["plot", "scores", "a", "--ref", "r", "-o", "hard.svg"])
    assert "the output 'hard.svg' is one of the files that are read" in capsys.readouterr().err
    assert (folder / "a").read_bytes() == text


def test_the_command_needs_matplotlib_before_it_works(folder):
    program = "import sys; sys.modules['matplotlib'] = None; import vecbleu.cli; "
    program += "sys.exit(vecbleu.cli.main(['plot', 'scores', 'none', '--ref', 'r', '-o', 'x.svg']))"
    line = error(run(folder, program=("-c", program)))
    assert line.endswith('plots need the package matplotlib: pip install "vecbleu[plot]"')


def test_standard_input_is_a_system(folder):
    text = (folder / "a").read_bytes()
    for name, stdin in (("a", b""), ("-", text)):
        command = ["plot", "precisions", name, "--ref", "r", "--names", "x", "-o", f"in{name}.svg"]
        lines(run(folder, *command, stdin=stdin))
    assert (folder / "ina.svg").read_bytes() == (folder / "in-.svg").read_bytes()

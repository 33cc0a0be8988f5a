"""What is written, and what a terminal shows: whole files, bars, text of others."""

from __future__ import annotations

import errno
import gzip
import inspect
import io
import json
import os
import re
import stat
import subprocess
import sys
import threading
import unicodedata

import numpy as np
import pytest
from conftest import blocks_of
from corpora import write_lines
from hypothesis import example, given
from hypothesis import strategies as st
from test_keywords import FUNCTIONS, keywords_of

import vecbleu
import vecbleu.cli
from vecbleu.files.replace import replaced_file
from vecbleu.parallel import progress
from vecbleu.show.table import Column, Table, p_value, points
from vecbleu.show.terminal import display_width, escaped, escaped_name, shortened_name
from vecbleu.significance import bootstrap, paired_randomization

LINES = ["the cat sat on the mat, and slept all day", "a dog barked at it"] * 50
STATS = vecbleu.statistics(LINES, LINES)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


@pytest.mark.parametrize("name", ["*best", "[1]", " *", "best*", "a"])
def test_rows_of_latex_are_no_arguments_of_the_line_break_before(name):
    r"""After `\\`, it takes an asterisk or a bracket, also behind spaces."""
    *_, row, _, _ = Table([Column("system", ["other", name])]).to_latex().split("\n")
    assert row == "{}" * (name[:1] in "*[ ") + f"{name} " + r"\\"


# How a column shows 0.256, with one digit of scores; and what records have.
FORMATS = {
    "text": ("0.256", 0.256),
    "count": ("0.256", 0.256),
    "score": ("25.6", 25.6),
    "difference": ("+25.6", 25.6),
    "p": ("0.256", 0.256),
    "number": ("0.2560", 0.256),
    "percent": ("0%", 0.256),
}


@pytest.mark.parametrize("format_", FORMATS)
def test_columns_are_shown_and_recorded_by_their_format(format_):
    shown, recorded = FORMATS[format_]
    column = Column("x", [0.256, None, np.nan], format_, digits=1)
    assert column.cells() == [shown, "", ""]
    table = Table([column, column])
    assert table.to_dict() == {"x": [0.256, None, None], "x_": [0.256, None, None]}
    rows = table.records()
    assert [row["x_"] for row in rows] == [row["x"] for row in rows]
    assert [row["x"] for row in rows] == [pytest.approx(recorded), None, None]


def test_differences_have_as_many_digits_as_tell_them_from_0():
    for value, shown in {
        0.951: "95.1",
        0.0951: "9.5",
        0.000951: "0.1",
        0.000949: "0.09",
        0.000096: "0.01",
        0.000094: "0.0094",
    }.items():
        assert [points(value), points(-value), points(-value, sign="")] == [
            f"+{shown}",
            f"−{shown}",
            f"−{shown}",
        ]
    assert points(0.0) == "0.0"


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 1003])
def test_a_line_says_how_many_rows_are_hidden(rows):
    table = Table([Column("x", range(rows), "count")], notes=["note"])
    lines = table.to_text(3).split("\n")
    hidden = [f"... and {rows - 3:,} more rows"] if rows > 3 else []
    assert lines[1:] == [*map(str, range(min(rows, 3))), *hidden, "note"]
    assert table.to_html(3).count("<tr>") == 1 + min(rows, 3)
    assert ("more rows" in table.to_html(3)) == bool(hidden)
    assert table.to_latex().count(r"\\") == 1 + rows


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError(errno.ENOSPC, "No")])
def test_what_fails_leaves_the_old_file_and_no_other(tmp_path, error):
    def fail(path):
        with replaced_file(path) as file:
            file.write(b"half")
            file.flush()
            raise error

    (tmp_path / "kept").write_bytes(b"old")
    for name in ("kept", "fresh"):
        with pytest.raises(error if isinstance(error, type) else OSError) as caught:
            fail(tmp_path / name)
        assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
        assert getattr(caught.value, "filename", str(tmp_path / name)) == str(tmp_path / name)


@POSIX
def test_new_files_have_the_mode_of_open(tmp_path):
    old = os.umask(0o027)
    try:
        STATS.save(tmp_path / "stats.npz")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "stats.npz").stat().st_mode) == 0o640


@POSIX
@pytest.mark.slow
def test_special_files_are_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=STATS.save, args=(tmp_path / "pipe",))
    writer.start()
    assert vecbleu.Statistics.load(io.BytesIO((tmp_path / "pipe").read_bytes())) == STATS
    writer.join()
    if os.path.exists("/dev/stdout"):
        with open(tmp_path / "log", "w+b") as log:  # which must not be replaced
            program = "import vecbleu; vecbleu.statistics(['a'], ['a']).save('/dev/stdout')"
            subprocess.run([sys.executable, "-c", program], stdout=log, check=True)
            assert len(vecbleu.Statistics.load(tmp_path / "log")) == 1


def test_places_where_nothing_can_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for path, error in {
        "folder": IsADirectoryError,
        "": IsADirectoryError,
        "fresh/": IsADirectoryError,
        "missing/fresh": FileNotFoundError,
        "file/fresh": NotADirectoryError,
    }.items():
        with pytest.raises(error) as caught:
            STATS.save(path)
        assert caught.value.filename == path
    assert sorted(os.listdir()) == ["file", "folder"]


@pytest.fixture
def show(monkeypatch):
    """Run a call while somebody looks at standard error; what is shown."""

    def run(call, *arguments, **options):
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", terminal)
            call(*arguments, **options)
        return terminal.getvalue()

    pytest.importorskip("tqdm")
    return run


def test_a_bar_counts_segments_or_resamples(show):
    shown = show(vecbleu.corpus_bleu, LINES, LINES, progress=True)
    assert all(text in shown for text in ("100%", "100/100", "segments/s"))
    assert "100%" in show(bootstrap, STATS, progress=True)
    bars = show(paired_randomization, [STATS, STATS], progress=True)
    last = [bar.rsplit("\r", 1)[-1] for bar in bars.split("\n") if bar]
    assert [bar.partition(":")[0] for bar in last] == ["drawing"]
    assert show(bootstrap, STATS) == show(vecbleu.statistics, LINES, LINES) == ""


# What functions with a bar are given, by the names of their parameters.
GIVEN = dict.fromkeys(["hypotheses", "predictions", "references"], LINES)
GIVEN |= {"candidates": [LINES[:2]] * 50, "statistics": STATS, "systems": {"A": STATS, "B": STATS}}
GIVEN |= dict.fromkeys(["hypothesis_path", "reference_paths"], "lines") | {"path": "page.html"}
OF_TEXT = {"systems": {"A": LINES, "B": LINES}}


@pytest.mark.parametrize(
    "name", [name for name, one in FUNCTIONS.items() if "progress" in keywords_of(one)]
)
def test_every_function_with_a_bar_shows_it(name, show, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "lines", LINES)
    given = GIVEN | (OF_TEXT if name == "vecbleu.analysis.ngram_differences" else {})
    function = FUNCTIONS[name]
    needed = {
        one: given[one]
        for one, parameter in inspect.signature(function).parameters.items()
        if one in given and parameter.default is parameter.empty
    }
    assert "100%" in show(function, **needed, progress=True)
    assert show(function, **needed) == ""


def test_a_report_shows_a_bar_for_each_count_and_test(show, tmp_path):
    systems = {"A": LINES, "B": LINES[::-1]}
    shown = show(vecbleu.report.write, tmp_path / "page.html", systems, LINES, progress=True)
    bars = [bar.rpartition("\r")[2].partition(":")[0] for bar in shown.split("\n") if "100%" in bar]
    assert [bar == "drawing" for bar in bars] == [False, False, True, False, False, False]


@pytest.mark.parametrize("last", [b"d", b"d\n"])
def test_a_bar_of_files_ends_at_its_total(show, tmp_path, last):
    """Newlines that are missing are no bytes of the files."""
    path, packed = tmp_path / "text", tmp_path / "text.gz"
    path.write_bytes(b"a b c\n" * 999 + last)
    packed.write_bytes(gzip.compress(path.read_bytes()))
    total = f"{2 * (5994 + len(last)) / 1000:.1f}k"
    with blocks_of(50):
        shown = show(vecbleu.file_statistics, path, path, progress=True)
        without_total = show(vecbleu.file_statistics, path, packed, progress=True)
    assert "100%" in shown.split("\r")[-1]
    assert f"{total}/{total}" in shown.split("\r")[-1]
    assert without_total.split("\r")[-1].startswith(f"{total} B [")


def test_a_bar_that_nobody_has_asked_for_waits(show, monkeypatch, tmp_path):
    assert show(vecbleu.statistics, LINES, LINES, progress=None) == ""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    shown = show(vecbleu.statistics, LINES, LINES, progress=None)
    assert "0.00/100" in shown
    assert shown.endswith(" \r")  # and is wiped out at the end
    path = str(write_lines(tmp_path / "text", LINES))
    assert "B/s" in show(vecbleu.cli.main, [path, "-i", path])
    closed = io.StringIO()
    closed.close()
    for stderr in (io.StringIO(), None, closed):
        monkeypatch.setattr(sys, "stderr", stderr)
        assert vecbleu.statistics(LINES, LINES, progress=None) == STATS
        assert not stderr or stderr.closed or stderr.getvalue() == ""


def test_without_the_extra(show, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert show(vecbleu.statistics, LINES, LINES, progress=None) == ""
    with pytest.raises(ImportError, match=r"vecbleu\[progress\]"):
        vecbleu.statistics(LINES, LINES, progress=True)


# The directions of writing, by their classes in Unicode.
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
OTHERS = "\u061c\u200e\u200f\ufeff\ufffe\uffff"  # marks without such a class; not in PDF or XML


def test_what_is_no_text_to_a_terminal_is_escaped():
    for code in (*range(0x20000), *range(0xE0000, 0xE0200)):  # elsewhere, all are alike
        text = f"a{chr(code)}b"
        unsafe = unicodedata.category(text[1]) in {"Cc", "Cs", "Zl", "Zp"} and text[1] != "\t"
        unsafe |= unicodedata.bidirectional(text[1]) in DIRECTIONS or text[1] in OTHERS
        shown = escaped(text)
        assert (shown != text) == unsafe
        if unsafe:
            assert shown.isascii()
            assert shown.isprintable()
            assert json.loads(f'"{shown}"') == text
    assert escaped_name("a\tb\n") == "a\\tb\\n"


@pytest.mark.parametrize("rows", [59, 60, 61, 62, 1062])
def test_rows_beyond_sixty_are_counted(rows):
    texts = [f"{number}!" for number in range(rows)]
    table = Table([Column("x", range(rows)), Column("y", range(rows), "p", texts=texts)])
    shown = str(table).split("\n")[1:]
    assert [line.split() for line in shown[:60]] == [[text[:-1], text] for text in texts[:60]]
    assert shown[60:] == ([f"... and {rows - 60:,} more rows"] if rows > 60 else [])
    page = table._repr_html_()
    assert page.count("<tr>") == 1 + min(rows, 60)
    assert ("more rows" in page) == (rows > 60)
    assert len(table.to_text().split("\n")) == 1 + rows


def test_rules_are_above_the_rows_that_are_named():
    page = Table([Column("x", [*"abc"])]).to_html(css_class="look", rules=[1])
    rows = re.findall("<tr( class=[^>]*)?><th scope=.row. class=.left.>(.)</th></tr>", page)
    assert rows == [("", "a"), (' class="rule"', "b"), ("", "c")]


@pytest.mark.parametrize("name", ["newstest", "新聞test"])
def test_names_that_fit_are_not_cut(name):
    size = display_width(name)
    assert shortened_name(name, size) == shortened_name(name, size + 1) == name
    cut = shortened_name(name, size - 1)
    assert "…" in cut != name
    assert (cut[0], cut[-1]) == (name[0], name[-1])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.25, "25.0"), (0.001, "0.1"), (0.0009, "0.09"), (0.0001, "0.01"), (0.00009, "0.0090")],
)
def test_points_have_more_digits_if_they_are_small(value, shown):
    assert [points(value), points(-value), points(value, "")] == [f"+{shown}", f"−{shown}", shown]
    assert points(0.0) == "0.0"


@given(st.floats(0.001, 1), st.sampled_from([0.05, 0.01, 0.1, 0.0005]))
@example(0.0498, 0.05)
@example(0.05 + 1e-15, 0.05)
@example(0.05, 0.05)
@example(0.0005, 0.0005)
@example(0.001, 0.05)
def test_p_values_have_as_many_digits_as_tell_them_from_the_level(value, level):
    shown = p_value(value, level)
    digits = len(shown.partition(".")[2])
    assert (shown, digits >= 3) == (f"{value:.{digits}f}", True)
    assert np.sign(float(shown) - level) == np.sign(value - level)
    if digits > 3:  # one less does not tell them apart
        less = float(f"{value:.{digits - 1}f}")
        assert np.sign(less - level) != np.sign(value - level)
    assert p_value(0.00049, level) == f"< {min(level, 0.001):g}"

"""Bars: shown where they are asked for or where somebody can look, else not a byte."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys

import pytest

import vecbleu
from vecbleu import pipeline, progress
from vecbleu.parallel import Labor
from vecbleu.significance import all_pairs, bootstrap, paired_bootstrap, paired_randomization
from vecbleu.sources import Source

LINES = ["the cat sat on the mat", "a dog barked"] * 50


class Terminal(io.StringIO):
    def isatty(self):
        return True


def look(monkeypatch):
    """Somebody looks at standard error, which pytest replaces between fixtures and the test."""
    pytest.importorskip("tqdm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def counted(**options):
    return vecbleu.statistics(LINES, LINES, **options)


TESTS = {
    "bootstrap": lambda stats, **options: bootstrap(stats, **options),
    "paired bootstrap": lambda stats, **options: paired_bootstrap([stats, stats], **options),
    "randomization": lambda stats, **options: paired_randomization([stats, stats], **options),
    "all pairs": lambda stats, **options: all_pairs([stats, stats, stats], **options),
}


def test_a_bar_counts_segments(monkeypatch):
    terminal = look(monkeypatch)
    vecbleu.corpus_bleu(LINES, LINES, progress=True)
    assert "100%" in terminal.getvalue()
    assert "100/100" in terminal.getvalue()
    assert "segments/s" in terminal.getvalue()


def test_a_bar_counts_bytes_of_files(monkeypatch, tmp_path):
    terminal = look(monkeypatch)
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in LINES * 20))
    size = 2 * (tmp_path / "text").stat().st_size
    vecbleu.file_statistics(tmp_path / "text", tmp_path / "text", progress=True)
    assert f"{size / 1000:.1f}k/{size / 1000:.1f}k" in terminal.getvalue()
    assert "B/s" in terminal.getvalue()


def counted_files(*sources):
    """Count the segments of files, with a bar."""
    blocks = pipeline.count_files(
        sources[:1], sources[1:], pipeline.Counting(), Labor(progress=True)
    )
    return sum(len(rows[0]) for rows, _ in blocks)


@pytest.mark.parametrize("line", [b"a\tb \n", b"abc\td"])
def test_a_bar_of_files_ends_at_its_total(monkeypatch, tmp_path, line):
    """Newlines that are missing and white space that is left out or not."""
    terminal = look(monkeypatch)
    monkeypatch.setattr(pipeline, "_FILE_BLOCK", 50)
    (tmp_path / "one").write_bytes(b"a b c\n" * 99 + b"d")
    (tmp_path / "two").write_bytes(b"x \ty \n" * 99 + line)
    files = Source(tmp_path / "one"), Source(tmp_path / "two", 2)
    assert counted_files(*files) == 100
    total = f"{(99 * 12 + 1 + len(line)) / 1000:.2f}k"
    shown = terminal.getvalue().split("\r")
    assert "100%" in shown[-1]
    assert f"{total}/{total}" in shown[-1]


@pytest.mark.parametrize("unknown", ["-", "text.gz", "utf-16"])
def test_a_bar_has_no_total_where_nobody_knows_it(monkeypatch, tmp_path, unknown):
    terminal = look(monkeypatch)
    text = "a b c\n" * 100
    (tmp_path / "plain").write_text(text)
    (tmp_path / "utf-16").write_text(text, encoding="utf-16")
    (tmp_path / "text.gz").write_bytes(gzip.compress(text.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    path = "-" if unknown == "-" else tmp_path / unknown
    encoding = unknown if unknown == "utf-16" else "utf-8"
    assert counted_files(Source(tmp_path / "plain"), Source(path, 1, encoding)) == 100
    assert "1.20k B" in terminal.getvalue()
    assert "%" not in terminal.getvalue()


def test_bars_that_follow_each_other_have_names(monkeypatch):
    terminal = look(monkeypatch)
    paired_randomization([counted(), counted()], progress=True)
    bars = [bar.rsplit("\r", 1)[-1] for bar in terminal.getvalue().split("\n") if bar]
    assert [bar.partition(":")[0] for bar in bars] == ["drawing", "comparing"]


@pytest.mark.parametrize("test", TESTS)
def test_a_bar_counts_resamples(monkeypatch, test):
    terminal = look(monkeypatch)
    expected = TESTS[test](counted()).to_dict()
    assert terminal.getvalue() == ""
    assert str(TESTS[test](counted(), progress=True).to_dict()) == str(expected)
    assert "100%" in terminal.getvalue()


def test_short_work_shows_nothing_unless_asked(monkeypatch):
    terminal = look(monkeypatch)
    counted(progress=None)
    counted()
    assert terminal.getvalue() == ""


def test_long_work_on_a_terminal_shows_a_bar(monkeypatch):
    terminal = look(monkeypatch)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    counted(progress=None)
    shown = terminal.getvalue()
    assert "0.00/100" in shown
    assert shown.endswith(" \r")  # and is wiped out at the end


class Log:
    """What some programs put in the place of standard error."""

    written = ""

    def write(self, text):
        self.written += text


def closed():
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stderr", [io.StringIO(), None, Log(), closed()])
def test_nothing_is_shown_where_nobody_looks(monkeypatch, stderr):
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", stderr)
    counted(progress=None)
    assert getattr(stderr, "written", "") == ""
    assert not isinstance(stderr, io.StringIO) or stderr.closed or stderr.getvalue() == ""


def test_a_bar_without_a_stream_is_none(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert counted(progress=True) == counted()


def test_an_error_closes_the_bar(monkeypatch):
    terminal = look(monkeypatch)
    with pytest.raises(TypeError, match=r"hypotheses\[99\]"):
        vecbleu.statistics([*LINES[:-1], 3], LINES, progress=True)
    with pytest.raises(TypeError, match=r"hypotheses\[1\]: tokenize returned str"):
        vecbleu.statistics(LINES, LINES, tokenize=lambda s: s.split() if s[0] == "t" else s,
                           progress=True)  # fmt: skip
    assert terminal.getvalue().endswith("\n")


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    counted(progress=None)
    assert sys.stderr.getvalue() == ""
    with pytest.raises(ImportError, match=r'pip install "vecbleu\[progress\]"'):
        counted(progress=True)


@pytest.mark.parametrize("value", [1, "yes"])
def test_progress_is_yes_or_no(value):
    with pytest.raises(TypeError, match=f"progress is {value!r}, expected True, False or None"):
        counted(progress=value)
    with pytest.raises(TypeError, match="progress is"):
        bootstrap(counted(), progress=value)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
@pytest.mark.parametrize("piped", [False, True])
def test_the_command_line_shows_a_bar_on_a_terminal_alone(tmp_path, piped):
    pytest.importorskip("tqdm")
    import fcntl
    import os
    import pty
    import struct
    import termios

    (tmp_path / "text").write_text("".join(f"{line}\n" for line in LINES))
    program = "import sys, vecbleu.cli, vecbleu.progress; vecbleu.progress._PATIENCE = 0; "
    program += "sys.exit(vecbleu.cli.main(['text', '-i', 'text', '-ci', '-b']))"
    controller, terminal = pty.openpty()
    size = struct.pack("HHHH", 24, 100, 0, 0)  # rows, columns
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if piped else terminal,
        check=True,
    )
    os.close(terminal)
    assert done.stdout.decode() == "100.0 (μ = 100.0 ± 0.0)\n"
    if piped:
        assert done.stderr == b""
    else:
        shown = os.read(controller, 1 << 16).decode()
        assert "B/s" in shown
        assert "resamples/s" in shown
    os.close(controller)

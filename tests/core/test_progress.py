"""Bars: shown where they are asked for or where somebody can look, else not a byte."""

from __future__ import annotations

import gzip
import io
import os
import struct
import subprocess
import sys

import pytest
from corpora import write_lines

import vecbleu
from vecbleu.core import progress
from vecbleu.core.file_corpus import FileCorpus
from vecbleu.core.files.sources import Source
from vecbleu.core.options import CountOptions, RunOptions
from vecbleu.core.pipeline import count_rows
from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization, rank

LINES = ["the cat sat on the mat", "a dog barked"] * 50


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def show(monkeypatch):
    """Run a call while somebody looks at standard error; what is shown."""

    def run(call, *arguments, **options):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", Terminal())
            call(*arguments, **options)
            return sys.stderr.getvalue()

    pytest.importorskip("tqdm")
    return run


def counted(**options):
    return vecbleu.statistics(LINES, LINES, **options)


TESTS = {
    "bootstrap": bootstrap,
    "paired bootstrap": lambda stats, **options: paired_bootstrap([stats, stats], **options),
    "randomization": lambda stats, **options: paired_randomization([stats, stats], **options),
    "ranking": lambda stats, **options: rank([stats, stats, stats], **options),
}


def test_a_bar_counts_segments_or_bytes(show, tmp_path):
    shown = show(vecbleu.corpus_bleu, LINES, LINES, progress=True)
    assert all(text in shown for text in ("100%", "100/100", "segments/s"))
    path = write_lines(tmp_path / "text", LINES * 20)
    size = f"{2 * path.stat().st_size / 1000:.1f}k"
    shown = show(vecbleu.file_statistics, path, path, progress=True)
    assert all(text in shown for text in (f"{size}/{size}", "B/s"))


def counted_files(*sources):
    corpus = FileCorpus(sources[:1], sources[1:])
    assert len(count_rows(corpus, CountOptions.checked(), RunOptions(progress=True))) == 100


@pytest.mark.parametrize("line", [b"a\tb \n", b"abc\td"])
def test_a_bar_of_files_ends_at_its_total(show, tmp_path, blocks_of, line):
    """Newlines that are missing and white space that is left out or not."""
    (tmp_path / "one").write_bytes(b"a b c\n" * 99 + b"d")
    (tmp_path / "two").write_bytes(b"x \ty \n" * 99 + line)
    with blocks_of(50):
        shown = show(counted_files, Source(tmp_path / "one"), Source(tmp_path / "two", 2))
    total = f"{(99 * 12 + 1 + len(line)) / 1000:.2f}k"
    assert "100%" in shown.split("\r")[-1]
    assert f"{total}/{total}" in shown.split("\r")[-1]


@pytest.mark.parametrize("unknown", ["-", "text.gz", "utf-16"])
def test_a_bar_has_no_total_where_nobody_knows_it(show, monkeypatch, tmp_path, unknown):
    text = "a b c\n" * 100
    (tmp_path / "plain").write_text(text)
    (tmp_path / "utf-16").write_text(text, encoding="utf-16")
    (tmp_path / "text.gz").write_bytes(gzip.compress(text.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    path = "-" if unknown == "-" else tmp_path / unknown
    encoding = unknown if unknown == "utf-16" else "utf-8"
    shown = show(counted_files, Source(tmp_path / "plain"), Source(path, 1, encoding))
    assert "1.20k B" in shown
    assert "%" not in shown


@pytest.mark.parametrize("test", TESTS)
def test_a_bar_counts_resamples(show, test):
    expected = TESTS[test](counted()).to_dict()
    found = []
    assert show(lambda: found.append(TESTS[test](counted()).to_dict())) == ""
    shown = show(lambda: found.append(TESTS[test](counted(), progress=True).to_dict()))
    assert [*map(str, found)] == [str(expected)] * 2
    assert "100%" in shown
    if test == "randomization":  # bars that follow each other have names
        bars = [bar.rsplit("\r", 1)[-1] for bar in shown.split("\n") if bar]
        assert [bar.partition(":")[0] for bar in bars] == ["drawing", "comparing"]


def test_a_bar_that_nobody_has_asked_for_waits(show, monkeypatch):
    assert show(counted, progress=None) == show(counted) == ""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    shown = show(counted, progress=None)
    assert "0.00/100" in shown
    assert shown.endswith(" \r")  # and is wiped out at the end


class Log:
    """What some programs put in the place of standard error."""

    written = ""

    def write(self, text):
        self.written += text


CLOSED = io.StringIO()
CLOSED.close()


@pytest.mark.parametrize("stderr", [io.StringIO(), None, Log(), CLOSED])
def test_nothing_is_shown_where_nobody_looks(monkeypatch, stderr):
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", stderr)
    assert counted(progress=None) == counted()
    assert getattr(stderr, "written", "") == ""
    assert not isinstance(stderr, io.StringIO) or stderr.closed or stderr.getvalue() == ""
    if stderr is None:
        assert counted(progress=True) == counted()


def test_an_error_closes_the_bar(show):
    def fail():
        with pytest.raises(TypeError, match=r"hypotheses\[1\]: tokenize returned str"):
            counted(tokenize=lambda s: s.split() if s[0] == "t" else s, progress=True)

    assert show(fail).endswith("\n")


def test_without_the_extra(show, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    assert show(counted, progress=None) == ""
    with pytest.raises(ImportError, match=r'pip install "vecbleu\[progress\]"'):
        counted(progress=True)


@pytest.mark.parametrize("piped", [False, True])
def test_the_command_line_shows_a_bar_on_a_terminal_alone(tmp_path, piped):
    _, fcntl, pty, termios = map(pytest.importorskip, ("tqdm", "fcntl", "pty", "termios"))
    write_lines(tmp_path / "text", LINES)
    program = "import sys, vecbleu.cli, vecbleu.core.progress as bar; bar._PATIENCE = 0; "
    program += "sys.exit(vecbleu.cli.main(['text', '-i', 'text', '-ci', '-b']))"
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))  # rows, columns
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE if piped else terminal}
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, **streams)
    os.close(terminal)
    assert done.stdout.decode() == "100.0 (μ = 100.0 ± 0.0)\n"
    shown = done.stderr if piped else os.read(controller, 1 << 16)
    assert shown == b"" if piped else b"B/s" in shown and b"resamples/s" in shown
    os.close(controller)

from __future__ import annotations

import gzip
import io
import os
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
from vecbleu import pipeline, places
from vecbleu.parallel import Labor
from vecbleu.sources import Source

# What a line of a file can hold: no newline, no lone surrogate.
lines = ugly_text.map(lambda s: s.replace("\n", " ").encode("utf-8", "replace").decode("utf-8"))
tables = st.lists(st.tuples(lines, lines, lines), max_size=12)


def write(path, strings, last_newline=True, compress=False):
    data = "\n".join(strings).encode() + (b"\n" if last_newline and strings else b"")
    path.write_bytes(gzip.compress(data) if compress else data)
    return path


@given(
    tables,
    st.integers(1, 60),
    st.sampled_from(["13a", "none", str.split, list]),
    st.booleans(),
    st.tuples(*[st.booleans()] * 6),
)
def test_files_give_what_their_lines_give(tmp_path_factory, table, block, tokenize, lower, flags):
    folder = tmp_path_factory.mktemp("files")
    columns = [*zip(*table, strict=True)] if table else [(), (), ()]
    paths = [
        write(folder / (f"{i}.gz" if flags[i] else str(i)), column, flags[i + 3], flags[i])
        for i, column in enumerate(columns)
    ]
    if any(column and not column[-1] and not flags[i + 3] for i, column in enumerate(columns)):
        return  # an empty last line without its newline is no line
    references = [list(pair) for pair in zip(*columns[1:], strict=True)]
    options = {"tokenize": tokenize, "lowercase": lower}
    expected = vecbleu.statistics(list(columns[0]), references, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "_FILE_BLOCK", block)
        assert vecbleu.file_statistics(paths[0], paths[1:], **options) == expected
    assert vecbleu.file_statistics(str(paths[0]), list(map(str, paths[1:])), **options) == expected


def test_one_reference_path_needs_no_list(tmp_path):
    h, r = write(tmp_path / "h", ["a b"]), write(tmp_path / "r", ["a"])
    assert vecbleu.file_statistics(h, r) == vecbleu.file_statistics(h, [r])
    with pytest.raises(ValueError, match="reference_paths is empty"):
        vecbleu.file_statistics(h, [])


def test_empty_files_have_no_segments(tmp_path):
    empty = write(tmp_path / "empty", [])
    assert len(vecbleu.file_statistics(empty, empty)) == 0


def test_only_newlines_end_lines(tmp_path):
    h = tmp_path / "h"
    h.write_bytes("a\rb\u2028c\x85d\x0ce\r\nf\n".encode())
    assert vecbleu.file_statistics(h, h).hyp_len.tolist() == [5, 1]


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_different_numbers_of_lines(tmp_path, monkeypatch, block):
    monkeypatch.setattr(pipeline, "_FILE_BLOCK", block)
    h = write(tmp_path / "hyp", ["a"] * 5)
    r = write(tmp_path / "ref", ["a"] * 7)
    s = write(tmp_path / "ref2", ["a"] * 5)
    with pytest.raises(ValueError, match=r"hyp has 5, .*ref has 7, .*ref2 has 5; line 6 of .*ref "):
        vecbleu.file_statistics(h, [r, s])
    with pytest.raises(ValueError, match=r"ref has 7, .*hyp has 5; line 6 of .*ref "):
        vecbleu.file_statistics(r, h)


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
@pytest.mark.parametrize("bad", [b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x82"])
def test_bytes_that_are_not_utf8(tmp_path, monkeypatch, block, bad):
    monkeypatch.setattr(pipeline, "_FILE_BLOCK", block)
    good = write(tmp_path / "good", ["a"] * 6)
    wrong = tmp_path / "wrong"
    wrong.write_bytes("é\n".encode() * 3 + b"abc" + bad + b"\nf\ng\n")
    message = rf"wrong: line 4 is not UTF-8: .* \(0x{bad[0]:02x} at byte 4 of the line\)"
    for paths in ((good, wrong), (wrong, good)):
        with pytest.raises(ValueError, match=message):
            vecbleu.file_statistics(*paths)


def test_missing_files_and_folders(tmp_path):
    good = write(tmp_path / "good", ["a"])
    with pytest.raises(FileNotFoundError, match="missing"):
        vecbleu.file_statistics(good, tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        vecbleu.file_statistics(good, tmp_path)


def test_damaged_gzip(tmp_path):
    good = write(tmp_path / "good", ["a b c"] * 1000)
    whole = gzip.compress(good.read_bytes())
    for name, data in {
        "cut": whole[:-12],
        "text": b"a\n",
        "flipped": whole[:-9] + b"x" * 9,
    }.items():
        path = tmp_path / f"{name}.gz"
        path.write_bytes(data)
        with pytest.raises(ValueError, match=rf"{name}\.gz: damaged gzip data at or after line 1"):
            vecbleu.file_statistics(good, path)


def test_standard_input(tmp_path, monkeypatch):
    good = write(tmp_path / "good", ["a b", "c"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\nd\n")))
    assert vecbleu.file_statistics("-", good).matches[:, 0].tolist() == [2, 0]
    with pytest.raises(ValueError, match="standard input is needed 2 times"):
        vecbleu.file_statistics("-", ["-", good])


def test_the_users_tokenizer_is_told_by_path_and_line(tmp_path, monkeypatch):
    monkeypatch.setattr(pipeline, "_FILE_BLOCK", 4)
    h, r = write(tmp_path / "h", ["a", "b", "c"]), write(tmp_path / "r", ["a", "b", "bad"])
    with pytest.raises(TypeError, match=r"r: line 3: tokenize returned str, expected a list"):
        vecbleu.file_statistics(h, r, tokenize=lambda s: s if s == "bad" else [s])


def test_lines_of_very_different_lengths(tmp_path, monkeypatch):
    monkeypatch.setattr(pipeline, "_FILE_BLOCK", 64)
    rng = np.random.default_rng(1)
    short = ["a"] * 200
    long = [" ".join("ab"[i] for i in rng.integers(0, 2, size=n)) for n in rng.integers(0, 90, 200)]
    h, r = write(tmp_path / "h", short), write(tmp_path / "r", long)
    assert vecbleu.file_statistics(h, r) == vecbleu.statistics(short, long)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_that_is_written_to_while_it_is_read_is_an_error(tmp_path, workers):
    path, other = tmp_path / "hyp", tmp_path / "ref"
    for one in (path, other):
        one.write_text("a b c d e\n" * 300_000)

    sources = [Source(path)], [Source(other)]
    observe = partial(touch, path)
    blocks = pipeline.count_files(*sources, pipeline.Counting(), Labor(workers), observe)
    with pytest.raises(ValueError, match="hyp: the file has changed while it was read"):
        list(blocks)


class Slow(io.FileIO):
    """A file of which every read brings a few bytes, and none those behind some place."""

    end = 100

    def readinto(self, buffer):
        return super().readinto(memoryview(buffer)[: min(3, self.end - self.tell())])

    def read(self, size=-1):
        return super().read(min(3, size))


@pytest.mark.parametrize("data", [b"a b\nc d\n", b"a b\nc d"])
def test_a_place_is_read_whole_or_not_at_all(tmp_path, monkeypatch, data):
    path = tmp_path / "text"
    path.write_bytes(data)

    def open_slowly(name, mode, buffering=-1):
        file = Slow(name, mode)
        return file if buffering == 0 else io.BufferedReader(file)

    with path.open("rb") as file:
        place = places.find_place(str(path), file.fileno())
    monkeypatch.setattr(places, "open", open_slowly, raising=False)
    assert place.read(8) == b"a b\nc d\n"
    monkeypatch.setattr(Slow, "end", 5)
    with pytest.raises(ValueError, match="text: 5 bytes from byte 0 on, expected 8"):
        place.read(8)


def touch(path, block, text):
    os.utime(path, ns=(1, 1))

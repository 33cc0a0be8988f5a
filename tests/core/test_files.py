"""Files count as their lines do, in any blocks; an error names file, line and byte."""

from __future__ import annotations

import gzip
import io
import re
import sys

import pytest
from corpora import write_lines
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu

# What a line of a file can hold: no newline, no lone surrogate.
lines = ugly_text.map(lambda s: s.replace("\n", " ").encode("utf-8", "replace").decode("utf-8"))
tables = st.lists(st.tuples(lines, lines, lines), max_size=12)
options = st.fixed_dictionaries(
    {"tokenize": st.sampled_from(["13a", "none", str.split, list]), "lowercase": st.booleans()}
)
BLOCKS = [1, 7, 1 << 18]


@given(tables, st.integers(1, 60), options, st.tuples(*[st.booleans()] * 6))
def test_files_give_what_lines_give(tmp_path_factory, blocks_of, table, block, options, flags):
    folder = tmp_path_factory.mktemp("files")
    columns = [*zip(*table, strict=True)] if table else [(), (), ()]
    paths = []
    for i, column in enumerate(columns):
        # An empty last line without its newline is no line; nor are carriage returns alone.
        newline = flags[i + 3] or (column and (not column[-1] or column[-1].count("\r") > 1))
        path = folder / (f"{i}.gz" if flags[i] else str(i))
        paths.append(write_lines(path, column, newline, flags[i]))
    references = [list(pair) for pair in zip(*columns[1:], strict=True)]
    expected = vecbleu.statistics(list(columns[0]), references, **options)
    with blocks_of(block):
        found = vecbleu.file_statistics(paths[0], paths[1:], **options)
    assert found.array.tolist() == expected.array.tolist()


@pytest.mark.parametrize("block", [1, 1 << 18])
@pytest.mark.parametrize(
    "data", [b"a\rb", b"a b\r", b"a\rb\rc\n", b"a\n\rb\r\rc", b"a\r\r\n", b"a\xe2\x80\xa8b\x0cc\n"]
)
def test_only_newlines_end_lines(tmp_path, blocks_of, data, block):
    (tmp_path / "text").write_bytes(data)
    expected = [len(line.split()) for line in data.decode().removesuffix("\n").split("\n")]
    with blocks_of(block):
        found = vecbleu.file_statistics(tmp_path / "text", tmp_path / "text")
    assert found.hyp_len.tolist() == expected


@pytest.fixture
def refused(tmp_path, blocks_of):
    """Read two files side by side in any blocks, either one first: an error names all of this."""
    good = write_lines(tmp_path / "good", ["a b", "c d", "e f"] * 2)

    def check(data, error, *named, name="wrong", **options):
        (tmp_path / name).write_bytes(data)
        for block in BLOCKS:
            for paths in ((tmp_path / name, good), (good, tmp_path / name)):
                with blocks_of(block), pytest.raises(error) as caught:
                    vecbleu.file_statistics(*paths, **options)
                assert all(text in str(caught.value) for text in named)

    return check


RETURNS = b"a b\rc d\re f\r"


def test_files_that_are_refused(refused):
    refused(RETURNS, ValueError, "wrong: 3 ")
    refused(gzip.compress(RETURNS), ValueError, "wrong.gz: 3 ", name="wrong.gz")
    refused(b"a\n" * 7, ValueError, "wrong has 7", "good has 6")
    refused(b"", ValueError, "wrong has 0", "good has 6")
    lines = b"a\nb\nbad\nc\nd\ne\n"
    split = {"tokenize": lambda s: s if s == "bad" else [s]}
    refused(lines, TypeError, "wrong: line 3", **split)
    refused(gzip.compress(b"a b c\n" * 1000)[:-12], ValueError, "bad.gz: ", "line ", name="bad.gz")
    refused(b"a\n", ValueError, "bad.gz: ", "line ", name="bad.gz")


@pytest.mark.parametrize("bad", [b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x82"])
def test_bytes_that_are_not_utf8(refused, bad):
    data = "é\n".encode() * 3 + b"abc" + bad + b"\nf\ng\n"
    refused(data, ValueError, "wrong: line 4 ", f"(0x{bad[0]:02x} at byte 4 ")


def test_missing_files_and_folders(tmp_path):
    good = write_lines(tmp_path / "good", ["a"])
    for path, error in ((tmp_path / "none", FileNotFoundError), (tmp_path, IsADirectoryError)):
        with pytest.raises(error, match=re.escape(str(path))):
            vecbleu.file_statistics(good, path)


def test_standard_input(tmp_path, monkeypatch):
    good = write_lines(tmp_path / "good", ["a b", "c"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\nd\n")))
    assert vecbleu.file_statistics("-", good).matches[:, 0].tolist() == [2, 0]
    with pytest.raises(ValueError, match="2 times"):
        vecbleu.file_statistics("-", ["-", good])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\rc d\r")))
    with pytest.raises(ValueError, match=r"^-: 2 "):
        vecbleu.file_statistics("-", good)


@pytest.mark.parametrize(("encoding", "data"), [("utf-16", None), ("utf-7", b"a b\nx+AAo")])
def test_encodings_of_the_command_line(tmp_path, capsys, encoding, data):
    """In the second, the decoder gives out a last newline, which ends no second line."""
    data = data or "a b\nc\n".encode(encoding)
    (tmp_path / "text").write_bytes(data)
    path = str(tmp_path / "text")
    assert vecbleu.cli.main([path, "-i", path, "-e", encoding, "-sl", "-b"]) == 0
    assert capsys.readouterr().out.split() == ["100.0"] * 2

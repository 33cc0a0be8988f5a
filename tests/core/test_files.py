from __future__ import annotations

import gzip
import io
import sys

import pytest
from corpora import write_lines
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
from vecbleu.core.files.reader import read_blocks
from vecbleu.core.files.sources import Source

# What a line of a file can hold: no newline, no lone surrogate.
lines = ugly_text.map(lambda s: s.replace("\n", " ").encode("utf-8", "replace").decode("utf-8"))
tables = st.lists(st.tuples(lines, lines, lines), max_size=12)


options = st.fixed_dictionaries(
    {"tokenize": st.sampled_from(["13a", "none", str.split, list]), "lowercase": st.booleans()}
)


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
    own, *others = map(str, paths)
    assert vecbleu.file_statistics(own, others, **options) == found


def test_only_newlines_end_lines(tmp_path):
    (tmp_path / "h").write_bytes("a\rb\u2028c\x85d\x0ce\r\nf\n".encode())
    assert vecbleu.file_statistics(tmp_path / "h", tmp_path / "h").hyp_len.tolist() == [5, 1]


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
@pytest.mark.parametrize("compress", [False, True])
def test_files_whose_lines_end_with_carriage_returns_are_refused(
    tmp_path, blocks_of, compress, block
):
    name = "wrong.gz" if compress else "wrong"
    wrong = write_lines(tmp_path / name, ["a b\rc d\re f\r"], False, compress)
    good = write_lines(tmp_path / "good", ["a b", "c d", "e f"])
    message = rf"{name}: 3 carriage returns and no newline make one line of it all; .*: tr '\\r'"
    for paths in ((wrong, good), (good, wrong), (wrong, wrong)):
        with blocks_of(block), pytest.raises(ValueError, match=message):
            vecbleu.file_statistics(*paths)
    text = "a b\rc d\re f".encode("utf-16")
    (tmp_path / name).write_bytes(gzip.compress(text) if compress else text)
    with pytest.raises(ValueError, match="2 carriage returns and no newline"):
        [*read_blocks([Source(wrong, 1, "utf-16")], block)]
    wrong.write_bytes(gzip.compress(b"") if compress else b"")
    assert len(vecbleu.file_statistics(wrong, wrong)) == 0


@pytest.mark.parametrize("data", [b"a\rb", b"a b\r", b"a\rb\rc\n", b"a\n\rb\r\rc", b"a\r\r\n"])
def test_carriage_returns_in_lines_are_white_space(tmp_path, blocks_of, data):
    path = tmp_path / "text"
    path.write_bytes(data)
    expected = [len(line.split()) for line in data.removesuffix(b"\n").split(b"\n")]
    for block in (1, 1 << 18):
        with blocks_of(block):
            assert vecbleu.file_statistics(path, path).hyp_len.tolist() == expected


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_different_numbers_of_lines(tmp_path, blocks_of, block):
    sizes = {"hyp": 5, "ref": 7, "ref2": 5}
    h, r, s = (write_lines(tmp_path / name, ["a"] * size) for name, size in sizes.items())
    for hypothesis, references, message in (
        (h, [r, s], "hyp has 5, .*ref has 7, .*ref2 has 5"),
        (r, h, "ref has 7, .*hyp has 5"),
    ):
        with blocks_of(block), pytest.raises(ValueError, match=message):
            vecbleu.file_statistics(hypothesis, references)


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
@pytest.mark.parametrize("bad", [b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x82"])
def test_bytes_that_are_not_utf8(tmp_path, blocks_of, block, bad):
    good = write_lines(tmp_path / "good", ["a"] * 6)
    wrong = tmp_path / "wrong"
    wrong.write_bytes("é\n".encode() * 3 + b"abc" + bad + b"\nf\ng\n")
    message = rf"wrong: line 4 is not UTF-8: .* \(0x{bad[0]:02x} at byte 4 of the line\)"
    for paths in ((good, wrong), (wrong, good)):
        with blocks_of(block), pytest.raises(ValueError, match=message):
            vecbleu.file_statistics(*paths)


DAMAGED = r"bad\.gz: damaged gzip data at or after line 1"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda whole: whole[:-12], ValueError, DAMAGED),
        (lambda whole: b"a\n", ValueError, DAMAGED),
        (lambda whole: whole[:-9] + b"x" * 9, ValueError, DAMAGED),
        (None, FileNotFoundError, r"bad\.gz"),
    ],
)
def test_damaged_and_missing_files(tmp_path, change, error, message):
    good, bad = write_lines(tmp_path / "good", ["a b c"] * 1000), tmp_path / "bad.gz"
    if change is not None:
        bad.write_bytes(change(gzip.compress(good.read_bytes())))
    with pytest.raises(error, match=message):
        vecbleu.file_statistics(good, bad)
    with pytest.raises(IsADirectoryError):
        vecbleu.file_statistics(good, tmp_path)
    with pytest.raises(ValueError, match="reference_paths is empty"):
        vecbleu.file_statistics(good, [])


def test_standard_input(tmp_path, monkeypatch):
    good = write_lines(tmp_path / "good", ["a b", "c"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\nd\n")))
    assert vecbleu.file_statistics("-", good).matches[:, 0].tolist() == [2, 0]
    with pytest.raises(ValueError, match="standard input is needed 2 times"):
        vecbleu.file_statistics("-", ["-", good])


def test_the_users_tokenizer_is_told_by_path_and_line(tmp_path, blocks_of):
    h = write_lines(tmp_path / "h", ["a", "b", "c"])
    r = write_lines(tmp_path / "r", ["a", "b", "bad"])
    message = r"r: line 3: tokenize returned str, expected a list"
    with blocks_of(4), pytest.raises(TypeError, match=message):
        vecbleu.file_statistics(h, r, tokenize=lambda s: s if s == "bad" else [s])


@pytest.mark.parametrize(("encoding", "data"), [("idna", b"a\nb\n"), ("utf-7", b"a b\nx+AAo")])
def test_a_newline_that_a_decoder_gives_out_last_ends_no_second_line(tmp_path, encoding, data):
    (tmp_path / "text").write_bytes(data)
    (block,) = read_blocks([Source(tmp_path / "text", 1, encoding)], 1000)
    assert block.text().strings() == data.decode(encoding).split("\n")[:-1]

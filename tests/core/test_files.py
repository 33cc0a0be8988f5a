"""Files count as their lines do, in any blocks; an error names file, line and byte."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zlib
from itertools import product

import command
import pytest
from conftest import ON_ARRAYS, blocks_of
from corpora import write_lines
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
from vecbleu.files.sources import OPENERS

pytestmark = ON_ARRAYS

# What a line of a file can hold: no newline, no lone surrogate.
lines = ugly_text.map(lambda s: s.replace("\n", " ").encode("utf-8", "replace").decode("utf-8"))
tables = st.lists(st.tuples(lines, lines, lines), max_size=12)
options = st.fixed_dictionaries(
    {"tokenize": st.sampled_from(["13a", "none", str.split, list]), "lowercase": st.booleans()}
)
BLOCKS = [1, 7, 1 << 18]


@given(tables, st.integers(1, 60), options, st.tuples(*[st.booleans()] * 6))
def test_files_give_what_lines_give(tmp_path_factory, table, block, options, flags):
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
def test_only_newlines_end_lines(tmp_path, data, block):
    (tmp_path / "text").write_bytes(data)
    expected = [len(line.split()) for line in data.decode().removesuffix("\n").split("\n")]
    with blocks_of(block):
        found = vecbleu.file_statistics(tmp_path / "text", tmp_path / "text")
    assert found.hyp_len.tolist() == expected


@pytest.fixture
def refused(tmp_path):
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
TEXT = "".join(f"line {n} {n**7}\n" for n in range(999)).encode()
FORMATS = {"xz": lzma.compress(TEXT), "bzip2": bz2.compress(TEXT), "gzip": gzip.compress(TEXT)}
FORMATS |= {"zstd": b"\x28\xb5\x2f\xfd\x04\x88", "Parquet": b"PAR1\x15\x04\x15\x90\x80"}


def test_unfit_files_are_refused(refused):
    refused(RETURNS, ValueError, "wrong: 3 ")
    refused(gzip.compress(RETURNS), ValueError, "wrong.gz: 3 ", name="wrong.gz")
    refused(b"a\n" * 7, ValueError, "wrong has 7", "good has 6")
    refused(b"", ValueError, "wrong has 0", "good has 6")
    split = {"tokenize": lambda s: s if s == "bad" else [s]}
    refused(b"a\nb\nbad\nc\nd\ne\n", TypeError, "wrong: line 3", **split)
    refused(gzip.compress(b"a b c\n" * 1000)[:-12], ValueError, "bad.gz: ", "line ", name="bad.gz")
    refused(b"a\n", ValueError, "bad.gz: ", "at or after line 1: ", name="bad.gz")
    for kind, data in FORMATS.items():
        refused(data, ValueError, f"wrong: looks like {kind};")
        # Within a text they are bytes that are wrong there.
        refused(b"a\n" + data[:3] + b"\xff\nb\n", ValueError, "wrong: line 2 is not UTF-8")


@pytest.mark.parametrize("block", [64, 1 << 18])
def test_damage_is_at_the_line_told_or_after_it(tmp_path, block):
    """All lines before it can be read; of small blocks, those that are read are counted."""
    path = tmp_path / "bad.gz"
    path.write_bytes(gzip.compress(TEXT)[:-200])
    readable = zlib.decompressobj(wbits=31).decompress(path.read_bytes())
    with blocks_of(block), pytest.raises(ValueError, match="damaged gzip data") as caught:
        vecbleu.file_statistics(path, path)
    line = int(re.search(r"at or after line (\d+)", str(caught.value))[1])
    assert line == (1 if block > len(TEXT) else readable.count(b"\n") + 1)


NOT_UTF8 = [b"\xff", b"\x80", b"\xc3a\xa9", b"\xc3\n\xa9", b"\xc0\xaf", b"\xe0\x80\xaf"]
NOT_UTF8 += [b"\xe2\x82", b"\xe2a\x82\xac", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80"]


@pytest.mark.parametrize("around", [b"", b"a" * 99, "é".encode() * 9], ids=len)
@pytest.mark.parametrize("bad", NOT_UTF8)
def test_bytes_that_are_not_utf8_are_refused(refused, bad, around):
    """Refused where Python refuses them, among few characters beyond ASCII and among many."""
    data = "é\n".encode() * 3 + around + bad + around + b"\nf\ng\n"
    with pytest.raises(UnicodeDecodeError) as caught:
        data.decode()
    start = caught.value.start
    line, column = data.count(b"\n", 0, start) + 1, start - data.rfind(b"\n", 0, start)
    refused(data, ValueError, f"wrong: line {line} ", f"(0x{data[start]:02x} at byte {column} ")


@pytest.mark.filterwarnings("always:.* begins with U")
def test_a_byte_order_mark_is_warned_of(tmp_path):
    """Once, and only at the beginning of a file that keeps it; the command names the file."""
    write_lines(tmp_path / "marked", ["\ufeffa b", "c"])
    write_lines(tmp_path / "plain", ["a b", "\ufeffc"])
    with blocks_of(1), pytest.warns(UserWarning, match=r"marked begins with U\+FEFF") as caught:
        vecbleu.file_statistics(tmp_path / "plain", tmp_path / "marked")
    assert [warning.filename for warning in caught] == [__file__]
    asked = "marked", "-i", "marked", "-sl"
    assert command.run(tmp_path, *asked).stderr.decode().count("marked begins with U") == 1
    assert command.run(tmp_path, *asked, "-e", "utf-8-sig").stderr == b""


def test_standard_input_is_read_as_a_file_and_once(tmp_path, monkeypatch):
    good = write_lines(tmp_path / "good", ["a b", "c"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\nd\n")))
    assert vecbleu.file_statistics("-", good).matches[:, 0].tolist() == [2, 0]
    with pytest.raises(ValueError, match="2 times"):
        vecbleu.file_statistics("-", ["-", good])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\rc d\r")))
    with pytest.raises(ValueError, match=r"^-: 2 "):
        vecbleu.file_statistics("-", good)


def test_lines_that_end_in_tabs_are_stripped(tmp_path):
    """Stripped on the right before they are cut at tabs, as by sacreBLEU."""
    write_lines(tmp_path / "h", ["a c", "d", "f h"])
    write_lines(tmp_path / "r", ["a b\tc\t", "d\te \t ", "f\tg\th\t"])
    write_lines(tmp_path / "bad", ["a b\tc", "d\t", "f\tg"])
    for block, asked in product(BLOCKS, (["r", "-nr", "2", "-i", "h"], ["h"])):
        system = {"stdin": b"a c\t\nd\t \nx\t\n"}  # for the second one
        expected, _ = command.run_sacrebleu(tmp_path, *asked, "-sl", "-b", **system)
        with blocks_of(block):
            found = command.run(tmp_path, *asked, "-sl", "-b", **system)
            assert command.lines(found) == expected.splitlines()
            refused = command.run(tmp_path, "bad", "-nr", "2", "-i", "h")
            assert "bad: line 2 " in command.error(refused)
            refused = command.run(tmp_path, "h", stdin=b"a\tb\nc\td\ne\n")
            assert "line 3 has 1 " in command.error(refused)


WORDS = ["naïve", "café", "日本語", "мир", "😀", "Straße", "one", "two"]
LINES = "".join(f"{' '.join(WORDS[n % 5 : n % 5 + n % 4])} {n % 7}\n" for n in range(20))
ENCODINGS = ["gb18030", "utf-16", "utf-16-le", "utf-32", "utf-7", "shift_jis", "iso2022_jp"]
ENCODED = [(encoding, LINES.encode(encoding, "replace")) for encoding in ENCODINGS]
ENCODED += product(["utf-8", "utf-8-sig"], [LINES.encode(), LINES.encode("utf-8-sig")])
ENCODED += [("utf-7", b"a b\nx+AAo")]  # its decoder's last newline ends no second line


@pytest.mark.parametrize(("encoding", "data"), ENCODED)
def test_encodings_of_the_command_line(tmp_path, encoding, data):
    """Files are read as by sacreBLEU, in any blocks; utf-8 keeps a mark at the beginning."""
    (tmp_path / "h").write_bytes(data)
    lines = data.decode(encoding).removeprefix("\ufeff").splitlines()
    (tmp_path / "r").write_bytes("".join(f"{line} x\n" for line in lines).encode(encoding))
    asked = ["r", "-i", "h", "-e", encoding, "-sl", "-b", "-w", "9"]
    expected, _ = command.run_sacrebleu(tmp_path, *asked)
    for block in BLOCKS:
        with blocks_of(block):
            assert command.lines(command.run(tmp_path, *asked)) == expected.splitlines()


NOT_DECODED = {"gb18030": b"\x81", "shift_jis": b"\x81", "utf-16": b"\0\xd8", "utf-7": b"+\xff"}
NOT_DECODED["utf-8-sig"] = b"\xff"


@pytest.mark.parametrize("encoding", NOT_DECODED)
def test_bytes_of_other_encodings_are_refused_in_a_line_and_at_the_end(tmp_path, encoding):
    good, newline = "a\nb\nc\n".encode(encoding), "\n".encode(encoding)
    for block, rest in product(BLOCKS, (b"", newline)):
        (tmp_path / "wrong").write_bytes(good + NOT_DECODED[encoding] + rest)
        with blocks_of(block):
            named = command.error(command.run(tmp_path, "wrong", "-i", "wrong", "-e", encoding))
        assert re.search(f"wrong: not {encoding} .* line 4:", named)


def test_a_format_is_an_ending_in_one_table(tmp_path, monkeypatch):
    monkeypatch.setitem(OPENERS, ".bz2", bz2.open)
    path = tmp_path / "hyp.bz2"
    path.write_bytes(bz2.compress(b"the cat\na dog\n"))
    reference = write_lines(tmp_path / "ref", ["the cat", "the dog"])
    assert vecbleu.file_statistics(path, reference).matches[:, 0].tolist() == [2, 1]

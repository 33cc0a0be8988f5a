"""Columns of tables give the numbers of text files, in every format and command."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
import tracemalloc
from functools import cache
from xml.sax.saxutils import escape

import pytest
from command import error, run, write_lines
from conftest import blocks_of
from corpora import noisy_systems
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
from vecbleu.files import lines, sources
from vecbleu.files.sources import FORMATS

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
openpyxl = pytest.importorskip("openpyxl")

SIZE = 14
REFERENCES, SYSTEMS = noisy_systems(2 * SIZE, [0.3, 0.5])
SYSTEMS = [[*map(str.strip, lines)] for lines in SYSTEMS]  # around a segment of XML it is layout
COLUMNS = {
    "src": [f"Satz {number}" for number in range(SIZE)],
    "ref:A": REFERENCES[:SIZE],
    "ref:B": REFERENCES[SIZE:],
    "hyp:A, 1": SYSTEMS[0][:SIZE],
    "hyp:B": [line or "x & <y>" for line in SYSTEMS[1][:SIZE]],
    "doc": [f"d{number // 3}" for number in range(SIZE)],
    "domain": [["news", "chat"][number // 3 % 2] for number in range(SIZE)],
}
RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


def separated(rows, delimiter=","):
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue().encode()


def json_lines(records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def arrow_data(columns, kind, rows=5):
    table = pa.table(columns)
    file = io.BytesIO()
    if kind == "parquet":
        pq.write_table(table, file, row_group_size=rows)
    else:
        new = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        with new(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=rows)
    return file.getvalue()


def workbook(rows, write_only=False):
    book = openpyxl.Workbook(write_only=write_only)
    sheet = book.create_sheet() if write_only else book.active
    for row in rows:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def wmt_xml(records=RECORDS):
    """As WMT's since 2021: documents, in which each side has all segments."""
    parts = ['<?xml version="1.0" encoding="utf-8"?>', '<dataset id="test"><collection id="g">']
    for name in dict.fromkeys(record["doc"] for record in records):
        rows = [record for record in records if record["doc"] == name]
        parts.append(f'<doc origlang="en" id="{name}" domain="{rows[0]["domain"]}">')
        for side in records[0]:
            tag, _, maker = side.partition(":")
            if tag in ("src", "ref", "hyp"):
                key = {"ref": "translator", "hyp": "system"}.get(tag, "lang")
                parts.append(f'<{tag} {key}="{maker}" lang="de"><p>' if maker else f"<{tag}><p>")
                for number, row in enumerate(rows, 1):
                    parts.append(f'<seg id="{number}">{escape(row[side])}\n</seg>')
                parts.append(f"</p></{tag}>")
        parts.append("</doc>")
    return "\n".join([*parts, "</collection></dataset>"]).encode()


def wmt_sgml(texts, docs):
    """As WMT's until 2020: a file for each side."""
    parts = ['<refset setid="test" srclang="any" trglang="de">']
    for number, (text, name) in enumerate(zip(texts, docs, strict=True)):
        if number % 3 == 0:
            parts.append(f'<DOC sysid="ref" docid="{name}" genre="news">\n<p>')
        parts.append(f'<seg id="{number % 3 + 1}">\n{escape(text)} </seg>')
        if number % 3 == 2:
            parts.append("</p></DOC>")
    return "\n".join(parts).encode()


ROWS = [list(COLUMNS), *zip(*COLUMNS.values(), strict=True)]
WHOLE = {
    "csv": separated(ROWS),
    "tsv": separated(ROWS, "\t"),
    "csv.gz": gzip.compress(separated(ROWS)),
    "jsonl": json_lines(RECORDS),
    "ndjson": json_lines(RECORDS),
    "jsonl.gz": gzip.compress(json_lines(RECORDS)),
    "parquet": arrow_data(COLUMNS, "parquet"),
    "arrow": arrow_data(COLUMNS, "stream"),
    "feather": arrow_data(COLUMNS, "file"),
    "xlsx": workbook(ROWS),
    "xml": wmt_xml(),
    "xml.gz": gzip.compress(wmt_xml()),
}
COMMANDS = {
    "score": "{ref:A} {ref:B} -i {hyp:A, 1} --names A --json --labels {domain}",
    "metrics": "{ref:A} -i {hyp:A, 1} {hyp:B} --json -m bleu chrf --names A B --chrf-whitespace",
    "rank": "rank {ref:A} -i {hyp:A, 1} {hyp:B} --names A B --documents {doc} --test randomization",
    "compare": "compare {ref:A} {ref:B} -i {hyp:A, 1} {hyp:B} --names A B --source {src} --json",
    "explain": "explain {ref:A} {ref:B} -i {hyp:B} --line 11 --names B",
    "report": "report {ref:A} -i {hyp:A, 1} {hyp:B} --names A B --source {src} --title X -o o.html",
    "stats": "stats {ref:A} {ref:B} -i {hyp:B} -o o.npz",
    "mbr": "mbr {ref:A} -p 1 -i {hyp:B} -n 1 --scores",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    write_lines(folder, {f"text {name}": column for name, column in COLUMNS.items()})
    for ending, data in WHOLE.items():
        (folder / f"data.{ending}").write_bytes(data)
    for name, texts in COLUMNS.items():
        (folder / f"{name}.sgm").write_bytes(wmt_sgml(texts, COLUMNS["doc"]))
    return folder


@cache
def outcome(folder, command, *paths):
    """What a command prints and writes, given the path of each column."""
    names = dict(zip(COLUMNS, paths, strict=True))
    words = [names.get(word.strip("{}"), word) for word in words_of(COMMANDS[command])]
    done = run(folder, *words)
    assert done.returncode == 0, done.stderr
    written = b""
    for path in folder.glob("o.*"):
        written = (
            repr(vecbleu.Statistics.load(path).array.tolist())
            if "npz" in path.name
            else path.read_bytes()
        )
        path.unlink()
    return done.stdout, written


def words_of(command):
    """The words of a command; names in braces may have spaces."""
    return next(csv.reader([command.replace("{", '"{').replace("}", '}"')], delimiter=" "))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("ending", [*WHOLE, "sgm"])
def test_every_format_gives_the_numbers_of_text_files(folder, ending, command):
    expected = outcome(folder, command, *(f"text {name}" for name in COLUMNS))
    paths = [f"data.{ending}#{name}" for name in COLUMNS]
    if ending == "sgm":
        paths = [f"{name}.sgm#seg" for name in COLUMNS]
        paths[list(COLUMNS).index("doc")] = "src.sgm#doc"
    assert outcome(folder, command, *paths) == expected


def test_every_ending_is_in_the_table_of_formats_and_commands():
    assert {ending.removesuffix(".gz") for ending in WHOLE} | {"sgm", "sgml"} == set(FORMATS)


@pytest.mark.parametrize("ending", [*WHOLE, "sgm"])
def test_a_table_without_a_column_is_an_error_that_lists_them(folder, ending):
    name = "src.sgm" if ending == "sgm" else f"data.{ending}"
    columns = ["seg", "doc"] if ending == "sgm" else list(COLUMNS)
    for words in ([name, "-i", "text hyp:B"], ["text ref:A", "-i", f"{name}#"]):
        message = error(run(folder, *words))
        assert f"'{name}#COLUMN'" in message
        assert all(repr(column) in message for column in columns)
    message = error(run(folder, "text ref:A", "-i", f"{name}#nope"))
    assert all(repr(column) in message for column in ["nope", *columns])


def test_a_table_is_read_once_and_side_by_side_with_text(folder, monkeypatch):
    opened = []
    opener = lines.open_stream
    monkeypatch.setattr(lines, "open_stream", lambda name: opened.append(name) or opener(name))
    done = run(folder, "data.csv#ref:A", "text ref:B", "-i", "data.csv#hyp:B", "text hyp:B")
    assert b"data.csv" not in done.stdout
    assert sorted(opened) == ["data.csv", "text hyp:B", "text ref:B"]
    rows = [line.split() for line in done.stdout.decode().splitlines()[-2:]]
    assert rows[0][-1] == rows[1][-1]


def test_standard_input_is_a_table_of_the_named_format(folder):
    words = "-#ref:A", "-#ref:B", "-i", "-#hyp:B", "-b", "-w", "9", "--table-format"
    expected = run(folder, "text ref:A", "text ref:B", "-i", "text hyp:B", "-b", "-w", "9").stdout
    for name in ("csv", "tsv", "jsonl", "xlsx", "xml", "arrow"):
        assert run(folder, *words, name, stdin=WHOLE[name]).stdout == expected, name
    # A pipe can be read once; labels are read after the texts.
    labels = "--labels", "-#domain"
    message = error(run(folder, *words[:4], *words[-1:], "csv", *labels, stdin=WHOLE["csv"]))
    assert "2 times" in message
    assert "--table-format" in error(run(folder, *words[:-1], stdin=WHOLE["csv"]))
    assert "--table-format" in error(run(folder, "text src", "-i", "text src", *words[-1:], "csv"))
    (folder / "other").write_bytes(WHOLE["jsonl"])
    other = [word.replace("-#", "other#") for word in words]
    assert run(folder, *other, "jsonl").stdout == expected


def test_a_file_of_the_whole_name_wins(tmp_path):
    (tmp_path / "data.csv").write_bytes(b"a,b\nx y,1\n")
    (tmp_path / "data.csv#b").write_bytes(b"x y z\n")
    (tmp_path / "in#side.csv").write_bytes(b"a#1,b\nx y z v,1\n")
    found = {
        name: vecbleu.file_statistics(tmp_path / name, tmp_path / name).hyp_len.tolist()
        for name in ("data.csv#a", "data.csv#b", "in#side.csv#a#1")
    }
    assert [*found.values()] == [[2], [3], [4]]


def test_the_longest_name_of_a_file_counts(tmp_path):
    (tmp_path / "in").write_bytes(b"x\n")
    (tmp_path / "in#side.csv").write_bytes(b"a,b\nx y z v,1\n")
    path = tmp_path / "in#side.csv#a"
    assert vecbleu.file_statistics(path, path).hyp_len.tolist() == [4]


def test_the_last_reference_may_be_empty(tmp_path):
    rows = [{"h": "a b", "r": ["a b", ""]}, {"h": "c", "r": ["", ""]}]
    (tmp_path / "t.jsonl").write_bytes(json_lines(rows))
    found = vecbleu.file_statistics(tmp_path / "t.jsonl#h", tmp_path / "t.jsonl#r")
    assert found == vecbleu.statistics(["a b", "c"], [["a b", ""], ["", ""]])


@pytest.mark.parametrize("name", ["parquet", "arrow", "feather", "xlsx", "csv"])
def test_a_pipe_is_a_table(folder, name):
    """Some formats are read from their end."""
    words = ["-#ref:A", "-i", "-#hyp:B", "-b", "-w", "9", "--table-format"]
    program = [sys.executable, "-m", "vecbleu", *words, name]
    done = subprocess.run(program, input=WHOLE[name], capture_output=True, cwd=folder)
    assert done.stdout == run(folder, "text ref:A", "-i", "text hyp:B", "-b", "-w", "9").stdout


def test_lines_with_tabs_may_be_in_a_tsv(tmp_path):
    write_lines(tmp_path, {"r.tsv": ["a b\tc", "d\te"], "s": ["a b", "d"], "l.tsv": ["x\ty"] * 2})
    done = run(tmp_path, "r.tsv", "-nr", "2", "-i", "s", "--labels", "l.tsv")
    assert (done.returncode, done.stdout.count(b"BLEU by label")) == (0, 2)
    assert "r.tsv#COLUMN" in error(run(tmp_path, "r.tsv", "-i", "s"))


REFUSED_LISTS = [
    [["a"], ["b", "c"]],
    [[], ["a"]],
    [["a", "b"], None],
    [["a", ["b", "c"]]],
    [["a", []]],
    [["a", {}]],
]


def test_lists_are_several_references(tmp_path):
    references = [["a b", "a c"], ["d", "e"]]
    cells = [["a b", "a\tc"], ["d", "e"]]
    records = [{"h": one[0], "r": [None, *one], "n": {"r": one}} for one in cells]
    (tmp_path / "t.jsonl").write_bytes(json_lines(records))
    (tmp_path / "t.parquet").write_bytes(
        arrow_data({"n": [{"r": one, "s": 1} for one in cells]}, "parquet")
    )
    expected = vecbleu.statistics(["a b", "d"], references)
    for path in ("t.jsonl#r", "t.jsonl#n.r", "t.parquet#n.r"):
        found = vecbleu.file_statistics(tmp_path / "t.jsonl#h", tmp_path / path)
        assert found == expected
        assert found.reference_hashes.tolist() == expected.reference_hashes.tolist()
        done = run(tmp_path, path, "-i", "t.jsonl#h")
        assert done.stdout == run(tmp_path, path, "-nr", "2", "-i", "t.jsonl#h").stdout
        assert b"nrefs:2" in done.stdout
    assert "-nr" in error(run(tmp_path, "t.jsonl#r", "t.jsonl#h", "-i", "t.jsonl#h"))
    assert "2 texts, expected 3" in error(run(tmp_path, "t.jsonl#r", "-nr", "3", "-i", "t.jsonl#h"))
    for lists in REFUSED_LISTS:
        (tmp_path / "bad.jsonl").write_bytes(json_lines({"h": "x", "r": row} for row in lists))
        with pytest.raises(ValueError, match=r"data row [12], column 'r' "):
            vecbleu.file_statistics(tmp_path / "bad.jsonl#h", tmp_path / "bad.jsonl#r")


cells = st.one_of(ugly_text, st.sampled_from(["", ",", '"', "a\nb", "\r\n", "\t", "x" * 99]))


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=9), st.sampled_from([1, 7, 1 << 18]))
def test_any_text_is_read_as_it_was_written(tmp_path_factory, table, block):
    folder = tmp_path_factory.mktemp("ugly")
    rows = [[cell.encode("utf-8", "replace").decode() for cell in row] for row in table]
    hypotheses, references = ([*column] for column in zip(*rows, strict=True))
    shown = [[cell.replace("\n", " ") for cell in column] for column in (hypotheses, references)]
    expected = vecbleu.statistics(*shown, tokenize="none")
    columns = {"h": hypotheses, "r": references}
    written = {
        "csv": separated([["h", "r"], *rows]),
        "tsv.gz": gzip.compress(separated([["h", "r"], *rows], "\t")),
        "jsonl": json_lines(dict(zip("hr", row, strict=True)) for row in rows),
        "parquet": arrow_data(columns, "parquet"),
        "arrow": arrow_data(columns, "file"),
    }
    for ending, data in written.items():
        (folder / f"t.{ending}").write_bytes(data)
        with blocks_of(block):
            paths = (folder / f"t.{ending}#{name}" for name in "hr")
            found = vecbleu.file_statistics(*paths, tokenize="none")
        assert found.array.tolist() == expected.array.tolist(), ending
        assert found.reference_hashes.tolist() == expected.reference_hashes.tolist(), ending


WIDE = [f"c{number}" for number in range(10_000)]
LONG = "x" * 140_000
XML = '<x><doc id="d"><src><seg id="1">{}</seg></src></doc></x>'
DOC = '<doc id="{0}"><{1}><seg id="1">x</seg></{1}></doc>'
BOMB = '<!DOCTYPE x [<!ENTITY a "{}">]>'.format("a" * 99)
EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
TABLE = b"a,b\nx y,1\n"


def shortened(value):
    return repr(value)[:40]


# Texts that a table has in a column.
READ = [
    ("t.csv", b'a,b\n"x\ny",1\n', "a", ["x y"]),
    ("t.csv", b'a,b\n"x ""q"" , y",1\n', "a", ['x "q" , y']),
    ("t.csv", b'b,"a\n1"\n1,"x"\n', "a\n1", ["x"]),
    ("t.csv", b"a,b\nx\0y,1\n", "a", ["x\0y"]),
    ("t.csv", b"a,b\n,1\n x ,2\n", "a", ["", " x "]),
    ("t.csv", b"\xef\xbb\xbfa,b\nx,1\n", "a", ["x"]),
    ("t.csv", b"a,b\nx,1\n\xef\xbb\xbfy,2\n", "a", ["x", "\ufeffy"]),
    ("t.csv", b"\r\na,b\r\nx,1\r\n\r\ny,2\r\n\r\n", "a", ["x", "y"]),
    ("t.csv", b"a\nx\n\ny", "a", ["x", "", "y"]),
    ("t.csv", b"a,b\nx,1\ry,2\n", "a", ["x", "y"]),
    ("t.csv", ",".join(WIDE).encode() + b"\n" + b",".join([b"x y"] * 10_000), "c777", ["x y"]),
    ("t.csv", b"\n\na!\nx\n", "1", ["", "", "a!", "x"]),
    ("t.csv", b"a,b\n", "a", []),
    ("T.CSV.GZ", gzip.compress(TABLE), "a", ["x y"]),
    ("t.csv", b"a,b\n\n\r\n", "a", []),
    ("T.CSV.gz", gzip.compress(TABLE), "a", ["x y"]),
    ("t.csv", b"1,2\nx,y\n", "2", ["y"]),
    ("t.tsv", b"It is late.\tone\nx\t2\n", "1", ["It is late.", "x"]),
    (
        "t.jsonl",
        b'\xef\xbb\xbf{"a":"x"}\r\n{"a":"\\u00e9\\ny\\u2028z"}',
        "a",
        ["x", "\xe9 y\u2028z"],
    ),
    ("t.jsonl", b'{"a.b":"x","a":{"c":{"d":2.50}}}\n', "a.b", ["x"]),
    ("t.jsonl", b'{"a.b":"x","a":{"c":{"d":2.50}}}\n', "a.c.d", ["2.50"]),
    ("t.jsonl", b'{"a":"x"}\n{"b":1,"a":-7}\n{"a":-0}\n', "a", ["x", "-7", "-0"]),
    ("t.xml", XML.format(" &lt;b&gt; &#233; <i>z</i>\n").encode(), "src", ["<b> \xe9 z"]),
    ("t.xml", XML.format("x").replace("<doc", "<doc/><doc e='1'").encode(), "e", ["1"]),
    (
        "t.sgm",
        b"<DOC docid='d'>\n<SEG id=1>a &amp; R&D\nz &#233;</SEG><seg>b</seg>",
        "seg",
        ["a & R&D z \xe9", "b"],
    ),
    ("t.sgm", b"<seg id=1/><!-- <seg>n</seg>\n --><seg>b</seg>", "seg", ["", "b"]),
    ("t.sgm", b"<seg>a</seg><!-- <seg>n</seg>\n<!-- -->", "seg", ["a"]),
    ("t.sgm", b"<!-- <seg>n</seg>\n --><seg>b</seg>", "seg", ["b"]),
    ("t.sgm", b"<!----><seg>a</seg><!--<seg>n</seg>\n--><seg>b</seg>", "seg", ["a", "b"]),
    ("t.sgm", b"<doc " * 20_000 + b"><seg>a</seg>", "seg", ["a"]),
    ("t.sgm", b"<doc sysid=r docid=d >\n<seg></seg><doc docid=e><seg>b</seg>", "doc", ["d ", "e"]),
    (
        "t.xlsx",
        workbook([["a", None], ["x\ny", 1], [None, None], [None, 2], [3.5, 4]]),
        "a",
        ["x y", "", "3.5"],
    ),
    ("t.xlsx", workbook([["a", "b"], ["x", 1], ["y", 0]], write_only=True), "b", ["1", "0"]),
]

# What errors of tables say.
REFUSED = [
    ("t.csv", b'a,b\n1,2\n"x"y,1\n', "a", "line 3: "),
    ("t.csv", b'a,b\n1,2\n"x,1\ny,2\n', "a", "line 4: unexpected end"),
    ("t.csv", b"a,b\nx,1\n\ny\n", "a", "data row 2 has 1 cells, expected 2"),
    ("t.csv", b"a,b\nx,1\ny,1,2\n", "a", "data row 2 has 3 cells, expected 2"),
    ("t.csv", b"a,b\n" + b"x,1\n" * 5000 + b"y\n", "a", "data row 5001 has 1 cells, expected 2"),
    ("t.csv", f"a,b\nx,1\n{LONG},1\n".encode(), "a", "line 3: field larger than field limit"),
    ("t.csv", b"a,b,a\nx,1,2\n", "a", "has 2 columns 'a'"),
    ("t.csv", b"a;b\nx;y\n", "a", "'a;b'"),
    ("t.csv", TABLE.decode().encode("utf-16"), "a", "line 1 is not UTF-8"),
    ("t.csv", TABLE * 9 + b"\xff,\n", "a", "line 19 is not UTF-8"),
    ("t.csv", b"a,b\rx,1\ry,2\r", "a", "carriage returns"),
    ("t.csv", b"", "a", "has 0 columns 'a'"),
    ("t.csv", b"x!,y\n", "3", "'1', '2'"),
    ("t.csv", ",".join(WIDE).encode(), "d", "'c1', 'c2'"),
    ("t.csv", gzip.compress(TABLE), "a", "looks like gzip"),
    ("t.csv.gz", gzip.compress(TABLE * 999)[:-9], "a", "damaged gzip data"),
    ("t.csv.gz", TABLE, "a", "damaged gzip data"),
    ("t.jsonl", b'{"a":"x"}\n{"a":null}\n', "a", "data row 2, column 'a' is null"),
    ("t.jsonl", b'{"a":"x"}\n{"b":"y"}\n', "a", "data row 2, column 'a' is null"),
    ("t.jsonl", b'{"a":{"b":"x"}}\n{"a":"y"}\n', "a.b", "data row 2, column 'a.b' is null"),
    ("t.jsonl", b'{"a":NaN}\n', "a", "line 1 is no object of JSON: NaN"),
    ("t.jsonl", b'{"a":"x"}\n{"a":"x","b":"","a":"y"}\n', "a", "line 2 is no object of JSON"),
    ("t.jsonl", b'{"a":true}\n', "a", "data row 1, column 'a' is True"),
    ("t.jsonl", b'{"a":"x"}\n\n', "a", "line 2 is no object of JSON"),
    ("t.jsonl", b'{"a":"x"}\n{"a":"x"', "a", "line 2 is no object of JSON"),
    ("t.jsonl", b'{"a":"x"}\n["x"]\n', "a", "line 2 is no object of JSON"),
    ("t.jsonl", b'{"a":' * 100_000, "a", "line 1 is no object of JSON"),
    ("t.jsonl", b'{"a":"x"}\n{"a":"x\\n\\ud800"}', "a", "data row 2, column 'a' has '\\ud800'"),
    ("t.jsonl", b'{"a":["x"]}\n' * 3 + b'{"a":["\\ud800"]}', "a", "data row 4, column 'a' has"),
    ("t.jsonl", b"{}\n", "a", "has 0 columns 'a'"),
    ("t.xml", (BOMB + XML.format("&a;")).encode(), "src", "DOCTYPE"),
    ("t.xml", (EXTERNAL + XML.format("&a;")).encode(), "src", "DOCTYPE"),
    ("t.xml", XML.format("&a;").encode(), "src", "is not XML: undefined entity"),
    ("t.xml", XML.format("x").encode()[:-9], "src", "is not XML"),
    ("t.xml", XML.format('x</seg><seg id="1">y').encode(), "src", "segment 1 of src twice"),
    (
        "t.xml",
        XML.format("x</seg></src><ref><seg>y").encode().replace(b"</src></doc>", b"</ref></doc>"),
        "src",
        "data row 2, column 'src' is null",
    ),
    ("t.sgm", b"<seg>a</seg><seg>b", "seg", "ends within a segment"),
    ("t.sgm", b"<doc docid=d><seg>a\n<seg>b</seg>", "seg", "document 'd' has no end: a"),
    ("t.sgm", b"<seg>a</seg>", "doc", "data row 1, column 'doc' is null"),
    ("t.parquet", WHOLE["parquet"][:-99], "src", "is damaged, or not parquet"),
    ("t.parquet", WHOLE["feather"], "src", "is damaged, or not parquet"),
    (
        "t.parquet",
        arrow_data({"a": ["x"] * 9 + [None]}, "parquet"),
        "a",
        "data row 10, column 'a' is null",
    ),
    ("t.parquet", arrow_data({"a": [b"x"]}, "parquet"), "a", "data row 1, column 'a' is b'x'"),
    ("t.arrow", WHOLE["feather"][:-99], "src", "is damaged, or not arrow"),
    ("t.arrow", WHOLE["arrow"][:-999], "src", "is damaged, or not arrow"),
    ("t.arrow", b"", "src", "is damaged, or not arrow"),
    ("t.xlsx", WHOLE["xlsx"][:-99], "src", "is damaged, or not xlsx"),
    ("t.xlsx", b"", "src", "is damaged, or not xlsx"),
    ("t.txt", TABLE, "a", "write --table-format"),
]


@pytest.mark.parametrize(("name", "data", "column", "texts"), READ, ids=shortened)
def test_hostile_tables_are_read(tmp_path, name, data, column, texts):
    (tmp_path / name).write_bytes(data)
    expected = vecbleu.statistics(texts, texts, tokenize="none")
    for block in (1, 7, 1 << 18):
        with blocks_of(block):
            path = tmp_path / f"{name}#{column}"
            found = vecbleu.file_statistics(path, path, tokenize="none")
        assert found.array.tolist() == expected.array.tolist()
        assert found.reference_hashes.tolist() == expected.reference_hashes.tolist()


@pytest.mark.parametrize(("name", "data", "column", "named"), REFUSED, ids=shortened)
def test_hostile_tables_are_refused(tmp_path, name, data, column, named):
    (tmp_path / name).write_bytes(data)
    for block in (7, 1 << 18):
        path = tmp_path / f"{name}#{column}"
        with blocks_of(block), pytest.raises(ValueError, match=name) as caught:
            vecbleu.file_statistics(path, path)
        assert named in str(caught.value)


def test_numbers_of_which_some_are_texts_are_no_names(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"1,x y z\n2,x y\n")
    stats = vecbleu.file_statistics(tmp_path / "t.csv#1", tmp_path / "t.csv#2")
    assert (stats.hyp_len.tolist(), stats.ref_len.tolist()) == ([1, 1], [3, 2])


def test_names_that_are_read_as_texts_are_warned_of(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"id,system A\n1,x y\n")
    with pytest.warns(vecbleu.InputWarning, match="without names"):
        vecbleu.file_statistics(tmp_path / "t.csv#2", tmp_path / "t.csv#2")


def test_another_encoding(tmp_path):
    (tmp_path / "t.csv").write_bytes("a,b\nx \xe9,1\n".encode("utf-16"))
    (tmp_path / "t.xml").write_bytes(XML.format("x \xe9").encode("utf-16"))
    done = run(tmp_path, "t.csv#a", "-i", "t.xml#src", "-e", "utf-16", "-b")
    assert (
        done.stdout == run(tmp_path, "t.csv#a", "-i", "t.csv#a", "-e", "utf-16", "-b").stdout != b""
    )


@pytest.mark.parametrize("name", ["parquet", "xlsx"])
def test_a_missing_package_is_named(folder, name, monkeypatch):
    for module in ("pyarrow", "openpyxl"):
        monkeypatch.setitem(sys.modules, module, None)
    message = error(run(folder, f"data.{name}#src", "-i", f"data.{name}#src"))
    assert 'pip install "vecbleu[tables]"' in message


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
def test_large_tables_take_constant_memory(tmp_path, ending):
    def peak(rows):
        columns = {"a": ['a "cat", and a dog, sat on the mat'] * rows, "b": ["the cat sat"] * rows}
        if ending == "csv":
            data = separated([list(columns), *zip(*columns.values(), strict=True)])
        elif ending == "jsonl":
            data = json_lines({name: columns[name][0] for name in columns} for _ in range(rows))
        else:
            data = arrow_data(columns, ending, 5000)
        (tmp_path / f"t.{ending}").write_bytes(data)
        tracemalloc.start()
        for _ in lines.read_lines([sources.Source(tmp_path / f"t.{ending}#a")]):
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1_000)
    assert peak(60_000) < 1.5 * peak(20_000)

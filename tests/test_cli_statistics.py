from __future__ import annotations

import os
import re

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, write_lines

import vecbleu


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("statistics")
    tabbed = [f"{one}\t{one.lower()}" for one in REFERENCES]
    texts = {"r": REFERENCES, "two": tabbed, "short": ["a", "b"], "empty": [], "empty.too": []}
    write_lines(folder, SYSTEMS | texts)
    for name in SYSTEMS:
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
        lines(
            run(folder, "stats", "r", "-i", name, "-lc", "-tok", "char", "-o", f"{name}.char.npz")
        )
    (folder / "not.npz").write_text("text")
    vecbleu.Statistics.load(folder / "h.npz").sum().save(folder / "sum.npz")
    table = vecbleu.file_statistics(folder / "h", folder / "r", max_order=2, ref_length="longest")
    table.save(folder / "longest.npz")
    vecbleu.Statistics(table.array).save(folder / "unknown.npz")
    return folder


@pytest.mark.parametrize(
    ("options", "systems"),
    [
        ("", "h"),
        ("-f json", "h"),
        ("-sl -w 4", "h"),
        ("-s floor -sv 0.2 -b", "t"),
        ("-ci", "h"),
        ("-ci -f json", "t"),
        ("", "h s t"),
        ("-f latex", "h s"),
        ("-pbs -f json", "h s t"),
        ("-par -parn 100", "h s t"),
    ],
)
def test_statistics_take_the_place_of_text(folder, options, systems):
    names = systems.split()
    expected = [*map(without_widths, lines(run(folder, "r", "-i", *names, *options.split())))]
    statistics = [f"{name}.npz" for name in names]
    given = [["-i", *statistics], ["r", "-i", *statistics], ["r", "-i", names[0], *statistics[1:]]]
    for arguments in given:  # references may stay where text was
        printed = lines(run(folder, *arguments, *options.split()))
        assert [*map(without_widths, printed)] == expected


def without_widths(line):
    """A line of a table that is as wide as the names of files in it."""
    return re.sub("[ ═─]+", "", line.replace(".npz", ""))


def test_names_of_files_stay_on_one_line(folder):
    (folder / "a\n\rb.npz").write_text("x")
    line = error(run(folder, "stats", "h", "-i", "a\n\rb.npz", "-o", "x.npz"))
    assert "a\\n\\rb.npz is counted already" in line


def test_json_of_statistics_is_that_of_text(folder):
    tested = run_json(folder, "-i", "h.npz", "s.npz", "-pbs")["systems"]
    text = run_json(folder, "r", "-i", "h", "s")
    assert [one["score"] for one in tested] == [one["score"] for one in text]
    for arguments in (["r", "-i", "h", "s.npz"], ["-i", "h.npz", "s.npz"]):
        for one, other in zip(run_json(folder, *arguments), text, strict=True):
            for key in ("score", "signature", "matches", "totals", "hyp_len", "ref_len"):
                assert one[key] == other[key]


def test_files_say_how_they_were_counted(folder):
    (line,) = lines(run(folder, "-i", "h.char.npz"))
    assert line.startswith("BLEU|nrefs:1|case:lc|eff:no|tok:char|smooth:exp|version:")
    (line,) = lines(run(folder, "-i", "longest.npz"))
    assert "|smooth:exp|max_order:2|ref_length:longest|version:" in line
    (line,) = lines(run(folder, "-i", "unknown.npz"))
    assert line.startswith("BLEU|eff:no|smooth:exp|max_order:2|version:")


A_SUM = "sum.npz is the sum of all segments"
OF_ROWS = ["-i sum.npz -ci", "-i sum.npz -sl", "-i sum.npz h.npz -par", "compare -i sum.npz h.npz"]


def test_a_sum_is_a_single_row(folder):
    assert lines(run(folder, "-i", "sum.npz", "-b")) == lines(run(folder, "-i", "h.npz", "-b"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-i h.npz -tok char", "h.npz has tokenize '13a' but the command line has 'char': they"),
        ("-i h.npz -l en-zh", "h.npz has tokenize '13a' but the command line has 'zh'"),
        ("-i h.npz -lc", "h.npz has lowercase False but the command line has True"),
        ("-i h.npz --max-order 2", "h.npz has max_order 4 but the command line has 2"),
        ("r -i s h.char.npz", "h.char.npz has tokenize 'char' but the command line has '13a'"),
        ("r r -i s h.npz", "h.npz has references 1 but the command line has 2"),
        ("-i h.npz s.char.npz", "s.char.npz has tokenize 'char' but h.npz has '13a'"),
        ("r r -i h.npz", "h.npz has references 1 but the command line has 2"),
        ("short -i h.npz", "h.npz has 4 segments but short has 2"),
        ("-i h.npz -nr 2", "--num-refs is for a file of references, and there is none"),
        ("h.npz -i h", "h.npz is a file of statistics, which can't be references"),
        ("-i unknown.npz -tok nonsense", "--tokenize is 'nonsense', expected one of"),
        *((command, f"{A_SUM}, expected a row for each") for command in [*OF_ROWS, "r -i sum.npz"]),
        ("-i h.npz -ci -cin 99999999999", "--resamples is 99999999999, expected 1 to 2147483648"),
        ("stats -i sum.npz h.npz -o x.npz", A_SUM),
        ("stats -i h.npz h.npz -o x.npz", "a part is given twice"),
        ("stats -i h.npz s.npz -o ./h.npz", "the output './h.npz' is one of the files that are"),
        ("stats -i h.npz s.npz -nr 5 -o x.npz", "--num-refs is for a file of references"),
        ("stats -i h.npz s.npz --max-order 2 -o x.npz", "--max-order is for text; parts are"),
        ("compare h.npz -i h s", "h.npz is a file of statistics, which can't be references"),
        ("compare r -i h s --labels h.npz", "h.npz: line 1 is not UTF-8"),
        ("short -i short h.npz", "h.npz has 4 segments but short has 2"),
        ("short -i short h.npz -pbs", "h.npz has 4 segments but short has 2"),
        ("-i none.npz", "none.npz: No such file or directory"),
        ("-i not.npz", "not.npz: damaged statistics, or none: "),
        ("stats r -i h -o x", "the output 'x' does not end in .npz"),
        ("stats -i h -o x.npz", "no references; write: vecbleu stats REF"),
        ("stats r -i h.npz -o x.npz", "h.npz is counted already; parts need no references"),
        (
            "stats -i h.npz s.char.npz -o x.npz",
            "s.char.npz has tokenize 'char' but h.npz has '13a'",
        ),
        ("stats -i h.npz s.npz -lc -o x.npz", "--lowercase is for text; parts are counted"),
        ("stats r -i h -o no/x.npz", "no/x.npz: No such file or directory"),
        (
            "stats short -i h -o x.npz",
            "different numbers of lines: h has 4, short has 2; line 3 of h",
        ),
        ("compare -i h s", "no references; write: vecbleu compare REF"),
        ("compare r -i h", "1 system behind -i, expected 2 at least"),
        ("compare r -i h -", "- is read twice, which a stream can't be"),
        (f"compare r -i h {os.devnull}", f"{os.devnull} is read twice"),
        ("compare r -i h h", "'h' is given twice as a system"),
        ("compare r -i h s --segments -1", "argument --segments: -1, expected at least 0"),
        ("compare r -i h s --labels short", "short has 2 lines but h has 4 segments"),
        ("compare r -i h s --edges 3 2", "edges is [3, 2], expected lengths that increase"),
        ("compare -i h.npz s.char.npz", "s.char.npz has tokenize 'char' but h.npz has '13a'"),
        ("compare empty -i empty none", "none: No such file or directory"),
        ("compare empty -i empty empty.too", "there are no segments to compare"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(folder, arguments, message):
    line = error(run(folder, *arguments.split()))
    assert message in line
    assert not (folder / "x.npz").exists()


@pytest.mark.parametrize("options", [{}, {"tokenize": "char", "lowercase": True, "max_order": 2}])
def test_stats_writes_what_python_counts(folder, options):
    arguments = ["-tok", "char", "-lc", "--max-order", "2"] if options else []
    (line,) = lines(run(folder, "stats", "two", "-i", "h", "-nr", "2", "-o", "out.npz", *arguments))
    references = [[one, one.lower()] for one in REFERENCES]
    expected = vecbleu.statistics(SYSTEMS["h"], references, **options)
    written = vecbleu.Statistics.load(folder / "out.npz")
    assert written == expected
    assert written.signature.to_dict() == expected.signature.to_dict() | {"references": 2}
    assert line == f"out.npz: {expected!r}, {written.signature!r}"


def test_parts_are_joined(folder):
    for number, rows in enumerate((slice(0, 1), slice(1, 4))):
        write_lines(folder, {f"h{number}": SYSTEMS["h"][rows], f"r{number}": REFERENCES[rows]})
        lines(run(folder, "stats", f"r{number}", "-i", f"h{number}", "-o", f"part{number}.npz"))
    lines(run(folder, "stats", "-i", "part0.npz", "part1.npz", "-o", "joined.npz"))
    joined, whole = (vecbleu.Statistics.load(folder / f"{one}.npz") for one in ("joined", "h"))
    assert joined == whole
    assert joined.signature == whole.signature


def test_empty_files_are_statistics_too(folder):
    lines(run(folder, "stats", "empty", "-i", "empty", "-o", "empty.npz"))
    assert len(vecbleu.Statistics.load(folder / "empty.npz")) == 0
    assert lines(run(folder, "-i", "empty.npz", "-b")) == ["0.0"]
    assert error(run(folder, "-i", "empty.npz", "-ci")).endswith("there are no segments to test")


def test_a_file_may_have_the_name_of_a_command(folder):
    write_lines(folder, {"stats": REFERENCES})
    assert lines(run(folder, "./stats", "-i", "h")) == lines(run(folder, "r", "-i", "h"))
    assert "vecbleu stats" in lines(run(folder, "stats", "--help"))[0]
    assert "vecbleu compare" in lines(run(folder, "compare", "--help"))[0]
